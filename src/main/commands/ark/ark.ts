// `arkstone ark`: the names themselves, one by one: show, list, make, change, withdraw (A8 to A12, A15 to A18).

import { type HistoryOut, toArkOut, toHistoryEntryOut, toWithdrawalOut } from "../../../../plugins/ark/schemas.ts";
import { fieldProblem } from "../../../ark/import-row.ts";
import { ARK_STATES, type ArkState, DESCRIPTIVE_FIELDS, forEachField } from "../../../ark/record.ts";
import { formatArk, parseArk } from "../../../ark/syntax.ts";
import { OPERATOR } from "../../../auth/caller.ts";
import { ServiceError } from "../../../shared/errors.ts";
import { withoutUndefined } from "../../../shared/objects.ts";
import { jsonText, shown, table } from "../../process/terminal.ts";
import { type Command, command, type Options, type OptionValues } from "../command.ts";
import { type Context, withServices } from "../context.ts";
import { CommandRefusal, UsageError } from "../refusals.ts";
import { showRows } from "./registry-output.ts";

const text = (help: string) => ({ type: "string", help }) as const;
const DESCRIPTION = {
  url: { type: "string", value: "URL", help: "Where the name leads; may hold ${ark}, ${naan}, ${name}" },
  ...forEachField(text),
} as const satisfies Options;
const WITHDRAWAL = {
  reason: { type: "string", value: "TEXT", help: "Why; kept in the history" },
  confirm: { type: "string", value: "ARK", help: "The ARK once more" },
} as const satisfies Options;

/** The descriptive fields that were given, checked like a request. */
function descriptionOf(given: OptionValues<typeof DESCRIPTION>): { readonly [field: string]: string } {
  const fields: Record<string, string> = {};
  for (const field of DESCRIPTIVE_FIELDS) {
    const value = given[field];
    if (value !== undefined) fields[field] = value;
  }
  const problem = fieldProblem(fields);
  if (problem !== null) throw new CommandRefusal(`Cannot take --${problem}`);
  return fields;
}

/** One record: as JSON, or its filled fields line by line. */
function showRecord(context: Context, record: object): void {
  if (context.json) {
    context.out(jsonText(record));
    return;
  }
  const filled = Object.entries(record).filter(([, value]) => value !== "" && value !== null);
  const width = Math.max(...filled.map(([name]) => name.length));
  for (const [name, value] of filled) context.out(`${name.padEnd(width)}  ${shown(value)}\n`);
}

const show = command({
  name: "ark show",
  summary: "Show everything kept of a name, withdrawn ones too",
  words: ["ARK"],
  examples: ["arkstone ark show ark:99999/x1t2zq84bmk"],
  run: (context, _given, [ark = ""]) =>
    withServices(context, async ({ store, clock }) => {
      const { key } = parseArk(ark);
      const record = (await store.arks([key])).get(key);
      if (record === undefined) throw new ServiceError(1401, { ark: formatArk(key) });
      const { shoulder, origin, firstPublishedAt, tombstonedAt, withdrawnAt, withdrawnReason } = record;
      const kept = { shoulder, origin, first_published_at: firstPublishedAt, tombstoned_at: tombstonedAt };
      const gone = { withdrawn_at: withdrawnAt, withdrawn_reason: withdrawnReason };
      showRecord(context, { ...toArkOut(record, clock.now()), ...kept, ...gone });
    }),
});

export const FILTER = {
  shoulder: { type: "string", value: "SHOULDER", help: "Only names under this shoulder" },
  state: { type: "string", value: "STATE", help: `Only names in this state: ${ARK_STATES.join(", ")}` },
  "updated-since": { type: "string", value: "TIME", help: "Only names changed at or after this moment" },
  text: { type: "string", value: "TEXT", help: "Only names with this in title or url" },
} as const satisfies Options;

export function filterOf(given: OptionValues<typeof FILTER>) {
  const state = given.state === undefined ? undefined : stateOf(given.state);
  return { shoulder: given.shoulder, state, updatedSince: given["updated-since"], text: given.text };
}

function stateOf(named: string): ArkState {
  const state = ARK_STATES.find((known) => known === named);
  if (state === undefined) throw new UsageError(`--state must be one of ${ARK_STATES.join(", ")}, not "${named}"`, "");
  return state;
}

const list = command({
  name: "ark list",
  summary: "List names by key",
  options: {
    ...FILTER,
    limit: { type: "string", value: "N", help: "Names at most, up to 1000 (default 100)" },
    after: { type: "string", value: "ARK", help: "Begin behind this name" },
  },
  examples: ["arkstone ark list --shoulder b1 --state reserved", "arkstone ark list --text example.org --json"],
  run: (context, given) =>
    withServices(context, async ({ arkQueries, clock }) => {
      const limit = Number(given.limit ?? "100");
      if (!Number.isInteger(limit) || limit < 1)
        throw new UsageError(`--limit must be a number from 1, not "${given.limit}"`, "");
      const page = await arkQueries.list(OPERATOR, filterOf(given), { after: given.after, limit });
      const data = page.records.map((record) => toArkOut(record, clock.now()));
      if (context.json) context.out(jsonText({ data, next: page.next }));
      else showRows(context, data, ["ark", "state", "url", "title"], "No such name");
      if (!context.json && page.next !== null) context.err(`There are more: go on with --after ${page.next}\n`);
    }),
});

const history = command({
  name: "ark history",
  summary: "Show every change of a name, oldest first",
  words: ["ARK"],
  examples: ["arkstone ark history ark:99999/x1t2zq84bmk"],
  run: (context, _given, [ark = ""]) =>
    withServices(context, async ({ arkQueries }) => {
      const { key, parts } = await arkQueries.history(OPERATOR, ark);
      const data = (await Array.fromAsync(parts)).flat().map(toHistoryEntryOut);
      const out: HistoryOut = { ark: formatArk(key), data };
      if (context.json) return void context.out(jsonText(out));
      const rows = out.data.map((entry) => [
        entry.at,
        entry.action,
        shown(entry.by),
        shown(entry.fields.join(" ")),
        entry.before_url === entry.after_url
          ? shown(entry.reason)
          : `${shown(entry.before_url)} -> ${shown(entry.after_url)}`,
      ]);
      context.out(table(["at", "action", "by", "fields", "what"], rows));
    }),
});

const mint = command({
  name: "ark mint",
  summary: "Mint a new name",
  options: {
    shoulder: { type: "string", value: "NAAN/SHOULDER", help: "Under which shoulder" },
    ...DESCRIPTION,
    "request-id": { type: "string", value: "TEXT", help: "Repeating it gives the same name back" },
    reserve: { type: "boolean", help: "Mint it unpublished" },
  },
  examples: ['arkstone ark mint --shoulder 99999/x1 --url https://example.org/1 --title "A first name"'],
  run: (context, given) =>
    withServices(context, async ({ minting, clock }) => {
      const shoulder = given.shoulder;
      if (shoulder === undefined) throw new UsageError("--shoulder is missing", 'See "arkstone shoulder list"');
      const input = { ...descriptionOf(given), shoulder, request_id: given["request-id"], reserve: given.reserve };
      const problem = fieldProblem(input);
      if (problem !== null) throw new CommandRefusal(`Cannot take ${problem}`);
      const { record } = await minting.mint(OPERATOR, withoutUndefined(input));
      if (context.json) showRecord(context, toArkOut(record, clock.now()));
      else context.out(`${formatArk(record.key)}\n`);
    }),
});

const register = command({
  name: "ark register",
  summary: "Register a qualified name below an existing one",
  words: ["ARK", "QUALIFIER"],
  options: DESCRIPTION,
  examples: ["arkstone ark register ark:99999/x1t2zq84bmk /page/3 --url https://example.org/1/3"],
  run: (context, given, [ark = "", qualifier = ""]) =>
    withServices(context, async ({ minting, clock }) => {
      const { record } = await minting.register(OPERATOR, { ...descriptionOf(given), ark, qualifier });
      if (context.json) showRecord(context, toArkOut(record, clock.now()));
      else context.out(`${formatArk(record.key)}\n`);
    }),
});

const update = command({
  name: "ark update",
  summary: "Change the fields given, leave the others; an empty text clears a field",
  words: ["ARK"],
  options: DESCRIPTION,
  examples: ["arkstone ark update ark:99999/x1t2zq84bmk --url https://example.org/moved"],
  run: (context, given, [ark = ""]) =>
    withServices(context, async ({ lifecycle, clock }) => {
      const record = await lifecycle.update(OPERATOR, { ...descriptionOf(given), ark }, "patch");
      showRecord(context, toArkOut(record, clock.now()));
    }),
});

const publish = command({
  name: "ark publish",
  summary: "Publish names: resolution starts, all of them or none",
  words: ["ARK..."],
  examples: ["arkstone ark publish ark:99999/x1t2zq84bmk"],
  run: (context, _given, arks) =>
    withServices(context, async ({ lifecycle, clock }) => {
      const records = (await lifecycle.publishBulk(OPERATOR, arks)).map((record) => toArkOut(record, clock.now()));
      showRows(context, records, ["ark", "state", "published_at"], "Nothing was published");
    }),
});

const unpublish = command({
  name: "ark unpublish",
  summary: "Withdraw a name from the public: it stops resolving, the row stays",
  words: ["ARK"],
  options: WITHDRAWAL,
  examples: ['arkstone ark unpublish ark:99999/x1t2zq84bmk --reason "Under embargo" --confirm ark:99999/x1t2zq84bmk'],
  run: (context, given, [ark = ""]) =>
    withServices(context, async ({ lifecycle, clock }) => {
      const record = await lifecycle.unpublish(OPERATOR, { ark, ...withoutUndefined(given) });
      showRecord(context, toArkOut(record, clock.now()));
    }),
});

const withdrawal = (verb: "delete" | "purge") =>
  command({
    name: `ark ${verb}`,
    summary:
      verb === "delete"
        ? "Delete an unpublished name for ever; one that was ever public needs --reason and --confirm"
        : "Withdraw and delete a name in any state, in one step and for ever",
    words: ["ARK"],
    options: WITHDRAWAL,
    details: "The name is never assigned again. This cannot be undone.",
    examples: [`arkstone ark ${verb} ark:99999/x1t2zq84bmk --reason "Made by mistake" --confirm ark:99999/x1t2zq84bmk`],
    run: (context, given, [ark = ""]) =>
      withServices(context, async ({ lifecycle }) => {
        showRecord(context, toWithdrawalOut(await lifecycle[verb](OPERATOR, { ark, ...withoutUndefined(given) })));
      }),
  });

const tombstone = command({
  name: "ark tombstone",
  summary: "Record that the object no longer exists; its name and description stay. This cannot be undone",
  words: ["ARK"],
  options: {
    url: { type: "string", value: "URL", help: "A page that explains; without it the resolver describes the thing" },
    commitment: text("Replaces the stored statement of commitment"),
  },
  examples: ["arkstone ark tombstone ark:99999/x1t2zq84bmk"],
  run: (context, given, [ark = ""]) =>
    withServices(context, async ({ lifecycle, clock }) => {
      const input = withoutUndefined({ url: given.url, commitment: given.commitment });
      const problem = fieldProblem(input);
      if (problem !== null) throw new CommandRefusal(`Cannot take --${problem}`);
      showRecord(context, toArkOut(await lifecycle.tombstone(OPERATOR, { ark, ...input }), clock.now()));
    }),
});

export const arkCommands: readonly Command[] = [
  show,
  list,
  history,
  mint,
  register,
  update,
  publish,
  unpublish,
  tombstone,
  withdrawal("delete"),
  withdrawal("purge"),
];
