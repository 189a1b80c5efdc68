// Requests over HTTP (specification 3, list_requests, get_request, comment_on_request, request_action; R2g, R6a, R37).
import { beforeAll, describe, expect, test } from "bun:test";
import { onEachDatabase } from "../support/databases.ts";
import { INDEXES, type PersonName, type Who } from "../support/world/repository.ts";
import {
  cannot,
  DENIED,
  type EventJson,
  type List,
  type RequestJson,
  refusal,
  timelineOf,
  UNKNOWN,
} from "../support/world/requests.ts";
import { setUpWorld } from "../support/world.ts";

const ACTIONS = ["accept", "decline", "cancel", "expire"] as const;
const PEOPLE: readonly PersonName[] = ["system", "admin", "registered", "other", "manager", "curator", "general"];
/**
 * `registered` submits, `manager` owns the community, `curator` curates it, `general` reads it, `other` is a stranger.
 */
const ALLOWED: Readonly<Record<(typeof ACTIONS)[number], readonly PersonName[]>> = {
  accept: ["system", "admin", "manager", "curator"],
  decline: ["system", "admin", "manager", "curator"],
  cancel: ["system", "admin", "manager", "curator", "registered"],
  expire: ["system", "admin", "manager", "curator"],
};

describe("requests", () => {
  onEachDatabase((database) => {
    let closed: { readonly id: string; readonly slug: string };
    const world = setUpWorld({ repository: true, requests: true, database });
    beforeAll(async () => {
      closed = await world.community();
    });

    const list = (who: Who, query = "", path = "/api/requests"): Promise<List<RequestJson>> =>
      world.ok(world.ask(who, "GET", `${path}?${query}`), 200);
    const ids = ({ hits }: List<RequestJson>) => hits.hits.map(({ id }) => id);
    const comment = (who: Who, request: string, content: unknown, more: object = {}) =>
      world.send(who, "POST", `/api/requests/${request}/comments`, { payload: { content, format: "html", ...more } });

    test("S3.6.140 S3.6.134: each action by each person, from the state it is done in and from every end", async () => {
      for (const action of ACTIONS) {
        for (const who of PEOPLE) {
          const { request } = await world.submitted(closed.id);
          const sees = ["registered", ...ALLOWED.accept].includes(who);
          const answer = await world.act(who, request.id, action);
          const asked = `${who} ${action}`;
          if (!ALLOWED[action].includes(who)) {
            expect([asked, refusal(answer)]).toEqual([asked, sees ? DENIED : UNKNOWN]);
            expect((await world.ok<RequestJson>(world.request("admin", request.id), 200)).status).toBe("submitted");
            continue;
          }
          expect([asked, answer.status]).toEqual([asked, 200]);
          const status = { accept: "accepted", decline: "declined", cancel: "cancelled", expire: "expired" }[action];
          expect(answer.json).toMatchObject({ status, is_open: false, is_closed: true });
        }
        const { request } = await world.submitted(closed.id);
        expect((await world.act(null, request.id, action)).status).toBe(401);
        await world.ok(world.act("admin", request.id, action), 200);
        for (const again of ACTIONS) {
          expect(refusal(await world.act("admin", request.id, again))).toEqual(cannot(again));
        }
        await expect(
          world.store.transact(async (tx) => {
            const ended = await tx.requests.lockRequest(request.id);
            if (ended !== null) await tx.requests.saveRequest({ ...ended, status: "submitted" });
          }),
        ).rejects.toThrow();
      }
    });

    test("P.215 a request is taken, released and reassigned; who holds it decides, and administrators", async () => {
      const { request } = await world.submitted(closed.id);
      const idOf = (who: PersonName) => String(world.people[who].account.id);
      const give = (who: Who, to: string | null) =>
        world.send(who, "PUT", `/api/requests/${request.id}/holder`, { user: to });
      expect(refusal(await give("other", idOf("other")))).toEqual(UNKNOWN);
      expect(refusal(await give("registered", idOf("registered")))).toEqual(DENIED);
      expect((await give("curator", idOf("curator"))).json).toMatchObject({
        reviewers: [{ user: idOf("curator") }],
        links: { actions: { accept: expect.any(String) } },
      });
      const taken = { status: 403, message: `Account ${idOf("curator")} has taken this task` };
      expect(refusal(await give("manager", idOf("manager")))).toMatchObject(taken);
      expect(refusal(await give("manager", null))).toEqual(DENIED);
      expect(refusal(await world.act("manager", request.id, "accept"))).toMatchObject(taken);
      expect(refusal(await world.act("manager", request.id, "decline"))).toMatchObject(taken);
      const seen = await world.ok<RequestJson>(world.request("manager", request.id), 200);
      expect(Object.keys(seen.links.actions).sort()).toEqual(["cancel", "expire"]);
      expect((await give("curator", null)).json).toMatchObject({ reviewers: [] });
      for (const wrong of ["general", "other"] as const) {
        expect(refusal(await give("admin", idOf(wrong)))).toMatchObject({ status: 400 });
      }
      for (const wrong of ["x", "999999999999999", ""]) expect((await give("admin", wrong)).status).toBe(400);
      expect((await give("admin", idOf("manager"))).status).toBe(200);
      expect((await world.act("curator", request.id, "accept")).status).toBe(403);
      const { hits } = await world.ok<List<EventJson>>(
        world.ask("curator", "GET", `/api/requests/${request.id}/timeline`),
        200,
      );
      const events = hits.hits.map(({ payload, created_by: by }) => ({
        ...{ event: payload.event, by: by.user },
        to: (payload as { reviewers?: readonly object[] }).reviewers ?? null,
      }));
      expect(events).toEqual([
        { event: "taken", by: idOf("curator"), to: [{ user: idOf("curator") }] },
        { event: "released", by: idOf("curator"), to: null },
        { event: "reassigned", by: idOf("admin"), to: [{ user: idOf("manager") }] },
      ]);
      // An administrator takes it from its holder, and gives it back.
      expect((await give("admin", idOf("admin"))).json).toMatchObject({ reviewers: [{ user: idOf("admin") }] });
      expect((await give("admin", idOf("manager"))).status).toBe(200);
      expect((await world.act("manager", request.id, "accept")).status).toBe(200);
      expect((await give("manager", null)).status).toBe(400);
    });

    test("P.215 of two who take a request at once one does; taken while it is released, it has one holder", async () => {
      const { request } = await world.submitted(closed.id);
      const take = (who: PersonName, to: string | null = String(world.people[who].account.id)) =>
        world.send(who, "PUT", `/api/requests/${request.id}/holder`, { user: to });
      const both = await Promise.all([take("curator"), take("manager")]);
      expect(both.map(({ status }) => status).sort()).toEqual([200, 403]);
      const holder = both[0]?.status === 200 ? "curator" : "manager";
      const other = holder === "curator" ? "manager" : "curator";
      const [released, taken] = await Promise.all([take(holder, null), take(other)]);
      const now = await world.store.requests.request(request.id);
      expect([released.status, now?.holder ?? null]).toEqual([
        ...[200, taken.status === 200 ? world.people[other].account.id : null],
      ]);
      const decided = await Promise.all([
        world.act("admin", request.id, "accept"),
        world.act("system", request.id, "decline"),
      ]);
      expect(decided.filter(({ status }) => status === 200).length).toBe(1);
    });

    test("P.218 several tasks of one community are decided at once, each by the rights of its moment", async () => {
      const [one, two, three] = [
        await world.submitted(closed.id),
        await world.submitted(closed.id),
        await world.submitted((await world.community()).id),
      ].map(({ request }) => request.id);
      const listed = await world.ok<{ tasks: { id: string; holder: null }[]; total: number; next: string | null }>(
        world.ask("curator", "GET", "/api/user/tasks?size=100"),
        200,
      );
      expect(listed.tasks.slice(-3).map(({ id }) => id)).toEqual([one, two, three].map((id) => `request:${id}`));
      const decide = (who: Who, tasks: readonly string[], more: object = {}) =>
        world.send(who, "POST", "/api/user/tasks/decisions", { tasks, action: "decline", comment: "No", ...more });
      const ids = [one, two].map((id) => `request:${id}`);
      expect(refusal(await decide("curator", [...ids, `request:${three}`]))).toMatchObject({
        ...{ status: 400, message: "Choose tasks of one community, or of one step of one workflow" },
      });
      for (const wrong of [[], ["request"], ["x:1"], Array.from({ length: 101 }, (_, n) => `activity:A-${n}`)]) {
        expect((await decide("curator", wrong)).status).toBe(400);
      }
      expect((await decide("curator", ids, { action: "expire" })).status).toBe(400);
      const results = async (who: Who, tasks: readonly string[]) => {
        const { outcomes } = await world.ok<{ outcomes: { result: string; message: string }[] }>(
          decide(who, tasks),
          200,
        );
        return outcomes.map(({ result, message }) => (result === "done" ? result : message));
      };
      const unknown = "The persistent identifier does not exist.";
      expect(await results("other", ids)).toEqual([unknown, unknown]);
      expect(await results("registered", ids)).toEqual(["Permission denied.", "Permission denied."]);
      await world.ok(world.act("curator", one ?? "", "accept"), 200);
      const again = "Error for action 'decline': Could not execute the action";
      expect(await results("curator", [...ids, ...ids, "activity:A-none"])).toEqual([
        ...[again, "done", 'Activity "A-none" does not exist'],
      ]);
      const status = async (id = "") => (await world.ok<RequestJson>(world.request("admin", id), 200)).status;
      expect([await status(one), await status(two), await status(three)]).toEqual([
        "accepted",
        "declined",
        "submitted",
      ]);
      for (const wrong of ["0", "101", "x"]) {
        expect((await world.ask("curator", "GET", `/api/user/tasks?size=${wrong}`)).status).toBe(400);
      }
    });

    test("S3.6.140: an unknown action, and a request that is not there", async () => {
      const { request } = await world.submitted(closed.id);
      expect(refusal(await world.act("curator", request.id, "approve"))).toEqual({
        status: 400,
        message: "Error for action 'approve': No such action available",
        errors: undefined,
      });
      for (const id of ["0c3b8b0e-6a51-4c2e-9b58-5a8a6d5a0001", "7", "x"]) {
        expect(refusal(await world.act("admin", id, "accept"))).toEqual(UNKNOWN);
        expect(refusal(await world.request("admin", id))).toEqual(UNKNOWN);
      }
    });

    test("S3.6.136: what may be done is linked; a request that was not submitted is its creator's alone", async () => {
      const { request } = await world.submitted(closed.id);
      const actions = async (who: Who) =>
        Object.keys((await world.ok<RequestJson>(world.request(who, request.id), 200)).links.actions).sort();
      expect(await actions("registered")).toEqual(["cancel"]);
      expect(await actions("curator")).toEqual(["accept", "cancel", "decline", "expire"]);
      const record = await world.draft();
      const created = await world.ok<RequestJson>(world.review("registered", record, closed.id), 200);
      for (const who of ["curator", "manager", "general", "other"] as const) {
        expect([who, refusal(await world.request(who, created.id))]).toEqual([who, UNKNOWN]);
      }
      expect(ids(await list("registered", `topic=record:${record}`))).toEqual([]);
      const submitted = await world.ok<RequestJson>(world.act("registered", created.id, "submit"), 200);
      expect(submitted).toMatchObject({ id: created.id, status: "submitted" });
    });

    test("S3.6.134: of fifty who accept, decline and cancel at once one ends it", async () => {
      const { record, request } = await world.submitted(closed.id);
      const asked = Array.from({ length: 50 }, (_, n) => {
        const action = (["accept", "decline", "cancel"] as const)[n % 3] ?? "accept";
        return world.act(action === "cancel" ? "registered" : "curator", request.id, action);
      });
      const answers = await Promise.all(asked);
      const done = answers.filter(({ status }) => status === 200);
      expect(done).toHaveLength(1);
      for (const answer of answers.filter(({ status }) => status !== 200)) {
        expect([answer.status, String(answer.json.message)]).toEqual([
          400,
          expect.stringMatching(/^Error for action '(accept|decline|cancel)': Could not execute the action$/),
        ]);
      }
      const { status } = await world.ok<RequestJson>(world.request("admin", request.id), 200);
      expect(timelineOf(await world.timeline("admin", request.id))).toEqual([`[${status}]`]);
      expect((await world.item(record)).state).toBe(status === "accepted" ? "published" : "draft");
    });

    test("S3.6.135: everybody sees their own requests, those about their records, and those they decide about", async () => {
      const community = await world.community();
      const mine = await world.submitted(community.id, "registered");
      const others = await world.submitted(community.id, "other");
      const receiver = `receiver=community:${community.id}`;
      const both = [others.request.id, mine.request.id];
      for (const who of ["curator", "manager", "admin", "system"] as const) {
        expect([who, ids(await list(who, receiver))]).toEqual([who, both]);
      }
      expect(ids(await list("registered", receiver))).toEqual([mine.request.id]);
      expect(ids(await list("general", receiver))).toEqual([]);
      expect((await world.ask(null, "GET", "/api/requests")).status).toBe(401);
      expect(ids(await list("other", receiver, "/api/user/requests"))).toEqual([others.request.id]);
      expect(ids(await list("curator", "", `/api/communities/${community.slug}/requests`))).toEqual(both);
      expect((await world.ask("general", "GET", `/api/communities/${community.id}/requests`)).status).toBe(403);
      const shared = await world.submitted(community.id, "registered");
      const { parentId } = await world.item(shared.record);
      await world.store.transact((tx) => tx.items.share(parentId, [world.people.approver.account.id]));
      expect(ids(await list("approver"))).toEqual([shared.request.id]);
      expect((await world.request("approver", shared.request.id)).status).toBe(200);
      expect(ids(await list("registered", "", `/api/records/${shared.record}/requests`))).toEqual([shared.request.id]);
      const token = await world.token("registered", ["item:read", "item:update"], null);
      expect((await world.ask(token, "GET", "/api/requests")).status).toBe(403);
    });

    test("S3.6.135: requests are found by status, type, words and names, in order, page by page", async () => {
      const community = await world.community();
      const within = `receiver=community:${community.id}`;
      const first = (await world.submitted(community.id)).request;
      const second = (await world.submitted(community.id)).request;
      await world.ok(world.act("curator", second.id, "decline"), 200);
      const q = async (text: string) => ids(await list("curator", `${within}&q=${encodeURIComponent(text)}`));
      expect(ids(await list("curator", `${within}&status=submitted`))).toEqual([first.id]);
      expect(ids(await list("curator", `${within}&status=declined,accepted`))).toEqual([second.id]);
      expect(ids(await list("curator", `${within}&is_open=false`))).toEqual([second.id]);
      expect(ids(await list("curator", `${within}&is_open=true&status=declined`))).toEqual([]);
      expect(ids(await list("curator", `${within}&type=community-inclusion`))).toEqual([]);
      expect(await q("type:community-submission")).toEqual([second.id, first.id]);
      expect(await q("type:community-submission AND status:submitted")).toEqual([first.id]);
      expect(await q("tides -status:declined")).toEqual([first.id]);
      expect(await q("is_open:true")).toEqual([first.id]);
      expect(await q(`id:${second.id}`)).toEqual([second.id]);
      expect(await q("title:(tides OR none)")).toEqual([second.id, first.id]);
      expect(await q("created:[2020 TO 2021]")).toEqual([]);
      expect(await q("nothing:here")).toEqual([]);
      expect(await q("tides AND (")).toEqual([second.id, first.id]);
      expect(ids(await list("curator", `${within}&sort=oldest`))).toEqual([first.id, second.id]);
      expect(ids(await list("curator", `${within}&sort=oldest&size=1&page=2`))).toEqual([second.id]);
    });

    test("S3.6.135: a status there is none of is refused, naming the five", async () => {
      for (const status of ["created", "pending", "submitted,done"]) {
        const answer = await world.ask("curator", "GET", `/api/requests?status=${status}`);
        const messages = ["Must be one of: submitted, expired, accepted, declined, cancelled."];
        const message = "Invalid querystring parameters.";
        expect(refusal(answer)).toEqual({ status: 400, message, errors: [{ field: "status", messages }] });
      }
    });

    test("S3.6.136 S3.6.137: readers of a request comment on it, open or closed; authors change and delete it", async () => {
      const { request } = await world.submitted(closed.id);
      const reply = await world.ok<EventJson>(comment("curator", request.id, "Who is <b>Ann</b>?"), 201);
      const created_by = { user: String(world.people.curator.account.id) };
      const payload = { content: "Who is <b>Ann</b>?", format: "html" };
      expect(reply).toMatchObject({ type: "C", created_by, payload, revision_id: 1 });
      expect(reply).toMatchObject({ permissions: { can_update_comment: true, can_delete_comment: true } });
      const path = `/api/requests/${request.id}/comments/${reply.id}`;
      expect(reply).toMatchObject({ links: { self: `https://repo.example.org${path}` } });
      expect(await world.ok<EventJson>(world.ask("curator", "GET", path), 200)).toEqual(reply);
      expect(refusal(await comment("other", request.id, "No"))).toEqual(UNKNOWN);
      const change = (who: Who, content: string) => world.send(who, "PUT", path, { payload: { content } });
      expect(refusal(await change("registered", "Mine"))).toEqual(DENIED);
      expect(refusal(await change("other", "Mine"))).toEqual(UNKNOWN);
      expect((await world.ok<EventJson>(change("curator", "Who?"), 200)).revision_id).toBe(2);
      const stale = await world.ask("curator", "PUT", path, {
        headers: { "content-type": "application/json", "if-match": '"1"' },
        body: JSON.stringify({ payload: { content: "x" } }),
      });
      expect(refusal(stale)).toMatchObject({ status: 412 });
      for (const match of ['"1"', '"7", "8"', "abc"]) {
        const refused = await world.ask("curator", "DELETE", path, { headers: { "if-match": match } });
        expect([match, refused.status]).toEqual([match, 412]);
      }
      expect(await world.ok<EventJson>(world.ask("curator", "GET", path), 200)).toMatchObject({
        payload: { content: "Who?" },
      });
      await world.ok(world.act("curator", request.id, "decline"), 200);
      await world.ok(comment("registered", request.id, "A pity"), 201);
      expect(refusal(await world.ask("registered", "DELETE", path))).toEqual(DENIED);
      await world.ok(world.ask("curator", "DELETE", path), 204);
      const timeline = await world.timeline("registered", request.id);
      expect(timelineOf(timeline)).toEqual(["[comment_deleted]", "[declined]", "A pity"]);
      expect(timeline.hits.hits[0]?.payload).toEqual({
        event: "comment_deleted",
        content: "comment was deleted",
        format: "html",
      } as EventJson["payload"]);
      const event = timeline.hits.hits[1]?.id;
      const log = await world.send("curator", "PUT", `/api/requests/${request.id}/comments/${event}`, {
        payload: { content: "x" },
      });
      expect(refusal(log)).toMatchObject({ status: 403, message: "You cannot update this event." });
      const newest = await world.ok<List<EventJson>>(
        world.ask("registered", "GET", `/api/requests/${request.id}/timeline?sort=newest&size=1`),
        200,
      );
      expect([timelineOf(newest), newest.hits.total]).toEqual([["A pity"], 3]);
      const read = await world.ok<RequestJson>(world.request("registered", request.id), 200);
      expect(read.last_reply?.payload.content).toBe("A pity");
    });

    test.each([
      [undefined, "payload", "Missing data for required field."],
      [{}, "payload", "Missing data for required field."],
      [{ payload: {} }, "payload.content", "Missing data for required field."],
      [{ payload: { content: "" } }, "payload.content", "Shorter than minimum length 1."],
      [{ payload: { content: "<p> </p><br>" } }, "payload.content", "Shorter than minimum length 1."],
      [{ payload: { content: "<script>alert(1)</script>" } }, "payload.content", "Shorter than minimum length 1."],
      [{ payload: { content: "x".repeat(10_001) } }, "payload.content", "Longer than maximum length 10000."],
      [{ payload: { content: 7 } }, "payload.content", "Not a valid string."],
      [{ payload: { content: "x", format: "markdown" } }, "payload.format", "Must be one of: html."],
    ])("S3.6.137: the comment %p is refused", async (body, field, message) => {
      const { request } = await world.submitted(closed.id);
      const answer = await world.send("registered", "POST", `/api/requests/${request.id}/comments`, body);
      expect(refusal(answer)).toEqual({
        status: 400,
        message: "A validation error occurred.",
        errors: [{ field, messages: [message] }],
      });
    });

    test("R37 each list names every parameter that is wrong", async () => {
      const { record, request } = await world.submitted(closed.id);
      const faultsAt = async (who: "registered" | "manager", path: string) => {
        const answer = refusal(await world.ask(who, "GET", `/api/${path}?size=0&sort=nothing`));
        return [answer.status, (answer.errors as { field: string }[]).map(({ field }) => field)];
      };
      const wrong = [400, ["size", "sort"]];
      for (const path of [
        ...["user/requests", `requests/${request.id}/timeline`, `records/${record}/requests`],
        ...[`records/${record}/communities`, `records/${record}/communities-suggestions`],
      ]) {
        expect([path, await faultsAt("registered", path)]).toEqual([path, wrong]);
      }
      for (const path of [`communities/${closed.id}/requests`, `communities/${closed.id}/invitations`]) {
        expect([path, await faultsAt("manager", path)]).toEqual([path, wrong]);
      }
    });

    test("S3.6.137 S3.6.140: an empty comment with an action refuses the action; none is none", async () => {
      const { request } = await world.submitted(closed.id);
      const answer = await world.send("curator", "POST", `/api/requests/${request.id}/actions/accept`, {
        payload: { content: "" },
      });
      expect(refusal(answer)).toMatchObject({ status: 400, errors: [{ field: "payload.content" }] });
      expect((await world.ok<RequestJson>(world.request("curator", request.id), 200)).status).toBe("submitted");
      await world.ok(world.send("curator", "POST", `/api/requests/${request.id}/actions/accept`, {}), 200);
    });

    test("S3.6.137: the longest comment is kept, of characters that are two units each", async () => {
      const { request } = await world.submitted(closed.id);
      const long = "𝄞".repeat(10_000);
      expect((await world.ok<EventJson>(comment("registered", request.id, long), 201)).payload.content).toBe(long);
    });

    describe("communities of a record", () => {
      const communities = (who: Who, method: string, record: number, body?: unknown) =>
        world.send(who, method, `/api/records/${record}/communities`, body);
      const parentOf = async (record: number) =>
        ((await world.ask("admin", "GET", `/api/records/${record}`)).json.parent as { communities: object })
          .communities;

      test("S3.6.139: a published record waits for a closed community, and is in an open one at once", async () => {
        const open = await world.community({ review_policy: "open" });
        const record = await world.published();
        const answer = await world.ok<{ processed: { community_id: string; request: RequestJson }[] }>(
          communities("registered", "POST", record, {
            communities: [{ id: open.id }, { id: closed.slug, comment: { payload: { content: "Please" } } }],
          }),
          200,
        );
        expect(answer).not.toHaveProperty("errors");
        expect(answer.processed.map(({ community_id, request }) => [community_id, request.status])).toEqual([
          [open.id, "accepted"],
          [closed.id, "submitted"],
        ]);
        expect(await parentOf(record)).toEqual({ ids: [open.id], default: open.id });
        const waiting = answer.processed[1]?.request.id ?? "";
        expect(timelineOf(await world.timeline("curator", waiting))).toEqual(["Please"]);
        await world.ok(world.act("curator", waiting, "accept", "Yes"), 200);
        expect(await parentOf(record)).toEqual({ ids: [open.id, closed.id].sort(), default: open.id });
        expect((await world.item(record)).revision).toBe(1);
        const listed = await world.ok<List<{ id: string }>>(communities(null, "GET", record), 200);
        expect(listed.hits.hits.map(({ id }) => id).sort()).toEqual([open.id, closed.id].sort());
      });

      test("S3.6.139: what is there already, waits already, or is not there is reported for each; nobody else asks", async () => {
        const record = await world.published();
        const ask = (id: string) => communities("registered", "POST", record, { communities: [{ id }] });
        await world.ok(ask(closed.id), 200);
        const message = "There is already an open inclusion request for this community.";
        const again = { errors: [{ community_id: closed.id, message }] };
        expect([(await ask(closed.id)).status, (await ask(closed.id)).json]).toEqual([400, again]);
        const [waiting = ""] = ids(await list("registered", `topic=record:${record}`));
        await world.ok(world.act("curator", waiting, "accept"), 200);
        expect((await ask(closed.id)).json).toEqual({
          errors: [{ community_id: closed.id, message: "The record is already included in this community." }],
        });
        expect((await ask("none")).json).toEqual({
          errors: [{ community_id: "none", message: "Community not found." }],
        });
        const restricted = await world.community({ visibility: "restricted" });
        expect((await ask(restricted.id)).json).toEqual({
          errors: [{ community_id: restricted.id, message: "Community not found." }],
        });
        const named = { communities: [{ id: restricted.id }] };
        const refused = await world.send("admin", "POST", `/api/records/${record}/communities`, named);
        const reason = "A public record cannot be included in a restricted community.";
        expect(refused.json).toEqual({ errors: [{ community_id: restricted.id, message: reason }] });
        expect(refusal(await communities("other", "POST", record, { communities: [{ id: closed.id }] }))).toEqual(
          DENIED,
        );
        const draft = await world.draft();
        expect((await communities("registered", "POST", draft, { communities: [{ id: closed.id }] })).status).toBe(404);
      });

      test.each([
        [{}, "Missing data for required field."],
        [{ communities: [] }, "Shorter than minimum length 1."],
        [
          { communities: Array.from({ length: 11 }, (_, n) => ({ id: `c${n}` })) },
          "Too many communities passed, 10 max allowed.",
        ],
        [{ communities: [{ id: "c1" }, { id: "c1" }] }, "Duplicated communities c1."],
      ])("S3.6.139: %p is refused", async (body, message) => {
        const record = await world.published();
        const expected = { status: 400, errors: [{ field: "communities", messages: [message] }] };
        expect(refusal(await communities("registered", "POST", record, body))).toMatchObject(expected);
      });

      test("S3.6.139 R6a: into a community with an index and out of it: the record is filed, and is no more", async () => {
        await world.store.transact(async (tx) => {
          const c1 = await tx.communities.community("c1");
          if (c1 !== null) await tx.communities.saveCommunity({ ...c1, reviewPolicy: "closed" });
        });
        const record = await world.published();
        // Somebody's edit continues, and loses nothing.
        await world.ok(world.send("registered", "POST", `/api/records/${record}/draft`), 201);
        const { processed } = await world.ok<{ processed: { request_id: string }[] }>(
          communities("registered", "POST", record, { communities: [{ id: "c1" }] }),
          200,
        );
        await world.ok(world.act("curator", processed[0]?.request_id ?? "", "accept"), 200);
        expect((await world.item(record)).content?.indexes).toEqual([INDEXES.community]);
        await world.ok(world.send("registered", "POST", `/api/records/${record}/draft/actions/publish`), 202);
        const { id } = (await world.ask(null, "GET", "/api/communities/c1")).json as unknown as { id: string };
        expect(await parentOf(record)).toEqual({ ids: [id], default: id });
        expect(refusal(await communities("general", "DELETE", record, { communities: [{ id: "c1" }] }))).toMatchObject({
          status: 400,
        });
        await world.ok(communities("curator", "DELETE", record, { communities: [{ id: "c1" }] }), 200);
        expect((await world.item(record)).content?.indexes).toEqual([]);
        expect(await parentOf(record)).toEqual({});
        expect((await communities("registered", "DELETE", record, { communities: [{ id }] })).json).toEqual({
          errors: [{ community: id, message: `The record ${record} in not included in the community ${id}.` }],
        });
      });

      test("S3.6.139: one community is the default, or none", async () => {
        const [one, two] = [
          await world.community({ review_policy: "open" }),
          await world.community({ review_policy: "open" }),
        ];
        const record = await world.published();
        await world.ok(
          communities("registered", "POST", record, { communities: [{ id: one.id }, { id: two.id }] }),
          200,
        );
        expect(await parentOf(record)).toMatchObject({ default: one.id });
        const put = (id: string | null) => communities("registered", "PUT", record, { default: id });
        expect((await world.ok<{ communities: object }>(put(two.slug), 200)).communities).toMatchObject({
          default: two.id,
        });
        expect(await parentOf(record)).toMatchObject({ default: two.id });
        expect(refusal(await put(closed.id))).toMatchObject({
          status: 400,
          message: "Cannot set community as the default. The record has not been added to the community.",
        });
        for (const none of [null, ""]) {
          expect((await world.ok<{ communities: object }>(put(none), 200)).communities).not.toHaveProperty("default");
        }
        expect(await parentOf(record)).not.toHaveProperty("default");
        await world.ok(put(one.id), 200);
        await world.ok(communities("registered", "DELETE", record, { communities: [{ id: one.id }] }), 200);
        expect(await parentOf(record)).toEqual({ ids: [two.id] });
        const suggested = await world.ok<List<{ id: string }>>(
          world.ask("registered", "GET", `/api/records/${record}/communities-suggestions?size=100`),
          200,
        );
        const hits = suggested.hits.hits.map(({ id }) => id);
        expect([hits.includes(one.id), hits.includes(two.id)]).toEqual([true, false]);
        await world.ok(communities("registered", "POST", record, { communities: [{ id: one.id }] }), 200);
        const both = { communities: [{ id: closed.id }, { id: two.id }, { id: one.slug }] };
        expect((await communities("registered", "DELETE", record, both)).json).toMatchObject({
          errors: [{ community: closed.id }],
        });
        expect(await parentOf(record)).toEqual({});
        const [audited] = await world.store.events(`item:${record}`, 1);
        expect([audited?.action, audited?.detail]).toEqual(["item.communities", { removed: [two.id, one.id] }]);
      });
    });

    test("S3.6.123: a community with open requests is not deleted", async () => {
      const community = await world.community();
      const { request } = await world.submitted(community.id);
      const remove = () => world.ask("manager", "DELETE", `/api/communities/${community.id}`);
      expect(refusal(await remove())).toMatchObject({
        status: 400,
        message: "There is 1 request open for this community. Please, resolve it before deleting this community.",
      });
      await world.ok(world.act("curator", request.id, "decline"), 200);
      expect((await remove()).status).toBe(204);
    });
  });
});
