// The threads that large packages and long items are handed to (R9a): what they answer is what the server would, what
// takes too long is refused and its thread ended, and the server answers others meanwhile.
import { afterAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openFileBytes } from "../../src/adapters/files.ts";
import { unpacking } from "../../src/adapters/unpacking.ts";
import { SHIPPED_ITEM_TYPES } from "../../src/assets/item-types/index.ts";
import roCrateDefault from "../../src/assets/mappings/ro-crate-default.json" with { type: "json" };
import swordDefault from "../../src/assets/mappings/sword-default.json" with { type: "json" };
import { type BackgroundThreads, backgroundThreads } from "../../src/main/background-threads.ts";
import { isLong } from "../../src/model/items/long-item.ts";
import { HERE_BYTES, parsingHere } from "../../src/repository/deposit/parsing.ts";
import { entriesOf } from "../../src/repository/deposit/zip-archive.ts";
import { type DocumentOrder, documentWriter } from "../../src/repository/exports/document-writing.ts";
import type { DescribeOrder, Parsing } from "../../src/repository/store/parsing.ts";
import { DocumentError } from "../../src/shared/document-error.ts";
import type { Json } from "../../src/shared/json/json.ts";
import { cpuMs } from "../support/cpu-time.ts";
import {
  bagPieces,
  crateOf,
  jpcoarOf,
  SMALL_FILE,
  swordJsonOf,
  tableColumns,
  tableOf,
} from "../support/package-builder.ts";
import { temporaryFolder } from "../support/processes.ts";
import { aFile, titled } from "../support/world/items.ts";
import { utf8Bytes, zip } from "../support/zip-writer.ts";
import { LONGEST_MS } from "./stalls.ts";

const folder = temporaryFolder("background");
const lines: (readonly [string, unknown])[] = [];
const note = (event: string, detail?: unknown): void => void lines.push([event, detail]);
const opened: BackgroundThreads[] = [];
function threads(seconds = 60, idle: { readonly idleMs?: number; readonly collect?: () => void } = {}) {
  const made = backgroundThreads({ seconds, log: { warn: note, error: note }, ...idle });
  opened.push(made);
  return made;
}
afterAll(async () => {
  for (const each of opened) await each.close();
  folder.remove();
});

const here: Parsing = parsingHere({ openFile: openFileBytes, unpacking: unpacking() });
const full = SHIPPED_ITEM_TYPES[0];
// Our own JSON files.
const itemType = { id: 1, version: 1, definition: full as unknown as Json };
const mapping = (definition: unknown) => ({ id: 1, definition: definition as Json, itemType });
const order = (kind: DescribeOrder["kind"], text: string, definition?: unknown): DescribeOrder => ({
  kind,
  metadata: utf8Bytes(text),
  payload: [SMALL_FILE.path],
  today: "2026-06-15",
  itemTypes: kind === "tsv-csv" ? [itemType] : [],
  mapping: definition === undefined ? null : mapping(definition),
});
const figure = ({ gauges }: BackgroundThreads, outcome: string): number =>
  gauges[0]?.read().find(({ labels }) => labels?.work === "packages" && labels.outcome === outcome)?.value ?? -1;

function packageAt(name: string): string {
  const path = join(folder.path, name);
  writeFileSync(path, zip(bagPieces()));
  return path;
}

/** Long enough to take a thread some seconds; read to its end it is one item. */
const LONG = order(
  "ro-crate",
  crateOf([SMALL_FILE.path], { keywords: Array.from({ length: 9_000 }, (_, at) => `word ${at}`) }),
  roCrateDefault.definition,
);

describe("a worker thread of the server", () => {
  const background = threads();

  test("R9a gives the entries and manifests of a package as they are", async () => {
    const path = packageAt("good.zip");
    expect(entriesOf(await background.parsing.directory(path))).toEqual(entriesOf(await here.directory(path)));
    expect(entriesOf(await background.parsing.directory(path)).map((entry) => entry.path)).toContain("data/a.txt");
    expect(await background.parsing.bag(path)).toEqual(await here.bag(path));
  });

  test.each([
    ["a crate", order("ro-crate", crateOf([SMALL_FILE.path]), roCrateDefault.definition)],
    ["SWORD metadata", order("sword-bagit", swordJsonOf(), swordDefault.definition)],
    ["a table", order("tsv-csv", tableOf(tableColumns()))],
    ["JPCOAR", order("jpcoar-xml", jpcoarOf())],
  ] as const)("R9a reads %s as the server does", async (_, document) => {
    const items = await background.parsing.describe(document);
    expect(items).toEqual(await here.describe(document));
    expect(items[0]?.metadata.titles[0]?.value).toBe("Tides at Naha");
  });

  test("R9a refuses with the reader's own words", async () => {
    const broken = order("ro-crate", "{", roCrateDefault.definition);
    const local = await here.describe(broken).catch((error: unknown) => error);
    const remote = await background.parsing.describe(broken).catch((error: unknown) => error);
    expect(remote).toBeInstanceOf(DocumentError);
    expect(String(remote)).toBe(String(local));
    writeFileSync(join(folder.path, "no.zip"), "no archive");
    const refused = await background.parsing.directory(join(folder.path, "no.zip")).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(DocumentError);
  });

  test("R9a our own fault is not blamed on the package", async () => {
    const error = await background.parsing.directory(join(folder.path, "absent")).catch((each: unknown) => each);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(DocumentError);
    expect(String(error)).toContain("ENOENT");
  });

  test("R9a R19a writes an item as the server does", async () => {
    const item = {
      metadata: titled("A thing"),
      files: [{ file: aFile("a.txt"), url: "https://x.example/a.txt", hashed: true }],
      landingPage: "https://x.example/1",
      ark: null,
    };
    const orders: readonly DocumentOrder[] = [
      {
        ...item,
        format: "jpcoar",
        accessRights: { label: "open access", uri: "http://purl.org/coar/access_right/c_abf2" },
      },
      { ...item, format: "ro-crate", pubdate: "2026-01-01", definition: roCrateDefault.definition as Json },
    ];
    for (const each of orders) expect(await background.exporting.write(each)).toBe(documentWriter()(each));
  });

  test("R9a the server answers others while a thread works", async () => {
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 5);
    await background.parsing.describe(LONG);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(1);
  });
});

describe("an idle thread", () => {
  test("R9a is ended after its time, and never while it works", async () => {
    const ended = Promise.withResolvers<void>();
    const background = threads(20, { idleMs: 1, collect: ended.resolve });
    const path = packageAt("idle.zip");
    await background.parsing.directory(path);
    // Before the time of the first order is over.
    expect(await background.parsing.describe(LONG)).toHaveLength(1);
    await ended.promise;
    expect(entriesOf(await background.parsing.directory(path))).not.toEqual([]);
    expect([figure(background, "done"), figure(background, "died")]).toEqual([3, 0]);
  });
});

describe("the deadline", () => {
  test("R9a what takes longer is refused with its figure and logged, its thread is ended, and the next order has another", async () => {
    const background = threads(0.001);
    lines.length = 0;
    const error = await background.parsing.describe(LONG).catch((each: unknown) => each);
    expect(error).toBeInstanceOf(DocumentError);
    expect(String(error)).toContain("Working on the metadata of the package took longer than 0.001 s");
    expect(lines).toEqual([["background_work_timed_out", { work: "packages", what: "describe", seconds: 0.001 }]]);
    expect(figure(background, "too_long")).toBe(1);
    await expect(background.parsing.describe(LONG)).rejects.toThrow(DocumentError);
    expect([figure(background, "too_long"), figure(background, "died"), figure(background, "done")]).toEqual([2, 0, 0]);
  });

  test("R9a orders behind one that takes too long are worked on all the same", async () => {
    const background = threads(2);
    const path = packageAt("behind.zip");
    const endless = order(
      "ro-crate",
      crateOf(
        [SMALL_FILE.path],
        {},
        Array.from({ length: 90_000 }, (_, at) => ({ "@id": `#e${at}`, "@type": "Thing", name: `x${at}` })),
      ),
      roCrateDefault.definition,
    );
    const outcomes = await Promise.allSettled([
      ...Array.from({ length: 3 }, () => background.parsing.describe(endless)),
      background.parsing.directory(path),
    ]);
    expect(outcomes.at(-1)?.status).toBe("fulfilled");
    expect(
      outcomes.slice(0, 3).every((each) => each.status === "fulfilled" || each.reason instanceof DocumentError),
    ).toBe(true);
  });

  test("R9a waiting callers receive an error when the repository stops, and nothing is begun any more", async () => {
    const background = threads();
    const waiting = Promise.allSettled([background.parsing.describe(LONG), background.parsing.describe(LONG)]);
    await background.close();
    expect((await waiting).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await expect(background.parsing.directory("x")).rejects.toThrow("stopping");
  });
});

describe("what is read in the server", () => {
  const people = Array.from({ length: 600 }, (_, at) => ({ "@id": `#p${at}`, "@type": "Person", name: `F${at}, G` }));
  const org = (names: number) => ({
    "@id": "#o",
    "@type": "Organization",
    name: Array.from({ length: names }, (_, at) => `n${at}`),
  });
  const linked = (count: number, names: number) =>
    crateOf([SMALL_FILE.path], { creator: Array.from({ length: count }, () => ({ "@id": "#p" })) }, [
      { "@id": "#p", "@type": "Person", name: "A, B", affiliation: { "@id": "#o" } },
      org(names),
    ]);
  const columns = Array.from({ length: 1_500 }, (_, at): readonly [string, string] => [
    `.file_path[${at + 1}]`,
    `v${at}`,
  ]);
  const crateDocument = (text: string) => order("ro-crate", text, roCrateDefault.definition);

  test.each([
    [
      "people",
      crateDocument(crateOf([SMALL_FILE.path], { creator: people.map(({ "@id": id }) => ({ "@id": id })) }, people)),
    ],
    ["a long text", crateDocument(crateOf([SMALL_FILE.path], { description: "<".repeat(60_000) }))],
    ["few entities many link to", crateDocument(linked(100, 1_000))],
    ["an entity very many link to", crateDocument(linked(1_000, 100))],
    ["a table of many columns", order("tsv-csv", tableOf([...tableColumns(), ...columns]))],
    [
      "XML of many elements",
      order("jpcoar-xml", jpcoarOf().replace("</jpcoar:jpcoar>", `${"<a/>".repeat(14_000)}</jpcoar:jpcoar>`)),
    ],
  ] as const)("R9a a document of 64 KiB of %s is read in less time than a request may take", async (_, document) => {
    expect(document.metadata.length).toBeLessThanOrEqual(HERE_BYTES);
    let least = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 5; round++) {
      least = Math.min(least, await cpuMs(() => here.describe(document).catch(() => {})));
    }
    expect(least).toBeLessThan(LONGEST_MS);
  });
});

describe("isLong()", () => {
  const files = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ file: aFile(`${at}`), url: "u", hashed: true }));
  test("R9a items of ordinary length are written in the server, long ones are not", () => {
    expect(isLong({ metadata: titled("x"), files: files(50) })).toBe(false);
    expect(isLong({ metadata: titled("x"), files: files(5_000) })).toBe(true);
    expect(isLong({ metadata: titled("x".repeat(300_000)), files: [] })).toBe(true);
    const subjects = Array.from({ length: 5_000 }, () => ({ text: { value: "a" } }));
    expect(isLong({ metadata: titled("x", { subjects }), files: [] })).toBe(true);
  });
});
