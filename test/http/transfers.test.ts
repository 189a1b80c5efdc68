// Handing a record over to another account (R15), on both databases: offered, answered once, never half done.
import { describe, expect, test } from "bun:test";
import { addMilliseconds } from "../../src/shared/time/instant.ts";
import { onEachDatabase } from "../support/databases.ts";
import { METADATA, recordCalls, titled } from "../support/record-calls.ts";
import { csrfIn, visitor } from "../support/world/pages.ts";
import { setUpWorld } from "../support/world.ts";

const CLOSED = {
  metadata: { ...METADATA, title: "Tides to give away" },
  access: { record: "restricted", files: "restricted" },
  files: { enabled: false },
};
type Who = "registered" | "other" | "general" | "system" | null;

describe("transfers", () => {
  onEachDatabase((database) => {
    const world = setUpWorld({ repository: true, database });
    const calls = recordCalls(world);
    const call: ReturnType<typeof recordCalls>["call"] = (...args) => calls.call(...args);
    const idOf = (who: "registered" | "other" | "general") => String(world.people[who].account.id);
    type Offer = { readonly id: string; readonly status: string; readonly links: { readonly actions: object } };

    async function offer(id: string, to: "other" | "general" = "other"): Promise<Offer> {
      const body = { receiver: { user: idOf(to) }, message: "Please <b>take</b> it" };
      const { status, json } = await call("registered", "POST", `/${id}/access/transfers`, body);
      if (status !== 201) throw new Error(`${status}: ${JSON.stringify(json)}`);
      return json as unknown as Offer;
    }
    const act = async (who: Who, id: string, action: string) => {
      const { status, json } = await world.ask(who, "POST", `/api/transfers/${id}/actions/${action}`);
      return [status, (json as { status?: unknown } | null)?.status];
    };
    const read = async (who: Who, id: string) => (await world.ask(who, "GET", `/api/transfers/${id}`)).status;

    test("P.189 R2h a name with NUL is one that nothing has: of offers, links, requests and communities", async () => {
      const id = await calls.create("registered", CLOSED);
      const named = (name: string): readonly (readonly [string, string, object?])[] => [
        ["GET", `/api/transfers/${name}`],
        ["POST", `/api/transfers/${name}/actions/accept`],
        ["GET", `/api/records/${id}/access/links/${name}`],
        ["PATCH", `/api/records/${id}/access/links/${name}`, {}],
        ["DELETE", `/api/records/${id}/access/links/${name}`],
        ["GET", `/api/requests/${name}`],
        ["POST", `/api/requests/${name}/actions/accept`],
        ["GET", `/api/communities/${name}`],
        ["GET", `/api/communities/${name}/membership-requests`],
        ["POST", `/api/communities/${name}/membership-requests`, {}],
      ];
      const answersTo = async (name: string) => {
        const answers = [];
        for (const [method, path, body] of named(name)) {
          const headers = { "content-type": "application/json" };
          const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) };
          answers.push([method, path.replace(name, ""), (await world.ask("registered", method, path, sent)).status]);
        }
        return answers;
      };
      expect(await answersTo("a%00b")).toEqual(await answersTo("nothing"));
      expect(new Set((await answersTo("%00")).map((each) => each[2]))).toEqual(new Set([404]));
    });

    test("P.186 P.187 P.189 forms with NUL are shown again with what is wrong", async () => {
      const [id, draft] = [await calls.published("registered"), await calls.create("registered")];
      const browser = visitor(world.handler);
      await browser.signIn(world.people.registered.token);
      const csrf = csrfIn((await browser.get("/me")).text);
      const answers = [];
      for (const text of ["a\0b", "nobody"]) {
        const share = { do: "add", kind: "user", permission: "view", who: text };
        answers.push([
          (await browser.post(`/records/${id}/withdraw`, { csrf, reason: text })).status,
          (await browser.post(`/records/${id}/share`, { csrf, ...share })).status,
          (await browser.post(`/records/${id}/share`, { csrf, ...share, kind: "role" })).status,
          (await browser.post(`/records/${draft}/transfer`, { csrf, who: text })).status,
        ]);
      }
      expect(answers).toEqual([
        [400, 400, 400, 400],
        [400, 400, 400, 400],
      ]);
    });

    test("P.189 P.192 R2d what the new owner writes is not in the export of the depositor", async () => {
      const [given, kept] = [await calls.published("registered", CLOSED), await calls.published("registered", CLOSED)];
      const exported = async () => {
        const { json } = await world.ask("registered", "GET", "/api/me/export");
        const { deposits } = json as unknown as { deposits: readonly { id: number; title?: string }[] };
        return [given, kept].map((id) => deposits.find((row) => String(row.id) === id)?.title ?? "hidden");
      };
      expect(await exported()).toEqual(["Tides to give away", "Tides to give away"]);
      expect(await act("other", (await offer(given)).id, "accept")).toEqual([200, "accepted"]);
      await call("other", "POST", `/${given}/draft`);
      const body = { ...CLOSED, metadata: titled("Secret of the receiver").metadata };
      await call("other", "PUT", `/${given}/draft`, body);
      await calls.publish("other", given);
      expect((await call("registered", "GET", `/${given}`)).status).toBe(403);
      expect(await exported()).toEqual(["hidden", "Tides to give away"]);
      expect((await world.ask("registered", "GET", "/api/me/export")).text).not.toContain("Secret of the receiver");
    });

    test("P.189 R15 nothing changes before it is accepted; then versions, drafts and the right to share are the receiver's", async () => {
      const id = await calls.published("registered", CLOSED);
      await call("registered", "POST", `/${id}/draft`);
      const grants = [{ subject: { type: "user", id: idOf("other") }, permission: "view" }];
      await call("registered", "POST", `/${id}/access/grants`, { grants });
      const made = await offer(id);
      expect(made).toMatchObject({
        ...{ type: "record-transfer", status: "submitted", is_open: true, title: "Tides to give away" },
        ...{ created_by: { user: idOf("registered") }, receiver: { user: idOf("other") }, topic: { record: id } },
      });
      expect(Object.keys(made.links.actions)).toEqual(["cancel"]);
      const owner = async () => (await call("system", "GET", `/${id}`)).json.parent.access.owned_by.user;
      expect([await owner(), (await call("other", "GET", `/${id}/draft`)).status]).toEqual([idOf("registered"), 404]);
      for (const who of ["general", null] as const) expect(await read(who, made.id)).toBe(who === null ? 401 : 404);
      expect([await read("registered", made.id), await read("other", made.id), await read("system", made.id)]).toEqual([
        200, 200, 200,
      ]);
      expect(await act("registered", made.id, "accept")).toEqual([403, 403]);
      expect(await act("other", made.id, "keep")).toEqual([400, 400]);
      expect(await act("other", made.id, "cancel")).toEqual([403, 403]);
      expect(await act("general", made.id, "accept")).toEqual([404, 404]);
      expect(await act("other", made.id, "accept")).toEqual([200, "accepted"]);
      expect(await owner()).toBe(idOf("other"));
      expect((await call("registered", "GET", `/${id}`)).status).toBe(403);
      // The edit that was open is the receiver's: they save and publish it.
      expect(
        (await call("other", "PUT", `/${id}/draft`, { ...CLOSED, metadata: titled("Given").metadata })).status,
      ).toBe(200);
      expect((await call("other", "POST", `/${id}/draft/actions/publish`)).status).toBe(202);
      expect((await call("other", "GET", `/${id}/access/grants`)).json.hits.hits).toEqual([]);
      const actions = (await world.store.events(`item:${id}`, 50)).map(({ action }) => action);
      expect(actions.filter((action) => action.endsWith("-transfer"))).toEqual([
        "item.accept-transfer",
        "item.offer-transfer",
      ]);
      const about = (await world.store.outgoing.listOutgoing({ channel: "notice" }, null, 50)).map(
        (each) => each.subject,
      );
      expect(about).toContain(`shared transfer:${made.id} ${idOf("other")}`);
      expect(about).toContain(`accepted transfer:${made.id} ${idOf("registered")}`);
    });

    test("P.189 it is declined or cancelled, then offered again; while one offer waits there is no other", async () => {
      const id = await calls.create("registered", CLOSED);
      const first = await offer(id);
      const again = { receiver: { user: idOf("general") } };
      expect((await call("registered", "POST", `/${id}/access/transfers`, again)).status).toBe(400);
      expect(await act("other", first.id, "decline")).toEqual([200, "declined"]);
      expect(await act("other", first.id, "accept")).toEqual([400, 400]);
      const second = await offer(id, "general");
      expect(await act("registered", second.id, "cancel")).toEqual([200, "cancelled"]);
      expect(await act("general", second.id, "accept")).toEqual([400, 400]);
      const { json } = await call("registered", "GET", `/${id}/access/transfers`);
      expect(json.hits.hits.map((each) => each.status).sort()).toEqual(["cancelled", "declined"]);
      for (const who of ["other", "general", null] as const) {
        expect((await call(who, "GET", `/${id}/access/transfers`)).status).toBe(who === null ? 401 : 404);
        expect((await call(who, "POST", `/${id}/access/transfers`, again)).status).toBe(who === null ? 401 : 404);
      }
      // Who manages a record does not give it away.
      const published = await calls.published("registered", CLOSED);
      const grants = [{ subject: { type: "user", id: idOf("other") }, permission: "manage" }];
      await call("registered", "POST", `/${published}/access/grants`, { grants });
      expect((await call("other", "POST", `/${published}/access/transfers`, again)).status).toBe(403);
      expect((await call("other", "GET", `/${published}/access/transfers`)).status).toBe(403);
      expect((await call("system", "GET", `/${published}/access/transfers`)).status).toBe(200);
      for (const user of [idOf("registered"), "987654", "x"]) {
        const { status, json } = await call("registered", "POST", `/${published}/access/transfers`, {
          receiver: { user },
        });
        expect([user, status, json.errors?.map(({ field }) => field)]).toEqual([user, 400, ["receiver.user"]]);
      }
      await call("system", "DELETE", `/${published}/delete`, {});
      for (const method of ["GET", "POST"]) {
        const body = method === "GET" ? undefined : again;
        expect((await call("registered", method, `/${published}/access/transfers`, body)).status).toBe(410);
      }
    });

    test("P.189 of answers at the same time one counts", async () => {
      const id = await calls.published("registered", CLOSED);
      const made = await offer(id);
      const answers = await Promise.all([
        act("other", made.id, "accept"),
        act("registered", made.id, "cancel"),
        act("other", made.id, "accept"),
        act("other", made.id, "decline"),
      ]);
      const done = answers.filter(([status]) => status === 200);
      expect([done.length, answers.filter(([status]) => status === 400).length]).toEqual([1, 3]);
      const owner = (await call("system", "GET", `/${id}`)).json.parent.access.owned_by.user;
      expect(owner).toBe(done[0]?.[1] === "accepted" ? idOf("other") : idOf("registered"));
      const offers = await Promise.all(
        ["other", "general"].map((to) =>
          call(owner === idOf("other") ? "other" : "registered", "POST", `/${id}/access/transfers`, {
            receiver: { user: to === "other" && owner === idOf("other") ? idOf("registered") : idOf("general") },
          }),
        ),
      );
      expect(offers.map(({ status }) => status).sort()).toEqual([201, 400]);
    });

    test("P.189 offers have a limit: of one record in a day, and of one account that wait", async () => {
      const send = async (id: string) => {
        const body = { receiver: { user: idOf("other") } };
        const { status, json } = await call("registered", "POST", `/${id}/access/transfers`, body);
        return status === 201 ? String(json.id) : json.message;
      };
      const [often, once] = [await calls.create("registered", CLOSED), await calls.create("registered", CLOSED)];
      for (let n = 0; n < 10; n += 1) expect((await act("registered", await send(often), "cancel"))[0]).toBe(200);
      expect(await send(often)).toBe("A record is offered at most 10 times in a day");
      expect((await act("registered", await send(once), "cancel"))[0]).toBe(200);
      world.time.now = addMilliseconds(world.time.now, 86_400_000);
      expect((await act("registered", await send(often), "cancel"))[0]).toBe(200);
      const giver = Number(idOf("registered"));
      const waiting = await world.store.transfers.openTransfers(giver, 200);
      const open = waiting.filter((each) => each.giver === giver).length;
      const drafts = await Promise.all(Array.from({ length: 100 - open }, () => calls.create("registered", CLOSED)));
      for (const id of drafts) expect(await send(id)).toMatch(/^[0-9a-f-]{36}$/);
      expect(await send(once)).toBe("You offer 100 records already: cancel one first");
      // The list of the receiver has room for offers of others.
      const before = await calls.create("system", CLOSED);
      const body = { receiver: { user: idOf("other") } };
      expect((await call("system", "POST", `/${before}/access/transfers`, body)).status).toBe(201);
    });
  });
});
