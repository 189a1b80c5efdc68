// The metadata of records between body and model (R3, R37), as far as the use cases of records ask for it.
import { isObject, memberOf } from "../../shared/fields.ts";
import { type Agent, EMPTY_METADATA, type Metadata } from "../model/metadata.ts";
import { type FieldError, RECORD_SENTENCES } from "../model/record-refusals.ts";

/** Titles of vocabulary entries that metadata name. */
export type ModelWords = ReadonlyMap<string, string>;

type ReadMetadata = { readonly metadata: Metadata; readonly errors: readonly FieldError[] };

/** What the body says, over what the record says already. */
export function readMetadata(body: unknown, previous: Metadata | null): ReadMetadata {
  const before = previous ?? EMPTY_METADATA;
  const sent = isObject(body) ? memberOf(body, "metadata") : undefined;
  const from = isObject(sent) ? sent : {};
  const title = textOf(memberOf(from, "title"));
  const type = memberOf(from, "resource_type");
  const id = isObject(type) ? textOf(memberOf(type, "id")) : "";
  const date = textOf(memberOf(from, "publication_date"));
  const people = memberOf(from, "creators");
  const { publicationDate: _, ...rest } = before;
  const metadata: Metadata = {
    ...rest,
    ...(date === "" ? {} : { publicationDate: date }),
    type: { id },
    titles: title === "" ? [] : [{ value: title, kind: "main" }],
    creators: Array.isArray(people) ? people.flatMap(agentOf) : [],
  };
  return { metadata, errors: missingIn(metadata) };
}

const textOf = (value: unknown): string => (typeof value === "string" ? value.trim() : "");

function agentOf(sent: unknown): Agent[] {
  const who = isObject(sent) ? memberOf(sent, "person_or_org") : undefined;
  if (!isObject(who)) return [];
  const [family, given, name] = ["family_name", "given_name", "name"].map((each) => textOf(memberOf(who, each)));
  const kind = who.type === "organizational" ? "organizational" : "personal";
  const names = kind === "personal" ? [{ family: family ?? "", given: given ?? "" }] : [{ full: name ?? "" }];
  return [{ kind, names, alternatives: [], ids: [], emails: [], affiliations: [] }];
}

/** What a record lacks that is to be published through this door. */
export function missingIn(metadata: Metadata): readonly FieldError[] {
  const lacking: string[] = [];
  if ((metadata.type?.id ?? "") === "") lacking.push("metadata.resource_type");
  if (metadata.creators.length === 0) lacking.push("metadata.creators");
  if (metadata.titles.length === 0) lacking.push("metadata.title");
  if ((metadata.publicationDate ?? "") === "") lacking.push("metadata.publication_date");
  return lacking.map((field) => ({ field, messages: [RECORD_SENTENCES.missing] }));
}

/** `metadata` and `custom_fields` as they are shown. */
export function writtenMetadata(metadata: Metadata, _words?: ModelWords) {
  const { publicationDate, titles, type, creators } = metadata;
  return {
    metadata: {
      ...(type === null || type.id === "" ? {} : { resource_type: { id: type.id } }),
      ...(titles[0] === undefined ? {} : { title: titles[0].value }),
      ...(publicationDate === undefined ? {} : { publication_date: publicationDate }),
      creators: creators.map(({ kind, names: [name] }) => ({
        person_or_org:
          kind === "organizational"
            ? { type: kind, name: name?.full ?? "" }
            : {
                type: "personal",
                name: `${name?.family ?? ""}, ${name?.given ?? ""}`,
                family_name: name?.family ?? "",
                given_name: name?.given ?? "",
              },
      })),
    },
    custom_fields: {},
  };
}
