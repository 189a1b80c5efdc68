// What a database knows of the storage it may sweep (R7c). Exists only inside `transact`.
import type { StorageIdentity } from "./storage-marker.ts";

export interface StorageIdentityWriter {
  /** Held until the end of the transaction. `fresh` becomes the id of a database that has none yet. */
  lockIdentity(fresh: string): Promise<StorageIdentity>;
  saveTurns(identity: StorageIdentity): Promise<void>;
}
