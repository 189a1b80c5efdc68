// Whether what a repository holds is whole: every published item with its revisions, its files in the storage, its ARK;
// nothing in the work folder, no object that no item names. For tests that interrupt deposits or let many work at once.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type DepositInstallation, filesBelow, SERVICE_FILES } from "./deposit-installation.ts";
import { hashOf } from "./package-builder.ts";

type ItemRow = { readonly id: number; readonly revision: number; readonly ark: string | null; readonly state: string };

/** Items with this title, whatever their state. */
export async function itemsTitled(
  { sql }: Pick<DepositInstallation, "sql">,
  title: string,
): Promise<readonly ItemRow[]> {
  return await sql<ItemRow>(`select id, revision, ark, state from item where title = '${title}' order by id`);
}

/** What is wrong, one line each. */
export async function faultsOfItem(
  { store, sql, dataDir }: DepositInstallation,
  id: number,
): Promise<readonly string[]> {
  const item = await store.items.item(id);
  if (item?.state !== "published" || item.content === null) return [`item ${id} is ${item?.state ?? "not there"}`];
  const faults: string[] = [];
  const revisions = await sql<{ revision: number }>(
    `select revision from item_revision where item_id = ${id} order by revision`,
  );
  const numbers = revisions.map(({ revision }) => Number(revision));
  const expected = Array.from({ length: item.revision }, (_, at) => at + 1);
  if (numbers.join() !== expected.join()) faults.push(`item ${id} at ${item.revision} has the revisions ${numbers}`);
  for (const { name, storageKey, sha256 } of item.content.files) {
    const key = storageKey ?? "";
    const path = join(dataDir, "files", "objects", key.slice(0, 2), key);
    try {
      if (hashOf(readFileSync(path)) !== sha256) faults.push(`"${name}" of item ${id} has other bytes`);
    } catch {
      faults.push(`"${name}" of item ${id} is not in the storage`);
    }
  }
  const arks = await sql<{ n: number }>(`select count(*) as n from ark where ark = '${item.ark}'`);
  if (Number(arks[0]?.n) !== 1) faults.push(`the ARK of item ${id}, ${item.ark}, is not a name`);
  return faults;
}

/**
 * Pending files, and objects of the storage that no revision names. A process that lives writes the storage's mark
 * through a file, for a moment.
 */
export async function strayFiles(installation: DepositInstallation): Promise<readonly string[]> {
  const first = await straysNow(installation);
  if (first.length === 0) return first;
  await sleep(300);
  const second = await straysNow(installation);
  return first.filter((path) => second.includes(path));
}

async function straysNow({ sql, dataDir }: DepositInstallation): Promise<readonly string[]> {
  const named = new Set(
    (await sql<{ key: string }>("select storage_key as key from file_set_entry")).map(({ key }) => key),
  );
  return filesBelow(join(dataDir, "files")).filter((path) => {
    const key = path.split("/").at(-1) ?? "";
    if (SERVICE_FILES.test(path)) return false;
    return !path.startsWith("objects") || !named.has(key);
  });
}
