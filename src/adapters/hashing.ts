// The two checksums that are reckoned while bytes are written (R7b).
import { createHash } from "node:crypto";
import { MD5_AT_ONCE_BYTES } from "../storage/limits.ts";

type WriteHashes = {
  update(chunk: Uint8Array): void;
  finish(): { readonly sizeBytes: number; readonly sha256: string; readonly md5: string | null };
};

/** SHA-256 always; MD5 until there are more than 16 MiB, null from there on. */
export function writeHashes(): WriteHashes {
  const sha256 = createHash("sha256");
  let md5: ReturnType<typeof createHash> | null = createHash("md5");
  let sizeBytes = 0;
  return {
    update(chunk) {
      sizeBytes += chunk.length;
      sha256.update(chunk);
      if (sizeBytes > MD5_AT_ONCE_BYTES) md5 = null;
      md5?.update(chunk);
    },
    finish: () => ({ sizeBytes, sha256: sha256.digest("hex"), md5: md5?.digest("hex") ?? null }),
  };
}
