// Nothing a stranger sends blocks the event loop (R9a): everything that stopped the server in the hands of others, and
// giants of every shape, while another connection asks for /healthz every 50 ms. `ARKSTONE_GIANTS=2000 bun test
// ./test/hostile/giants.long.ts` sends that many, of all lengths.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "../../src/adapters/clock.ts";
import { platformRandom } from "../../src/adapters/random.ts";
import { REPOSITORY_OPERATOR } from "../../src/auth/account.ts";
import type { Agent } from "../../src/model/metadata/metadata.ts";
import { items as itemsService } from "../../src/repository/items/items.ts";
import { onReferenceMachine } from "../support/calibration.ts";
import { agentOf } from "../support/cited-items.ts";
import { type DepositInstallation, depositInstallation, postDeposit } from "../support/deposit-installation.ts";
import { cratePackage } from "../support/deposit-requests.ts";
import { bagPieces, crateOf, jpcoarOf, SMALL_FILE, tablePieces } from "../support/package-builder.ts";
import { type Role, scriptOf } from "../support/processes.ts";
import { type StallWatch, stallWatch } from "../support/stall-watch.ts";
import { verbsAlone } from "../support/verbs-alone.ts";
import { rng } from "./generate.ts";
import { ALL_STRETCHES, type Giant, type GiantClient, giants, QUICK_STRETCHES, SHAPES } from "./giants.ts";
import { ORDINARY_REQUESTS, REQUEST_SHAPES, requestGiants, sendRequestGiant } from "./request-giants.ts";
import { type Attack, type Finding, LONGEST_MS, MEMORY_MIB, measured, sendGiant } from "./stalls.ts";

const SEED = 20_261_122;
const ASKED = Number(process.env.ARKSTONE_GIANTS ?? 0);
/** Where no number is asked for: each shape once; on Deno some, since what reads them is the same. */
const FEW = "Deno" in globalThis ? 6 : SHAPES;
/** What is long, and reads by the same code on Deno, is sent there when more is asked for. */
const isShort = "Deno" in globalThis && ASKED === 0;
const GIANTS = ASKED > 0 ? ASKED : FEW;
/** On Deno these are few, too. */
const REQUESTS = ASKED > 0 ? ASKED : "Deno" in globalThis ? 4 : REQUEST_SHAPES;
const STRETCHES = ASKED > 0 ? ALL_STRETCHES : QUICK_STRETCHES;
/** What a machine that does other things too may need for one of them. */
const EACH_MS = 20_000;
const MEMORY_WAIT_MS = 100_000;

const held = (findings: readonly Finding[]) =>
  findings.filter(({ ownMs, status }) => onReferenceMachine(ownMs) > LONGEST_MS || status >= 500);
describe("the watch", () => {
  test("R9a sees a server that holds its thread, and not one that the machine holds back", async () => {
    const [program, ...args] = scriptOf(join(import.meta.dirname, "..", "support", "stalling-server.ts"));
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
    const hogs = Array.from({ length: 2 }, () => spawn("sh", ["-c", "while :; do :; done"], { stdio: "ignore" }));
    try {
      const port = await new Promise<number>((resolve) =>
        child.stdout.once("data", (chunk: Uint8Array) => resolve(Number(new TextDecoder().decode(chunk)))),
      );
      const watch = await stallWatch({ port, pid: child.pid ?? 0 });
      await watch.worst();
      await sleep(2_000);
      const idle = await watch.worst();
      await fetch(`http://127.0.0.1:${port}/hold/600`);
      const stalled = await watch.worst();
      await watch.close();
      expect(idle.asked).toBeGreaterThan(3);
      expect(onReferenceMachine(idle.ownMs)).toBeLessThan(LONGEST_MS);
      expect(stalled.ownMs).toBeGreaterThan(LONGEST_MS);
    } finally {
      for (const each of [child, ...hogs]) each.kill("SIGKILL");
    }
  }, 60_000);
});

describe("R9a a repository that strangers send giants to", () => {
  let installation: DepositInstallation;
  let role: Role;
  let watch: StallWatch;
  let attack: Attack;
  let before = 0;

  beforeAll(async () => {
    installation = await depositInstallation("giants", { SVC_FILE_CHECK: "off" });
    const { client, mappings, workflow } = installation.setup;
    const tokens: Record<GiantClient, string> = {
      crate: await client(),
      sword: await client({ mapping: mappings.sword }),
      table: await client(),
      xml: await client({ registrationType: 2, workflow }),
    };
    role = await installation.start();
    watch = await stallWatch(role);
    attack = { base: role.base, watch, tokens };
    // What ordinary work leaves behind is not a giant's.
    for (let at = 0; at < 20; at++) {
      const answer = await postDeposit(role.base, cratePackage().bytes, { token: tokens.crate });
      const id = /\/sword\/deposit\/(\d+)/.exec(await answer.text())?.[1];
      for (const page of ["", "/export/jpcoar", "/export/ro-crate"])
        await (await fetch(`${role.base}/records/${id}${page}`)).text();
      await (await fetch(role.base)).text();
      for (const each of ORDINARY_REQUESTS) await sendRequestGiant(attack, each);
    }
    before = watch.residentMiB();
  }, 600_000);

  afterAll(async () => {
    await watch?.close();
    await role?.kill("SIGTERM");
    await installation?.close();
  });

  const crateGiant = (
    name: string,
    root: Readonly<Record<string, unknown>>,
    more: readonly Readonly<Record<string, unknown>>[] = [],
  ): Giant => ({
    name,
    client: "crate",
    packaging: "SimpleZip",
    pieces: () =>
      bagPieces({ crate: crateOf([SMALL_FILE.path], root, more) }).map((piece) => ({ ...piece, deflate: true })),
  });
  const people = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ "@id": `#p${at}`, "@type": "Person", name: `Family${at}, Given` }));
  const crowd = (count: number) =>
    crateGiant(`${count} authors`, { creator: people(count).map(({ "@id": id }) => ({ "@id": id })) }, people(count));

  test("R9a ten forms of two million fields at once, of nobody", async () => {
    const body = "a=1&".repeat(2_100_000 * 2).slice(0, 15_700_000);
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        measured(attack, "form", "login", () =>
          fetch(`${role.base}/account/login`, { method: "POST", headers, body }),
        ).catch(() => null),
      ),
    );
    // A client that is refused before the end of its body may see the connection end.
    expect(answers.every((answer) => answer === null || (answer.status >= 400 && answer.status < 500))).toBe(true);
    expect(held(answers.filter((answer) => answer !== null))).toEqual([]);
  }, 60_000);

  test.each([
    ["a description of a million <", () => crateGiant("description", { description: `<p>${"<".repeat(1_000_000)}` })],
    [
      "keywords of four million characters with commas",
      () => crateGiant("keywords", { keywords: "a,".repeat(2_000_000) }),
    ],
    [
      "a line of 60,000 blanks in bag-info.txt",
      () => ({
        ...crateGiant("bag-info", {}),
        pieces: () => bagPieces({ bagInfo: `Source-Organization${" ".repeat(60_000)}` }),
      }),
    ],
    [
      "an identifier of 60,000 slashes",
      () => crateGiant("identifier", { identifier: `https://example.org/${"/".repeat(60_000)}` }),
    ],
    [
      "a title of a million quotation marks, and the page of its activity",
      () => ({
        ...crateGiant("title", {}),
        client: "xml" as const,
        pieces: () => tablePieces(jpcoarOf(undefined, '"'.repeat(1_000_000)), "data/item.xml"),
      }),
    ],
    ["20,000 authors", () => crowd(19_900)],
    ["100,000 authors", () => crowd(99_000)],
  ] as const)(
    "R9a %s",
    async (_, make) => {
      expect(held(await sendGiant(attack, make()))).toEqual([]);
    },
    120_000,
  );

  const GIANT = "20,000 authors, 10,000 files";
  const creator = (at: number): Agent =>
    agentOf({
      names: [{ family: `Family${at}`, given: "Given" }],
      ids: [{ scheme: "ORCID", value: `https://orcid.org/0000-0002-1825-${1000 + (at % 9000)}` }],
    });
  async function giantItem(): Promise<number> {
    const answer = await postDeposit(role.base, cratePackage().bytes, { token: attack.tokens.crate });
    const id = Number(/\/sword\/deposit\/(\d+)/.exec(await answer.text())?.[1]);
    const { store } = installation;
    const core = itemsService({
      store,
      clock: systemClock,
      random: platformRandom(),
      timeZone: "UTC",
      landingPage: (number) => `${role.base}/records/${number}`,
      arkCredential: null,
    });
    const content = (await store.items.item(id))?.content;
    const [file] = content?.files ?? [];
    if (content === undefined || content === null || file === undefined) throw new Error("The item was not deposited");
    const creators = Array.from({ length: 20_000 }, (_, at) => creator(at));
    const files = Array.from({ length: 10_000 }, (_, at) => ({
      ...file,
      name: at === 0 ? file.name : `file ${at}.txt`,
    }));
    await verbsAlone(core, { store, clock: systemClock }).revise(REPOSITORY_OPERATOR, id, {
      content: { ...content, metadata: { ...content.metadata, creators }, files },
    });
    return id;
  }
  async function findingsOf(paths: readonly string[]): Promise<Finding[]> {
    const findings: Finding[] = [];
    for (const path of paths) {
      const { text: _, ...found } = await measured(attack, GIANT, path, () => fetch(role.base + path));
      findings.push(found);
    }
    return findings;
  }

  test.skipIf(isShort)(
    "R9a an item of 20,000 authors and 10,000 files, its pages, and lists that hold it",
    async () => {
      const id = await giantItem();
      const pages = [
        "",
        "?lang=ja",
        "/files",
        "/values/creators",
        "/files/a.txt",
        "/export/jpcoar",
        "/export/ro-crate",
      ].map((path) => `/records/${id}${path}`);
      const findings = await findingsOf([...pages, `/api/v1/records/${id}`]);
      expect(findings.filter(({ status }) => status !== 200)).toEqual([]);
      const columns = JSON.stringify([{ name: { en: "Creator" }, roCrateKey: "creator" }]);
      const json = { method: "POST", headers: { "content-type": "application/json" }, body: columns };
      const { text, ...listed } = await measured(attack, GIANT, "list of hits", () =>
        fetch(`${role.base}/api/v1/records/list`, json),
      );
      expect([listed.status, text.split("\n").length > 20]).toEqual([200, true]);
      findings.push(listed, ...(await findingsOf(["/", "/index/1", "/sitemap.xml", "/sitemap/0"])));
      expect(held(findings)).toEqual([]);
    },
    120_000,
  );

  test.skipIf(isShort)(
    "R9a several such items at once: they are indexed, found, and listed for harvesters, between the questions of others",
    async () => {
      for (let at = 0; at < 4; at++) await giantItem();
      const OAI = "/oai?verb=ListRecords&metadataPrefix=";
      const findings = await findingsOf([
        ...["/search?q=Family19", "/search?q=Family19&lang=ja", "/api/v1/records?q=Family19", "/search"],
        ...["atom", "rss", "jpcoar", "json"].map((format) => `/api/opensearch/search?q=Family19&format=${format}`),
        ...[`${OAI}oai_dc`, `${OAI}jpcoar_2.0`, "/oai?verb=ListIdentifiers&metadataPrefix=oai_dc"],
      ]);
      expect(findings.filter(({ status }) => status !== 200)).toEqual([]);
      expect(held(findings)).toEqual([]);
      const found = await fetch(`${role.base}/api/v1/records?q=Family19`);
      // Deposits of the other tests may have people of this name too.
      expect(((await found.json()) as { total_results: number }).total_results).toBeGreaterThanOrEqual(4);
    },
    180_000,
  );

  const LONG = 15_000_000;
  test.each([
    ["one long text", () => JSON.stringify({ index: { index_name: "x".repeat(LONG) } })],
    ["numbers", () => `{"index":[${"1,".repeat(LONG / 2)}1]}`],
    ["objects", () => `[${'{"a":1},'.repeat(LONG / 8)}{}]`],
    ["members", () => `{${Array.from({ length: 900_000 }, (_, at) => `"k${at}":1`).join()}}`],
    ["brackets", () => "[".repeat(LONG)],
    ["escapes", () => `{"index":{"index_name":"${"\\u3042".repeat(250_000)}"}}`],
    [
      "members that fit",
      () => `{${Array.from({ length: 9_900 }, (_, at) => `"k${at}":["${"x".repeat(150)}"]`).join()}}`,
    ],
  ] as const)(
    "R9a JSON bodies of %s, at the interfaces of the tree, of activities and of the administration",
    async (name, make) => {
      const body = make();
      const headers = { authorization: `Bearer ${attack.tokens.crate}`, "content-type": "application/json" };
      const findings: Finding[] = [];
      for (const path of [
        "/api/v1/tree/index",
        "/api/v1/workflow/activities/A-1/approve",
        "/api/v1/admin/item-types",
      ]) {
        const sent = () => fetch(role.base + path, { method: "POST", headers, body });
        findings.push(await measured(attack, name, path, sent));
      }
      expect(findings.filter(({ status }) => status < 400)).toEqual([]);
      expect(held(findings)).toEqual([]);
    },
    60_000,
  );

  test(
    `R9a ${GIANTS} giants of every shape hold nobody up`,
    async () => {
      const findings: Finding[] = [];
      for (const giant of giants(rng(SEED), GIANTS, STRETCHES)) findings.push(...held(await sendGiant(attack, giant)));
      expect(findings).toEqual([]);
      expect(role.running()).toBe(true);
    },
    120_000 + GIANTS * EACH_MS,
  );

  test(
    `R9a ${REQUESTS} requests of every shape that expand, name what is not there or come in pieces hold nobody up`,
    async () => {
      const findings: Finding[] = [];
      for (const giant of requestGiants(rng(SEED), REQUESTS, ASKED === 0))
        findings.push(...held(await sendRequestGiant(attack, giant)));
      expect(findings).toEqual([]);
      expect(role.running()).toBe(true);
    },
    120_000 + REQUESTS * EACH_MS,
  );

  test.skipIf(isShort)(
    "R9a memory comes back to what it was",
    async () => {
      const until = Date.now() + MEMORY_WAIT_MS;
      while (watch.residentMiB() > before + MEMORY_MIB && Date.now() < until) await sleep(1_000);
      expect(watch.residentMiB()).toBeLessThan(before + MEMORY_MIB);
    },
    MEMORY_WAIT_MS * 2,
  );
});
