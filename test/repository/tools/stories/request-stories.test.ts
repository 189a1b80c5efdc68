// Stories about communities and requests (R30; S3.7.223 to S3.7.229): submitted, declined, improved, accepted, talked
// about, given up.
import { describe, expect, test } from "bun:test";
import { METADATA } from "../../../support/record-calls.ts";
import {
  guest,
  idIn,
  type Kept,
  manager,
  memberAt,
  other,
  registered,
  stories,
  stranger,
} from "../../../support/tool-stories.ts";
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
        manager("create_community", { slug: "harbours", title: "Harbours" })
          .gives({ slug: "harbours", review_policy: "closed" })
          .as("community"),
        registered("create_record", { metadata: titled("Piers") }).as("draft"),
        registered("submit_to_community", { recid: "$draft.id", community: "harbours", comment: "Please have a look" })
          .gives({ request: { status: "submitted" }, record: { status: "in_review" } })
          .as("sent"),
        registered("publish_record", { recid: "$draft.id" }).refuses({ status: 400, message: "…open review request" }),
        manager("list_requests", { status: "submitted" }).gives({ requests: [{ id: "$sent.request.id" }] }),
        manager("get_record", { recid: "$draft.id", draft: true }).gives({ title: "Piers" }),
        manager("request_action", {
          request_id: "$sent.request.id",
          action: "decline",
          comment: "The title is too short",
        }).gives({ status: "declined" }),
        registered("get_request", { request_id: "$sent.request.id", timeline: true }).gives({
          status: "declined",
          timeline: expect.arrayContaining([expect.objectContaining({ text: "The title is too short" })]),
        }),
        registered("update_record", {
          recid: "$draft.id",
          metadata: titled("Piers of the harbours, 1850 to 1900"),
          publish: false,
        }),
        registered("submit_to_community", { recid: "$draft.id", community: "harbours" })
          .gives({ request: { status: "submitted" } })
          .as("again"),
        other("request_action", { request_id: "$again.request.id", action: "accept" }).refuses({ status: 404 }),
        manager("request_action", { request_id: "$again.request.id", action: "accept" }).gives({ status: "accepted" }),
        manager("request_action", { request_id: "$again.request.id", action: "decline" }).refuses({
          status: 400,
          message: "Error for action 'decline': Could not execute the action",
        }),
        guest("list_community_records", { community: "harbours" }).gives({
          total: 1,
          records: [{ id: "$draft.id", communities: ["harbours"] }],
        }),
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
        registered("create_community", { slug: "Dunes", title: "Dunes" }).refuses({
          status: 400,
          errors: [{ field: "slug", messages: expect.arrayContaining([expect.stringContaining("dunes")]) }],
        }),
        registered("create_community", {
          slug: "dunes",
          title: "Dunes",
          review_policy: "open",
          community_type: "project",
        }).gives({ type: "project" }),
        registered("create_community", { slug: "dunes", title: "Dunes" }).refuses({ status: 400 }),
        guest("search_communities", { query: "dunes" }).gives({ communities: [{ slug: "dunes" }] }),
        registered("create_record", { metadata: titled("Grasses of dunes") }).as("draft"),
        registered("submit_to_community", { recid: "$draft.id", community: "dunes" })
          .gives({ request: { status: "accepted" }, record: { status: "published" } })
          .as("sent"),
        guest("get_community", { community: "dunes" }).gives({ records: 1 }),
        guest("list_community_records", { community: "dunes", query: "grasses" }).gives({ total: 1 }),
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
        manager("create_community", { slug: "lighthouses", title: "Lighthouses" }),
        registered("create_record", { metadata: titled("Lamps") }).as("draft"),
        registered("submit_to_community", { recid: "$draft.id", community: "lighthouses", comment: "My lamps" }).as(
          "sent",
        ),
        manager("comment_on_request", { request_id: "$sent.request.id", comment: "Which <b>years</b>?" }).gives({
          kind: "comment",
          text: "Which years?",
        }),
        registered("comment_on_request", { request_id: "$sent.request.id", comment: "1901 to 1910" }),
        other("comment_on_request", { request_id: "$sent.request.id", comment: "And mine?" }).refuses({ status: 404 }),
        registered("comment_on_request", { request_id: "$sent.request.id", comment: " " }).refuses({ status: 400 }),
        registered("get_request", { request_id: "$sent.request.id", timeline: true }).gives({
          timeline: [{ text: "My lamps" }, { text: "Which years?" }, { text: "1901 to 1910" }],
          timeline_total: 3,
        }),
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
        manager("create_community", { slug: "estuaries", title: "Estuaries" }),
        registered("create_record", { metadata: titled("Mud") }).as("draft"),
        registered("submit_to_community", { recid: "$draft.id", community: "estuaries" }).as("first"),
        manager("request_action", { request_id: "$first.request.id", action: "expire" }).gives({ status: "expired" }),
        registered("submit_to_community", { recid: "$draft.id", community: "estuaries" }).as("second"),
        registered("request_action", {
          request_id: "$second.request.id",
          action: "cancel",
          comment: "Too early",
        }).gives({ status: "cancelled" }),
        registered("get_record", { recid: "$draft.id", draft: true }).gives({ status: "draft" }),
        manager("get_record", { recid: "$draft.id", draft: true }).refuses({ status: 404 }),
        registered("list_requests", { status: "expired" }).gives({
          requests: expect.arrayContaining([expect.objectContaining({ status: "expired" })]),
        }),
        registered("list_requests", { status: "open" }).refuses({
          status: 400,
          message: "The arguments are not valid.",
        }),
        registered("update_record", { recid: "$draft.id", metadata: { subjects: [{ subject: "mud" }] } }).gives({
          now: "published",
        }),
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
        manager("create_community", { slug: "vault", title: "The vault", visibility: "restricted" })
          .gives({ visibility: "restricted" })
          .as("vault"),
        manager("get_community", { community: "vault" }).gives({ title: "The vault" }),
        stranger("search_communities", { query: "vault" }).gives({ total: 0, communities: [] }),
        stranger("get_community", { community: "vault" }).refuses({ status: 404 }),
        guest("get_community", { community: "$vault.id" }).refuses({ status: 404 }),
        guest("list_community_records", { community: "vault" }).refuses({ status: 404 }),
        stranger("create_record", { metadata: titled("Let me in") }).as("draft"),
        stranger("submit_to_community", { recid: "$draft.id", community: "vault" }).refuses({
          status: expect.any(Number),
        }),
        stranger("get_record", { recid: "$draft.id", draft: true }).gives({ status: "draft" }),
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
        manager("create_community", { slug: "reefs", title: "Reefs" }),
        registered("create_record", { metadata: titled("Corals"), publish: true }).as("record"),
        registered("submit_to_community", { recid: "$record.id", community: "reefs" }).refuses({
          status: 400,
          message: "…already published",
        }),
        registered("new_version", { recid: "$record.id" }).as("next"),
        registered("submit_to_community", { recid: "$next.id", community: "reefs" }).refuses({
          status: 400,
          message: "…new version",
        }),
        registered("delete_draft", { recid: "$next.id" }),
      ],
      async (world) => {
        const { json } = await world.ask(null, "GET", "/api/communities/reefs/records");
        expect((json as { hits: { total: number } }).hits.total).toBe(0);
      },
    ),
  );
});
