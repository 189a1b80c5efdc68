// One repository behind every interface (R1): what is deposited is seen, hidden, deleted and restored alike through
// SWORD, pages, files, exports and the index tree (R2a, R2c, R2d), and each interface refuses in its own shape (R9).
import { describe, expect, test } from "bun:test";
import { jsonLog } from "../../src/adapters/log.ts";
import type { Access, FileAccess, ItemContent } from "../../src/model/items/item.ts";
import { onEachDatabase } from "../support/databases.ts";
import { cratePackage, freshTitle } from "../support/deposit-requests.ts";
import { NOW } from "../support/seed.ts";
import { type Answer, INDEXES, type PersonName, recidOf } from "../support/world/repository.ts";
import { openWorld, setUpWorld } from "../support/world.ts";

onEachDatabase("every interface", (database) => {
  const world = setUpWorld({ repository: true, database });

  const TODAY = NOW.slice(0, 10);
  const TOMORROW = "2026-11-21";
  const HTML = { headers: { accept: "text/html" } };

  test.each([
    ...["/sword/deposit/%F0", "/api/v1/tree/%F0", "/items/schemaform/%F0", "/records/%F0", "/index/%C3%28"],
    ...[
      "/records/%F0/export/jpcoar",
      "/records/1/export/%F0",
      "/api/v1/workflow/activities/%F0",
      "/api/v1/admin/users/%F0",
    ],
  ])("R9 an address that cannot be decoded, %s, is that of nothing: 404", async (path) => {
    expect((await world.ask("system", "GET", path)).status).toBe(404);
  });

  const contentOf = async (id: number): Promise<ItemContent> => {
    const { content } = await world.item(id);
    if (content === null) throw new Error(`Item ${id} was never published`);
    return content;
  };

  /** A published item of `registered` with one file. */
  async function deposited(root: Readonly<Record<string, unknown>> = {}) {
    const title = freshTitle();
    const id = recidOf(await world.deposit("registered", cratePackage({ name: title, ...root })));
    const [name = ""] = (await contentOf(id)).files.map((file) => file.name);
    return { id, title, parent: (await world.item(id)).parentId, file: `/records/${id}/files/${name}` };
  }

  type Who = PersonName | null;
  const PEOPLE = ["general", "other", "stranger", "manager", "curator", "registered", "admin", "system"] as const;
  const EVERYBODY = [null, ...PEOPLE] as const;
  /** Over PostgreSQL one of each kind is enough: the rules are the same, only the queries differ. */
  const ASKING: Readonly<Record<string, readonly Who[]>> = {
    PostgreSQL: [null, "other", "curator", "registered", "admin"],
  };
  const SIGNED_IN = EVERYBODY.filter((who) => who !== null);
  const OWNER: readonly Who[] = ["registered", "admin", "system"];
  const COMMUNITY_TOO: readonly Who[] = ["manager", "curator", ...OWNER];

  type Case = {
    readonly name: string;
    readonly access?: Partial<Access>;
    readonly indexes?: readonly number[];
    readonly file?: FileAccess;
    readonly accessDate?: string;
    readonly now?: string;
    readonly record: readonly Who[];
    readonly bytes: readonly Who[];
  };

  const onTheDay = `${TOMORROW}T00:00:00.000Z`;
  const theDayBefore = `${TODAY}T23:59:59.999Z`;
  const embargo = { embargoUntil: TOMORROW, files: "restricted" } as const;

  const all = { record: EVERYBODY, bytes: EVERYBODY };
  const own = { record: OWNER, bytes: OWNER };
  const files = { record: EVERYBODY, bytes: OWNER };
  const dated = { file: "date", accessDate: TOMORROW } as const;
  const kept = { ...embargo, record: "restricted" } as const;
  const secret = { access: { record: "restricted" } } as const;
  const CASES: readonly Case[] = [
    { name: "public", ...all },
    { name: "private", ...secret, ...own },
    { name: "open tomorrow", access: { openDate: TOMORROW }, now: theDayBefore, ...own },
    { name: "open today", access: { openDate: TOMORROW }, now: onTheDay, ...all },
    { name: "in a hidden index", indexes: [INDEXES.hidden], ...own },
    { name: "in a hidden and a public index", indexes: [INDEXES.hidden, INDEXES.open], ...all },
    { name: "in no index", indexes: [], ...all },
    {
      name: "private, of a community",
      ...secret,
      indexes: [INDEXES.below],
      record: COMMUNITY_TOO,
      bytes: COMMUNITY_TOO,
    },
    { name: "with closed files", access: { files: "restricted" }, ...files },
    { name: "under embargo", access: embargo, now: theDayBefore, ...files },
    { name: "private under embargo", access: kept, now: theDayBefore, ...own },
    { name: "private, its embargo over", access: kept, now: onTheDay, ...all },
    { name: "with a file for people", file: "login", record: EVERYBODY, bytes: SIGNED_IN },
    { name: "with a closed file", file: "closed", ...files },
    { name: "with a file of tomorrow", ...dated, now: theDayBefore, ...files },
    { name: "with a file of today", ...dated, now: onTheDay, ...all },
  ];

  describe("who sees an item, through every interface", () => {
    test.each(CASES.map((each) => [each.name, each] as const))("R1 R2a R2d an item %s", async (_, given) => {
      world.time.now = NOW;
      const { id, title, parent, file } = await deposited();
      const before = await contentOf(id);
      const { file: access, accessDate = null, indexes = [INDEXES.open] } = given;
      const files = before.files.map((each) => ({ ...each, access: access ?? each.access, accessDate }));
      const content = { ...before, access: { ...before.access, ...given.access }, indexes, files };
      await world.items.revise(await world.viewer("system"), id, { content });
      world.time.now = given.now ?? NOW;
      const index = content.indexes[0] ?? INDEXES.open;
      for (const who of ASKING[database.name] ?? EVERYBODY) {
        const reads = given.record.includes(who);
        const seen = {
          page: (await world.ask(who, "GET", `/records/${id}`)).status,
          byParent: (await world.ask(who, "GET", `/records/${parent}`)).status,
          export: (await world.ask(who, "GET", `/records/${id}/export/jpcoar`)).status,
          file: (await world.ask(who, "GET", file)).status,
          sword: (await world.status(who, id)).status,
          swordByParent: (await world.status(who, parent)).status,
          onFront: (await world.ask(who, "GET", "/")).text.includes(title),
          inIndex: (await world.ask(who, "GET", `/index/${index}`)).text.includes(title),
        };
        const sword = who === null ? 401 : reads ? 200 : 403;
        // An index that may not be browsed lists nothing; owners find their items elsewhere.
        const isListed = index !== INDEXES.hidden || who === "admin" || who === "system";
        const page = reads ? 200 : 403;
        expect({ who, ...seen }).toEqual({
          ...{ who, page, byParent: reads ? 302 : 403, export: page, file: given.bytes.includes(who) ? 200 : 403 },
          ...{ sword, swordByParent: sword, onFront: reads },
          inIndex: reads && content.indexes.length > 0 && isListed,
        });
      }
    });

    test("R2d the day begins in SVC_TIME_ZONE", async () => {
      world.time.now = NOW;
      const { id } = await deposited();
      const content = await contentOf(id);
      const opening = { ...content, access: { ...content.access, openDate: TOMORROW } };
      await world.items.revise(await world.viewer("system"), id, { content: opening });
      const tokyo = world.under({ SVC_TIME_ZONE: "Asia/Tokyo" });
      world.time.now = `${TODAY}T14:59:59.000Z`;
      expect((await tokyo.ask(null, "GET", `/records/${id}`)).status).toBe(403);
      world.time.now = `${TODAY}T15:00:00.000Z`;
      expect((await tokyo.ask(null, "GET", `/records/${id}`)).status).toBe(200);
      expect((await world.ask(null, "GET", `/records/${id}`)).status).toBe(403);
      world.time.now = NOW;
    });
  });

  test("R1 S2.1 one client makes an index, reads the service document, deposits into the index, reads, replaces and deletes; another one's deposit waits for approval", async () => {
    world.time.now = NOW;
    const made = await world.ask("admin", "POST", "/api/v1/tree/index", {
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        index: { parent: 0, index_name: "潮", index_name_english: "Tides", public_state: true },
      }),
    });
    expect(made.status).toBe(201);
    const index = String((made.json.index as { readonly id: number }).id);
    const service = await world.ask("registered", "GET", "/sword/service-document");
    expect([service.status, service.json.acceptDeposits]).toEqual([200, true]);
    const { id, title, file } = await deposited({ "svc:index": index });
    expect((await world.status("registered", id)).json.state).toEqual([
      { "@id": "http://purl.org/net/sword/3.0/state/ingested", description: "" },
    ]);
    expect((await world.ask(null, "GET", `/index/${index}`)).text).toContain(title);
    const renamed = freshTitle();
    const replaced = await world.replace("registered", id, cratePackage({ name: renamed, "svc:index": index }));
    expect([replaced.status, replaced.json.eTag]).toEqual([200, "2"]);
    const shown = (await world.ask(null, "GET", `/index/${index}`)).text;
    expect([shown.includes(renamed), shown.includes(title)]).toEqual([true, false]);
    expect((await world.remove("registered", id)).status).toBe(204);
    expect((await world.ask(null, "GET", file)).status).toBe(410);

    await world.client("other", { registrationType: 2, workflow: await world.workflow() });
    const waiting = await world.deposit("other", cratePackage({ "svc:index": index }));
    await world.client("other");
    expect([waiting.status, waiting.json["@type"]]).toEqual([202, "Status"]);
    expect((await world.item(recidOf(waiting))).state).toBe("draft");
  });

  describe("what is deleted, through every interface", () => {
    test("R1 R2c R5 410 on page, file, export and by the parent's number, 404 in SWORD, in no list; restored it is read everywhere again", async () => {
      world.time.now = NOW;
      const { id, title, parent, file } = await deposited({ "svc:index": String(INDEXES.open) });
      const exports = ["jpcoar", "ro-crate"].map((format) => `/records/${id}/export/${format}`);
      const pages = [`/records/${id}`, `/records/${parent}`, file, ...exports];
      const all = async (who: Who): Promise<number[]> =>
        await Promise.all(pages.map(async (path) => (await world.ask(who, "GET", path)).status));
      expect((await world.remove("registered", id)).status).toBe(204);
      for (const who of [null, "registered", "admin"] as const) {
        expect(await all(who)).toEqual([410, 410, 410, 410, 410]);
        for (const path of ["/", `/index/${INDEXES.open}`]) {
          expect((await world.ask(who, "GET", path)).text).not.toContain(title);
        }
      }
      for (const answer of [
        await world.status("admin", id),
        await world.status("admin", parent),
        await world.replace("admin", id, cratePackage()),
        await world.remove("admin", id),
      ]) {
        expect([answer.status, answer.json["@type"]]).toEqual([404, "NotFound"]);
      }
      await world.items.restore(await world.viewer("admin"), id);
      expect(await all(null)).toEqual([200, 302, 200, 200, 200]);
      expect((await world.status("registered", id)).status).toBe(200);
      expect((await world.ask(null, "GET", `/index/${INDEXES.open}`)).text).toContain(title);
    });

    test("R2c R16 what waits for approval is 404 to others at every interface, and read by its depositor and approvers", async () => {
      const workflow = await world.workflow();
      await world.client("registered", { registrationType: 2, workflow });
      const answer = await world.deposit("registered", cratePackage());
      await world.client("registered");
      expect(answer.status).toBe(202);
      const id = recidOf(answer);
      for (const [who, status] of [
        ["registered", 200],
        ["approver", 200],
        ["admin", 200],
        ["other", 404],
        ["general", 404],
      ] as const) {
        expect([who, (await world.ask(who, "GET", `/records/${id}`)).status]).toEqual([who, status]);
        expect([who, (await world.status(who, id)).status]).toEqual([who, status]);
      }
      expect((await world.ask(null, "GET", `/records/${id}`)).status).toBe(404);
    });
  });

  /** Which interface an answer comes from, by its body. */
  function interfaceOf({ json, text, headers }: Answer): string {
    if (json["@type"] !== undefined && json.timestamp !== undefined) return "sword";
    if (headers.get("content-type")?.startsWith("text/html") === true && text.includes("</html>")) return "page";
    if (json.description !== undefined && json.message === json.description) return "index";
    if (json.status === json.code && typeof json.message === "string") return "records";
    return "?";
  }

  describe("refusals in the shape of the interface (R9)", () => {
    const ENDPOINTS = [
      ["sword", "GET", "/sword/deposit/1"],
      ["index", "GET", "/api/v1/tree/1"],
      ["index", "POST", "/api/indextree/create"],
      ["page", "GET", "/records/1"],
    ] as const;

    test.each([
      ["sword", "GET", "/sword/nothing", 404],
      ["sword", "PATCH", "/sword/deposit/1", 405],
      ["sword", "GET", "/sword/deposit/999999", 404],
      ["index", "GET", "/api/v1/tree/999999", 404],
      ["index", "DELETE", "/api/v1/tree", 405],
      ["index", "GET", "/api/v2/tree", 400],
      ["index", "GET", "/api/indextree/create", 405],
      ["records", "GET", "/api/nothing", 404],
      ["page", "GET", "/nothing", 404],
      ["page", "GET", "/records/999999", 404],
      ["page", "DELETE", "/records/1", 405],
      ["page", "GET", "/index/999999", 404],
    ] as const)("R9 S2.20 %s: %s %s is %d", async (endpoint, method, path, status) => {
      const answer = await world.ask("system", method, path, HTML);
      expect([interfaceOf(answer), answer.status]).toEqual([endpoint, status]);
      if (endpoint !== "page" && endpoint !== "sword") expect(answer.json.code).toBe(status);
      expect(answer.headers.get("cache-control")).toBe("no-store");
    });

    test("R9 S2.19 beyond the requests of a minute each interface answers 429 with Retry-After and RateLimit, and the groups are counted apart", async () => {
      const limited = world.under({ SVC_RATE_PER_MINUTE: "2" });
      for (const [endpoint, method, path] of ENDPOINTS) {
        const body = method === "POST" ? { body: '{"index_info":{"comment":"x"}}' } : {};
        let last: Answer | null = null;
        for (let i = 0; i < 5; i += 1) last = await limited.ask("system", method, path, { ...HTML, ...body });
        if (last === null) throw new Error("nothing was asked");
        expect([interfaceOf(last), last.status]).toEqual([endpoint, 429]);
        expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(0);
        expect(last.headers.get("ratelimit")).toContain("r=0");
        if (endpoint === "sword") expect(last.json["@type"]).toBe("TooManyRequests");
      }
    });

    test.each(ENDPOINTS)(
      "R9 %s: %s %s without what it needs inside is 500 with the request's id and no word from inside",
      async (endpoint, method, path) => {
        const fail = () => {
          throw new Error("secret of the inside");
        };
        const failing = new Proxy({}, { get: () => fail }) as never;
        const broken = world.under({}, (parts) => ({
          ...parts,
          store: { ...parts.store, items: failing, indexes: failing, transact: fail },
        }));
        const body = method === "POST" ? { body: '{"index_info":{"comment":"x"}}' } : {};
        const answer = await broken.ask("system", method, path, { ...HTML, ...body });
        expect([interfaceOf(answer), answer.status]).toEqual([endpoint, 500]);
        expect(answer.headers.get("x-request-id")).not.toBeNull();
        expect(answer.text).not.toContain("secret of");
      },
    );
  });

  test("R6b R15 R33 no secret and no On-Behalf-Of value is ever logged or audited: tokens right and wrong, links to sign in with", async () => {
    const lines: string[] = [];
    const own = await openWorld({ repository: { log: jsonLog("debug", (line) => lines.push(line)) } });
    const { token } = await own.token("registered");
    const onBehalf = await own.token("other");
    const wrong = `${token.slice(0, -6)}AAAAAA`;
    const mail = "somebody.unknown@example.org";
    const link = "WqmnGZU7E6ICcPy5T9aDrzWBfPtEcsLArHdOJpDP3UM";
    const secret = "svc_abc123def456_uGI8tmll1o9FB1TBzi3TF0xU-QETiGlDevt8KfB52QE";
    const values = [onBehalf.token, mail, own.people.other.account.mail ?? "", secret];
    for (const value of values) {
      await own.deposit({ token }, cratePackage(), { headers: { "on-behalf-of": value } });
      await own.ask({ token }, "GET", "/sword/service-document", { headers: { "on-behalf-of": value } });
    }
    await own.deposit({ token: wrong }, cratePackage());
    await own.ask({ token: wrong }, "GET", "/api/v1/tree");
    await own.ask(null, "GET", `/account/login/${link}`);
    await own.ask(null, "GET", `/account/oidc/callback?code=${link}&state=${link}`);
    const form = { "content-type": "application/x-www-form-urlencoded", origin: "https://repo.example.org" };
    await own.ask(null, "POST", "/account/login", { headers: form, body: `token=${token}&csrf=${link}` });
    await own.ask(null, "POST", `/account/login/${link}`, { headers: form, body: `csrf=${link}` });
    const events = await Promise.all([1, 2, 3, 4].map((id) => own.store.events(`item:${id * 2}`, 100)));
    const written = lines.join("") + JSON.stringify(events);
    expect(lines.length).toBeGreaterThan(10);
    expect(written).toContain("item.publish");
    for (const secret of [token, wrong, onBehalf.token, link, ...values]) {
      // The beginning of a token names it, and may be shown.
      expect(written).not.toContain(secret.replace(/^svc_[^_]+_/, ""));
    }
    await own.close();
  });
});
