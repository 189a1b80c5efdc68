// `arkstone export`: every name with all it is, or a table of descriptions, to standard output, streamed (A15, A51).
import { csvExport } from "../../../../plugins/ark/export.ts";
import { toArkOut } from "../../../../plugins/ark/schemas.ts";
import { narrowedBy } from "../../../ark/ark-queries.ts";
import { carriedLines, receiptLine } from "../../../ark/carried-name.ts";
import { describedState } from "../../../ark/provisioning/described-state.ts";
import { OPERATOR } from "../../../auth/caller.ts";
import { carriedPages, carriedReceipts } from "../../../operating/carried-names.ts";
import { jsonText, plural } from "../../process/terminal.ts";
import { type Command, command } from "../command.ts";
import { type Context, type Services, withServices } from "../context.ts";
import { UsageError } from "../refusals.ts";
import { FILTER, filterOf } from "./ark.ts";

const exportCommand = command({
  name: "export",
  summary: "Write every name to standard output, with all it is or as a table",
  options: { ...FILTER, format: { type: "string", value: "FORMAT", help: "ndjson (default) or csv" } },
  details: `
NDJSON holds everything a name is: description, state, times, hold, tombstone, reason of withdrawal, origin, history; withdrawn names
too, unless --state names another state; and, of all names, which request_id of a client made them. "arkstone import" of it, into a service that "arkstone export service" describes, gives the same
answers for every name. CSV is a table for spreadsheets: names that are not withdrawn, without histories; cells that would be taken for a
formula get an apostrophe (SVC_CSV_GUARD). Published and reserved names can be imported from it as new ones.`,
  examples: ["arkstone export > arks.ndjson", "arkstone export --format csv --shoulder b1 > b1.csv"],
  run: (context, given) => {
    const format = given.format ?? "ndjson";
    if (format !== "ndjson" && format !== "csv") {
      throw new UsageError(`--format must be ndjson or csv, not "${given.format}"`, "");
    }
    return withServices(context, (services) => {
      const filter = filterOf(given);
      return inPages(context, format === "ndjson" ? wholeNames(services, filter) : table(services, filter));
    });
  },
});

type Filter = ReturnType<typeof filterOf>;

async function* wholeNames({ store }: Services, filter: Filter): AsyncGenerator<string> {
  for await (const page of carriedPages(store, narrowedBy(OPERATOR.caller, filter))) {
    yield page.map(carriedLines).join("");
  }
  // A part of the names has no receipts: they would point at names that are not in the file.
  if (Object.values(filter).some((value) => value !== undefined)) return;
  for await (const page of carriedReceipts(store)) yield page.map(receiptLine).join("");
}

async function* table({ arkQueries, clock, config }: Services, filter: Filter): AsyncGenerator<string> {
  const format = csvExport(config.csvGuard);
  const now = clock.now();
  yield format.head;
  for await (const page of arkQueries.exportRows(OPERATOR, filter)) {
    yield page.map((record) => format.line(toArkOut(record, now))).join("");
  }
}

/** Writes as fast as it is read; Ctrl-C ends it between two pages. */
async function inPages(context: Context, pages: AsyncIterable<string>): Promise<number> {
  for await (const page of pages) {
    context.out(page);
    await context.drained();
    if (await context.interrupted()) return 130;
  }
  return 0;
}

const exportService = command({
  name: "export service",
  summary: 'Write NAANs, organisations, shoulders, credentials and their holds as a file for "arkstone apply"',
  details: `
Together with "arkstone export" it moves a service to another Arkstone: apply the one, then import the other. Keys and client secrets are
not in it, for only their hashes are stored: make new ones with "arkstone credential key add". Holds on single names travel with the names.`,
  examples: ["arkstone export service > service.json"],
  run: (context) =>
    withServices(context, async ({ store, clock }) => {
      const state = {
        naans: await store.naans(),
        organisations: await store.organisations(),
        shoulders: await store.shoulders(),
        credentials: await store.credentials(),
      };
      const { document, leftOut } = describedState(state, clock.now());
      context.out(jsonText(document));
      for (const line of leftOut) context.err(`Left out: ${line}\n`);
      if (leftOut.length > 0) context.err(`${plural(leftOut.length, "thing")} that "arkstone apply" would refuse\n`);
    }),
});

export const exportCommands: readonly Command[] = [exportCommand, exportService];
