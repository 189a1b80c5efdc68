// `arkstone group`: groups of accounts, which indexes and files name (R6a).
import { type Command, command } from "../command.ts";
import { listCommand, showRecord, wordsOf } from "./records.ts";
import { namedAccount, OPERATOR, type RepositoryServices, withRepository } from "./repository-context.ts";

async function memberIds(services: RepositoryServices, names: readonly string[]): Promise<readonly number[]> {
  const ids: number[] = [];
  for (const name of names) ids.push((await namedAccount(services, name)).id);
  return ids;
}

const add = command({
  name: "group add",
  summary: "Make a group",
  words: ["NAME"],
  options: { members: { type: "string", value: "USER,USER", help: "Its first members, by e-mail, ePPN or number" } },
  examples: ['arkstone group add "Library staff" --members ada@example.org,grace@example.org'],
  run: (context, given, [name = ""]) =>
    withRepository(context, async (services) => {
      const members = await memberIds(services, wordsOf(given.members) ?? []);
      const made = await services.admin.groups.create(OPERATOR, { name, members });
      showRecord(context, made);
    }),
});

const list = listCommand(
  "group list",
  "List the groups",
  ({ admin }) => admin.groups.list(),
  ["id", "name", "members"],
  "No group yet",
);

const set = command({
  name: "group set",
  summary: "Change a group's name or its members",
  words: ["ID"],
  options: {
    name: { type: "string", value: "TEXT", help: "Its name from now on" },
    add: { type: "string", value: "USER,USER", help: "Members to add" },
    remove: { type: "string", value: "USER,USER", help: "Members to take out" },
  },
  examples: ["arkstone group set 3 --add ada@example.org --remove grace@example.org"],
  run: (context, given, [id = ""]) =>
    withRepository(context, async (services) => {
      const before = await services.admin.groups.read(id);
      const members = new Set(Array.isArray(before.members) ? before.members : []);
      for (const each of await memberIds(services, wordsOf(given.add) ?? [])) members.add(each);
      for (const each of await memberIds(services, wordsOf(given.remove) ?? [])) members.delete(each);
      const name = given.name ?? before.name;
      showRecord(context, await services.admin.groups.update(OPERATOR, id, { name, members: [...members] }));
    }),
});

export const groupCommands: readonly Command[] = [add, list, set];
