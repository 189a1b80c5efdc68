// What a row of a landing page is made of (R19a).

import { webAddress } from "../../formats/citation/cited-item.ts";
import type { Text } from "../../model/metadata/metadata.ts";

/** A word of one of the vocabularies, by its type and id. */
type Term = { readonly vocabulary: string; readonly id: string };

export type ShownDetail = { readonly text: string; readonly lang?: string; readonly href?: string };

/** One value. `kind`: what sort of value it is (a type of date, of relation, a role), `href` where it leads. */
export type ShownValue = ShownDetail & {
  readonly kind?: Term;
  readonly term?: Term;
  /** The person of the author database that it names. */
  readonly person?: number;
  readonly details?: readonly ShownDetail[];
};

/** An address as a value may lead to; absent for what is none. */
export const leading = (address: string | null | undefined): { readonly href?: string } => {
  const href = address === null || address === undefined ? null : webAddress(address);
  return href === null ? {} : { href };
};

export const worded = ({ value, lang }: Text): ShownValue => ({
  text: value.trim(),
  ...(lang === undefined ? {} : { lang }),
});
