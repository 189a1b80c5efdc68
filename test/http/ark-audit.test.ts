// The audit: every change of a name is signed with who, from where and why (A27; specification 1, "What the service
// does" 7).
import { beforeAll, describe, expect, test } from "bun:test";
import { openDatabase } from "../../db/engine/open.ts";
import type { Handler } from "../../plugins/http/frame.ts";
import { checkCharacter } from "../../src/ark/syntax.ts";
import { type Asked, ask, type Json, type Sent } from "../support/world/names.ts";
import { setUpWorld } from "../support/world.ts";

let minter: Handler;
let key = "";
let naanKey = "";
const world = setUpWorld({ names: { file: true } });
beforeAll(async () => {
  key = await world.key("ops");
  naanKey = await world.key("naan", { tier: "naan", organisationId: null });
  minter = world.minter({ SVC_TRUSTED_PROXIES: "1" });
});

const SINCE = "2026-11-20T10:00:00.000Z";
const checked = (name: string) => name + checkCharacter(name);
const solemnly = (ark: string) => ({ ark, reason: "Asked for", confirm: ark });
const send = (method: string, path: string, body?: unknown, more: Asked = {}): Promise<Sent> =>
  ask(minter, method, `/api/${path}`, { key, body, ...more });
const post = (path: string, body: unknown, more: Asked = {}) => send("POST", path, body, more);
const mint = async (body: Json = {}) => String((await post("mint", body)).json.ark);

describe("A27 the audit", () => {
  test("A27 every kind of change leaves its line: when, who, tier, from where, what, before, after, why", async () => {
    const from = { headers: { "x-forwarded-for": "203.0.113.9" } };
    const minted = await post("mint", { url: "https://a.example/" }, from);
    const ark = String(minted.json.ark);
    const until = "2026-12-01T00:00:00Z";
    const imported = checked("99999/b1np1wh9");
    for (const [method, path, body] of [
      ["PATCH", "update", { ark, url: "https://b.example/" }],
      ["PUT", "hold", { ark, until, reason: "Complaint" }],
      ["PUT", "hold/release", { ark }],
      ["POST", "unpublish", solemnly(ark)],
      ["POST", "publish", { ark }],
      ["PUT", "tombstone", { ark, url: "https://c.example/" }],
      ["POST", "purge", solemnly(ark)],
      ["POST", "import", { ark: imported, reserve: true }],
      ["POST", "register", { ark: imported, qualifier: "/p" }],
      ["POST", "delete", { ark: `${imported}/p`, reason: "Wrong" }],
    ] as const) {
      const { status } = await send(method, path, body, { ...from, key: naanKey });
      expect([path, status < 300]).toEqual([path, true]);
    }
    const database = await openDatabase({ url: world.url, readOnly: true });
    const targets = [ark.slice(4), imported, `${imported}/p`];
    const events = database.reader.selectFrom("audit_event").orderBy("id");
    const rows = await events.selectAll().where("target", "in", targets).execute();
    await database.close();
    for (const row of rows) expect([row.at, row.address, row.subject]).toEqual([SINCE, "203.0.113.9", "ark"]);
    const lines = rows.map(({ client_id, tier, action, before_url, after_url, reason }) =>
      [client_id, tier, action, before_url, after_url, reason].join(" | "),
    );
    const [a, b, c] = ["a", "b", "c"].map((host) => `https://${host}.example/`);
    expect(lines).toEqual([
      `ops | organisation | mint |  | ${a} | `,
      `naan | naan | update | ${a} | ${b} | `,
      `naan | naan | hold | ${b} | ${b} | Complaint`,
      `naan | naan | release | ${b} | ${b} | `,
      `naan | naan | unpublish | ${b} | ${b} | Asked for`,
      `naan | naan | publish | ${b} | ${b} | `,
      `naan | naan | tombstone | ${b} | ${c} | `,
      `naan | naan | unpublish | ${c} | ${c} | Asked for`,
      `naan | naan | purge | ${c} |  | Asked for`,
      ...["import |  |  | ", "register |  |  | ", "delete |  |  | Wrong"].map((line) => `naan | naan | ${line}`),
    ]);
  });

  test("L35 a purge is in the audit, with who, from where and why", async () => {
    const ark = await mint({ url: "https://example.org/thing", title: "A thing" });
    await post("purge", { ...solemnly(ark), reason: "A court asked for it" });
    const database = await openDatabase({ url: world.url, readOnly: true });
    const events = await database.reader
      .selectFrom("audit_event")
      .select(["action", "client_id", "tier", "address", "reason"])
      .where("target", "=", ark.slice("ark:".length))
      .orderBy("id")
      .execute();
    await database.close();
    const who = { client_id: "ops", tier: "organisation", address: "192.0.2.1" };
    const reason = "A court asked for it";
    expect(events).toEqual([
      { ...who, action: "mint", reason: "" },
      { ...who, action: "unpublish", reason },
      { ...who, action: "purge", reason },
    ]);
  });
});

describe("A27 the audit of calls that share a commit", () => {
  test("A27 each keeps its own credential and address", async () => {
    const other = await world.key("other-ops");
    const callers = [
      { key, address: "203.0.113.1", who: "ops" },
      { key, address: "203.0.113.2", who: "ops" },
      { key: other, address: "203.0.113.1", who: "other-ops" },
    ];
    const minted = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const caller = callers[index % 3] ?? callers[0];
        const { json } = await post(
          "mint",
          {},
          { key: caller?.key ?? "", headers: { "x-forwarded-for": caller?.address ?? "" } },
        );
        return [String(json.ark).slice(4), `${caller?.who} ${caller?.address}`] as const;
      }),
    );
    const database = await openDatabase({ url: world.url, readOnly: true });
    const rows = await database.reader.selectFrom("audit_event").select(["target", "client_id", "address"]).execute();
    await database.close();
    const signed = new Map(rows.map((row) => [row.target, `${row.client_id} ${row.address}`]));
    for (const [target, by] of minted) expect(signed.get(target)).toBe(by);
  });
});
