// Lists of search hits as tables (specification 3, "List export"; R29): what a request asks for, whether it would be
// answered as before, and the lines, all hits however many.
import type { Viewer } from "../../../auth/account.ts";
import { sha256Hex } from "../../../shared/hash/digests.ts";
import type { Clock } from "../../../shared/time/clock.ts";
import { dayIn, dayStart } from "../../../shared/time/day.ts";
import type { Instant } from "../../../shared/time/instant.ts";
import type { RepositoryStore } from "../../store/store.ts";
import type { Finder, ItemQuery } from "../query/finder.ts";
import type { Parameters } from "../query/parameters.ts";
import type { ListColumn } from "./list-columns.ts";
import { type ListNeeds, listLines } from "./list-rows.ts";

type ItemListRequest = {
  readonly viewer: Viewer;
  readonly parameters: Parameters;
  readonly columns: readonly ListColumn[];
  readonly language: string;
};

type ListAnswer = {
  /** Two requests with the same one are answered alike. */
  readonly state: string;
  /** Since when everybody is answered the same; what is written at this moment may be dated a little earlier. */
  readonly changedAt: Instant;
  readonly lines: AsyncGenerator<string>;
};

export type ListExportNeeds = Omit<ListNeeds, "items"> & {
  readonly store: Pick<RepositoryStore, "items" | "settings" | "changes">;
  readonly finder: Pick<Finder, "each">;
  /** What is searched for. Throws invalid. */
  readonly question: (viewer: Viewer, parameters: Parameters) => Promise<Pick<ItemQuery, "where" | "chosen" | "sort">>;
  readonly clock: Clock;
  readonly timeZone: string;
};

export interface ListExport {
  /** @throws invalid; the lines throw unavailable until the index is built */
  list(asked: ItemListRequest): Promise<ListAnswer>;
}

/** Hits that are found, checked and written together. */
const PAGE = 200;

export const listExport = ({ store, finder, question, clock, timeZone, ...needs }: ListExportNeeds): ListExport => ({
  async list(asked) {
    const { viewer, parameters, columns, language } = asked;
    const found = await question(viewer, parameters);
    // Asked before anything is searched for: what changes meanwhile changes the next state.
    // Not the position: on PostgreSQL it knows how far the log has got, which reading alone can move.
    const [{ epoch }, head, changed, types] = [
      await store.changes.position(),
      await store.changes.head(),
      await store.changes.changedAt(),
      await store.settings.itemTypes(),
    ];
    const now = clock.now();
    const midnight = dayStart(timeZone, now);
    const who = [viewer.account?.id ?? null, viewer.roles, viewer.groups, viewer.memberships];
    const shown = [
      columns.map(({ key, name }) => [key, ...name]),
      language,
      types.map(({ id, version }) => [id, version]),
    ];
    return {
      state: sha256Hex(JSON.stringify([epoch, head, dayIn(timeZone, now), who, found, shown])),
      // Embargoes end and records open at midnight, without any change.
      changedAt: changed !== null && changed > midnight ? changed : midnight,
      lines: listLines(finder.each(viewer, found, PAGE), asked, { ...needs, items: store.items }),
    };
  },
});
