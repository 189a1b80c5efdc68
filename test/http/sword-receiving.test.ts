// Taking a deposit in (specification 2, "Processing of POST", steps 3 to 8, "Limits"; R9, R12, R13, R13b): Digest, raw
// bodies, Idempotency-Key, limits of rate, room and number, and that nothing of a refused deposit stays. The order of
// answers: sword-order.test.ts.
import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { StorageProblem } from "../../src/storage/limits.ts";
import {
  cratePackage,
  digestOf,
  type Package,
  plainPackage,
  swordPackage,
  tablePackage,
  type Upload,
  uploadOf,
  xmlPackage,
} from "../support/deposit-requests.ts";
import { eventually } from "../support/eventually.ts";
import { bagPieces } from "../support/package-builder.ts";
import { type Answer, recidOf, SERVICE, type Who } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";
import { utf8Bytes } from "../support/zip-writer.ts";

const world = setUpWorld({ repository: true });

const raw = (bytes: Uint8Array): Buffer => createHash("sha256").update(bytes).digest();
const hex = ({ bytes }: Package): string => raw(bytes).toString("hex");

describe("R12 Digest", () => {
  const SPELLINGS: readonly (readonly [string, (pkg: Package) => string])[] = [
    ["hex", (pkg) => `SHA-256=${hex(pkg)}`],
    ["upper case hex", (pkg) => `SHA-256=${hex(pkg).toUpperCase()}`],
    ["base64 of the hash", ({ bytes }) => `SHA-256=${raw(bytes).toString("base64")}`],
    ["base64 of the hex", (pkg) => `SHA-256=${Buffer.from(hex(pkg)).toString("base64")}`],
    ["a name in lower case", (pkg) => `sha-256=${hex(pkg)}`],
    ["several algorithms", (pkg) => `MD5=wrong, SHA-256=${hex(pkg)}, SHA=nonsense`],
  ];
  test.each(SPELLINGS)(
    "R12 %s is accepted, of another package message 10, in all settings but off",
    async (_, spell) => {
      for (const setting of ["required", "when-sent", "off"]) {
        const asked = world.under({ SVC_SWORD_VERIFY_DIGEST: setting });
        const pkg = cratePackage();
        expect((await asked.deposit("registered", pkg, { headers: { digest: spell(pkg) } })).status).toBe(201);
        const wrong = await asked.deposit("registered", pkg, { headers: { digest: spell(cratePackage()) } });
        expect([setting, wrong.status]).toEqual([setting, setting === "off" ? 201 : 412]);
      }
    },
  );

  test.each([
    ["nothing", ""],
    ["no SHA-256", "MD5=ZjQxNjA3"],
    ["an unreadable value", "SHA-256=xyz"],
    ["no value", "SHA-256="],
    ["a Python repr", "SHA-256=b'A4vB5yu2='"],
  ])("message 10 R12 a Digest with %s is a mismatch", async (_, digest) => {
    const answer = await world.deposit("registered", cratePackage(), { headers: { digest } });
    expect([answer.status, answer.json["@type"]]).toEqual([412, "DigestMismatch"]);
  });

  test("R12 none sent: accepted when-sent and off, message 10 for every packaging when required", async () => {
    const required = world.under({ SVC_SWORD_VERIFY_DIGEST: "required" });
    for (const build of [cratePackage, swordPackage, tablePackage, xmlPackage]) {
      const answer = await required.deposit("registered", build());
      expect([answer.status, answer.json.error]).toEqual([412, "Failed to verify request body and digest."]);
    }
    const off = world.under({ SVC_SWORD_VERIFY_DIGEST: "off" });
    for (const asked of [world, off]) expect((await asked.deposit("registered", tablePackage())).status).toBe(201);
  });

  test("R12 a client record may set required", async () => {
    const strict = await world.token("registered", undefined, { verifyDigest: "required" });
    const pkg = cratePackage();
    expect((await world.deposit(strict, pkg)).status).toBe(412);
    expect((await world.deposit(strict, pkg, { headers: { digest: digestOf(pkg) } })).status).toBe(201);
    const id = recidOf(await world.deposit("registered", cratePackage()));
    expect((await world.replace(strict, id, cratePackage())).status).toBe(412);
  });
});

describe("R13 S2.10 the body", () => {
  test("R13 a raw application/zip body is taken like a form, by POST and PUT", async () => {
    const pkg = cratePackage();
    const answer = await world.deposit("registered", pkg, { raw: true, headers: { digest: digestOf(pkg) } });
    expect(answer.status).toBe(201);
    expect(await world.filesOf(recidOf(answer))).toEqual(new Map([["a.txt", utf8Bytes("The quick brown fox\n")]]));
    expect((await world.replace("registered", recidOf(answer), cratePackage(), { raw: true })).status).toBe(200);
  });

  test("message 8 R13 a raw body needs a filename too; message 6 where the setting is off", async () => {
    const nameless = await world.deposit("registered", cratePackage(), {
      raw: true,
      headers: { "content-disposition": null },
    });
    expect([nameless.status, nameless.json.error]).toEqual([400, "Cannot get filename by Content-Disposition."]);
    const off = world.under({ SVC_SWORD_RAW_BODY: "0" });
    const answer = await off.deposit("registered", cratePackage(), { raw: true });
    expect([answer.status, answer.json.error]).toEqual([415, "Not accept Content-Type: application/zip"]);
    expect((await off.deposit("registered", cratePackage())).status).toBe(201);
  });

  test("R13 names beyond ASCII, quoted, in RFC 5987 form or as raw bytes, name the same file", async () => {
    const name = "研究 2026.zip";
    const latin1 = Buffer.from(name, "utf8").toString("latin1");
    for (const value of [
      `attachment; filename="${latin1}"`,
      `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
      `attachment; filename="x.zip"; filename*=UTF-8''${encodeURIComponent(name)}`,
    ]) {
      const pkg = cratePackage();
      const parts = [{ name: "file", bytes: pkg.bytes, filename: name, contentType: "application/zip" }];
      const answer = await world.deposit("registered", pkg, { parts, headers: { "content-disposition": value } });
      expect([value, answer.status]).toEqual([value, 201]);
    }
  });

  test("R13 other parts of the form are passed over, two files are refused", async () => {
    const pkg = cratePackage();
    const part = { name: "file", bytes: pkg.bytes, filename: "package.zip", contentType: "application/zip" };
    const other = { name: "note", bytes: utf8Bytes("hello") };
    expect((await world.deposit("registered", pkg, { parts: [other, part, other] })).status).toBe(201);
    const twice = await world.deposit("registered", pkg, { parts: [part, part] });
    expect([twice.status, twice.json["@type"]]).toEqual([400, "ContentMalformed"]);
  });

  test("R13 a body that is not a readable ZIP is 400 ContentMalformed, empty, truncated or something else", async () => {
    const { bytes } = cratePackage();
    for (const broken of [
      new Uint8Array(0),
      utf8Bytes("hello"),
      bytes.slice(0, bytes.length - 30),
      bytes.slice(0, 200),
    ]) {
      for (const upload of [{}, { raw: true }] as Upload[]) {
        const answer = await world.deposit("registered", { ...cratePackage(), bytes: broken }, upload);
        expect([answer.status, answer.json["@type"]]).toEqual([400, "ContentMalformed"]);
      }
    }
  });

  test("R13 a form that breaks off is 400 ContentMalformed, and nothing of it stays", async () => {
    const before = world.leftovers();
    const headers = {
      "content-type": "multipart/form-data; boundary=x",
      "content-disposition": "attachment; filename=package.zip",
      packaging: "SimpleZip",
    };
    const head =
      '--x\r\nContent-Disposition: form-data; name="file"; filename="package.zip"\r\nContent-Type: application/zip\r\n\r\n';
    for (const body of [head, `${head}PK`, "--x\r\n", "nonsense"]) {
      const answer = await world.ask("registered", "POST", SERVICE, { headers, body });
      expect([answer.status, answer.json["@type"]]).toEqual([400, "ContentMalformed"]);
    }
    expect(world.leftovers()).toEqual(before);
  });

  test("R13 nothing of a refused deposit stays behind: no file, no item, no upload", async () => {
    const state = async () => [await world.countItems(), world.leftovers()];
    const before = await state();
    const payload = [{ path: "only-here.bin", bytes: "bytes of a refused deposit" }];
    const refused: Answer[] = [
      await world.deposit("registered", cratePackage({ "svc:index": ["777"] }, payload)),
      await world.deposit("registered", cratePackage({}, payload), { headers: { digest: "SHA-256=00" } }),
      await world.deposit("registered", cratePackage({}, payload), { headers: { packaging: "x" } }),
      await world.deposit("registered", plainPackage(bagPieces({ payload, unlisted: ["only-here.bin"] }))),
      await world.deposit("registered", plainPackage([{ name: "data/x.txt", bytes: "no metadata" }])),
      await world.deposit("general", cratePackage({}, payload)),
      await world.deposit(null, cratePackage({}, payload)),
    ];
    for (const { status } of refused) expect(status).toBeGreaterThanOrEqual(400);
    expect(await state()).toEqual(before);
  });

  test("R13 a body whose client breaks off, or that stalls too long, is 400 and nothing of it stays", async () => {
    const { bytes } = cratePackage();
    const before = world.leftovers();
    const headers = {
      "content-type": "application/zip",
      "content-disposition": "attachment; filename=package.zip",
      packaging: "SimpleZip",
    };
    const half = new Uint8Array(bytes.slice(0, 100));
    const patient = world.under({ SVC_CLIENT_SECONDS: "1" });
    for (const end of ["break off", "stall"]) {
      let pulls = 0;
      const body = new ReadableStream({
        pull(controller): void | Promise<void> {
          pulls += 1;
          if (pulls === 1) controller.enqueue(half);
          else if (end === "break off") controller.error(new Error("gone"));
          else return new Promise(() => {});
        },
      });
      const answer = await patient.ask("registered", "POST", SERVICE, { headers, body });
      expect([end, answer.status, answer.json["@type"]]).toEqual([end, 400, "ContentMalformed"]);
    }
    expect(world.leftovers()).toEqual(before);
  });

  test("R13 SVC_BODY_LIMIT does not hold for deposits", async () => {
    const narrow = world.under({ SVC_BODY_LIMIT: "1 KiB" });
    const pkg = cratePackage({}, [{ path: "a.bin", bytes: new Uint8Array(20_000) }]);
    expect((await narrow.deposit("registered", pkg)).status).toBe(201);
    expect((await narrow.deposit("registered", pkg, { raw: true, chunked: true })).status).toBe(201);
  });

  test("R5 R13 R7a item and ARK are one commit: lost, neither is there, and the bytes wait for the sweep; after a refusal nothing waits", async () => {
    const arks = async () =>
      (await world.store.arks.counts({ kind: "system" }, world.time.now, []))
        .flatMap(({ states }) => Object.values(states))
        .reduce((sum, count) => sum + count, 0);
    const lost = world.under({}, (parts) => ({
      ...parts,
      store: {
        ...parts.store,
        transact: (work) =>
          parts.store.transact(async (tx) => {
            await work(tx);
            throw new Error("the connection is gone");
          }),
      },
    }));
    const [items, names, files] = [await world.countItems(), await arks(), world.leftovers().length];
    const pkg = cratePackage({}, [{ path: "a.bin", bytes: `bytes ${Math.random()}` }]);
    const answer = await lost.deposit("registered", pkg);
    expect([answer.status, answer.json.error]).toEqual([500, "Internal Server Error"]);
    expect([await world.countItems(), await arks(), world.leftovers().length]).toEqual([items, names, files + 1]);
    expect((await world.deposit("registered", pkg)).status).toBe(201);
    const expected = [items + 1, names + 1, files + 1];
    expect([await world.countItems(), await arks(), world.leftovers().length]).toEqual(expected);
  });

  test("R13 the package is dropped, its name and SHA-256 stay in the revision", async () => {
    const before = new Set(world.leftovers());
    const pkg = cratePackage({}, [{ path: "a.bin", bytes: `new ${Math.random()}` }]);
    const id = recidOf(await world.deposit("registered", pkg));
    expect(world.leftovers().filter((path) => !before.has(path)).length).toBe(1);
    expect(await world.store.items.revision(id, 1)).toMatchObject({
      packageName: "package.zip",
      packageSha256: hex(pkg),
    });
  });
});

describe("R13 Idempotency-Key", () => {
  const keyed = (key: string): Upload => ({ headers: { "idempotency-key": key } });

  test("R13 the same key with the same package gives the first answer again, and one item", async () => {
    const pkg = cratePackage();
    const first = await world.deposit("registered", pkg, keyed("again"));
    const count = await world.countItems();
    const second = await world.deposit("registered", pkg, keyed("again"));
    const shown = ({ text, headers }: Answer) => [text, headers.get("location"), headers.get("etag")];
    expect([second.status, ...shown(second)]).toEqual([201, ...shown(first)]);
    expect(await world.countItems()).toBe(count);
    const raised = await world.replace("registered", recidOf(first), cratePackage());
    expect(raised.status).toBe(200);
    expect((await world.deposit("registered", pkg, keyed("again"))).text).toBe(first.text);
  });

  test("R13 the key belongs to the account, to the package and to the address asked", async () => {
    const pkg = cratePackage();
    const id = recidOf(await world.deposit("registered", pkg, keyed("mine")));
    expect(recidOf(await world.deposit("other", pkg, keyed("mine")))).not.toBe(id);
    const another = await world.deposit("registered", cratePackage(), keyed("mine"));
    const expected = [400, "BadRequest", 'Idempotency-Key "mine" was used for another package.'];
    expect([another.status, another.json["@type"], another.json.error]).toEqual(expected);
    expect((await world.replace("registered", id, pkg, keyed("mine"))).status).toBe(400);
    const put = await world.replace("registered", id, pkg, keyed("mine too"));
    expect((await world.replace("registered", id, pkg, keyed("mine too"))).json.eTag).toBe(put.json.eTag);
    expect((await world.item(id)).revision).toBe(2);
  });

  test("R13 200 characters are taken, 201 and none are 400", async () => {
    expect((await world.deposit("registered", cratePackage(), keyed("k".repeat(200)))).status).toBe(201);
    for (const key of ["k".repeat(201), ""]) {
      const answer = await world.deposit("registered", cratePackage(), keyed(key));
      expect([answer.status, answer.json["@type"]]).toEqual([400, "BadRequest"]);
    }
  });

  test("R13 after a refusal the key is free again; after 7 days it is forgotten", async () => {
    const pkg = cratePackage({ "svc:index": ["777"] });
    expect((await world.deposit("registered", pkg, keyed("free"))).status).toBe(400);
    expect((await world.deposit("registered", cratePackage(), keyed("free"))).status).toBe(201);
    world.time.now = "2026-11-27T09:59:59.000Z";
    expect((await world.deposit("registered", cratePackage(), keyed("free"))).status).toBe(400);
    world.time.now = "2026-11-27T10:00:01.000Z";
    expect((await world.deposit("registered", pkg, keyed("free"))).json.error).not.toContain("another package");
    const later = await world.deposit("registered", cratePackage(), keyed("free"));
    world.time.now = "2026-11-20T10:00:00.000Z";
    expect(later.status).toBe(201);
  });

  test("R13 of two at once with one key one is registered; the other is asked to come back or gets the same answer", async () => {
    const pkg = cratePackage();
    const count = await world.countItems();
    const answers = await Promise.all([1, 2, 3].map(() => world.deposit("registered", pkg, keyed("at once"))));
    expect(await world.countItems()).toBe(count + 1);
    const made = new Set(answers.filter(({ status }) => status === 201).map(recidOf));
    expect(made.size).toBe(1);
    for (const { status, headers } of answers) {
      expect([201, 503]).toContain(status);
      if (status === 503) expect(headers.get("retry-after")).toBe("5");
    }
  });
});

describe("S2.19 limits", () => {
  test("R9 429 TooManyRequests with Retry-After and RateLimit headers, counted for each client", async () => {
    const few = world.under({ SVC_RATE_PER_MINUTE: "3" });
    const seen: Answer[] = [];
    for (let count = 0; count < 4; count += 1) seen.push(await few.ask("curator", "GET", SERVICE));
    expect(seen.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    const [first, , , last] = seen;
    expect(last?.json).toMatchObject({ "@type": "TooManyRequests", error: "Too many requests." });
    expect(Number(last?.headers.get("retry-after"))).toBeGreaterThan(0);
    for (const answer of [first, last]) {
      expect([...(answer?.headers.keys() ?? [])].filter((name) => name.startsWith("ratelimit")).length).toBeGreaterThan(
        0,
      );
    }
    expect((await few.ask("approver", "GET", SERVICE)).status).toBe(200);
    expect((await few.deposit("curator", cratePackage())).status).toBe(429);
  });

  test("R9 without a setting 100 requests a minute are answered", async () => {
    const usual = world.under({ SVC_RATE_PER_MINUTE: "" });
    const statuses: number[] = [];
    for (let count = 0; count < 101; count += 1) statuses.push((await usual.ask("manager", "GET", SERVICE)).status);
    expect([statuses.filter((status) => status === 200).length, statuses.at(-1)]).toEqual([100, 429]);
  });

  test("R13 without room on the disk: 503 with Retry-After, before the body is taken, and how much is needed", async () => {
    const create = () => Promise.reject(new Error("the body was taken"));
    const incoming = { create, freeBytes: async () => 1000 };
    const full = world.under({}, (parts) => ({ ...parts, files: { ...parts.files, incoming } }));
    const answer = await full.deposit("registered", cratePackage());
    expect([answer.status, answer.json["@type"]]).toEqual([503, "ServerError"]);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    const [, needed = ""] = /: (\d+) bytes of free space are needed, 1000 are there/.exec(answer.text) ?? [];
    expect(Number(needed)).toBeGreaterThan(64 * 1024 * 1024);
  });

  test.each(["unavailable", "refused"] as const)("R7c R13 a storage that is %s: 503, nothing stays", async (kind) => {
    const away = world.under({}, (parts) => {
      const adopt = () => Promise.reject(new StorageProblem(kind, "Cannot PUT: the store is a secret"));
      return { ...parts, files: { ...parts.files, storage: { ...parts.files.storage, adopt } } };
    });
    const before = [await world.countItems(), world.leftovers()];
    const answer = await away.deposit("registered", cratePackage());
    const expected = [503, "ServerError", "10"];
    expect([answer.status, answer.json["@type"], answer.headers.get("retry-after")]).toEqual(expected);
    expect(answer.text).not.toContain("secret");
    expect([await world.countItems(), world.leftovers()]).toEqual(before);
  });

  test("R13 more deposits at once than SVC_MAX_CONCURRENT_DEPOSITS: 503 with Retry-After, and free again afterwards", async () => {
    const one = world.under({ SVC_MAX_CONCURRENT_DEPOSITS: "1" });
    const answers = await Promise.all([1, 2, 3].map(() => one.deposit("registered", cratePackage())));
    const statuses = answers.map(({ status }) => status).sort();
    expect([statuses[0], statuses.at(-1)]).toEqual([201, 503]);
    for (const { status, headers } of answers)
      if (status === 503) expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await one.deposit("registered", cratePackage())).status).toBe(201);
  });

  /** A deposit that holds its place until it is let go. */
  function held(who: Who) {
    const { headers, body } = uploadOf(cratePackage(), { raw: true });
    let letGo = (): void => {};
    const gate = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const stream = new ReadableStream({
      async pull(controller) {
        await gate;
        controller.enqueue(body);
        controller.close();
      },
    });
    const answer = world.ask(who, "POST", SERVICE, { headers, body: stream });
    return { answer, letGo };
  }

  test("R6c one account holds 4 places, whatever tokens it uses: 429 with the reason; others deposit, and a place is free again afterwards", async () => {
    const tokens = await Promise.all([1, 2, 3, 4, 5].map(() => world.token("registered")));
    const uploads = tokens.slice(0, 4).map(({ token }) => held({ token }));
    await eventually("four are under way", async () => {
      const { text } = await world.ask(null, "GET", "/metrics", { address: "127.0.0.1" });
      return /^arkstone_deposits_in_work 4$/m.test(text);
    });
    const fifth = await world.deposit({ token: tokens[4]?.token ?? "" }, cratePackage());
    expect([fifth.status, fifth.json["@type"]]).toEqual([429, "TooManyRequests"]);
    expect(fifth.json.error).toContain("Too many deposits of one account at once: 4 are under way");
    expect(Number(fifth.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await world.deposit("other", cratePackage())).status).toBe(201);
    for (const { letGo } of uploads) letGo();
    expect((await Promise.all(uploads.map(({ answer }) => answer))).map(({ status }) => status)).toEqual([
      201, 201, 201, 201,
    ]);
    expect((await world.deposit("registered", cratePackage())).status).toBe(201);
  });
});
