// Callers of every tier, as the authentication hands them to the services.
import { type Call, type Caller, SCOPES, type Scope } from "../../src/auth/caller.ts";

/** A caller of an organisation of NAAN 99999 with every scope; `changes` make it another one. */
function aCaller(changes: Partial<Caller> = {}): Caller {
  return {
    clientId: "ops",
    tier: "organisation",
    naan: "99999",
    organisationId: 1,
    organisationActive: true,
    shoulder: null,
    scopes: new Set<Scope>(SCOPES),
    ...changes,
  };
}

export function aCall(changes: Partial<Caller> = {}): Call {
  return { caller: aCaller(changes), address: "192.0.2.1", readOnly: false };
}

/** The administrator of a NAAN. */
export function naanCall(naan = "99999"): Call {
  return aCall({ clientId: `naan-${naan}`, tier: "naan", naan, organisationId: null });
}

export function systemCall(): Call {
  return aCall({ clientId: "system", tier: "system", naan: null, organisationId: null });
}
