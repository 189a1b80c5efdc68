// What a plan is made from and what it is made of: the things that exist, the things wanted, the steps between them.

import type { Credential } from "../../auth/caller.ts";
import type { Instant } from "../../shared/time/instant.ts";
import type { ArkRecord, Naan, Organisation, Shoulder } from "../record.ts";
import type { Problem } from "./members.ts";

type SecretCounts = { readonly apiKeys: number; readonly clientSecrets: number };

export type RegisteredState = {
  readonly naans: readonly Naan[];
  readonly organisations: readonly Organisation[];
  readonly shoulders: readonly Shoulder[];
  readonly credentials: readonly Credential[];
};

/** All stored data that the rules check. */
export type ProvisioningState = RegisteredState & {
  /** Secrets neither revoked nor expired, by client_id. */
  readonly activeSecrets: ReadonlyMap<string, SecretCounts>;
  /** The names that `holds` of the file speak of, by key. */
  readonly arks: ReadonlyMap<string, ArkRecord>;
  /** A name ever assigned, for each NAAN that has one and that the file makes foreign. */
  readonly anyName: ReadonlyMap<string, string>;
  /** A name without a fitting check character, for each `naan/shoulder` the file turns `checked` on for. */
  readonly uncheckedName: ReadonlyMap<string, string>;
  /** A name that begins with a shoulder the file makes, by `naan/shoulder`. */
  readonly nameBelow: ReadonlyMap<string, string>;
};

export type ProvisioningLimits = { readonly now: Instant; readonly holdMaxDays: number };

/** Organisations are spoken of by name: one that is made by the same file has no id yet. */
export type WantedShoulder = Omit<Shoulder, "organisationId"> & { readonly organisation: string };
export type WantedCredential = Omit<Credential, "organisationId"> & { readonly organisation: string | null };

export type FieldChange = { readonly field: string; readonly before: unknown; readonly after: unknown };

type Step<Subject extends string, After> = {
  readonly subject: Subject;
  readonly action: "add" | "change";
  /** As the audit names it: NAAN, `naan/organisation`, `naan/shoulder`, client_id, key of the ARK. */
  readonly target: string;
  readonly fields: readonly FieldChange[];
  readonly after: After;
};

export type PlanStep =
  | Step<"naan", Naan>
  | Step<"organisation", Organisation>
  | Step<"shoulder", WantedShoulder>
  | Step<"credential", WantedCredential>
  | Step<"ark", ArkRecord>
  | {
      readonly subject: "secret";
      readonly action: "add";
      readonly target: string;
      readonly kind: "api_key" | "client_secret";
      readonly count: number;
    };

export type ProvisioningPlan = {
  /** In the order in which they must be written. Empty: everything is as the file describes. */
  readonly steps: readonly PlanStep[];
  readonly problems: readonly Problem[];
  /** Allowed, but worth a second look. */
  readonly warnings: readonly string[];
};

/** The state as it will be, filled by one section after the other. */
export type Draft = {
  readonly state: ProvisioningState;
  readonly limits: ProvisioningLimits;
  readonly naans: Map<string, Naan>;
  readonly organisations: Map<string, Organisation>;
  readonly shoulders: Map<string, WantedShoulder>;
  readonly credentials: Map<string, WantedCredential>;
  readonly arks: Map<string, ArkRecord>;
  readonly secrets: PlanStep[];
  readonly problems: Problem[];
  readonly warnings: string[];
};

export function draftOf(state: ProvisioningState, limits: ProvisioningLimits): Draft {
  const nameOf = new Map(state.organisations.map((organisation) => [organisation.id, organisation.name]));
  return {
    state,
    limits,
    naans: new Map(state.naans.map((naan) => [naan.naan, naan])),
    organisations: new Map(state.organisations.map((organisation) => [pathOf(organisation), organisation])),
    shoulders: new Map(
      state.shoulders.map(({ organisationId, ...shoulder }) => [
        `${shoulder.naan}/${shoulder.shoulder}`,
        { ...shoulder, organisation: nameOf.get(organisationId) ?? "" },
      ]),
    ),
    credentials: new Map(
      state.credentials.map(({ organisationId, ...credential }) => [
        credential.clientId,
        { ...credential, organisation: organisationId === null ? null : (nameOf.get(organisationId) ?? null) },
      ]),
    ),
    arks: new Map(state.arks),
    secrets: [],
    problems: [],
    warnings: [],
  };
}

/** The way an organisation is named in plans and audit. */
export function pathOf(organisation: { readonly naan: string; readonly name: string }): string {
  return `${organisation.naan}/${organisation.name}`;
}

/** Notes rows about the same item; returns the first of each. */
export function withoutTwins<E extends { readonly path: string }>(
  entries: readonly E[],
  nameOf: (entry: E) => string,
  problems: Problem[],
): E[] {
  const first = new Map<string, E>();
  for (const entry of entries) {
    const twin = first.get(nameOf(entry));
    if (twin === undefined) first.set(nameOf(entry), entry);
    else problems.push({ path: entry.path, message: `is about the same thing as ${twin.path}: ${nameOf(entry)}` });
  }
  return [...first.values()];
}
