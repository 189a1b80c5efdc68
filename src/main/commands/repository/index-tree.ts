// `arkstone index`: the index tree from the command line (R24, R25).

import { stillNamed } from "../../../repository/index-tree/index-mentions.ts";
import { readIndexChange, readNewIndex } from "../../../repository/index-tree/index-input.ts";
import { echoOf } from "../../../repository/index-tree/index-answers.ts";
import type { IndexNode } from "../../../repository/model/index-node.ts";
import { withoutUndefined } from "../../../shared/without-undefined.ts";
import { plural, printable } from "../../terminal.ts";
import { type Command, command } from "../command.ts";
import { UsageError } from "../refusals.ts";
import { idWord, numberOption, showRecord } from "./records.ts";
import { coreOf, OPERATOR, type RepositoryServices, withRepository } from "./repository-context.ts";

/** Indexes read at once. */
const PAGE = 500;

const MEMBERS = {
  "name-ja": { type: "string", value: "TEXT", help: "Its Japanese name" },
  "name-en": { type: "string", value: "TEXT", help: "Its English name" },
  comment: { type: "string", value: "TEXT", help: "What it is for" },
  public: {
    type: "string",
    value: "YES",
    help: "yes or no: everybody may browse it, as far as its roles and groups allow",
  },
  "public-date": { type: "string", value: "YYYYMMDD", help: "Public from this day on, none for no day" },
  "browsing-role": {
    type: "string",
    value: "ID,ID",
    help: "Roles that browse it: 1 to 4, -98 (signed in), -99 (guests)",
  },
  "contribute-role": { type: "string", value: "ID,ID", help: "Roles that deposit into it" },
  "browsing-group": { type: "string", value: "ID,ID", help: "Groups that browse it" },
  "contribute-group": { type: "string", value: "ID,ID", help: "Groups that deposit into it" },
  harvest: { type: "string", value: "YES", help: "yes or no: its items are harvested" },
} as const;

type Asked = { readonly [name in keyof typeof MEMBERS]: string | undefined };

function yesNo(name: string, text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined;
  if (text === "yes" || text === "no") return text === "yes";
  throw new UsageError(`--${name} must be yes or no, not "${text}"`, "");
}

function membersOf(asked: Asked) {
  const date = asked["public-date"];
  return withoutUndefined({
    index_name: asked["name-ja"],
    index_name_english: asked["name-en"],
    comment: asked.comment,
    public_state: yesNo("public", asked.public),
    public_date: date === "none" ? null : date,
    browsing_role: asked["browsing-role"],
    contribute_role: asked["contribute-role"],
    browsing_group: asked["browsing-group"],
    contribute_group: asked["contribute-group"],
    harvest_public_state: yesNo("harvest", asked.harvest),
  });
}

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
    const [en, ja] = [given["name-en"] ?? given["name-ja"], given["name-ja"] ?? given["name-en"]];
    const names = withoutUndefined({ index_name: ja, index_name_english: en });
    return withRepository(context, async (services) => {
      const { tree } = await coreOf(services);
      const known = { groups: await tree.groups() };
      const node = await tree.create(
        OPERATOR,
        readNewIndex({ index: { parent, ...membersOf(given), ...names } }, known),
      );
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
    const members = membersOf(given);
    if (Object.keys(members).length === 0) throw new UsageError("Nothing to change", 'See "arkstone index set --help"');
    return withRepository(context, async (services) => {
      const { tree } = await coreOf(services);
      const sent = readIndexChange({ index: members }, { groups: await tree.groups() });
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
      const { tree } = await coreOf(services);
      const change = readIndexChange({ index: sent }, { groups: await tree.groups() });
      showRecord(context, echoOf(await tree.update(OPERATOR, id, change)));
    });
  },
});

type Row = { readonly id: number; readonly parent: number; readonly depth: number; readonly node: IndexNode };

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
  options: {},
  examples: ["arkstone index list", "arkstone index list --json"],
  run: (context) =>
    withRepository(context, async (services) => {
      const rows = await rowsOf(services);
      if (context.json) {
        context.out(
          `${JSON.stringify(
            rows.map(({ node }) => echoOf(node)),
            null,
            2,
          )}\n`,
        );
        return;
      }
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
    'Items that are in no index any more stay, and are private until they are filed again: "arkstone item list --unfiled" shows them. What else names the index (workflows, client records, communities, SVC_DEFAULT_INDEX) is told.',
  examples: ["arkstone index remove 1700000000000"],
  run: (context, given, [word = ""]) => {
    const id = idWord(word, "ID");
    return withRepository(context, async (services) => {
      const { tree } = await coreOf(services);
      const counts = await tree.remove(OPERATOR, id, given["delete-items"] ? "delete" : "keep");
      const named = stillNamed(counts.named);
      if (named !== null) context.err(`${named}\n`);
      if (context.json) return context.out(`${JSON.stringify({ id, ...counts })}\n`);
      const items = counts.deleted > 0 ? `, ${plural(counts.deleted, "item")} with them` : "";
      context.out(
        `Deleted ${plural(counts.indexes, "index", "indexes")}${items}; ${plural(counts.unfiled, "item")} left in none.\n`,
      );
    });
  },
});

export const indexCommands: readonly Command[] = [add, list, set, move, remove];
