// Entries of vocabularies that a record names (R9b): what looking them up costs follows from the record, not from the
// size of the vocabulary.
import { expect, test } from "bun:test";
import { most } from "../../src/shared/limits.ts";
import { cpuMs } from "../support/cpu-time.ts";
import { onEachDatabase } from "../support/databases.ts";
import { RECORD } from "../support/record-calls.ts";
import { NOW } from "../support/seed.ts";
import type { Json } from "../support/world/names.ts";
import { openWorld } from "../support/world.ts";

const ENTRIES = 5_000;
const numbered = (count: number, prefix: string): readonly { id: string }[] =>
  Array.from({ length: count }, (_, i) => ({ id: `${prefix}${i}` }));

onEachDatabase("entries that a record names", (database) => {
  test("R9b a thousand unknown ids among thousands of entries cost little; those that are there have their titles, more than the limit are refused", async () => {
    const world = await openWorld({ repository: true, database });
    const entries = numbered(ENTRIES, "x").map(({ id }) => ({
      ...{ type: "subjects", id, title: { en: `Title of ${id}`, ja: "" }, props: {} },
    }));
    await world.store.transact((tx) => tx.communities.putVocabulary(entries, NOW));
    const post = async (metadata: object) => {
      const body = JSON.stringify({ ...RECORD, metadata: { ...RECORD.metadata, ...metadata } });
      const headers = { "content-type": "application/json" };
      return await world.ask("registered", "POST", "/api/records", { headers, body });
    };
    const odd = [{ id: "a\u0000b" }, { id: "x4999" }, { id: "'" }, { id: "x17" }];
    let answer = await post({ subjects: [{ id: "x1" }] });
    const used = await cpuMs(async () => {
      answer = await post({ languages: numbered(1_000, "q"), subjects: [...numbered(1_000, "none"), ...odd.slice(1)] });
    });
    expect(answer.status).toBe(201);
    expect(used).toBeLessThan(3_000);
    const shown = (answer.json.metadata as Json).subjects as readonly Json[];
    const titled = shown.filter(({ subject }) => String(subject).startsWith("Title of"));
    expect(titled.map(({ id }) => id)).toEqual(["x4999", "x17"]);
    const excess = await post({ creators: withAffiliations(most("entriesNamed") + 1) });
    expect([excess.status, excess.text]).toEqual([
      400,
      expect.stringContaining(`at most ${most("entriesNamed")} are allowed`),
    ]);
    expect((excess.json.errors as readonly Json[]).map(({ field }) => field)).toEqual(["metadata"]);
  });
});

/** Creators that name this number of different affiliations. */
function withAffiliations(count: number) {
  const all = numbered(count, "org");
  const creators = [];
  for (let from = 0; from < count; from += 5_000) {
    const person = { type: "personal", family_name: `Name ${from}`, given_name: "A" };
    creators.push({ person_or_org: person, affiliations: all.slice(from, from + 5_000) });
  }
  return creators;
}
