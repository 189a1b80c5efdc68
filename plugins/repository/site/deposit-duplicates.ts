// Likely duplicates on the pages of a draft (issue 25).
import type { Field, ItemTypeDefinition } from "../../../src/model/item-types/definition.ts";
import { enteredGroups } from "../../../src/model/item-types/form-tree.ts";
import type { Metadata } from "../../../src/model/metadata/metadata.ts";
import type { Html } from "../../../src/pages/html.ts";
import { duplicatesBox, type WatchedFields } from "../../../src/repository/pages/templates/likely-duplicates.ts";
import type { LikelyDuplicates } from "../../../src/repository/record-lists/likely-duplicates.ts";
import type { Reader } from "./answers.ts";

export type DuplicatesNeeds = { readonly duplicates: LikelyDuplicates };

type DraftOf = { readonly id: number; readonly metadata: Metadata };

/** The box above a form; `draft` null: the form is empty. */
export async function duplicatesHtml(
  { duplicates }: DuplicatesNeeds,
  { viewer, site }: Pick<Reader, "viewer" | "site">,
  draft: DraftOf | null,
  definition: ItemTypeDefinition,
): Promise<Html> {
  const found = draft === null ? [] : await duplicates.ofDraft(viewer, draft.id, draft.metadata);
  return duplicatesBox({ found, watched: watchedFields(definition) }, site);
}

/** The same before a draft is published: only what was found. */
export async function foundDuplicates(
  { duplicates }: DuplicatesNeeds,
  { viewer, site }: Pick<Reader, "viewer" | "site">,
  { id, metadata }: DraftOf,
): Promise<Html> {
  return duplicatesBox({ found: await duplicates.ofDraft(viewer, id, metadata) }, site);
}

/** The names of the fields of titles and identifiers, of any row. */
const watchedFields = (definition: ItemTypeDefinition): WatchedFields => ({
  titles: namesOf(definition, "titles"),
  identifiers: namesOf(definition, "identifiers"),
});

function namesOf(definition: ItemTypeDefinition, member: string): readonly string[] {
  const names = (field: Field, above: string): readonly string[] => {
    const name = `${above}${field.key ?? ""}${field.repeatable ? ".*" : ""}`;
    if (field.kind === null) return field.fields.flatMap((each) => names(each, `${name}.`));
    const { metadataPath } = field;
    return metadataPath?.kind === "path" && metadataPath.steps.at(-1)?.name === "value" ? [name] : [];
  };
  return enteredGroups(definition)
    .filter(({ metadataPath }) => metadataPath?.kind === "path" && metadataPath.steps[0]?.name === member)
    .flatMap((group) => names(group, ""));
}
