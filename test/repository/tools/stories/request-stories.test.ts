// Stories about communities and requests (R30; S3.7.223 to S3.7.229): submitted, declined, improved, accepted, talked about, given up.
import { describe, expect, test } from "bun:test";
import { METADATA } from "../../../support/record-calls.ts";
import { calls, idIn, type Kept, memberAt, refused, stories } from "../../../support/tool-stories.ts";
import type { RepositoryWorld } from "../../../support/world/repository.ts";

const titled = (title: string) => ({ ...METADATA, title });

/** The status of a request as the interface returns it. */
async function statusOf({ ask }: RepositoryWorld, kept: Kept, name: string): Promise<unknown> {
  const { json } = await ask("system", "GET", `/api/requests/${memberAt(kept, `${name}.request.id`)}`);
  return (json as { status: string }).status;
}

describe("R30 stories about communities and requests", () => {
  const story = stories();

  test(
    "S3.7.223: a submission is declined with a reason, improved, sent again and accepted",
    story.run(
      "http",
      [
        calls(
          "manager",
          "create_community",
          { slug: "harbours", title: "Harbours" },
          { slug: "harbours", review_policy: "closed" },
          "community",
        ),
        calls("registered", "create_record", { metadata: titled("Piers") }, {}, "draft"),
        calls(
          "registered",
          "submit_to_community",
          { recid: "$draft.id", community: "harbours", comment: "Please have a look" },
          { request: { status: "submitted" }, record: { status: "in_review" } },
          "sent",
        ),
        refused(
          "registered",
          "publish_record",
          { recid: "$draft.id" },
          { status: 400, message: "…open review request" },
        ),
        calls("manager", "list_requests", { status: "submitted" }, { requests: [{ id: "$sent.request.id" }] }),
        calls("manager", "get_record", { recid: "$draft.id", draft: true }, { title: "Piers" }),
        calls(
          "manager",
          "request_action",
          { request_id: "$sent.request.id", action: "decline", comment: "The title is too short" },
          { status: "declined" },
        ),
        calls(
          "registered",
          "get_request",
          { request_id: "$sent.request.id", timeline: true },
          {
            status: "declined",
            timeline: expect.arrayContaining([expect.objectContaining({ text: "The title is too short" })]),
          },
        ),
        calls("registered", "update_record", {
          recid: "$draft.id",
          metadata: titled("Piers of the harbours, 1850 to 1900"),
          publish: false,
        }),
        calls(
          "registered",
          "submit_to_community",
          { recid: "$draft.id", community: "harbours" },
          { request: { status: "submitted" } },
          "again",
        ),
        refused("other", "request_action", { request_id: "$again.request.id", action: "accept" }, { status: 404 }),
        calls(
          "manager",
          "request_action",
          { request_id: "$again.request.id", action: "accept" },
          { status: "accepted" },
        ),
        refused(
          "manager",
          "request_action",
          { request_id: "$again.request.id", action: "decline" },
          { status: 400, message: "Error for action 'decline': Could not execute the action" },
        ),
        calls(
          null,
          "list_community_records",
          { community: "harbours" },
          { total: 1, records: [{ id: "$draft.id", communities: ["harbours"] }] },
        ),
      ],
      async (world, kept) => {
        expect([await statusOf(world, kept, "sent"), await statusOf(world, kept, "again")]).toEqual([
          "declined",
          "accepted",
        ]);
        expect((await world.ask(null, "GET", `/records/${idIn(kept, "draft")}`)).status).toBe(200);
      },
    ),
  );

  test(
    "S3.7.224: a community that is open takes a record at once, and lists it",
    story.run(
      "http",
      [
        refused(
          "registered",
          "create_community",
          { slug: "Dunes", title: "Dunes" },
          {
            status: 400,
            errors: [{ field: "slug", messages: expect.arrayContaining([expect.stringContaining("dunes")]) }],
          },
        ),
        calls(
          "registered",
          "create_community",
          { slug: "dunes", title: "Dunes", review_policy: "open", community_type: "project" },
          { type: "project" },
        ),
        refused("registered", "create_community", { slug: "dunes", title: "Dunes" }, { status: 400 }),
        calls(null, "search_communities", { query: "dunes" }, { communities: [{ slug: "dunes" }] }),
        calls("registered", "create_record", { metadata: titled("Grasses of dunes") }, {}, "draft"),
        calls(
          "registered",
          "submit_to_community",
          { recid: "$draft.id", community: "dunes" },
          { request: { status: "accepted" }, record: { status: "published" } },
          "sent",
        ),
        calls(null, "get_community", { community: "dunes" }, { records: 1 }),
        calls(null, "list_community_records", { community: "dunes", query: "grasses" }, { total: 1 }),
      ],
      async (world, kept) => {
        const { json } = await world.ask(null, "GET", "/api/communities/dunes/records");
        expect((json as { hits: { hits: { id: string }[] } }).hits.hits.map(({ id }) => Number(id))).toEqual([
          idIn(kept, "draft"),
        ]);
      },
    ),
  );

  test(
    "S3.7.225: a request is talked about, and its timeline is read in order",
    story.run(
      "http",
      [
        calls("manager", "create_community", { slug: "lighthouses", title: "Lighthouses" }),
        calls("registered", "create_record", { metadata: titled("Lamps") }, {}, "draft"),
        calls(
          "registered",
          "submit_to_community",
          { recid: "$draft.id", community: "lighthouses", comment: "My lamps" },
          {},
          "sent",
        ),
        calls(
          "manager",
          "comment_on_request",
          { request_id: "$sent.request.id", comment: "Which <b>years</b>?" },
          { kind: "comment", text: "Which years?" },
        ),
        calls("registered", "comment_on_request", { request_id: "$sent.request.id", comment: "1901 to 1910" }),
        refused(
          "other",
          "comment_on_request",
          { request_id: "$sent.request.id", comment: "And mine?" },
          { status: 404 },
        ),
        refused("registered", "comment_on_request", { request_id: "$sent.request.id", comment: " " }, { status: 400 }),
        calls(
          "registered",
          "get_request",
          { request_id: "$sent.request.id", timeline: true },
          { timeline: [{ text: "My lamps" }, { text: "Which years?" }, { text: "1901 to 1910" }], timeline_total: 3 },
        ),
      ],
      async (world, kept) => {
        const { json } = await world.ask(
          "manager",
          "GET",
          `/api/requests/${memberAt(kept, "sent.request.id")}/timeline`,
        );
        expect((json as { hits: { total: number } }).hits.total).toBe(3);
      },
    ),
  );

  test(
    "S3.7.226: a request expires and another is cancelled: the draft stays its owner's, who submits it again",
    story.run(
      "http",
      [
        calls("manager", "create_community", { slug: "estuaries", title: "Estuaries" }),
        calls("registered", "create_record", { metadata: titled("Mud") }, {}, "draft"),
        calls("registered", "submit_to_community", { recid: "$draft.id", community: "estuaries" }, {}, "first"),
        calls(
          "manager",
          "request_action",
          { request_id: "$first.request.id", action: "expire" },
          { status: "expired" },
        ),
        calls("registered", "submit_to_community", { recid: "$draft.id", community: "estuaries" }, {}, "second"),
        calls(
          "registered",
          "request_action",
          { request_id: "$second.request.id", action: "cancel", comment: "Too early" },
          { status: "cancelled" },
        ),
        calls("registered", "get_record", { recid: "$draft.id", draft: true }, { status: "draft" }),
        refused("manager", "get_record", { recid: "$draft.id", draft: true }, { status: 404 }),
        calls(
          "registered",
          "list_requests",
          { status: "expired" },
          { requests: expect.arrayContaining([expect.objectContaining({ status: "expired" })]) },
        ),
        refused(
          "registered",
          "list_requests",
          { status: "open" },
          { status: 400, message: "The arguments are not valid." },
        ),
        calls(
          "registered",
          "update_record",
          { recid: "$draft.id", metadata: { subjects: [{ subject: "mud" }] } },
          { now: "published" },
        ),
      ],
      async (world, kept) => {
        expect([await statusOf(world, kept, "first"), await statusOf(world, kept, "second")]).toEqual([
          "expired",
          "cancelled",
        ]);
        expect((await world.item(idIn(kept, "draft"))).state).toBe("published");
      },
    ),
  );

  test(
    "S3.7.227: what is closed to strangers is not there for them",
    story.run(
      "http",
      [
        calls(
          "manager",
          "create_community",
          { slug: "vault", title: "The vault", visibility: "restricted" },
          { visibility: "restricted" },
          "vault",
        ),
        calls("manager", "get_community", { community: "vault" }, { title: "The vault" }),
        calls("stranger", "search_communities", { query: "vault" }, { total: 0, communities: [] }),
        refused("stranger", "get_community", { community: "vault" }, { status: 404 }),
        refused(null, "get_community", { community: "$vault.id" }, { status: 404 }),
        refused(null, "list_community_records", { community: "vault" }, { status: 404 }),
        calls("stranger", "create_record", { metadata: titled("Let me in") }, {}, "draft"),
        refused(
          "stranger",
          "submit_to_community",
          { recid: "$draft.id", community: "vault" },
          { status: expect.any(Number) },
        ),
        calls("stranger", "get_record", { recid: "$draft.id", draft: true }, { status: "draft" }),
      ],
      async (world, kept) => {
        expect((await world.item(idIn(kept, "draft"))).state).toBe("draft");
      },
    ),
  );

  test(
    "S3.7.228: what is published already is submitted to nobody, and the refusal reports it",
    story.run(
      "http",
      [
        calls("manager", "create_community", { slug: "reefs", title: "Reefs" }),
        calls("registered", "create_record", { metadata: titled("Corals"), publish: true }, {}, "record"),
        refused(
          "registered",
          "submit_to_community",
          { recid: "$record.id", community: "reefs" },
          { status: 400, message: "…already published" },
        ),
        calls("registered", "new_version", { recid: "$record.id" }, {}, "next"),
        refused(
          "registered",
          "submit_to_community",
          { recid: "$next.id", community: "reefs" },
          { status: 400, message: "…new version" },
        ),
        calls("registered", "delete_draft", { recid: "$next.id" }),
      ],
      async (world) => {
        const { json } = await world.ask(null, "GET", "/api/communities/reefs/records");
        expect((json as { hits: { total: number } }).hits.total).toBe(0);
      },
    ),
  );
});
