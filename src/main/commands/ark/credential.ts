// `arkstone credential`: who may call, how far they reach, and their keys (A21, A23, A24).

import type { SecretKind } from "../../../ark/store.ts";
import { actorOf, OPERATOR, SCOPES, TIERS } from "../../../auth/caller.ts";
import { ended } from "../../../auth/credential-text.ts";
import { readInstant } from "../../../shared/time/instant.ts";
import { jsonLine, jsonText } from "../../process/terminal.ts";
import { type Command, command } from "../command.ts";
import { type Services, withServices } from "../context.ts";
import { CommandRefusal, UsageError } from "../refusals.ts";
import { memberOption, membersOf } from "./member-options.ts";
import { applyOne } from "./one-row-document.ts";
import { credentialOut, showRows } from "./registry-output.ts";

const MEMBERS = {
  tier: memberOption("text", "TIER", `How far it reaches: ${TIERS.join(", ")}`),
  naan: memberOption("text-or-none", "NAAN", "For the tiers naan and organisation"),
  organisation: memberOption("text-or-none", "NAME", "For the tier organisation"),
  shoulder: memberOption(
    "text-or-none",
    "SHOULDER",
    "Pins an organisation's credential to one shoulder; none frees it",
  ),
  scopes: memberOption("list", "A,B", `What it may do (default mint, read, update, publish): ${SCOPES.join(", ")}`),
  "expires-at": memberOption("text-or-none", "TIME", "When it stops working, such as 2027-01-01T00:00:00Z"),
  "api-keys": memberOption("number", "N", "Active API keys it has at least (default 1 for a new one)"),
  "client-secrets": memberOption("number", "N", "Active client secrets it has at least (default 0)"),
};
const KEYS = {
  keys: { type: "string", value: "OUT.json", help: "Write new secrets to this new file (mode 0600)" },
} as const;

function finder(clientId: string, members: Readonly<Record<string, unknown>>) {
  return async ({ store }: Services) =>
    ({
      section: "credentials",
      label: `credential ${clientId}`,
      exists: (await store.credentials()).some((row) => row.clientId === clientId),
      row: { client_id: clientId, ...members },
    }) as const;
}

const change = (verb: "add" | "set") =>
  command({
    name: `credential ${verb}`,
    summary: verb === "add" ? "Register a credential and make its first key" : "Change a credential",
    words: ["CLIENT_ID"],
    options: { ...MEMBERS, ...KEYS },
    examples: [
      verb === "add"
        ? "arkstone credential add ingest --tier organisation --naan 99999 --organisation library"
        : "arkstone credential set ingest --scopes ark:mint,ark:read,ark:update",
    ],
    run(context, given, [clientId = ""]) {
      const members = membersOf(MEMBERS, given);
      const row = verb === "add" ? { api_keys: 1, ...members } : members;
      return applyOne(context, verb, finder(clientId, row), { keys: given.keys, dryRun: false });
    },
  });

const activity = (verb: "disable" | "enable") =>
  command({
    name: `credential ${verb}`,
    summary:
      verb === "disable"
        ? "Stop a credential, its keys and its tokens at once"
        : "Let a disabled credential work again",
    words: ["CLIENT_ID"],
    examples: [`arkstone credential ${verb} ingest`],
    run: (context, _given, [clientId = ""]) =>
      applyOne(context, "set", finder(clientId, { active: verb === "enable" })),
  });

const list = command({
  name: "credential list",
  summary: "List the credentials",
  examples: ["arkstone credential list", "arkstone credential list --json"],
  run: (context) =>
    withServices(context, async ({ store }) => {
      const organisations = await store.organisations();
      const rows = (await store.credentials()).map((credential) => credentialOut(credential, organisations));
      const columns = [
        "client_id",
        "tier",
        "naan",
        "organisation",
        "shoulder",
        "active",
        "expires_at",
        "scopes",
      ] as const;
      showRows(context, rows, columns, "No credential yet");
    }),
});

const unregistered = command({
  name: "credential unregistered",
  summary: "List subjects of the OIDC issuer that called and are not registered",
  details: "Register one with arkstone credential add SUBJECT --api-keys 0.",
  examples: ["arkstone credential unregistered"],
  run: (context) =>
    withServices(context, async ({ store }) => {
      const rows = (await store.unregisteredSubjects()).map(({ issuer, subject, lastSeenAt, times }) => ({
        issuer,
        subject,
        last_seen_at: lastSeenAt,
        times,
      }));
      showRows(context, rows, ["subject", "issuer", "last_seen_at", "times"], "No unregistered subject has called");
    }),
});

async function owner({ store }: Services, clientId: string) {
  const found = (await store.credentials()).find((credential) => credential.clientId === clientId);
  if (found === undefined)
    throw new CommandRefusal(`There is no credential ${clientId}`, '"arkstone credential list" shows what there is');
  return found;
}

const KIND = { kind: { type: "string", value: "KIND", help: "api_key (default) or client_secret" } } as const;

function kindOf(text: string | undefined): SecretKind {
  const kind = (text ?? "api_key").replace("-", "_");
  if (kind === "api_key" || kind === "client_secret") return kind;
  throw new UsageError(`--kind must be api_key or client_secret, not "${text}"`, "");
}

function instantOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  const instant = readInstant(text);
  if (instant === null) throw new UsageError(`--expires-at must be like 2027-01-01T00:00:00Z, not "${text}"`, "");
  return instant;
}

const addKey = command({
  name: "credential key add",
  summary: "Make one more key or client secret; it is shown this once",
  words: ["CLIENT_ID"],
  options: { ...KIND, "expires-at": { type: "string", value: "TIME", help: "When this one stops working" } },
  examples: ["arkstone credential key add ingest", "arkstone credential key add ingest --kind client_secret"],
  run: (context, given, [clientId = ""]) =>
    withServices(context, async (services) => {
      const [kind, expiresAt] = [kindOf(given.kind), instantOf(given["expires-at"])];
      const credential = await owner(services, clientId);
      const made = await services.credentials.addSecret(actorOf(OPERATOR), { owner: credential, kind, expiresAt });
      const shown = { client_id: clientId, id: made.id, kind, secret: made.text, expires_at: expiresAt };
      context.out(context.json ? jsonText(shown) : `${made.text}\n`);
    }),
});

const listKeys = command({
  name: "credential key list",
  summary: "List the keys and client secrets of a credential (never their text)",
  words: ["CLIENT_ID"],
  options: { all: { type: "boolean", help: "Revoked and expired ones too" } },
  examples: ["arkstone credential key list ingest"],
  run: (context, given, [clientId = ""]) =>
    withServices(context, async (services) => {
      const now = services.clock.now();
      const secrets = await services.store.secretsOf((await owner(services, clientId)).id);
      const rows = secrets
        .filter((secret) => given.all || !(ended(secret.revokedAt, now) || ended(secret.expiresAt, now)))
        .map(({ id, kind, createdAt, expiresAt, revokedAt }) => ({
          id,
          kind,
          created_at: createdAt,
          expires_at: expiresAt,
          revoked_at: revokedAt,
        }));
      showRows(context, rows, ["id", "kind", "created_at", "expires_at", "revoked_at"], "No active key");
    }),
});

const revokeKey = command({
  name: "credential key revoke",
  summary: "Revoke one key or client secret at once",
  words: ["CLIENT_ID", "KEY_ID"],
  details: "KEY_ID is the id shown by arkstone credential key list: the part between svc_ and the next underscore.",
  examples: ["arkstone credential key revoke ingest 4x7bq2k9d0zw"],
  run: (context, _given, [clientId = "", id = ""]) =>
    withServices(context, async (services) => {
      const credential = await owner(services, clientId);
      const isRevoked = await services.credentials.revokeSecret(actorOf(OPERATOR), credential, id);
      if (!isRevoked)
        throw new CommandRefusal(
          `${clientId} has no active key ${id}`,
          `See "arkstone credential key list ${clientId}"`,
        );
      context.out(context.json ? jsonLine({ client_id: clientId, id, revoked: true }) : `Revoked ${id}.\n`);
    }),
});

export const credentialCommands: readonly Command[] = [
  change("add"),
  change("set"),
  list,
  activity("disable"),
  activity("enable"),
  addKey,
  listKeys,
  revokeKey,
  unregistered,
];
