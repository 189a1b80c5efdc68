// The tools of communities (R30; specification 3, "Tool servers"; reference 1.2): found, read, listed and made, by
// everybody who may and nobody else.
import { describe, expect, test } from "bun:test";
import { METADATA } from "../support/record-calls.ts";
import { BASE_URL, type Who } from "../support/world/repository.ts";
import { COMMUNITY } from "../support/world/seeded.ts";
import { UNKNOWN } from "../support/world/tools.ts";
import { setUpWorld } from "../support/world.ts";

describe("R30 the tools of communities", () => {
  const world = setUpWorld({ repository: true, tools: true });

  async function publishedIn(slug: string, access = "public"): Promise<string> {
    const made = await world.resultOf("registered", "create_record", { metadata: METADATA });
    const body = JSON.stringify({
      metadata: METADATA,
      access: { record: access, files: access },
      files: { enabled: false },
    });
    const headers = { "content-type": "application/json" };
    await world.ask("registered", "PUT", `/api/records/${made.id}/draft`, { headers, body });
    await world.resultOf("registered", "submit_to_community", { recid: made.id, community: slug });
    const { requests } = await world.resultOf("manager", "list_requests", { status: "submitted" });
    for (const each of requests)
      await world.resultOf("manager", "request_action", { request_id: each.id, action: "accept" });
    return made.id;
  }

  test("T.create_community.1: defaults are topic, public, closed; its creator owns it, any account may", async () => {
    const made = await world.resultOf("general", "create_community", { slug: "of-general", title: "  Of   general " });
    expect(made.id).toMatch(/^[0-9a-f-]{36}$/);
    const defaults = { type: "topic", visibility: "public", review_policy: "closed" };
    expect(made).toMatchObject({ slug: "of-general", title: "Of general", ...defaults, records: 0, revision_id: 1 });
    expect(made.links).toMatchObject({ self: `${BASE_URL}/api/communities/${made.id}` });
    const [member] = await world.store.communities.members(made.id);
    expect(member).toMatchObject({ accountId: world.people.general.account.id, role: "owner" });
    const other = { community_type: "event", visibility: "restricted", review_policy: "members" };
    const members = await world.resultOf("registered", "create_community", {
      slug: "of-members",
      title: "M",
      ...other,
    });
    expect(members).toMatchObject({ type: "event", visibility: "restricted", review_policy: "members" });
  });

  test("T.create_community.2: a slug is lower-case letters, digits and hyphens, 1 to 100, nobody else's, no UUID", async () => {
    const LETTERS = "The identifier should contain only letters, numbers, or dashes.";
    const LENGTH = "Field cannot be blank or longer than 100 characters.";
    await world.community("taken");
    for (const [slug, ...messages] of [
      ["Tides And Waves", LETTERS, 'Lower case letters, digits and hyphens: "tides-and-waves" would do.'],
      ["TIDES", LETTERS, 'Lower case letters, digits and hyphens: "tides" would do.'],
      ["潮汐", LETTERS],
      ["a/b", LETTERS, 'Lower case letters, digits and hyphens: "a-b" would do.'],
      ["", LENGTH],
      ["a".repeat(101), LENGTH],
      [COMMUNITY, "The ID must not be an Universally Unique IDentifier (UUID)."],
      ["taken", "A community with this identifier already exists."],
    ]) {
      const error = await world.refused("manager", "create_community", { slug, title: "Tides" });
      const refusal = { status: 400, code: "invalid", message: "A validation error occurred." };
      const hint = expect.stringContaining("list_vocabulary");
      expect([slug, error]).toEqual([slug, { ...refusal, errors: [{ field: "slug", messages }], hint }]);
    }
    expect(
      (await world.resultOf("manager", "create_community", { slug: "a".repeat(100), title: "Long" })).slug.length,
    ).toBe(100);
  });

  test("T.create_community.3: a title has 1 to 250 characters", async () => {
    for (const [slug, title] of [
      ["title-none", ""],
      ["title-long", "t".repeat(251)],
    ]) {
      expect((await world.refused("manager", "create_community", { slug, title })).errors).toEqual([
        { field: "title", messages: ["Field cannot be blank or longer than 250 characters."] },
      ]);
    }
    const title = "t".repeat(250);
    expect((await world.resultOf("manager", "create_community", { slug: "title-most", title })).title).toBe(title);
    expect((await world.refused("manager", "create_community", { slug: "no-title" })).errors).toEqual([
      { field: "title", messages: ["Missing data for required field."] },
    ]);
  });

  test("T.create_community.4: type, visibility and policy are refused by the names of the arguments, with the words there are", async () => {
    const given = { slug: "words", title: "Words" };
    expect((await world.refused("manager", "create_community", { ...given, community_type: "club" })).errors).toEqual([
      {
        field: "community_type",
        messages: ["Invalid value club.", "Must be one of: organization, event, topic, project."],
      },
    ]);
    const { errors } = await world.refused("manager", "create_community", {
      ...given,
      ...{ visibility: "publc", review_policy: "none", members: "all" },
    });
    expect(errors).toEqual([
      {
        field: "members",
        messages: [
          "Unknown argument. There are slug, title, community_type, visibility, review_policy, description, website, organizations, curation_policy, page.",
        ],
      },
      { field: "visibility", messages: ['"publc" is none of public, restricted. Did you mean public?'] },
      { field: "review_policy", messages: ['"none" is none of closed, open, members.'] },
    ]);
  });

  test("T.get_community.1: by UUID, slug or address, in any case, with the records in it and its description as text", async () => {
    const made = await world.community("readable");
    const text = { description: "<p>Of <b>tides</b></p>", website: "https://tides.example/" };
    const metadata = { title: "Readable", type: { id: "topic" }, ...text };
    const body = JSON.stringify({ slug: "readable", metadata, access: { visibility: "public" } });
    const headers = { "content-type": "application/json" };
    expect((await world.ask("manager", "PUT", `/api/communities/${made.id}`, { headers, body })).status).toBe(200);
    await publishedIn("readable");
    const addresses = [
      made.links.self,
      `${BASE_URL}/communities/readable`,
      `${BASE_URL}/api/communities/readable/records?q=x`,
    ];
    for (const named of [made.id, made.id.toUpperCase(), "readable", " Readable ", ...addresses]) {
      const shown = { slug: "readable", title: "Readable", description: "Of tides", website: "https://tides.example/" };
      const found = await world.resultOf(null, "get_community", { community: named });
      expect(found).toMatchObject({ id: made.id, ...shown, records: 1 });
    }
    for (const named of ["https://other.example/communities/readable", `${BASE_URL}/records/readable`]) {
      expect([named, (await world.refused(null, "get_community", { community: named })).status]).toEqual([named, 404]);
    }
  });

  test("T.get_community.2: a restricted one is there for its members and administrators only: 404 for anybody else, never 403", async () => {
    const { id } = await world.community("hidden", { visibility: "restricted" });
    for (const who of ["manager", "general", "system", "admin"] as const) {
      expect((await world.resultOf(who, "get_community", { community: "hidden" })).id).toBe(id);
    }
    for (const who of ["registered", "stranger", "other", null] as const) {
      for (const named of ["hidden", id]) {
        const expected = { ...UNKNOWN, hint: "search_communities (query) finds communities" };
        expect(await world.refused(who, "get_community", { community: named })).toEqual(expected);
      }
    }
  });

  test("T.get_community.3: what is not there is 404, what was deleted 410, each with the call that helps", async () => {
    for (const named of ["no-such", "../communities", "a".repeat(500)]) {
      expect(await world.refused(null, "get_community", { community: named })).toMatchObject(UNKNOWN);
    }
    const { id } = await world.community("deleted");
    await world.ask("manager", "DELETE", `/api/communities/${id}`);
    const gone = { status: 410, code: "deleted", hint: expect.stringContaining("search_communities") };
    expect(await world.refused(null, "get_community", { community: id })).toMatchObject(gone);
    expect(await world.refused(null, "list_community_records", { community: id })).toMatchObject(gone);
    expect((await world.refused(null, "get_community", {})).errors).toEqual([
      { field: "community", messages: ["Missing data for required field."] },
    ]);
  });

  test("T.search_communities.1: by words of title or slug, each with its number of records; pages lead to the end", async () => {
    for (const slug of ["zebra-one", "zebra-two", "zebra-three"]) await world.community(slug);
    await publishedIn("zebra-two");
    const all = await world.resultOf(null, "search_communities", { query: "zebra" });
    expect(all).toMatchObject({ total: 3, page: 1, size: 10, sort: "bestmatch" });
    const counts = all.communities.map((each: { slug: string; records: number }) => [each.slug, each.records]);
    expect(Object.fromEntries(counts)).toEqual({ "zebra-one": 0, "zebra-two": 1, "zebra-three": 0 });
    const walked: string[] = [];
    for (let page: number | undefined = 1; page !== undefined; ) {
      type Page = { communities: { slug: string }[]; next_page?: number };
      const found: Page = await world.resultOf(null, "search_communities", { query: "zebra", size: 1, page });
      walked.push(...found.communities.map(({ slug }) => slug));
      page = found.next_page;
    }
    expect(walked.sort()).toEqual(["zebra-one", "zebra-three", "zebra-two"]);
    expect((await world.resultOf(null, "search_communities", { query: "no such words" })).total).toBe(0);
  });

  test("T.search_communities.2: restricted ones are found by members and administrators only", async () => {
    await world.community("okapi", { visibility: "restricted" });
    const found = async (who: Who) => (await world.resultOf(who, "search_communities", { query: "okapi" })).total;
    expect(await Promise.all(["manager", "general", "system"].map((who) => found(who as Who)))).toEqual([1, 1, 1]);
    expect(await Promise.all([found("registered"), found("stranger"), found(null)])).toEqual([0, 0, 0]);
  });

  test("T.search_communities.3 T.list_community_records.1: 1 to 100 a page, as far as 10,000; more is refused with the bound", async () => {
    for (const [name, more] of [
      ["search_communities", {}],
      ["list_community_records", { community: "c1" }],
    ] as const) {
      expect((await world.resultOf(null, name, { ...more, size: 100 })).size).toBe(100);
      expect((await world.refused(null, name, { ...more, size: 101 })).errors).toEqual([
        { field: "size", messages: ["101 is too large: at most 100."] },
      ]);
      expect((await world.refused(null, name, { ...more, size: 0 })).errors).toEqual([
        { field: "size", messages: ["0 is too small: at least 1."] },
      ]);
      expect((await world.resultOf(null, name, { ...more, size: 100, page: 100 })).next_page).toBeUndefined();
      const { message, hint } = await world.refused(null, name, { ...more, size: 100, page: 101 });
      const expected = ["Invalid querystring parameters.", "page times size reaches to 10000: narrow the query"];
      expect([message, hint]).toEqual(expected);
    }
  });

  test("T.list_community_records.2: what is published there and may be read, by slug, UUID or address", async () => {
    const { id, links } = await world.community("listed");
    const open = await publishedIn("listed");
    const closed = await publishedIn("listed", "restricted");
    await world.resultOf("registered", "create_record", { metadata: METADATA });
    const idsFor = async (who: Who, named: string) =>
      (await world.resultOf(who, "list_community_records", { community: named, query: "tides" })).records
        .map((each: { id: string }) => each.id)
        .sort();
    for (const named of ["listed", "LISTED", id, links.self]) expect(await idsFor(null, named)).toEqual([open]);
    expect(await idsFor("manager", "listed")).toEqual([open, closed].sort());
    const { records, ...frame } = await world.resultOf(null, "list_community_records", {
      community: "listed",
      fields: ["title"],
    });
    expect(records).toEqual([{ id: open, status: "published", title: "On tides" }]);
    expect(frame).toMatchObject({ total: 1, page: 1, size: 10, query_mode: "lucene", sort: "newest" });
  });

  test("T.list_community_records.3: of a restricted community strangers learn nothing: 404, as of one that is not there", async () => {
    const { id } = await world.community("lists-hidden", { visibility: "restricted" });
    for (const named of ["lists-hidden", id, "no-such"]) {
      for (const who of ["registered", null] as const) {
        expect(await world.refused(who, "list_community_records", { community: named })).toMatchObject(UNKNOWN);
      }
    }
    expect((await world.resultOf("general", "list_community_records", { community: "lists-hidden" })).total).toBe(0);
  });

  test("T.create_community.5: nobody's call is 401, one with mcp:write 403, both with the scope; nothing is made", async () => {
    await world.gated("create_community", "mcp:curate", { slug: "never", title: "Never" });
    expect(await world.refused(null, "get_community", { community: "never" })).toMatchObject(UNKNOWN);
  });
});
