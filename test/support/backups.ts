// What tests of backups and of verify share: a database with every kind of name in it, all its rows, and the findings
// of verify.

import { openStore } from "../../db/ark/store.ts";
import { withBackupSource } from "../../db/operating/backup.ts";
import { withInspection } from "../../db/operating/verify.ts";
import { platformRandom } from "../../src/adapters/random.ts";
import { lifecycle } from "../../src/ark/lifecycle.ts";
import { minting } from "../../src/ark/minting.ts";
import type { Store } from "../../src/ark/store.ts";
import { formatArk } from "../../src/ark/syntax.ts";
import type { Call } from "../../src/auth/caller.ts";
import type { Finding } from "../../src/operating/verify/finding.ts";
import { verify } from "../../src/operating/verify-data.ts";
import { ServiceError } from "../../src/shared/errors.ts";
import { aCall } from "./callers.ts";
import { seed } from "./seed.ts";

export const clock = { now: () => new Date().toISOString() };
const limits = { bulkRows: 10_000, holdMaxDays: 90 };

export function servicesOn(store: Store, random = platformRandom()) {
  return { minting: minting({ store, clock, random, limits }), lifecycle: lifecycle({ store, clock, limits }) };
}

/**
 * Names in every state, with parts, receipts, holds and credentials, made by the services themselves. Returns their
 * keys.
 */
export async function everyKindOfName(url: string) {
  const store = await openStore({ url, poolSize: 4 });
  try {
    const { orgA } = await seed(store);
    const call = aCall({ organisationId: orgA });
    const made = await store.transact(async (tx) => {
      const scopes = ["ark:mint", "ark:read"] as const;
      const id = await tx.saveCredential({
        ...{ id: 0, clientId: "ops", tier: "organisation", naan: "99999", organisationId: orgA },
        ...{ shoulder: "b1", scopes, active: true, expiresAt: null },
      });
      const at = clock.now();
      await tx.insertSecret({
        ...{ id: "abc", credentialId: id, kind: "api_key", hash: "0".repeat(64) },
        ...{ createdAt: at, expiresAt: null, revokedAt: null },
      });
    });
    return { made, ...(await nameOfEachState(store, call)) };
  } finally {
    await store.close();
  }
}

async function nameOfEachState(store: Store, call: Call) {
  const { minting: making, lifecycle: changing } = servicesOn(store);
  const mint = async (request_id: string, reserve = false) => {
    const input = {
      url: `https://example.org/${request_id}`,
      title: 'Ünïcode, "quoted"\nand 漢字',
      request_id,
      reserve,
    };
    return (await making.mint(call, input)).record.key;
  };
  const solemn = (key: string) => ({ ark: formatArk(key), reason: "Asked for", confirm: formatArk(key) });
  const published = await mint("published");
  const reserved = await mint("reserved", true);
  const unpublished = await mint("unpublished");
  await changing.unpublish(call, solemn(unpublished));
  const tombstoned = await mint("tombstoned");
  await changing.tombstone(call, { ark: formatArk(tombstoned), url: "https://example.org/gone" });
  const deleted = await mint("deleted", true);
  await changing.delete(call, { ark: formatArk(deleted) });
  const purged = await mint("purged");
  await changing.purge(call, solemn(purged));
  const part = (
    await making.register(call, { ark: formatArk(published), qualifier: "/p1.v2", url: "https://example.org/p" })
  ).record.key;
  const held = await mint("held");
  const until = new Date(Date.now() + 86_400_000).toISOString();
  await changing.hold(call, { ark: formatArk(held), until, reason: "Looked into" });
  return { published, reserved, unpublished, tombstoned, deleted, purged, part, held };
}

/** Every row of every table, as a backup would hold it. */
export async function allRows(url: string): Promise<ReadonlyMap<string, readonly (readonly unknown[])[]>> {
  return await withBackupSource(url, async (source) => {
    const tables = new Map<string, (readonly unknown[])[]>();
    for (const table of source.tables) {
      const rows: (readonly unknown[])[] = [];
      for await (const page of source.rows(table)) rows.push(...page);
      tables.set(table.table, rows);
    }
    return tables;
  });
}

export async function findingsIn(url: string): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const watch = { onFinding: (each: Finding) => findings.push(each), onNote: () => {}, onProgress: () => {} };
  await withInspection(url, (inspection) => verify(inspection, watch));
  return findings;
}

/** True when the call went through, false when it was refused. */
export async function allowed(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}
