// Which record a text names (reference 1.2; R30), as far as the caller may read it.
import type { Viewer } from "../../auth/account.ts";
import { unknownRecord } from "../../model/input/record-refusals.ts";
import { EMPTY_METADATA } from "../../model/metadata/metadata.ts";
import type { RecordId } from "../../shared/ids.ts";
import { isRefusal } from "../../shared/refusal.ts";
import type { Items } from "../items/items.ts";
import type { RepositoryReader } from "../store/store.ts";
import { ToolRefusal } from "./outcome.ts";

type RecordLookupNeeds = {
  readonly store: Pick<RepositoryReader, "items">;
  readonly items: Pick<Items, "readable" | "duplicates">;
  readonly baseUrl: string;
};

export function recordLookup({ store, items, baseUrl }: RecordLookupNeeds) {
  /** The number of the record a text names, as far as this viewer may read it. @throws Refusal not_found. */
  return async function idOf(viewer: Viewer, given: string): Promise<number> {
    // No name has what PostgreSQL keeps in no text.
    const named = given.includes("\0") ? null : namedRecord(given, baseUrl);
    if (named === null) {
      throw new ToolRefusal(
        "not_found",
        "The persistent identifier does not exist.",
        "recid is a number such as 42, an ARK, a DOI or the address of a record; search_records finds records by words",
      );
    }
    if (named.kind === "id") return named.id;
    if (named.kind === "ark") {
      const id = (await store.items.itemsByArk([named.ark])).get(named.ark);
      if (id !== undefined) return id;
    } else {
      const identifiers = [{ scheme: "DOI", value: named.doi }];
      const found = await items.duplicates(store, { ...EMPTY_METADATA, identifiers }, null);
      for (const id of found) if (await isReadable(viewer, id)) return id;
    }
    throw unknownRecord();
  };

  async function isReadable(viewer: Viewer, id: RecordId): Promise<boolean> {
    try {
      await items.readable(viewer, id);
      return true;
    } catch (error) {
      if (isRefusal(error, "not_found", "forbidden", "gone", "unauthenticated")) return false;
      throw error;
    }
  }
}

// What people paste for a record (reference 1.2; R30): its number, the number of its parent, an ARK, a DOI, or an
// address of one of these. Pure: returns what the text names; looking it up is the tools' business.

/** What a text names; null: nothing a record could be known by. */
type RecordReference =
  | { readonly kind: "id"; readonly id: RecordId }
  /** `naan/name`, without `ark:`. */
  | { readonly kind: "ark"; readonly ark: string }
  | { readonly kind: "doi"; readonly doi: string };

const ID = /^[1-9]\d{0,15}$/;
const DOI = /^(?:doi:\s*)?(10\.\d{4,9}(?:\.\d+)*\/\S+)$/i;
const DOI_HOST = /^(?:https?:\/\/)?(?:dx\.|www\.)?doi\.org\//i;
/** The name alone: the text after it names a part, which is found by the whole. */
const ARK = /(?:^|\/)ark:\/?([0-9b-df-hj-np-tv-z]{5,16}\/[^\s?#/.]+)/i;
/** As results and harvesters name records: by the number of their first version (R36). */
const OAI = /^oai:([^:\s]{1,253}):0{0,8}([1-9]\d{0,15})$/;
const SCHEME = /^https?:\/\//i;
const RECORD_PATH = /^\/(?:api\/)?records\/([1-9]\d{0,15})(?:[/?#]|$)/;

/** The id or slug of a community, or the id of a request, by itself or in an address of this repository. */
export function namedThing(text: string, kind: "communities" | "requests", baseUrl: string): string {
  const given = text.trim();
  const before = [`${baseUrl}/api/${kind}/`, `${baseUrl}/${kind}/`].find((each) => given.startsWith(each));
  return before === undefined ? given : (/^[^/?#]*/.exec(given.slice(before.length))?.[0] ?? "");
}

/** `baseUrl`: of this repository, whose own addresses name its records. */
export function namedRecord(text: string, baseUrl: string): RecordReference | null {
  const given = text.trim();
  if (ID.test(given)) return { kind: "id", id: Number(given) };
  const [bare, base] = [given.replace(SCHEME, ""), baseUrl.replace(SCHEME, "")];
  if (bare.startsWith(`${base}/`)) {
    const id = RECORD_PATH.exec(bare.slice(base.length))?.[1];
    if (id !== undefined) return { kind: "id", id: Number(id) };
  }
  const [, host, first] = OAI.exec(given) ?? [];
  if (first !== undefined && host === new URL(baseUrl).hostname) return { kind: "id", id: Number(first) };
  // Hyphens have no meaning in an ARK.
  const ark = ARK.exec(given)?.[1];
  if (ark !== undefined) return { kind: "ark", ark: ark.replaceAll("-", "") };
  const doi = DOI.exec(given.replace(DOI_HOST, ""))?.[1];
  return doi === undefined ? null : { kind: "doi", doi };
}
