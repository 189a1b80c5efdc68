// The state table as data and what the calls make of a record, without any database (A8 to A11, A18, A42).
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import * as rules from "../../src/ark/lifecycle-table.ts";
import { newRecord } from "../../src/ark/new-name.ts";
import {
  ARK_STATES,
  type ArkRecord,
  type ArkState,
  DESCRIPTIVE_FIELDS,
  EMPTY_DESCRIPTION,
} from "../../src/ark/record.ts";
import { parseArk } from "../../src/ark/syntax.ts";
import { ServiceError } from "../../src/shared/errors.ts";
import { readInstant } from "../../src/shared/time/instant.ts";

const NOW = "2026-11-20T10:00:00.000Z";

function aRecord(published: boolean): ArkRecord {
  const description = { ...EMPTY_DESCRIPTION, url: "https://example.org/", title: "A thing", commitment: "Kept" };
  const ark = parseArk("99999/b1x");
  return newRecord({ ark, shoulder: "b1", origin: "minted", organisationId: 1, published, description }, NOW);
}

/** What the service does with a record for each action that changes one, at minute `minute`. */
function apply(action: rules.Action, record: ArkRecord, minute: number): ArkRecord {
  const now = new Date(Date.parse(NOW) + minute * 60_000).toISOString();
  const cell = rules.LIFECYCLE[action][record.state];
  if ("refuse" in cell) return record;
  switch (action) {
    case "update":
      return rules.described(record, { title: `Title ${minute}` }, "replace", now);
    case "publish":
      return rules.published(record, now);
    case "unpublish":
      return rules.unpublished(record, now);
    case "tombstone":
      return rules.tombstoned(record, {}, now);
    case "lift-tombstone":
      return record.state === "tombstoned" ? rules.lifted(record, "https://example.org/", now) : record;
    case "hold":
      return rules.held(record, "2026-12-01T00:00:00.000Z", "R", now);
    case "release":
      return rules.held(record, null, null, now);
    case "delete":
    case "delete-bulk":
      return rules.withdrawn(record, "deleted", "R", now);
    case "purge":
      return rules.withdrawn(record, "purged", "R", now);
    case "register-below":
      return record;
  }
}

const codeOf = (work: () => unknown): number | null => {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
};

describe("A9 the table", () => {
  test("A9 every action has a cell for every state", () => {
    for (const action of rules.ACTIONS)
      expect(Object.keys(rules.LIFECYCLE[action]).sort()).toEqual([...ARK_STATES].sort());
  });

  test("A9 a withdrawn name refuses everything as if it were not there, and does not tell its state", () => {
    for (const state of ["deleted", "purged"] as const) {
      const record = rules.withdrawn(aRecord(true), state, "R", NOW);
      for (const action of rules.ACTIONS) {
        const refusal = ((): unknown => {
          try {
            return rules.admit(action, record);
          } catch (error) {
            return error;
          }
        })();
        expect(refusal).toMatchObject({ code: 1401, detail: { ark: "ark:99999/b1x" } });
        expect(JSON.stringify(refusal)).not.toContain(state);
      }
    }
  });

  test("L37 A8 the ceremony follows the state: only a name that was never public goes without", () => {
    const solemn = rules.ACTIONS.flatMap((action) =>
      ARK_STATES.filter((state) => {
        const cell = rules.LIFECYCLE[action][state];
        return "to" in cell && cell.ceremony !== "none";
      }).map((state) => `${action} ${state}`),
    );
    expect(solemn).toEqual([
      "unpublish published",
      "delete unpublished",
      "purge reserved",
      "purge published",
      "purge unpublished",
      "purge tombstoned",
    ]);
  });

  test("L2 A8 A10 A11 whatever happens in whatever order: the key stays, a withdrawal is final, the first publication is never cleared", () => {
    const actions = fc.array(fc.constantFrom(...rules.ACTIONS), { maxLength: 25 });
    fc.assert(
      fc.property(fc.boolean(), actions, (published, sequence) => {
        let record = aRecord(published);
        for (const [index, action] of sequence.entries()) {
          const before = record;
          record = apply(action, before, index + 1);
          expect(record.key).toBe(before.key);
          if (before.firstPublishedAt !== null) expect(record.firstPublishedAt).toBe(before.firstPublishedAt);
          if (before.withdrawnAt !== null) expect(record).toBe(before);
          expect(record.publishedAt !== null && record.firstPublishedAt === null).toBe(false);
          if (record.state === "published") expect(record.publishedAt).not.toBe(null);
          if (record.state === "reserved") expect(record.firstPublishedAt).toBe(null);
          if (record.state === "unpublished")
            expect([record.publishedAt, record.firstPublishedAt === null]).toEqual([null, false]);
          const cell = rules.LIFECYCLE[action][before.state];
          if ("refuse" in cell) expect(record).toBe(before);
          else if (action !== "lift-tombstone" && action !== "register-below") expect(record.state).toBe(cell.to);
        }
      }),
    );
  });
});

describe("A10 A11 A18 what a call makes of a record", () => {
  test("A18 replace empties what is left out, patch keeps it, and nothing but the description changes", () => {
    const before = { ...aRecord(true), holdUntil: "2026-12-01T00:00:00.000Z", holdReason: "R" };
    const later = "2026-11-20T11:00:00.000Z";
    const replaced = rules.described(before, { who: "Somebody" }, "replace", later);
    expect(replaced).toEqual({ ...before, ...EMPTY_DESCRIPTION, who: "Somebody", updatedAt: later });
    const patched = rules.described(before, { who: "Somebody", title: "" }, "patch", later);
    expect(patched).toEqual({ ...before, who: "Somebody", title: "", updatedAt: later });
    expect(rules.described(before, {}, "patch", later)).toBe(before);
  });

  test("A10 a tombstone keeps its date when its page moves, and refuses another target by update (1505)", () => {
    const first = rules.tombstoned(aRecord(true), { url: "https://example.org/a" }, NOW);
    const moved = rules.tombstoned(first, { url: "https://example.org/b" }, "2026-11-21T10:00:00.000Z");
    expect(moved).toMatchObject({ tombstonedAt: NOW, url: "https://example.org/b", commitment: "Kept" });
    expect(codeOf(() => rules.described(moved, { url: "https://example.org/c" }, "patch", NOW))).toBe(1505);
    expect(codeOf(() => rules.described(moved, { url: "" }, "patch", NOW))).toBe(1505);
    expect(rules.described(moved, {}, "replace", NOW).url).toBe("https://example.org/b");
  });

  test("A11 a withdrawn record no longer describes the object, only when it was first public and why it went", () => {
    const record = rules.withdrawn({ ...aRecord(true), holdUntil: NOW, holdReason: "R" }, "purged", "Why", NOW);
    for (const field of DESCRIPTIVE_FIELDS) expect(record[field]).toBe("");
    expect(record).toMatchObject({ firstPublishedAt: NOW, publishedAt: null, withdrawnReason: "Why", holdUntil: null });
  });

  test("A27 the history names exactly the fields that differ", () => {
    const before = aRecord(true);
    const states: ArkState[] = ["published", "tombstoned"];
    expect(states.map((state) => rules.changedFields(before, { ...before, state }))).toEqual([[], ["state"]]);
    const after = { ...before, title: "", who: "x", holdUntil: NOW, holdReason: "R" };
    expect(rules.changedFields(before, after)).toEqual(["title", "who", "hold_until", "hold_reason"]);
  });
});

describe("A42 holds", () => {
  test("A16 A42 a hold is over at the very moment it ends", () => {
    const held = { holdUntil: NOW, holdReason: "R" };
    expect(rules.holdAt(held, NOW)).toBe(null);
    expect(rules.holdAt(held, "2026-11-20T09:59:59.999Z")).toEqual({ until: NOW, reason: "R" });
    expect(rules.holdAt({ holdUntil: null, holdReason: null }, NOW)).toBe(null);
  });

  test("A42 the end lies after now and at most the limit of days away (1020)", () => {
    const end = (until: string) => codeOf(() => rules.requireHoldEnd(until, NOW, 90));
    expect(end(NOW)).toBe(1020);
    expect(end("2026-11-20T10:00:00.001Z")).toBe(null);
    expect(end("2027-02-18T10:00:00.000Z")).toBe(null);
    expect(end("2027-02-18T10:00:00.001Z")).toBe(1020);
  });
});

describe("A17 moments as callers write them", () => {
  const vectors = readFileSync(new URL("../vectors/instants.txt", import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  for (const line of vectors) {
    const [text = "", expected = ""] = line.split("|");
    test(`A17 "${text}" is ${expected === "" ? "refused" : expected}`, () => {
      expect(readInstant(text)).toBe(expected === "" ? null : expected);
    });
  }
});
