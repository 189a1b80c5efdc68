// The tag files of a bag that we write (RFC 8493 2.1, 2.2): for exports and for `arkstone pack`.
import { sha256 } from "oslo/crypto";
import { encodeHex } from "oslo/encoding";
import { BagError, type BagInfo, encodeManifestPath } from "./tag-files.ts";

/** A payload file; `path` begins with `data/`, `sha256` is in lower-case hex. */
type PayloadFile = { readonly path: string; readonly sizeBytes: number; readonly sha256: string };

export type TagFile = { readonly path: string; readonly bytes: Uint8Array };

type BagContents = {
  readonly payload: readonly PayloadFile[];
  /** More files outside data/ (metadata/sword.json): listed in the tag manifest, not returned to readers. */
  readonly tags?: readonly TagFile[];
  /** Lines of bag-info.txt; Payload-Oxum is added. */
  readonly info?: BagInfo;
};

/**
 * bagit.txt, bag-info.txt, manifest-sha256.txt and tagmanifest-sha256.txt, in this order.
 *
 * @throws BagError for a payload path outside data/ or a label or value that would break its line.
 */
export async function bagFiles({ payload, tags = [], info = [] }: BagContents): Promise<readonly TagFile[]> {
  const outside = payload.find((file) => !file.path.startsWith("data/"));
  if (outside !== undefined) throw new BagError(`The payload file ${JSON.stringify(outside.path)} is not under data/`);
  const totalBytes = payload.reduce((sum, file) => sum + file.sizeBytes, 0);
  const lines: BagInfo = [...info, ["Payload-Oxum", `${totalBytes}.${payload.length}`]];
  const written = [
    textFile("bagit.txt", ["BagIt-Version: 1.0", "Tag-File-Character-Encoding: UTF-8"]),
    textFile("bag-info.txt", lines.map(infoLine)),
    textFile(
      "manifest-sha256.txt",
      payload.map((file) => manifestLine(file.sha256, file.path)),
    ),
  ];
  const listed = await Promise.all(
    [...written, ...tags].map(async (file) =>
      manifestLine(encodeHex(new Uint8Array(await sha256(file.bytes))), file.path),
    ),
  );
  return [...written, textFile("tagmanifest-sha256.txt", listed)];
}

function manifestLine(hash: string, path: string): string {
  return `${hash}  ${encodeManifestPath(path)}`;
}

function infoLine([label, value]: readonly [string, string]): string {
  if (!/^[^:\s](?:[^:\r\n]*[^:\s])?$/.test(label) || /[\r\n]/.test(value)) {
    throw new BagError(`Cannot write ${JSON.stringify(label)}: ${JSON.stringify(value)} into bag-info.txt`);
  }
  return `${label}: ${value}`;
}

function textFile(path: string, lines: readonly string[]): TagFile {
  return { path, bytes: new TextEncoder().encode(lines.map((line) => `${line}\n`).join("")) };
}
