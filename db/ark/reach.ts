// What a caller reaches, as ranges of the primary key (A17, A21): a shoulder's names lie side by side.
import type { Reach } from "../../src/ark/store.ts";
import type { Session } from "../engine/dialect.ts";

/** Keys from `start` to before `end`, compared byte by byte; `shoulders` null: all of them in that range. */
export type KeyRange = { readonly start: string; readonly end: string; readonly shoulders: readonly string[] | null };

type ReachQuery = { readonly reach: Reach; readonly naan?: string; readonly shoulder?: string };
export type ShoulderKey = { readonly naan: string; readonly shoulder: string };

/** Covers every key: NAANs consist of digits and lower-case letters. */
const ALL: KeyRange = { start: "", end: "~", shoulders: null };

function startingWith(prefix: string, shoulders: readonly string[] | null): KeyRange {
  const last = prefix.charCodeAt(prefix.length - 1);
  return { start: prefix, end: prefix.slice(0, -1) + String.fromCharCode(last + 1), shoulders };
}

/** One range for each shoulder; one that begins with another's letters lies within that one's range and joins it. */
function rangesOfShoulders(keys: readonly ShoulderKey[]): readonly KeyRange[] {
  const ranges = keys
    .map(({ naan, shoulder }) => startingWith(`${naan}/${shoulder}`, [shoulder]))
    .sort((a, b) => (a.start < b.start ? -1 : 1));
  const merged: KeyRange[] = [];
  for (const range of ranges) {
    const previous = merged.at(-1);
    if (previous === undefined || range.start >= previous.end) merged.push(range);
    else {
      const shoulders = [...(previous.shoulders ?? []), ...(range.shoulders ?? [])];
      merged[merged.length - 1] = { ...previous, shoulders: [...new Set(shoulders)] };
    }
  }
  return merged;
}

/** The registered shoulders within reach. */
export function shouldersInReach(session: Session, { reach, ...wanted }: ReachQuery): Promise<readonly ShoulderKey[]> {
  const naan = reach.kind === "system" ? wanted.naan : reach.naan;
  let query = session.db.selectFrom("shoulder").select(["naan", "shoulder"]);
  if (naan !== undefined) query = query.where("naan", "=", naan);
  if (wanted.shoulder !== undefined) query = query.where("shoulder", "=", wanted.shoulder);
  if (reach.kind === "organisation") {
    query = query.where("organisation_id", "=", reach.organisationId);
    if (reach.shoulder !== null) query = query.where("shoulder", "=", reach.shoulder);
  }
  return query.execute();
}

/** The ranges to look through, in key order and apart from each other. */
export async function keyRangesOf(session: Session, wanted: ReachQuery): Promise<readonly KeyRange[]> {
  const { reach, shoulder } = wanted;
  if (reach.kind !== "system" && wanted.naan !== undefined && wanted.naan !== reach.naan) return [];
  const naan = reach.kind === "system" ? wanted.naan : reach.naan;
  if (reach.kind === "organisation") return rangesOfShoulders(await shouldersInReach(session, wanted));
  if (shoulder === undefined) return [naan === undefined ? ALL : startingWith(`${naan}/`, null)];
  if (naan !== undefined) return rangesOfShoulders([{ naan, shoulder }]);
  return rangesOfShoulders(await shouldersInReach(session, wanted));
}
