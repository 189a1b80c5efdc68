// The rule of metadata completion (R14): the depositor's values stay, absent ones are filled in.
import type { Metadata } from "../../model/metadata/metadata.ts";
import { isMetadata, METADATA_MEMBERS, type MetadataMember } from "../../model/metadata/metadata-schema.ts";

/** A longer text is not a DOI. */
const MAX_DOI_LENGTH = 500;

/** Members that completion never touches: they describe one repository's record, not the work. */
const OWN: readonly MetadataMember[] = ["custom", "extra", "identifiers", "registration"];

/** The metadata with every absent member filled from `found`, and which members these are. */
export function completeFrom(
  metadata: Metadata,
  found: Partial<Metadata>,
): { readonly metadata: Metadata; readonly filled: readonly MetadataMember[] } {
  const filled = METADATA_MEMBERS.filter(
    (member) => !OWN.includes(member) && isAbsent(metadata, member) && !isAbsent(found, member),
  );
  const whole: Metadata = { ...metadata, ...Object.fromEntries(filled.map((member) => [member, found[member]])) };
  return isMetadata(whole) ? { metadata: whole, filled } : { metadata, filled: [] };
}

/** Mappings supply `other` without a label where no type is stated. */
export function isAbsent(metadata: Partial<Metadata>, member: MetadataMember): boolean {
  if (member === "type")
    return metadata.type == null || (metadata.type.id === "other" && metadata.type.label === undefined);
  if (member === "titles") return !(metadata.titles ?? []).some((title) => title.kind === "main");
  const value = metadata[member];
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

/**
 * The DOI an item is completed by: its own, else that of the work it is a version of. Without `doi:` or address before
 * it.
 */
export function doiOf(metadata: Metadata): string | null {
  const own = metadata.identifiers.filter((each) => each.scheme.toUpperCase() === "DOI").map((each) => each.value);
  const versions = metadata.relations
    .filter((each) => each.type === "isVersionOf" && each.ident?.scheme.toUpperCase() === "DOI")
    .map((each) => each.ident?.value ?? "");
  for (const written of [...own, ...versions]) {
    const doi = written.trim().replace(/^(?:https?:\/\/(?:dx\.)?doi\.org\/|doi:\s*)/i, "");
    if (doi.length <= MAX_DOI_LENGTH && /^10\.\d{4,9}\/\S+$/.test(doi)) return doi;
  }
  return null;
}
