// Exports of arklet, EZID and Noid through the command line into an SQLite file. The sample
// texts were written for this test after the documentation of those programs.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mintedArk } from "../../src/ark/new-name.ts";
import { findingsIn } from "../support/backups.ts";
import { arkstone } from "../support/command-line.ts";
import { temporaryFolder } from "../support/processes.ts";

const folder = temporaryFolder("foreign");
const file = (name: string) => join(folder.path, name);
const env = { SVC_DATA_DIR: file("data"), SVC_DATABASE_URL: file("ark.db") };
const ark = (...args: string[]) => arkstone(env, args);
const shown = async (name: string) => JSON.parse((await ark("ark", "show", name, "--json")).out);
const imported = async (text: string, ...args: string[]) => {
  writeFileSync(file("export.txt"), text);
  return ark("import", file("export.txt"), ...args);
};
/** A name of shoulder 99999/fk4 with a fitting check character. */
const fk4 = (blade: string) => mintedArk("99999", "fk4", blade).key;

const SERVICE = {
  naans: [{ naan: "99999", name: "Example" }],
  organisations: [{ naan: "99999", name: "org-a", default_shoulder: "fk4" }],
  shoulders: [
    { naan: "99999", shoulder: "fk4", organisation: "org-a" },
    { naan: "99999", shoulder: "", organisation: "org-a", import_only: true },
  ],
};

beforeAll(async () => {
  writeFileSync(file("service.json"), JSON.stringify(SERVICE));
  expect((await ark("apply", file("service.json"))).code).toBe(0);
});
afterAll(() => folder.remove());

describe("arkstone import --from", () => {
  test("arklet: the table as CSV, in both spellings of its keys; what has no field goes to metadata", async () => {
    const [one, two] = [fk4("arkaet1"), fk4("arkaet2")];
    const result = await imported(
      `ark,naan_id,shoulder,assigned_name,url,metadata,commitment,created_at,updated_at,language
${one},99999,/fk4,${one.slice(9)},https://example.org/1,"two
lines","We keep it, always",2023-07-13 20:11:00+00,2023-07-14 20:11:00+00,
99999${two.slice(6)},99999,fk4,${two.slice(9)},,,,,,nl
`,
      "--from",
      "arklet",
    );
    expect([result.code, result.out]).toEqual([0, expect.stringContaining("2 imported")]);
    expect(await shown(one)).toMatchObject({
      ...{ url: "https://example.org/1", metadata: "two\nlines", commitment: "We keep it, always", state: "published" },
    });
    expect(await shown(two)).toMatchObject({ url: "", metadata: '{"language":"nl"}', state: "published" });
    expect((await imported("id,target\n1,2\n", "--from", "arklet")).err).toContain(
      "The columns ark and url are missing",
    );
  });

  test("EZID as CSV: reserved stays reserved, unavailable is imported and unpublished with its reason", async () => {
    const [open, hidden, gone, bare] = [fk4("cs1"), fk4("cs2"), fk4("cs3"), fk4("cs4")];
    const text = `_id,_status,_target,_profile,erc.who,erc.what,erc.when,dc.title,_mappedCreator,_owner
ark:/${open},public,https://example.org/open,erc,"Proust, Marcel",Remembrance of Things Past,1922,,"Proust, Marcel",apitest
ark:/${hidden},reserved,https://ezid.cdlib.org/id/ark:/${hidden},dc,,,,A title in Dublin Core,Somebody,apitest
ark:/${gone},unavailable | withdrawn by author,https://example.org/gone,erc,,,,,,apitest
ark:/${bare},unavailable,https://example.org/bare,erc,(:unav),,,,,apitest
`;
    const result = await imported(text, "--from", "ezid", "--format", "csv");
    expect([result.code, result.err]).toEqual([
      0,
      expect.stringContaining("Withdrawn from the public, as at the source: 2 names"),
    ]);
    expect(await shown(open)).toMatchObject({
      ...{ url: "https://example.org/open", who: "Proust, Marcel", title: "Remembrance of Things Past", when: "1922" },
      ...{ state: "published", metadata: '{"_owner":"apitest"}' },
    });
    expect(await shown(hidden)).toMatchObject({
      url: "",
      title: "A title in Dublin Core",
      who: "Somebody",
      state: "reserved",
    });
    expect((await shown(gone)).state).toBe("unpublished");
    expect((await shown(bare)).who).toBe("(:unav)");
    const history = JSON.parse((await ark("ark", "history", gone, "--json")).out).data;
    expect(history.map((entry: { action: string; reason: string }) => [entry.action, entry.reason])).toEqual([
      ["import", ""],
      ["unpublish", "withdrawn by author"],
    ]);
    // Published again since, it stays so when the same file is imported once more.
    expect((await ark("ark", "publish", gone)).code).toBe(0);
    const again = await imported(text, "--from", "ezid", "--format", "csv");
    expect([again.code, again.out]).toEqual([0, expect.stringContaining("4 already there")]);
    expect((await shown(gone)).state).toBe("published");
  });

  test("EZID as CSV: without the column of the status nothing is imported, DOIs and unknown states are bad rows", async () => {
    const blind = await imported("_id,_target\nx,y\n", "--from", "ezid", "--format", "csv");
    expect([blind.code, blind.err]).toEqual([
      1,
      expect.stringContaining("The column _status is missing: ask EZID for it"),
    ]);
    const mixed = `_id,_status,_target\ndoi:10.5072/FK2X,public,https://x.example/\nark:/${fk4("d1")},odd,https://x.example/\n`;
    const result = await imported(
      mixed,
      "--from",
      "ezid",
      "--format",
      "csv",
      "--skip-bad",
      "--report",
      file("report.csv"),
    );
    expect(result.code).toBe(0);
    const report = readFileSync(file("report.csv"), "utf8");
    expect(report).toContain('""doi:10.5072/FK2X"" is not an ARK');
    expect(report).toContain('has status ""odd""');
  });

  test("EZID as ANVL: percent-encoding is undone, lines go on, a whole erc record is read", async () => {
    const [one, two] = [fk4("an1"), fk4("an2")];
    const result = await imported(
      `:: ark:/${one}
_status: public
_target: https://example.org/a%2525b
_profile: erc
erc: who: Brontë, Emily%0Awhat: Wuthering%20Heights%0Awhen: 1847
dc%3Anote: odd label

# a comment
:: ark:/${two}
_status: unavailable | moved%0Aaway
_target: https://example.org/2
_profile: dc
dc.creator: A
  B
dc.title: T
`,
      "--from",
      "ezid",
      "--format",
      "anvl",
    );
    expect([result.code, result.out]).toEqual([0, expect.stringContaining("2 imported")]);
    expect(await shown(one)).toMatchObject({
      ...{ url: "https://example.org/a%25b", who: "Brontë, Emily", title: "Wuthering Heights", when: "1847" },
      metadata: '{"dc:note":"odd label"}',
    });
    expect(await shown(two)).toMatchObject({ who: "A B", title: "T", state: "unpublished" });
  });

  test("Noid: what mint and fetch print and plain lists; a name that leads nowhere is reserved", async () => {
    const [minted, fetched, plain, led] = [fk4("nd1"), fk4("nd2"), fk4("nd3"), fk4("nd4")];
    const result = await imported(
      `id: ${minted}

id:    ${fetched} hold
Circ:  i|20020721154133|jak/me 0
myGoto: https://example.org/a%2Fb
title: A thing
ark:/${plain}
${led}\thttps://example.org/led
id:    99999/old/part
Circ:  uncirculated
note: no elements bound under 99999/old/part.
`,
      "--from",
      "noid",
    );
    expect([result.code, result.out]).toEqual([0, expect.stringContaining("5 imported")]);
    expect((await shown(minted)).state).toBe("reserved");
    expect(await shown(fetched)).toMatchObject({
      url: "https://example.org/a%2Fb",
      title: "A thing",
      state: "published",
      metadata: "",
    });
    expect((await shown(plain)).state).toBe("reserved");
    expect(await shown(led)).toMatchObject({ url: "https://example.org/led", state: "published" });
    expect((await shown("99999/old/part")).state).toBe("reserved");
  });

  test("a service nobody knows is refused, what is not carried is in the help, and all of it holds together", async () => {
    expect((await ark("import", "x", "--from", "ezidd")).err).toContain(
      '--from must be arklet, ezid, noid, not "ezidd"',
    );
    expect((await ark("import", "x.pdf", "--from", "ezid")).err).toContain("Cannot tell the format");
    expect((await ark("import", "--help")).out).toContain("Nothing carries over: users, keys, shoulders");
    expect(await findingsIn(file("ark.db"))).toEqual([]);
  });
});

describe("arkstone import of a file that was cut off", () => {
  test("A15 A51 refuses the last line in each format whose values may be shorter, unless it is declared complete", async () => {
    const [one, two] = [fk4("cut1"), fk4("cut2")];
    const cut = `ark,url\r\n${one},https://example.org/1\r\n${two},https://example.org/2/lon`;
    const refused = await imported(cut, "--format", "csv");
    expect(refused.code).toBe(1);
    expect(refused.err).toContain("Line 3: has no line end, so the file may be cut off");
    expect((await ark("ark", "show", two)).code).not.toBe(0);
    const skipped = await imported(cut, "--format", "csv", "--skip-bad");
    expect([skipped.code, skipped.out]).toEqual([0, expect.stringContaining("1 imported, 0 already there, 1 bad")]);
    expect(await shown(one)).toMatchObject({ url: "https://example.org/1" });
    const whole = await imported(cut, "--format", "csv", "--unended-last-line");
    expect([whole.code, whole.out]).toEqual([0, expect.stringContaining("1 imported, 1 already there")]);
    expect(await shown(two)).toMatchObject({ url: "https://example.org/2/lon" });
    for (const [text, from] of [
      [`_id,_status,_target\nark:/${fk4("cut3")},public,https://example.org/3`, ["ezid", "--format", "csv"]],
      [`:: ark:/${fk4("cut3")}\n_status: public\n_target: https://example.org/3`, ["ezid", "--format", "anvl"]],
      [`ark,url\n${fk4("cut3")},https://example.org/3`, ["arklet"]],
      [`${fk4("cut3")} https://example.org/3`, ["noid"]],
    ] as const) {
      const result = await imported(text, "--from", ...from);
      expect([from, result.code, result.err]).toEqual([from, 1, expect.stringContaining("has no line end")]);
      expect((await ark("ark", "show", fk4("cut3"))).code).not.toBe(0);
    }
  });

  test("A15 CR LF inside a quoted cell is a newline", async () => {
    const [one, two] = [fk4("cell1"), fk4("cell2")];
    const text = `ark,url,metadata\r\n${one},https://example.org/1,"a\r\nb\r\n\r\nc"\r\n${two},https://example.org/2,"a\nb"\r\n`;
    expect((await imported(text, "--format", "csv")).code).toBe(0);
    expect(await shown(one)).toMatchObject({ metadata: "a\nb\n\nc" });
    expect(await shown(two)).toMatchObject({ metadata: "a\nb" });
  });
});
