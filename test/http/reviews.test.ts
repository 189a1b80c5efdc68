// The review of a draft by a community (specification 3, submit_to_community, "States and transitions"; R2c, R2f, R5,
// R6a, R37).
import { beforeAll, describe, expect, test } from "bun:test";
import { onEachDatabase } from "../support/databases.ts";
import { cratePackage, tablePackage } from "../support/deposit-requests.ts";
import { METADATA, RECORD } from "../support/record-calls.ts";
import { INDEXES, type Who } from "../support/world/repository.ts";
import {
  cannot,
  type RequestJson,
  type RequestsWorld,
  refusal,
  timelineOf,
  UNKNOWN,
} from "../support/world/requests.ts";
import { setUpWorld } from "../support/world.ts";

describe("reviews", () => {
  onEachDatabase((database) => {
    let closed: { readonly id: string; readonly slug: string };
    const world = setUpWorld({ repository: true, requests: true, database });
    beforeAll(async () => {
      closed = await world.community({ review_policy: "closed" });
    });

    const read = async (who: Who, record: number) => (await world.ask(who, "GET", `/api/records/${record}`)).json;
    const accountOf = (who: keyof RequestsWorld["people"]) => String(world.people[who].account.id);

    test("S3.6.126: a draft is given a review, by UUID or slug; another takes its place; it goes again", async () => {
      const record = await world.draft();
      const path = `/api/records/${record}/draft/review`;
      const expected = { status: 404, message: "Review for draft not found" };
      expect(refusal(await world.ask("registered", "GET", path))).toMatchObject(expected);
      const set = await world.ok<RequestJson>(world.review("registered", record, closed.slug), 200);
      expect(set).toMatchObject({ type: "community-submission", status: "created", is_open: false, is_closed: false });
      const parties = { created_by: { user: accountOf("registered") }, receiver: { community: closed.id } };
      expect(set).toMatchObject({ ...parties, topic: { record: String(record) }, expires_at: null });
      expect(Object.keys(set.links.actions)).toEqual(["submit"]);
      expect(await world.ok<RequestJson>(world.ask("registered", "GET", path), 200)).toEqual(set);
      expect(await world.status("registered", record)).toBe("draft_with_review");
      const other = await world.community();
      const again = await world.ok<RequestJson>(world.review("registered", record, other.id), 200);
      expect(again.receiver).toEqual({ community: other.id });
      expect(refusal(await world.request("registered", set.id))).toEqual(UNKNOWN);
      await world.ok(world.ask("registered", "DELETE", path), 204);
      expect((await world.ask("registered", "DELETE", path)).status).toBe(404);
      expect(await world.status("registered", record)).toBe("draft");
    });

    test("S3.6.126: a draft is made with its review at once; one that cannot be makes no draft", async () => {
      const review = { type: "community-submission", receiver: { community: closed.slug } };
      const made = await world.ok(
        world.send("registered", "POST", "/api/records", { ...RECORD, parent: { review } }),
        201,
      );
      expect(made).toMatchObject({
        status: "draft_with_review",
        parent: { review: { type: "community-submission", receiver: { community: closed.id } } },
      });
      const body = { ...RECORD, parent: { review: { ...review, receiver: { community: "none" } } } };
      const expected = { status: 400, errors: [{ field: "receiver.community", messages: ["Community not found."] }] };
      expect(refusal(await world.send("registered", "POST", "/api/records", body))).toMatchObject(expected);
    });

    test.each([
      [{ type: "invalid", receiver: { community: "c1" } }, "type", "Invalid review type."],
      [{ receiver: { community: "c1" } }, "type", "Missing data for required field."],
      [{ type: "community-submission" }, "receiver", "Missing data for required field."],
      [{ type: "community-submission", receiver: {} }, "receiver.community", "Missing data for required field."],
      [{ type: "community-submission", receiver: { community: "none" } }, "receiver.community", "Community not found."],
    ])("S3.6.126: the review %p is refused", async (body, field, message) => {
      const record = await world.draft();
      const answer = await world.send("registered", "PUT", `/api/records/${record}/draft/review`, body);
      expect(refusal(answer)).toMatchObject({ status: 400, errors: [{ field, messages: [message] }] });
    });

    test("S3.6.126: what was published is not reviewed, nor a new version of it; a draft of others is not there", async () => {
      const record = await world.published();
      const expected = { status: 400, message: "You cannot create a review for an already published record." };
      expect(refusal(await world.review("registered", record, closed.id))).toMatchObject(expected);
      const { id } = await world.ok<{ id: string }>(
        world.send("registered", "POST", `/api/records/${record}/versions`),
        201,
      );
      expect(refusal(await world.review("registered", Number(id), closed.id))).toMatchObject({
        status: 400,
        message: "You cannot create a review for a new version of a published record.",
      });
      const draft = await world.draft();
      for (const who of ["other", "general", "curator"] as const) {
        expect([who, refusal(await world.review(who, draft, closed.id))]).toEqual([who, UNKNOWN]);
        expect([who, refusal(await world.submit(who, draft))]).toEqual([who, UNKNOWN]);
      }
      expect((await world.review(null, draft, closed.id)).status).toBe(401);
      expect(refusal(await world.review("registered", 999_999, closed.id))).toEqual(UNKNOWN);
    });

    test("S3.6.127: a draft that cannot be published is not submitted, and every field is named", async () => {
      const record = await world.draft("registered", { metadata: { title: "On" } });
      await world.ok(world.review("registered", record, closed.id), 200);
      const { status, message, errors } = refusal(await world.submit("registered", record));
      expect([status, message]).toEqual([400, "A validation error occurred."]);
      const fields = (errors as { field: string }[]).map(({ field }) => field);
      expect(fields).toContain("metadata.publication_date");
      expect(await world.status("registered", record)).toBe("draft_with_review");
    });

    test("S3.6.127: only members submit where the community requires it, or is restricted", async () => {
      const members = await world.community({ record_submission_policy: "closed" });
      const restricted = await world.community({ visibility: "restricted" });
      const only = "Submission to this community is only allowed to community members.";
      for (const { id } of [members, restricted]) {
        const record = await world.draft("registered", { access: { record: "restricted", files: "restricted" } });
        await world.ok(world.review("registered", record, id), 200);
        expect(refusal(await world.submit("registered", record))).toMatchObject({ status: 403, message: only });
        const own = await world.draft("curator", { access: { record: "restricted", files: "restricted" } });
        await world.ok(world.review("curator", own, id), 200);
        expect((await world.submit("curator", own)).status).toBe(202);
      }
      const open = await world.draft("curator");
      await world.ok(world.review("curator", open, restricted.id), 200);
      const expected = { status: 400, message: "A public record cannot be included in a restricted community." };
      expect(refusal(await world.submit("curator", open))).toMatchObject(expected);
    });

    test("S3.6.127 S3.6.138: a submission waits: its title, who asked, the comment; the draft is in review", async () => {
      const { record, request } = await world.submitted(closed.id, "registered", "<p>What do you think?</p>");
      expect(request).toMatchObject({ status: "submitted", is_open: true, is_closed: false, title: "On tides" });
      expect(request.last_reply).toMatchObject({ payload: { content: "<p>What do you think?</p>" } });
      expect(await world.status("registered", record)).toBe("in_review");
      expect(timelineOf(await world.timeline("registered", request.id))).toEqual(["<p>What do you think?</p>"]);
      expect(refusal(await world.submit("registered", record))).toEqual(cannot("submit"));
      const path = `/api/records/${record}/draft/review`;
      for (const asked of [world.review("registered", record, closed.id), world.ask("registered", "DELETE", path)]) {
        expect(refusal(await asked)).toMatchObject({ status: 400, message: "An open review cannot be deleted." });
      }
    });

    test("S3.6.129 R2f: while it waits the draft is neither published nor discarded; its owner and curators edit it", async () => {
      const { record, request } = await world.submitted(closed.id);
      const draft = `/api/records/${record}/draft`;
      for (const who of ["registered", "curator", "admin"] as const) {
        const unpublished =
          "You cannot publish a draft with an open review request. Please cancel the review request first.";
        const publishing = refusal(await world.send(who, "POST", `${draft}/actions/publish`));
        expect([who, publishing]).toMatchObject([who, { status: 400, message: unpublished }]);
        const message = "You cannot delete a draft with an open review. Please cancel the review first.";
        expect([who, refusal(await world.ask(who, "DELETE", draft))]).toMatchObject([who, { status: 400, message }]);
      }
      const save = (who: Who, text: string) =>
        world.send(who, "PUT", draft, { metadata: { ...METADATA, title: text }, files: { enabled: false } });
      for (const who of ["curator", "manager", "registered"] as const) {
        expect([who, (await world.ask(who, "GET", draft)).status]).toEqual([who, 200]);
        expect([who, (await save(who, `By ${who}`)).status]).toEqual([who, 200]);
      }
      for (const who of ["general", "other", "stranger"] as const) {
        expect([who, (await world.ask(who, "GET", draft)).status]).toEqual([who, 404]);
        expect([who, (await save(who, "No")).status]).toEqual([who, 404]);
      }
      await world.ok(world.act("curator", request.id, "decline"), 200);
      expect((await world.ask("curator", "GET", draft)).status).toBe(404);
      expect((await save("curator", "No")).status).toBe(404);
      expect((await save("registered", "Mine")).status).toBe(200);
      expect((await world.ask("registered", "DELETE", draft)).status).toBe(204);
    });

    test("S3.6.130 R5: what is accepted is published in the community, with its ARK, in one commit", async () => {
      const { record, request } = await world.submitted(closed.id, "registered", "Please");
      const accepted = await world.ok<RequestJson>(world.act("curator", request.id, "accept", "<b>Good</b>"), 200);
      expect(accepted).toMatchObject({ status: "accepted", is_open: false, is_closed: true });
      expect(accepted.links.actions).toEqual({});
      const json = await read(null, record);
      expect(json).toMatchObject({
        status: "published",
        parent: { communities: { ids: [closed.id], default: closed.id } },
        pids: { ark: { identifier: expect.stringMatching(/^ark:/) } },
      });
      expect(json.parent).not.toHaveProperty("review");
      const expected = ["Please", "[accepted]", "<b>Good</b>"];
      expect(timelineOf(await world.timeline("registered", request.id))).toEqual(expected);
      expect((await world.store.items.revisions(record)).map(({ action }) => action)).toEqual(["publish"]);
      expect(refusal(await world.send("registered", "GET", `/api/records/${record}/draft/review`)).status).toBe(404);
    });

    test("S3.6.130 R6a: what is accepted is filed into the community's index, where it has one", async () => {
      await world.store.transact(async (tx) => {
        const c1 = await tx.communities.community("c1");
        if (c1 !== null) await tx.communities.saveCommunity({ ...c1, reviewPolicy: "closed" });
      });
      const { record, request } = await world.submitted("c1");
      await world.ok(world.act("curator", request.id, "accept"), 200);
      const { content, revision } = await world.item(record);
      expect([content?.indexes, revision]).toEqual([[INDEXES.community], 1]);
      expect((await world.store.items.withParent(record))?.parent).toMatchObject({ communities: [expect.any(String)] });
    });

    test("S3.6.130: a draft that was spoilt, or a community that was closed off meanwhile, refuses the acceptance whole", async () => {
      const community = await world.community();
      const { record, request } = await world.submitted(community.id);
      const draft = `/api/records/${record}/draft`;
      await world.ok(world.send("registered", "PUT", draft, { metadata: { title: "On tides" } }), 200);
      expect(refusal(await world.act("curator", request.id, "accept"))).toMatchObject({ status: 400 });
      await world.ok(world.send("registered", "PUT", draft, { metadata: METADATA, files: { enabled: false } }), 200);
      const path = `/api/communities/${community.id}`;
      const body = { slug: community.slug, metadata: { title: "Closed" }, access: { visibility: "restricted" } };
      await world.ok(world.send("manager", "PUT", path, body), 200);
      const expected = { status: 400, message: "A public record cannot be included in a restricted community." };
      expect(refusal(await world.act("curator", request.id, "accept"))).toMatchObject(expected);
      expect(timelineOf(await world.timeline("registered", request.id))).toEqual([]);
      expect([await world.status("registered", record), (await world.item(record)).state]).toEqual([
        "in_review",
        "draft",
      ]);
    });

    test("S3.6.131 S3.6.134 S3.6.138: what is declined stays with its draft and may be submitted again, as a new request", async () => {
      const { record, request } = await world.submitted(closed.id);
      await world.ok(world.act("manager", request.id, "decline", "Not yet"), 200);
      expect(await world.status("registered", record)).toBe("declined");
      expect(timelineOf(await world.timeline("registered", request.id))).toEqual(["[declined]", "Not yet"]);
      const again = await world.ok<RequestJson>(world.submit("registered", record), 202);
      expect(again).toMatchObject({ status: "submitted", receiver: { community: closed.id } });
      expect(again.id).not.toBe(request.id);
      expect((await world.ok<RequestJson>(world.request("registered", request.id), 200)).status).toBe("declined");
      await world.ok(world.act("curator", again.id, "accept"), 200);
    });

    test("S3.6.132 S3.6.138: what is cancelled is not a review any more; the draft is published by its owner", async () => {
      const { record, request } = await world.submitted(closed.id);
      await world.ok(world.act("registered", request.id, "cancel"), 200);
      expect(await world.status("registered", record)).toBe("draft");
      expect((await world.ask("registered", "GET", `/api/records/${record}/draft/review`)).status).toBe(404);
      await world.ok(world.send("registered", "POST", `/api/records/${record}/draft/actions/publish`), 202);
      expect((await read(null, record)).parent).toMatchObject({ communities: {} });
    });

    test("S3.6.133 S3.6.138: what has expired stays with its draft", async () => {
      const { record, request } = await world.submitted(closed.id);
      await world.ok(world.act("admin", request.id, "expire"), 200);
      expect(await world.status("registered", record)).toBe("expired");
      expect((await world.review("registered", record, closed.slug)).status).toBe(200);
      expect(await world.status("registered", record)).toBe("draft_with_review");
    });

    test("S3.6.128: with an open policy a permitted submitter publishes at once; the timeline shows why", async () => {
      const open = await world.community({ review_policy: "open" });
      const { record, request } = await world.submitted(open.id, "registered", "Hello");
      expect(request).toMatchObject({ status: "accepted", is_open: false });
      expect(await read(null, record)).toMatchObject({ parent: { communities: { ids: [open.id] } } });
      const timeline = await world.timeline("registered", request.id);
      expect(timelineOf(timeline)).toEqual([
        "Hello",
        "[accepted]",
        "Accepted at once: this community takes submissions of this kind without a review.",
      ]);
      expect(timeline.hits.hits.map(({ created_by }) => created_by.user)).toEqual([
        accountOf("registered"),
        "system",
        "system",
      ]);
    });

    test("S3.6.128: with the members' policy members publish at once, others wait; a review may be asked for", async () => {
      const community = await world.community({ review_policy: "members" });
      expect((await world.submitted(community.id, "registered")).request.status).toBe("submitted");
      expect((await world.submitted(community.id, "curator")).request.status).toBe("accepted");
      const record = await world.draft("curator");
      await world.ok(world.review("curator", record, community.id), 200);
      const path = `/api/records/${record}/draft/actions/submit-review`;
      expect(refusal(await world.send("curator", "POST", path, { require_review: "yes" }))).toMatchObject({
        errors: [{ field: "require_review", messages: ["Must be a boolean, true or false"] }],
      });
      const asked = await world.ok<RequestJson>(world.send("curator", "POST", path, { require_review: true }), 202);
      expect(asked.status).toBe("submitted");
    });

    test("S3.6.126 S3.6.134: of twenty submissions of one draft at once one waits, and no other is left", async () => {
      const record = await world.draft();
      await world.ok(world.review("registered", record, closed.id), 200);
      const answers = await Promise.all(Array.from({ length: 20 }, () => world.submit("registered", record)));
      expect(answers.map(({ status }) => status).filter((status) => status === 202)).toHaveLength(1);
      for (const answer of answers.filter(({ status }) => status !== 202)) {
        expect(refusal(answer)).toEqual(cannot("submit"));
      }
      const counted = await world.store.requests.countRequests({ item: record });
      expect(counted.total).toBe(1);
    });

    test("S3.6.141 R2f message 27: SWORD replaces, upgrades and deletes nothing that waits for a review; it names nobody", async () => {
      const { record, request } = await world.submitted(closed.id);
      const metadata = { ".edit_mode": "Upgrade" };
      for (const who of ["registered", "admin"] as const) {
        const asked = [
          world.replace(who, record, cratePackage()),
          world.replace(who, record, tablePackage(metadata)),
          world.remove(who, record),
        ];
        for (const { status, json } of await Promise.all(asked)) {
          expect([who, status, json["@type"]]).toEqual([who, 400, "BadRequest"]);
          expect(json.error).toBe(`Item ${record} is being edited.`);
        }
      }
      for (const who of ["other", "curator"] as const) {
        expect([who, (await world.remove(who, record)).status]).toEqual([who, 404]);
        expect([who, (await world.replace(who, record, cratePackage())).status]).toEqual([who, 404]);
      }
      expect((await world.store.items.claims(record, world.time.now)).reviewId).toBe(request.id);
      await world.ok(world.act("registered", request.id, "cancel"), 200);
      expect((await world.remove("registered", record)).status).toBe(404);
    });
  });
});
