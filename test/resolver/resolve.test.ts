// The decision about a request for a name, in the order of A31.
import { describe, expect, test } from "bun:test";
import type { ArkRecord, Naan, Shoulder } from "../../src/ark/record.ts";
import { checkCharacter } from "../../src/ark/syntax.ts";
import { readRegistry } from "../../src/resolver/registry.ts";
import { type Decision, type ResolutionSettings, resolveRequest } from "../../src/resolver/resolve.ts";
import { plainTable, type WritableTable } from "../../src/resolver/table.ts";
import {
  arkRecord,
  NEVER_PUBLIC,
  naanOf,
  ORGANISATION,
  resolutionSettings,
  shoulderOf,
  T0,
} from "../support/memory-replica.ts";

const NOW = "2026-03-01T00:00:00.000Z";
const LATER = "2026-04-01T00:00:00.000Z";

const SETTINGS = resolutionSettings({ allowedHosts: new Set(["ids.example.net"]) });

const REGISTRY = readRegistry({
  data: [
    { what: "12148", target: { url: "http://ark.bnf.fr/ark:/${content}", http_code: 302 }, rtype: "PublicNAAN" },
    { what: "b7280", target: { url: "https://doi.org/10.7280/${value}", http_code: 303 }, rtype: "PublicNAAN" },
    { what: "19156", target: { url: "https://n2t.example/${pid}", http_code: 302 }, rtype: "PublicNAAN" },
    {
      what: "19156/tkt42",
      target: { url: "https://vocab.example/brunner${suffix}", http_code: 302 },
      rtype: "PublicNAANShoulder",
    },
    { what: "99999/fk4", target: { url: "https://ezid.example/ark:/${content}" }, rtype: "PublicNAANShoulder" },
    { what: "99999/b1", target: { url: "https://other.example/ark:/${content}" }, rtype: "PublicNAANShoulder" },
    { what: "88888/k4", target: { url: "https://other.example/ark:/${content}" }, rtype: "PublicNAANShoulder" },
    { what: "88888", target: { url: "https://other.example/ark:/${content}" }, rtype: "PublicNAAN" },
    { what: "88888/x9", target: { url: "https://other.example/ark:/${content}" }, rtype: "PublicNAANShoulder" },
    { what: "30097", target: { url: "http://ville.example/p.php/ark:/${content}?dossier=42" }, rtype: "PublicNAAN" },
  ],
});

const NAANS: readonly Naan[] = [
  naanOf("99999"),
  naanOf("88888"),
  naanOf("77777", { authoritative: false, redirect: "https://seven.example/base/" }),
  naanOf("66666", { authoritative: false, redirect: "303 https://six.example/r?id=${value}" }),
  naanOf("55555", { authoritative: false, redirect: "https://id.example.org" }),
];

const SHOULDERS: readonly Shoulder[] = [
  shoulderOf("99999", "b1"),
  shoulderOf("99999", "d9", { status: "delegated", redirect: "https://nine.example/${blade}", checked: false }),
  shoulderOf("99999", "qt", { importOnly: true, checked: false }),
  shoulderOf("88888", "x9"),
];

function tableOf(records: readonly ArkRecord[], naans = NAANS, shoulders = SHOULDERS): WritableTable {
  const table = plainTable(REGISTRY);
  table.setPolicies({ naans, shoulders, organisations: [ORGANISATION] });
  for (const record of records) table.put(record);
  return table;
}

const GOOD = `99999/b1c0n4n7v8${checkCharacter("99999/b1c0n4n7v8")}`;
const records = [
  arkRecord("99999/b1pub", { url: "https://t.example/pub" }),
  arkRecord("99999/b1pub/part", { url: "https://t.example/part" }),
  arkRecord("99999/b1pub/hidden", { state: "reserved", url: "https://t.example/hidden", ...NEVER_PUBLIC }),
  arkRecord("99999/b1pub/gone", { state: "unpublished", url: "https://t.example/gone", publishedAt: null }),
  arkRecord("99999/b1pub/gone/back", { url: "https://t.example/back" }),
  arkRecord("99999/b1pub/draft", { state: "deleted", ...NEVER_PUBLIC, withdrawnAt: T0 }),
  arkRecord("99999/b1nourl"),
  arkRecord("99999/b1urn", { url: "urn:isbn:123" }),
  arkRecord("99999/b1held", { url: "https://t.example/held", holdUntil: LATER }),
  arkRecord("99999/b1over", { url: "https://t.example/over", holdUntil: "2026-02-01T00:00:00.000Z" }),
  arkRecord("99999/b1tomb", { state: "tombstoned", tombstonedAt: T0 }),
  arkRecord("99999/b1page", { state: "tombstoned", tombstonedAt: T0, url: "https://t.example/why" }),
  arkRecord("99999/b1purged", { state: "purged", publishedAt: null, withdrawnAt: T0 }),
  arkRecord("99999/b1never", { state: "purged", ...NEVER_PUBLIC, withdrawnAt: T0 }),
  arkRecord("99999/b1res", { state: "reserved", url: "https://t.example/res", ...NEVER_PUBLIC }),
  arkRecord("99999/b1rtomb", { state: "tombstoned", tombstonedAt: T0, ...NEVER_PUBLIC }),
  arkRecord("99999/b1utomb", { state: "tombstoned", tombstonedAt: T0, publishedAt: null }),
  arkRecord("99999/qtX%2Fy", { url: "https://t.example/encoded" }),
  arkRecord("99999/qtX/y", { url: "https://t.example/slash" }),
  arkRecord("99999/qtX%2Dq", { url: "https://t.example/realhyphen" }),
];
const table = tableOf(records);

const ask = (path: string, settings: Partial<ResolutionSettings> = {}, on = table): Decision =>
  resolveRequest(on, { ...SETTINGS, ...settings }, path, NOW);
const to = (location: string, status = 302) => ({ kind: "redirect", status, location }) as const;
const refused = (code: number) => ({ kind: "refusal", code });

describe("our names", () => {
  test("A31 L50 an exact published name leads to its target, in every spelling of it", () => {
    for (const path of ["/ark:99999/b1pub", "/ark:/99999/b1pub", "/ARK:9-9999/b1-pub", "/ark%3A99999//b1pub/."]) {
      expect(ask(path)).toEqual(to("https://t.example/pub"));
    }
  });

  test("A31 A32 L5 L51 the nearest known ancestor answers with the tail as received", () => {
    expect(ask("/ark:99999/b1pub/page-3")).toEqual(to("https://t.example/pub/page-3"));
    expect(ask("/ark:99999/b1pub.pdf")).toEqual(to("https://t.example/pub.pdf"));
    expect(ask("/ark:99999/b1pub/part/x/")).toEqual(to("https://t.example/part/x/"));
    expect(ask("/ark:99999/b1pub/full/!200,200/0/default.jpg")).toEqual(
      to("https://t.example/pub/full/!200,200/0/default.jpg"),
    );
    expect(ask("/ark:99999/b1publisher")).toMatchObject(refused(1403));
  });

  test("A3 a tail may be long, up to 4,096 bytes", () => {
    const long = "a".repeat(300);
    expect(ask(`/ark:99999/b1pub/${long}`)).toEqual(to(`https://t.example/pub/${long}`));
    expect(ask(`/ark:99999/b1pub/${"a".repeat(4095)}`)).toMatchObject({ kind: "redirect" });
    expect(ask(`/ark:99999/b1pub/${"a".repeat(4096)}`)).toMatchObject(refused(1004));
  });

  test("A31a a withdrawn name that was public stops the search for itself and all below, up to a nearer published one", () => {
    expect(ask("/ark:99999/b1pub/gone")).toMatchObject(refused(1402));
    expect(ask("/ark:99999/b1pub/gone/deeper")).toMatchObject(refused(1402));
    expect(ask("/ark:99999/b1pub/gone/back/x")).toEqual(to("https://t.example/back/x"));
    expect(ask("/ark:99999/b1purged")).toMatchObject(refused(1402));
    expect(ask("/ark:99999/b1purged/x")).toMatchObject(refused(1402));
    expect(ask("/ark:99999/b1utomb")).toMatchObject(refused(1402));
  });

  test("A31a L27 a name that was never public is as never seen: the search goes on upwards", () => {
    expect(ask("/ark:99999/b1pub/hidden")).toEqual(to("https://t.example/pub/hidden"));
    expect(ask("/ark:99999/b1pub/draft")).toEqual(to("https://t.example/pub/draft"));
    for (const name of ["b1res", "b1never", "b1rtomb"]) {
      const path = `/ark:99999/${name}`;
      expect(ask(path)).toMatchObject({ kind: "refusal", code: 1403 });
    }
  });

  test("A49 L27 in a closed network reserved names resolve, withdrawn ones stay 404", () => {
    const closed = { resolveUnpublished: true };
    expect(ask("/ark:99999/b1res", closed)).toEqual(to("https://t.example/res"));
    expect(ask("/ark:99999/b1pub/hidden/x", closed)).toEqual(to("https://t.example/hidden/x"));
    expect(ask("/ark:99999/b1pub/gone", closed)).toMatchObject(refused(1402));
    expect(ask("/ark:99999/b1never", closed)).toMatchObject(refused(1403));
  });

  test("A33 a query that is not an inflection is handed on, behind what the target has", () => {
    expect(ask("/ark:99999/b1pub?a=b&c")).toEqual(to("https://t.example/pub?a=b&c"));
    expect(ask("/ark:99999/b1pub/x?info=1")).toEqual(to("https://t.example/pub/x?info=1"));
  });

  test("A35 A32 no target, another scheme and a hold are described, also under a tail", () => {
    expect(ask("/ark:99999/b1nourl")).toMatchObject({ kind: "describe", inflection: null, hold: null });
    expect(ask("/ark:99999/b1urn/x")).toMatchObject({
      kind: "describe",
      requested: "99999/b1urn/x",
      subject: { key: "99999/b1urn", suffix: "/x" },
    });
    expect(ask("/ark:99999/b1held")).toMatchObject({ kind: "describe", hold: { scope: "ark", until: LATER } });
    expect(ask("/ark:99999/b1held/x")).toMatchObject({ kind: "describe", hold: { scope: "ark" } });
  });

  test("A42 a hold ends by the clock", () => {
    expect(ask("/ark:99999/b1over")).toEqual(to("https://t.example/over"));
    expect(resolveRequest(table, SETTINGS, "/ark:99999/b1held", LATER)).toEqual(to("https://t.example/held"));
  });

  test("A42 holds of shoulder and NAAN cover their names, the narrowest counts", () => {
    const held = { holdUntil: LATER, holdReason: "moving" };
    const byShoulder = tableOf(records, NAANS, [shoulderOf("99999", "b1", held)]);
    expect(ask("/ark:99999/b1pub", {}, byShoulder)).toMatchObject({ hold: { scope: "shoulder", reason: "moving" } });
    expect(ask("/ark:99999/b1held", {}, byShoulder)).toMatchObject({ hold: { scope: "ark" } });
    const byNaan = tableOf(records, [naanOf("99999", held)]);
    expect(ask("/ark:99999/b1pub/x", {}, byNaan)).toMatchObject({ hold: { scope: "naan" } });
    expect(ask("/ark:99999/b1pub/gone", {}, byNaan)).toMatchObject(refused(1402));
    expect(ask("/ark:99999", {}, byNaan)).toMatchObject({ kind: "describe", hold: { scope: "naan" } });
  });

  test("A10 a tombstone is described, or leads to its page without the tail", () => {
    expect(ask("/ark:99999/b1tomb")).toMatchObject({ kind: "describe", subject: { nameClass: "tombstone" } });
    expect(ask("/ark:99999/b1page/part/2")).toEqual(to("https://t.example/why"));
    expect(ask("/ark:99999/b1page?info")).toMatchObject({ kind: "describe" });
  });

  test("A36 an inflection describes, also under a passed-through name", () => {
    expect(ask("/ark:99999/b1pub/p/3?")).toMatchObject({
      kind: "describe",
      inflection: "kernel",
      requested: "99999/b1pub/p/3",
      subject: { key: "99999/b1pub", suffix: "/p/3" },
    });
  });

  test("L63 an encoded slash is another name than a slash; only hex digits change case", () => {
    expect(ask("/ark:99999/qtX%2fy")).toEqual(to("https://t.example/encoded"));
    expect(ask("/ark:99999/qtX%2Fy")).toEqual(to("https://t.example/encoded"));
    expect(ask("/ark:99999/qtX/y")).toEqual(to("https://t.example/slash"));
    expect(ask("/ark:99999/qtX%252Fy")).toMatchObject(refused(1402));
    expect(ask("/ark:99999/qtX%2dq")).toEqual(to("https://t.example/realhyphen"));
    expect(ask("/ark:99999/qtXq")).toMatchObject(refused(1402));
    expect(ask("/ark:99999/qtx/y")).toMatchObject(refused(1402));
  });

  test("A1a a name pasted with an encoded dash is found without it", () => {
    expect(ask("/ark:99999/b1%E2%80%93pub")).toEqual(to("https://t.example/pub"));
    expect(ask("/ark:99999/b1%c2%adpub/x")).toEqual(to("https://t.example/pub/x"));
    expect(ask("/ark:99999/b1pub/x%E2%80%90y")).toEqual(to("https://t.example/pub/x%E2%80%90y"));
  });

  test("A1a every dash that browsers encode is left out, alone, and nothing else is; a stored encoded one stays its own name", () => {
    const dashes = ["2010", "2011", "2012", "2013", "2014", "2015", "2212", "FF0D", "00AD"];
    for (const dash of dashes.map((code) => encodeURIComponent(String.fromCharCode(Number.parseInt(code, 16))))) {
      for (const sent of [dash, dash.toLowerCase()]) {
        expect([sent, ask(`/ark:99999/b1${sent}pub`)]).toEqual([sent, to("https://t.example/pub")]);
      }
    }
    for (const other of ["%2D", "%E2%80%96", "%E2%80%8F", "%E2%88%91", "%EF%BC%8E", "%C2%AE"]) {
      expect([other, ask(`/ark:99999/qt${other}X/y`)]).toMatchObject([other, refused(1402)]);
    }
    const own = tableOf([arkRecord("99999/qtX%E2%80%90q", { url: "https://t.example/own" }), ...records]);
    expect(ask("/ark:99999/qtX%e2%80%90q", {}, own)).toEqual(to("https://t.example/own"));
  });

  test("A3 1001 and 1004 are reported only where no ancestor matches", () => {
    expect(ask("/ark:99999/qt!x")).toMatchObject(refused(1001));
    expect(ask("/ark:99999/b1pub!x")).toMatchObject(refused(1001));
    expect(ask(`/ark:99999/qt${"a".repeat(254)}`)).toMatchObject(refused(1004));
    expect(ask("/ark:99a99/x")).toMatchObject(refused(1001));
    expect(ask("/ark:/")).toMatchObject(refused(1001));
    expect(ask(`/ark:${"1".repeat(17)}/x`)).toMatchObject(refused(1001));
    expect(ask("/ark:99999/b1pub/%zz")).toMatchObject(refused(1001));
  });

  test.each([
    ["/ark:99999/qt!x", 'A name holds "!" only percent-encoded'],
    ["/ark:99a99/x", "A NAAN is made of digits and the letters bcdfghjkmnpqrstvwxz"],
    ["/ark:/", "The NAAN is missing"],
    [`/ark:${"1".repeat(17)}/x`, "The NAAN is longer than 16 characters"],
    ["/ark:99999/b1pub/%zz", "A % is not followed by two hexadecimal digits"],
    ["/ark:99999/b1pub/../x", "A segment .. leads out of a name"],
  ])("A28 the 1001 of %s explains the error", (path, reason) => {
    expect(ask(path)).toMatchObject({ ...refused(1001), detail: { reason } });
  });

  test("A31 A4 a wrong check character is reported only in a checked shoulder", () => {
    expect(ask("/ark:99999/b1zz")).toMatchObject({ ...refused(1403), lookAgain: [] });
    expect(ask("/ark:99999/qtzz")).toMatchObject(refused(1402));
    expect(ask("/ark:99999/zz9zz")).toMatchObject(refused(1402));
    expect(ask("/ark:99999/b1")).toMatchObject(refused(1402));
  });

  test("A31d our checked name is worth another look before its 404, with its ancestors", () => {
    expect(ask(`/ark:${GOOD}/p.1`)).toMatchObject({
      ...refused(1402),
      lookAgain: [`${GOOD}/p.1`, `${GOOD}/p`, `${GOOD}`],
    });
    expect(ask("/ark:99999/qtnew")).toMatchObject({ ...refused(1402), lookAgain: [] });
  });

  test("A31d A31a below a withdrawn ancestor too: it may be public again, or a nearer name may", () => {
    for (const fields of [
      { state: "unpublished", publishedAt: null },
      { state: "deleted", withdrawnAt: T0 },
      { state: "purged", publishedAt: null, withdrawnAt: T0 },
    ] as const) {
      const withdrawn = tableOf([arkRecord(GOOD, fields), arkRecord("99999/qtgone", fields)]);
      expect(ask(`/ark:${GOOD}`, {}, withdrawn)).toMatchObject({ ...refused(1402), lookAgain: [GOOD] });
      expect(ask(`/ark:${GOOD}/a/b.c`, {}, withdrawn)).toMatchObject({
        ...refused(1402),
        lookAgain: [`${GOOD}/a/b.c`, `${GOOD}/a/b`, `${GOOD}/a`, GOOD],
      });
      expect(ask("/ark:99999/qtgone/a", {}, withdrawn)).toMatchObject({ ...refused(1402), lookAgain: [] });
      const below = tableOf([arkRecord(`${GOOD}/a`, fields)]);
      expect(ask(`/ark:${GOOD}/a/b`, {}, below)).toMatchObject({
        ...refused(1402),
        lookAgain: [`${GOOD}/a/b`, `${GOOD}/a`, GOOD],
      });
    }
    // What cannot be our name costs the database nothing.
    expect(ask("/ark:99999/b1purged/a")).toMatchObject({ ...refused(1402), lookAgain: [] });
    const gone = tableOf([arkRecord(GOOD, { state: "unpublished", publishedAt: null })]);
    const deep = ask(`/ark:${GOOD}${"/a".repeat(60)}`, {}, gone);
    if (deep.kind !== "refusal") throw new Error("It is answered");
    expect([deep.lookAgain.length, deep.lookAgain.at(-1)]).toEqual([16, GOOD]);
  });
});

describe("names that others answer for", () => {
  test("A31b a delegated shoulder with a template is forwarded, with inflection and query", () => {
    expect(ask("/ark:99999/d9-Ab%2fc/x")).toEqual(to("https://nine.example/-Ab%2fc/x"));
    expect(ask("/ark:99999/d9abc?info")).toEqual(to("https://nine.example/abc?info"));
    expect(ask("/ark:99999/d9abc?a=1")).toEqual(to("https://nine.example/abc?a=1"));
  });

  test("A31b a base URL takes the name as received behind ark:, a template its variables, a status in front counts", () => {
    expect(ask("/ARK:/77777/Ab-C%2f//x")).toEqual(to("https://seven.example/base/ark:77777/Ab-C%2f//x"));
    expect(ask("/ark:66666/a/b")).toEqual(to("https://six.example/r?id=a/b", 303));
    expect(ask("/ark:66666/a/b??")).toEqual(to("https://six.example/r?id=a/b&?", 303));
  });

  test("A31 L56 an unknown NAAN goes to the global resolver with everything it came with", () => {
    expect(ask("/ark:/12345/x6-np1wh8?")).toEqual(to("https://n2t.net/ark:12345/x6-np1wh8?"));
    expect(ask("/ark:12345/x6!np?info")).toEqual(to("https://n2t.net/ark:12345/x6!np?info"));
    expect(ask("/ark:12345")).toEqual(to("https://n2t.net/ark:12345"));
    expect(ask("/ark:12345/x", { globalResolver: null })).toMatchObject(refused(1404));
    expect(ask(`/ark:12345/${"a".repeat(4100)}`)).toMatchObject(refused(1004));
  });

  test("A45 the registry sends a foreign NAAN straight to its target, a shoulder before its NAAN", () => {
    expect(ask("/ark:/12148/bpt6k107371t")).toEqual(to("http://ark.bnf.fr/ark:/12148/bpt6k107371t"));
    expect(ask("/ark:b7280/d1988w")).toEqual(to("https://doi.org/10.7280/d1988w", 303));
    expect(ask("/ark:19156/tkt42-x/y")).toEqual(to("https://vocab.example/brunner-x/y"));
    expect(ask("/ark:19156/tkt41")).toEqual(to("https://n2t.example/ark:19156/tkt41"));
    expect(ask("/ark:30097/a?info")).toEqual(to("http://ville.example/p.php/ark:/30097/a?dossier=42&info"));
  });

  test("A45 of our NAANs the registry is asked only about shoulders of shared NAANs that are not ours", () => {
    expect(ask("/ark:99999/fk4abc")).toEqual(to("https://ezid.example/ark:/99999/fk4abc"));
    expect(ask("/ark:99999/b1zz")).toMatchObject(refused(1403));
    expect(ask("/ark:88888/x9zz")).toMatchObject(refused(1403));
    expect(ask("/ark:88888/k4zz")).toMatchObject(refused(1402));
    expect(ask("/ark:88888/z1")).toMatchObject(refused(1402));
    for (const naan of ["12345", "99152", "99166", "99999"]) {
      const what = `${naan}/m3`;
      const shared = plainTable(
        readRegistry([{ what, target: { url: "https://m3.example" }, rtype: "PublicNAANShoulder" }]),
      );
      shared.setPolicies({ naans: [naanOf(naan)], shoulders: [], organisations: [] });
      expect(ask(`/ark:${what}x`, {}, shared)).toEqual(to(`https://m3.example/ark:${what}x`));
      expect(ask(`/ark:${naan}/m4x`, {}, shared)).toMatchObject(refused(1402));
      const held = naanOf(naan, { holdUntil: "2999-01-01T00:00:00.000Z", holdReason: "A42" });
      shared.setPolicies({ naans: [held], shoulders: [], organisations: [] });
      expect(ask(`/ark:${what}x`, {}, shared)).toMatchObject({ kind: "describe", hold: { scope: "naan" } });
      shared.setPolicies({ naans: [naanOf(naan)], shoulders: [shoulderOf(naan, "m3")], organisations: [] });
      expect(ask(`/ark:${what}x`, {}, shared)).toMatchObject(refused(1403));
    }
  });

  test("A40 a NAAN alone is described when it is known, here or in the registry", () => {
    for (const path of ["/ark:99999", "/ark:/99999/", "/ark:99999?info", "/ark:12148"]) {
      expect(ask(path)).toMatchObject({ kind: "describe", subject: { kind: "naan" } });
    }
  });

  test("A31c nothing leads back to ourselves", () => {
    expect(ask("/ark:55555/x")).toMatchObject({ ...refused(1402), detail: { hint: expect.stringContaining("55555") } });
    expect(ask("/ark:12345/x", { globalResolver: "http://ids.example.net" })).toMatchObject(refused(1402));
    expect(ask("/ark:12345/x", { globalResolver: "http://ids.example.net", allowedHosts: new Set() })).toMatchObject({
      kind: "redirect",
    });
    const own = tableOf([
      arkRecord("99999/b1self", { url: "https://ID.example.org/ARK:/99999/b1self" }),
      arkRecord("99999/b1docs", { url: "https://id.example.org/about/arks" }),
      arkRecord("99999/b1far", { url: "https://far.example.org/ark:/99999/b1far" }),
    ]);
    expect(ask("/ark:99999/b1self", {}, own)).toMatchObject(refused(1402));
    expect(ask("/ark:99999/b1docs", {}, own)).toEqual(to("https://id.example.org/about/arks"));
    expect(ask("/ark:99999/b1far/x", {}, own)).toEqual(to("https://far.example.org/ark:/99999/b1far/x"));
  });
});

test("A49 the mount prefix may be there or not", () => {
  expect(ask("/pid/ark:99999/b1pub", { rootPath: "/pid" })).toEqual(to("https://t.example/pub"));
  expect(ask("/ark:99999/b1pub", { rootPath: "/pid" })).toEqual(to("https://t.example/pub"));
  expect(ask("/pid/ark:99999/b1pub")).toEqual({ kind: "other" });
});

test("A43 a .. segment is refused where it can be seen; an encoded slash hides none", () => {
  expect(ask("/ark:99999/b1pub/../x")).toMatchObject(refused(1001));
  expect(ask("/ark:99999/b1pub/%2E./x")).toMatchObject(refused(1001));
  expect(ask("/ark:99999/b1pub/a..%2Fx")).toEqual(to("https://t.example/pub/a..%2Fx"));
});
