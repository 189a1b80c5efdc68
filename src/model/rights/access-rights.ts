// Access rights as labels of the COAR vocabulary with their URIs (R3). They are statements of the depositor or derived
// for exports; no decision depends on them (R2d).
import type { AccessRights } from "../metadata/metadata.ts";

export const ACCESS_RIGHTS = {
  "embargoed access": "http://purl.org/coar/access_right/c_f1cf",
  "metadata only access": "http://purl.org/coar/access_right/c_14cb",
  "open access": "http://purl.org/coar/access_right/c_abf2",
  "restricted access": "http://purl.org/coar/access_right/c_16ec",
} as const;
export type AccessRightsLabel = keyof typeof ACCESS_RIGHTS;

/**
 * The label of `concepts` that is given (in any case), else the one of the URI; null when neither is of the vocabulary.
 */
export function labelOf<Label extends string>(
  concepts: Readonly<Record<Label, string>>,
  label: string | undefined,
  uri?: string,
): Label | null {
  const labels = Object.keys(concepts) as Label[]; // Object.keys forgets the literal type.
  const wanted = label?.trim().toLowerCase();
  const concept = uri
    ?.trim()
    .replace(/^https:/, "http:")
    .replace(/\/$/, "");
  return (
    labels.find((each) => each.toLowerCase() === wanted) ?? labels.find((each) => concepts[each] === concept) ?? null
  );
}

export function accessRightsLabel(label: string | undefined, uri?: string): AccessRightsLabel | null {
  return labelOf(ACCESS_RIGHTS, label, uri);
}

/** Access rights with the URI that belongs to the label. */
export function accessRightsOf(label: AccessRightsLabel): Required<AccessRights> {
  return { label, uri: ACCESS_RIGHTS[label] };
}
