// Everything that is stored about the own account, as one JSON document (R33): written a page of rows at a time, so that
// memory stays bounded however much there is.
import type { Viewer } from "../../auth/account.ts";
import type { Clock } from "../../shared/time/clock.ts";
import { yieldToEventLoop } from "../../shared/time/event-loop.ts";
import type { PersonalKey } from "../store/personal-data.ts";
import type { RepositoryStore } from "../store/store.ts";
import { writeAs } from "./current-viewer.ts";
import { accountOf, requireWhole } from "./own-account.ts";

type AccountExportNeeds = {
  readonly store: RepositoryStore;
  readonly clock: Pick<Clock, "now">;
};

export const EXPORT_FORMAT = "arkstone-account-1";
export const EXPORT_FILE = "account.json";

/** Pieces of the document, and recorded in the audit. @throws Refusal `forbidden` for a token that was narrowed */
export type AccountExport = (viewer: Viewer) => Promise<AsyncIterable<string>>;

export const accountExport = (needs: AccountExportNeeds): AccountExport => {
  const { store, clock } = needs;

  async function* pieces(accountId: number): AsyncIterable<string> {
    yield `{"format":${JSON.stringify(EXPORT_FORMAT)},"exported_at":${JSON.stringify(clock.now())}`;
    for (const section of await store.personalData.sections()) {
      yield `,\n${JSON.stringify(section)}:[`;
      let after: PersonalKey = null;
      let separator = "";
      do {
        const { rows, next } = await store.personalData.personalRows(section, accountId, after);
        for (const row of rows) {
          yield `${separator}\n${JSON.stringify(row)}`;
          separator = ",";
        }
        await yieldToEventLoop();
        after = next;
      } while (after !== null);
      yield "]";
    }
    yield "}\n";
  }

  return async (viewer) => {
    requireWhole(viewer);
    const accountId = await writeAs(needs, viewer, async (tx, now) => {
      requireWhole(now);
      const { id } = accountOf(now);
      await tx.audit(now, clock.now(), [{ action: "account-export", subject: `account:${id}`, detail: {} }]);
      return id;
    });
    return pieces(accountId);
  };
};
