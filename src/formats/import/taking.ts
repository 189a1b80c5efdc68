// Members of metadata that were read elsewhere, taken into those of a draft one by one (issue 25): the others stay.
import { type Metadata, publicationDate } from "../../model/metadata/metadata.ts";
import { METADATA_MEMBERS, type MetadataMember } from "../../model/metadata/metadata-schema.ts";
import { sortedText } from "../../shared/json/sorted-text.ts";
import { isAbsent } from "../completion/complete.ts";

/** What this repository gave to a record, or keeps without understanding it. */
const OWN: readonly MetadataMember[] = ["custom", "extra", "registration"];

/** Members that were read and can be taken. */
export const takenMembers = (found: Metadata): readonly MetadataMember[] =>
  METADATA_MEMBERS.filter(
    (member) =>
      !OWN.includes(member) &&
      (member === "publicationDate" ? publicationDate(found) !== null : !isAbsent(found, member)),
  );

/** A member as it is compared and taken: the date of publication is one, wherever it is stored. */
function comparedValue(metadata: Metadata, member: MetadataMember): unknown {
  if (member === "publicationDate") return publicationDate(metadata);
  if (member === "dates") return metadata.dates.filter(({ type }) => type !== "Issued");
  return metadata[member] ?? null;
}

/** The metadata of a draft with these members of what was read. */
export function takeMembers(stored: Metadata, found: Metadata, members: readonly MetadataMember[]): Metadata {
  const plain = members.filter((member) => member !== "publicationDate" && member !== "dates");
  const { dates } = members.includes("dates") ? found : stored;
  const others = dates.filter(({ type }) => type !== "Issued");
  const whole: Metadata = { ...stored, ...Object.fromEntries(plain.map((member) => [member, found[member]])) };
  if (!members.includes("publicationDate")) {
    return { ...whole, dates: [...stored.dates.filter(({ type }) => type === "Issued"), ...others] };
  }
  // Forms have it as a date among the others: it is stored once.
  const { publicationDate: _, ...rest } = whole;
  return { ...rest, dates: [{ date: publicationDate(found) ?? "", type: "Issued" }, ...others] };
}

/** Members that were taken, and were changed by somebody else since they were shown. `seen` null: nobody knows. */
export function changedMeanwhile(
  members: readonly MetadataMember[],
  { seen, stored, found }: { readonly seen: Metadata | null; readonly stored: Metadata; readonly found: Metadata },
): readonly MetadataMember[] {
  return members.filter((member) => {
    const now = sortedText(comparedValue(stored, member));
    if (now === sortedText(comparedValue(found, member))) return false;
    return seen === null || now !== sortedText(comparedValue(seen, member));
  });
}
