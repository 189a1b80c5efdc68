// Changes of items by jobs (R2d, R5, R8): embargoes end, missing names are minted, descriptions follow the open date.

import { GUEST, type Viewer } from "../../auth/account.ts";
import { accessOn } from "../../model/access/visibility.ts";
import type { ItemId } from "../../shared/ids.ts";
import type { Day } from "../../shared/time/day.ts";
import { type Core, commitIn, lockIn, nameIn, signed } from "./commit-revision.ts";

/** The author of changes that nobody requested. */
const REPOSITORY_JOBS: Viewer = { ...GUEST, scopes: null, clientId: "(jobs)" };

const PAGE = 200;

export interface ScheduledChanges {
  /**
   * Ends the embargoes whose day has come: record and files become public, as one more revision (R2d). Returns how
   * many.
   */
  liftEmbargoes(): Promise<number>;
  /** Describes the ARKs of items whose open date came after `since`. Returns how many. */
  describeOpened(since: Day): Promise<number>;
  /** Mints the ARK of one published item that has none. False when it could not be minted now: try again later. */
  mintFor(id: ItemId): Promise<boolean>;
  /** Describes the ARK of an item again, after its indexes changed who may read it (R2d, R5). */
  describeFor(id: ItemId): Promise<void>;
  /** `arkstone item mint-arks` (R5): published items without a name, the newest first. */
  mintMissing(): Promise<{ readonly minted: number; readonly left: number }>;
}

export const scheduledChanges = (core: Core): ScheduledChanges => {
  const { needs } = core;
  const { store } = needs;
  const now = () => signed(needs, REPOSITORY_JOBS, {});

  /** Pages through ids with one transaction for each item; returns how many of them `each` changed. */
  async function forEach(
    next: (after: ItemId) => Promise<readonly ItemId[]>,
    each: (id: ItemId) => Promise<boolean>,
  ): Promise<number> {
    let [changed, after] = [0, 0];
    for (;;) {
      const ids = await next(after);
      for (const id of ids) if (await each(id)) changed += 1;
      const last = ids.at(-1);
      if (last === undefined || ids.length < PAGE) return changed;
      after = last;
    }
  }

  /** Mints the ARK of one published item that has none. False when it could not be minted now: try again later. */
  async function mintFor(id: ItemId): Promise<boolean> {
    return await store.transact(async (tx) => {
      const found = await lockIn(tx, id);
      if (found.item.state !== "published" || found.item.ark !== null) return true;
      return !(await nameIn(core, tx, found, now(), { receipts: "fresh" })).pending;
    });
  }

  return {
    liftEmbargoes: () => {
      const { today } = now();
      return forEach(
        (after) => store.items.embargoEnded(today, after, PAGE),
        (id) =>
          store.transact(async (tx) => {
            const locked = await lockIn(tx, id);
            const content = locked.item.content;
            const sign = now();
            if (content === null || locked.item.state !== "published") return false;
            const access = accessOn(content.access, sign.today);
            if (access === content.access) return false;
            await commitIn(core, tx, locked, { ...content, access }, "lift-embargo", sign);
            return true;
          }),
      );
    },
    describeOpened: (since) => {
      const { today } = now();
      return forEach(
        (after) => store.items.openedBetween(since, today, after, PAGE),
        (id) =>
          store.transact(async (tx) => {
            const found = await lockIn(tx, id);
            if (found.item.state === "published") await nameIn(core, tx, found, now());
            return found.item.ark !== null;
          }),
      );
    },

    mintFor,
    describeFor: (id) =>
      store.transact(async (tx) => {
        const found = await lockIn(tx, id);
        if (found.item.state === "published" && found.item.ark !== null) await nameIn(core, tx, found, now());
      }),
    async mintMissing() {
      let [minted, left] = [0, 0];
      if (!core.naming.on) return { minted, left };
      for (let before: ItemId | null = null; ; ) {
        const page = await store.items.listItems({ withoutArk: true }, before, PAGE);
        for (const { id } of page) {
          if (await mintFor(id)) minted += 1;
          else left += 1;
        }
        const last = page.at(-1);
        if (last === undefined || page.length < PAGE) return { minted, left };
        before = last.id;
      }
    },
  };
};
