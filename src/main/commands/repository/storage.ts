// `arkstone storage`: whose the storage of files is, giving it to this database, and sweeping it at an operator's word
// (R7c).
import { systemClock } from "../../../adapters/clock.ts";
import { platformRandom } from "../../../adapters/random.ts";
import { NotOurs, type StorageClaim, storageClaim } from "../../../repository/items/storage-claim.ts";
import { type SweepOptions, type SweepReport, sweepStorage } from "../../../repository/items/storage-sweep.ts";
import { removableAtOnce } from "../../../repository/store/storage-marker.ts";
import { jsonText, plural, printable } from "../../process/terminal.ts";
import { filesLocation, openStorage } from "../../storage.ts";
import { type Command, command } from "../command.ts";
import type { Context } from "../context.ts";
import { CommandRefusal } from "../refusals.ts";
import { withRepository } from "./repository-context.ts";

const WORDS = {
  ours: "belongs to this database",
  unmarked: "carries no mark",
  foreign: "belongs to another database, or to this one before it was restored",
  copied: "was swept or adopted by another copy of this database",
  unreadable: "carries a mark that cannot be read",
} as const;

/** What the commands share: the storage of the settings, whose it is, what a sweep would find. */
async function withStorage<T>(context: Context, work: (opened: OpenedForSweep) => Promise<T>): Promise<T> {
  return await withRepository(context, async ({ config, store }) => {
    const { storage, location } = await openStorage(config, "command");
    const claim = storageClaim({ storage, location, items: store.items, store, random: platformRandom() });
    const needs = {
      storage,
      claim,
      clock: systemClock,
      named: (keys: readonly string[]) => store.items.namedKeys(keys),
    };
    return await work({
      where: filesLocation(config).where,
      claim,
      sweep: (options) => sweepStorage(needs, options),
    });
  });
}

type OpenedForSweep = {
  readonly where: string;
  readonly claim: StorageClaim;
  readonly sweep: (options: SweepOptions) => Promise<SweepReport>;
};

async function found({ where, claim, sweep }: OpenedForSweep) {
  const { belonging, isOurs } = await claim.readState();
  const { looked, unnamed } = await sweep({ dryRun: true });
  const [files, isAsked] = [{ older_than_a_day: looked, named_by_nothing: unnamed }, unnamed > removableAtOnce(looked)];
  return { storage: where, belongs: belonging, swept: isOurs && !isAsked, asks: isAsked, files };
}

function writeFindings(context: Context, findings: Awaited<ReturnType<typeof found>>): void {
  const { older_than_a_day: files, named_by_nothing: unnamed } = findings.files;
  context.out(`${printable(findings.storage)} ${WORDS[findings.belongs]}.\n`);
  context.out(
    `${plural(files, "file")} older than a day, ${plural(unnamed, "file")} of them named by no row of this database.\n`,
  );
}

const show = command({
  name: "storage show",
  summary: "Show which database owns the storage of files, and what a sweep would remove; changes nothing",
  examples: ["arkstone storage show", "arkstone storage show --json"],
  run: (context) =>
    withStorage(context, async (opened) => {
      const findings = await found(opened);
      if (context.json) return context.out(jsonText(findings));
      writeFindings(context, findings);
      const next = findings.belongs === "ours" ? "arkstone storage sweep --yes" : "arkstone storage adopt";
      context.out(findings.swept ? "It is swept each day.\n" : `It is not swept until you run: ${next}\n`);
    }),
});

const adopt = command({
  name: "storage adopt",
  summary: "Give the storage of files to this database: from now on it removes what it does not name there",
  options: {
    yes: { type: "boolean", help: "Though it belongs to another database, or holds files that this one does not name" },
  },
  details: `
A storage carries the id of the database that may sweep it. After a restore, and once after an upgrade, the operator confirms that it is this one. Never
do it in a drill next to the real service: give the drill a separate storage. The database that owned the storage before stops sweeping it, and logs that.`,
  examples: ["arkstone storage adopt", "arkstone storage adopt --yes"],
  run: (context, given) =>
    withStorage(context, async (opened) => {
      const findings = await found(opened);
      const { named_by_nothing: unnamed } = findings.files;
      const isPlain = unnamed === 0 && (findings.belongs === "ours" || findings.belongs === "unmarked");
      if (!isPlain && !given.yes) {
        const lines = [
          `${findings.storage} ${WORDS[findings.belongs]}`,
          `${plural(unnamed, "file")} would be removed by the next sweeps`,
        ];
        throw new CommandRefusal(
          "The storage was not adopted",
          "If that is right: arkstone storage adopt --yes",
          lines,
        );
      }
      await opened.claim.adopt();
      if (context.json) return context.out(jsonText({ ...findings, belongs: "ours", was: findings.belongs }));
      writeFindings(context, { ...findings, belongs: "ours" });
    }),
});

const sweep = command({
  name: "storage sweep",
  summary: "Remove now what no row names and is older than a day, however many files that are",
  options: { yes: { type: "boolean", help: "Remove them; without it they are only counted" } },
  details: `
A job does this each day, and asks first where more than 5% of the files (and more than 100) would go: then the database may not be the one that
belongs to the storage. Look before you answer: \`arkstone verify --files\`, \`arkstone item list\`.`,
  examples: ["arkstone storage sweep", "arkstone storage sweep --yes"],
  run: (context, given) =>
    withStorage(context, async ({ sweep: run }) => {
      const swept = await run({ dryRun: !given.yes, however: given.yes }).catch((error: unknown) => {
        throw error instanceof NotOurs ? new CommandRefusal(error.message) : error;
      });
      const { looked, unnamed, removed, abortedUploads } = swept;
      if (context.json) {
        const report = { looked, named_by_nothing: unnamed, removed, aborted_uploads: abortedUploads };
        return context.out(jsonText(report));
      }
      context.out(`${plural(looked, "file")} older than a day, ${unnamed} named by no row, ${removed} removed.\n`);
      if (!given.yes && unnamed > 0) context.out("Remove them with: arkstone storage sweep --yes\n");
    }),
});

export const storageCommands: readonly Command[] = [show, adopt, sweep];
