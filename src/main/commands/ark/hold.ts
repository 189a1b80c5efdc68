// `arkstone hold`: names, shoulders and NAANs that are described instead of redirected for a while (A42).

import type { HoldResult } from "../../../ark/holds.ts";
import { holdAt } from "../../../ark/lifecycle-table.ts";
import { formatArk } from "../../../ark/syntax.ts";
import { OPERATOR } from "../../../auth/caller.ts";
import { jsonText } from "../../process/terminal.ts";
import { type Command, command } from "../command.ts";
import { type Context, type Services, withServices } from "../context.ts";
import { UsageError } from "../refusals.ts";
import { showRows } from "./registry-output.ts";

const TARGET = {
  ark: { type: "string", value: "ARK", help: "Hold one name" },
  shoulder: { type: "string", value: "NAAN/SHOULDER", help: "Hold everything under a shoulder" },
  naan: { type: "string", value: "NAAN", help: "Hold everything under a NAAN" },
} as const;

type Target = { readonly ark?: string; readonly shoulder?: string; readonly naan?: string };

function targetOf(given: { readonly [name in keyof Target]: string | undefined }): Target {
  const { ark, shoulder, naan } = given;
  if ([ark, shoulder, naan].filter((text) => text !== undefined).length !== 1) {
    throw new UsageError("Name one of --ark, --shoulder and --naan", 'See "arkstone hold add --help"');
  }
  if (ark !== undefined) return { ark };
  return shoulder === undefined ? { naan: naan ?? "" } : { shoulder };
}

const add = command({
  name: "hold add",
  summary: "Hold a name, a shoulder or a NAAN: it is described, not redirected, until the hold ends",
  options: {
    ...TARGET,
    until: { type: "string", value: "TIME", help: "End of the hold, such as 2026-12-31T00:00:00Z" },
    reason: { type: "string", value: "TEXT", help: "Shown to readers" },
  },
  examples: ['arkstone hold add --shoulder 99999/b1 --until 2026-12-31 --reason "Under review"'],
  run: (context, given) => {
    const { until, reason } = given;
    if (until === undefined) throw new UsageError("--until is missing", 'See "arkstone hold add --help"');
    if (reason === undefined) throw new UsageError("--reason is missing", 'See "arkstone hold add --help"');
    const target = targetOf(given);
    return withServices(context, async (services) => {
      showHold(context, services, await services.lifecycle.hold(OPERATOR, { ...target, until, reason }));
    });
  },
});

const release = command({
  name: "hold release",
  summary: "End a hold before its time",
  options: TARGET,
  examples: ["arkstone hold release --ark ark:99999/b1abc"],
  run: (context, given) => {
    const target = targetOf(given);
    return withServices(context, async (services) => {
      showHold(context, services, await services.lifecycle.release(OPERATOR, target));
    });
  },
});

function showHold(context: Context, services: Services, held: HoldResult): void {
  const row =
    held.scope === "ark"
      ? rowOf("ark", formatArk(held.record.key), holdAt(held.record, services.clock.now()))
      : rowOf(held.scope, nameOf(held), held.until === null ? null : { until: held.until, reason: held.reason ?? "" });
  if (context.json) context.out(jsonText(row));
  else context.out(row.until === null ? `${row.target} is not held.\n` : `${row.target} is held until ${row.until}.\n`);
}

function nameOf(held: { readonly naan: string; readonly shoulder: string | null }): string {
  return held.shoulder === null ? held.naan : `${held.naan}/${held.shoulder}`;
}

function rowOf(
  scope: HoldResult["scope"],
  target: string,
  hold: { readonly until: string; readonly reason: string } | null,
) {
  return { scope, target, until: hold?.until ?? null, reason: hold?.reason ?? null };
}

const list = command({
  name: "hold list",
  summary: "List the holds in force",
  options: { arks: { type: "boolean", help: "Holds on single names too (reads every name)" } },
  examples: ["arkstone hold list", "arkstone hold list --arks --json"],
  run: (context, given) =>
    withServices(context, async ({ store, clock, arkQueries }) => {
      const now = clock.now();
      const rows = [
        ...(await store.naans()).map((naan) => rowOf("naan", naan.naan, holdAt(naan, now))),
        ...(await store.shoulders()).map((one) => rowOf("shoulder", `${one.naan}/${one.shoulder}`, holdAt(one, now))),
      ];
      if (given.arks) {
        for await (const page of arkQueries.exportRows(OPERATOR, {})) {
          for (const record of page) {
            const hold = holdAt(record, now);
            if (hold !== null) rows.push(rowOf("ark", formatArk(record.key), hold));
          }
        }
      }
      const held = rows.filter((row) => row.until !== null);
      showRows(
        context,
        held,
        ["scope", "target", "until", "reason"],
        given.arks ? "Nothing is held" : "No shoulder and no NAAN is held; holds on names are listed with --arks",
      );
    }),
});

export const holdCommands: readonly Command[] = [add, list, release];
