// Access rights as labels of the COAR vocabulary with their URIs (R3). They say what a depositor states or what is derived for exports; nothing
// is ever decided by them (R2d).
import type { AccessRights } from "./metadata.ts";

export const ACCESS_RIGHTS = {
  "embargoed access": "http://purl.org/coar/access_right/c_f1cf",
  "metadata only access": "http://purl.org/coar/access_right/c_14cb",
  "open access": "http://purl.org/coar/access_right/c_abf2",
  "restricted access": "http://purl.org/coar/access_right/c_16ec",
} as const;
export type AccessRightsLabel = keyof typeof ACCESS_RIGHTS;

const LABELS = Object.keys(ACCESS_RIGHTS) as AccessRightsLabel[]; // Object.keys forgets the literal type.

/** The label (in any case) or, when that is unknown, the URI, as a label of the vocabulary; null when neither is of it. */
export function accessRightsLabel(label: string | undefined, uri?: string): AccessRightsLabel | null {
  const wanted = label?.trim().toLowerCase();
  const concept = uri
    ?.trim()
    .replace(/^https:/, "http:")
    .replace(/\/$/, "");
  return LABELS.find((each) => each === wanted) ?? LABELS.find((each) => ACCESS_RIGHTS[each] === concept) ?? null;
}

/** Access rights with the URI that belongs to the label. */
export function accessRightsOf(label: AccessRightsLabel): Required<AccessRights> {
  return { label, uri: ACCESS_RIGHTS[label] };
}
