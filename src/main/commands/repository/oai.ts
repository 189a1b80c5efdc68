// `arkstone oai`: how far the list for harvesters is, and holding all of it against what guests see (R36).
import { HarvestFollower } from "../../../repository/oai/follower.ts";
import { jsonText, plural, table } from "../../process/terminal.ts";
import { type Command, command } from "../command.ts";
import { type RepositoryServices, withRepository } from "./repository-context.ts";

/** Changes that are read after the position of the list. */
const WAITING_MAX = 1_000;

async function listState({ store, config, addresses }: RepositoryServices) {
  const state = await store.harvest.state();
  const { shown, deleted, due } = await store.harvest.counts();
  const position = state?.position ?? null;
  const page = position === null ? null : await store.changes.changes(position, WAITING_MAX);
  return {
    address: addresses.oai,
    host: addresses.oaiHost,
    admin_mail: config.oaiAdminMail,
    ready: state?.ready ?? false,
    shown,
    deleted,
    due,
    // Null: the feed continues from another place, and everything is read.
    changes_waiting: page === null || page.lost !== undefined ? null : page.changes.length,
    earliest: await store.harvest.earliest(),
    last_answered: state?.closed ?? null,
    day: state?.day ?? null,
  };
}

const status = command({
  name: "oai status",
  summary: "Show what harvesters can read, and which changes they cannot read yet",
  examples: ["arkstone oai status", "arkstone oai status --json"],
  run: (context) =>
    withRepository(context, async (services) => {
      const found = await listState(services);
      if (context.json) {
        context.out(jsonText(found));
        return;
      }
      const rows = Object.entries(found).map(([name, value]) => [name.replaceAll("_", " "), String(value ?? "-")]);
      context.out(table([], rows));
      if (!found.ready) context.out("The first list is not built yet: harvesters receive 503 and come back later.\n");
      if (found.admin_mail === null) context.out("Set SVC_OAI_ADMIN_MAIL: harvesters write there.\n");
    }),
});

const rebuild = command({
  name: "oai rebuild",
  summary: "Hold every record for harvesters against what guests see, and date those that differ",
  details:
    "Nothing that harvesters have read is forgotten, and what did not change keeps its date. It may run while the server runs.",
  examples: ["arkstone oai rebuild"],
  run: (context) =>
    withRepository(context, async (services) => {
      const { store, clock, random, dayOf } = services;
      const note = (event: string): void => void context.err(`${event}\n`);
      const follower = new HarvestFollower({ store, clock, random, dayOf, log: { info: note } });
      await follower.rebuild();
      while (await follower.step()) {
        const { due } = await store.harvest.counts();
        if (due > 0) context.err(`${plural(due, "record")} left\n`);
      }
      const { shown, deleted } = await store.harvest.counts();
      if (context.json) context.out(jsonText({ shown, deleted }));
      else context.out(`${plural(shown, "record")} shown, ${deleted} deleted.\n`);
    }),
});

export const oaiCommands: readonly Command[] = [status, rebuild];
