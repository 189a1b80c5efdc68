// `arkstone search`: shows how far the search indexes are, rebuilds them, and compares every document with the database
// (R34).

import { setTimeout as sleep } from "node:timers/promises";
import { isPostgresUrl } from "../../../../db/engine/open.ts";
import { DocumentsReader } from "../../../repository/search/document/document-reading.ts";
import { type Difference, differences, remaining } from "../../../repository/search/index/compare-documents.ts";
import { IndexUnavailable } from "../../../repository/search/index/index-port.ts";
import { searchSchema } from "../../../repository/search/settings/search-schema.ts";
import { type SearchSettings, searchSettingsFrom } from "../../../repository/search/settings/settings.ts";
import { SHIPPED_SEARCH_SETTINGS } from "../../../repository/search/settings/shipped-settings.ts";
import type { Log } from "../../../shared/log.ts";
import { jsonText, plural, progressOn, table } from "../../process/terminal.ts";
import { lookAtIndexes, type SeenIndex, searchOf, writingLease } from "../../search.ts";
import { type Command, command } from "../command.ts";
import type { Context } from "../context.ts";
import { CommandRefusal } from "../refusals.ts";
import { type RepositoryServices, withRepository } from "./repository-context.ts";

/** Changes that are counted behind the position of an index. */
const WAITING_MAX = 1_000;
/** What differs is named so often; more is counted. */
const NAMED = 100;
/** What was changed while everything was compared is in the index after this, or never. */
const FOLLOWS_MS = 10_000;
const LOOK_MS = 200;
/** A build by another process: how soon it begins, how long it may make no progress, and how often it may fail. */
const BEGINS_MS = 40_000;
const PROGRESSES_MS = 180_000;
const BUILDS_TRIED = 3;

/** Warnings and errors are shown to the user. */
function logTo(context: Context): Log {
  const note = (event: string, fields?: object): void => context.err(`${event} ${JSON.stringify(fields ?? {})}\n`);
  const quiet = (): void => {};
  return { debug: quiet, info: quiet, warn: note, error: note };
}

type IndexSurvey = { readonly settings: SearchSettings; readonly indexes: readonly SeenIndex[] };

async function withIndexes<T>(
  context: Context,
  { config, store }: RepositoryServices,
  work: (looked: IndexSurvey) => Promise<T>,
): Promise<T> {
  const settings = searchSettingsFrom(await store.settings.searchSettings(), SHIPPED_SEARCH_SETTINGS);
  let indexes: readonly SeenIndex[] = [];
  try {
    indexes = await lookAtIndexes({ config, store, log: logTo(context) }, searchSchema(settings));
    return await work({ settings, indexes });
  } catch (error) {
    if (!(error instanceof IndexUnavailable)) throw error;
    throw new CommandRefusal(error.message, "Everything but searching works meanwhile");
  } finally {
    for (const index of indexes) await index.close();
  }
}

/** Changes behind an index; null: it does not know how far it is, or its place in the feed is gone. */
async function waitingFor({ store }: RepositoryServices, index: SeenIndex): Promise<number | null> {
  const position = await index.position();
  if (position === null) return null;
  const page = await store.changes.changes(position, WAITING_MAX);
  return page.lost !== undefined || page.position.epoch !== position.epoch ? null : page.changes.length;
}

const status = command({
  name: "search status",
  summary: "List the search indexes, what they hold and how many changes they still lack",
  examples: ["arkstone search status", "arkstone search status --json"],
  details: `
The embedded index of each process is a separate file in the data folder of this machine. "old" is what another version or other settings left,
or what is being built.`,
  run: (context) =>
    withRepository(context, (services) =>
      withIndexes(context, services, async ({ indexes }) => {
        const rows: { readonly [name: string]: string | number | boolean | null }[] = [];
        for (const index of indexes) {
          const { name, engine, documents, sizeBytes, isCurrent, isInUse } = index;
          const waiting = isCurrent ? await waitingFor(services, index) : null;
          rows.push({
            name,
            engine,
            documents,
            octets: sizeBytes,
            current: isCurrent,
            in_use: isInUse,
            changes_waiting: waiting,
          });
        }
        if (context.json) return context.out(jsonText(rows));
        if (rows.length === 0) return context.out("There is no search index: a server makes one when it starts.\n");
        const cells = rows.map(
          ({ name, engine, documents, octets: sizeBytes, current, in_use: inUse, changes_waiting: waiting }) => [
            ...[name, engine, documents, sizeBytes ?? "-", current === true ? "current" : "old"].map(String),
            inUse === true ? "in use" : "-",
            current !== true
              ? "-"
              : waiting === null
                ? "has to be built"
                : waiting === WAITING_MAX
                  ? `${waiting} or more`
                  : String(waiting),
          ],
        );
        context.out(table(["index", "engine", "documents", "bytes", "state", "process", "changes waiting"], cells));
      }),
    ),
});

const rebuild = command({
  name: "search rebuild",
  summary: "Build the search index again from the database, next to the one that answers",
  examples: ["arkstone search rebuild"],
  details: `
Where servers of this machine run, each of them builds its own again; an index that all share is built by the process that writes it, or here where none
does. The command ends when the new indexes answer. It ends with 1 where one cannot be built: the old one goes on answering. Servers of other machines
with separate indexes are asked as well, and log when they are done.`,
  run: (context) =>
    withRepository(context, (services) =>
      withIndexes(context, services, async ({ indexes, settings }) => {
        const { store, clock, config } = services;
        const lease = writingLease(services);
        const isWrittenHere = lease === null ? null : await lease.held();
        await lease?.release();
        const isElsewhere =
          isWrittenHere === null
            ? indexes.some(({ isInUse }) => isInUse) || isPostgresUrl(config.databaseUrl)
            : !isWrittenHere;
        if (!isElsewhere) return await rebuildHere(context, services);
        await store.changes.requestRebuild(clock.now());
        const watched = indexes.filter(({ isCurrent, isInUse }) => isCurrent && isInUse);
        if (watched.length > 0) return await rebuiltElsewhere(context, services, settings, indexes);
        const result = { asked: true, time_zone: config.timeZone };
        if (context.json) context.out(jsonText(result));
        else
          context.out(
            "The servers of other machines build their search indexes again; the old ones answer meanwhile.\n",
          );
      }),
    ),
});

function tellBuilt(context: Context, documents: number): void {
  if (context.json) context.out(jsonText({ documents }));
  else context.out(`The search index holds ${plural(documents, "document")}.\n`);
}

async function rebuildHere(context: Context, { config, store, clock }: RepositoryServices): Promise<void> {
  const progress = progressOn(context);
  const search = searchOf({ config, store, clock, log: logTo(context) });
  try {
    await search.start();
    await search.follower.rebuild((built) => progress.step(`${plural(built, "document")}`));
    progress.end();
    tellBuilt(context, (await search.follower.answering().index.status()).documents);
  } catch (error) {
    progress.end();
    if (!(error instanceof IndexUnavailable)) throw error;
    throw new CommandRefusal(`Cannot build the search index: ${error.message}`, "The old one goes on answering");
  } finally {
    await search.close();
  }
}

/** Waits until the current indexes are replaced, and shows how far the new ones are. */
async function rebuiltElsewhere(
  context: Context,
  { config, store }: RepositoryServices,
  settings: SearchSettings,
  before: readonly SeenIndex[],
): Promise<void> {
  const known = new Set(before.map(({ name }) => name));
  const progress = progressOn(context);
  let seen = { building: "", documents: 0 };
  let failures = 0;
  let quietSince = performance.now();
  for (;;) {
    const now = await lookAtIndexes({ config, store, log: logTo(context) }, searchSchema(settings));
    for (const index of now) await index.close();
    const answering = now.filter(({ isCurrent, isInUse }) => isCurrent && isInUse);
    const replacing = answering.find(({ name }) => !known.has(name));
    if (replacing !== undefined && answering.every(({ name }) => !known.has(name))) {
      progress.end();
      return tellBuilt(context, replacing.documents);
    }
    const building = now.find(({ name, isCurrent, isInUse }) => !known.has(name) && !isCurrent && isInUse);
    const { name, documents } = building ?? { name: "", documents: 0 };
    // One is there no more and did not come to answer.
    if (seen.building !== "" && name !== seen.building && replacing === undefined) failures += 1;
    if (name !== seen.building || documents !== seen.documents) {
      quietSince = performance.now();
      if (name !== "") progress.step(`${name}: ${plural(documents, "document")}`);
    }
    seen = { building: name, documents };
    const quietMs = performance.now() - quietSince;
    const isGivenUp = failures >= BUILDS_TRIED || quietMs > (name === "" ? BEGINS_MS : PROGRESSES_MS);
    if (isGivenUp) {
      progress.end();
      throw new CommandRefusal(
        failures > 0 ? "The search index cannot be built" : "No process builds the search index",
        'The old one goes on answering; "search_index_not_built" in the logs of the servers states why, and they try again',
      );
    }
    await sleep(LOOK_MS);
  }
}

const verify = command({
  name: "search verify",
  summary: "Hold every document of the search indexes against the database, and name what differs",
  examples: ["arkstone search verify", "arkstone search verify --json"],
  details: `
It may run while servers run: changes that they apply meanwhile do not count as differences. The exit code is 1 where something differs; "arkstone search rebuild" repairs it.`,
  run: (context) =>
    withRepository(context, (services) =>
      withIndexes(context, services, async ({ indexes, settings }) => {
        const current = indexes.filter(({ isCurrent }) => isCurrent);
        if (current.length === 0) {
          throw new CommandRefusal(
            "There is no search index that could be verified",
            "A server makes one when it starts",
          );
        }
        let total = 0;
        const found: Record<string, readonly Difference[]> = {};
        for (const index of current) {
          const left = await verified(context, services, settings, index);
          found[index.name] = left;
          total += left.length;
        }
        if (context.json) context.out(jsonText(found));
        else tell(context, found);
        return total === 0 ? 0 : 1;
      }),
    ),
});

async function verified(
  context: Context,
  services: RepositoryServices,
  settings: SearchSettings,
  index: SeenIndex,
): Promise<readonly Difference[]> {
  const { store, clock, dayOf } = services;
  const reading = new DocumentsReader(store, settings, () => dayOf(clock.now()));
  const progress = progressOn(context);
  const suspects: Difference[] = [];
  for await (const { found, upTo } of differences({ items: store.items, reading, index })) {
    suspects.push(...found);
    if (Number.isFinite(upTo))
      progress.step(`${index.name}: up to item ${upTo}, ${plural(suspects.length, "difference")}`);
  }
  progress.end();
  if (suspects.length === 0) return [];
  for (let waited = 0; waited < FOLLOWS_MS && index.isInUse; waited += LOOK_MS) {
    if ((await waitingFor(services, index)) === 0) break;
    await sleep(LOOK_MS);
  }
  return await remaining({ reading, index }, suspects);
}

function tell(context: Context, found: Readonly<Record<string, readonly Difference[]>>): void {
  for (const [name, left] of Object.entries(found)) {
    context.out(
      `${name}: ${left.length === 0 ? "every document matches the database" : plural(left.length, "difference")}\n`,
    );
    for (const { item, kind } of left.slice(0, NAMED)) context.out(`  item ${item}: ${kind}\n`);
    if (left.length > NAMED) context.out(`  and ${left.length - NAMED} more\n`);
  }
}

export const searchCommands: readonly Command[] = [status, rebuild, verify];
