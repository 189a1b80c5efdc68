// Saved searches over HTTP (issue 26), on SQLite and PostgreSQL.
import { describe, expect, test } from "bun:test";
import { SAVED_SEARCHES_MOST } from "../../src/repository/saved-searches/saved-searches.ts";
import { onEachDatabase } from "../support/databases.ts";
import type { Who } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

type Saved = { readonly id: string; readonly name: string; readonly query: string; readonly frequency: string };

onEachDatabase((database) => {
  describe(`saved searches (${database.name})`, () => {
    const world = setUpWorld({ repository: true, database });
    const PATH = "/api/user/saved-searches";
    const call = async (who: Who, method: string, path: string, body?: object) => {
      const { status, text } = await world.ask(
        who,
        method,
        path,
        body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } },
      );
      return { status, json: text === "" ? null : JSON.parse(text) };
    };
    const save = async (who: Who, name: string, query: string, more: object = {}): Promise<Saved> => {
      const { status, json } = await call(who, "POST", PATH, { name, query, ...more });
      expect([status, json.message]).toEqual([201, undefined]);
      return json;
    };
    const listed = async (who: Who): Promise<readonly Saved[]> => (await call(who, "GET", PATH)).json.hits.hits;

    test("Q.24 a search is saved, listed, renamed and deleted by its account, and by nobody else", async () => {
      const tides = await save("registered", "Tides", "?q=tides&Language=jpn&sort=wtl&page=3&size=50&lang=en");
      expect(tides).toMatchObject({
        name: "Tides",
        query: "q=tides&Language=jpn&sort=wtl",
        frequency: "never",
        has_feed: false,
        links: { search: expect.stringContaining("/search?q=tides&Language=jpn&sort=wtl") },
      });
      const rivers = await save("registered", "川", "q=川", { frequency: "weekly" });
      await save("other", "Mine", "q=mine");
      expect((await listed("registered")).map(({ name }) => name)).toEqual(["Tides", "川"]);
      expect((await listed("other")).map(({ name }) => name)).toEqual(["Mine"]);
      for (const [method, path, body] of [
        ["GET", `${PATH}/${tides.id}`, undefined],
        ["PUT", `${PATH}/${tides.id}`, { name: "Taken" }],
        ["DELETE", `${PATH}/${tides.id}`, undefined],
        ["POST", `${PATH}/${tides.id}/feed`, undefined],
        ["DELETE", `${PATH}/${tides.id}/feed`, undefined],
      ] as const) {
        expect([method, (await call("other", method, path, body)).status]).toEqual([method, 404]);
        expect([method, (await call(null, method, path, body)).status]).toEqual([method, 401]);
      }
      const read = await call("registered", "GET", `${PATH}/${tides.id}`);
      expect([read.status, read.json]).toEqual([200, tides]);
      const renamed = await call("registered", "PUT", `${PATH}/${tides.id}`, { name: " High tides " });
      expect([renamed.status, renamed.json.name, renamed.json.frequency]).toEqual([200, "High tides", "never"]);
      const changed = await call("registered", "PUT", `${PATH}/${rivers.id}`, { frequency: "daily" });
      expect([changed.json.name, changed.json.frequency]).toEqual(["川", "daily"]);
      expect((await call("registered", "DELETE", `${PATH}/${tides.id}`)).status).toBe(204);
      expect((await call("registered", "GET", `${PATH}/${tides.id}`)).status).toBe(404);
      expect((await listed("registered")).map(({ name }) => name)).toEqual(["川"]);
    });

    test("Q.25 a feed has an address that is shown once and ends with the next one", async () => {
      const { id } = await save("curator", "Followed", "q=rivers");
      const make = () => call("curator", "POST", `${PATH}/${id}/feed`);
      const [one, two] = [await make(), await make()];
      expect([one.status, two.status, one.json.address === two.json.address]).toEqual([201, 201, false]);
      expect((await call("curator", "GET", `${PATH}/${id}`)).json.has_feed).toBe(true);
      const kept = (await world.store.savedSearches.savedSearch(id))?.feedHash ?? "";
      expect([kept.length, two.json.address.includes(kept)]).toEqual([64, false]);
      expect((await call("curator", "DELETE", `${PATH}/${id}/feed`)).status).toBe(204);
      expect((await call("curator", "GET", `${PATH}/${id}`)).json.has_feed).toBe(false);
    });

    test("Q.24 what is wrong is refused at its field, and nothing is saved", async () => {
      const before = await listed("other");
      for (const [body, field] of [
        [{ name: "", query: "q=a" }, "name"],
        [{ name: "x".repeat(201), query: "q=a" }, "name"],
        [{ query: "q=a" }, "name"],
        [{ name: "x" }, "query"],
        [{ name: "x", query: 5 }, "query"],
        [{ name: "x", query: "q=a", frequency: "hourly" }, "frequency"],
      ] as const) {
        const { status, json } = await call("other", "POST", PATH, body);
        expect([status, json.errors?.[0]?.field]).toEqual([400, field]);
      }
      const long = await call("other", "POST", PATH, { name: "x", query: `q=${"a".repeat(2_001)}` });
      expect([long.status, long.json.message]).toEqual([400, "query of 2003 characters is too long: at most 2000"]);
      const broken = await call("other", "POST", PATH, { name: "x", query: `q=${"a+".repeat(900)}` });
      expect(broken.status).toBe(400);
      expect(await listed("other")).toEqual(before);
    });

    test("Q.24 an account has at most so many, also when they are saved at once", async () => {
      const free = SAVED_SEARCHES_MOST - (await listed("manager")).length;
      for (let i = 4; i < free; i += 1) await save("manager", `Search ${i}`, `q=${i}`);
      const last = await Promise.all(
        [1, 2, 3, 4, 5, 6].map((i) => call("manager", "POST", PATH, { name: `Last ${i}`, query: "q=x" })),
      );
      expect(last.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 409, 409]);
      expect(await listed("manager")).toHaveLength(SAVED_SEARCHES_MOST);
    });
  });
});
