// `arkstone user`: accounts of people (R6a, R32).

import { ROLE_NAMES } from "../../../auth/account.ts";
import { withoutUndefined } from "../../../shared/objects.ts";
import { jsonText } from "../../process/terminal.ts";
import { type Command, command } from "../command.ts";
import { UsageError } from "../refusals.ts";
import { showRecord, showRecords } from "./records.ts";
import { namedAccount, OPERATOR, withRepository } from "./repository-context.ts";
import { TOKEN_OPTIONS, tellToken, tokenIn, tokenOut } from "./token.ts";
import { userInvite } from "./user-invite.ts";
import { userLoginLink } from "./user-login-link.ts";
import { MEMBERS, rolesOf } from "./user-members.ts";

const roleName = (id: number): string => Object.entries(ROLE_NAMES).find(([, each]) => each === id)?.[0] ?? String(id);

const add = command({
  name: "user add",
  summary: "Make an account; with --token also its first token, which is shown this once",
  words: ["MAIL"],
  options: {
    ...MEMBERS,
    token: { type: "boolean", help: "Make a token for it and print it" },
    ...TOKEN_OPTIONS,
  },
  examples: [
    "arkstone user add ada@example.org --role system-administrator --token",
    'arkstone user add grace@example.org --name "Grace Hopper" --role registered',
  ],
  run: (context, given, [mail = ""]) => {
    const roles = rolesOf(given.role) ?? [];
    return withRepository(context, async (services) => {
      const members = withoutUndefined({ mail, name: given.name ?? mail, eppn: given.eppn, roles });
      const { admin } = services;
      const { account, token } = given.token
        ? await admin.tokens.makeWithAccount(OPERATOR, members, tokenIn("First token", "personal", given))
        : { account: await admin.users.create(OPERATOR, members), token: null };
      if (context.json) {
        const out = { ...account, ...(token === null ? {} : { token: tokenOut(token) }) };
        return context.out(jsonText(out));
      }
      const roleNames = roles.length === 0 ? "no role" : roles.map(roleName).join(", ");
      context.err(`Made account ${account.id} for ${mail} (${roleNames}).\n`);
      if (token !== null) tellToken(context, token);
    });
  },
});

const list = command({
  name: "user list",
  summary: "List the accounts",
  examples: ["arkstone user list", "arkstone user list --json"],
  run: (context) =>
    withRepository(context, async ({ admin }) => {
      const rows = (await admin.users.list()).map((row) => {
        const roles = Array.isArray(row.roles) ? row.roles.map(Number) : [];
        return context.json ? row : { ...row, roles: roles.map(roleName) };
      });
      const columns = ["id", "mail", "eppn", "name", "roles", "active"];
      showRecords(context, rows, columns, 'No account yet: make one with "arkstone user add"');
    }),
});

const show = command({
  name: "user show",
  summary: "Show an account with its groups and tokens",
  words: ["USER"],
  details: "USER is an e-mail address, an ePPN or the number of an account.",
  examples: ["arkstone user show ada@example.org", "arkstone user show 1 --json"],
  run: (context, _given, [user = ""]) =>
    withRepository(context, async (services) => {
      const { id } = await namedAccount(services, user);
      const tokens = (await services.admin.tokens.list(id)).filter(({ active }) => active);
      const account = await services.admin.users.read(String(id));
      showRecord(context, { ...account, tokens: tokens.map(({ clientId }) => clientId) });
    }),
});

const set = command({
  name: "user set",
  summary: "Change an account",
  words: ["USER"],
  options: { ...MEMBERS, mail: { type: "string", value: "MAIL", help: "Its e-mail address from now on" } },
  examples: ["arkstone user set grace@example.org --role registered,community-administrator"],
  run: (context, given, [user = ""]) => {
    const { name, eppn, mail } = given;
    const members = withoutUndefined({ name, eppn, mail, roles: rolesOf(given.role) });
    if (Object.keys(members).length === 0) throw new UsageError("Nothing to change", 'See "arkstone user set --help"');
    return withRepository(context, async (services) => {
      const { id } = await namedAccount(services, user);
      showRecord(context, await services.admin.users.update(OPERATOR, String(id), members));
    });
  },
});

const activity = (verb: "disable" | "enable") =>
  command({
    name: `user ${verb}`,
    summary: verb === "disable" ? "Stop an account, its tokens and its sessions at once" : "Let an account work again",
    words: ["USER"],
    examples: [`arkstone user ${verb} grace@example.org`],
    run: (context, _given, [user = ""]) =>
      withRepository(context, async (services) => {
        const { id } = await namedAccount(services, user);
        const active = verb === "enable";
        const account = await services.admin.users.update(OPERATOR, String(id), { active });
        if (context.json) return context.out(jsonText(account));
        context.out(`Account ${id} is ${active ? "active" : "disabled"}.\n`);
      }),
  });

export const userCommands: readonly Command[] = [
  add,
  list,
  show,
  set,
  activity("disable"),
  activity("enable"),
  userInvite,
  userLoginLink,
];
