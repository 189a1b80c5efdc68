// `arkstone token`: personal tokens, clients of the token endpoint, and what deposits by them are settled with (R6b,
// R17).

import { REPOSITORY_SCOPES } from "../../../auth/account.ts";
import type { AccountClient } from "../../../auth/accounts.ts";
import { ended } from "../../../auth/credential-text.ts";
import type { NewToken } from "../../../repository/administration/tokens.ts";
import type { NewClient } from "../../../repository/people/account-tokens.ts";
import { readInstant } from "../../../shared/time/instant.ts";
import { jsonLine, jsonText } from "../../process/terminal.ts";
import { showRows } from "../ark/registry-output.ts";
import { type Command, command, type OptionValues } from "../command.ts";
import type { Context } from "../context.ts";
import { UsageError } from "../refusals.ts";
import { endGrant, livingGrants } from "./grant.ts";
import { wordsOf } from "./records.ts";
import { namedAccount, OPERATOR, withRepository } from "./repository-context.ts";

export const TOKEN_OPTIONS = {
  scopes: {
    type: "string",
    value: "A,B",
    help: `What the token may do (default: everything): ${REPOSITORY_SCOPES.join(", ")}`,
  },
  "expires-at": { type: "string", value: "TIME", help: "When the token stops working, such as 2027-01-01T00:00:00Z" },
  "no-client-record": {
    type: "boolean",
    help: "Attach no client record: deposits then go by the settings of their format",
  },
} as const;

type TokenOptions = OptionValues<typeof TOKEN_OPTIONS>;

/** The members of a token, from the options. */
export function tokenIn(name: string, kind: AccountClient["kind"], given: TokenOptions): Omit<NewToken, "accountId"> {
  return {
    name,
    kind,
    scopes: wordsOf(given.scopes) ?? REPOSITORY_SCOPES,
    expiresAt: instantOf(given["expires-at"]),
    record: given["no-client-record"] ? null : {},
  };
}

function instantOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  const instant = readInstant(text);
  if (instant === null) throw new UsageError(`--expires-at must be like 2027-01-01T00:00:00Z, not "${text}"`, "");
  return instant;
}

export function tokenOut({ client, text }: NewClient) {
  const { clientId, kind, accountId, name, scopes, expiresAt } = client;
  return { client_id: clientId, kind, account: accountId, name, scopes, expires_at: expiresAt, token: text };
}

/** The text alone on stdout, so that it can be put where it is needed; what the user must know about it on stderr. */
export function tellToken(context: Context, made: NewClient): void {
  context.out(`${made.text}\n`);
  context.err(`The token ${made.client.clientId} is shown this once.\n`);
}

const KIND = {
  kind: { type: "string", value: "KIND", help: "personal (default), or oauth for the token endpoint" },
} as const;

function kindOf(text: string | undefined): AccountClient["kind"] {
  if (text === undefined || text === "personal") return "personal";
  if (text === "oauth") return "oauth";
  throw new UsageError(`--kind must be personal or oauth, not "${text}"`, "");
}

const add = command({
  name: "token add",
  summary: "Make a token for an account; it is shown this once",
  words: ["USER"],
  options: { name: { type: "string", value: "TEXT", help: "What it is for" }, ...KIND, ...TOKEN_OPTIONS },
  details: `
USER is an e-mail address, an ePPN or the number of an account. The token acts as the account; its scopes can only narrow that. It gets a
client record for direct registration with the mapping ro-crate-default; "arkstone sword-client set" changes it.`,
  examples: [
    'arkstone token add ada@example.org --name "Lab server"',
    "arkstone token add ada@example.org --name reader --scopes item:read --expires-at 2027-01-01T00:00:00Z",
  ],
  run: (context, given, [user = ""]) =>
    withRepository(context, async (services) => {
      const account = await namedAccount(services, user);
      const name = given.name ?? `Token of ${services.clock.now().slice(0, 10)}`;
      const input = tokenIn(name, kindOf(given.kind), given);
      const made = await services.admin.tokens.make(OPERATOR, { ...input, accountId: account.id });
      if (context.json) context.out(jsonText(tokenOut(made)));
      else tellToken(context, made);
    }),
});

const list = command({
  name: "token list",
  summary: "List tokens, clients and what people allowed programs, of one account or of all (never a text)",
  words: ["[USER]"],
  options: { all: { type: "boolean", help: "Revoked and expired ones too" } },
  details:
    'The column key is the part of a token between "svc_" and the next underscore: by it a token is found that somebody holds.',
  examples: ["arkstone token list", "arkstone token list ada@example.org --all"],
  run: (context, given, [user]) =>
    withRepository(context, async (services) => {
      const { store, admin, clock } = services;
      const account = user === undefined ? null : await namedAccount(services, user);
      const now = clock.now();
      const clients = (await admin.tokens.list(account?.id ?? null)).filter(
        ({ active, expiresAt }) => given.all || (active && !ended(expiresAt, now)),
      );
      const rows = [];
      for (const { clientId, accountId, kind, name, scopes, active, createdAt, expiresAt } of clients) {
        const keys = (await store.accounts.secretsOf(clientId)).map(({ id }) => id);
        const record = (await store.settings.clientSetting(clientId)) !== null;
        const times = { created_at: createdAt, expires_at: expiresAt };
        rows.push({ client_id: clientId, account: accountId, kind, name, keys, active, record, scopes, ...times });
      }
      for (const { id, accountId, clientName, scopes, createdAt } of await livingGrants(
        services,
        account?.id ?? null,
      )) {
        const of = { client_id: id, account: accountId, kind: "grant", name: clientName, keys: [], active: true };
        rows.push({ ...of, record: false, scopes, created_at: createdAt, expires_at: null });
      }
      const columns = ["client_id", "account", "kind", "name", "keys", "active", "record", "expires_at"] as const;
      showRows(context, rows, columns, "No token yet");
    }),
});

const revoke = command({
  name: "token revoke",
  summary: "End a token, a client or what somebody allowed a program, at once",
  words: ["CLIENT_ID"],
  examples: ["arkstone token revoke personal-4x7bq2k9d0zw5tnc", "arkstone token revoke grant-4x7bq2k9d0zw5tnc"],
  run: (context, _given, [clientId = ""]) =>
    withRepository(context, async (services) => {
      if (clientId.startsWith("grant-")) await endGrant(services, clientId);
      else await services.admin.tokens.revoke(OPERATOR, clientId);
      context.out(context.json ? jsonLine({ client_id: clientId, revoked: true }) : `Revoked ${clientId}.\n`);
    }),
});

export const tokenCommands: readonly Command[] = [add, list, revoke];
