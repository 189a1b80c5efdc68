// A new index: defaults of the specification 2 ("Index tree endpoints", table of the POST body) and what a child takes
// from its parent (R24, R2e).

import { INDEX_FIELDS, type IndexField, type IndexSettings } from "../../model/indexes/index-fields.ts";
import { type IndexNode, ROOT_INDEX } from "../../model/indexes/index-node.ts";
import { startOf } from "../../shared/declared.ts";
import type { AccountId, IndexId } from "../../shared/ids.ts";
import type { Instant } from "../../shared/time/instant.ts";
import type { NewIndex } from "./index-input.ts";

/** The index every repository begins with. */
const FIRST_INDEX = 1;

const DEFAULTS: IndexSettings = startOf(INDEX_FIELDS);

const HANDED_DOWN = Object.entries<IndexField<unknown>>(INDEX_FIELDS).flatMap(([name, { handedDown }]) =>
  handedDown === undefined ? [] : [{ name, handedDown }],
);

/** What a child takes over (R24): display format and harvest always, a setting and its flag where the flag is on. */
function inheritedFrom(parent: IndexNode): Partial<IndexSettings> {
  const values: Readonly<Record<string, unknown>> = parent;
  const taken = HANDED_DOWN.flatMap(({ name, handedDown }): [string, unknown][] => {
    if (handedDown === "always") return [[name, values[name]]];
    return values[handedDown] === true
      ? [
          [name, values[name]],
          [handedDown, true],
        ]
      : [];
  });
  return Object.fromEntries(taken);
}

/** What was sent wins over what the parent hands down, and that over the defaults. `parent` null: the root. */
export function makeIndex(
  sent: NewIndex,
  parent: IndexNode | null,
  made: { readonly id: IndexId; readonly position: number; readonly owner: AccountId | null; readonly at: Instant },
): IndexNode {
  const { id, position, owner, at } = made;
  return {
    ...DEFAULTS,
    ...(parent === null ? {} : inheritedFrom(parent)),
    ...sent,
    id,
    position,
    owner,
    createdAt: at,
    updatedAt: at,
    deletedAt: null,
  };
}

/** The one public index of a fresh repository (R24). */
export function firstIndex(at: Instant): IndexNode {
  const sent: NewIndex = {
    parent: ROOT_INDEX,
    indexName: "サンプル",
    indexNameEnglish: "Sample Index",
    indexLinkNameEnglish: "Sample Index",
    publicState: true,
  };
  return makeIndex(sent, null, { id: FIRST_INDEX, position: 0, owner: null, at });
}
