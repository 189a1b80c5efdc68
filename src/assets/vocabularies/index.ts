// The vocabularies the product brings along (R6a): one file a type, each a list of {id, en, ja, props}. Facts of public lists, titles in our
// words. Imports stand one by one, because the compiled program carries only what is named.
import communitytypes from "./communitytypes.json" with { type: "json" };
import contributorsroles from "./contributorsroles.json" with { type: "json" };
import creatorsroles from "./creatorsroles.json" with { type: "json" };
import datetypes from "./datetypes.json" with { type: "json" };
import descriptiontypes from "./descriptiontypes.json" with { type: "json" };
import identifierschemes from "./identifierschemes.json" with { type: "json" };
import languages from "./languages.json" with { type: "json" };
import licenses from "./licenses.json" with { type: "json" };
import relationtypes from "./relationtypes.json" with { type: "json" };
import removalreasons from "./removalreasons.json" with { type: "json" };
import resourcetypes from "./resourcetypes.json" with { type: "json" };
import titletypes from "./titletypes.json" with { type: "json" };

/** One entry as the port of vocabularies takes it. */
type ShippedEntry = {
  readonly type: string;
  readonly id: string;
  readonly title: { readonly en: string; readonly ja: string };
  readonly props: Readonly<Record<string, string>>;
};

type Written = { readonly id: string; readonly en: string; readonly ja: string; readonly props?: object };

const LISTS: Readonly<Record<string, readonly Written[]>> = {
  communitytypes,
  contributorsroles,
  creatorsroles,
  datetypes,
  descriptiontypes,
  identifierschemes,
  languages,
  licenses,
  relationtypes,
  removalreasons,
  resourcetypes,
  titletypes,
};

/** Every entry, type by type, in the order of its file. */
export const SHIPPED_VOCABULARIES: readonly ShippedEntry[] = Object.entries(LISTS).flatMap(([type, entries]) =>
  entries.map(({ id, en, ja, props = {} }) => ({ type, id, title: { en, ja }, props: textsOf(props) })),
);

/** The files hold texts only; the types of imported JSON also name the members other entries have. */
function textsOf(props: object): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(props).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
}
