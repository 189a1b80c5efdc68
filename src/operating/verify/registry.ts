// NAANs, organisations, shoulders and credentials against each other (A6, A21, A23), and blades against the names they
// made (A5).

import { COMMITMENT_LEVELS, type Naan, type Organisation, type Shoulder } from "../../ark/record.ts";
import { isImportOnlyShoulder, isShoulder } from "../../ark/shoulder.ts";
import { isNaan } from "../../ark/syntax.ts";
import { SCOPES, TIERS } from "../../auth/caller.ts";
import { bladeLengthOf } from "../backup/blades.ts";
import { type Finding, findingsOf } from "./finding.ts";

/** A credential as it is stored: `scopes` is JSON text, and nothing is sure to be what it should. */
type CredentialRow = {
  readonly id: number;
  readonly clientId: string;
  readonly tier: string;
  readonly naan: string | null;
  readonly organisationId: number | null;
  readonly shoulder: string | null;
  readonly scopes: string;
};
type SecretRow = { readonly id: string; readonly credentialId: number; readonly hash: string };

export type Policy = {
  readonly naans: readonly Naan[];
  readonly organisations: readonly Organisation[];
  readonly shoulders: readonly Shoulder[];
  readonly credentials: readonly CredentialRow[];
  readonly secrets: readonly SecretRow[];
};

export function policyFindings(policy: Policy): Finding[] {
  return [
    ...policy.naans.flatMap(({ naan }) => findingsOf("policy", naan, [[!isNaan(naan), "it is not a NAAN"]])),
    ...policy.organisations.flatMap((organisation) => organisationFindings(organisation, policy)),
    ...policy.shoulders.flatMap((shoulder) => shoulderFindings(shoulder, policy)),
    ...policy.credentials.flatMap((credential) => credentialFindings(credential, policy)),
    ...policy.secrets.flatMap((secret) => secretFindings(secret, policy)),
  ];
}

function organisationFindings(organisation: Organisation, { naans, shoulders }: Policy): Finding[] {
  const { id, naan, name, defaultShoulder } = organisation;
  const chosen = shoulders.find((each) => each.naan === naan && each.shoulder === defaultShoulder);
  return findingsOf("policy", `${naan}/${name}`, [
    [!naans.some((each) => each.naan === naan), `its NAAN ${naan} does not exist`],
    [defaultShoulder !== "" && chosen === undefined, `its default shoulder ${defaultShoulder} does not exist`],
    [
      defaultShoulder !== "" && chosen !== undefined && chosen.organisationId !== id,
      `its default shoulder ${defaultShoulder} belongs to another organisation`,
    ],
    [
      !COMMITMENT_LEVELS.includes(organisation.commitmentLevel),
      `there is no commitment level "${organisation.commitmentLevel}"`,
    ],
  ]);
}

function shoulderFindings(row: Shoulder, { naans, organisations }: Policy): Finding[] {
  const { naan, shoulder, importOnly } = row;
  const organisation = organisations.find((each) => each.id === row.organisationId);
  return findingsOf("policy", `${naan}/${shoulder}`, [
    [!naans.some((each) => each.naan === naan), `its NAAN ${naan} does not exist`],
    [organisation === undefined, `its organisation ${row.organisationId} does not exist`],
    [organisation !== undefined && organisation.naan !== naan, "its organisation belongs to another NAAN"],
    [!(importOnly ? isImportOnlyShoulder(shoulder) : isShoulder(shoulder)), "it is not a shoulder"],
  ]);
}

function credentialFindings(row: CredentialRow, { naans, organisations, shoulders }: Policy): Finding[] {
  const { tier, naan, organisationId, shoulder } = row;
  const organisation = organisations.find((each) => each.id === organisationId);
  const pin = shoulders.find((each) => each.naan === naan && each.shoulder === shoulder);
  const scopes = readScopes(row.scopes);
  return findingsOf("credential", row.clientId, [
    [!TIERS.some((each) => each === tier), `there is no tier "${tier}"`],
    [(tier === "system") !== (naan === null), `its tier is ${tier} and its NAAN is ${naan ?? "missing"}`],
    [naan !== null && !naans.some((each) => each.naan === naan), `its NAAN ${naan} does not exist`],
    [
      (tier === "organisation") !== (organisationId !== null),
      `its tier is ${tier}, its organisation ${organisationId}`,
    ],
    [organisationId !== null && organisation === undefined, `its organisation ${organisationId} does not exist`],
    [organisation !== undefined && organisation.naan !== naan, "its organisation belongs to another NAAN"],
    [shoulder !== null && pin === undefined, `it is pinned to shoulder ${shoulder}, which does not exist`],
    [
      pin !== undefined && organisation !== undefined && pin.organisationId !== organisation.id,
      `it is pinned to shoulder ${shoulder} of another organisation`,
    ],
    [scopes === null, "its scopes cannot be read"],
    [scopes?.some((scope) => !SCOPES.some((each) => each === scope)) === true, "it holds a scope that does not exist"],
  ]);
}

function readScopes(json: string): readonly unknown[] | null {
  try {
    const parsed: unknown = JSON.parse(json);
    return Array.isArray(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

function secretFindings({ id, credentialId, hash }: SecretRow, { credentials }: Policy): Finding[] {
  return findingsOf("credential", id, [
    [
      !credentials.some((each) => each.id === credentialId),
      `the secret belongs to credential ${credentialId}, which does not exist`,
    ],
    [!/^[0-9a-f]{64}$/.test(hash), "the stored hash of the secret is not a SHA-256"],
  ]);
}

/** The longest minted blade of each shoulder must not be longer than the next one will be (A5). */
export class BladesWalk {
  readonly #longest = new Map<string, { readonly length: number; readonly key: string }>();

  next(record: {
    readonly key: string;
    readonly naan: string;
    readonly shoulder: string;
    readonly origin: string;
  }): void {
    if (record.origin !== "minted") return;
    const length = bladeLengthOf(record.key.slice(record.naan.length + 1), record.shoulder);
    const path = `${record.naan}/${record.shoulder}`;
    if (length !== null && length > (this.#longest.get(path)?.length ?? 0)) {
      this.#longest.set(path, { length, key: record.key });
    }
  }

  end(shoulders: readonly Shoulder[]): Finding[] {
    return shoulders.flatMap(({ naan, shoulder, bladeLength }) => {
      const longest = this.#longest.get(`${naan}/${shoulder}`);
      const problem = `its blades have ${bladeLength} characters, yet ${longest?.key} was minted with ${longest?.length}`;
      return findingsOf("blade", `${naan}/${shoulder}`, [[(longest?.length ?? 0) > bladeLength, problem]]);
    });
  }
}
