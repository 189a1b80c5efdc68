// `arkstone index`: the index tree from the command line (R24, R25).

import { INDEX_FIELDS } from "../../../model/indexes/index-fields.ts";
import type { IndexNode } from "../../../model/indexes/index-node.ts";
import { echoOf } from "../../../repository/index-tree/index-answers.ts";
import { CHANGED_INDEX, NEW_INDEX } from "../../../repository/index-tree/index-input.ts";
import { stillNamed } from "../../../repository/index-tree/index-mentions.ts";
import type { IndexId } from "../../../shared/ids.ts";
import { withoutUndefined } from "../../../shared/objects.ts";
import { jsonLine, jsonText, plural, printable } from "../../process/terminal.ts";
import { type Command, command } from "../command.ts";
import { UsageError } from "../refusals.ts";
import { idWord, numberOption, showRecord } from "./records.ts";
import { OPERATOR, type RepositoryServices, withRepository } from "./repository-context.ts";
import { membersFrom, optionsOf } from "./typed.ts";

/** Indexes read at once. */
const PAGE = 500;

const MEMBERS = optionsOf(INDEX_FIELDS);

const add = command({
  name: "index add",
  summary: "Make an index",
  options: { parent: { type: "string", value: "ID", help: "Below this one (default 0, the root)" }, ...MEMBERS },
  examples: [
    "arkstone index add --name-en Theses --name-ja 学位論文 --public yes",
    "arkstone index add --parent 1 --name-en 2026",
  ],
  run: (context, given) => {
    const parent = numberOption("parent", given.parent ?? "0");
    const { index_name, index_name_english, ...members } = membersFrom(INDEX_FIELDS, given);
    // One name serves both.
    const names = withoutUndefined({
      index_name: index_name ?? index_name_english,
      index_name_english: index_name_english ?? index_name,
    });
    return withRepository(context, async (services) => {
      const { tree } = services;
      const known = { groups: await tree.groups() };
      const node = await tree.create(OPERATOR, NEW_INDEX.read({ index: { parent, ...names, ...members } }, "")(known));
      showRecord(context, echoOf(node));
    });
  },
});

const set = command({
  name: "index set",
  summary: "Change an index",
  words: ["ID"],
  options: MEMBERS,
  examples: ["arkstone index set 1 --public yes --browsing-role 1,2,3,4,-98,-99"],
  run: (context, given, [word = ""]) => {
    const id = idWord(word, "ID");
    const members = membersFrom(INDEX_FIELDS, given);
    if (Object.keys(members).length === 0) throw new UsageError("Nothing to change", 'See "arkstone index set --help"');
    return withRepository(context, async (services) => {
      const { tree } = services;
      const sent = CHANGED_INDEX.read({ index: members }, "")({ groups: await tree.groups() });
      showRecord(context, echoOf(await tree.update(OPERATOR, id, sent)));
    });
  },
});

const move = command({
  name: "index move",
  summary: "Put an index below another one, or at another place among its siblings",
  words: ["ID"],
  options: {
    parent: { type: "string", value: "ID", help: "Below this one, 0 for the root" },
    position: { type: "string", value: "N", help: "Place among the siblings, from 0" },
  },
  examples: ["arkstone index move 1700000000000 --parent 1", "arkstone index move 1700000000000 --position 0"],
  run: (context, given, [word = ""]) => {
    const id = idWord(word, "ID");
    const [parent, position] = [given.parent, given.position];
    const sent = withoutUndefined({
      parent: parent === undefined ? undefined : numberOption("parent", parent),
      position: position === undefined ? undefined : numberOption("position", position),
    });
    if (Object.keys(sent).length === 0) throw new UsageError("Name --parent or --position", "");
    return withRepository(context, async (services) => {
      const { tree } = services;
      const change = CHANGED_INDEX.read({ index: sent }, "")({ groups: await tree.groups() });
      showRecord(context, echoOf(await tree.update(OPERATOR, id, change)));
    });
  },
});

type Row = { readonly id: IndexId; readonly parent: IndexId; readonly depth: number; readonly node: IndexNode };

/** Every live index, parents before their children, siblings by position. */
async function rowsOf({ store }: RepositoryServices): Promise<readonly Row[]> {
  const all: IndexNode[] = [];
  for (;;) {
    const page = await store.indexes.indexesAfter(all.at(-1)?.id ?? 0, PAGE);
    all.push(...page);
    if (page.length < PAGE) break;
  }
  const children = Map.groupBy(all, ({ parent }) => parent);
  const rows: Row[] = [];
  const waiting = [{ parent: 0, depth: 0, nodes: [...(children.get(0) ?? [])] }];
  for (let level = waiting.at(-1); level !== undefined; level = waiting.at(-1)) {
    const node = level.nodes.sort((a, b) => a.position - b.position || a.id - b.id).shift();
    if (node === undefined) {
      waiting.pop();
      continue;
    }
    rows.push({ id: node.id, parent: node.parent, depth: level.depth, node });
    waiting.push({ parent: node.id, depth: level.depth + 1, nodes: [...(children.get(node.id) ?? [])] });
  }
  return rows;
}

const list = command({
  name: "index list",
  summary: "Show the index tree",
  examples: ["arkstone index list", "arkstone index list --json"],
  run: (context) =>
    withRepository(context, async (services) => {
      const rows = await rowsOf(services);
      if (context.json) return context.out(jsonText(rows.map(({ node }) => echoOf(node))));
      for (const { id, depth, node } of rows) {
        const name =
          node.indexNameEnglish === node.indexName ? node.indexName : `${node.indexNameEnglish} / ${node.indexName}`;
        context.out(`${"  ".repeat(depth)}${id}  ${printable(name)}${node.publicState ? "" : "  (not public)"}\n`);
      }
      if (rows.length === 0) context.err("No index\n");
    }),
});

const remove = command({
  name: "index remove",
  summary: "Delete an index and all below it; its items stay",
  words: ["ID"],
  options: { "delete-items": { type: "boolean", help: "Delete the items that would then be in no index, too" } },
  details:
    'Items that are in no index any more stay, and are private until they are filed again: "arkstone item list --unfiled" shows them. What else names the index (workflows, client records, communities, SVC_DEFAULT_INDEX) is reported.',
  examples: ["arkstone index remove 1700000000000"],
  run: (context, given, [word = ""]) => {
    const id = idWord(word, "ID");
    return withRepository(context, async (services) => {
      const { tree } = services;
      const counts = await tree.remove(OPERATOR, id, given["delete-items"] ? "delete" : "keep");
      const named = stillNamed(counts.named);
      if (named !== null) context.err(`${named}\n`);
      if (context.json) return context.out(jsonLine({ id, ...counts }));
      const items = counts.deleted > 0 ? `, ${plural(counts.deleted, "item")} with them` : "";
      context.out(
        `Deleted ${plural(counts.indexes, "index", "indexes")}${items}; ${plural(counts.unfiled, "item")} left in none.\n`,
      );
    });
  },
});

export const indexCommands: readonly Command[] = [add, list, set, move, remove];
