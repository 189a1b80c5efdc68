// Who may see an item and read its files, as keys (R2d, R34, R35): what an index is asked for a viewer agrees with the
// rules of visibility, on the day a document was made and on every later one.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { GUEST, isAdministrator, type Viewer } from "../../../src/auth/account.ts";
import {
  fileReading,
  type IndexGate,
  mayPreview,
  mayReadRecord,
  mayView,
  type RecordFacts,
} from "../../../src/model/access/visibility.ts";
import { FIELDS, type SearchDocument } from "../../../src/repository/search/document/document.ts";
import {
  admitting,
  indexesAsked,
  personalKeys,
  SHARED_PREFIX,
  viewerKeys,
  visibilityKeys,
} from "../../../src/repository/search/document/keys.ts";
import { fileClasses, readableClasses, withReaders } from "../../../src/repository/search/query/file-classes.ts";
import { arbitraryFacts, arbitraryFileAccess, arbitraryViewer, DAYS } from "../../support/arbitrary-visibility.ts";
import { isTrueOf } from "../../support/naive-index.ts";

/** A document with what matters here; `day`: when it was made. */
function documentOf(facts: RecordFacts, day: string, files = ""): SearchDocument {
  return {
    id: 1,
    parentId: 1,
    digest: "",
    texts: { [FIELDS.files]: files },
    keys: {
      [FIELDS.visibility]: visibilityKeys(facts, day),
      [FIELDS.under]: facts.lineages.flat().map(({ id }) => String(id)),
    },
    labels: {},
    numbers: {},
    sorts: {},
  };
}

const lineagesOf = (facts: RecordFacts) => (index: number) =>
  facts.lineages.find(([first]) => first?.id === index) ?? [];

function isFound(facts: RecordFacts, viewer: Viewer, made: string, asked: string): boolean {
  const document = documentOf(facts, made);
  const known = (document.keys[FIELDS.visibility] ?? []).filter((key) => key.startsWith(SHARED_PREFIX));
  const condition = admitting(viewer, asked, known, lineagesOf(facts));
  return condition === null || isTrueOf(condition, document);
}

const twoDays = fc
  .tuple(fc.nat(DAYS.length - 1), fc.nat(DAYS.length - 1))
  .map(([one, other]) => [DAYS[Math.min(one, other)] ?? "", DAYS[Math.max(one, other)] ?? ""] as const);

const gate = (changes: Partial<IndexGate>): IndexGate => ({
  id: 7,
  parent: 0,
  position: 0,
  publicState: true,
  publicDate: null,
  browsingRole: [],
  browsingGroup: [],
  contributeRole: [],
  contributeGroup: [],
  ...changes,
});

describe("R2d R34 visibility keys", () => {
  test("R2d R34 an item is found by exactly those who may read it, on the day it was made known and on every later one", () => {
    fc.assert(
      fc.property(arbitraryFacts, arbitraryViewer, twoDays, (facts, viewer, [made, asked]) => {
        expect(isFound(facts, viewer, made, asked)).toBe(mayReadRecord(viewer, facts, asked));
      }),
      { numRuns: 20_000 },
    );
  });

  test("R2d R37 a draft is found by exactly those who may read it", () => {
    fc.assert(
      fc.property(arbitraryFacts, arbitraryViewer, (facts, viewer) => {
        const held = new Set(viewerKeys(viewer));
        const isHeld = personalKeys(facts, "preview").some((key) => held.has(key));
        expect(isAdministrator(viewer) || isHeld).toBe(mayPreview(viewer, facts));
      }),
      { numRuns: 5_000 },
    );
  });

  test("R34 keys are letters and digits, 64 at most, and those of many persons few", () => {
    fc.assert(
      fc.property(arbitraryFacts, fc.constantFrom(...DAYS), (facts, day) => {
        for (const key of visibilityKeys(facts, day)) expect(key).toMatch(/^[a-z0-9]{1,64}$/);
      }),
    );
    const open: RecordFacts = {
      owner: 1,
      shared: [2],
      communities: ["x"],
      state: "published",
      access: { record: "public", openDate: "2020-01-01", files: "public", embargoUntil: null, embargoReason: "" },
      lineages: [
        [gate({ browsingRole: [1, 2, 3, 4, -98, -99] }), gate({ browsingRole: [3, 4, -98, -99], browsingGroup: [5] })],
      ],
    };
    expect(visibilityKeys(open, "2026-11-20")).toEqual(["a1", "a2", expect.stringMatching(/^c/), "so0", "sr0"]);
    const members = [
      [gate({ browsingRole: [3], browsingGroup: [12, 5] }), gate({ browsingRole: [3, 4], browsingGroup: [5, 12] })],
    ];
    expect(visibilityKeys({ ...open, lineages: members }, "2026-11-20").slice(-1)).toEqual(["sr0ieg5g12"]);
  });

  test("R34 a rule that is too long for a key is asked of the tree", () => {
    const groups = Array.from({ length: 40 }, (_, at) => 1000 + at);
    const facts: RecordFacts = {
      owner: 1,
      shared: [],
      communities: [],
      state: "published",
      access: { record: "public", openDate: "2026-11-20", files: "public", embargoUntil: null, embargoReason: "" },
      lineages: [[gate({ browsingGroup: groups })]],
    };
    const keys = visibilityKeys(facts, "2026-11-19");
    expect(keys).toContain("si20261120x7");
    expect(indexesAsked(keys)).toEqual([7]);
    const member = { ...GUEST, groups: [1039] };
    for (const viewer of [GUEST, member]) {
      for (const day of DAYS.slice(1)) {
        expect(isFound(facts, viewer, "2026-11-19", day)).toBe(mayReadRecord(viewer, facts, day));
      }
    }
  });
});

describe("R35 classes of files", () => {
  test("R35 a word of a file makes a hit for exactly those who may read the file", () => {
    fc.assert(
      fc.property(
        arbitraryFacts,
        arbitraryFileAccess,
        arbitraryViewer,
        twoDays,
        (facts, file, viewer, [made, asked]) => {
          const classes = fileClasses(file, facts.access, made);
          const document = documentOf(facts, made, classes.map((each) => `${each}word`).join(" "));
          const known = readableClasses(viewer, asked, classes);
          const word = withReaders({ kind: "token", field: FIELDS.files, token: "word" }, viewer, known);
          const start = withReaders({ kind: "prefix", field: FIELDS.files, prefix: "wo" }, viewer, known);
          // Files that are named for more groups than an index knows are left to the first of them: here are fewer.
          const isHit = isFound(facts, viewer, made, asked) && isTrueOf(word, document);
          expect(isHit).toBe(fileReading(viewer, facts, asked)(file));
          expect(isTrueOf(start, document)).toBe(isTrueOf(word, document));
          if (!mayView(viewer, facts) && file.access === "closed") expect(isHit).toBe(false);
        },
      ),
      { numRuns: 20_000 },
    );
  });

  test("R35 no class and token are another class and token, and what is in other fields is left alone", () => {
    const classes = ["f0z", "f0sz", "f20261120z", "f0g12z", "pz"];
    const starts = classes.filter((one) => classes.some((other) => other !== one && other.startsWith(one)));
    expect(starts).toEqual([]);
    const condition = { kind: "token", field: FIELDS.all, token: "word" } as const;
    expect(withReaders(condition, GUEST, ["f0z"])).toEqual(condition);
  });
});
