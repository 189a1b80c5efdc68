// `arkstone workflow`: the ways a deposit can take through people's hands (R16, R17).

import { ROLE_NAMES } from "../../../auth/account.ts";
import { WORKFLOW_ACTIONS } from "../../../model/rights/workflow-rules.ts";
import { withoutUndefined } from "../../../shared/objects.ts";
import { type Command, command } from "../command.ts";
import { UsageError } from "../refusals.ts";
import { listCommand, numberOption, numberOrNone, showRecord, wordsOf } from "./records.ts";
import { namedAccount, OPERATOR, type RepositoryServices, withRepository } from "./repository-context.ts";

const MEMBERS = {
  "name-en": { type: "string", value: "TEXT", help: "Its name in English" },
  "name-ja": { type: "string", value: "TEXT", help: "Its name in Japanese" },
  "item-type": { type: "string", value: "ID", help: "Item type of what goes through it" },
  index: { type: "string", value: "ID", help: "Index of what names none, none for none" },
  actions: { type: "string", value: "A,B", help: `Its steps: ${WORKFLOW_ACTIONS.join(", ")}` },
  "approver-roles": { type: "string", value: "A,B", help: `Who approves: ${Object.keys(ROLE_NAMES).join(", ")}` },
  "approver-users": { type: "string", value: "USER,USER", help: "Accounts that approve" },
  "approver-communities": { type: "string", value: "SLUG,SLUG", help: "Communities whose administrators approve" },
  "delete-actions": { type: "string", value: "A,B", help: "Steps of a deletion, none for deleting at once" },
} as const;

type WorkflowOptions = { readonly [name in keyof typeof MEMBERS]: string | undefined };

const part = (record: object, name: string): object => {
  const value: unknown = Reflect.get(record, name);
  return typeof value === "object" && value !== null ? value : {};
};

function roleIds(text: string | undefined): readonly number[] | undefined {
  return wordsOf(text)?.map((word) => {
    const id = Object.hasOwn(ROLE_NAMES, word) ? ROLE_NAMES[word] : undefined;
    if (id === undefined)
      throw new UsageError(`There is no role "${word}"`, `There are ${Object.keys(ROLE_NAMES).join(", ")}`);
    return id;
  });
}

async function membersOf(services: RepositoryServices, asked: WorkflowOptions, before: object) {
  const names = withoutUndefined({ en: asked["name-en"], ja: asked["name-ja"] });
  const users = wordsOf(asked["approver-users"]);
  const ids: number[] = [];
  for (const user of users ?? []) ids.push((await namedAccount(services, user)).id);
  const accounts = users === undefined ? undefined : ids;
  const approvers = withoutUndefined({
    roles: roleIds(asked["approver-roles"]),
    accounts,
    communities: wordsOf(asked["approver-communities"]),
  });
  const steps = asked["delete-actions"];
  const none = { roles: [], accounts: [], communities: [] };
  return withoutUndefined({
    name: Object.keys(names).length === 0 ? undefined : { ...part(before, "name"), ...names },
    item_type: asked["item-type"] === undefined ? undefined : numberOption("item-type", asked["item-type"]),
    index: numberOrNone("index", asked.index),
    actions: wordsOf(asked.actions),
    approvers:
      Object.keys(approvers).length === 0 ? undefined : { ...none, ...part(before, "approvers"), ...approvers },
    delete: steps === undefined ? undefined : steps === "none" ? null : { actions: wordsOf(steps) },
  });
}

const add = command({
  name: "workflow add",
  summary: "Make a workflow",
  options: MEMBERS,
  details: "Without other words system and repository administrators approve, and a deletion happens at once.",
  examples: [
    'arkstone workflow add --name-en "Theses" --name-ja 学位論文 --item-type 1 --index 1 --actions start,item_registration,approval,end',
  ],
  run: (context, given) =>
    withRepository(context, async (services) => {
      const ja = given["name-ja"] ?? given["name-en"];
      const en = given["name-en"] ?? given["name-ja"];
      if (en === undefined) throw new UsageError("--name-en is missing", 'See "arkstone workflow add --help"');
      const actions = given.actions ?? "start,item_registration,approval,end";
      const asked = { ...given, "name-en": en, "name-ja": ja, actions, "item-type": given["item-type"] ?? "1" };
      const members = await membersOf(services, asked, {});
      showRecord(context, await services.admin.workflows.create(OPERATOR, members));
    }),
});

const set = command({
  name: "workflow set",
  summary: "Change a workflow, or retire it",
  words: ["ID"],
  options: {
    ...MEMBERS,
    retire: { type: "boolean", help: "Takes no deposits any more (message 22)" },
    restore: { type: "boolean", help: "Takes deposits again" },
  },
  details: "Activities that are under way keep the steps they began with.",
  examples: ["arkstone workflow set 1 --approver-users ada@example.org", "arkstone workflow set 1 --retire"],
  run: (context, given, [id = ""]) =>
    withRepository(context, async (services) => {
      const before = await services.admin.workflows.read(id);
      const deleted = given.retire ? true : given.restore ? false : undefined;
      const members = { ...(await membersOf(services, given, before)), ...withoutUndefined({ deleted }) };
      showRecord(context, await services.admin.workflows.update(OPERATOR, id, members));
    }),
});

const list = listCommand(
  "workflow list",
  "List the workflows",
  ({ admin }) => admin.workflows.list(),
  ["id", "name", "item_type", "index", "actions", "deleted"],
  "No workflow",
);

const show = command({
  name: "workflow show",
  summary: "Show a workflow",
  words: ["ID"],
  examples: ["arkstone workflow show 1 --json"],
  run: (context, _given, [id = ""]) =>
    withRepository(context, async ({ admin }) => showRecord(context, await admin.workflows.read(id))),
});

export const workflowCommands: readonly Command[] = [add, list, show, set];
