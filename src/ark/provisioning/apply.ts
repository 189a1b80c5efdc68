// Provisioning as data: an apply file laid over the database in one transaction.
//
//   provision({ store, clock, secrets, holdMaxDays? }, file, { dryRun?, keep? })
//     file    the parsed JSON of an apply file: { naans, organisations, shoulders, credentials, holds }
//     keep    called inside the transaction with the secrets just made, before anything is committed: when it throws, nothing changed
//     gives   { plan, secrets }: the steps taken (or, with dryRun, to take) and what `--keys` writes
//     throws  ProvisioningRefusal with every problem of the file
//
//   setUpEmpty({ store, clock, secrets })
//     for `arkstone up`: fills a database that has no NAAN with FIRST_SETUP and gives the same result back,
//     or null when there is one already. The first key is result.secrets["first-key"].api_keys[0].

import { type Actor, actorOf, DEFAULT_SCOPES, OPERATOR } from "../../auth/caller.ts";
import { ended } from "../../auth/credential-text.ts";
import type { Clock } from "../../shared/time/clock.ts";
import type { Instant } from "../../shared/time/instant.ts";
import type { SecretMaker } from "../credentials.ts";
import type { ArkRecord } from "../record.ts";
import type { ArkReader, ArkWriter, Change, SecretKind, Store } from "../store.ts";
import { baseKey, hasCheckCharacter } from "../syntax.ts";
import { type ProvisioningDocument, readDocument } from "./document.ts";
import type { Problem } from "./members.ts";
import { type FactsNeeded, factsNeeded, planProvisioning } from "./plan.ts";
import { type PlanStep, type ProvisioningPlan, type ProvisioningState, pathOf } from "./state.ts";

type ProvisioningNeeds = {
  readonly store: Store;
  readonly clock: Clock;
  /** `secretMaker({ random })` of src/ark/credentials.ts. */
  readonly secrets: SecretMaker;
  /** SVC_HOLD_MAX_DAYS; 90 when left out. */
  readonly holdMaxDays?: number;
};

/** Secrets just made, by client_id; the format of `--keys`. */
export type MadeSecrets = {
  readonly [clientId: string]: { readonly api_keys: readonly string[]; readonly client_secrets: readonly string[] };
};

export type ProvisioningResult = { readonly plan: ProvisioningPlan; readonly secrets: MadeSecrets };

type ProvisioningOptions = {
  readonly dryRun?: boolean;
  readonly keep?: (secrets: MadeSecrets) => void | Promise<void>;
  /** Who signs the changes; the operator when left out. */
  readonly actor?: Actor;
};

/** The file cannot be applied; nothing was changed. Every problem is listed. */
export class ProvisioningRefusal extends Error {
  override readonly name = "ProvisioningRefusal";
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map((problem) => `${problem.path}: ${problem.message}`).join("\n"));
    this.problems = problems;
  }
}

/**
 * What a new installation starts with: the test NAAN 99999, so that names made while trying things out are never taken
 * for real ones.
 */
export const FIRST_SETUP = {
  naans: [{ naan: "99999", authoritative: true, name: "Test NAAN", policy: "NP | NR, OP, CC | 2026" }],
  organisations: [{ naan: "99999", name: "Example Library", default_shoulder: "x1" }],
  shoulders: [{ naan: "99999", shoulder: "x1", organisation: "Example Library", status: "active" }],
  credentials: [
    {
      client_id: "first-key",
      tier: "organisation",
      naan: "99999",
      organisation: "Example Library",
      scopes: DEFAULT_SCOPES,
      api_keys: 1,
    },
  ],
} as const;

/** Brings the database to the state the file describes, all of it or nothing. Applying it again changes nothing. */
export async function provision(
  needs: ProvisioningNeeds,
  file: unknown,
  options: ProvisioningOptions = {},
): Promise<ProvisioningResult> {
  if (options.dryRun === true) {
    return { plan: await planFor(needs, needs.store, file, needs.clock.now()), secrets: {} };
  }
  return needs.store.transact((tx) => carryOut(needs, tx, file, options));
}

/**
 * FIRST_SETUP for a database without any NAAN; null where there is one. Two processes that try at once make one setup.
 */
export async function setUpEmpty(
  needs: ProvisioningNeeds,
  options: Pick<ProvisioningOptions, "keep"> = {},
): Promise<ProvisioningResult | null> {
  try {
    return await needs.store.transact(async (tx) => {
      if ((await tx.naans()).length > 0) return null;
      const result = await carryOut(needs, tx, FIRST_SETUP, options);
      // Another process committed a setup with its key between the two reads: ours must not be written.
      if (Object.keys(result.secrets).length === 0) throw new RangeError("The setup was made by another process");
      return result;
    });
  } catch (error) {
    // The loser of the race was refused here or by the uniqueness of the database: then there is a setup, and it is not
    // ours.
    if ((await needs.store.naans()).length > 0) return null;
    throw error;
  }
}

/** @throws ProvisioningRefusal with everything that is wrong with the file: its form and what it would break. */
async function planFor(
  needs: ProvisioningNeeds,
  reader: ArkReader,
  file: unknown,
  now: Instant,
): Promise<ProvisioningPlan> {
  const { document, problems } = readDocument(file);
  const state = await readState(reader, document, now);
  const plan = planProvisioning(document, state, { now, holdMaxDays: needs.holdMaxDays ?? 90 });
  const all = [...problems, ...plan.problems];
  if (all.length > 0) throw new ProvisioningRefusal(all);
  return plan;
}

async function carryOut(
  needs: ProvisioningNeeds,
  tx: ArkWriter,
  file: unknown,
  options: ProvisioningOptions,
): Promise<ProvisioningResult> {
  const now = needs.clock.now();
  // Shoulders and organisations that somebody else is changing are waited for: what is read now stays true until the
  // end.
  await tx.lockOrganisations((await tx.organisations()).map((organisation) => organisation.id));
  const plan = await planFor(needs, tx, file, now);
  const writing = await writerOf(tx);
  for (const step of plan.steps) {
    if (step.subject !== "secret") await writing.save(step);
  }
  const made = await makeSecrets(needs, tx, plan.steps, writing.credentialIds, now);
  const changes = [...plan.steps.flatMap(changesOf), ...made.changes];
  if (changes.length > 0) await tx.record(options.actor ?? actorOf(OPERATOR), now, changes);
  if (Object.keys(made.secrets).length > 0) await options.keep?.(made.secrets);
  return { plan, secrets: made.secrets };
}

/** Saves steps in the order of the plan, remembering the ids the database chooses. */
async function writerOf(tx: ArkWriter) {
  const organisationIds = new Map((await tx.organisations()).map((one) => [pathOf(one), one.id]));
  const credentialIds = new Map((await tx.credentials()).map((one) => [one.clientId, one.id]));
  const idOf = (naan: string | null, name: string | null): number | null =>
    naan === null || name === null ? null : (organisationIds.get(pathOf({ naan, name })) ?? null);
  const save = async (step: Exclude<PlanStep, { subject: "secret" }>): Promise<void> => {
    switch (step.subject) {
      case "naan":
        return tx.saveNaan(step.after);
      case "organisation":
        organisationIds.set(step.target, await tx.saveOrganisation(step.after));
        return;
      case "shoulder": {
        const { organisation, ...shoulder } = step.after;
        const organisationId = idOf(shoulder.naan, organisation);
        if (organisationId === null) throw new TypeError(`Shoulder ${step.target} has no organisation`);
        return tx.saveShoulder({ ...shoulder, organisationId });
      }
      case "credential": {
        const { organisation, ...credential } = step.after;
        const organisationId = idOf(credential.naan, organisation);
        credentialIds.set(step.target, await tx.saveCredential({ ...credential, organisationId }));
        return;
      }
      case "ark":
        return tx.updateArks([step.after]);
    }
  };
  return { save, credentialIds };
}

async function makeSecrets(
  needs: ProvisioningNeeds,
  tx: ArkWriter,
  steps: readonly PlanStep[],
  credentialIds: ReadonlyMap<string, number>,
  now: Instant,
): Promise<{ readonly secrets: MadeSecrets; readonly changes: readonly Change[] }> {
  const secrets: Record<string, { api_keys: string[]; client_secrets: string[] }> = {};
  const changes: Change[] = [];
  for (const step of steps) {
    if (step.subject !== "secret") continue;
    const credentialId = credentialIds.get(step.target);
    if (credentialId === undefined) throw new TypeError(`Credential ${step.target} was not saved`);
    const mine = secrets[step.target] ?? { api_keys: [], client_secrets: [] };
    const list = step.kind === "api_key" ? "api_keys" : "client_secrets";
    for (let count = 0; count < step.count; count++) {
      const { id, text, hash } = await needs.secrets.make();
      const row = { id, credentialId, kind: step.kind, hash, createdAt: now, expiresAt: null, revokedAt: null };
      await tx.insertSecret(row);
      mine[list].push(text);
      // The id is public, it finds the row; the secret itself is named nowhere.
      changes.push({ ...blankChange(step.target, id), subject: "credential", action: "add-secret", fields: [list] });
    }
    secrets[step.target] = mine;
  }
  return { secrets, changes };
}

function blankChange(target: string, reason: string) {
  return { target, beforeUrl: "", afterUrl: "", reason };
}

/** What history, feed and audit record of a step: holds apart from other changes. */
function changesOf(step: PlanStep): Change[] {
  if (step.subject === "secret") return [];
  const { subject, target } = step;
  const names = step.fields.map((change) => change.field);
  const own = names.filter((name) => !name.startsWith("hold_"));
  const changes: Change[] = [];
  if (own.length > 0 || step.action === "add") {
    const action = step.action === "add" ? "create" : "update";
    changes.push({ ...blankChange(target, ""), subject, action, fields: own });
  }
  if (names.length > own.length) {
    const reason = "holdReason" in step.after ? (step.after.holdReason ?? "") : "";
    const url = step.subject === "ark" ? { beforeUrl: step.after.url, afterUrl: step.after.url } : {};
    const fields = names.filter((name) => name.startsWith("hold_"));
    changes.push({ ...blankChange(target, reason), ...url, subject, action: "hold", fields });
  }
  return changes;
}

async function readState(reader: ArkReader, document: ProvisioningDocument, now: Instant): Promise<ProvisioningState> {
  const naans = await reader.naans();
  const organisations = await reader.organisations();
  const shoulders = await reader.shoulders();
  const credentials = await reader.credentials();
  const facts = factsNeeded(document, { naans, shoulders });
  const wanted = new Set(document.credentials.map((entry) => entry.client_id));
  const activeSecrets = new Map<string, { apiKeys: number; clientSecrets: number }>();
  for (const credential of credentials) {
    if (!wanted.has(credential.clientId)) continue;
    const secrets = (await reader.secretsOf(credential.id)).filter(
      (secret) => !ended(secret.revokedAt, now) && !ended(secret.expiresAt, now),
    );
    const count = (kind: SecretKind) => secrets.filter((secret) => secret.kind === kind).length;
    activeSecrets.set(credential.clientId, { apiKeys: count("api_key"), clientSecrets: count("client_secret") });
  }
  const arks: ReadonlyMap<string, ArkRecord> =
    facts.arkKeys.length === 0 ? new Map() : await reader.arks(facts.arkKeys);
  return { naans, organisations, shoulders, credentials, activeSecrets, arks, ...(await readNames(reader, facts)) };
}

async function readNames(
  reader: ArkReader,
  facts: FactsNeeded,
): Promise<Pick<ProvisioningState, "anyName" | "uncheckedName" | "nameBelow">> {
  const anyName = new Map<string, string>();
  for (const naan of facts.naansLeaving) {
    const name = await anyNameOf(reader, naan);
    if (name !== null) anyName.set(naan, name);
  }
  const uncheckedName = new Map<string, string>();
  for (const { naan, shoulder } of facts.becomingChecked) {
    const name = await uncheckedNameOf(reader, naan, shoulder);
    if (name !== null) uncheckedName.set(`${naan}/${shoulder}`, name);
  }
  const nameBelow = new Map<string, string>();
  for (const { naan, shoulder } of facts.newShoulders) {
    const name = shoulder === "" ? null : await nameWithPrefix(reader, naan, shoulder);
    if (name !== null) nameBelow.set(`${naan}/${shoulder}`, name);
  }
  return { anyName, uncheckedName, nameBelow };
}

/** A name ever assigned under the NAAN, withdrawn ones too: they are ours to answer for as well. */
async function anyNameOf(reader: ArkReader, naan: string): Promise<string | null> {
  const reach = { kind: "naan", naan } as const;
  for (const filter of [{ reach }, { reach, state: "deleted" }, { reach, state: "purged" }] as const) {
    const [row] = await reader.listArks(filter, "", 1);
    if (row !== undefined) return row.key;
  }
  return null;
}

async function uncheckedNameOf(reader: ArkReader, naan: string, shoulder: string): Promise<string | null> {
  const filter = { reach: { kind: "naan", naan }, naan, shoulder } as const;
  let after = "";
  for (;;) {
    const rows = await reader.listArks(filter, after, 5_000);
    const found = rows.find((row) => !hasCheckCharacter(baseKey(row.key)));
    if (found !== undefined) return found.key;
    const last = rows.at(-1);
    if (last === undefined) return null;
    after = last.key;
  }
}

async function nameWithPrefix(reader: ArkReader, naan: string, shoulder: string): Promise<string | null> {
  const prefix = `${naan}/${shoulder}`;
  const exact = (await reader.arks([prefix])).get(prefix);
  if (exact !== undefined) return exact.key;
  const [next] = await reader.listArks({ reach: { kind: "naan", naan }, naan }, prefix, 1);
  return next?.key.startsWith(prefix) === true ? next.key : null;
}
