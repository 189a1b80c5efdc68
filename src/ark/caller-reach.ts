// How far a caller reaches, asked of the database: a name is within reach when its shoulder's organisation is (A21, A22, L11, L44).

import { type Call, type Caller, reachesNaan, reachesShoulder } from "../auth/caller.ts";
import { ServiceError } from "../shared/errors.ts";
import type { ArkRecord } from "./record.ts";
import type { Shoulder } from "./registered-things.ts";
import type { ArkReader, Reach, Store } from "./store.ts";

/** The caller's reach as the database narrows reads by it. */
export function reachOf(caller: Caller): Reach {
  if (caller.tier === "system") return { kind: "system" };
  if (caller.naan === null) throw new TypeError(`Credential ${caller.clientId} of tier ${caller.tier} has no NAAN`);
  if (caller.tier === "naan") return { kind: "naan", naan: caller.naan };
  if (caller.organisationId === null) throw new TypeError(`Credential ${caller.clientId} has no organisation`);
  return {
    kind: "organisation",
    naan: caller.naan,
    organisationId: caller.organisationId,
    shoulder: caller.shoulder,
  };
}

/** Where a read goes: to the replica when it was asked for (A19). */
export function readerOf(store: Store, call: Call): ArkReader {
  return call.readOnly ? store.replica : store;
}

/** @throws ServiceError 1303 when the caller's organisation was disabled: it may not write. */
export function requireActive(caller: Caller): void {
  if (!caller.organisationActive) throw new ServiceError(1303);
}

/** A question about single records; shoulders are read once for all the records it will be asked about. */
export async function reachTest(
  reader: ArkReader,
  caller: Caller,
  records: Iterable<ArkRecord>,
): Promise<(record: ArkRecord) => boolean> {
  const naans = new Set<string>();
  for (const record of records) if (!reachesNaan(caller, record.naan)) naans.add(record.naan);
  const shoulders = new Map<string, Shoulder>();
  // A caller below the tier of a NAAN reaches names of one NAAN only: other shoulders need not be read.
  const asked = [...naans].filter((naan) => caller.tier === "organisation" && naan === caller.naan);
  if (asked.length > 0) {
    for (const shoulder of await reader.shoulders(asked))
      shoulders.set(`${shoulder.naan}/${shoulder.shoulder}`, shoulder);
  }
  return (record) => {
    if (reachesNaan(caller, record.naan)) return true;
    const shoulder = shoulders.get(`${record.naan}/${record.shoulder}`);
    return shoulder !== undefined && reachesShoulder(caller, shoulder);
  };
}
