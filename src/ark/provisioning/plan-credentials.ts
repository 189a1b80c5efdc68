// Wanted credentials and their secrets (A21, A23): who may be registered with which reach.
import { DEFAULT_SCOPES, TIERS } from "../../auth/caller.ts";
import { quoted } from "../../shared/field-faults.ts";
import type { CredentialEntry } from "./document.ts";
import { unknownNaan } from "./plan-naans.ts";
import { type Draft, pathOf, type WantedCredential, withoutTwins } from "./state.ts";

export function draftCredentials(draft: Draft, entries: readonly CredentialEntry[]): void {
  for (const entry of withoutTwins(entries, (row) => row.client_id, draft.problems)) {
    const stored = draft.credentials.get(entry.client_id);
    const tier = entry.tier ?? stored?.tier;
    if (tier === undefined) {
      draft.problems.push({ path: entry.path, message: `lacks the member "tier" (one of ${TIERS.join(", ")})` });
      continue;
    }
    const credential: WantedCredential = {
      id: stored?.id ?? 0,
      clientId: entry.client_id,
      tier,
      naan: entry.naan === undefined ? (stored?.naan ?? null) : entry.naan,
      organisation: entry.organisation === undefined ? (stored?.organisation ?? null) : entry.organisation,
      shoulder: entry.shoulder === undefined ? (stored?.shoulder ?? null) : entry.shoulder,
      scopes: entry.scopes ?? stored?.scopes ?? DEFAULT_SCOPES,
      active: entry.active ?? stored?.active ?? true,
      expiresAt: entry.expires_at === undefined ? (stored?.expiresAt ?? null) : entry.expires_at,
    };
    const problem = reachProblem(draft, credential) ?? pinProblem(draft, stored, credential);
    if (problem !== null) draft.problems.push({ path: entry.path, message: problem });
    noteOddities(draft, credential, stored);
    draft.credentials.set(credential.clientId, credential);
    draftSecrets(draft, entry);
  }
}

/** Which of NAAN, organisation and shoulder a tier names (A21): more would be a reach that nobody checks. */
function reachProblem(draft: Draft, { tier, naan, organisation, shoulder }: WantedCredential): string | null {
  if (tier === "system") {
    if (naan === null && organisation === null && shoulder === null) return null;
    return "of tier system reaches everything: leave naan, organisation and shoulder null";
  }
  if (naan === null) return `of tier ${tier} must name its NAAN`;
  if (!draft.naans.has(naan)) return unknownNaan(draft, naan);
  if (tier === "naan") {
    if (organisation === null && shoulder === null) return null;
    return "of tier naan reaches the whole NAAN: leave organisation and shoulder null";
  }
  if (organisation === null) return "of tier organisation must name its organisation";
  if (draft.organisations.has(pathOf({ naan, name: organisation }))) return null;
  return `no organisation ${quoted(organisation)} in NAAN ${naan}`;
}

function pinProblem(
  draft: Draft,
  stored: WantedCredential | undefined,
  { naan, organisation, shoulder }: WantedCredential,
): string | null {
  if (shoulder === null) return null;
  const pinned = draft.shoulders.get(`${naan}/${shoulder}`);
  if (pinned === undefined) return `is pinned to ${quoted(shoulder)}, but NAAN ${naan} has no such shoulder`;
  if (pinned.organisation === organisation) return null;
  const owner = quoted(pinned.organisation);
  const isNew =
    stored === undefined ||
    stored.naan !== naan ||
    stored.organisation !== organisation ||
    stored.shoulder !== shoulder;
  return isNew ? `is pinned to ${quoted(shoulder)}, which belongs to organisation ${owner}` : null;
}

function noteOddities(draft: Draft, credential: WantedCredential, stored: WantedCredential | undefined): void {
  const isNew = stored?.expiresAt !== credential.expiresAt;
  if (isNew && credential.expiresAt !== null && credential.expiresAt <= draft.limits.now) {
    draft.warnings.push(`Credential ${credential.clientId} has expired already, on ${credential.expiresAt}`);
  }
}

/**
 * Credentials pinned to a shoulder that moves to another organisation keep their row and lose their reach: report it.
 */
export function judgePins(draft: Draft): void {
  const before = new Map(
    draft.state.shoulders.map((shoulder) => [`${shoulder.naan}/${shoulder.shoulder}`, shoulder.organisationId]),
  );
  for (const credential of draft.credentials.values()) {
    if (credential.shoulder === null) continue;
    const key = `${credential.naan}/${credential.shoulder}`;
    const shoulder = draft.shoulders.get(key);
    if (shoulder === undefined || shoulder.organisation === credential.organisation) continue;
    const own = draft.organisations.get(`${credential.naan}/${credential.organisation ?? ""}`);
    if (own === undefined || before.get(key) !== own.id) continue;
    draft.warnings.push(`Credential ${credential.clientId} is pinned to ${key}, which leaves its organisation`);
  }
}

/** `api_keys: 1` means at least one active key: what is missing is made, nothing is taken away. */
function draftSecrets(draft: Draft, entry: CredentialEntry): void {
  const have = draft.state.activeSecrets.get(entry.client_id) ?? { apiKeys: 0, clientSecrets: 0 };
  const wanted = [
    { kind: "api_key", count: (entry.api_keys ?? 0) - have.apiKeys },
    { kind: "client_secret", count: (entry.client_secrets ?? 0) - have.clientSecrets },
  ] as const;
  for (const { kind, count } of wanted) {
    if (count > 0) draft.secrets.push({ subject: "secret", action: "add", target: entry.client_id, kind, count });
  }
}
