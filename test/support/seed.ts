// Two NAANs, two organisations and four shoulders, the same for every test that needs some.
import type { Naan, Organisation, Shoulder } from "../../src/ark/record.ts";
import type { Store } from "../../src/ark/store.ts";
import type { Actor } from "../../src/auth/caller.ts";

export const NOW = "2026-11-20T10:00:00.000Z";
export const TESTER: Actor = { clientId: "tester", tier: "system", address: "127.0.0.1" };

export type Seeded = {
  readonly naan: string;
  readonly foreignNaan: string;
  /** Ids of the organisations. */
  readonly orgA: number;
  readonly orgB: number;
};

export function aNaan(changes: Partial<Naan>): Naan {
  return {
    naan: "99999",
    authoritative: true,
    name: "Example",
    policy: "NP | NR, OP, CC | 2026",
    policyUrl: "",
    redirect: "",
    minter: "",
    holdUntil: null,
    holdReason: null,
    ...changes,
  };
}

export function anOrganisation(changes: Partial<Organisation>): Organisation {
  return {
    id: 0,
    naan: "99999",
    name: "org-a",
    defaultShoulder: "b1",
    commitmentLevel: "permanent-dynamic",
    quotaPerDay: null,
    active: true,
    ...changes,
  };
}

export function aShoulder(changes: Partial<Shoulder>): Shoulder {
  return {
    naan: "99999",
    shoulder: "b1",
    organisationId: 1,
    status: "active",
    minter: "",
    about: "",
    redirect: "",
    checked: true,
    importOnly: false,
    bladeLength: 8,
    holdUntil: null,
    holdReason: null,
    ...changes,
  };
}

/** NAAN 99999 with org-a (b1, delegated d9, retired r7) and org-b (c2); NAAN 88888 belongs to others. */
export function seed(store: Store): Promise<Seeded> {
  return store.transact(async (tx) => {
    await tx.saveNaan(aNaan({ naan: "99999" }));
    await tx.saveNaan(
      aNaan({ naan: "88888", authoritative: false, name: "Others", redirect: "https://delegate.example.org" }),
    );
    const orgA = await tx.saveOrganisation(anOrganisation({ name: "org-a", defaultShoulder: "b1" }));
    const orgB = await tx.saveOrganisation(anOrganisation({ name: "org-b", defaultShoulder: "c2" }));
    await tx.saveShoulder(aShoulder({ shoulder: "b1", organisationId: orgA }));
    await tx.saveShoulder(aShoulder({ shoulder: "c2", organisationId: orgB }));
    await tx.saveShoulder(
      aShoulder({
        shoulder: "d9",
        organisationId: orgA,
        status: "delegated",
        minter: "https://mint.example.org/api/mint",
      }),
    );
    await tx.saveShoulder(aShoulder({ shoulder: "r7", organisationId: orgA, status: "retired" }));
    const targets = ["99999/b1", "99999/c2", "99999/d9", "99999/r7"];
    await tx.record(
      TESTER,
      NOW,
      targets.map((target) => ({
        subject: "shoulder" as const,
        target,
        action: "add",
        beforeUrl: "",
        afterUrl: "",
        fields: [],
        reason: "",
      })),
    );
    return { naan: "99999", foreignNaan: "88888", orgA, orgB };
  });
}
