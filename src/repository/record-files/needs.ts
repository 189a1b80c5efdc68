// What the use cases of files of records work with (R37).

import type { Viewer } from "../../auth/account.ts";
import type { ItemId } from "../../shared/ids.ts";
import type { Refusal } from "../../shared/refusal.ts";
import type { Clock, Random } from "../../shared/time/clock.ts";
import type { Storage } from "../../storage/storage.ts";
import type { Items } from "../items/items.ts";
import type { RepositoryStore } from "../store/store.ts";

export type RecordFilesNeeds = {
  readonly store: RepositoryStore;
  readonly storage: Storage;
  readonly clock: Clock;
  readonly random: Random;
  readonly items: Pick<Items, "readable" | "readableFile">;
  /** SVC_MAX_UPLOAD_BYTES: of one file, however it comes. */
  readonly maxBytes: number;
  /** The refusal for a record that was deleted (R2c). */
  readonly gone: (viewer: Viewer, id: ItemId) => Promise<Refusal>;
  /** Whether files may be fetched from this address. */
  readonly mayFetch: (url: URL) => boolean;
  /** Where this server is reached: addresses of parts begin with it. */
  readonly baseUrl: string;
};
