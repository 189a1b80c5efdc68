// `arkstone item`: items as they are kept: listed, shown, deleted, restored, erased, published or not, filed, named
// (R2b to R2d, R5, R25).

import { shownFileName } from "../../../model/files/file-names.ts";
import { ITEM_STATES, type Item, type ItemState } from "../../../model/items/item.ts";
import { mainTitle } from "../../../model/metadata/metadata.ts";
import type { ItemFilter } from "../../../repository/store/items.ts";
import { writeByteSize } from "../../../shared/bytes/byte-size.ts";
import type { ItemId } from "../../../shared/ids.ts";
import { jsonLine, jsonText, plural } from "../../process/terminal.ts";
import { showRows } from "../ark/registry-output.ts";
import { type Command, command } from "../command.ts";
import type { Context } from "../context.ts";
import { CommandRefusal, UsageError } from "../refusals.ts";
import { idWord, numberOption, showRecord } from "./records.ts";
import { byOperator, namedAccount, type RepositoryServices, withRepository } from "./repository-context.ts";

const LIST_DEFAULT = 50;
const LIST_MAX = 1000;

/** An item that was never published is described by its draft. */
async function titleOf({ store }: RepositoryServices, item: Item): Promise<string> {
  const content = item.content ?? (await store.items.draft(item.id))?.content ?? null;
  return content === null ? "" : mainTitle(content.metadata);
}

function rowOf(item: Item, title: string) {
  const { id, state, versionIndex, revision, content, ark } = item;
  const access = content?.access.record === "restricted" ? "private" : content === null ? null : "public";
  const indexes = { access, indexes: content?.indexes ?? [], ark: ark === null ? null : `ark:${ark}` };
  return { id, state, version: versionIndex, revision, ...indexes, updated_at: item.updatedAt, title };
}

function stateOf(text: string | undefined): ItemState | undefined {
  const state = ITEM_STATES.find((each) => each === text);
  if (text !== undefined && state === undefined) {
    throw new UsageError(`--state must be one of ${ITEM_STATES.join(", ")}, not "${text}"`, "");
  }
  return state;
}

const list = command({
  name: "item list",
  summary: "List items, the newest first",
  options: {
    unfiled: { type: "boolean", help: "Published ones in no index" },
    "without-ark": { type: "boolean", help: "Published ones without an ARK" },
    state: { type: "string", value: "STATE", help: `Only those that are ${ITEM_STATES.join(", ")}` },
    index: { type: "string", value: "ID", help: "In this index itself" },
    owner: { type: "string", value: "USER", help: "Of this account" },
    latest: { type: "boolean", help: "The latest version of each thing only" },
    before: { type: "string", value: "ID", help: "Go on below this id" },
    limit: { type: "string", value: "N", help: `At most N (default ${LIST_DEFAULT}, up to ${LIST_MAX})` },
  },
  examples: ["arkstone item list --unfiled", "arkstone item list --owner ada@example.org --json"],
  run: (context, given) => {
    const limit = numberOption("limit", given.limit ?? String(LIST_DEFAULT));
    if (limit < 1 || limit > LIST_MAX) throw new UsageError(`--limit must be from 1 to ${LIST_MAX}, not ${limit}`, "");
    const before = given.before === undefined ? null : numberOption("before", given.before);
    const state = stateOf(given.state);
    return withRepository(context, async (services) => {
      const { store } = services;
      const filter: ItemFilter = {
        ...(given.unfiled ? { unfiled: true } : {}),
        ...(given["without-ark"] ? { withoutArk: true } : {}),
        ...(given.latest ? { latestOnly: true } : {}),
        ...(state === undefined ? {} : { state }),
        ...(given.index === undefined ? {} : { index: numberOption("index", given.index) }),
        ...(given.owner === undefined ? {} : { owner: (await namedAccount(services, given.owner)).id }),
      };
      const [items, total] = await Promise.all([
        store.items.listItems(filter, before, limit),
        store.items.countItems(filter),
      ]);
      const rows = [];
      for (const item of items) rows.push(rowOf(item, await titleOf(services, item)));
      const columns = ["id", "state", "version", "access", "indexes", "ark", "title"] as const;
      showRows(context, rows, columns, "No such item");
      const last = items.at(-1);
      if (last === undefined || items.length < limit || context.json) return;
      context.err(`${plural(total, "item")} in all; --before ${last.id} shows the next ones\n`);
    });
  },
});

const show = command({
  name: "item show",
  summary: "Show an item: its metadata, its files, its versions and revisions",
  words: ["ID"],
  examples: ["arkstone item show 12", "arkstone item show 12 --json"],
  run: (context, _given, [word = ""]) => {
    const id = idWord(word, "ID");
    return withRepository(context, async (services) => {
      const item = await found(services, id);
      const { store } = services;
      const [parent, revisions, draft, tombstone, versions] = await Promise.all([
        store.items.parent(item.parentId),
        store.items.revisions(id),
        store.items.draft(id),
        store.items.tombstone(id),
        store.items.versions(item.parentId),
      ]);
      const content = item.content ?? draft?.content ?? null;
      const record = {
        ...rowOf(item, await titleOf(services, item)),
        parent: item.parentId,
        owner: parent?.owner ?? null,
        shared_with: parent?.shared ?? [],
        communities: parent?.communities ?? [],
        item_type: content?.itemType ?? null,
        versions: versions.map((each) => each.id),
        draft: draft === null ? null : { editor: draft.editor, activity: draft.activityId, saved_at: draft.savedAt },
        deleted: tombstone === null ? null : { at: tombstone.at, reason: tombstone.reason, note: tombstone.note },
        files: (content?.files ?? []).map(
          ({ name, sizeBytes, sha256, access }) =>
            `${shownFileName(name)} ${writeByteSize(sizeBytes)} ${access} ${sha256}`,
        ),
        history: revisions.map(({ revision, action, at, by }) => `${revision} ${action} ${at} ${by ?? "operator"}`),
      };
      if (context.json) return showRecord(context, { ...record, content });
      const { files, history, ...rest } = record;
      showRecord(context, rest);
      for (const line of files) context.out(`file  ${line}\n`);
      for (const line of history) context.out(`revision  ${line}\n`);
    });
  },
});

async function found({ store }: RepositoryServices, id: ItemId): Promise<Item> {
  const item = await store.items.item(id);
  if (item !== null) return item;
  const kind = await store.items.kindOf(id);
  const what = kind === "parent" ? `${id} is what ties versions together, not an item` : `There is no item ${id}`;
  throw new CommandRefusal(what, '"arkstone item list" shows what there is');
}

const remove = command({
  name: "item delete",
  summary: "Delete an item: a tombstone page stays in its place",
  words: ["ID"],
  options: {
    reason: {
      type: "string",
      value: "ID",
      help: 'Why, an id of the vocabulary removalreasons ("arkstone vocabulary list removalreasons")',
    },
    note: { type: "string", value: "TEXT", help: "A word about it, shown on the tombstone page" },
  },
  details: 'Nothing is destroyed: "arkstone item restore" turns it back, "arkstone item erase" destroys.',
  examples: ['arkstone item delete 12 --reason copyright --note "Asked for by the publisher"'],
  run: (context, given, [word = ""]) => {
    const id = idWord(word, "ID");
    return withRepository(context, async (services) => {
      await found(services, id);
      const reason = given.reason ?? null;
      if (reason !== null) await services.admin.vocabularies.read("removalreasons", reason);
      const { items } = services;
      const item = await byOperator(services, (tx, viewer) =>
        items.remove(tx, viewer, id, { reason, note: given.note ?? "" }),
      );
      writeResult(context, item, `Deleted item ${id}.`);
    });
  },
});

const restore = command({
  name: "item restore",
  summary: "Turn the deletion of an item back",
  words: ["ID"],
  examples: ["arkstone item restore 12"],
  run: (context, _given, [word = ""]) => {
    const id = idWord(word, "ID");
    return withRepository(context, async (services) => {
      await found(services, id);
      const { items } = services;
      writeResult(
        context,
        await byOperator(services, (tx, viewer) => items.restore(tx, viewer, id)),
        `Item ${id} is back.`,
      );
    });
  },
});

const erase = command({
  name: "item erase",
  summary: "Destroy the metadata of an item, or one revision or file of it, for good",
  words: ["ID"],
  options: {
    revision: { type: "string", value: "N", help: "Only this revision, which must not be the newest" },
    file: {
      type: "string",
      value: "NAME",
      help: 'Only this file, by the name "arkstone item show" prints, in every revision',
    },
    yes: { type: "boolean", help: "Really destroy it" },
  },
  details: `
For courts and privacy: nothing brings back what is erased. The id, the ARK and the fact stay. The bytes are removed from the storage by
the next sweep once nothing else names them; copies in backups are not touched.`,
  examples: ["arkstone item erase 12 --file interview.mp3 --yes", "arkstone item erase 12 --revision 1 --yes"],
  run: (context, given, [word = ""]) => {
    const id = idWord(word, "ID");
    const revision = given.revision === undefined ? null : numberOption("revision", given.revision);
    if (!given.yes) throw new UsageError("Nothing brings back what is erased", "Add --yes to destroy it");
    return withRepository(context, async (services) => {
      const item = await found(services, id);
      const { items } = services;
      const file = given.file === undefined ? null : await keptName(services, item, given.file);
      const touched = await byOperator(services, (tx, viewer) => items.erase(tx, viewer, id, { revision, file }));
      const out = { id, revision, file: given.file ?? null, revisions: touched };
      context.out(context.json ? jsonLine(out) : `Erased in ${plural(touched, "revision")} of item ${id}.\n`);
    });
  },
});

/**
 * The stored name of a file, from the name on its page. A name that no file has is searched for in older revisions,
 * else left as it is.
 */
async function keptName({ store }: RepositoryServices, { id, content }: Item, asked: string): Promise<string> {
  const draft = await store.items.draft(id);
  const now = nameAmong([...(content?.files ?? []), ...(draft?.content.files ?? [])], asked);
  if (now !== null) return now;
  for (const { revision } of await store.items.revisions(id)) {
    const then = nameAmong((await store.items.revision(id, revision))?.content.files ?? [], asked);
    if (then !== null) return then;
  }
  return asked;
}

function nameAmong(files: readonly { readonly name: string }[], asked: string): string | null {
  const names = [...new Set(files.map(({ name }) => name))];
  if (names.includes(asked)) return asked;
  const [first, second] = names.filter((name) => shownFileName(name) === asked);
  if (second === undefined) return first ?? null;
  throw new CommandRefusal(
    `More than one file is shown as "${asked}"`,
    `Give the name that its address has: "${first}" or "${second}"`,
  );
}

const access = (verb: "publish" | "hide") =>
  command({
    name: `item ${verb}`,
    summary: verb === "publish" ? "Make an item public" : "Make an item private: its owner and administrators see it",
    words: ["ID"],
    examples: [`arkstone item ${verb} 12`],
    run: (context, _given, [word = ""]) => {
      const id = idWord(word, "ID");
      return withRepository(context, async (services) => {
        await found(services, id);
        const { items } = services;
        const { item } = await byOperator(services, (tx, viewer) =>
          items.setPublic(tx, viewer, id, verb === "publish"),
        );
        writeResult(context, item, `Item ${id} is ${verb === "publish" ? "public" : "private"}.`);
      });
    },
  });

const filing = (verb: "file" | "unfile") =>
  command({
    name: `item ${verb}`,
    summary: verb === "file" ? "Put an item into one more index" : "Take an item out of an index",
    words: ["ID", "INDEX"],
    examples: [`arkstone item ${verb} 12 1`],
    run: (context, _given, [word = "", where = ""]) => {
      const [id, index] = [idWord(word, "ID"), idWord(where, "INDEX")];
      return withRepository(context, async (services) => {
        await found(services, id);
        const { items } = services;
        const { item } = await byOperator(services, (tx, viewer) => items[verb](tx, viewer, id, index));
        const indexes = item.content?.indexes ?? [];
        writeResult(
          context,
          item,
          `Item ${id} is in ${indexes.length === 0 ? "no index" : `index ${indexes.join(", ")}`}.`,
        );
      });
    },
  });

function writeResult(context: Context, item: Item, words: string): void {
  const title = item.content === null ? "" : mainTitle(item.content.metadata);
  context.out(context.json ? jsonText(rowOf(item, title)) : `${words}\n`);
}

const mintArks = command({
  name: "item mint-arks",
  summary: "Mint an ARK for every published item that lacks one",
  details:
    "Needed after SVC_MINT_ITEM_ARKS was switched on later; what could not be minted otherwise is tried again by a job.",
  examples: ["arkstone item mint-arks"],
  run: (context) =>
    withRepository(context, async (services) => {
      if (!services.config.mintItemArks) {
        throw new CommandRefusal("Items get no ARKs here: SVC_MINT_ITEM_ARKS is off", "Switch it on first");
      }
      const { items } = services;
      const { minted, left } = await items.mintMissing();
      if (context.json) context.out(jsonLine({ minted, left }));
      else
        context.out(`Minted ${plural(minted, "ARK")}${left > 0 ? `, ${plural(left, "item")} still without` : ""}.\n`);
      return left > 0 ? 1 : 0;
    }),
});

export const itemCommands: readonly Command[] = [
  list,
  show,
  remove,
  restore,
  erase,
  access("publish"),
  access("hide"),
  filing("file"),
  filing("unfile"),
  mintArks,
];
