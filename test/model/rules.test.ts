// The small rules of items: days, versions, what a duplicate is, how open an item is, and the one word tools show.
import { describe, expect, test } from "bun:test";
import { accessStatus, opensOn, statedAccessWarning } from "../../src/model/access/openness.ts";
import type { Access, ItemFile, ItemState, ReviewState } from "../../src/model/items/item.ts";
import { latestOf, neighboursOf } from "../../src/model/items/versions.ts";
import { identifierText, normalised, searchedKeys, storedKeys } from "../../src/model/metadata/duplicate-keys.ts";
import { type Agent, EMPTY_METADATA, type Metadata } from "../../src/model/metadata/metadata.ts";
import { toolStatus } from "../../src/repository/records/record-json.ts";
import { dayIn, isDay } from "../../src/shared/time/day.ts";
import { runWithoutYielding } from "../../src/shared/time/event-loop.ts";
import { agentOf } from "../support/cited-items.ts";

const TODAY = "2026-11-20";
const TOMORROW = "2026-11-21";

describe("days", () => {
  test.each([
    ["UTC", "2026-11-20T23:59:59.999Z", "2026-11-20"],
    ["UTC", "2026-11-21T00:00:00.000Z", "2026-11-21"],
    ["Asia/Tokyo", "2026-11-20T14:59:59.999Z", "2026-11-20"],
    ["Asia/Tokyo", "2026-11-20T15:00:00.000Z", "2026-11-21"],
    ["America/Los_Angeles", "2026-11-21T07:59:59.999Z", "2026-11-20"],
    ["UTC", "0099-01-02T00:00:00.000Z", "0099-01-02"],
  ])("R2d the day in %s at %s is %s", (zone, instant, day) => {
    expect(dayIn(zone, instant)).toBe(day);
  });
  test("R2d a time zone nobody knows is an error", () => {
    expect(() => dayIn("Nowhere/Land", "2026-11-20T00:00:00.000Z")).toThrow(RangeError);
  });
  test.each([
    ["2024-02-29", true],
    ["2023-02-29", false],
    ["2026-13-01", false],
    ["2026-00-10", false],
    ["2026-1-1", false],
    ["0050-06-01", true],
    ["9999-12-31", true],
    ["", false],
    ["2026-11-20T00:00:00Z", false],
  ])("isDay(%p) is %p", (text, expected) => {
    expect(isDay(text)).toBe(expected);
  });
});

describe("versions", () => {
  const version = (id: number, versionIndex: number, state: ItemState) => ({ id, versionIndex, state });
  test("R2a the latest is the published version with the highest index", () => {
    expect(latestOf([version(5, 1, "published"), version(9, 2, "published"), version(11, 3, "draft")])?.id).toBe(9);
    expect(latestOf([version(5, 1, "published"), version(9, 2, "deleted")])?.id).toBe(5);
    expect(latestOf([version(5, 1, "deleted"), version(9, 2, "draft")])).toBeNull();
  });
  test("R2b what a version replaces and by what it is replaced, deleted and unpublished ones passed over", () => {
    const all = [
      version(5, 1, "published"),
      version(9, 2, "deleted"),
      version(11, 3, "published"),
      version(13, 4, "draft"),
    ];
    expect(neighboursOf(all, 5)).toEqual({ replaces: null, isReplacedBy: 11 });
    expect(neighboursOf(all, 11)).toEqual({ replaces: 5, isReplacedBy: null });
    expect(neighboursOf(all, 99)).toEqual({ replaces: null, isReplacedBy: null });
  });
});

describe("duplicates", () => {
  test.each([
    ["DOI", "10.5555/ABC", "doi:10.5555/abc"],
    ["URI", "https://doi.org/10.5555/abc", "doi:10.5555/abc"],
    ["URI", "http://dx.doi.org/10.5555%2Fabc", "doi:10.5555/abc"],
    ["DOI", "doi: 10.5555/abc", "doi:10.5555/abc"],
    ["DOI", "１０.５５５５/abc", "doi:10.5555/abc"],
    ["HDL", "2433/1234", "hdl:2433/1234"],
    ["URI", "http://hdl.handle.net/2433/1234", "hdl:2433/1234"],
    ["ARK", "ark:/99999/b1-xyz", "ark:99999/b1xyz"],
    ["URI", "https://n2t.net/ark:99999/b1xyz", "ark:99999/b1xyz"],
    ["URI", "HTTPS://WWW.Example.org/Path/", "uri:example.org/Path"],
    ["ISBN", "978-4-00-000000-0", "isbn:9784000000000"],
    ["PMID", "12345", "pmid:12345"],
  ])("R18 the identifier %s %s is %s", (scheme, value, expected) => {
    expect(identifierText({ scheme, value })).toBe(expected);
  });
  test("R18 an identifier without a value is none", () => {
    expect(identifierText({ scheme: "DOI", value: "  " })).toBeNull();
    expect(identifierText({ scheme: "DOI", value: "", uri: "https://doi.org/10.5555/x" })).toBe("doi:10.5555/x");
    expect(identifierText({ scheme: "URI", value: "https://example.org/%E0%A4%A" })).toBe("uri:example.org/%E0%A4%A");
  });
  test("R18 titles are NFKC, lower case, without spaces and punctuation", () => {
    expect(normalised("Ｔｈｅ　Title: of—the (Thing)!  ﾃｽﾄ")).toBe("thetitleofthethingテスト");
  });

  const agent = (family: string, given: string): Agent => agentOf({ names: [{ family, given }] });
  const work = (changes: Partial<Metadata> = {}): Metadata => ({
    ...EMPTY_METADATA,
    type: { id: "publication-article" },
    titles: [{ value: "A Title", kind: "main" }],
    creators: [agent("Doe", "Ada"), agent("Roe", "Bob")],
    ...changes,
  });
  const key = (changes: Partial<Metadata> = {}) => runWithoutYielding(searchedKeys(work(changes)))[0];
  test("R18 without identifiers title, type and all creators must agree", () => {
    expect(key({ titles: [{ value: "a  TITLE.", kind: "main" }] })).toEqual(key());
    expect(key({ creators: [agent("Roe", "Bob"), agent("Doe", "Ada")] })).toEqual(key());
    expect(key({ creators: [agent("Doe", "Ada")] })).not.toEqual(key());
    expect(key({ type: { id: "dataset" } })).not.toEqual(key());
    expect(key({ titles: [{ value: "Another", kind: "main" }] })).not.toEqual(key());
    expect(runWithoutYielding(searchedKeys(work({ titles: [] })))).toEqual([]);
  });
  test("R18 with identifiers only they are asked for, and both are stored", () => {
    const identified = work({
      identifiers: [{ scheme: "DOI", value: "10.5555/x" }],
      registration: { scheme: "JaLC", value: "10.5555/y" },
    });
    expect(runWithoutYielding(searchedKeys(identified)).map(({ text }) => text)).toEqual([
      "doi:10.5555/x",
      "doi:10.5555/y",
    ]);
    expect(runWithoutYielding(storedKeys(identified)).map(({ kind }) => kind)).toEqual([
      "identifier",
      "identifier",
      "work",
    ]);
  });
});

describe("access status", () => {
  const OPEN: Access = { record: "public", openDate: TODAY, files: "public", embargoUntil: null, embargoReason: "" };
  const file = (access: ItemFile["access"] = "open", accessDate: string | null = null): ItemFile => ({
    name: "a",
    storageKey: "k",
    sha256: "",
    md5: null,
    sizeBytes: 1,
    mediaType: "text/plain",
    access,
    accessDate,
    groups: [],
  });
  test.each<[string, Partial<Access>, readonly ItemFile[], string]>([
    ["a public record with an open file", {}, [file(), file("closed")], "open"],
    ["a public record without files", {}, [], "metadata-only"],
    ["a restricted record", { record: "restricted" }, [file()], "restricted"],
    ["restricted files", { files: "restricted" }, [file()], "restricted"],
    ["only closed files", {}, [file("closed"), file("login")], "restricted"],
    ["an embargo until tomorrow", { embargoUntil: TOMORROW }, [file()], "embargoed"],
    [
      "an embargo that ends today",
      { embargoUntil: TODAY, files: "restricted", record: "restricted" },
      [file()],
      "open",
    ],
    ["a record that opens tomorrow", { openDate: TOMORROW }, [file()], "embargoed"],
    [
      "a restricted record that would open tomorrow",
      { record: "restricted", openDate: TOMORROW },
      [file()],
      "restricted",
    ],
    ["a restricted record whose files open tomorrow", { record: "restricted" }, [file("date", TOMORROW)], "restricted"],
    ["restricted files that open tomorrow", { files: "restricted" }, [file("date", TOMORROW)], "restricted"],
    ["files that all open tomorrow", {}, [file("date", TOMORROW), file("date", TOMORROW)], "embargoed"],
    ["files that open on two days", {}, [file("date", TOMORROW), file("date", "2027-01-01")], "restricted"],
    ["a file that opened today", {}, [file("date", TODAY)], "open"],
  ])("R2d the status of %s", (_, access, files, expected) => {
    expect(accessStatus({ access: { ...OPEN, ...access }, files }, TODAY)).toBe(expected as never);
  });
  test("R2d the day on which access opens by itself", () => {
    expect(opensOn({ access: { ...OPEN, embargoUntil: TOMORROW }, files: [] }, TODAY)).toBe(TOMORROW);
    expect(opensOn({ access: OPEN, files: [file("date", TOMORROW)] }, TODAY)).toBe(TOMORROW);
    expect(opensOn({ access: OPEN, files: [] }, TODAY)).toBeNull();
  });
  test("R2d a contradiction with the stated access rights is a warning", () => {
    const content = {
      access: OPEN,
      files: [file()],
      metadata: { ...EMPTY_METADATA, accessRights: { label: "Open Access" } },
    };
    expect(statedAccessWarning(content, TODAY)).toBeNull();
    expect(statedAccessWarning({ ...content, metadata: EMPTY_METADATA }, TODAY)).toBeNull();
    const closed = { ...content, access: { ...OPEN, files: "restricted" as const } };
    expect(statedAccessWarning(closed, TODAY)).toBe(
      'The metadata state "Open Access", the item is under "restricted access"',
    );
  });
});

test.each<[ItemState, number, ReviewState | null, string]>([
  ["draft", 1, null, "draft"],
  ["draft", 1, "created", "draft_with_review"],
  ["draft", 1, "submitted", "in_review"],
  ["draft", 1, "declined", "declined"],
  ["draft", 1, "expired", "expired"],
  ["draft", 2, null, "new_version_draft"],
  ["draft", 2, "created", "new_version_draft_with_review"],
  ["draft", 2, "submitted", "in_review"],
  ["published", 1, null, "published"],
  ["deleted", 3, null, "deleted"],
])(
  "R2c the status of an item that is %s, version %p, with review %p is %s",
  (state, versionIndex, review, expected) => {
    expect(toolStatus({ state, versionIndex }, review)).toBe(expected as never);
  },
);
