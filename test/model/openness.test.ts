// The badge of an item (R2d): "open" is shown only where everybody may have every file now.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { GUEST } from "../../src/auth/account.ts";
import { openness } from "../../src/model/access/openness.ts";
import { fileReading, mayReadRecord } from "../../src/model/access/visibility.ts";
import type { Access, FileAccess } from "../../src/model/items/item.ts";
import { fileFacts } from "../../src/model/items/summary.ts";

const TODAY = "2026-11-20";
const SOON = "2027-01-01";
const LATER = "2028-01-01";
const OPEN: Access = { record: "public", openDate: TODAY, files: "public", embargoUntil: null, embargoReason: "" };
const file = (access: FileAccess, accessDate: string | null = null) => ({ access, accessDate });

describe("openness()", () => {
  test.each<[string, Partial<Access>, ReturnType<typeof file>[], string, string | null]>([
    ["every file open", {}, [file("open"), file("date", TODAY)], "open", null],
    ["no file", {}, [], "metadata-only", null],
    ["open, closed and embargoed", {}, [file("open"), file("closed"), file("date", SOON)], "partly", SOON],
    ["closed and embargoed", {}, [file("closed"), file("date", SOON)], "later", SOON],
    ["open and closed", {}, [file("open"), file("closed")], "partly", null],
    ["open and for members", {}, [file("open"), file("login")], "partly", null],
    ["open and two days", {}, [file("open"), file("date", LATER), file("date", SOON)], "partly", SOON],
    ["one day for all", {}, [file("date", SOON), file("date", SOON)], "embargoed", SOON],
    ["different days", {}, [file("date", LATER), file("date", SOON)], "later", SOON],
    ["for members only", {}, [file("login"), file("closed")], "restricted", null],
    ["a date without a day", {}, [file("date")], "restricted", null],
    ["an embargo", { embargoUntil: SOON }, [file("open"), file("closed")], "embargoed", SOON],
    ["an embargo that ended", { embargoUntil: TODAY, files: "restricted" }, [file("open")], "open", null],
    ["an open date to come", { openDate: SOON }, [file("open")], "embargoed", SOON],
    ["an embargo and a later open date", { embargoUntil: SOON, openDate: LATER }, [file("open")], "embargoed", LATER],
    ["a restricted record with an open date to come", { record: "restricted", openDate: SOON }, [], "restricted", null],
    ["a restricted record", { record: "restricted" }, [file("open")], "restricted", null],
    ["restricted files", { files: "restricted" }, [file("open")], "restricted", null],
  ])("R2d %s", (_, access, files, kind, opensOn) => {
    expect(openness({ access: { ...OPEN, ...access }, files }, TODAY)).toEqual({ kind, opensOn } as never);
  });

  test("R2d open and partly are shown exactly where guests may have all and some of the files, and a day is when they get more", () => {
    const day = fc.constantFrom(TODAY, "2020-01-01", SOON, LATER);
    const access = fc.record({
      record: fc.constantFrom("public", "restricted"),
      openDate: fc.constantFrom(TODAY, SOON),
      files: fc.constantFrom("public", "restricted"),
      embargoUntil: fc.option(day),
      embargoReason: fc.constant(""),
    }) as fc.Arbitrary<Access>;
    const anyFile = fc.tuple(fc.constantFrom("open", "date", "login", "closed"), fc.option(day)).map(([kind, on]) => ({
      access: kind as FileAccess,
      accessDate: kind === "date" ? on : null,
      groups: [],
    }));
    fc.assert(
      fc.property(access, fc.array(anyFile, { maxLength: 6 }), (facts, files) => {
        const state = openness({ access: facts, files }, TODAY);
        const item = {
          state: "published",
          access: facts,
          lineages: [],
          owner: 1,
          shared: [],
          communities: [],
        } as const;
        const given = (on: string) => files.filter(fileReading(GUEST, item, on)).length;
        const readable = (on: string) => mayReadRecord(GUEST, item, on);
        const now = given(TODAY);
        expect(state.kind === "open").toBe(now > 0 && now === files.length);
        expect(state.kind === "partly").toBe(now > 0 && now < files.length);
        if ((state.kind === "partly" || state.kind === "later") && state.opensOn !== null) {
          expect(given(state.opensOn)).toBeGreaterThan(now);
        }
        if (state.kind === "embargoed") expect(readable(state.opensOn)).toBe(true);
        // Lists know one fact of each kind only, and state the same.
        expect(openness({ access: facts, files: fileFacts(files) }, TODAY)).toEqual(state);
      }),
    );
  });
});
