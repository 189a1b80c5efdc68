// Version types (oaire:version) with their COAR URIs (R3).
import { labelOf } from "../rights/access-rights.ts";

export const VERSION_TYPES = {
  AO: "http://purl.org/coar/version/c_b1a7d7d4d402bcce",
  SMUR: "http://purl.org/coar/version/c_71e4c1898caa6e32",
  AM: "http://purl.org/coar/version/c_ab4af688f83e57aa",
  P: "http://purl.org/coar/version/c_fa2ee174bc00049f",
  VoR: "http://purl.org/coar/version/c_970fb48d4fbd8a85",
  CVoR: "http://purl.org/coar/version/c_e19f295774971610",
  EVoR: "http://purl.org/coar/version/c_dc82b40f9837b551",
  NA: "http://purl.org/coar/version/c_be7fb7dd8ff6fe43",
} as const;
type VersionTypeLabel = keyof typeof VERSION_TYPES;

export function versionTypeLabel(label: string | undefined, uri?: string): VersionTypeLabel | null {
  return labelOf(VERSION_TYPES, label, uri);
}
