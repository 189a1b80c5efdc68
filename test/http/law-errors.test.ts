// Every row of the error table, asked of whole roles (law, "Errors"; "What the service does" 2, 7, 10).
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createServer } from "node:http";
import { openDatabase } from "../../db/engine/open.ts";
import type { Handler } from "../../plugins/http/frame.ts";
import { mintedArk } from "../../src/ark/new-name.ts";
import { aShoulder } from "../support/seed.ts";
import { type Asked, ask, type Json, type Sent, type ServiceWorld, serviceWorld } from "../support/service-world.ts";

const TARGET = "https://example.org/thing";

let world: ServiceWorld;
let minter: Handler;
let key: string;
let otherKey: string;
beforeAll(async () => {
  world = await serviceWorld();
  minter = world.minter();
  key = await world.key("ops");
  otherKey = await world.key("others", { organisationId: world.seeded.orgB });
});
afterAll(() => world.close());

const call = (method: string, path: string, body: unknown, asked: Asked = {}): Promise<Sent> =>
  ask(minter, method, `/api/${path}`, { key, body, ...asked });
const solemnly = (ark: string): Json => ({ ark, reason: "Asked for", confirm: ark });

async function make(state: "reserved" | "published" | "unpublished" | "deleted" | "purged"): Promise<string> {
  const reserve = state === "reserved" || state === "deleted";
  const ark = String((await call("POST", "mint", { url: TARGET, title: "A thing", reserve })).json.ark);
  if (state === "unpublished") expect((await call("POST", "unpublish", solemnly(ark))).status).toBe(200);
  if (state === "deleted") expect((await call("POST", "delete", { ark })).status).toBe(200);
  if (state === "purged") expect((await call("POST", "purge", solemnly(ark))).status).toBe(200);
  return ark;
}

const read = async (...arks: readonly string[]): Promise<unknown> =>
  (await call("POST", "query", { data: arks })).json.data;
const codeOf = ({ status, json }: Sent): string => `${status} ${json.code}`;

describe("the error table", () => {
  test("L69 L22 a body that fails validation is 422 with the validation error body", async () => {
    const answer = await call("POST", "mint", { title: 1, naan: "12345" });
    expect([answer.status, Object.keys(answer.json)]).toEqual([422, ["detail"]]);
  });

  test("L69 L7 a delegated shoulder is 307 toward the minter, and the service never calls it", async () => {
    let calls = 0;
    const elsewhere = createServer((_, response) => {
      calls += 1;
      response.end("{}");
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
    const address = elsewhere.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/api/mint`;
    const organisationId = world.seeded.orgA;
    await world.store.transact((tx) =>
      tx.saveShoulder(aShoulder({ shoulder: "m5", organisationId, status: "delegated", minter: url })),
    );
    const answer = await call("POST", "mint", { shoulder: "m5", title: "Not minted here" });
    expect([codeOf(answer), answer.headers.get("location")]).toEqual(["307 SVC-1306", url]);
    expect((await call("POST", "mint/bulk", { data: [{ shoulder: "m5" }] })).status).toBe(403);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(calls).toBe(0);
    await new Promise((resolve) => elsewhere.close(resolve));
  });

  test("L69 L31 L34 deleting a published name, or a bulk with a published or ever published row, is 409 and deletes nothing", async () => {
    const [published, unpublished, reserved, other] = [
      await make("published"),
      await make("unpublished"),
      await make("reserved"),
      await make("reserved"),
    ];
    const before = await read(published, unpublished, reserved, other);
    expect((await call("POST", "delete", { ark: published })).status).toBe(409);
    expect((await call("POST", "delete", solemnly(published))).status).toBe(409);
    for (const data of [
      [reserved, published, other],
      [reserved, other, unpublished],
      [unpublished],
      [published, unpublished],
    ]) {
      const answer = await call("POST", "delete/bulk", { data, reason: "Asked for" });
      expect([data.length, answer.status]).toEqual([data.length, 409]);
    }
    expect(await read(published, unpublished, reserved, other)).toEqual(before);
    expect((await call("POST", "delete/bulk", { data: [reserved, other] })).status).toBe(200);
    expect(await read(reserved, other)).toEqual([]);
  });

  test("L69 L35 whoever refers to a purged name is answered 404, at both roles", async () => {
    const ark = await make("purged");
    const references: readonly (readonly [string, string, Json])[] = [
      ["PUT", "update", { ark, title: "Back" }],
      ["PATCH", "update", { ark, url: TARGET }],
      ["PUT", "update/bulk", { data: [{ ark }] }],
      ["PUT", "tombstone", { ark }],
      ["POST", "publish", { ark }],
      ["POST", "unpublish", solemnly(ark)],
      ["POST", "delete", solemnly(ark)],
      ["POST", "delete/bulk", { data: [ark] }],
      ["POST", "purge", solemnly(ark)],
      ["POST", "register", { ark, qualifier: "/page" }],
    ];
    for (const [method, path, body] of references) {
      expect([path, codeOf(await call(method, path, body))]).toEqual([path, "404 SVC-1401"]);
    }
    expect(await read(ark)).toEqual([]);
    const { handler } = await world.resolver();
    for (const form of ["", "?", "??", "?info", "?json", "/page/3"]) {
      expect([form, (await ask(handler, "GET", `/${ark}${form}`)).status]).toEqual([form, 404]);
    }
  });

  test("L35 a purge is in the audit, with who, from where and why", async () => {
    const ark = await make("published");
    await call("POST", "purge", { ...solemnly(ark), reason: "A court asked for it" });
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

  test("L69 L10 L45 a bulk update with a row missing or out of reach fails whole, nothing is written", async () => {
    const [one, two] = [await make("published"), await make("reserved")];
    const foreign = String((await call("POST", "mint", { title: "Theirs" }, { key: otherKey })).json.ark);
    const before = await read(one, two);
    for (const bad of [foreign, "ark:99999/b1none", await make("deleted"), await make("purged")]) {
      for (const at of [0, 1, 2]) {
        const data: Json[] = [one, two].map((ark) => ({ ark, title: "Changed" }));
        data.splice(at, 0, { ark: bad, title: "Changed" });
        for (const method of ["PUT", "PATCH"]) {
          expect([bad, codeOf(await call(method, "update/bulk", { data }))]).toEqual([bad, "404 SVC-1401"]);
        }
      }
    }
    expect(await read(one, two)).toEqual(before);
    const theirs = (await call("POST", "query", { data: [foreign] }, { key: otherKey })).json.data;
    expect(theirs).toMatchObject([{ title: "Theirs" }]);
  });

  test("L69 L27 L29 reserved, unpublished and withdrawn names answer as a name never seen, in every form, with both headers", async () => {
    const names = {
      reserved: await make("reserved"),
      unpublished: await make("unpublished"),
      deleted: await make("deleted"),
      purged: await make("purged"),
    };
    // Right by its check character, and never made.
    const unseen = `ark:${mintedArk("99999", "b1", "zzzzzzzz").key}`;
    const { handler } = await world.resolver();
    const shape = async (ark: string, form: string, accept: string) => {
      const { status, headers, text } = await ask(handler, "GET", `/${ark}${form}`, { headers: { accept } });
      const name = ark.slice("ark:".length);
      expect(headers.get("thump-status")).toBe("0.6 404 Not Found");
      expect(headers.get("link")).toBe(`</${ark}${form.startsWith("/") ? form : ""}>; rel="describes"`);
      const fields = [...headers].filter(([field]) => field !== "x-request-id" && field !== "link");
      return { status, fields, text: text.replaceAll(name, "NAME").replaceAll(encodeURIComponent(name), "NAME") };
    };
    for (const form of ["", "?", "??", "?info", "?json", "/page/3"]) {
      for (const accept of ["*/*", "application/json", "text/html"]) {
        const expected = await shape(unseen, form, accept);
        expect(expected.status).toBe(404);
        for (const [state, ark] of Object.entries(names)) {
          expect({ state, ...(await shape(ark, form, accept)) }).toEqual({ state, ...expected });
        }
      }
    }
  });

  test("L69 L29 L33 L35 without a reason, or with a confirm that is not the ARK, nothing is withdrawn", async () => {
    for (const [path, state] of [
      ["unpublish", "published"],
      ["delete", "unpublished"],
      ["purge", "published"],
      ["purge", "unpublished"],
    ] as const) {
      const ark = await make(state);
      const before = await read(ark);
      for (const body of [
        { ark },
        { ark, confirm: ark },
        { ark, confirm: ark, reason: " " },
        { ark, reason: "Asked for" },
        { ark, reason: "Asked for", confirm: "" },
        { ark, reason: "Asked for", confirm: `${ark}x` },
        { ark, reason: "Asked for", confirm: "yes" },
      ]) {
        const { status } = await call("POST", path, body);
        expect([path, JSON.stringify(body), status]).toEqual([path, JSON.stringify(body), 400]);
      }
      expect(await read(ark)).toEqual(before);
      expect((await call("POST", path, solemnly(ark))).status).toBe(200);
    }
  });
});
