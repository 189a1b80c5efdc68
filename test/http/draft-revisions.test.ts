// Drafts that two windows or two people save (R42): merged, refused with both values, decided; and their earlier states,
// listed, compared, restored. Over HTTP, on both databases.
import { describe, expect, test } from "bun:test";
import { onEachDatabase } from "../support/databases.ts";
import { METADATA, RECORD, recordCalls, titled } from "../support/record-calls.ts";
import { setUpWorld } from "../support/world.ts";

const UNKNOWN = "The persistent identifier does not exist.";
const CONFLICTING = "Changed to another value since it was read.";
const BOB = { person_or_org: { type: "personal", family_name: "Roe", given_name: "Bob" } };
const withMetadata = (more: object, rest: object = {}) => ({ ...RECORD, metadata: { ...METADATA, ...more }, ...rest });

describe("drafts that several save", () => {
  onEachDatabase((database) => {
    const world = setUpWorld({ repository: true, database });
    const calls = recordCalls(world);
    const call: ReturnType<typeof recordCalls>["call"] = (...args) => calls.call(...args);
    const rest = async (...args: Parameters<typeof call>) => {
      const { status, text } = await call(...args);
      // Members of refusals and of states, which the type of a record does not have.
      return { status, json: JSON.parse(text === "" ? "null" : text) as never as Readonly<Record<string, unknown>> };
    };
    const merged = (id: string, body: object, merge = "ask", headers = {}) =>
      call("registered", "PUT", `/${id}/draft?merge=${merge}`, body, headers);
    const titleOf = async (id: string) => (await call("registered", "GET", `/${id}/draft`)).json.metadata.title;

    test("R42, P.104: what was changed on one side only is merged, elements of lists included", async () => {
      const id = await calls.create("registered");
      const read = await call("registered", "GET", `/${id}/draft`);
      const two = [...METADATA.creators, BOB];
      expect((await call("registered", "PUT", `/${id}/draft`, withMetadata({ creators: two }))).status).toBe(200);
      const { status, json } = await merged(id, {
        ...read.json,
        metadata: { ...read.json.metadata, title: "On ebb and flow" },
      });
      expect([status, json.revision_id, json.metadata.title]).toEqual([200, 3, "On ebb and flow"]);
      const people = json.metadata.creators as readonly { readonly person_or_org: object }[];
      expect(people.map(({ person_or_org: person }) => person)).toMatchObject([
        { name: "Doe, Ann" },
        { name: "Roe, Bob" },
      ]);
    });

    test("P.105: a field that both changed is 409 with all values, and nothing is saved", async () => {
      const id = await calls.create("registered");
      await call("registered", "PUT", `/${id}/draft`, withMetadata({ title: "Theirs", version: "2" }));
      const mine = withMetadata({ title: "Mine", publisher: "A press" }, { revision_id: 1 });
      const { status, json } = await rest("registered", "PUT", `/${id}/draft?merge=ask`, mine);
      expect([status, json.message]).toEqual([409, "The draft was changed meanwhile: 1 field has two new values"]);
      expect(json.errors).toEqual([{ field: "metadata.title", messages: [CONFLICTING] }]);
      expect(json.conflicts).toEqual([{ field: "metadata.title", base: "On tides", yours: "Mine", stored: "Theirs" }]);
      expect(json.revision_id).toBe(2);
      const after = await call("registered", "GET", `/${id}/draft`);
      expect([after.json.revision_id, after.json.metadata.publisher]).toEqual([2, undefined]);
      // Decided: the value of this window, if nobody has saved since the question.
      await call("registered", "PUT", `/${id}/draft`, withMetadata({ title: "Third", version: "2" }));
      expect((await merged(id, mine, "yours", { "if-match": '"2"' })).status).toBe(412);
      const decided = await merged(id, mine, "yours", { "if-match": '"3"' });
      expect(decided.json.metadata).toMatchObject({ title: "Mine", version: "2", publisher: "A press" });
      // Decided the other way: their value is sent as this window's.
      const late = withMetadata({ title: "Third", version: "2", publisher: "B press" }, { revision_id: 3 });
      const asked = await rest("registered", "PUT", `/${id}/draft?merge=ask`, late);
      expect(asked.json.conflicts).toEqual([{ field: "metadata.publisher", yours: "B press", stored: "A press" }]);
      const theirs = await merged(id, { ...late, metadata: { ...late.metadata, publisher: "A press", version: "3" } });
      expect(theirs.json.metadata).toMatchObject({ title: "Mine", version: "3", publisher: "A press" });
    });

    test("P.105: a base that is not known makes every difference a conflict; without a base nothing is merged", async () => {
      const id = await calls.create("registered");
      await call("registered", "PUT", `/${id}/draft`, titled("Second"));
      for (const revision of [0, -1, 1.5, 9, 2 ** 40]) {
        const { status, json } = await rest("registered", "PUT", `/${id}/draft?merge=ask`, {
          ...withMetadata({ title: "Mine" }),
          revision_id: revision,
        });
        const conflict = { field: "metadata.title", yours: "Mine", stored: "Second" };
        expect([revision, status, json.conflicts]).toEqual([revision, 409, [conflict]]);
      }
      const without = await merged(id, RECORD);
      expect([without.status, without.json.errors]).toEqual([
        400,
        [{ field: "revision_id", messages: ["Missing data for required field."] }],
      ]);
      expect((await merged(id, RECORD, "always")).status).toBe(400);
      // As before: nothing is merged unless it is asked for.
      const outdated = await call("registered", "PUT", `/${id}/draft`, { ...RECORD, revision_id: 1 });
      expect([outdated.status, await titleOf(id)]).toEqual([412, "Second"]);
    });

    test("P.105: a window of an earlier draft of the record does not take this draft for its base", async () => {
      const id = await calls.published("registered");
      const { json: old } = await call("registered", "POST", `/${id}/draft`);
      await call("registered", "PUT", `/${id}/draft`, titled("Old edit"));
      await call("registered", "DELETE", `/${id}/draft`);
      await call("registered", "POST", `/${id}/draft`);
      await call("registered", "PUT", `/${id}/draft`, titled("New edit"));
      const { status, json } = await rest("registered", "PUT", `/${id}/draft?merge=ask`, {
        ...old,
        // The clock of this world does not move.
        updated: "2026-01-01T00:00:00.000Z",
        metadata: { ...old.metadata, version: "7" },
      });
      expect([status, (json.conflicts as readonly { field: string }[]).map(({ field }) => field)]).toEqual([
        409,
        ["metadata.title", "metadata.version"],
      ]);
    });

    test("P.105, P.138: nor one whose revision has the number of the newest state of this draft", async () => {
      const id = await calls.published("registered");
      const { json: old } = await call("registered", "POST", `/${id}/draft`);
      await call("registered", "PUT", `/${id}/draft`, titled("Published meanwhile"));
      await calls.publish("registered", id);
      await call("registered", "POST", `/${id}/draft`);
      // The clock of this world does not move.
      const late = { ...old, updated: "2026-01-01T00:00:00.000Z" };
      const { status, json } = await rest("registered", "PUT", `/${id}/draft?merge=ask`, late);
      expect([status, json.errors]).toEqual([409, [{ field: "metadata.title", messages: [CONFLICTING] }]]);
      expect(await titleOf(id)).toBe("Published meanwhile");
      // P.138: nor is it saved over this draft without merging; one that was read of this draft is.
      const refused = await rest("registered", "PUT", `/${id}/draft`, late, { "if-match": '"1"' });
      expect([refused.status, refused.json.message]).toEqual([
        ...[412, "Revision id provided(1 of an earlier draft) doesn't match record's one(1)"],
      ]);
      expect(await titleOf(id)).toBe("Published meanwhile");
      const { json: now } = await rest("registered", "GET", `/${id}/draft`);
      const seen = { ...titled("Seen"), revision_id: now.revision_id, updated: now.updated };
      expect((await rest("registered", "PUT", `/${id}/draft`, seen)).status).toBe(200);
      // A date alone names no revision.
      expect((await rest("registered", "PUT", `/${id}/draft`, { ...titled("New"), updated: "2020" })).status).toBe(200);
    });

    test("R42: twenty windows that save at once from one base lose nothing", async () => {
      const id = await calls.create("registered");
      const subjects = Array.from({ length: 20 }, (_, index) => `subject ${index}`);
      const answers = await Promise.all(
        subjects.map((subject) => merged(id, withMetadata({ subjects: [{ subject }] }, { revision_id: 1 }))),
      );
      expect(answers.map(({ status }) => status)).toEqual(subjects.map(() => 200));
      const { json } = await call("registered", "GET", `/${id}/draft`);
      const there = (json.metadata.subjects as readonly { subject: string }[]).map(({ subject }) => subject);
      expect([json.revision_id, there.sort()]).toEqual([21, subjects.sort()]);
    });

    test("P.106: earlier states are listed, newest first, and compared field by field", async () => {
      const id = await calls.create("registered");
      await call("registered", "PUT", `/${id}/draft`, titled("Second"));
      await call(
        "registered",
        "PUT",
        `/${id}/draft`,
        withMetadata({ title: "Second", creators: [BOB, ...METADATA.creators] }),
      );
      const { status, json } = await rest("registered", "GET", `/${id}/draft/revisions`);
      const by = { user: String(world.people.registered.account.id) };
      expect([status, json]).toEqual([
        200,
        [3, 2, 1].map((revision) => ({
          revision_id: revision,
          created: expect.any(String),
          by,
          is_current: revision === 3,
        })) as never,
      ]);
      const last = await rest("registered", "GET", `/${id}/draft/revisions/3`);
      expect(last.json).toMatchObject({
        compared_to: 2,
        differences: [{ field: "metadata.creators.0", kind: "added", after: { person_or_org: { name: "Roe, Bob" } } }],
      });
      const whole = await rest("registered", "GET", `/${id}/draft/revisions/3?compare=1`);
      expect(whole.json.differences as readonly unknown[]).toContainEqual({
        field: "metadata.title",
        kind: "changed",
        before: "On tides",
        after: "Second",
      });
      const first = await rest("registered", "GET", `/${id}/draft/revisions/1`);
      expect(first.json).toMatchObject({
        compared_to: null,
        differences: [],
        json: { metadata: { title: "On tides" } },
      });
      for (const path of ["4", "0", "x", "99999999999", "1?compare=9"]) {
        expect([path, (await call("registered", "GET", `/${id}/draft/revisions/${path}`)).status]).toEqual([path, 404]);
      }
      expect((await call("registered", "GET", `/${id}/draft/revisions/1?compare=x`)).status).toBe(400);
    });

    test("P.107: an earlier state is restored as a new one, which can be undone; files stay", async () => {
      const id = await calls.create("registered", { metadata: METADATA });
      await world.ask("registered", "POST", `/api/records/${id}/draft/files`, {
        headers: { "content-type": "application/json" },
        body: JSON.stringify([{ key: "a.txt" }]),
      });
      await world.ask("registered", "PUT", `/api/records/${id}/draft/files/a.txt/content`, {
        headers: { "content-type": "application/octet-stream" },
        body: "words",
      });
      await world.ask("registered", "POST", `/api/records/${id}/draft/files/a.txt/commit`);
      await call("registered", "PUT", `/${id}/draft`, { metadata: { ...METADATA, title: "Spoiled", creators: [] } });
      const restore = `/${id}/draft/revisions/1/actions/restore`;
      expect((await call("registered", "POST", restore, undefined, { "if-match": '"1"' })).status).toBe(412);
      const { status, json } = await call("registered", "POST", restore, undefined, { "if-match": '"2"' });
      expect([status, json.revision_id, json.metadata.title, json.files.count]).toEqual([200, 3, "On tides", 1]);
      await call("registered", "POST", `/${id}/draft/revisions/2/actions/restore`);
      expect(await titleOf(id)).toBe("Spoiled");
      expect((await call("registered", "POST", `/${id}/draft/revisions/9/actions/restore`)).status).toBe(404);
    });

    test("P.108: revisions end with the draft, by publishing and by discarding", async () => {
      const id = await calls.create("registered");
      await call("registered", "PUT", `/${id}/draft`, titled("Second"));
      await calls.publish("registered", id);
      expect((await call("registered", "GET", `/${id}/draft/revisions`)).status).toBe(404);
      expect(await world.store.draftRevisions.draftRevisions(Number(id), 10)).toEqual([]);
      await call("registered", "POST", `/${id}/draft`);
      const again = await rest("registered", "GET", `/${id}/draft/revisions`);
      expect(again.json).toMatchObject([{ revision_id: 1, is_current: true }] as never);
      await call("registered", "PUT", `/${id}/draft`, titled("Third"));
      await call("registered", "DELETE", `/${id}/draft`);
      expect(await world.store.draftRevisions.draftRevisions(Number(id), 10)).toEqual([]);
    });

    test("R42: only those who may edit the draft see its earlier states or restore them", async () => {
      const id = await calls.create("registered");
      await call("registered", "PUT", `/${id}/draft`, titled("Second"));
      const paths = [
        ["GET", "/draft/revisions"],
        ["GET", "/draft/revisions/1"],
        ["POST", "/draft/revisions/1/actions/restore"],
      ] as const;
      const statuses = async (who: Parameters<typeof call>[0]) =>
        Promise.all(
          paths.map(async ([method, path]) => {
            const { status, json } = await call(who, method, `/${id}${path}`);
            return status === 200 ? 200 : [status, json.message];
          }),
        );
      expect(await statuses("other")).toEqual(paths.map(() => [404, UNKNOWN]));
      await call("registered", "POST", `/${id}/access/grants`, {
        grants: [{ subject: { type: "user", id: String(world.people.other.account.id) }, permission: "preview" }],
      });
      expect((await call("other", "GET", `/${id}/draft`)).status).toBe(200);
      expect(await statuses("other")).toEqual(paths.map(() => [404, UNKNOWN]));
      expect(await statuses("admin")).toEqual([200, 200, 200]);
      expect((await call(null, "GET", `/${id}/draft/revisions`)).status).toBe(401);
    });
  });
});
