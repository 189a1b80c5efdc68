// Entering the names of a newer list that a restored backup does not know, so that they are never assigned again (A11).

import type { ArkRecord, Shoulder } from "../ark/record.ts";
import { shoulderOfName } from "../ark/shoulder.ts";
import type { Change } from "../ark/store.ts";
import { baseKey, formatArk, hasCheckCharacter } from "../ark/syntax.ts";
import { actorOf, OPERATOR } from "../auth/caller.ts";
import type { Instant } from "../shared/time/instant.ts";
import type { BackupHeader } from "./backup/format.ts";
import type { RestoreProgress, RestoreWriter } from "./backup.ts";
import { type NewerName, newerRecord } from "./newer-names-list.ts";

/** Some names of the list, with the line of each. */
export type NewerList = readonly { readonly line: number; readonly name: NewerName }[];

export type EnteredNames = {
  /** Rows of the list. */
  readonly listed: number;
  /** Of these the names the backup did not know. */
  readonly unknown: number;
  readonly withdrawn: number;
  /** Entered as reserved, because living names hang below them. */
  readonly reserved: number;
  /** Not entered: under no shoulder of the backup, or without the check character their shoulder asks for. */
  readonly leftOut: number;
  /** The first of those, with the reason. */
  readonly examples: readonly string[];
};

const BATCH = 1_000;
const EXAMPLES = 20;

export async function enterNewerNames(
  tx: RestoreWriter,
  list: AsyncIterable<NewerList>,
  context: {
    readonly header: BackupHeader;
    readonly now: Instant;
    readonly progress: (progress: RestoreProgress) => void | Promise<void>;
  },
): Promise<EnteredNames> {
  const { header, now } = context;
  const shoulders = Map.groupBy(await tx.shoulders(), ({ naan }) => naan);
  const count = { listed: 0, unknown: 0, withdrawn: 0, reserved: 0, leftOut: 0 };
  const examples: string[] = [];
  const reason = `Listed after the backup of ${header.created_at}, from which the service was restored`;
  const enter = async (batch: NewerList): Promise<void> => {
    count.listed += batch.length;
    const fresh = new Map(batch.map(({ name }) => [name.ark.key, name]));
    for (const key of (await tx.arks([...fresh.keys()])).keys()) fresh.delete(key);
    count.unknown += fresh.size;
    const records: ArkRecord[] = [];
    for (const name of fresh.values()) {
      const shoulder = shoulderOf(name, shoulders.get(name.ark.naan) ?? []);
      if (typeof shoulder === "string") {
        count.leftOut++;
        if (examples.length < EXAMPLES) examples.push(`${formatArk(name.ark)}: ${shoulder}`);
        continue;
      }
      const hasParts = (await tx.partsBelow([name.ark.key], 1)).length > 0;
      records.push(newerRecord(name, { shoulder: shoulder.shoulder, hasParts, reason }, now));
      count[hasParts ? "reserved" : "withdrawn"]++;
    }
    await tx.insertArks(records);
    await tx.record(
      actorOf(OPERATOR),
      now,
      records.map((record) => birthOf(record, reason)),
    );
    await context.progress({ step: "entering", table: "ark", rows: count.listed, of: count.listed });
  };
  let waiting: NewerList[number][] = [];
  for await (const some of list) {
    for (const row of some) {
      waiting.push(row);
      if (waiting.length < BATCH) continue;
      await enter(waiting);
      waiting = [];
    }
  }
  if (waiting.length > 0) await enter(waiting);
  return { ...count, examples };
}

/** The shoulder a name is entered under, or why it is not. */
function shoulderOf({ ark }: NewerName, shoulders: readonly Shoulder[]): Shoulder | string {
  const shoulder = shoulderOfName(ark.name, shoulders);
  if (shoulder === null) return "is under no shoulder of the backup";
  if (shoulder.checked && !hasCheckCharacter(baseKey(ark.key))) return "its check character is wrong";
  return shoulder;
}

function birthOf(record: ArkRecord, reason: string): Change {
  return {
    subject: "ark",
    target: record.key,
    action: "restore",
    beforeUrl: "",
    afterUrl: "",
    fields: ["state"],
    reason,
  };
}
