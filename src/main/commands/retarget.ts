// `arkstone ark retarget`: a server moved, and every target under its old address moves with it (A15).
import { targetProblem } from "../../domain/ark/inputs.ts";
import { formatArk } from "../../domain/ark/syntax.ts";
import { OPERATOR } from "../../domain/auth/caller.ts";
import { type RetargetProgress, retarget } from "../../services/retarget.ts";
import { plural, progressOn } from "../terminal.ts";
import { command } from "./command.ts";
import { withServices } from "./context.ts";
import { shoulderPath } from "./one-thing.ts";
import { Refusal, UsageError } from "./refusals.ts";

/** Names of one transaction (A15). */
const BATCH_ROWS = 10_000;

export const retargetCommand = command({
  name: "ark retarget",
  summary: "Move every target of a shoulder that begins with one prefix to another prefix",
  options: {
    shoulder: { type: "string", value: "NAAN/SHOULDER", help: "Whose names" },
    from: { type: "string", value: "PREFIX", help: "What the targets begin with now" },
    to: { type: "string", value: "PREFIX", help: "What they begin with afterwards" },
    "dry-run": { type: "boolean", help: "Count what would move, change nothing" },
  },
  details: `
Targets are compared letter by letter; end both prefixes with a slash unless a part of a word is meant. Every move is one line in the
history of its name. One transaction for ${BATCH_ROWS.toLocaleString("en-US")} names: when it is cut off, run it again. Tombstones stay as they are.`,
  examples: [
    "arkstone ark retarget --shoulder b1 --from https://old.example.org/ --to https://new.example.org/ --dry-run",
  ],
  async run(context, given) {
    const { shoulder, from, to } = given;
    for (const [name, value] of Object.entries({ shoulder, from, to })) {
      if (value === undefined || value === "")
        throw new UsageError(`--${name} is missing`, 'See "arkstone ark retarget --help"');
    }
    if (shoulder === undefined || from === undefined || to === undefined) return 2;
    if (from === to) throw new UsageError("--from and --to are the same", "");
    const problem = targetProblem(to);
    if (problem !== null) throw new Refusal(`--to ${problem}: ${to}`);
    return await withServices(context, async (services) => {
      const path = await shoulderPath(services, shoulder);
      const known = await services.store.shoulders([path.naan]);
      if (!known.some((row) => row.shoulder === path.shoulder)) {
        throw new Refusal(
          `There is no shoulder ${path.naan}/${path.shoulder}`,
          '"arkstone shoulder list" shows what there is',
        );
      }
      const progress = progressOn(context);
      const dryRun = given["dry-run"];
      const result = await retarget(
        services,
        OPERATOR,
        { ...path, from, to, dryRun, batchRows: BATCH_ROWS },
        {
          onProgress: (now) => progress.step(lineOf(now, dryRun)),
          isInterrupted: context.interrupted,
          targetProblem,
        },
      );
      progress.end();
      const { seen, moved, skipped, key, end } = result;
      if (context.json) context.out(`${JSON.stringify({ dry_run: dryRun, seen, moved, skipped, end })}\n`);
      else context.out(`${lineOf(result, dryRun)}\n`);
      if (end === "done") return 0;
      context.err(`Stopped after ${key === "" ? "nothing" : formatArk(key)}: run the same command again to go on\n`);
      return 130;
    });
  },
});

function lineOf({ seen, moved, skipped }: RetargetProgress, dryRun: boolean): string {
  const left = skipped === 0 ? "" : `, ${plural(skipped, "name")} left alone`;
  return `${plural(moved, "target")} ${dryRun ? "to move" : "moved"} of ${plural(seen, "name")} looked at${left}`;
}
