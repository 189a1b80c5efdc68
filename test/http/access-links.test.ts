// Links that give a right to a record (R2d, R37), on both databases: what each gives, to whom, and when it ends.
import { describe, expect, test } from "bun:test";
import { linksNow, writeAs } from "../../src/repository/people/current-viewer.ts";
import { linkJson } from "../../src/repository/records/record-links.ts";
import { addMilliseconds } from "../../src/shared/time/instant.ts";
import { onEachDatabase } from "../support/databases.ts";
import { METADATA, recordCalls, titled } from "../support/record-calls.ts";
import { visitor } from "../support/world/pages.ts";
import { setUpWorld } from "../support/world.ts";

const SECRET = {
  metadata: { ...METADATA, title: "Hidden tides" },
  access: { record: "restricted", files: "restricted" },
};
const CLOSED = { ...SECRET, files: { enabled: false } };
const LEVELS = ["view", "preview", "edit", "manage"] as const;

describe("links to records", () => {
  onEachDatabase((database) => {
    const world = setUpWorld({ repository: true, database });
    const calls = recordCalls(world);
    const call: ReturnType<typeof recordCalls>["call"] = (...args) => calls.call(...args);
    const status = async (...args: Parameters<typeof call>) => (await call(...args)).status;

    const link = async (id: string, body: object, who: "registered" | "other" = "registered") => {
      const { status, json } = await call(who, "POST", `/${id}/access/links`, body);
      if (status !== 201) throw new Error(`${status}: ${JSON.stringify(json)}`);
      return json as unknown as { readonly id: string; readonly token: string; readonly permission: string };
    };

    test.each(LEVELS)(
      "P.180 R2d a link to %s: that much and no more, and without an account reading alone",
      async (permission) => {
        const rank = LEVELS.indexOf(permission);
        const published = await calls.published("registered", CLOSED);
        const draft = await calls.create("registered", CLOSED);
        const alone = await calls.published("registered", CLOSED);
        for (const [id, isPublished] of [
          [published, true],
          [draft, false],
        ] as const) {
          const { token, ...made } = await link(id, { permission, description: "For referees" });
          expect(made).toMatchObject({ permission, description: "For referees", expires_at: null });
          const by = `token=${token}`;
          for (const who of ["other", "general", null] as const) {
            expect([who, await status(who, "GET", `/${id}?${by}`)]).toEqual([who, isPublished ? 200 : 404]);
            const draftRead = await status(who, "GET", `/${id}/draft?${by}`);
            const isThere = !isPublished && rank >= 1;
            expect([who, draftRead]).toEqual([who, isThere ? 200 : 404]);
            if (isPublished) expect(await status(who, "GET", `/${id}/files?${by}`)).toBe(200);
            // The link of one record opens no other.
            expect(await status(who, "GET", `/${alone}?${by}`)).toBe(403);
            expect(await status(who, "GET", `/${id}`)).toBe(isPublished ? 403 : 404);
          }
          const body = titled("Changed by link");
          const edits = (who: "other" | "general" | null) =>
            isPublished ? status(who, "POST", `/${id}/draft?${by}`) : status(who, "PUT", `/${id}/draft?${by}`, body);
          expect(await edits(null)).toBe(401);
          expect(await edits("general")).toBe(isPublished ? 403 : 404);
          expect(await edits("other")).toBe(rank >= 2 ? (isPublished ? 201 : 200) : isPublished ? 403 : 404);
          const links = await status("other", "GET", `/${id}/access/links?${by}`);
          expect(links).toBe(rank >= 3 ? 200 : isPublished || rank >= 1 ? 403 : 404);
          expect(await status(null, "GET", `/${id}/access/links?${by}`)).toBe(isPublished || rank >= 1 ? 403 : 404);
        }
      },
    );

    test("P.181 a secret is shown once and kept as a hash alone; links are listed, changed, revoked by who shares", async () => {
      const id = await calls.published("registered", CLOSED);
      const one = await link(id, { permission: "view" });
      const two = await link(id, { permission: "preview", expires_at: "2099-01-01", description: "<b>Two</b>" });
      const { json, text } = await call("registered", "GET", `/${id}/access/links`);
      const permissions = new Map(json.hits.hits.map(({ id: name, permission }) => [name, permission]));
      expect(permissions).toEqual(
        new Map<unknown, unknown>([
          [one.id, "view"],
          [two.id, "preview"],
        ]),
      );
      expect(text).not.toContain(one.token);
      const kept = await world.store.accessLinks.accessLink(one.id);
      expect([kept?.hash === one.token, kept?.hash.length]).toEqual([false, 64]);
      expect((await call("registered", "GET", `/${id}/access/links/${two.id}`)).json as unknown).toEqual(
        linkJson((await world.store.accessLinks.accessLink(two.id)) ?? never()),
      );
      const changed = await call("registered", "PATCH", `/${id}/access/links/${one.id}`, {
        permission: "edit",
        description: null,
      });
      expect([changed.status, changed.json]).toMatchObject([
        200,
        { permission: "edit", description: "", expires_at: null },
      ]);
      for (const who of ["other", "general", null] as const) {
        expect(await status(who, "GET", `/${id}/access/links`)).toBe(who === null ? 401 : 403);
        expect(await status(who, "DELETE", `/${id}/access/links/${one.id}`)).toBe(who === null ? 401 : 403);
        expect(await status(who, "POST", `/${id}/access/links`, { permission: "view" })).toBe(who === null ? 401 : 403);
      }
      // A link is found under its own record only.
      const other = await calls.published("registered", CLOSED);
      expect(await status("registered", "DELETE", `/${other}/access/links/${one.id}`)).toBe(404);
      expect(await status("registered", "PATCH", `/${other}/access/links/${one.id}`, {})).toBe(404);
      expect(await status("registered", "DELETE", `/${id}/access/links/${one.id}`)).toBe(204);
      expect(await status(null, "GET", `/${id}?token=${one.token}`)).toBe(403);
      expect(await status(null, "GET", `/${id}?token=${two.token}`)).toBe(200);
      expect(await status("registered", "GET", `/${id}/access/links/${one.id}`)).toBe(404);
      const { events } = await auditOf(id);
      expect(events).toEqual(["item.make-link", "item.make-link", "item.change-link", "item.revoke-link"]);
    });

    const auditOf = async (id: string) => {
      const found = await world.store.events(`item:${id}`, 100);
      return {
        events: found
          .map(({ action }) => action)
          .filter((action) => action.endsWith("-link"))
          .reverse(),
      };
    };

    test("P.181 what is wrong with a link is reported by its field; a record has 100 links at most", async () => {
      const id = await calls.published("registered", CLOSED);
      for (const [body, field] of [
        [{ permission: "own" }, "permission"],
        [{}, "permission"],
        [{ permission: "view", expires_at: "soon" }, "expires_at"],
        [{ permission: "view", expires_at: "2001-01-01" }, "expires_at"],
        [{ permission: "view", description: "x".repeat(1_001) }, "description"],
      ] as const) {
        const { status, json } = await call("registered", "POST", `/${id}/access/links`, body);
        expect([status, json.errors?.map((each) => each.field)]).toEqual([400, [field]]);
      }
      for (let made = 0; made < 100; made += 1) await link(id, { permission: "view" });
      expect(await status("registered", "POST", `/${id}/access/links`, { permission: "view" })).toBe(400);
    });

    test("P.182 a link ends when it expires, when its maker may do less, and with the record", async () => {
      const id = await calls.published("registered", CLOSED);
      const open = (token: string, who: "other" | null = null) => status(who, "GET", `/${id}?token=${token}`);
      const soon = await link(id, { permission: "view", expires_at: addMilliseconds(world.time.now, 60_000) });
      expect(await open(soon.token)).toBe(200);
      world.time.now = addMilliseconds(world.time.now, 60_000);
      expect(await open(soon.token)).toBe(403);

      const other = String(world.people.other.account.id);
      const grants = (permission: string) =>
        call("registered", "POST", `/${id}/access/grants`, {
          grants: [{ subject: { type: "user", id: other }, permission }],
        });
      await grants("manage");
      const theirs = await link(id, { permission: "edit" }, "other");
      expect(await open(theirs.token)).toBe(200);
      await grants("view");
      expect(await open(theirs.token)).toBe(200);
      const curator = (path: string, method = "GET") =>
        status("curator", method, `/${id}${path}?token=${theirs.token}`);
      expect(await curator("/draft", "POST")).toBe(403);
      await call("registered", "DELETE", `/${id}/access/users/${other}`);
      expect(await open(theirs.token)).toBe(403);

      const last = await link(id, { permission: "manage" });
      expect(await open(last.token)).toBe(200);
      const { account } = world.people.registered;
      const save = (active: boolean) => world.store.transact((tx) => tx.accounts.saveAccount({ ...account, active }));
      await save(false);
      expect(await open(last.token)).toBe(403);
      await save(true);
      expect(await status("system", "DELETE", `/${id}/delete`, { note: "Away" })).toBe(204);
      expect([await open(last.token), await open(last.token, "other")]).toEqual([410, 410]);
    });

    test("P.183 rights by a link are read again in the transaction that writes: revoked meanwhile, it gives nothing", async () => {
      const id = await calls.create("registered", CLOSED);
      const made = await link(id, { permission: "edit" });
      const saving = Array.from({ length: 4 }, (_, at) =>
        status("other", "PUT", `/${id}/draft?token=${made.token}`, titled(`Try ${at}`)),
      );
      const [revoked, ...saved] = await Promise.all([
        status("registered", "DELETE", `/${id}/access/links/${made.id}`),
        ...saving,
      ]);
      expect(revoked).toBe(204);
      expect(saved.every((each) => each === 200 || each === 404)).toBe(true);
      const counter = (await call("registered", "GET", `/${id}/draft`)).json.revision_id;
      expect(counter).toBe(1 + saved.filter((each) => each === 200).length);
      expect(await status("other", "PUT", `/${id}/draft?token=${made.token}`, titled("Late"))).toBe(404);
      // The request had the link; it ended before the transaction began.
      const again = await link(id, { permission: "edit" });
      const clock = { now: () => world.time.now };
      const { hash = "" } = (await world.store.accessLinks.accessLink(again.id)) ?? {};
      const links = await linksNow(world.store, [hash], clock.now());
      const viewer = { ...(await world.viewer("other")), links };
      const given = () => writeAs({ store: world.store, clock }, viewer, async (_, now) => now.links?.length);
      expect([links.map(({ permission }) => permission), await given()]).toEqual([["edit"], 1]);
      await call("registered", "DELETE", `/${id}/access/links/${again.id}`);
      expect(await given()).toBe(0);
    });

    test("P.184 wrong secrets are counted by address, whoever sends them; right ones are not", async () => {
      const id = await calls.published("registered", CLOSED);
      const { token } = await link(id, { permission: "view" });
      const few = world.under({ SVC_RATE_PER_MINUTE: "2" });
      const read = async (who: "other" | "general" | "curator", secret: string) =>
        (await few.ask(who, "GET", `/api/records/${id}?token=${secret}`)).status;
      const wrong = "x".repeat(43);
      expect([await read("other", wrong), await read("other", wrong)]).toEqual([403, 403]);
      // Each account has its own limit; guesses of all of them are one.
      expect([await read("general", wrong), await read("curator", token)]).toEqual([429, 200]);
    });

    test("P.184 files of a closed record and of a draft are listed and read by a link, in every interface, until it ends", async () => {
      const id = await calls.create("registered", SECRET);
      await call("registered", "POST", `/${id}/draft/files`, [{ key: "levels.csv" }]);
      const file = `/api/records/${id}/draft/files/levels.csv`;
      const bytes = { body: "day,level", headers: { "content-type": "application/octet-stream" } };
      expect((await world.ask("registered", "PUT", `${file}/content`, bytes)).status).toBe(200);
      expect((await world.ask("registered", "POST", `${file}/commit`)).status).toBe(200);
      const read = async (path: string, token: string) => {
        const answer = await world.ask(null, "GET", `${path}?token=${token}`);
        return [answer.status, answer.text.includes("levels.csv") || answer.text === "day,level"];
      };
      const preview = await link(id, { permission: "preview" });
      const drafts = [`/api/records/${id}/draft`, `/api/records/${id}/draft/files`, `${file}/content`];
      for (const path of [...drafts, `/records/${id}/files/levels.csv`]) {
        expect([path, await read(path, preview.token)]).toEqual([path, [200, true]]);
      }
      await calls.publish("registered", id);
      const view = await link(id, { permission: "view" });
      const paths = [
        ...[`/api/records/${id}`, `/api/records/${id}/files`, `/api/records/${id}/files/levels.csv/content`],
        ...[`/records/${id}/files/levels.csv`, `/records/${id}/files`, `/api/records/${id}/files-archive`],
      ];
      // Guests who have no link find nothing out from what was written for one who has.
      for (const path of paths) {
        expect([path, await read(path, view.token)]).toEqual([path, [200, true]]);
        expect([path, (await world.ask(null, "GET", path)).status]).toEqual([path, 403]);
      }
      const download = await world.ask(null, "GET", `/records/${id}/files/levels.csv?token=${view.token}`);
      expect(download.headers.get("referrer-policy")).toBe("no-referrer");
      await call("registered", "DELETE", `/${id}/access/links/${view.id}`);
      for (const path of paths) expect([path, (await read(path, view.token))[0]]).toEqual([path, 403]);
    });

    test("P.184 what a guest read by a link is shown to no other guest, nor the other way round", async () => {
      const body = { metadata: METADATA, access: { record: "public", files: "restricted" } };
      const id = await calls.create("registered", body);
      await call("registered", "POST", `/${id}/draft/files`, [{ key: "levels.csv" }]);
      const file = `/api/records/${id}/draft/files/levels.csv`;
      const bytes = { body: "day,level", headers: { "content-type": "application/octet-stream" } };
      await world.ask("registered", "PUT", `${file}/content`, bytes);
      await world.ask("registered", "POST", `${file}/commit`);
      await calls.publish("registered", id);
      const { token } = await link(id, { permission: "view" });
      for (const path of [`/${id}`, `/${id}/versions`]) {
        const names = async (query: string) => (await call(null, "GET", `${path}${query}`)).text.includes("levels.csv");
        expect([path, await names(`?token=${token}`), await names("")]).toEqual([path, true, false]);
        expect([path, await names(`?token=${token}`), await names("")]).toEqual([path, true, false]);
      }
    });

    test("P.184 a page opens by the address of a link, which then is a cookie for that record: page, files, versions", async () => {
      const id = await calls.published("registered", CLOSED);
      const next = await calls.version("registered", id, "Hidden tides, again");
      const alone = await calls.published("registered", CLOSED);
      const { token, id: name } = await link(id, { permission: "view" });
      const guest = visitor(world.handler);
      expect((await guest.get(`/records/${id}`)).status).toBe(403);
      const opened = await guest.get(`/records/${id}?token=${token}&page=2`);
      expect([opened.status, opened.headers.get("location")]).toEqual([303, `/records/${id}`]);
      expect(opened.headers.get("referrer-policy")).toBe("no-referrer");
      expect(opened.headers.get("set-cookie")).toContain("HttpOnly; SameSite=Lax");
      const page = await guest.get(`/records/${id}`);
      expect([page.status, page.text.includes(token), page.text.includes("noindex")]).toEqual([200, false, true]);
      expect([page.headers.get("referrer-policy"), page.text.includes(`/records/${next}`)]).toEqual([
        "no-referrer",
        true,
      ]);
      for (const path of [`/records/${next}`, `/records/${id}/files`, `/records/${id}/export/bibtex`]) {
        expect([path, (await guest.get(path)).status]).toEqual([path, 200]);
      }
      expect((await guest.get(`/records/${alone}`)).status).toBe(403);
      await call("registered", "DELETE", `/${id}/access/links/${name}`);
      expect((await guest.get(`/records/${id}`)).status).toBe(403);
      const wrong = await guest.get(`/records/${id}?token=${"x".repeat(43)}`);
      expect([wrong.status, wrong.headers.get("location"), wrong.headers.get("set-cookie")]).toEqual([
        303,
        `/records/${id}`,
        null,
      ]);
    });
  });
});

function never(): never {
  throw new RangeError("It is not there");
}
