// `arkstone grant`: what people allowed programs, and the clients that the operator knows (R30).

import { ClientMetadataFault } from "../../../repository/authorization/client-metadata.ts";
import { clients } from "../../../repository/authorization/clients.ts";
import { endGrantIn } from "../../../repository/authorization/grants.ts";
import type { Grant } from "../../../repository/store/grants.ts";
import type { AccountId } from "../../../shared/ids.ts";
import { Refusal } from "../../../shared/refusal.ts";
import { jsonLine } from "../../process/terminal.ts";
import { showRows } from "../ark/registry-output.ts";
import { type Command, command } from "../command.ts";
import { CommandRefusal, UsageError } from "../refusals.ts";
import { showRecord, wordsOf } from "./records.ts";
import { byOperator, namedAccount, type RepositoryServices, withRepository } from "./repository-context.ts";

const LISTED_TOGETHER = 500;

/** What lives of one account, or of all. */
export async function livingGrants(
  { store }: RepositoryServices,
  accountId: AccountId | null,
): Promise<readonly Grant[]> {
  if (accountId !== null) return await store.grants.grantsOf(accountId);
  const all: Grant[] = [];
  for (let after = ""; ; ) {
    const some = await store.grants.listGrants(after, LISTED_TOGETHER);
    all.push(...some);
    const last = some.at(-1);
    if (last === undefined || some.length < LISTED_TOGETHER) return all;
    after = last.id;
  }
}

/** @throws Refusal not_found where no living grant has this id. */
export async function endGrant(services: RepositoryServices, id: string): Promise<void> {
  await byOperator(services, async (tx, viewer) => {
    const grant = await tx.grants.heldGrant(id);
    if (grant === null || grant.endedAt !== null) throw new Refusal("not_found", `There is no grant "${id}"`);
    await endGrantIn(tx, viewer, services.clock.now(), grant, "operator");
  });
}

const list = command({
  name: "grant list",
  summary: "List what people allowed programs, of one account or of all",
  words: ["[USER]"],
  examples: ["arkstone grant list", "arkstone grant list ada@example.org"],
  run: (context, _given, [user]) =>
    withRepository(context, async (services) => {
      const account = user === undefined ? null : await namedAccount(services, user);
      const grants = await livingGrants(services, account?.id ?? null);
      const rows = grants.map(({ id, accountId, clientId, clientName, scopes, resource, createdAt, lastUsedAt }) => ({
        grant: id,
        account: accountId,
        client: clientName,
        client_id: clientId,
        scopes,
        resource,
        created_at: createdAt,
        last_used_at: lastUsedAt,
      }));
      showRows(
        context,
        rows,
        ["grant", "account", "client", "scopes", "last_used_at"],
        "Nobody allowed a program anything yet",
      );
    }),
});

const end = command({
  name: "grant end",
  summary: "End what somebody allowed a program, with all its tokens, at once",
  words: ["GRANT"],
  examples: ["arkstone grant end grant-4x7bq2k9d0zw5tnc"],
  run: (context, _given, [id = ""]) =>
    withRepository(context, async (services) => {
      await endGrant(services, id);
      context.out(context.json ? jsonLine({ grant: id, ended: true }) : `Ended ${id}.\n`);
    }),
});

const addClient = command({
  name: "grant client add",
  summary: "Register a client that you know; people see that you do",
  words: ["NAME"],
  options: {
    "redirect-uri": { type: "string", value: "A,B", help: "Where people are sent back to, one or more (needed)" },
    uri: { type: "string", value: "URL", help: "The client's own page, for people to read" },
  },
  details: `
Most clients register themselves or publish a document, and need nothing of you. This is for those that can do neither. The client has no
secret: it uses PKCE.`,
  examples: ['arkstone grant client add "Library desk" --redirect-uri https://desk.example.org/callback'],
  run: (context, given, [name = ""]) => {
    const redirectUris = wordsOf(given["redirect-uri"]);
    if (redirectUris === undefined) throw new UsageError("Name --redirect-uri", "");
    return withRepository(context, async (services) => {
      // Nobody is asked for by its document here.
      const registering = clients({ ...services, documents: { read: async () => null } });
      const sent = { client_name: name, client_uri: given.uri, redirect_uris: redirectUris };
      try {
        const client = await registering.register(sent, "account");
        showRecord(context, { client_id: client.id, name: client.name, redirect_uris: client.redirectUris });
      } catch (error) {
        if (error instanceof ClientMetadataFault) throw new CommandRefusal(error.message);
        throw error;
      }
    });
  },
});

const listClients = command({
  name: "grant client list",
  summary: "List the clients that you registered",
  examples: ["arkstone grant client list"],
  run: (context) =>
    withRepository(context, async ({ store }) => {
      const found = await store.grants.operatorClients();
      const rows = found.map(({ id, name, uri, redirectUris, createdAt, usedAt }) => ({
        client_id: id,
        name,
        uri,
        redirect_uris: redirectUris,
        created_at: createdAt,
        last_used_at: usedAt,
      }));
      showRows(context, rows, ["client_id", "name", "redirect_uris", "last_used_at"], "No client yet");
    }),
});

export const grantCommands: readonly Command[] = [list, end, addClient, listClients];
