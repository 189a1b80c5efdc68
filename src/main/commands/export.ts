// `arkstone export`: every name with its description to standard output, streamed (A15).
import { exportFormat } from "../../../plugins/ark-export.ts";
import { toArkOut } from "../../../plugins/ark-schemas.ts";
import { OPERATOR } from "../../domain/auth/caller.ts";
import { FILTER, filterOf } from "./ark.ts";
import { command } from "./command.ts";
import { withServices } from "./context.ts";
import { UsageError } from "./refusals.ts";

const MEDIA_TYPES: ReadonlyMap<string, string> = new Map([
  ["ndjson", "application/x-ndjson"],
  ["csv", "text/csv"],
]);

export const exportCommand = command({
  name: "export",
  summary: "Write every name with its description to standard output",
  options: { ...FILTER, format: { type: "string", value: "FORMAT", help: "ndjson (default) or csv" } },
  details: "Withdrawn names are left out. What is written can be imported again.",
  examples: ["arkstone export > arks.ndjson", "arkstone export --format csv --shoulder b1 > b1.csv"],
  run: (context, given) => {
    const mediaType = MEDIA_TYPES.get(given.format ?? "ndjson");
    if (mediaType === undefined) throw new UsageError(`--format must be ndjson or csv, not "${given.format}"`, "");
    const format = exportFormat(mediaType);
    return withServices(context, async ({ reading }) => {
      const now = reading.now();
      if (format.head !== "") context.out(format.head);
      for await (const page of reading.exportRows(OPERATOR, filterOf(given))) {
        context.out(page.map((record) => format.line(toArkOut(record, now))).join(""));
        await context.drained();
        if (await context.interrupted()) return 130;
      }
      return 0;
    });
  },
});
