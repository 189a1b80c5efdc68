// `arkstone pack` and `arkstone deposit`: what is packed is taken by our own deposit endpoint, over a real connection
// (R6b, R13, R13a, R14, R16).
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { type Server as Listening, serve } from "../../src/main/process/serve.ts";
import { commandsFor } from "../../src/repository/pages/templates/deposit-files.ts";
import { arkstone } from "../support/command-line.ts";
import { cratePackage, tablePackage } from "../support/deposit-requests.ts";
import { temporaryFolder } from "../support/processes.ts";
import { run } from "../support/run.ts";
import { INDEXES } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

const folder = temporaryFolder("deposit");
const file = (name: string): string => join(folder.path, name);
let server: Listening;
let url = "";

const world = setUpWorld({ repository: { env: { SVC_ALLOWED_HOSTS: "127.0.0.1" } } });
beforeAll(async () => {
  server = serve({ fetch: world.handler, host: "127.0.0.1", port: 0, sharePort: false, clientSeconds: 30 });
  url = server.url;
  await world.client("registered", { defaultIndex: INDEXES.open });
});
afterAll(async () => {
  await server.stop(100);
  folder.remove();
});

const tokenEnv = (who: "registered" | "admin" = "registered") => ({
  ARKSTONE_TOKEN: world.people[who].token,
  ARKSTONE_URL: url,
});
const deposit = (...args: string[]) => arkstone(tokenEnv(), ["deposit", ...args]);
async function deposited(...args: string[]): Promise<{ readonly id: number; readonly pages: readonly string[] }> {
  const result = await deposit(...args, "--json");
  expect([result.code, result.err]).toEqual([0, expect.stringContaining("Sending to")]);
  // What is in the package is never reported as missing.
  expect(result.out + result.err).not.toContain("left out");
  const { id, pages } = JSON.parse(result.out);
  return { id: Number(id), pages };
}

/** A folder with files, some of them nested. */
function someFolder(name: string, files: Readonly<Record<string, string>>): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(file(name), path, ".."), { recursive: true });
    writeFileSync(join(file(name), path), text);
  }
  return file(name);
}

const FILES = { "readme.txt": "tides\n", "data/a b.csv": "1,2\n", "data/深い/図.txt": "図\n", ".DS_Store": "x" };
const DESCRIBED = [
  "--creator",
  "Yamada, Hanako; Lovelace, Ada",
  "--description",
  "Hourly sea level",
  "--date",
  "2026-05",
  "--type",
  "dataset",
];

describe("a file for a draft", () => {
  test("P.177 R43 the commands that the page of a draft shows add the file to it when they are copied", async () => {
    const draft = async (): Promise<number> => {
      const headers = { authorization: `Bearer ${world.people.registered.token}`, "content-type": "application/json" };
      const made = await fetch(`${url}/api/records`, { method: "POST", headers, body: '{"files": {"enabled": true}}' });
      return Number(((await made.json()) as { readonly id: string }).id);
    };
    const bytes = new Uint8Array(11 * 1024 * 1024).map((_, at) => (at * 7) % 251);
    writeFileSync(file("data.zip"), bytes);
    const content = async (id: number) => {
      const headers = { authorization: `Bearer ${world.people.registered.token}` };
      const answer = await fetch(`${url}/api/records/${id}/draft/files/data.zip/content`, { headers });
      return Buffer.compare(new Uint8Array(await answer.arrayBuffer()), bytes);
    };
    const [first, second] = [await draft(), await draft()];
    const lines = (id: number) => commandsFor(id, url).split("\n");
    const [, ours = ""] = lines(first);
    const [program, ...words] = ours.split(" ");
    const done = await arkstone({ ARKSTONE_TOKEN: world.people.registered.token }, [
      ...words.map((word) => (word === "data.zip" ? file(word) : word)),
      "--json",
    ]);
    expect([program, done.code, JSON.parse(done.out)]).toEqual([
      "arkstone",
      0,
      { id: String(first), key: "data.zip", size: bytes.length, checksum: expect.stringMatching(/^multipart:/) },
    ]);
    expect(await content(first)).toBe(0);
    const again = await arkstone(tokenEnv(), ["deposit", file("data.zip"), "--draft", String(first)]);
    expect([again.code, again.err]).toEqual([1, expect.stringContaining("already exists")]);
    const missing = await arkstone(tokenEnv(), ["deposit", file("none.zip"), "--draft", String(first)]);
    expect([missing.code, missing.err]).toEqual([1, expect.stringContaining("Cannot read")]);
    // The same by curl, where it is installed.
    const curl = lines(second).filter((line) => line.startsWith("curl "));
    expect(curl).toHaveLength(3);
    if (Bun.which("curl") === null) return;
    const env = { ARKSTONE_TOKEN: world.people.registered.token, PATH: process.env.PATH ?? "" };
    const { code, output } = await run(["bash", "-ec", curl.join("\n")], { cwd: folder.path, env });
    expect([code, code === 0 ? "" : output]).toEqual([0, ""]);
    expect(await content(second)).toBe(0);
  }, 60_000);
});

describe("pack", () => {
  test.each(["ro-crate", "sword-bagit"])(
    "R13a R14 what it makes of a folder as %s is registered with its metadata and files",
    async (format) => {
      const from = someFolder(`survey-${format}`, FILES);
      const out = file(`${format}.zip`);
      const title = `Tides as ${format}`;
      const result = await arkstone({}, [
        "pack",
        from,
        "--out",
        out,
        "--format",
        format,
        "--title",
        title,
        ...DESCRIBED,
      ]);
      expect([result.code, result.out]).toEqual([0, expect.stringContaining(`Packed 3 files into ${out}`)]);
      const { id, pages } = await deposited(out);
      const item = await world.item(id);
      expect(pages[0]).toContain(`/records/${id}`);
      const { metadata } = item.content ?? { metadata: null };
      expect(metadata?.titles).toEqual([expect.objectContaining({ value: title, kind: "main" })]);
      const names = [
        { family: "Yamada", given: "Hanako" },
        { family: "Lovelace", given: "Ada" },
      ];
      // The terms of SWORD metadata hold a name as one text.
      const expected =
        format === "ro-crate" ? names : names.map(({ family, given }) => ({ full: `${family}, ${given}` }));
      expect(metadata?.creators.map((creator) => creator.names[0])).toEqual(
        expected.map((name) => expect.objectContaining(name)),
      );
      expect(metadata?.type?.id).toBe("dataset");
      expect(metadata?.descriptions[0]?.value).toBe("Hourly sea level");
      const files = await world.filesOf(id);
      const texts = [...files].map(([name, bytes]) => [name, new TextDecoder().decode(bytes)]);
      expect(Object.fromEntries(texts)).toEqual({
        "readme.txt": "tides\n",
        "data%2Fa%20b.csv": "1,2\n",
        [`data%2F${encodeURIComponent("深い/図.txt")}`]: "図\n",
      });
    },
  );

  test("R13a metadata that is in the folder is taken as it is, and options next to it are refused", async () => {
    const crate = {
      "@context": "https://w3id.org/ro/crate/1.1/context",
      "@graph": [
        {
          ...{ "@id": "ro-crate-metadata.json", "@type": "CreativeWork" },
          ...{ conformsTo: { "@id": "https://w3id.org/ro/crate/1.1" }, about: { "@id": "./" } },
        },
        { "@id": "./", "@type": "Dataset", name: "Own words", hasPart: [{ "@id": "a.txt" }] },
        { "@id": "a.txt", "@type": "File", name: "A" },
      ],
    };
    const from = someFolder("own", { "a.txt": "a\n", "ro-crate-metadata.json": JSON.stringify(crate) });
    const refused = await arkstone({}, ["pack", from, "--out", file("own.zip"), "--title", "Other"]);
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining("--title is already specified by ro-crate-metadata.json"),
    ]);
    expect((await arkstone({}, ["pack", from, "--out", file("own.zip")])).code).toBe(0);
    const { id } = await deposited(file("own.zip"));
    expect((await world.item(id)).content?.metadata.titles[0]?.value).toBe("Own words");
  });

  test("what cannot be packed is refused in one line and leaves nothing behind", async () => {
    const from = someFolder("bad", { "a.txt": "a\n" });
    const untitled = await arkstone({}, ["pack", from, "--out", file("bad.zip")]);
    expect([untitled.code, untitled.err]).toEqual([2, expect.stringContaining("--title is missing")]);
    symlinkSync("/etc/hostname", join(from, "link"));
    const linked = await arkstone({}, ["pack", from, "--out", file("bad.zip"), "--title", "x"]);
    expect([linked.code, linked.err]).toEqual([1, expect.stringContaining("link is neither a file nor a folder")]);
    const missing = await arkstone({}, ["pack", file("nowhere"), "--out", file("bad.zip"), "--title", "x"]);
    expect([missing.code, missing.err]).toEqual([1, expect.stringContaining("Cannot read")]);
    const broken = someFolder("broken", { "sword.json": "{" });
    expect((await arkstone({}, ["pack", broken, "--out", file("bad.zip")])).err).toContain("sword.json is not JSON");
    const long = someFolder("long", { "sword.json": `{}${" ".repeat(16 * 1024 * 1024 - 1)}` });
    expect((await arkstone({}, ["pack", long, "--out", file("long.zip")])).err).toContain(
      "sword.json has more than 16777216 bytes",
    );
    writeFileSync(file("there.zip"), "mine");
    const there = await arkstone({}, ["pack", from, "--out", file("there.zip"), "--title", "x"]);
    expect(there.err).toContain("exists already and is never written over");
    expect(readdirSync(folder.path).filter((name) => name.includes("unfinished") || name === "bad.zip")).toEqual([]);
  });
});

describe("deposit", () => {
  const written = (name: string, pkg = cratePackage()): string => {
    writeFileSync(file(name), pkg.bytes);
    return file(name);
  };

  test("R13 a package is registered and replaced, and its address printed", async () => {
    const result = await deposit(written("one.zip"));
    expect([result.code, result.out]).toEqual([0, expect.stringMatching(/^Registered: .*\/records\/\d+\n/)]);
    const id = /records\/(\d+)/.exec(result.out)?.[1] ?? "";
    const again = await deposit(written("two.zip"), "--put", id);
    expect([again.code, again.out]).toEqual([0, expect.stringContaining(`Replaced: `)]);
    expect((await world.item(Number(id))).revision).toBe(2);
    const late = await deposit(written("three.zip"), "--put", id, "--if-match", "1");
    expect([late.code, late.err]).toEqual([1, expect.stringContaining("(412)")]);
  });

  test("R16 a deposit that waits for approval is reported with its address", async () => {
    const workflow = await world.workflow();
    const token = await world.token("registered", undefined, { registrationType: 2, workflow });
    const env = { ARKSTONE_TOKEN: token.token, ARKSTONE_URL: `${url}/sword/service-document` };
    const result = await arkstone(env, ["deposit", written("waits.zip")]);
    expect([result.code, result.out]).toEqual([
      0,
      expect.stringMatching(/^Waiting for approval: .*\/workflow\/activity\/detail\/A-/),
    ]);
  });

  test("R6b message 21 names the command that sets a client record; every refusal is one line with its status", async () => {
    const bare = await world.token("registered", undefined, { active: false });
    const env = { ARKSTONE_TOKEN: bare.token, ARKSTONE_URL: url };
    const result = await arkstone(env, ["deposit", written("bare.zip")]);
    expect([result.code, result.err]).toEqual([1, expect.stringContaining("No SWORD API setting found for client ID")]);
    expect(result.err).toContain("arkstone sword-client set");
    const stranger = await arkstone({ ...env, ARKSTONE_TOKEN: "svc_no_such" }, [
      "deposit",
      written("bare2.zip"),
      "--json",
    ]);
    expect([stranger.code, JSON.parse(stranger.err.split("\n").at(-2) ?? "").status]).toEqual([1, 403]);
    const unknown = await deposit(written("put.zip"), "--put", "987654");
    expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining("(404)")]);
  });

  test("R13a a table goes as SimpleZip, and a wrong packaging is reported with the repository's message", async () => {
    const env = tokenEnv("admin");
    // A file of that name is not the metadata of a SWORDBagIt.
    const table = tablePackage({}, { file: { path: "notes/sword.json", bytes: "{}" } });
    expect((await arkstone(env, ["deposit", written("table.zip", table)])).code).toBe(0);
    const wrong = await arkstone(env, ["deposit", written("wrong.zip"), "--packaging", "Binary"]);
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining("Not accept packaging")]);
  });

  test.each([
    [["nowhere.zip"], "Cannot read nowhere.zip"],
    [["."], "is a folder"],
    [["package.json"], "Cannot send package.json"],
  ])("%p is refused before anything is sent", async (args, words) => {
    const result = await deposit(...args);
    expect([result.code, result.err]).toEqual([1, expect.stringContaining(words)]);
  });

  test("without an address or a token it names their settings", async () => {
    expect((await arkstone({}, ["deposit", "x.zip"])).err).toContain("--url is missing");
    expect((await arkstone({ ARKSTONE_URL: url }, ["deposit", "x.zip"])).err).toContain("--token is missing");
    const odd = await arkstone({ ARKSTONE_URL: "ftp://x", ARKSTONE_TOKEN: "x" }, ["deposit", "x.zip"]);
    expect([odd.code, odd.err]).toEqual([2, expect.stringContaining("must be an http or https address")]);
  });
});

describe("a repository that cannot answer now", () => {
  /** Answers with these, one after the other; null breaks the connection. */
  async function busyServer(answers: readonly (readonly [number, Readonly<Record<string, string>>] | null)[]) {
    const seen: { key: string; bytes: number }[] = [];
    const listening: Server = createServer((request, response) => {
      let bytes = 0;
      const answer = answers[seen.length];
      seen.push({ key: String(request.headers["idempotency-key"]), bytes: 0 });
      const place = seen.length - 1;
      if (answer === null) {
        request.socket.destroy();
        return;
      }
      request.on("data", (piece: Uint8Array) => {
        bytes += piece.length;
      });
      request.on("end", () => {
        seen[place] = { key: String(request.headers["idempotency-key"]), bytes };
        const [status, headers] = answer ?? [500, {}];
        response
          .writeHead(status, headers)
          .end(status === 201 ? '{"@id":"http://x/sword/deposit/7","links":[]}' : "{}");
      });
    });
    await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
    const address = listening.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    return { seen, url: `http://127.0.0.1:${port}`, stop: () => new Promise((resolve) => listening.close(resolve)) };
  }

  test("R13 it is sent again with the same Idempotency-Key after 503, 429 and a broken connection", async () => {
    const busy = await busyServer([[503, { "retry-after": "0" }], null, [429, { "retry-after": "0" }], [201, {}]]);
    try {
      writeFileSync(file("again.zip"), cratePackage().bytes);
      const env = { ARKSTONE_URL: busy.url, ARKSTONE_TOKEN: "svc_x" };
      const result = await arkstone(env, ["deposit", file("again.zip")]);
      expect([result.code, result.out]).toEqual([0, "Registered: http://x/sword/deposit/7\n"]);
      expect(busy.seen.length).toBe(4);
      expect(new Set(busy.seen.map(({ key }) => key)).size).toBe(1);
      expect(busy.seen[0]?.key).toMatch(/^[A-Za-z0-9_-]{32}$/);
      expect(busy.seen[3]?.bytes).toBe(busy.seen[0]?.bytes);
    } finally {
      await busy.stop();
    }
  });

  test("R13 it gives up after its attempts with its own exit code", async () => {
    const busy = await busyServer([
      [503, { "retry-after": "0" }],
      [503, { "retry-after": "0" }],
    ]);
    try {
      const env = { ARKSTONE_URL: busy.url, ARKSTONE_TOKEN: "svc_x" };
      const result = await arkstone(env, ["deposit", file("again.zip"), "--attempts", "2"]);
      expect([result.code, busy.seen.length]).toEqual([75, 2]);
    } finally {
      await busy.stop();
    }
  });

  test("an address where nothing answers is named with what to check, and given up within the patience", async () => {
    writeFileSync(file("away.zip"), cratePackage().bytes);
    const send = (...more: string[]) =>
      arkstone({ ARKSTONE_URL: "http://127.0.0.1:1", ARKSTONE_TOKEN: "x" }, ["deposit", file("away.zip"), ...more]);
    const away = await send("--patience", "2");
    expect(away.code).toBe(75);
    const words = "Cannot reach the repository at http://127.0.0.1:1: nothing listens there";
    expect(away.err).toContain(`arkstone: Not delivered: ${words}\nCheck the address (--url or ARKSTONE_URL)`);
    // After 1 s, and not again after 2 s more.
    expect(away.err.split("Sending to").length - 1).toBe(2);
    const json = await send("--patience", "0", "--json");
    expect(JSON.parse(json.err.trimEnd().split("\n").at(-1) ?? "")).toEqual({
      code: "not_delivered",
      message: `Not delivered: ${words}`,
      hint: expect.stringContaining("--patience"),
    });
    const nameless = await arkstone({ ARKSTONE_URL: "http://no-such-host.invalid", ARKSTONE_TOKEN: "x" }, [
      ...["deposit", file("away.zip"), "--attempts", "1"],
    ]);
    expect([nameless.code, nameless.err]).toEqual([75, expect.stringContaining("at http://no-such-host.invalid: ")]);
  });
});
