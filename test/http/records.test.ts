// Records over HTTP (R37; specification 3, "Tool-server records and requests", "States and transitions", "Errors"):
// every transition, allowed and forbidden, on both databases.
import { describe, expect, test } from "bun:test";
import { REPOSITORY_OPERATOR } from "../../src/auth/account.ts";
import { onEachDatabase } from "../support/databases.ts";
import { cratePackage } from "../support/deposit-requests.ts";
import { METADATA, RECORD, recordCalls, titled } from "../support/record-calls.ts";
import { aContent, itemsOn } from "../support/world/items.ts";
import { INDEXES, type PersonName, recidOf, type Who } from "../support/world/repository.ts";
import { COMMUNITY } from "../support/world/seeded.ts";
import { setUpWorld } from "../support/world.ts";

const UNKNOWN = "The persistent identifier does not exist.";
const DENIED = "Permission denied.";
const REMOVAL = { removal_reason: { id: "retracted" }, note: "Withdrawn by its author" };

describe("records", () => {
  onEachDatabase((database) => {
    const world = setUpWorld({ repository: true, database });
    const calls = recordCalls(world);

    const call: ReturnType<typeof recordCalls>["call"] = (...args) => calls.call(...args);
    /** Status and message of an answer. */
    const answerOf = async (...args: Parameters<typeof call>) => {
      const { status, json } = await call(...args);
      return [status, json.message];
    };

    const disabled = async (who: PersonName, work: () => Promise<void>) => {
      const { account } = world.people[who];
      const save = (active: boolean) => world.store.transact((tx) => tx.accounts.saveAccount({ ...account, active }));
      await save(false);
      await work();
      await save(true);
    };

    describe("drafts", () => {
      test("S3.6.1 R2b a draft may be invalid: what is wrong is left out and reported by its path, the rest is kept", async () => {
        const { status, json, headers } = await call("registered", "POST", "", {
          metadata: { title: "ok title", publication_date: "no date", resource_type: { id: "nothing" } },
          access: { record: "public", files: "secret" },
        });
        expect({ status, json }).toMatchObject({
          status: 201,
          json: { is_draft: true, is_published: false, status: "draft", state: "draft" },
        });
        expect(headers.get("etag")).toBe('"1"');
        expect(json.metadata).toEqual({ title: "ok title" });
        const metadata = ["creators", "publication_date", "resource_type.id"].map((name) => `metadata.${name}`);
        expect(json.errors?.map(({ field }) => field).sort()).toEqual(["access.record", ...metadata]);
        const again = await call("registered", "GET", `/${json.id}/draft`);
        expect(again.json.metadata).toEqual({ title: "ok title" });
        expect(again.json.errors?.find(({ field }) => field === "metadata.publication_date")?.messages).toEqual([
          "Missing data for required field.",
        ]);
      });

      test("S3.6.2 what was never published is nobody's to read but theirs who may change it", async () => {
        const id = await calls.create("registered");
        expect(await answerOf(null, "GET", `/${id}`)).toEqual([404, UNKNOWN]);
        expect(await answerOf("registered", "GET", `/${id}`)).toEqual([
          404,
          "The persistent identifier is not registered.",
        ]);
        for (const who of ["other", "general", "manager", "curator"] as const) {
          for (const [method, path] of [
            ["GET", "/draft"],
            ["PUT", "/draft"],
            ["POST", "/draft"],
            ["DELETE", "/draft"],
            ["POST", "/draft/actions/publish"],
            ["POST", "/versions"],
            ["GET", "/revisions"],
            ["GET", "/access/grants"],
          ] as const) {
            expect([
              who,
              path,
              ...(await answerOf(who, method, `/${id}${path}`, method === "PUT" ? RECORD : undefined)),
            ]).toEqual([who, path, 404, UNKNOWN]);
          }
        }
        expect((await call("admin", "GET", `/${id}/draft`)).status).toBe(200);
        expect((await call(null, "GET", `/${id}/draft`)).status).toBe(401);
      });

      test("S3.6.3 R37 saving nothing new counts nothing; saving counts the draft and not the record", async () => {
        const id = await calls.published("registered");
        const draft = await call("registered", "POST", `/${id}/draft`);
        expect([draft.status, draft.json.revision_id, draft.json.status]).toEqual([201, 1, "published"]);
        expect((await call("registered", "PUT", `/${id}/draft`, RECORD)).json.revision_id).toBe(1);
        expect((await call("registered", "PUT", `/${id}/draft`, titled("Changed"))).json.revision_id).toBe(2);
        const read = await call(null, "GET", `/${id}`);
        expect([read.json.revision_id, read.json.metadata.title]).toEqual([1, "On tides"]);
        expect((await call("registered", "POST", `/${id}/draft`)).json.metadata.title).toBe("Changed");
      });

      test("S3.6.4 discarding an edit leaves the record; discarding what was never published leaves nothing", async () => {
        const id = await calls.published("registered");
        await call("registered", "POST", `/${id}/draft`);
        expect((await call("registered", "DELETE", `/${id}/draft`)).status).toBe(204);
        expect(await answerOf("registered", "DELETE", `/${id}/draft`)).toEqual([404, "Not found."]);
        expect((await call(null, "GET", `/${id}`)).status).toBe(200);
        const fresh = await calls.create("registered");
        expect((await call("registered", "DELETE", `/${fresh}/draft`)).status).toBe(204);
        expect(await answerOf("registered", "GET", `/${fresh}/draft`)).toEqual([404, UNKNOWN]);
        expect(await answerOf("registered", "GET", `/${fresh}`)).toEqual([404, UNKNOWN]);
      });
    });

    describe("publishing", () => {
      test("S3.6.5 R5 R36 the first publishing makes revision 1, with its ARK in the same commit and its name for harvesters", async () => {
        const id = await calls.create("registered");
        const { status, json, headers } = await calls.publish("registered", id);
        expect({ status, json }).toMatchObject({
          status: 202,
          json: { revision_id: 1, is_published: true, is_draft: false, status: "published" },
        });
        expect(headers.get("etag")).toBe('"1"');
        const { ark } = await world.item(Number(id));
        expect(json.pids.ark?.identifier).toBe(`ark:${ark}`);
        expect(json.pids.oai?.identifier).toBe(`oai:repo.example.org:${id.padStart(8, "0")}`);
        expect(json.links.ark).toBe(`https://ark.example.org/ark:${ark}`);
        expect(await answerOf("registered", "POST", `/${id}/draft/actions/publish`)).toEqual([404, "Not found."]);
      });

      test("S3.6.6 the whole draft is checked, and every error is reported", async () => {
        const id = await calls.create("registered", { metadata: { title: "ab" } });
        const { status, json } = await call("registered", "POST", `/${id}/draft/actions/publish`);
        expect([status, json.message]).toEqual([400, "A validation error occurred."]);
        const missing = (field: string) => ({ field, messages: ["Missing data for required field."] });
        const files = "Missing uploaded files. To disable files for this record please mark it as metadata-only.";
        const title = { field: "metadata.title", messages: [expect.any(String)] };
        const metadata = [missing("metadata.resource_type"), missing("metadata.creators"), title];
        const last = [missing("metadata.publication_date"), { field: "files.enabled", messages: [files] }];
        expect(json.errors).toEqual([...metadata, ...last]);
        expect((await call("registered", "GET", `/${id}/draft`)).json.metadata.title ?? "ab").toBe("ab");
      });

      test("S3.6.7 an edit is published as the next revision; one without changes makes none", async () => {
        const id = await calls.published("registered");
        await calls.revised("registered", id, "Worded better");
        const read = await call(null, "GET", `/${id}`);
        expect([read.json.revision_id, read.json.metadata.title]).toEqual([2, "Worded better"]);
        await call("registered", "POST", `/${id}/draft`);
        expect((await calls.publish("registered", id)).json.revision_id).toBe(2);
        expect(await answerOf("registered", "GET", `/${id}/draft`)).toEqual([404, "Not found."]);
      });

      test("S3.6.5 R38 a DOI that was assigned elsewhere is kept among the identifiers, and none is assigned", async () => {
        const doi = { identifier: "10.1234/tides", provider: "external" };
        const isbn = { scheme: "isbn", identifier: "978-3-16-148410-0" };
        const body = { ...RECORD, metadata: { ...METADATA, identifiers: [isbn] } };
        const id = await calls.create("registered", { ...body, pids: { doi } });
        const { json } = await calls.publish("registered", id);
        expect(json.pids).toMatchObject({ doi });
        expect(json.metadata.identifiers).toMatchObject([isbn, { scheme: "doi", identifier: doi.identifier }]);
        const asked = { ...RECORD, pids: { doi: { ...doi, provider: "datacite" } } };
        const refused = await call("registered", "POST", "", asked);
        expect(refused.json.errors?.map(({ field }) => field)).toEqual(["pids.doi.provider"]);
      });

      test("S3.6.8 open_date is the day of the first publishing (R2d)", async () => {
        const id = await calls.published("registered");
        const made = await calls.create("registered");
        const openDate = async (of: string) => (await world.item(Number(of))).content?.access.openDate;
        const { now } = world.time;
        const today = now.slice(0, 10);
        expect(await openDate(id)).toBe(today);
        // What is published a day later opens then, and what was published stays as it was.
        world.time.now = new Date(Date.parse(now) + 86_400_000).toISOString();
        await calls.revised("registered", id, "A day later");
        await calls.publish("registered", made);
        expect([await openDate(id), await openDate(made)]).toEqual([today, world.time.now.slice(0, 10)]);
        world.time.now = now;
      });
    });

    describe("versions", () => {
      test("S3.6.9 a new version is a draft with the content of the latest, without date, label and files; there is one at a time", async () => {
        const body = { ...RECORD, metadata: { ...METADATA, version: "v1" } };
        const id = await calls.published("registered", body);
        const next = await call("registered", "POST", `/${id}/versions`);
        const expected = [201, "new_version_draft", { index: 2, is_latest: false, is_latest_draft: true }];
        expect([next.status, next.json.status, next.json.versions]).toEqual(expected);
        expect(next.json.parent.id).toBe((await call(null, "GET", `/${id}`)).json.parent.id);
        // What was to have no files has none in its next version.
        expect(next.json.files).toMatchObject({ enabled: false, count: 0 });
        const { publication_date: _, ...rest } = METADATA;
        expect(Object.keys(next.json.metadata).sort()).toEqual(Object.keys(rest).sort());
        expect((await call("registered", "POST", `/${id}/versions`)).json.id).toBe(next.json.id);
        const { status, json } = await call("registered", "POST", `/${next.json.id}/draft/actions/publish`);
        expect([status, json.errors]).toEqual([
          400,
          [{ field: "metadata.publication_date", messages: ["Missing data for required field."] }],
        ]);
      });

      test("S3.6.9 that the next version is being prepared is shown to those who prepare it", async () => {
        const id = await calls.published("registered");
        await call("registered", "POST", `/${id}/versions`);
        const flags = async (who: Who) => (await call(who, "GET", `/${id}`)).json.versions.is_latest_draft;
        expect([await flags("registered"), await flags("admin"), await flags(null)]).toEqual([false, false, true]);
      });

      test("S3.6.10 a version published is the latest; from any version the latest is taken; latest leads there", async () => {
        const id = await calls.published("registered");
        const second = await calls.version("registered", id, "Second");
        const [old, now] = [await call(null, "GET", `/${id}`), await call(null, "GET", `/${second}`)];
        expect([old.json.versions.is_latest, now.json.versions.is_latest]).toEqual([false, true]);
        expect(now.json.versions.index).toBe(2);
        expect(now.json.pids.oai).toEqual(old.json.pids.oai);
        const third = await call("registered", "POST", `/${id}/versions`);
        expect(third.json.metadata.title).toBe("Second");
        const latest = await call(null, "GET", `/${id}/versions/latest`);
        expect([latest.status, latest.headers.get("location")]).toEqual([
          301,
          `https://repo.example.org/api/records/${second}`,
        ]);
        for (const from of [second, old.json.parent.id]) {
          const { status, headers } = await call(null, "GET", `/${from}/versions/latest`);
          expect([status, headers.get("location")]).toEqual([301, `https://repo.example.org/api/records/${second}`]);
        }
        expect((await call("registered", "GET", `/${third.json.id}/versions/latest`)).status).toBe(404);
        expect((await call(null, "GET", `/${third.json.id}/versions/latest`)).status).toBe(404);
      });

      test("S3.6.11 R2a the number of a parent is read as the latest version one may read, and never written by", async () => {
        const id = await calls.published("registered");
        const second = await calls.version("registered", id, "Second");
        const parent = (await call(null, "GET", `/${id}`)).json.parent.id;
        const read = await call(null, "GET", `/${parent}`);
        expect([read.status, read.json.id, read.headers.get("content-location")]).toEqual([
          200,
          second,
          `/api/records/${second}`,
        ]);
        for (const [method, path] of [
          ["POST", "/draft"],
          ["PUT", "/draft"],
          ["POST", "/versions"],
          ["DELETE", "/draft"],
        ] as const) {
          expect(await answerOf("registered", method, `/${parent}${path}`)).toEqual([404, UNKNOWN]);
        }
        expect(await answerOf("admin", "DELETE", `/${parent}/delete`, REMOVAL)).toEqual([404, UNKNOWN]);
        const body = { ...titled("Closed"), access: { record: "restricted", files: "restricted" } };
        await call("registered", "POST", `/${second}/draft`);
        await call("registered", "PUT", `/${second}/draft`, body);
        await calls.publish("registered", second);
        expect((await call(null, "GET", `/${parent}`)).json.id).toBe(id);
        expect((await call(null, "GET", `/${id}`)).json.versions.is_latest).toBe(true);
        expect((await call("registered", "GET", `/${parent}`)).json.id).toBe(second);
      });

      test("S3.6.12 R2c deleting the latest makes the one before it latest, restoring turns that back", async () => {
        const id = await calls.published("registered");
        const second = await calls.version("registered", id, "Second");
        expect((await calls.remove("admin", second)).status).toBe(204);
        expect((await call(null, "GET", `/${id}`)).json.versions.is_latest).toBe(true);
        expect((await call("admin", "POST", `/${second}/restore`)).status).toBe(200);
        expect((await call(null, "GET", `/${id}`)).json.versions.is_latest).toBe(false);
        // One that is not the latest goes and comes back without a word about the others.
        const third = await calls.version("registered", second, "Third");
        const isLatest = async (of: string) => (await call(null, "GET", `/${of}`)).json.versions?.is_latest;
        await calls.remove("admin", second);
        expect([await isLatest(id), await isLatest(third)]).toEqual([false, true]);
        await calls.remove("admin", third);
        expect(await isLatest(id)).toBe(true);
        expect((await call("admin", "POST", `/${second}/restore`)).status).toBe(200);
        expect([await isLatest(id), await isLatest(second)]).toEqual([false, true]);
      });
    });

    describe("deletion", () => {
      test("S3.6.13 R2e administrators delete and restore, nobody else", async () => {
        const id = await calls.published("registered");
        for (const who of ["registered", "other", "general", "manager", "curator"] as const) {
          expect([who, ...(await answerOf(who, "DELETE", `/${id}/delete`, REMOVAL))]).toEqual([who, 403, DENIED]);
          expect([who, ...(await answerOf(who, "POST", `/${id}/restore`))]).toEqual([who, 403, DENIED]);
        }
        expect((await call(null, "DELETE", `/${id}/delete`, REMOVAL)).status).toBe(401);
        for (const who of ["admin", "system"] as const) {
          expect((await call(who, "DELETE", `/${id}/delete`, REMOVAL)).status).toBe(204);
          expect((await call(who, "POST", `/${id}/restore`)).status).toBe(200);
        }
      });

      test("S3.6.14 what was deleted is 410 with its tombstone; who removed it is shown to administrators", async () => {
        const id = await calls.published("registered");
        await call("admin", "DELETE", `/${id}/delete`, REMOVAL);
        for (const who of [null, "registered", "admin"] as const) {
          const { status, json } = await call(who, "GET", `/${id}`);
          expect([status, json.status, json.message]).toEqual([410, 410, "Record deleted"]);
          const citation_text = expect.stringContaining("Doe, A. (2024). On tides.");
          const removed_by = { user: String(world.people.admin.account.id) };
          const tombstone = { ...REMOVAL, removal_date: expect.any(String), citation_text, is_visible: true };
          expect(json.tombstone).toEqual(who === "admin" ? { ...tombstone, removed_by } : tombstone);
        }
        for (const path of ["/draft", "/versions"]) {
          expect((await answerOf("registered", "POST", `/${id}${path}`))[0]).toBe(410);
        }
        expect((await call("registered", "GET", `/${id}/draft`)).status).toBe(410);
      });

      test("S3.6.15 what was deleted is not deleted again, and what was not is not restored", async () => {
        const id = await calls.published("registered");
        const wrong = [400, "Record in unexpected deletion status."];
        expect(await answerOf("admin", "POST", `/${id}/restore`)).toEqual(wrong);
        await calls.remove("admin", id);
        expect(await answerOf("admin", "DELETE", `/${id}/delete`, REMOVAL)).toEqual(wrong);
        const draft = await calls.create("registered");
        expect(await answerOf("admin", "DELETE", `/${draft}/delete`, REMOVAL)).toEqual([404, UNKNOWN]);
        expect(await answerOf("admin", "POST", `/${draft}/restore`)).toEqual([404, UNKNOWN]);
      });

      test("S3.6.14 the reason of a deletion may be left out, with and without a body", async () => {
        const ids = [await calls.published("registered"), await calls.published("registered")];
        for (const [at, body] of [{ removal_reason: null, note: "Why not" }, undefined].entries()) {
          expect((await call("admin", "DELETE", `/${ids[at]}/delete`, body)).status).toBe(204);
          const { status, json } = await call(null, "GET", `/${ids[at]}`);
          expect([status, json.tombstone?.removal_reason, json.tombstone?.note]).toEqual([410, null, body?.note ?? ""]);
        }
      });

      test("S3.6.14 R2c administrators read a deleted record with include_deleted, others its tombstone", async () => {
        const id = await calls.published("registered");
        const alive = await calls.published("registered");
        await call("admin", "DELETE", `/${id}/delete`, REMOVAL);
        for (const flag of ["1", "true", "True"]) {
          const { status, json } = await call("admin", "GET", `/${id}?include_deleted=${flag}`);
          expect([status, json.id, json.metadata.title, json.status]).toEqual([200, id, "On tides", "deleted"]);
          expect(json).toMatchObject({ deletion_status: { is_deleted: true, status: "D" } });
          expect(json.tombstone).toMatchObject({ note: REMOVAL.note, removal_reason: { id: "retracted" } });
          const whole = await call("admin", "GET", `/${alive}?include_deleted=${flag}`);
          expect([whole.status, whole.json.id, whole.json.tombstone]).toEqual([200, alive, undefined]);
          expect(whole.json).toMatchObject({ deletion_status: { is_deleted: false, status: "P" } });
        }
        for (const who of [null, "registered", "other", "manager"] as const) {
          expect(await answerOf(who, "GET", `/${id}?include_deleted=1`)).toEqual([410, "Record deleted"]);
        }
        for (const flag of ["0", "false", "x"]) {
          expect((await call("admin", "GET", `/${id}?include_deleted=${flag}`)).status).toBe(410);
        }
        expect((await call("admin", "GET", "/999999?include_deleted=1")).status).toBe(404);
      });

      test("S3.6.16 the reason is of the vocabulary; every wrong field is reported, and nothing is deleted", async () => {
        const id = await calls.published("registered");
        const asked = async (body: unknown) => (await call("admin", "DELETE", `/${id}/delete`, body)).json.errors;
        for (const body of [[1], "x", null]) {
          expect(await asked(body)).toEqual([{ field: "_schema", messages: ["Invalid input type."] }]);
        }
        expect(await asked({ removal_reason: { id: "boredom" }, note: 7, is_visible: "no" })).toEqual([
          { field: "note", messages: ["Not a valid string."] },
          { field: "is_visible", messages: ["Not a valid boolean."] },
          { field: "removal_reason.id", messages: ["Invalid value boredom."] },
        ]);
        const long = "x".repeat(10_001);
        expect(await asked({ removal_reason: {}, note: long, citation_text: long })).toEqual([
          { field: "note", messages: ["Longer than maximum length 10000."] },
          { field: "citation_text", messages: ["Longer than maximum length 10000."] },
          { field: "removal_reason.id", messages: ["Missing data for required field."] },
        ]);
        expect(await asked({ removal_reason: { id: 7 } })).toEqual([
          { field: "removal_reason.id", messages: ["Not a valid string."] },
        ]);
        expect(await asked({ removal_reason: "spam" })).toEqual([
          { field: "removal_reason", messages: ["Invalid input type."] },
        ]);
        // An entry of another vocabulary is not a reason.
        expect(await asked({ removal_reason: { id: "eng" } })).toEqual([
          { field: "removal_reason.id", messages: ["Invalid value eng."] },
        ]);
        expect((await call(null, "GET", `/${id}`)).status).toBe(200);
      });

      test("S3.6.17 a tombstone that is not to be seen is shown to administrators alone; a custom citation is in it", async () => {
        const id = await calls.published("registered");
        const body = { ...REMOVAL, is_visible: false, citation_text: "Removed work, 2024" };
        await call("admin", "DELETE", `/${id}/delete`, body);
        expect(await answerOf(null, "GET", `/${id}`)).toEqual([404, "Record not found"]);
        expect(await answerOf("registered", "GET", `/${id}`)).toEqual([404, "Record not found"]);
        expect((await world.ask(null, "GET", `/records/${id}`)).status).toBe(404);
        expect((await world.ask(null, "GET", `/api/v1/records/${id}`)).status).toBe(404);
        const told410 = await call("admin", "GET", `/${id}`);
        expect([told410.status, told410.json.tombstone?.citation_text]).toEqual([410, "Removed work, 2024"]);
      });

      test("S3.6.18 R5 a restored record is as it was, ARK included", async () => {
        const id = await calls.published("registered");
        const before = (await call(null, "GET", `/${id}`)).json;
        await calls.remove("admin", id);
        const back = await call("admin", "POST", `/${id}/restore`);
        expect([back.status, back.json.pids.ark, back.json.metadata]).toEqual([200, before.pids.ark, before.metadata]);
        const changing = ["revision_id", "updated", "links"];
        const same = Object.fromEntries(Object.entries(before).filter(([name]) => !changing.includes(name)));
        expect((await call(null, "GET", `/${id}`)).json).toMatchObject(same);
        expect(back.json.revision_id).toBe(3);
      });
    });

    describe("what the caller has seen", () => {
      test("S3.6.19 If-Match and the body's revision_id name the revision that is there, else 412", async () => {
        const id = await calls.create("registered");
        const save = (title: string, headers: Record<string, string>, more: object = {}) =>
          call("registered", "PUT", `/${id}/draft`, { ...titled(title), ...more }, headers);
        expect((await save("One", { "if-match": '"1"' })).status).toBe(200);
        const old = await save("Two", { "if-match": "1" });
        expect([old.status, old.json.message]).toEqual([412, "Revision id provided(1) doesn't match record's one(2)"]);
        expect((await save("Two", {}, { revision_id: 1, is_draft: true })).status).toBe(412);
        expect((await save("Two", { "if-match": '"1", "2"' }, { revision_id: 2 })).status).toBe(200);
        expect((await save("Three", { "if-match": "*" })).status).toBe(200);
        expect((await call("registered", "DELETE", `/${id}/draft`, undefined, { "if-match": "1" })).status).toBe(412);
        const publishing = `/${id}/draft/actions/publish`;
        expect((await call("registered", "POST", publishing, undefined, { "if-match": "1" })).status).toBe(412);
        expect((await call("registered", "POST", publishing, undefined, { "if-match": '"4"' })).status).toBe(202);
        await call("registered", "POST", `/${id}/draft`);
        const record = (await call(null, "GET", `/${id}`)).json;
        expect((await call("registered", "PUT", `/${id}/draft`, record)).status).toBe(200);
        // The draft counts by itself: what was read of the record names the record's revision.
        expect((await save("Four", {})).json.revision_id).toBe(2);
        expect((await call("registered", "PUT", `/${id}/draft`, { ...record, revision_id: 2 })).status).toBe(412);
        expect((await call("registered", "PUT", `/${id}/draft`, record)).status).toBe(200);
      });

      test("S3.6.19 S3.6.12 removal and restoring by an administrator check If-Match, and change nothing where it differs", async () => {
        const id = await calls.published("registered");
        const latest = await calls.version("registered", id, "Second");
        for (const each of [id, latest]) {
          const tag = (await call(null, "GET", `/${each}`)).headers.get("etag") ?? "";
          const remove = (match: string) => call("admin", "DELETE", `/${each}/delete`, REMOVAL, { "if-match": match });
          const restore = (match: string) =>
            call("admin", "POST", `/${each}/restore`, undefined, { "if-match": match });
          const old = await remove('"7", "8"');
          const expected = [412, "Revision id provided(7) doesn't match record's one(1)"];
          expect([old.status, old.json.message]).toEqual(expected);
          expect((await call(null, "GET", `/${each}`)).status).toBe(200);
          expect((await remove(tag)).status).toBe(204);
          const early = await restore(tag);
          expect([early.status, early.json.message]).toEqual([
            412,
            "Revision id provided(1) doesn't match record's one(2)",
          ]);
          expect((await call(null, "GET", `/${each}`)).status).toBe(410);
          const back = await restore('"2"');
          expect([back.status, back.json.revision_id]).toEqual([200, 3]);
        }
      });

      test("S3.6.20 If-None-Match spares the body while the record is the same", async () => {
        const id = await calls.published("registered");
        const tag = (await call(null, "GET", `/${id}`)).headers.get("etag") ?? "";
        expect(tag).toBe('"1"');
        expect((await call(null, "GET", `/${id}`, undefined, { "if-none-match": tag })).status).toBe(304);
        await calls.revised("registered", id, "Other");
        expect((await call(null, "GET", `/${id}`, undefined, { "if-none-match": tag })).status).toBe(200);
        const second = (await call(null, "GET", `/${id}`)).headers.get("etag") ?? "";
        await calls.version("registered", id, "Next");
        expect((await call(null, "GET", `/${id}`, undefined, { "if-none-match": second })).status).toBe(200);
      });

      test("S3.6.21 HEAD answers as GET does", async () => {
        const id = await calls.published("registered");
        const [get, head] = [await call(null, "GET", `/${id}`), await call(null, "HEAD", `/${id}`)];
        expect([head.status, head.text, head.headers.get("etag")]).toEqual([200, "", get.headers.get("etag")]);
      });
    });

    describe("access", () => {
      test("S3.6.22 both facts and the embargo are checked, in the known words", async () => {
        const asked = async (access: unknown) =>
          (await call("registered", "POST", "", { ...RECORD, access })).json.errors?.map(({ messages }) => messages[0]);
        expect(await asked({ record: "secret", files: "public" })).toEqual([
          "'record' must be either 'public' or 'restricted'",
        ]);
        expect(
          await asked({ record: "public", files: "public", embargo: { active: true, until: "2001-01-01" } }),
        ).toEqual(["Embargo end date must be set to a future date."]);
        expect(
          await asked({ record: "public", files: "public", embargo: { active: false, until: "2999-01-01" } }),
        ).toEqual(["Embargo end date must be unset or in the past."]);
      });

      test("S3.6.23 a restricted record is 403 for readers without the right, and shows its status to others", async () => {
        const body = { ...RECORD, access: { record: "restricted", files: "restricted" } };
        const id = await calls.published("registered", body);
        for (const who of [null, "other", "general"] as const) {
          expect([who, ...(await answerOf(who, "GET", `/${id}`))]).toEqual([who, 403, DENIED]);
        }
        for (const who of ["other", "general"] as const) {
          expect(await answerOf(who, "POST", `/${id}/draft`)).toEqual([403, DENIED]);
          expect(await answerOf(who, "POST", `/${id}/versions`)).toEqual([403, DENIED]);
          expect(await answerOf(who, "GET", `/${id}/draft`)).toEqual([404, UNKNOWN]);
        }
        expect((await call("registered", "GET", `/${id}`)).json.access).toMatchObject({
          record: "restricted",
          status: "restricted",
        });
      });

      test("S3.6.24 R2d an embargo is over on its day, also before the job wrote that down", async () => {
        const until = new Date(Date.parse(world.time.now) + 5 * 86_400_000).toISOString().slice(0, 10);
        const embargo = { active: true, until, reason: "patent" };
        const body = { ...RECORD, access: { record: "restricted", files: "restricted", embargo } };
        const id = await calls.published("registered", body);
        const { json } = await call("registered", "GET", `/${id}`);
        expect(json.access).toEqual({ record: "restricted", files: "restricted", embargo, status: "embargoed" });
        expect((await call(null, "GET", `/${id}`)).status).toBe(403);
        const now = world.time.now;
        world.time.now = `${until}T00:00:01.000Z`;
        const open = await call(null, "GET", `/${id}`);
        world.time.now = now;
        expect([open.status, open.json.access.status]).toEqual([200, "metadata-only"]);
      });

      test("S3.6.25 R15 R2e whom a record is shared with reads and edits it, and learns nothing about sharing", async () => {
        const body = { ...RECORD, access: { record: "restricted", files: "restricted" } };
        const id = await calls.published("registered", body);
        const other = String(world.people.other.account.id);
        const grants = [{ subject: { type: "user", id: other }, permission: "edit" }];
        expect(await answerOf("other", "POST", `/${id}/access/grants`, { grants })).toEqual([403, DENIED]);
        const added = await call("registered", "POST", `/${id}/access/grants`, { grants });
        const expected = [201, 1, { subject: { type: "user", id: other }, permission: "edit" }];
        expect([added.status, added.json.hits.total, added.json.hits.hits[0]]).toMatchObject(expected);
        expect((await call("other", "GET", `/${id}`)).status).toBe(200);
        expect((await call("other", "POST", `/${id}/draft`)).status).toBe(201);
        await call("other", "DELETE", `/${id}/draft`);
        expect(await answerOf("other", "GET", `/${id}/access/users`)).toEqual([403, DENIED]);
        expect((await call("registered", "GET", `/${id}/access/users/${other}`)).status).toBe(200);
        const kept = { subject: { type: "user", id: String(world.people.general.account.id) }, permission: "view" };
        await call("registered", "POST", `/${id}/access/grants`, { grants: [kept] });
        expect((await call("registered", "DELETE", `/${id}/access/users/${other}`)).status).toBe(204);
        expect((await call("registered", "GET", `/${id}/access/grants`)).json.hits.hits).toMatchObject([kept]);
        expect((await call("registered", "DELETE", `/${id}/access/users/${other}`)).status).toBe(404);
        expect((await call("other", "GET", `/${id}`)).status).toBe(403);
        await disabled("general", async () => {
          const asked = { grants: [...grants, { ...kept, permission: "edit" }] };
          const { status, json } = await call("registered", "POST", `/${id}/access/grants`, asked);
          const messages = ["There is no such user to share with."];
          expect([status, json.errors]).toEqual([400, [{ field: "grants.1.subject.id", messages }]]);
          expect((await call("registered", "GET", `/${id}/access/grants`)).json.hits.hits).toMatchObject([kept]);
        });
        const wrong = [{ subject: { type: "system_role", id: "any_user" }, permission: "own" }, {}];
        const { json } = await call("registered", "POST", `/${id}/access/grants`, { grants: wrong });
        const members = ["0.subject.type", "0.subject.id", "0.permission", "1.subject", "1.permission"];
        const fields = members.map((member) => `grants.${member}`);
        expect(json.errors?.map(({ field }) => field)).toEqual(fields);
      });

      test("S3.6.25 R15 a grant is read, changed and ended by each of its addresses", async () => {
        const id = await calls.published("registered");
        const user = { type: "user", id: String(world.people.other.account.id) };
        const role = { type: "role", id: String(await grouped("readers", "curator")) };
        const expected = [
          [user, `grants/${user.id}`, ["PATCH", "PUT"]],
          [user, `users/${user.id}`, ["PATCH"]],
          [role, `grants/role:${role.id}`, ["PATCH", "PUT"]],
          [role, `groups/${role.id}`, ["PATCH"]],
        ] as const;
        for (const [subject, path, methods] of expected) {
          const self = `/${id}/access/${path}`;
          const view = { subject, permission: "view" };
          await call("registered", "POST", `/${id}/access/grants`, { grants: [view] });
          expect((await call("registered", "GET", self)).json).toMatchObject(view);
          for (const method of methods) {
            const permission = method === "PUT" ? "manage" : "edit";
            const changed = await call("registered", method, self, { permission });
            expect([path, method, changed.status, changed.json]).toMatchObject([path, method, 200, { permission }]);
            expect((await call("registered", "GET", self)).json).toMatchObject({ subject, permission });
          }
          expect([path, (await call("registered", "DELETE", self)).status]).toEqual([path, 204]);
          expect((await call("registered", "GET", self)).status).toBe(404);
        }
      });

      /** A group of these people. */
      const grouped = (name: string, ...who: readonly PersonName[]): Promise<number> =>
        world.store.transact(async (tx) => {
          const id = await tx.accounts.insertGroup(`${name} ${crypto.randomUUID()}`, world.time.now);
          if (id === null) throw new RangeError("the name is taken");
          await tx.accounts.setGroupMembers(
            id,
            who.map((each) => world.people[each].account.id),
          );
          return id;
        });
      const SECRET = {
        ...RECORD,
        metadata: { ...METADATA, title: "Kept tides" },
        access: { record: "restricted", files: "restricted" },
      };
      const itemsIn = () => itemsOn(world.store, world.time, { arks: false });
      const LEVELS = ["view", "preview", "edit", "manage"] as const;
      const SHARES = LEVELS.flatMap((permission) => [["user", permission] as const, ["role", permission] as const]);

      test.each(SHARES)("S3.6.25 R37 shared with a %s to %s: that much and no more", async (type, permission) => {
        const rank = LEVELS.indexOf(permission);
        const [published, draft, alone] = [
          await calls.published("registered", SECRET),
          await calls.create("registered", SECRET),
          await calls.published("registered", SECRET),
        ];
        await call("registered", "POST", `/${published}/draft`);
        await call("registered", "PUT", `/${published}/draft`, titled("Later tides"));
        const group = await grouped("readers", "curator", "other");
        const subject = { type, id: String(type === "user" ? world.people.other.account.id : group) };
        const self = `/access/${type === "user" ? "users" : "groups"}/${subject.id}`;
        for (const id of [published, draft]) {
          expect((await call("other", "GET", `/${id}/draft`)).status).toBe(404);
          const { status, json } = await call("registered", "POST", `/${id}/access/grants`, {
            grants: [{ subject, permission }],
          });
          expect([status, json.hits.hits]).toMatchObject([201, [{ subject, permission }]]);
          expect((await call("registered", "GET", `/${id}${self}`)).json).toMatchObject({ subject, permission });
        }
        const asked = async (who: Who, method: string, path: string, body?: unknown) =>
          (await call(who, method, path, body)).status;
        expect(await asked("other", "GET", `/${published}`)).toBe(200);
        expect(await asked("other", "GET", `/${published}/files`)).toBe(200);
        expect(await asked("other", "GET", `/${draft}`)).toBe(404);
        for (const id of [published, draft]) {
          expect(await asked("other", "GET", `/${id}/draft`)).toBe(rank >= 1 ? 200 : 404);
          expect(await asked("other", "GET", `/${id}/draft/files`)).toBe(rank >= 1 ? 200 : 404);
        }
        const save = await asked("other", "PUT", `/${draft}/draft`, { ...SECRET, metadata: METADATA });
        expect(save).toBe(rank >= 2 ? 200 : 404);
        expect(await asked("other", "POST", `/${draft}/draft/files`, [])).toBe(rank >= 2 ? 400 : 404);
        // The open edit is its owner's.
        expect(await asked("other", "POST", `/${published}/draft/actions/publish`)).toBe(rank >= 2 ? 409 : 403);
        expect(await asked("other", "GET", `/${published}/access/grants`)).toBe(rank >= 3 ? 200 : 403);
        expect(await asked("other", "GET", `/${draft}/access/grants`)).toBe(rank >= 3 ? 200 : rank >= 1 ? 403 : 404);
        expect(await asked("other", "DELETE", `/${published}/delete`)).toBe(403);
        for (const who of ["manager", "general", null] as const) {
          expect([who, await asked(who, "GET", `/${published}`)]).toEqual([who, 403]);
          if (who !== null) expect([who, await asked(who, "GET", `/${draft}/draft`)]).toEqual([who, 404]);
        }
        expect(await asked("curator", "GET", `/${published}`)).toBe(type === "role" ? 200 : 403);
        expect(await asked("other", "GET", `/${alone}`)).toBe(403);
        const found = async (path: string) =>
          (await world.ask("other", "GET", path)).json as unknown as { hits: { hits: { id: string }[] } };
        const ids = (await found("/api/records?q=kept%20tides&size=100")).hits.hits.map(({ id }) => id);
        expect([ids.includes(published), ids.includes(alone)]).toEqual([true, false]);
        const mine = (await found("/api/user/records?shared_with_me=true&size=100")).hits.hits.map(({ id }) => id);
        const expected = [true, rank >= 1, false];
        expect([mine.includes(published), mine.includes(draft), mine.includes(alone)]).toEqual(expected);
        const viewer = await world.viewer("other");
        const listed = (await itemsIn().list(viewer, {}, null, 1_000)).map(({ id }) => String(id));
        expect([listed.includes(published), listed.includes(draft), listed.includes(alone)]).toEqual([
          true,
          rank >= 1,
          false,
        ]);
        expect((await call("registered", "DELETE", `/${published}${self}`)).status).toBe(204);
        expect(await asked("other", "GET", `/${published}`)).toBe(403);
        const after = (await found("/api/records?q=kept%20tides&size=100")).hits.hits.map(({ id }) => id);
        expect(after.includes(published)).toBe(false);
      });

      test("S3.6.25 R37 grants are listed by kind, changed and replaced, each subject having one", async () => {
        const id = await calls.published("registered", SECRET);
        const [one, two] = [await grouped("one", "other"), await grouped("two", "general")];
        const other = String(world.people.other.account.id);
        const grant = (type: string, of: string | number, permission: string) => ({
          subject: { type, id: String(of) },
          permission,
        });
        const grants = [grant("role", two, "preview"), grant("user", other, "manage"), grant("role", one, "view")];
        expect((await call("registered", "POST", `/${id}/access/grants`, { grants })).json.hits.total).toBe(3);
        const listed = async (name: string) =>
          (await call("registered", "GET", `/${id}/access/${name}`)).json.hits.hits.map((hit) => [
            hit.id,
            hit.permission,
          ]);
        expect(await listed("grants")).toEqual([
          [other, "manage"],
          [`role:${one}`, "view"],
          [`role:${two}`, "preview"],
        ]);
        expect(await listed("users")).toEqual([[other, "manage"]]);
        expect(await listed("groups")).toEqual([
          [`role:${one}`, "view"],
          [`role:${two}`, "preview"],
        ]);
        // Who manages shares too, also with less for themselves.
        const patched = await call("other", "PATCH", `/${id}/access/groups/${one}`, { permission: "edit" });
        expect([patched.status, patched.json]).toMatchObject([200, grant("role", one, "edit")]);
        const put = await call("other", "PUT", `/${id}/access/grants/role:${two}`, { permission: "view" });
        expect([put.status, put.json]).toMatchObject([200, grant("role", two, "view")]);
        const again = { grants: [grant("user", other, "preview")] };
        expect((await call("other", "POST", `/${id}/access/grants`, again)).status).toBe(201);
        expect(await listed("grants")).toEqual([
          [other, "preview"],
          [`role:${one}`, "edit"],
          [`role:${two}`, "view"],
        ]);
        // By their group they still edit, and share no longer.
        expect((await call("other", "POST", `/${id}/draft`)).status).toBe(201);
        expect(await answerOf("other", "GET", `/${id}/access/grants`)).toEqual([403, DENIED]);
        for (const [method, path, body, status] of [
          ["PATCH", "groups/999999", { permission: "view" }, 404],
          ["PATCH", `users/${one}x`, { permission: "view" }, 404],
          ["PATCH", `groups/${one}`, { permission: "own" }, 400],
          ["PATCH", `groups/${one}`, {}, 400],
          ["PATCH", `groups/${one}`, [1], 400],
          ["GET", `groups/${other}00`, undefined, 404],
          ["GET", "grants/role:x", undefined, 404],
          ["DELETE", `users/${world.people.general.account.id}`, undefined, 404],
        ] as const) {
          const answer = await call("registered", method, `/${id}/access/${path}`, body);
          expect([method, path, answer.status]).toEqual([method, path, status]);
        }
        const none = {
          grants: [grant("role", 999_999, "view"), grant("user", world.people.registered.account.id, "view")],
        };
        const refused = await call("registered", "POST", `/${id}/access/grants`, none);
        expect(refused.json.errors).toEqual([
          { field: "grants.0.subject.id", messages: ["There is no such group to share with."] },
          { field: "grants.1.subject.id", messages: ["There is no such user to share with."] },
        ]);
      });

      test("S3.6.26 a draft that is shared is the work of both", async () => {
        const id = await calls.create("registered");
        const grants = [{ subject: { type: "user", id: String(world.people.other.account.id) }, permission: "edit" }];
        await call("registered", "POST", `/${id}/access/grants`, { grants });
        expect((await call("other", "PUT", `/${id}/draft`, titled("Ours"))).status).toBe(200);
        expect((await call("registered", "PUT", `/${id}/draft`, titled("Ours still"))).status).toBe(200);
        expect((await call("other", "POST", `/${id}/draft/actions/publish`)).status).toBe(202);
      });
    });

    describe("history", () => {
      test("S3.6.27 revisions show who changed what, to owner, curators and administrators", async () => {
        const id = await calls.published("registered");
        await calls.revised("registered", id, "Better");
        const { status, json, headers } = await call("registered", "GET", `/${id}/revisions`);
        expect([status, headers.get("x-total-count")]).toEqual([200, "2"]);
        const owner = { user: String(world.people.registered.account.id) };
        const newest = { revision_id: 2, by: owner, changed: ["metadata.title"], title: "Better" };
        expect(json as unknown).toMatchObject([
          { ...newest, json: { metadata: { title: "Better" } } },
          { revision_id: 1, by: owner, changed: [], title: "On tides" },
        ]);
        expect((await call("admin", "GET", `/${id}/revisions/1`)).json).toMatchObject({ revision_id: 1 });
        expect(await answerOf("other", "GET", `/${id}/revisions`)).toEqual([403, DENIED]);
        expect((await call(null, "GET", `/${id}/revisions`)).status).toBe(401);
        expect(await answerOf("admin", "GET", `/${id}/revisions/9`)).toEqual([404, "Not found."]);
        expect(await answerOf("admin", "GET", `/${id}/revisions?size=1000`)).toEqual([
          400,
          "Invalid querystring parameters.",
        ]);
        const page = await call("admin", "GET", `/${id}/revisions?size=1&page=2`);
        expect(page.json as unknown).toMatchObject([{ revision_id: 1 }]);
        // Another changes something else; curators of other records learn nothing of it.
        await call("admin", "POST", `/${id}/draft`);
        const metadata = {
          ...{ ...METADATA, title: "Better" },
          additional_titles: [{ title: "Besser", type: { id: "translated-title" }, lang: { id: "deu" } }],
        };
        const custom_fields = { "code:codeRepository": "https://example.org/code" };
        await call("admin", "PUT", `/${id}/draft`, { ...RECORD, metadata, custom_fields });
        await calls.publish("admin", id);
        expect((await call("registered", "GET", `/${id}/revisions/3`)).json).toMatchObject({
          by: { user: String(world.people.admin.account.id) },
          changed: ["metadata.additional_titles", "custom_fields.code:codeRepository"],
          title: "Better",
        });
        for (const who of ["curator", "manager", "stranger"] as const) {
          expect(await answerOf(who, "GET", `/${id}/revisions`)).toEqual([403, DENIED]);
        }
        const items = itemsOn(world.store, world.time, { arks: false });
        const content = aContent({ indexes: [INDEXES.community] });
        const { item } = await items.createAndPublish(await world.viewer("admin"), { content });
        expect((await call("curator", "GET", `/${item.id}/revisions`)).status).toBe(200);
        expect(await answerOf("registered", "GET", `/${item.id}/revisions`)).toEqual([403, DENIED]);
        await items.erase(REPOSITORY_OPERATOR, Number(id), { revision: 1, file: null });
        const after = (await call("registered", "GET", `/${id}/revisions`)).json as unknown as { erased?: string }[];
        expect(after.map(({ erased }) => erased)).toEqual([undefined, undefined, world.time.now]);
        await calls.remove("admin", id);
        expect((await call("registered", "GET", `/${id}/revisions`)).status).toBe(410);
        expect((await call("admin", "GET", `/${id}/revisions`)).status).toBe(200);
      });
    });

    describe("review", () => {
      test("S3.6.39 R2f a draft under review is not published and not discarded by hand; its curators read it meanwhile", async () => {
        await world.store.transact(async (tx) => {
          const community = await tx.communities.community(COMMUNITY);
          if (community !== null) await tx.communities.saveCommunity({ ...community, reviewPolicy: "closed" });
        });
        const id = await calls.create("registered");
        expect(await answerOf("curator", "GET", `/${id}/draft`)).toEqual([404, UNKNOWN]);
        const review = { receiver: { community: COMMUNITY }, type: "community-submission" };
        expect((await call("registered", "PUT", `/${id}/draft/review`, review)).status).toBe(200);
        expect((await call("registered", "GET", `/${id}/draft`)).json.status).toBe("draft_with_review");
        expect((await call("registered", "POST", `/${id}/draft/actions/publish`)).status).toBe(400);
        const message = { payload: { content: "Please", format: "html" } };
        expect((await call("registered", "POST", `/${id}/draft/actions/submit-review`, message)).status).toBe(202);
        expect((await call("registered", "GET", `/${id}/draft`)).json.status).toBe("in_review");
        expect(await answerOf("registered", "POST", `/${id}/draft/actions/publish`)).toEqual([
          400,
          "You cannot publish a draft with an open review request. Please cancel the review request first.",
        ]);
        expect(await answerOf("registered", "DELETE", `/${id}/draft`)).toEqual([
          400,
          "You cannot delete a draft with an open review. Please cancel the review first.",
        ]);
        expect((await call("curator", "GET", `/${id}/draft`)).status).toBe(200);
        expect((await call("registered", "PUT", `/${id}/draft`, titled("While it waits"))).status).toBe(200);
      });
    });

    describe("files", () => {
      const add = async (id: string, key: string, bytes: string | null): Promise<void> => {
        const files = `/${id}/draft/files`;
        expect((await call("registered", "POST", files, [{ key }])).status).toBe(201);
        if (bytes === null) return;
        const headers = { "content-type": "application/octet-stream" };
        const path = `/api/records${files}/${encodeURIComponent(key)}`;
        expect((await world.ask("registered", "PUT", `${path}/content`, { headers, body: bytes })).status).toBe(200);
        expect((await world.ask("registered", "POST", `${path}/commit`)).status).toBe(200);
      };

      test("S3.6.36 a record that is to have files is published with all of them, whole, and with none missing", async () => {
        const id = await calls.create("registered", { metadata: METADATA });
        const publishing = `/${id}/draft/actions/publish`;
        await add(id, "a/b c.txt", "tides");
        await add(id, "z.txt", "wind");
        await add(id, "later.txt", null);
        const early = await call("registered", "POST", publishing);
        expect([early.status, early.json.errors]).toEqual([
          400,
          [{ field: "files", messages: ["One or more files have not completed their transfer, please wait."] }],
        ]);
        const off = await call("registered", "PUT", `/${id}/draft`, RECORD);
        expect(off.json.errors?.map(({ field }) => field)).toEqual(["files.enabled"]);
        expect((await call("registered", "DELETE", `/${id}/draft/files/later.txt`)).status).toBe(204);
        const other = await calls.create("registered", { metadata: METADATA });
        await add(other, "later.txt", null);
        const still = await call("registered", "PUT", `/${other}/draft`, RECORD);
        expect(still.json.errors?.map(({ field }) => field)).toEqual(["files.enabled"]);
        const unknown = { enabled: true, order: ["z.txt", "no.txt"], default_preview: "no.txt" };
        const wrong = await call("registered", "PUT", `/${other}/draft`, { metadata: METADATA, files: unknown });
        expect(wrong.json.errors?.map(({ field }) => field)).toEqual(["files.default_preview", "files.order"]);
        const files = { enabled: true, order: ["z.txt", "a/b c.txt"], default_preview: "a/b c.txt" };
        const saved = await call("registered", "PUT", `/${id}/draft`, { metadata: METADATA, files });
        // Files come and go without a count: a client that saves metadata need not know of them.
        expect([saved.json.errors, saved.json.revision_id]).toEqual([undefined, 2]);
        await calls.publish("registered", id);
        const { json } = await call(null, "GET", `/${id}`);
        expect(json.access.status).toBe("open");
        expect(json.files).toMatchObject({ ...files, count: 2, total_bytes: 9 });
        const entry = (json.files.entries as Record<string, { links: Record<string, string> }>)["a/b c.txt"];
        const { pathname } = new URL(entry?.links.content ?? "");
        expect((await world.ask(null, "GET", pathname)).text).toBe("tides");
      });

      test("S3.6.37 R2b R2d files of a published record change with a new version; those one may not have are counted for nobody", async () => {
        const access = { record: "public", files: "restricted" };
        const id = await calls.create("registered", { metadata: METADATA, access });
        await add(id, "a.txt", "tides");
        const files = { enabled: true, default_preview: "a.txt", order: ["a.txt"] };
        expect((await call("registered", "PUT", `/${id}/draft`, { metadata: METADATA, access, files })).status).toBe(
          200,
        );
        await calls.publish("registered", id);
        expect((await call(null, "GET", `/${id}`)).json.files).toEqual({ enabled: true, access: "restricted" });
        await call("registered", "POST", `/${id}/draft`);
        const off = await call("registered", "PUT", `/${id}/draft`, {
          metadata: METADATA,
          access,
          files: { enabled: false },
        });
        expect(off.json.errors?.map(({ field }) => field)).toEqual(["files.enabled"]);
        expect(off.json.files).toMatchObject({ enabled: true, count: 1 });
        await call("registered", "DELETE", `/${id}/draft`);
        const next = (await call("registered", "POST", `/${id}/versions`)).json;
        expect(next.files).toMatchObject({ enabled: true, count: 0, default_preview: null, order: [], entries: {} });
      });
    });

    describe("interfaces meet", () => {
      test("S3.6.38 R3 what was deposited over SWORD is edited here, and keeps what this interface cannot show", async () => {
        const crate = cratePackage({ name: "Deposited", "rioxxterms:apc": "Paid" });
        const id = String(recidOf(await world.deposit("registered", crate)));
        const before = (await world.item(Number(id))).content;
        const read = (await call("registered", "GET", `/${id}`)).json;
        await call("registered", "POST", `/${id}/draft`);
        const metadata = { ...METADATA, ...read.metadata, title: "Edited" };
        expect((await call("registered", "PUT", `/${id}/draft`, { metadata })).status).toBe(200);
        expect((await calls.publish("registered", id)).json.metadata.title).toBe("Edited");
        const after = (await world.item(Number(id))).content;
        const expected = ["Edited", before?.indexes, before?.files];
        expect([after?.metadata.titles[0]?.value, after?.indexes, after?.files]).toEqual(expected);
        expect(before?.metadata.apc).toBe("Paid");
        expect(after?.metadata.apc).toBe("Paid");
        expect((await world.status("registered", id)).json.eTag).toBe("2");
      });

      test("S3.6.38 S3.6.36 R3 what SWORD deposited without files expects none, and is edited and published without them", async () => {
        for (const [payload, enabled] of [
          [[], false],
          [[{ path: "a.txt", bytes: "a" }], true],
        ] as const) {
          const id = String(recidOf(await world.deposit("registered", cratePackage({ name: "Bare" }, payload))));
          expect((await call(null, "GET", `/${id}`)).json.files).toMatchObject({ enabled });
          const { metadata } = (await call("registered", "POST", `/${id}/draft`)).json;
          await call("registered", "PUT", `/${id}/draft`, { metadata: { ...METADATA, ...metadata, title: "Edited" } });
          const { status, json } = await call("registered", "POST", `/${id}/draft/actions/publish`);
          expect([status, json.metadata?.title, json.files]).toMatchObject([202, "Edited", { enabled }]);
        }
      });

      test("S3.6.28 R2f somebody else's edit is nobody's to overwrite: 409 that names nobody", async () => {
        const id = await calls.published("registered");
        await call("admin", "POST", `/${id}/draft`);
        for (const [method, path, body] of [
          ["PUT", "/draft", titled("Mine")],
          ["POST", "/draft/actions/publish", undefined],
          ["DELETE", "/draft", undefined],
          ["POST", "/versions", undefined],
        ] as const) {
          const answer = await call("registered", method, `/${id}${path}`, body);
          expect([path, answer.status]).toEqual([path, 409]);
          expect(answer.text).not.toContain("admin");
        }
        expect((await call("admin", "PUT", `/${id}/draft`, titled("Other"))).status).toBe(200);
        const sword = await world.remove("registered", id);
        expect([sword.status, sword.json.error]).toEqual([400, `Item ${id} is being edited.`]);
        expect((await call("admin", "POST", `/${id}/draft/actions/publish`)).status).toBe(202);
      });

      const withEdit = async (who: PersonName): Promise<string> => {
        const id = await calls.published(who);
        await call(who, "POST", `/${id}/draft`);
        await call(who, "PUT", `/${id}/draft`, titled("Unsaved words"));
        return id;
      };

      test("R19 R2f an administrator removes a record past its owner's open edit, which ends with it; others do not", async () => {
        const ways: readonly (readonly [string, (id: string) => Promise<{ readonly status: number }>])[] = [
          ["records", (id) => calls.remove("admin", id)],
          ["records, a system administrator", (id) => calls.remove("system", id)],
          ["SWORD", (id) => world.remove("admin", id)],
        ];
        for (const [way, remove] of ways) {
          const [id, other] = [await withEdit("registered"), await withEdit("registered")];
          expect([way, (await world.remove("registered", id)).status]).toEqual([way, 400]);
          expect([way, (await remove(id)).status]).toEqual([way, 204]);
          expect([way, (await world.item(Number(id))).state]).toEqual([way, "deleted"]);
          expect(await world.store.items.draft(Number(id))).toBeNull();
          expect((await call("registered", "GET", `/${id}/draft`)).status).toBe(410);
          expect((await world.store.items.draft(Number(other)))?.content.metadata.titles[0]?.value).toBe(
            "Unsaved words",
          );
          expect((await call("admin", "POST", `/${id}/restore`)).status).toBe(200);
          expect((await call("registered", "GET", `/${id}/draft`)).status).toBe(404);
          expect((await call("registered", "GET", `/${id}`)).json.metadata.title).toBe(METADATA.title);
        }
      });

      test("R19 the removal of a record whose owner was disabled in the middle of an edit", async () => {
        const id = await withEdit("other");
        await disabled("other", async () => {
          expect((await calls.remove("admin", id)).status).toBe(204);
          expect((await call(null, "GET", `/${id}`)).status).toBe(410);
        });
      });

      test("R19 an administrator removes neither past a lock nor past an activity, which are decided or end by themselves", async () => {
        const locked = await withEdit("registered");
        const word = await world.items.takeLock(Number(locked), "import", 60_000);
        expect((await calls.remove("admin", locked)).status).toBe(409);
        expect(await world.store.items.draft(Number(locked))).not.toBeNull();
        const before = world.time.now;
        world.time.now = new Date(Date.parse(before) + 61_000).toISOString();
        expect((await calls.remove("admin", locked)).status).toBe(204);
        await world.items.releaseLock(Number(locked), word);
        world.time.now = before;
        const workflow = await world.workflow();
        const token = await world.token("registered", undefined, { registrationType: 2, workflow });
        const waiting = recidOf(await world.deposit("registered", cratePackage()));
        expect((await world.replace(token, waiting, cratePackage())).status).toBe(202);
        expect((await calls.remove("admin", String(waiting))).status).toBe(409);
        expect((await world.item(waiting)).state).toBe("published");
      });

      test("R19 R16 a deletion that is decided by an activity goes past the edit too, where an administrator began it", async () => {
        const deleting = await world.workflow({ delete: { actions: ["start", "approval", "end"] } });
        const token = await world.token("admin", undefined, { registrationType: 2, workflow: deleting });
        const id = await withEdit("registered");
        expect((await world.remove(token, id)).status).toBe(202);
        expect(await world.store.items.draft(Number(id))).not.toBeNull();
        const open = await world.store.activities.openActivity(Number(id));
        await world.activities.approve(await world.viewer("approver"), open?.id ?? "", { comment: "", index: null });
        expect((await world.item(Number(id))).state).toBe("deleted");
        expect(await world.store.items.draft(Number(id))).toBeNull();
      });

      test("R19 an administrator discards somebody's edit, and who may edit takes over one that was released: disabled, or not saved for 30 days", async () => {
        const share = async (id: string) => {
          const grants = [{ subject: { type: "user", id: `${world.people.curator.account.id}` }, permission: "edit" }];
          expect((await call("registered", "POST", `/${id}/access/grants`, { grants })).status).toBe(201);
        };
        const [one, two, three] = [
          await withEdit("registered"),
          await withEdit("registered"),
          await withEdit("registered"),
        ];
        for (const id of [one, two, three]) await share(id);
        expect((await call("curator", "DELETE", `/${one}/draft`)).status).toBe(409);
        expect((await call("admin", "PUT", `/${one}/draft`, titled("Over it"))).status).toBe(409);
        expect((await call("admin", "DELETE", `/${one}/draft`)).status).toBe(204);
        expect((await call("curator", "POST", `/${one}/draft`)).status).toBe(201);
        expect((await call("curator", "PUT", `/${two}/draft`, titled("Taken over"))).status).toBe(409);
        await disabled("registered", async () => {
          const { json } = await call("curator", "GET", `/${two}/draft`);
          expect(json.metadata.title).toBe("Unsaved words");
          expect((await call("curator", "PUT", `/${two}/draft`, titled("Taken over"))).status).toBe(200);
        });
        expect((await call("registered", "PUT", `/${two}/draft`, titled("Back"))).status).toBe(409);
        expect((await calls.publish("curator", two)).json.metadata.title).toBe("Taken over");
        const before = world.time.now;
        const later = (ms: number) => new Date(Date.parse(before) + 30 * 86_400_000 + ms).toISOString();
        world.time.now = later(-1);
        expect((await call("curator", "DELETE", `/${three}/draft`)).status).toBe(409);
        world.time.now = later(0);
        expect((await call("curator", "DELETE", `/${three}/draft`)).status).toBe(204);
        world.time.now = before;
      });

      test("S3.6.29 R19 what another interface holds is refused with 409 until it lets go", async () => {
        const id = await calls.published("registered");
        await call("registered", "POST", `/${id}/draft`);
        const word = await world.items.takeLock(Number(id), "edit", 60_000);
        for (const [method, path] of [
          ["PUT", "/draft"],
          ["POST", "/draft/actions/publish"],
          ["DELETE", "/draft"],
          ["POST", "/versions"],
        ] as const) {
          const body = method === "PUT" ? titled("Locked") : undefined;
          const answer = await call("registered", method, `/${id}${path}`, body);
          expect([path, answer.status]).toEqual([path, 409]);
        }
        await world.items.releaseLock(Number(id), word);
        await call("registered", "PUT", `/${id}/draft`, titled("Free"));
        expect((await calls.publish("registered", id)).json.metadata.title).toBe("Free");
      });
    });

    describe("one DOI names one record (R38)", () => {
      const isbn = { scheme: "isbn", identifier: "978-3-16-148410-0" };
      const withDois = (...dois: readonly string[]) => {
        const identifiers = [isbn, ...dois.map((identifier) => ({ scheme: "doi", identifier }))];
        return { ...RECORD, metadata: { ...METADATA, identifiers } };
      };
      const faults = (doi: string, ...others: readonly string[]) => [
        { field: "pids.doi", messages: others.map((other) => `The DOI ${doi} is that of ${other}.`) },
      ];
      const publishing = (who: Who, id: string) => call(who, "POST", `/${id}/draft/actions/publish`);

      test("S3.6.5 R38 a DOI of a live record is reported in a draft, refused on publishing, and its record named to who may read it", async () => {
        const first = await calls.published("registered", withDois("10.1234/one"));
        const secret = await calls.published("registered", {
          ...withDois("10.1234/secret", "10.1234/hidden"),
          access: { record: "restricted", files: "restricted" },
        });
        for (const doi of ["10.1234/ONE", "https://doi.org/10.1234/one"]) {
          const made = await call("other", "POST", "", withDois("10.1234/free", doi));
          expect([made.status, made.json.errors]).toEqual([201, faults("10.1234/one", `record ${first}`)]);
          const refused = await publishing("other", made.json.id);
          expect([refused.status, refused.json.errors]).toEqual([400, faults("10.1234/one", `record ${first}`)]);
          expect((await call(null, "GET", `/${made.json.id}`)).status).toBe(404);
        }
        const pids = { doi: { identifier: "10.1234/hidden", provider: "external" } };
        for (const [who, named] of [
          ["other", "another record"],
          ["registered", `record ${secret}`],
        ] as const) {
          const made = await call(who, "POST", "", { ...RECORD, pids });
          expect(made.json.errors).toEqual(faults("10.1234/hidden", named));
          expect((await publishing(who, made.json.id)).json.errors).toEqual(faults("10.1234/hidden", named));
          const saved = await call(who, "PUT", `/${made.json.id}/draft`, withDois("10.1234/secret"));
          expect(saved.json.errors).toEqual(faults("10.1234/secret", named));
          await call(who, "PUT", `/${made.json.id}/draft`, withDois(`10.1234/free-${who}`));
          expect((await publishing(who, made.json.id)).status).toBe(202);
        }
      });

      test("S3.6.5 R38 versions of one record share a DOI or have their own; each is nobody else's", async () => {
        const first = await calls.published("registered", withDois("10.1234/shared"));
        const next = (await call("registered", "POST", `/${first}/versions`)).json.id;
        const both = withDois("10.1234/shared", "10.1234/second");
        expect((await call("registered", "PUT", `/${next}/draft`, both)).json.errors).toBeUndefined();
        expect((await publishing("registered", next)).status).toBe(202);
        const third = await calls.version("registered", first, "Without a DOI");
        expect((await call(null, "GET", `/${third}`)).json.pids).not.toHaveProperty("doi");
        for (const [doi, at] of [
          ["10.1234/shared", first],
          ["10.1234/second", next],
        ] as const) {
          const other = await calls.create("registered", withDois(doi));
          const { status, json } = await publishing("registered", other);
          expect([status, json.errors?.[0]?.messages.includes(`The DOI ${doi} is that of record ${at}.`)]).toEqual([
            400,
            true,
          ]);
        }
      });

      test("S3.6.5 R38 a deleted record gives its DOI free, and is not restored while another has it", async () => {
        const first = await calls.published("registered", withDois("10.1234/moved"));
        const draft = await calls.create("registered", withDois("10.1234/moved"));
        expect((await publishing("registered", draft)).status).toBe(400);
        await calls.remove("admin", first);
        expect((await publishing("registered", draft)).status).toBe(202);
        const refused = await call("admin", "POST", `/${first}/restore`);
        expect([refused.status, refused.json.errors]).toEqual([400, faults("10.1234/moved", `record ${draft}`)]);
        expect((await call("admin", "GET", `/${first}`)).status).toBe(410);
        await calls.remove("admin", draft);
        expect((await call("admin", "POST", `/${first}/restore`)).status).toBe(200);
      });

      test("S3.6.5 R38 of records that publish one DOI at the same time one is published", async () => {
        const ids = await Promise.all(
          Array.from({ length: 4 }, () => calls.create("registered", withDois("10.1234/race", "10.1234/race-2"))),
        );
        const answers = await Promise.all(ids.map((id) => publishing("registered", id)));
        expect(answers.map(({ status }) => status).sort()).toEqual([202, 400, 400, 400]);
        const winner = ids[answers.findIndex(({ status }) => status === 202)];
        for (const { status, json } of answers) {
          if (status === 400) expect(json.errors?.[0]?.messages[0]).toContain(`is that of record ${winner}.`);
        }
      });

      test("S3.6.5 R38 what shared a DOI before, as SWORD allows it, can still be edited", async () => {
        const doi = "https://doi.org/10.1234/twice";
        const deposit = async (name: string) =>
          String(recidOf(await world.deposit("registered", cratePackage({ name, identifier: doi }))));
        const ids = [await deposit("Tides"), await deposit("Moons")];
        for (const id of ids) {
          const { metadata, pids } = (await call("registered", "POST", `/${id}/draft`)).json;
          expect(pids).toMatchObject({ doi: { identifier: "10.1234/twice" } });
          const saved = await call("registered", "PUT", `/${id}/draft`, { metadata: { ...metadata, title: "Waves" } });
          expect(saved.json.errors?.some(({ field }) => field === "pids.doi") ?? false).toBe(false);
          expect((await publishing("registered", id)).json.metadata.title).toBe("Waves");
        }
        const third = await calls.create("registered", withDois("10.1234/twice"));
        const messages = ids.map((id) => `The DOI 10.1234/twice is that of record ${id}.`);
        expect((await publishing("registered", third)).json.errors).toEqual([{ field: "pids.doi", messages }]);
      });
    });

    describe("tokens and bodies", () => {
      test("S3.6.30 R37 every call needs its scope, reading what guests may read needs none", async () => {
        const id = await calls.published("registered");
        const draft = await calls.create("registered");
        const none = await world.token("registered", ["deposit:write"]);
        for (const [method, path] of [
          ["POST", ""],
          ["GET", `/${id}`],
          ["GET", `/${draft}/draft`],
          ["PUT", `/${draft}/draft`],
          ["POST", `/${id}/draft`],
          ["DELETE", `/${draft}/draft`],
          ["POST", `/${draft}/draft/actions/publish`],
          ["POST", `/${id}/versions`],
          ["DELETE", `/${id}/delete`],
          ["POST", `/${id}/restore`],
          ["GET", `/${id}/revisions`],
          ["POST", `/${id}/access/grants`],
        ] as const) {
          const { status, headers } = await call(none, method, path);
          expect([method, path, status]).toEqual([method, path, 403]);
          expect(headers.get("www-authenticate")).toContain("insufficient_scope");
        }
        expect((await call(null, "GET", `/${id}`)).status).toBe(200);
      });

      test("S3.6.31 a body that is not JSON, not an object or too deep is refused in this interface's words, a method nobody has with 405", async () => {
        const raw = (body: string) =>
          world.ask("registered", "POST", "/api/records", { body, headers: { "content-type": "application/json" } });
        const message = "Unable to decode JSON data in request body.";
        expect((await raw("{")).json).toEqual({ status: 400, message });
        const errors = [{ field: "_schema", messages: ["Invalid input type."] }];
        const wrongType = { status: 400, message: "A validation error occurred.", errors };
        expect((await raw("[".repeat(10_000))).status).toBe(400);
        for (const wrong of ["[]", "[1]", '"x"', "null", "7", "true"]) {
          const { status, json } = await raw(wrong);
          expect([wrong, status, json]).toEqual([wrong, 400, wrongType]);
        }
        expect((await raw("")).status).toBe(201);
        const id = await calls.published("registered");
        for (const method of ["PUT", "DELETE", "PATCH"]) {
          expect([method, (await call("registered", method, `/${id}`, {})).status]).toEqual([method, 405]);
        }
        for (const strange of ["0", "abc", "9999999", "1e3", "%00", "٣"]) {
          expect([strange, ...(await answerOf(null, "GET", `/${strange}`))]).toEqual([strange, 404, UNKNOWN]);
        }
      });
    });

    describe("who may", () => {
      const PEOPLE = ["system", "admin", "registered", "other", "manager", "curator", "general"] as const;
      test.each(PEOPLE.map((who, at) => [who, at < 3] as const))(
        "S3.6.32 R2e %s edits, saves, publishes and versions somebody's record: %p",
        async (who, isAllowed) => {
          const id = await calls.published("registered");
          const edited = await call(who, "POST", `/${id}/draft`);
          expect(edited.status).toBe(isAllowed ? 201 : 403);
          if (isAllowed) expect((await call(who, "DELETE", `/${id}/draft`)).status).toBe(204);
          expect((await call(who, "POST", `/${id}/versions`)).status).toBe(isAllowed ? 201 : 403);
        },
      );

      test("S3.6.33 R2e a person without a role makes and publishes their own, a guest nothing", async () => {
        const id = await calls.published("general");
        await calls.revised("general", id, "Own");
        expect((await call("general", "POST", `/${id}/versions`)).status).toBe(201);
        const who: Who = null;
        expect((await call(who, "POST", "", RECORD)).status).toBe(401);
      });
    });
  });
});
