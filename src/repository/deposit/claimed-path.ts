// Which file of the payload a metadata document means (R13a; specification "Package content rules"): paths are relative to the payload folder, and
// documents may write that folder before them. A folder of the payload may itself be called `data`: what is there under the path as it is written counts first.
const PAYLOAD_FOLDER = "data/";

/** The path, or the name, of the file that is meant; where the payload holds none, the path without the payload folder. `has`: by path or by name. */
export function claimedPath(written: string, has: (path: string) => boolean): string {
  const plain = withoutDot(written);
  if (has(plain) || !plain.startsWith(PAYLOAD_FOLDER)) return plain;
  return withoutDot(plain.slice(PAYLOAD_FOLDER.length));
}

function withoutDot(path: string): string {
  return path.replace(/^(?:\.\/)+/, "");
}
