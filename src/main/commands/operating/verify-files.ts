// `arkstone verify --files`: reads the bytes of every file again and compares them with their rows (R19b).
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "../../../../db/engine/open.ts";
import { itemReader } from "../../../../db/repository/items/items.ts";
import { unpacking } from "../../../adapters/unpacking.ts";
import type { Config } from "../../../config.ts";
import { checkFiles, type FileFinding } from "../../../repository/items/file-checks.ts";
import { openStorage } from "../../storage.ts";

type FilesVerified = { readonly files: number; readonly bytes: number; readonly damaged: number };

/**
 * Reads everything once, while servers may be running, and changes nothing. `onProgress` may throw to end it.
 *
 * @throws StartError when the storage cannot be opened, StorageProblem when it does not answer.
 */
export async function verifyFiles(
  config: Config,
  url: string,
  events: {
    readonly onFinding: (finding: FileFinding) => void;
    readonly onProgress: (files: number) => Promise<void>;
  },
): Promise<FilesVerified> {
  const { storage } = await openStorage(config, "command");
  const database = await openDatabase({ url, readOnly: true });
  try {
    const items = itemReader({ dialect: database.dialect, db: database.reader });
    let [files, bytes, damaged] = [0, 0, 0];
    const filesAfter = async (key: string, limit: number) => {
      await events.onProgress(files);
      return await items.filesAfter(key, limit);
    };
    const options = {
      bytesPerSecond: null,
      progress: (soFar: { readonly files: number; readonly bytes: number }) => {
        [files, bytes] = [soFar.files, soFar.bytes];
      },
    };
    for await (const finding of checkFiles({ storage, hashing: unpacking(), filesAfter, sleep }, options)) {
      damaged += 1;
      events.onFinding(finding);
    }
    return { files, bytes, damaged };
  } finally {
    await database.close();
  }
}
