// What bytes are hashed to that were too large for it while they were written, or never passed through us as a whole (R7a, R7b): read once, and where
// they came in parts held against the MD5s of the parts.

import type { ItemFile } from "../../model/items/item.ts";
import type { Storage } from "../../storage/storage.ts";
import type { Unpacking } from "../../storage/unpacking.ts";
import type { ReckonedHashes } from "../store/items.ts";

type HashNeeds = {
  readonly storage: Pick<Storage, "read">;
  readonly hashing: Pick<Unpacking, "hash">;
};

const COMPOSITE = /^multipart:([0-9a-f]{32})-\d+-(\d+)$/;

/** `missing`: there are no such bytes. `damaged`: they are not what the parts were. */
export async function reckonHashes(
  { storage, hashing }: HashNeeds,
  { storageKey, composite }: ItemFile,
  signal?: AbortSignal,
): Promise<ReckonedHashes | "missing" | "damaged"> {
  const read = await storage.read(storageKey, undefined, signal);
  if (read === null) return "missing";
  const [whole, md5] = [hashing.hash("sha256"), hashing.hash("md5")];
  const [, expected, partBytes] = COMPOSITE.exec(composite ?? "") ?? [];
  const parts = expected === undefined ? null : partHashes(hashing, Number(partBytes));
  for await (const piece of read.stream) {
    signal?.throwIfAborted();
    whole.update(piece);
    md5.update(piece);
    parts?.update(piece);
  }
  if (parts !== null && parts.hex() !== expected) return "damaged";
  return { md5: md5.hex(), sha256: whole.hex() };
}

/** MD5 of the MD5s of parts of `partBytes` bytes. */
function partHashes(hashing: Pick<Unpacking, "hash">, partBytes: number) {
  const composite = hashing.hash("md5");
  let part = hashing.hash("md5");
  let length = 0;
  const endPart = (): void => {
    composite.update(Uint8Array.from(part.hex().match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)));
    part = hashing.hash("md5");
    length = 0;
  };
  return {
    update(piece: Uint8Array): void {
      for (let rest = piece; rest.length > 0; ) {
        const some = rest.subarray(0, partBytes - length);
        part.update(some);
        length += some.length;
        rest = rest.subarray(some.length);
        if (length === partBytes) endPart();
      }
    },
    hex(): string {
      if (length > 0) endPart();
      return composite.hex();
    },
  };
}
