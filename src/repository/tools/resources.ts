// What clients of the tool server read by an address (R30; reference 4.3): records and vocabularies. Each address
// belongs to a tool: callers that may call the tool may read the address, and nobody else. Pure: which call an address
// means, and how it is listed.

import { withUnseenShown } from "../../model/files/file-names.ts";
import { memberOf } from "../../shared/objects.ts";
import { SIZE_MAX } from "./shapes.ts";
import type { SuggestionKind } from "./suggestions.ts";

export type ResourceTemplate = {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: "application/json";
};
export type ListedResource = Omit<ResourceTemplate, "uriTemplate"> & { readonly uri: string };

/** How long a client may take what it read for what is there, and whether for others too. */
type CachePolicy = { readonly ttlMs: number; readonly cacheScope: "public" | "private" };

export type ResourceKind = {
  readonly tool: string;
  readonly template: ResourceTemplate;
  /** The variable of the template, as completions name it. */
  readonly variable: string;
  /** What is offered while it is written. */
  readonly suggests: SuggestionKind;
  readonly args: (named: string) => Readonly<Record<string, unknown>>;
  readonly kept: CachePolicy;
};

const MINUTE_MS = 60_000;
/** Records that are listed by themselves, the newest; search_records finds all. */
export const RECORDS_LISTED = 20;
const URI_MAX = 2_100;

const RECORD: ResourceKind = {
  tool: "get_record",
  variable: "recid",
  suggests: "record",
  template: {
    uriTemplate: "record://{recid}",
    name: "record",
    title: "A record",
    description: "A published record with its metadata, access and links, as get_record gives it; recid as there",
    mimeType: "application/json",
  },
  args: (recid) => ({ recid }),
  // Signed-in callers may see more of it than others.
  kept: { ttlMs: MINUTE_MS, cacheScope: "private" },
};

const VOCABULARY: ResourceKind = {
  tool: "list_vocabulary",
  variable: "type",
  suggests: "vocabulary",
  template: {
    uriTemplate: "vocabulary://{type}",
    name: "vocabulary",
    title: "A vocabulary",
    description: `The first ${SIZE_MAX} entries of a vocabulary that metadata take ids from; list_vocabulary finds the others`,
    mimeType: "application/json",
  },
  args: (type) => ({ vocab_type: type, size: SIZE_MAX }),
  kept: { ttlMs: 60 * MINUTE_MS, cacheScope: "public" },
};

export const RESOURCE_KINDS: readonly ResourceKind[] = [RECORD, VOCABULARY];

export type NamedResource = { readonly kind: ResourceKind; readonly args: Readonly<Record<string, unknown>> };

/** The call that an address means; null: not one of our addresses. The tool looks up what it names. */
export function namedResource(uri: string): NamedResource | null {
  if (uri.length > URI_MAX) return null;
  const [, scheme = "", rest = ""] = /^(record|vocabulary):\/\/(.+)$/s.exec(uri) ?? [];
  const kind = RESOURCE_KINDS.find(({ template }) => template.uriTemplate.startsWith(`${scheme}://`));
  if (scheme === "" || kind === undefined) return null;
  try {
    return { kind, args: kind.args(decodeURIComponent(rest)) };
  } catch {
    return null;
  }
}

/** `vocabularies` and `records` as the tools list them. */
export function listedResources(
  vocabularies: readonly unknown[],
  records: readonly unknown[],
): readonly ListedResource[] {
  return [
    ...vocabularies.map((each) => {
      const id = memberText(each, "id");
      return listed(VOCABULARY, id, `Vocabulary ${id}`, `${memberText(each, "count")} entries`);
    }),
    ...records.map((each) => {
      const id = memberText(each, "id");
      const facts = ["resource_type", "publication_date"].map((name) => memberText(each, name));
      const names = memberOf(each as object, "creators");
      const about = [...facts, Array.isArray(names) ? names.join("; ") : ""].filter((fact) => fact !== "");
      return listed(RECORD, id, memberText(each, "title"), about.join(", "));
    }),
  ];
}

/** Titles and names of people are shown to people: nothing in them is unseen. */
const listed = ({ template, variable }: ResourceKind, id: string, title: string, description: string) => ({
  uri: template.uriTemplate.replace(`{${variable}}`, encodeURIComponent(id)),
  name: `${template.name}-${id}`,
  title: withUnseenShown(title),
  description: withUnseenShown(description),
  mimeType: template.mimeType,
});

const memberText = (from: unknown, name: string): string => {
  const value = typeof from === "object" && from !== null ? memberOf(from, name) : undefined;
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
};
