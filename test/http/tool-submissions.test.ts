// The tool submit_to_community (R30; specification 3, "Tool servers", "States and transitions"; reference 1.2, 1.4):
// who may, what, where to, and what becomes of it.
import { beforeAll, describe, expect, test } from "bun:test";
import { METADATA } from "../support/record-calls.ts";
import { DENIED, UNKNOWN } from "../support/world/tools.ts";
import { setUpWorld } from "../support/world.ts";

const WITHOUT_DATE = { ...METADATA, publication_date: undefined };

describe("R30 submit_to_community", () => {
  const world = setUpWorld({ repository: true, tools: true });
  beforeAll(async () => {
    await world.community("closed");
    await world.community("open", { review_policy: "open" });
    await world.community("restricted", { visibility: "restricted" });
  });

  test("T.submit_to_community.1: a reviewed community gets a request with the comment, the draft is in review", async () => {
    const recid = await world.draft();
    const args = { recid, community: "closed", comment: "Please" };
    const { request, record } = await world.resultOf("registered", "submit_to_community", args);
    const expected = { type: "community-submission", title: "On tides", status: "submitted", is_open: true };
    expect(request).toMatchObject(expected);
    expect(request).toMatchObject({ created_by: { user: world.accountOf("registered") }, topic: { record: recid } });
    const last_comment = { kind: "comment", text: "Please" };
    expect(request).toMatchObject({ comments: 1, last_comment, actions: ["cancel"] });
    expect(record).toMatchObject({ id: recid, status: "in_review", is_published: false });
  });

  test("T.submit_to_community.2: an open one publishes at once for every permitted submitter", async () => {
    const recid = await world.draft();
    const { request, record } = await world.resultOf("registered", "submit_to_community", { recid, community: "open" });
    expect([request.status, record.status, record.communities]).toEqual(["accepted", "published", ["open"]]);
    expect((await world.resultOf(null, "get_record", { recid })).status).toBe("published");
  });

  test("T.submit_to_community.3: what is published, a new version, or in review is not submitted", async () => {
    const recid = await world.published();
    const submit = (id: string) =>
      world.refused("registered", "submit_to_community", { recid: id, community: "closed" });
    const invalid = (message: string) => ({ status: 400, code: "invalid", message });
    expect(await submit(recid)).toMatchObject(invalid("You cannot create a review for an already published record."));
    const next = (await world.resultOf("registered", "new_version", { recid })).id;
    expect(await submit(next)).toMatchObject(
      invalid("You cannot create a review for a new version of a published record."),
    );
    const { recid: reviewed } = await world.waiting();
    expect(await submit(reviewed)).toMatchObject(invalid("An open review cannot be deleted."));
    expect(await submit("99999")).toMatchObject(UNKNOWN);
  });

  test("T.submit_to_community.4: a draft that cannot be published is not submitted: every field is named, nothing is asked", async () => {
    const recid = await world.draft(WITHOUT_DATE);
    const error = await world.refused("registered", "submit_to_community", { recid, community: "closed" });
    expect(error).toMatchObject({
      status: 400,
      errors: [{ field: "metadata.publication_date", messages: ["Missing data for required field."] }],
      hint: expect.stringContaining("get_record"),
    });
    expect((await world.resultOf("registered", "get_record", { recid, draft: true })).status).toBe("draft");
  });

  test("T.submit_to_community.5: the community is there, accepts this viewer, and is not a narrower than the record", async () => {
    const recid = await world.draft();
    expect((await world.refused("registered", "submit_to_community", { recid, community: "none" })).errors).toEqual([
      { field: "community", messages: ["Community not found."] },
    ]);
    expect(await world.refused("registered", "submit_to_community", { recid, community: "restricted" })).toMatchObject({
      ...{ status: 403, message: "Submission to this community is only allowed to community members." },
      hint: "get_community (community) shows who may submit",
    });
    const own = await world.draft(METADATA, "curator");
    const refused = await world.refused("curator", "submit_to_community", { recid: own, community: "restricted" });
    const message = "A public record cannot be included in a restricted community.";
    expect(refused).toMatchObject({ status: 400, message });
  });

  test("T.submit_to_community.6: others' drafts are not there, their published records are not theirs to submit", async () => {
    const recid = await world.draft();
    for (const who of ["other", "stranger", "curator", "general"] as const) {
      expect(await world.refused(who, "submit_to_community", { recid, community: "closed" })).toMatchObject(UNKNOWN);
    }
    const open = await world.published();
    expect(await world.refused("other", "submit_to_community", { recid: open, community: "closed" })).toMatchObject(
      DENIED,
    );
  });

  test("T.submit_to_community.8: what was declined or has expired is submitted again, by a new request", async () => {
    for (const action of ["decline", "expire"]) {
      const { id, recid } = await world.waiting();
      await world.act("curator", id, action, "Not yet");
      const { status } = await world.resultOf("registered", "get_record", { recid, draft: true });
      expect(status).toBe(action === "decline" ? "declined" : "expired");
      const { request } = await world.resultOf("registered", "submit_to_community", { recid, community: "closed" });
      expect([request.status, request.id === id]).toEqual(["submitted", false]);
    }
  });

  test("T.submit_to_community.9: nobody's call is 401, a token with too little 403, both with the scope", async () => {
    await world.gated("submit_to_community", "mcp:write", { recid: "1", community: "closed" });
  });
});
