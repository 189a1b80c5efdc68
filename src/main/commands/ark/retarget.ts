// `arkstone ark retarget`: a server moved, and every target under its old address moves with it (A15).
import { targetProblem } from "../../../ark/inputs.ts";
import { type RetargetProgress, retarget, seamProblem, type TargetMove } from "../../../ark/retarget.ts";
import { formatArk } from "../../../ark/syntax.ts";
import { OPERATOR } from "../../../auth/caller.ts";
import { jsonLine, plural, printable, progressOn } from "../../process/terminal.ts";
import { command } from "../command.ts";
import { withServices } from "../context.ts";
import { CommandRefusal, UsageError } from "../refusals.ts";
import { shoulderPath } from "./one-row-document.ts";

/** Names of one transaction (A15). */
const BATCH_ROWS = 10_000;
/** Moves that a dry run shows. */
const PAIRS_SHOWN = 10;

export const retargetCommand = command({
  name: "ark retarget",
  summary: "Move every target of a shoulder that begins with one prefix to another prefix",
  options: {
    shoulder: { type: "string", value: "NAAN/SHOULDER", help: "Whose names" },
    from: { type: "string", value: "PREFIX", help: "What the targets begin with now" },
    to: { type: "string", value: "PREFIX", help: "What they begin with afterwards" },
    "dry-run": { type: "boolean", help: `Count what would move and show the first ${PAIRS_SHOWN}, change nothing` },
  },
  details: `
A prefix is a whole host or path: https://a.org/x holds https://a.org/x, https://a.org/x/1 and https://a.org/x?y, and neither
https://a.org/xy nor https://a.org.example/. The comparison is case-sensitive. Both prefixes end with a slash, or neither. Every move is
one line in the history of its name. One transaction for ${BATCH_ROWS.toLocaleString("en-US")} names: when it is cut off, run it again. Tombstones stay as they are.`,
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
    // Placeholders are filled when a name is made; here they would stay as they are.
    const problem = targetProblem(to) ?? (to.includes("${") ? "must not hold placeholders" : null);
    if (problem !== null) throw new CommandRefusal(`--to ${problem}: ${to}`);
    const seam = seamProblem(from, to);
    if (seam !== null) throw new CommandRefusal(seam, `They are ${from} and ${to}`);
    return await withServices(context, async (services) => {
      const path = await shoulderPath(services, shoulder);
      const known = await services.store.shoulders([path.naan]);
      if (!known.some((row) => row.shoulder === path.shoulder)) {
        throw new CommandRefusal(
          `There is no shoulder ${path.naan}/${path.shoulder}`,
          '"arkstone shoulder list" shows what there is',
        );
      }
      const progress = progressOn(context);
      const dryRun = given["dry-run"];
      const pairs: TargetMove[] = [];
      const result = await retarget(
        services,
        OPERATOR,
        { ...path, from, to, dryRun, batchRows: BATCH_ROWS },
        {
          onProgress: (now) => progress.step(lineOf(now, dryRun)),
          onMove: (move) => {
            if (dryRun && pairs.length < PAIRS_SHOWN) pairs.push(move);
          },
          isInterrupted: context.interrupted,
          targetProblem,
        },
      );
      progress.end();
      const { seen, moved, skipped, key, end } = result;
      if (context.json) {
        const shown = pairs.map(({ key, before, after }) => ({ ark: formatArk(key), before, after }));
        context.out(jsonLine({ dry_run: dryRun, seen, moved, skipped, end, ...(dryRun ? { pairs: shown } : {}) }));
      } else {
        context.out(`${lineOf(result, dryRun)}\n`);
        for (const pair of pairs) context.out(pairLine(pair));
        if (moved > pairs.length && dryRun) context.out(`… and ${plural(moved - pairs.length, "more target")}\n`);
      }
      if (end === "done") return 0;
      context.err(`Stopped after ${key === "" ? "nothing" : formatArk(key)}: run the same command again to go on\n`);
      return 130;
    });
  },
});

function pairLine({ key, before, after }: TargetMove): string {
  return `${formatArk(key)}\n  ${printable(before)}\n  -> ${printable(after)}\n`;
}

function lineOf({ seen, moved, skipped }: RetargetProgress, dryRun: boolean): string {
  const left = skipped === 0 ? "" : `, ${plural(skipped, "name")} left alone`;
  return `${plural(moved, "target")} ${dryRun ? "to move" : "moved"} of ${plural(seen, "name")} checked${left}`;
}
