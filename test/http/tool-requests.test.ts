// The tools of requests (R30; specification 3, "Tool servers", "States and transitions"; reference 1.2, 1.4): read,
// discussed and decided, by those who may and in the state in which it may be.
import { beforeAll, describe, expect, test } from "bun:test";
import { BASE_URL, type Who } from "../support/world/repository.ts";
import { DENIED, UNKNOWN } from "../support/world/tools.ts";
import { setUpWorld } from "../support/world.ts";

const STATUSES = ["submitted", "expired", "accepted", "declined", "cancelled"];

describe("R30 the tools of requests", () => {
  const world = setUpWorld({ repository: true, tools: true });
  beforeAll(async () => {
    await world.community("closed");
  });

  test("T.submit_to_community.7 T.comment_on_request.1 T.request_action.1: a comment has 10,000 characters at most", async () => {
    const long = "c".repeat(10_001);
    const { id } = await world.waiting("c".repeat(10_000));
    for (const [name, args] of [
      ["submit_to_community", { recid: "1", community: "closed" }],
      ["comment_on_request", { request_id: id }],
      ["request_action", { request_id: id, action: "accept" }],
    ] as const) {
      expect((await world.refused("manager", name, { ...args, comment: long })).errors).toEqual([
        { field: "comment", messages: ["Longer than 10000 characters."] },
      ]);
    }
    await world.resultOf("manager", "comment_on_request", { request_id: id, comment: "c".repeat(10_000) });
    expect((await world.act("manager", id, "decline", "c".repeat(10_000))).status).toBe("declined");
  });

  test("T.request_action.2: accept publishes the submission into the community; the comment follows in the timeline", async () => {
    const { id, recid } = await world.waiting();
    expect(await world.act("curator", id, "accept", "Welcome")).toMatchObject({
      ...{ id, status: "accepted", is_open: false, comments: 1, actions: [] },
      last_comment: { text: "Welcome", by: { user: world.accountOf("curator") } },
    });
    const expected = { status: "published", communities: ["closed"] };
    expect(await world.resultOf(null, "get_record", { recid })).toMatchObject(expected);
    const { timeline } = await world.resultOf("registered", "get_request", { request_id: id, timeline: true });
    expect(timeline.map(({ kind, event, text }: Record<string, unknown>) => [kind, event ?? text])).toEqual([
      ["event", "accepted"],
      ["comment", "Welcome"],
    ]);
  });

  test("T.request_action.2 S3.6.137: a comment of white space is none, for request_action and cancel_submission alike", async () => {
    const blank = " \t\n\u3000";
    const { id } = await world.waiting();
    expect(await world.act("curator", id, "decline", blank)).toMatchObject({ status: "declined", comments: 0 });
    const own = await world.waiting();
    const cancel = { request_id: own.id, comment: blank };
    const expected = { status: "cancelled", comments: 0 };
    expect(await world.resultOf("registered", "cancel_submission", cancel)).toMatchObject(expected);
    for (const [request, event] of [
      [id, "declined"],
      [own.id, "cancelled"],
    ]) {
      const { timeline } = await world.resultOf("registered", "get_request", { request_id: request, timeline: true });
      expect(timeline.map(({ kind, event: name }: Record<string, unknown>) => [kind, name])).toEqual([
        ["event", event],
      ]);
    }
  });

  test("T.request_action.3: cancel by who made it or a curator, expire by a curator; both leave the draft", async () => {
    for (const [who, action, status, left] of [
      ["registered", "cancel", "cancelled", "draft"],
      ["manager", "cancel", "cancelled", "draft"],
      ["curator", "expire", "expired", "expired"],
      ["system", "decline", "declined", "declined"],
      ["admin", "expire", "expired", "expired"],
    ] as const) {
      const { id, recid } = await world.waiting();
      expect([who, (await world.act(who, id, action)).status]).toEqual([who, status]);
      expect((await world.resultOf("registered", "get_record", { recid, draft: true })).status).toBe(left);
    }
  });

  test("T.request_action.4: what was decided is final, whatever is asked then", async () => {
    const { id } = await world.waiting();
    await world.act("manager", id, "decline");
    for (const action of ["accept", "decline", "cancel", "expire"]) {
      expect(await world.refused("manager", "request_action", { request_id: id, action })).toMatchObject({
        ...{ status: 400, code: "invalid" },
        message: `Error for action '${action}': Could not execute the action`,
        hint: "get_request (request_id) shows its status and the actions that are open",
      });
    }
  });

  test("T.request_action.5: an action there is none of is refused with those there are", async () => {
    const { id } = await world.waiting();
    expect(await world.refused("manager", "request_action", { request_id: id, action: "acept" })).toEqual({
      ...{ status: 400, code: "invalid", message: "Error for action 'acept': No such action available" },
      errors: [
        { field: "action", messages: ['"acept" is none of accept, decline, cancel, expire. Did you mean accept?'] },
      ],
      hint: "request_action takes request_id, action, comment",
    });
    expect((await world.refused("manager", "request_action", { request_id: id, action: "submit" })).status).toBe(400);
    expect((await world.refused("manager", "request_action", { request_id: id })).errors).toEqual([
      { field: "action", messages: ["Missing data for required field."] },
    ]);
  });

  test("T.request_action.6: who made it does not accept it, strangers do not know of it, readers of the community neither", async () => {
    const { id } = await world.waiting();
    for (const action of ["accept", "decline", "expire"]) {
      expect(await world.refused("registered", "request_action", { request_id: id, action })).toMatchObject(DENIED);
    }
    for (const who of ["other", "stranger", "general"] as const) {
      const hint = "list_requests (query, status) lists the requests you may see";
      const expected = { ...UNKNOWN, hint };
      expect(await world.refused(who, "request_action", { request_id: id, action: "accept" })).toMatchObject(expected);
      expect(await world.refused(who, "get_request", { request_id: id })).toMatchObject({ ...UNKNOWN, hint });
      expect(await world.refused(who, "comment_on_request", { request_id: id, comment: "I" })).toMatchObject(UNKNOWN);
    }
    expect((await world.resultOf("manager", "get_request", { request_id: id })).status).toBe("submitted");
  });

  test("T.comment_on_request.2: by all who may read it, open or closed, as HTML that is cleaned and text that is shown", async () => {
    const { id } = await world.waiting();
    for (const who of ["registered", "curator", "system"] as const) {
      const made = await world.resultOf(who, "comment_on_request", {
        request_id: `${BASE_URL}/api/requests/${id}`,
        comment: who,
      });
      expect(made).toMatchObject({ request_id: id, kind: "comment", text: who, by: { user: world.accountOf(who) } });
    }
    await world.act("curator", id, "decline");
    const comment = '<p onclick="x()">Fine<script>alert(1)</script> <b>indeed</b></p>';
    const { comment_id, text } = await world.resultOf("registered", "comment_on_request", { request_id: id, comment });
    expect(text.trim()).toBe("Fine indeed");
    const kept = await world.ask("registered", "GET", `/api/requests/${id}/comments/${comment_id}`);
    expect(kept.json).toMatchObject({ payload: { content: "<p>Fine <b>indeed</b></p>" } });
  });

  test("T.comment_on_request.3: an empty comment is refused, also one that is empty once it is cleaned", async () => {
    const { id } = await world.waiting();
    for (const [comment, message] of [
      ["", "Shorter than minimum length 1."],
      ["   ", "Shorter than minimum length 1."],
      ["<p></p><script>x</script>", "Shorter than minimum length 1."],
      [undefined, "Missing data for required field."],
    ]) {
      expect((await world.refused("registered", "comment_on_request", { request_id: id, comment })).errors).toEqual([
        { field: "comment", messages: [message] },
      ]);
    }
    expect((await world.resultOf("registered", "get_request", { request_id: id })).comments).toBe(0);
  });

  test("T.get_request.1: by UUID or address; the timeline is oldest first, plain, whole, 50 a page where nothing is asked for", async () => {
    const { id } = await world.waiting("<p>first</p>");
    await world.resultOf("manager", "comment_on_request", { request_id: id, comment: "w".repeat(5_000) });
    const bare = await world.resultOf("registered", "get_request", { request_id: `${BASE_URL}/api/requests/${id}` });
    expect([bare.id, "timeline" in bare]).toEqual([id, false]);
    expect([bare.actions, bare.last_comment]).toMatchObject([
      ["cancel"],
      { kind: "comment", text: "w".repeat(5_000), by: { user: world.accountOf("manager") } },
    ]);
    const { actions } = await world.resultOf("curator", "get_request", { request_id: `${BASE_URL}/requests/${id}` });
    expect([...actions].sort()).toEqual(["accept", "cancel", "decline", "expire"]);
    const { timeline, next_page: none } = await world.resultOf("registered", "get_request", {
      request_id: id,
      timeline: true,
    });
    expect([timeline[0].text.trim(), timeline[1].text.length, none]).toEqual(["first", 5_000, undefined]);
    for (let n = 2; n < 52; n += 1)
      await world.resultOf("manager", "comment_on_request", { request_id: id, comment: `c${n}` });
    const first = await world.resultOf("registered", "get_request", { request_id: id, timeline: true });
    expect([first.timeline.length, first.timeline_total, first.next_page]).toEqual([50, 52, 2]);
    const rest = await world.resultOf("registered", "get_request", { request_id: id, timeline: true, page: 2 });
    const expected = [["c50", "c51"], undefined];
    expect([rest.timeline.map((each: { text: string }) => each.text), rest.next_page]).toEqual(expected);
    expect(await world.refused("registered", "get_request", { request_id: "no-uuid" })).toMatchObject(UNKNOWN);
  });

  test("T.list_requests.1: what somebody made or may decide on, newest first; administrators see all, others none", async () => {
    const { id } = await world.waiting();
    const ids = async (who: Who, args: object = {}) =>
      (await world.resultOf(who, "list_requests", { size: 100, ...args })).requests.map(
        (each: { id: string }) => each.id,
      );
    for (const who of ["registered", "curator", "manager", "system"] as const) expect((await ids(who))[0]).toBe(id);
    for (const who of ["other", "stranger", "general"] as const) expect(await ids(who)).toEqual([]);
    const recid = await world.draft();
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ type: "community-submission", receiver: { community: "closed" } });
    const before = await ids("registered");
    expect((await world.ask("registered", "PUT", `/api/records/${recid}/draft/review`, { headers, body })).status).toBe(
      200,
    );
    expect(await ids("registered")).toEqual(before);
  });

  test("T.list_requests.2: one status of five, or any where it is empty; others are refused with the five", async () => {
    let total = 0;
    for (const status of STATUSES) {
      const found = await world.resultOf("manager", "list_requests", { status, size: 100 });
      expect(found.requests.every((each: { status: string }) => each.status === status)).toBe(true);
      expect(found.total).toBeGreaterThan(0);
      total += found.total;
    }
    expect((await world.resultOf("manager", "list_requests", { status: "" })).total).toBe(total);
    for (const status of ["created", "pending", "SUBMITTED"]) {
      const { errors } = await world.refused("manager", "list_requests", { status });
      expect(errors[0]).toMatchObject({ field: "status" });
      expect(errors[0].messages[0]).toStartWith(`"${status}" is none of ${STATUSES.join(", ")}.`);
    }
  });

  test("T.list_requests.3: words and filters in Lucene's manner; pages of 1 to 100 lead to the end", async () => {
    const total = (await world.resultOf("manager", "list_requests", { query: "type:community-submission" })).total;
    expect((await world.resultOf("manager", "list_requests", { query: "type:community-invitation" })).total).toBe(0);
    expect((await world.resultOf("manager", "list_requests", { query: "tides" })).total).toBe(total);
    const walked = new Set<string>();
    for (let page: number | undefined = 1; page !== undefined; ) {
      type Page = { requests: { id: string }[]; next_page?: number };
      const found: Page = await world.resultOf("manager", "list_requests", { size: 7, page });
      for (const { id } of found.requests) walked.add(id);
      page = found.next_page;
    }
    expect(walked.size).toBe(total);
    for (const size of [0, 101])
      expect((await world.refused("manager", "list_requests", { size })).errors[0].field).toBe("size");
    expect(await world.refused("manager", "list_requests", { size: 100, page: 101 })).toMatchObject({ status: 400 });
  });

  test("T.list_requests.4 T.get_request.2 T.comment_on_request.4 T.request_action.7: nobody's call is 401, a token with too little 403, both with the scope", async () => {
    await world.gated("list_requests", "mcp:read");
    await world.gated("get_request", "mcp:read");
    await world.gated("comment_on_request", "mcp:write");
    await world.gated("request_action", "mcp:curate");
  });
});
