// Every hostile package, body, header and metadata deposited over a socket into a server process that has no network
// (R13): refused with an error document or taken with every byte, never 5xx, nothing left behind, nothing outside of
// its folder, nothing asked of anybody, and it goes on.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Apart, mayStandApart, startApart } from "../support/apart.ts";
import {
  type DepositInstallation,
  depositInstallation,
  filesBelow,
  type Leftovers,
  rawDeposit,
} from "../support/deposit-installation.ts";
import {
  bagPieces,
  crateOf,
  jpcoarOf,
  SMALL_FILE,
  swordJsonOf,
  tableColumns,
  tableOf,
  tablePieces,
} from "../support/package-builder.ts";
import { connectTo, type RawAnswer, rawClient } from "../support/raw-http.ts";
import { inSlowRing } from "../support/slow-ring.ts";
import { zip } from "../support/zip-writer.ts";
import { type Rng, rng } from "./generate.ts";
import { type HostilePackage, hostilePackages } from "./packages.ts";

const SEED = 20_261_120;
/** Of a server that is impatient, and yet waits for a client on a busy machine. */
const CLIENT_SECONDS = 5;
const GOOD = zip(bagPieces());

const isApart = await mayStandApart();
if (!isApart) console.error("No separate network can be made here: what goes out of the server is counted only");

type Tokens = Readonly<Record<HostilePackage["packaging"], string>>;
let installation: DepositInstallation;
let apart: Apart;
let tokens: Tokens;
let before: Leftovers;
let around: readonly string[];

const dataFiles = () => filesBelow(installation.folder, ["data"]);

beforeAll(async () => {
  installation = await depositInstallation("hostile-deposits", { SVC_CLIENT_SECONDS: String(CLIENT_SECONDS) });
  tokens = {
    SimpleZip: await installation.setup.client(),
    SWORDBagIt: await installation.setup.client({ mapping: installation.setup.mappings.sword }),
  };
  writeFileSync(join(installation.folder, "neighbour.txt"), "not ours");
  apart = await startApart(installation, isApart);
  // The token's day of last use, the first name of an ARK and the like: what the first deposit writes once.
  expect((await deposit(GOOD))?.status).toBe(201);
  around = dataFiles();
  before = await installation.leftovers();
}, 60_000);

afterAll(async () => {
  await apart?.role.kill("SIGTERM");
  await installation?.close();
});

type How = { readonly packaging?: HostilePackage["packaging"]; readonly headers?: Readonly<Record<string, string>> };

/** One connection for each: a server so impatient with idle ones may close them at any time. */
async function ask(text: string): Promise<RawAnswer | null> {
  const client = rawClient(apart.place);
  try {
    return await client.send(text);
  } finally {
    client.close();
  }
}

function deposit(bytes: Uint8Array, { packaging = "SimpleZip", headers = {} }: How = {}): Promise<RawAnswer | null> {
  return ask(rawDeposit(bytes, { token: tokens[packaging], packaging, headers }));
}

/** What every refusal of this interface is. */
function expectErrorDocument({ status, headers, body }: RawAnswer): void {
  expect([status >= 400 && status < 500, status]).toEqual([true, status]);
  expect(headers.get("content-type")).toMatch(/^application\/json/);
  const document: Readonly<Record<string, unknown>> = JSON.parse(body);
  expect(document["@context"]).toBe("https://swordapp.github.io/swordv3/swordv3.jsonld");
  expect(typeof document["@type"]).toBe("string");
  expect(typeof document.error).toBe("string");
  expect(Date.parse(String(document.timestamp))).toBeGreaterThan(0);
}

/**
 * Nothing more than before: no row in any table, no file in the storage or its work folder, nothing next to the data
 * folder.
 */
async function expectNothingLeft(): Promise<void> {
  expect(await installation.leftovers()).toEqual(before);
  expect(dataFiles()).toEqual(around);
}

async function afterAccepted(): Promise<void> {
  before = await installation.leftovers();
  expect(before.files.filter((path) => path.startsWith("incoming"))).toEqual([]);
  expect(dataFiles()).toEqual(around);
}

async function expectTakenOrRefused(answer: RawAnswer | null): Promise<"taken" | "refused"> {
  if (answer?.status === 201) {
    await afterAccepted();
    return "taken";
  }
  if (answer === null) throw new Error("The server closed the connection without an answer");
  expectErrorDocument(answer);
  await expectNothingLeft();
  return "refused";
}

/** The files of the item of an answer by name, as they are in the storage. */
async function storedFiles({ body }: RawAnswer): Promise<ReadonlyMap<string, Uint8Array>> {
  const document: { readonly "@id": string } = JSON.parse(body);
  const item = await installation.store.items.item(Number(document["@id"].split("/").at(-1)));
  const objects = join(installation.dataDir, "files", "objects");
  const read = (key: string): Uint8Array => new Uint8Array(readFileSync(join(objects, key.slice(0, 2), key)));
  return new Map((item?.content?.files ?? []).map(({ name, storageKey }) => [name, read(storageKey ?? "")]));
}

/** Nothing went out, and the next deposit works. */
async function expectAllWell(): Promise<void> {
  expect(apart.outgoing()).toEqual([]);
  expect(apart.role.running()).toBe(true);
  expect((await deposit(GOOD))?.status).toBe(201);
  await afterAccepted();
}

const all = hostilePackages();
const listed = (list: HostilePackage["list"]) => all.filter((each) => each.list === list);

/** Random values of one kind. */
const MANY = inSlowRing ? 100 : 40;

describe("packages over HTTP", () => {
  test("R13 every package to refuse is refused with a 4xx error document, leaves nothing behind, and the next deposit works", async () => {
    for (const { name, bytes, packaging, status } of listed("refuse")) {
      const answer = await deposit(bytes, { packaging });
      expect([name, answer?.status ?? 0]).toEqual([name, status ?? 400]);
      if (answer !== null) expectErrorDocument(answer);
      await expectNothingLeft();
      await expectAllWell();
    }
  }, 120_000);

  test("R13 every package to accept is registered with 201 and its bytes come back equal, and the next deposit works", async () => {
    for (const { name, bytes, packaging, expectFiles = [] } of listed("accept")) {
      const answer = await deposit(bytes, { packaging });
      expect([name, answer?.status ?? 0, answer?.status === 201 ? "" : answer?.body]).toEqual([name, 201, ""]);
      if (answer === null) continue;
      const stored = await storedFiles(answer);
      expect([...stored.keys()].sort()).toEqual(expectFiles.map((file) => file.name).sort());
      for (const file of expectFiles)
        expect(Buffer.compare(stored.get(file.name) ?? new Uint8Array(0), file.bytes)).toBe(0);
      await afterAccepted();
      await expectAllWell();
    }
  }, 120_000);

  test("R13 every package to do either with is registered or refused cleanly, and the next deposit works", async () => {
    for (const { bytes, packaging } of listed("either")) {
      await expectTakenOrRefused(await deposit(bytes, { packaging }));
      await expectAllWell();
    }
  }, 60_000);
});

/** A request with this body and these headers, in Latin-1. */
function request(
  body: string,
  headers: Readonly<Record<string, string>>,
  target = "POST /sword/service-document",
): string {
  const all = {
    host: "localhost",
    authorization: `Bearer ${tokens.SimpleZip}`,
    "content-disposition": "attachment; filename=package.zip",
    packaging: "SimpleZip",
    "content-length": String(body.length),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${target} HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");
const GOOD_TEXT = latin1(GOOD);
const HEAD =
  'Content-Disposition: form-data; name="file"; filename="package.zip"\r\nContent-Type: application/zip\r\n\r\n';
const form = (boundary: string): string => `--${boundary}\r\n${HEAD}${GOOD_TEXT}\r\n--${boundary}--\r\n`;
const typed = (boundary: string) => ({ "content-type": `multipart/form-data; boundary=${boundary}` });

function randomText(random: Rng, length: number, most = 256): string {
  // Line ends would begin another header: that is HTTP's own business.
  const codes = Array.from({ length }, () => random.int(most));
  return String.fromCharCode(...codes.map((code) => (code === 10 || code === 13 ? 9 : code)));
}

/** Sends it; a server that closes without a word has refused, too. */
async function sent(text: string): Promise<RawAnswer | null> {
  const answer = await ask(text);
  if (answer === null) await expectNothingLeft();
  else if (answer.headers.get("content-type")?.startsWith("application/json") === true)
    await expectTakenOrRefused(answer);
  else {
    // The runtime's own refusal of what is not HTTP; it never reached us.
    expect([400, 431]).toContain(answer.status);
    await expectNothingLeft();
  }
  return answer;
}

describe("forms over HTTP", () => {
  const PART = "--b\r\n";
  const LONG = "x".repeat(100_000);
  const bodies: readonly (readonly [string, string])[] = [
    ["empty", ""],
    ["no boundary in it", GOOD_TEXT],
    ["another boundary", form("other")],
    ["a first boundary only", PART],
    ["cut in the head of its part", form("b").slice(0, 40)],
    ["cut in the file", form("b").slice(0, form("b").length / 2)],
    ["cut before its last boundary", form("b").slice(0, -8)],
    ["cut in its last boundary", form("b").slice(0, -4)],
    ["a header of 100,000 characters", `${PART}X: ${LONG}\r\n${HEAD}${GOOD_TEXT}\r\n--b--\r\n`],
    ["20,000 headers", `${PART}${"X: y\r\n".repeat(20_000)}${HEAD}${GOOD_TEXT}\r\n--b--\r\n`],
    ["headers that never end", `${PART}${"X: y\r\n".repeat(200_000)}`],
    ["a header without a name", `${PART}: y\r\n${HEAD}${GOOD_TEXT}\r\n--b--\r\n`],
    ["a header without a colon", `${PART}nothing\r\n${HEAD}${GOOD_TEXT}\r\n--b--\r\n`],
    ["10,000 empty parts", `${"--b\r\n\r\n\r\n".repeat(10_000)}--b--\r\n`],
    ["10,000 boundaries", `${"--b\r\n".repeat(10_000)}--b--\r\n`],
    [
      "a field of two megabytes",
      `${PART}Content-Disposition: form-data; name="x"\r\n\r\n${"y".repeat(2 << 20)}\r\n${form("b")}`,
    ],
    ["two files", `${form("b").slice(0, -6)}${form("b").slice(3)}`],
    [
      "the file inside a nested form",
      `${PART}Content-Type: multipart/mixed; boundary=c\r\n\r\n${form("c")}\r\n--b--\r\n`,
    ],
    [
      "a file in base64",
      `${PART}Content-Transfer-Encoding: base64\r\n${HEAD}${Buffer.from(GOOD).toString("base64")}\r\n--b--\r\n`,
    ],
    ["a name of 100,000 characters", `${PART}${HEAD.replace("package.zip", LONG)}${GOOD_TEXT}\r\n--b--\r\n`],
    ["a name with a path", `${PART}${HEAD.replace("package.zip", "../../package.zip")}${GOOD_TEXT}\r\n--b--\r\n`],
    ["a megabyte before the first part", `${"z".repeat(1 << 20)}\r\n${form("b")}`],
    ["a megabyte after the last part", `${form("b")}${"z".repeat(1 << 20)}`],
    ["bare line feeds", form("b").replaceAll("\r\n", "\n")],
    ["an empty file", `${PART}${HEAD}\r\n--b--\r\n`],
  ];

  test("R13 message 3 message 4 message 9 forms that are broken, endless or odd are refused cleanly or taken", async () => {
    for (const [name, body] of bodies) {
      const answer = await sent(request(body, typed("b")));
      if (!/megabyte|path|nested/.test(name)) expect([name, answer?.status === 201]).toEqual([name, false]);
    }
    await expectAllWell();
  }, 60_000);

  test("R13 boundaries and bodies of random bytes are refused cleanly or taken", async () => {
    const random = rng(SEED);
    for (let round = 0; round < MANY; round++) {
      const boundary = randomText(random, 1 + random.int(round < 50 ? 70 : 300), round < 50 ? 128 : 256);
      await sent(request(form(boundary), typed(random.chance(0.5) ? `"${boundary}"` : boundary)));
      const noise = randomText(random, random.int(3000));
      await sent(request(random.chance(0.5) ? noise : form("b").replace(HEAD, noise), typed("b")));
    }
    await expectAllWell();
  }, 60_000);

  test("R13 a body that comes too slowly, or stops, is given up in time, and nothing of it stays", async () => {
    const whole = request(form("b"), typed("b"));
    const cuts = [whole.length - form("b").length, whole.length - GOOD_TEXT.length, whole.length - 30];
    const stalled = (cut: number) =>
      new Promise<string>((resolve) => {
        const socket = connectTo(apart.place);
        let received = "";
        socket.on("data", (bytes: Uint8Array) => {
          received += latin1(bytes);
          // Some servers keep the connection of a body they have not read to its end; the answer is what counts.
          if (/\r\n\r\n.*\}$/s.test(received)) socket.destroy();
        });
        socket.on("error", () => {});
        socket.on("close", () => resolve(received));
        socket.write(Buffer.from(whole.slice(0, cut), "latin1"));
      });
    for (const answer of await Promise.all(cuts.map(stalled))) {
      if (answer !== "") expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    }
    await expectNothingLeft();
    await expectAllWell();
  }, 60_000);
});

describe("headers of deposits over HTTP", () => {
  const HEADERS = [
    "content-disposition",
    "packaging",
    "digest",
    "on-behalf-of",
    "if-match",
    "idempotency-key",
    "content-length",
  ];

  test("R12 R13b R15 message 2 message 7 message 8 message 10 message 19 random values of each header are refused cleanly or taken", async () => {
    const random = rng(SEED + 1);
    const good: Readonly<Record<string, string>> = {
      "content-disposition": 'attachment; filename="package.zip"',
      packaging: "http://purl.org/net/sword/3.0/package/SimpleZip",
      digest: `SHA-256=${"a".repeat(64)}`,
      "on-behalf-of": "administrator@localhost",
      "if-match": '"1"',
      "idempotency-key": "a key",
      "content-length": String(form("b").length),
    };
    const seen = new Set<number>();
    const tell = async (text: string): Promise<void> => {
      seen.add((await sent(text))?.status ?? 0);
    };
    for (const header of HEADERS) {
      for (let round = 0; round < (header === "content-length" ? 20 : MANY); round++) {
        const text = randomText(random, random.int(random.chance(0.1) ? 4000 : 60), random.chance(0.5) ? 128 : 256);
        const right = good[header] ?? "";
        const at = random.int(right.length);
        const near = right.slice(0, at) + randomText(random, 1 + random.int(3)) + right.slice(at + random.int(4));
        if (header === "content-length") {
          await tell(
            request(form("b"), {
              ...typed("b"),
              "content-length": `${random.pick(["-", "+", "0x", " ", "1e", "9".repeat(30)])}${right}`,
            }),
          );
        } else await tell(request(form("b"), { ...typed("b"), [header]: random.chance(0.5) ? near : text }));
      }
    }
    // Not one answer to everything.
    for (const status of [201, 400, 412, 415]) expect(seen.has(status)).toBe(true);
    await expectAllWell();
  }, 120_000);
});

describe("metadata inside packages that are right", () => {
  const deep = (levels: number): unknown => (levels === 0 ? "end" : { "@id": `_:${levels}`, name: deep(levels - 1) });
  const values: readonly unknown[] = [
    null,
    true,
    0,
    -1.5,
    1e308,
    "",
    " ",
    "\u0000",
    "\ud800",
    "\u202e",
    "x".repeat(100_000),
    "<script>alert(1)</script>",
    "'; drop table item; --",
    "../../etc/passwd",
    "http://127.0.0.1:9/never-fetched",
    "9999-99-99",
    "1e999",
    [],
    [[[["nested"]]]],
    {},
    { "@id": "./" },
    { "@id": "_:nowhere" },
    { "@value": { "@value": "x" } },
    { "@list": ["a", { "@set": [1, null] }] },
    { "@type": "Person", name: [{ "@language": "xx-invalid-language-tag", "@value": "n" }] },
    { toString: "x", constructor: "y", hasOwnProperty: "z" },
    Array.from({ length: 2000 }, (_, at) => ({ "@id": `#${at}` })),
    deep(40),
  ];
  const PROPERTIES = [
    "name",
    "creator",
    "author",
    "datePublished",
    "license",
    "keywords",
    "hasPart",
    "identifier",
    "svc:index",
    "svc:publishStatus",
    "svc:editMode",
    "svc:isSplited",
    "svc:saveAsIs",
    "svc:metadataAutoFill",
    "svc:itemLinks",
    "wk:grant",
    "@type",
    "about",
    "funder",
    "spatialCoverage",
  ];
  const SWORD_PROPERTIES = [
    "dc:title",
    "dc:creator",
    "dcterms:abstract",
    "dc:identifier",
    "dcterms:issued",
    "dc:type",
    "@id",
    "svc:index",
  ];

  test("R13 R14 message 11 odd values of every property of JSON-LD are refused cleanly or taken", async () => {
    const random = rng(SEED + 2);
    for (const property of PROPERTIES) {
      for (let round = 0; round < (inSlowRing ? 8 : 4); round++) {
        const root = { [property]: random.pick(values) };
        await expectTakenOrRefused(await deposit(zip(bagPieces({ crate: crateOf([SMALL_FILE.path], root) }))));
      }
    }
    for (const property of SWORD_PROPERTIES) {
      for (let round = 0; round < (inSlowRing ? 6 : 3); round++) {
        const swordJson = swordJsonOf({ [property]: random.pick(values) });
        const bytes = zip(bagPieces({ crate: null, swordJson }));
        await expectTakenOrRefused(await deposit(bytes, { packaging: "SWORDBagIt" }));
      }
    }
    await expectAllWell();
  }, 60_000);

  const CELLS: readonly string[] = [
    "",
    " ",
    "x".repeat(50_000),
    "9".repeat(400),
    "-1",
    "1.5",
    "2026-02-30",
    "<b>",
    "'; --",
    "\u202e",
    "../a.txt",
    "a\nb",
    'a"b',
  ];
  const PATHS: readonly string[] = [
    ".id",
    ".uri",
    ".publish_status",
    ".edit_mode",
    ".pos_index[0]",
    ".feedback_mail[0]",
    ".metadata.pubdate",
    ".metadata.path[0]",
    ".metadata",
    ".metadata.",
    ".",
    "",
    "[0]",
    ".metadata.item_1617186331708[0]",
    ".metadata.item_1617186331708[-1].x",
    ".metadata.item_1617186331708[0][0].y",
    ".file_path[0]",
    ".file_path[99]",
    ".metadata.toString",
    ".metadata.item_1617186331708[1e3].x",
  ];

  test("R13 message 11 odd headings and cells of tables are refused cleanly or taken", async () => {
    const random = rng(SEED + 3);
    for (const path of PATHS) {
      for (let round = 0; round < (inSlowRing ? 6 : 3); round++) {
        const columns = tableColumns().filter(([name]) => name !== path);
        const cell = random.pick(CELLS);
        const quoted = /[\t\n"]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
        const table = tableOf([...columns, [path, quoted]], random.chance(0.5) ? "\t" : ",");
        await expectTakenOrRefused(
          await deposit(zip(tablePieces(table, random.chance(0.5) ? "data/items.tsv" : "data/items.csv"))),
        );
      }
    }
    await expectAllWell();
  }, 60_000);

  test("R13 R17 odd JPCOAR documents are refused cleanly, by direct registration and through a workflow", async () => {
    const random = rng(SEED + 4);
    const token = await installation.setup.client({ registrationType: 2, workflow: installation.setup.workflow });
    before = await installation.leftovers();
    const good = jpcoarOf();
    for (let round = 0; round < 60; round++) {
      const at = random.int(good.length);
      const cut =
        good.slice(0, at) +
        random.pick([
          "",
          "<",
          "&",
          "&#0;",
          "&x;",
          "]]>",
          "<!--",
          "<![CDATA[",
          "\u0000",
          "\ufffe",
          "<a:b/>",
          "xmlns=''",
        ]) +
        good.slice(at + random.int(5));
      const bytes = zip(tablePieces(cut, "data/metadata.xml"));
      const answer = await ask(rawDeposit(bytes, { token: round % 2 === 0 ? token : tokens.SimpleZip }));
      if (answer?.status === 202) await afterAccepted();
      else expect(await expectTakenOrRefused(answer)).toBe("refused");
    }
    await expectAllWell();
  }, 60_000);
});
