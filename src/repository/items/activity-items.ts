// What the end of an activity does to its item, as the workflow asks for it (R16).
import type { Item } from "../model/item.ts";
import type { Viewer } from "../../auth/account.ts";
import type { RepositoryWriter } from "../store/store.ts";

/** What the end of an activity does to its item, and what it needs to know of it. */
export type ActivityItems = {
  /** Publishes the draft of an item as a new revision. `index`: filed there first. */
  readonly publishDraft: (tx: RepositoryWriter, viewer: Viewer, itemId: number, how: PublishHow) => Promise<Item>;
  readonly remove: (tx: RepositoryWriter, viewer: Viewer, itemId: number, activityId: string) => Promise<unknown>;
  readonly discardDraft: (tx: RepositoryWriter, viewer: Viewer, itemId: number, activityId: string) => Promise<unknown>;
};

type PublishHow = {
  readonly activityId: string;
  /** Index the item is filed in when its draft names none (R16). */
  readonly index: number | null;
  readonly depositor: number;
  readonly onBehalfOf: number | null;
  readonly packageName: string | null;
  readonly packageSha256: string | null;
  /** A lock on the item that whoever advances the activity holds himself (R19). */
  readonly lockOwner?: string;
};
