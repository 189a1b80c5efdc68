// Communities and their members over HTTP (specification 3, search_communities, get_community, create_community; R2g,
// R6a, R37).
import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import process from "node:process";
import { onEachDatabase } from "../support/databases.ts";
import { RUNTIME_ARGS } from "../support/processes.ts";
import { run } from "../support/run.ts";
import type { Answer, RepositoryWorld, Who } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

type Community = {
  readonly id: string;
  readonly slug: string;
  readonly revision_id: number;
  readonly metadata: Readonly<Record<string, unknown>> & { readonly title: string };
  readonly access: Readonly<Record<string, string>>;
  readonly links: Readonly<Record<string, string>>;
};
type List<Hit = Community> = {
  readonly hits: { readonly hits: readonly Hit[]; readonly total: number };
  readonly links: Readonly<Record<string, string>>;
  readonly sortBy: string;
};

const refusal = ({ status, json }: Answer) => ({ status, message: json.message, errors: json.errors });
const invalid = (field: string, ...messages: string[]) => ({
  status: 400,
  message: "A validation error occurred.",
  errors: [{ field, messages }],
});
const DENIED = { status: 403, message: "Permission denied.", errors: undefined };
const UNKNOWN = { status: 404, message: "The persistent identifier does not exist.", errors: undefined };

describe("communities", () => {
  onEachDatabase((database) => {
    const world = setUpWorld({ repository: true, database });

    const send = (who: Who, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
      world.ask(who, method, path, {
        headers: { "content-type": "application/json", ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const input = (slug: string, more: { metadata?: object; access?: object } = {}) => ({
      slug,
      metadata: { title: `Title of ${slug}`, ...more.metadata },
      access: { visibility: "public", ...more.access },
    });
    async function made(who: Who, slug: string, more: { metadata?: object; access?: object } = {}): Promise<Community> {
      world.time.now = new Date(Date.parse(world.time.now) + 1_000).toISOString();
      const answer = await send(who, "POST", "/api/communities", input(slug, more));
      expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
      return answer.json as unknown as Community;
    }
    const list = async (who: Who, query = ""): Promise<List> =>
      (await world.ask(who, "GET", `/api/communities?${query}`)).json as unknown as List;
    const slugs = ({ hits }: List): readonly string[] => hits.hits.map(({ slug }) => slug);
    const idOf = (who: keyof RepositoryWorld["people"]): string => String(world.people[who].account.id);
    const member = (who: keyof RepositoryWorld["people"]) => ({ type: "user", id: idOf(who) });

    test("S3.6.122 S3.6.121 R37: a community is made, read by its UUID and by its slug, and looks as clients know it", async () => {
      const text = {
        description: "Old maps",
        website: "https://maps.example.org/",
        organizations: [{ name: "A library" }],
      };
      const curation_policy = "<p onclick='x()'>All <script>alert(1)</script>maps</p>";
      const answer = await send("registered", "POST", "/api/communities", {
        slug: "maps-2",
        metadata: { title: " Maps  of Japan ", type: { id: "topic" }, ...text, curation_policy },
        access: { visibility: "public", members_visibility: "restricted", review_policy: "members" },
      });
      expect(answer.status).toBe(201);
      expect(answer.headers.get("etag")).toBe('"1"');
      const { id, links, ...rest } = answer.json as unknown as Community;
      const type = { id: "topic", title: { en: expect.any(String) } };
      const policies = { member_policy: "open", record_submission_policy: "open", review_policy: "members" };
      expect(rest).toMatchObject({
        slug: "maps-2",
        revision_id: 1,
        metadata: { title: "Maps of Japan", type, ...text, curation_policy: "<p>All maps</p>" },
        access: { visibility: "public", members_visibility: "restricted", ...policies },
      });
      const self = `https://repo.example.org/api/communities/${id}`;
      const parts = ["rename", "logo", "members", "invitations", "membership_requests", "requests", "records"];
      const addresses = Object.fromEntries(parts.map((part) => [part, `${self}/${part.replace("_", "-")}`]));
      expect(links).toEqual({ self, public_members: `${self}/members/public`, ...addresses });
      for (const name of [id, "maps-2", id.toUpperCase()]) {
        const read = await world.ask(null, "GET", `/api/communities/${name}`);
        expect([read.status, read.json]).toEqual([200, answer.json]);
      }
      expect(refusal(await world.ask(null, "GET", "/api/communities/none"))).toEqual(UNKNOWN);
    });

    test("S3.6.122: visibility is public and reviews are closed by default; a guest makes none", async () => {
      const { access } = await made("general", "plain");
      expect(access).toMatchObject({ visibility: "public", review_policy: "closed" });
      expect((await send(null, "POST", "/api/communities", input("guests"))).status).toBe(401);
    });

    const LETTERS = "The identifier should contain only letters, numbers, or dashes.";
    test.each([
      ["Maps", [LETTERS, 'Lower case letters, digits and hyphens: "maps" would do.']],
      ["old maps!", [LETTERS, 'Lower case letters, digits and hyphens: "old-maps" would do.']],
      ["Bücher_1", [LETTERS, 'Lower case letters, digits and hyphens: "bucher-1" would do.']],
      ["地図", [LETTERS]],
      ["", ["Field cannot be blank or longer than 100 characters."]],
      ["a".repeat(101), ["Field cannot be blank or longer than 100 characters."]],
      ["0c3b8b0e-6a51-4c2e-9b58-5a8a6d5a0001", ["The ID must not be an Universally Unique IDentifier (UUID)."]],
      ["0c3b8b0e6a514c2e9b585a8a6d5a0001", ["The ID must not be an Universally Unique IDentifier (UUID)."]],
      ["c1", ["A community with this identifier already exists."]],
    ])("S3.6.122: the slug %p is refused", async (slug, messages) => {
      const answer = await send("registered", "POST", "/api/communities", input(slug));
      expect(refusal(answer)).toEqual(invalid("slug", ...messages));
    });

    const LENGTH = "Field cannot be blank or longer than 250 characters.";
    test.each([
      [{ metadata: { title: "" } }, "metadata.title", LENGTH],
      [{ metadata: { title: "x".repeat(251) } }, "metadata.title", LENGTH],
      [{ metadata: { title: undefined } }, "metadata.title", "Missing data for required field."],
      [{ metadata: { title: null } }, "metadata.title", "Field may not be null."],
      [{ metadata: { title: 7 } }, "metadata.title", "Not a valid string."],
      [{ metadata: { description: "x".repeat(251) } }, "metadata.description", LENGTH],
      [{ metadata: { page: "x".repeat(50_001) } }, "metadata.page", "Field cannot be longer than 50000 characters."],
      [{ metadata: { website: "javascript:alert(1)" } }, "metadata.website", "Not a valid URL."],
      [{ metadata: { colour: "red" } }, "metadata.colour", "Unknown field."],
      [{ access: { visibility: "foobar" } }, "access.visibility", "Must be one of: public, restricted."],
      [{ access: { review_policy: "never" } }, "access.review_policy", "Must be one of: closed, open, members."],
    ])("S3.6.122: %p is refused by its field", async (more, field, message) => {
      const answer = await send("registered", "POST", "/api/communities", input("refused", more));
      expect(refusal(answer)).toEqual(invalid(field, message));
    });

    test("S3.6.122: a community has at most 100 organizations", async () => {
      const having = (length: number) => ({
        metadata: { organizations: Array.from({ length }, (_, at) => ({ name: `Library ${at}` })) },
      });
      const made = (slug: string, length: number) =>
        send("registered", "POST", "/api/communities", input(slug, having(length)));
      expect((await made("organized", 100)).status).toBe(201);
      const refused = invalid("metadata.organizations", "Longer than maximum length 100.");
      expect(refusal(await made("too-organized", 101))).toEqual(refused);
    });

    test("S3.6.122: the type is an entry of communitytypes; a title has 250 characters; everything wrong is named at once", async () => {
      const typed = input("typed", { metadata: { type: { id: "club" } } });
      const answer = await send("registered", "POST", "/api/communities", typed);
      expect(refusal(answer)).toEqual(
        invalid("metadata.type.id", "Invalid value club.", "Must be one of: organization, event, topic, project."),
      );
      expect((await made("registered", "long", { metadata: { title: "字".repeat(250) } })).metadata.title).toHaveLength(
        250,
      );
      const both = await send("registered", "POST", "/api/communities", { slug: "X" });
      const expected = ["slug", "metadata", "access"];
      expect((both.json.errors as { field: string }[]).map(({ field }) => field)).toEqual(expected);
      for (const body of ["[]", "7", '"x"', ""]) {
        const wrong = await world.ask("registered", "POST", "/api/communities", { body });
        expect([body, wrong.status]).toEqual([body, 400]);
      }
      const broken = await world.ask("registered", "POST", "/api/communities", { body: "{" });
      expect(refusal(broken)).toMatchObject({ status: 400, message: "Unable to decode JSON data in request body." });
    });

    test("S3.6.122: of twenty who take one slug at once one has it", async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => send("registered", "POST", "/api/communities", input("contended"))),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      for (const answer of answers.filter(({ status }) => status !== 201)) {
        expect(refusal(answer)).toEqual(invalid("slug", "A community with this identifier already exists."));
      }
    });

    test("S3.6.120 S3.6.121: a restricted community is there for its members and administrators, and for nobody else", async () => {
      const { id } = await made("registered", "secret", { access: { visibility: "restricted" } });
      for (const who of [null, "other", "stranger", "general"] as const) {
        expect([who, refusal(await world.ask(who, "GET", `/api/communities/${id}`))]).toEqual([who, UNKNOWN]);
        expect(refusal(await world.ask(who, "GET", "/api/communities/secret"))).toEqual(UNKNOWN);
        expect(slugs(await list(who, "q=secret"))).toEqual([]);
      }
      for (const who of ["registered", "admin", "system"] as const) {
        expect([who, (await world.ask(who, "GET", "/api/communities/secret")).status]).toEqual([who, 200]);
        expect(slugs(await list(who, "q=secret"))).toEqual(["secret"]);
      }
      const narrow = await world.token("registered", ["item:read"], null);
      expect(refusal(await world.ask(narrow, "GET", "/api/communities/secret"))).toEqual(UNKNOWN);
      expect((await world.ask(narrow, "GET", "/api/communities/c1")).status).toBe(200);
      expect((await world.ask(narrow, "GET", "/api/user/communities")).status).toBe(403);
    });

    test("S3.6.120: communities are found by words of title, slug and description, by type and visibility, in order, page by page", async () => {
      await made("other", "zeta-one", { metadata: { title: "Zeta 地図帳", type: { id: "event" } } });
      await made("other", "zeta-two", { metadata: { title: "Second", description: "about ZETA things" } });
      await made("other", "zeta", { metadata: { title: "100% Third_" } });
      expect(slugs(await list(null, "q=zeta"))[0]).toBe("zeta");
      expect([...slugs(await list(null, "q=zeta"))].sort()).toEqual(["zeta", "zeta-one", "zeta-two"]);
      expect(slugs(await list(null, "q=地図帳"))).toEqual(["zeta-one"]);
      expect(slugs(await list(null, `q=${encodeURIComponent("100%")}`))).toEqual(["zeta"]);
      expect(slugs(await list(null, "q=zeta&type=event"))).toEqual(["zeta-one"]);
      expect(slugs(await list("other", "q=zeta&visibility=restricted"))).toEqual([]);
      expect(slugs(await list(null, "q=zeta&sort=oldest"))).toEqual(["zeta-one", "zeta-two", "zeta"]);
      const page = await list(null, "q=zeta&sort=oldest&size=2&page=1");
      expect([slugs(page), page.hits.total, page.sortBy]).toEqual([["zeta-one", "zeta-two"], 3, "oldest"]);
      expect(page.links).toEqual({
        self: "https://repo.example.org/api/communities?page=1&q=zeta&size=2&sort=oldest",
        next: "https://repo.example.org/api/communities?page=2&q=zeta&size=2&sort=oldest",
      });
      expect(slugs(await list(null, "q=zeta&sort=oldest&size=2&page=2"))).toEqual(["zeta"]);
      expect((await list(null)).sortBy).toBe("newest");
    });

    test.each([
      ["size=0", "size"],
      ["size=1001", "size"],
      ["page=x", "page"],
      ["size=100&page=101", "page"],
      ["sort=up", "sort"],
    ])("S3.6.120: the parameters %p are refused", async (query, field) => {
      const { status, message, errors } = refusal(await world.ask(null, "GET", `/api/communities?${query}`));
      expect([status, message]).toEqual([400, "Invalid querystring parameters."]);
      expect(errors).toMatchObject([{ field }]);
    });

    test("S3.6.120: one's own communities are those one is a member of", async () => {
      const own = await world.ask("curator", "GET", "/api/user/communities");
      expect(slugs(own.json as unknown as List)).toEqual(["c1"]);
      expect((await world.ask(null, "GET", "/api/user/communities")).status).toBe(401);
    });

    test("S3.6.123: owners change a community; what is not theirs stays as it is", async () => {
      const before = await made("registered", "changing", {
        metadata: { description: "Before", type: { id: "event" } },
      });
      const body = { slug: "changing", metadata: { title: "After" }, access: { review_policy: "open" } };
      const path = `/api/communities/${before.id}`;
      for (const who of ["other", "curator"] as const) {
        expect(refusal(await send(who, "PUT", path, body))).toEqual(DENIED);
      }
      expect((await send(null, "PUT", path, body)).status).toBe(401);
      const after = await send("registered", "PUT", path, body);
      expect([after.status, after.headers.get("etag")]).toEqual([200, '"2"']);
      expect(after.json).toMatchObject({
        revision_id: 2,
        metadata: { title: "After" },
        access: { visibility: "public", review_policy: "open" },
      });
      expect((after.json as unknown as Community).metadata).toEqual({ title: "After" });
      expect((await send("admin", "PUT", path, body, { "if-match": '"2"' })).status).toBe(200);
      const expected = { status: 412, message: "Revision id provided(2) doesn't match record's one(3)" };
      expect(refusal(await send("registered", "PUT", path, body, { "if-match": '"2"' }))).toMatchObject(expected);
      const renamed = await send("registered", "PUT", path, { ...body, slug: "changed" });
      expect(refusal(renamed)).toEqual(invalid("slug", "The ID should be modified through the renaming URL instead."));
    });

    test("S3.6.123 R3: this interface changes the title it shows; the other language keeps its own", async () => {
      await world.store.transact(async (tx) => {
        const c1 = await tx.communities.community("c1");
        if (c1 !== null) await tx.communities.saveCommunity({ ...c1, title: { en: "Maps", ja: "地図" } });
      });
      const read = (await world.ask("manager", "GET", "/api/communities/c1")).json as unknown as Community;
      const body = { ...read, metadata: { ...read.metadata, title: "Old maps" } };
      expect((await send("manager", "PUT", "/api/communities/c1", body)).status).toBe(200);
      const stored = await world.store.communities.community("c1");
      expect(stored).toMatchObject({ title: { en: "Old maps", ja: "地図" }, rootIndex: 40 });
    });

    test.each([
      ["PUT", ""],
      ["POST", "/rename"],
      ["DELETE", ""],
    ])("S3.6.123: %s%s is refused to everybody but owners and administrators", async (method, below) => {
      const slug = `kept-${method.toLowerCase()}`;
      const { id } = await made("registered", slug, { metadata: { description: "As it was" } });
      await made("stranger", `${slug}-2`);
      const path = `/api/communities/${id}`;
      const member = (who: keyof RepositoryWorld["people"], role: string) =>
        send("registered", "POST", `${path}/members`, { members: [{ type: "user", id: idOf(who) }], role });
      for (const [who, role] of [
        ["other", "manager"],
        ["curator", "curator"],
        ["general", "reader"],
      ] as const) {
        expect((await member(who, role)).status).toBe(204);
      }
      const before = await world.ask(null, "GET", path);
      const body = { slug: below === "" ? slug : `${slug}-taken`, metadata: { title: "Taken" }, access: {} };
      const change = (who: Who) => send(who, method, `${path}${below}`, method === "DELETE" ? undefined : body);
      // The owner of another community has no more rights here than anybody else.
      for (const who of ["other", "curator", "general", "stranger", "manager"] as const) {
        expect([who, refusal(await change(who))]).toEqual([who, DENIED]);
      }
      expect((await change(null)).status).toBe(401);
      expect((await world.ask(null, "GET", path)).json).toEqual(before.json);
      expect((await change("admin")).status).toBe(method === "DELETE" ? 204 : 200);
    });

    test("S3.6.123: change, rename and deletion are refused for a revision that is not there any more", async () => {
      const { id } = await made("registered", "revised");
      const path = `/api/communities/${id}`;
      const body = (slug: string) => ({ slug, metadata: { title: "Revised" }, access: {} });
      expect((await send("registered", "PUT", path, body("revised"))).json).toMatchObject({ revision_id: 2 });
      const calls = (match: string) => [
        send("registered", "PUT", path, body("revised"), { "if-match": match }),
        send("registered", "POST", `${path}/rename`, { slug: "revised-2" }, { "if-match": match }),
        send("registered", "DELETE", path, undefined, { "if-match": match }),
      ];
      for (const match of ['"1"', '"99"', "1", 'W/"1"', '"1", "99"', "abc"]) {
        const [, first = match] = /(\w+)"?(?:,|$)/.exec(match) ?? [];
        for (const refused of await Promise.all(calls(match))) {
          expect(refusal(refused)).toMatchObject({
            status: 412,
            message: `Revision id provided(${first}) doesn't match record's one(2)`,
          });
        }
      }
      expect((await world.ask(null, "GET", path)).json).toMatchObject({ slug: "revised", revision_id: 2 });
      const match = { "if-match": '"1", "2"' };
      const renamed = await send("registered", "POST", `${path}/rename`, { slug: "revised-2" }, match);
      expect([renamed.status, renamed.headers.get("etag"), renamed.json.slug]).toEqual([200, '"3"', "revised-2"]);
      expect((await send("registered", "PUT", path, body("revised-2"), { "if-match": "*" })).status).toBe(200);
      expect((await send("registered", "DELETE", path, undefined, { "if-match": '"4"' })).status).toBe(204);
    });

    test("S3.6.123: a community is renamed, and deleted; its slug is never another's", async () => {
      const { id } = await made("registered", "first-name");
      const rename = (who: Who, slug: string) => send(who, "POST", `/api/communities/${id}/rename`, { slug });
      expect(refusal(await rename("other", "second-name"))).toEqual(DENIED);
      expect(refusal(await rename("registered", "first-name"))).toEqual(
        invalid("slug", "A new ID value is required for the renaming."),
      );
      expect(refusal(await rename("registered", "c1"))).toEqual(
        invalid("slug", "A community with this identifier already exists."),
      );
      expect((await rename("registered", "second-name")).json).toMatchObject({ slug: "second-name", id });
      expect(refusal(await world.ask(null, "GET", "/api/communities/first-name"))).toEqual(UNKNOWN);
      expect(refusal(await world.ask("other", "DELETE", "/api/communities/second-name"))).toEqual(DENIED);
      expect((await world.ask("registered", "DELETE", "/api/communities/second-name")).status).toBe(204);
      for (const name of [id, "second-name"]) {
        expect(refusal(await world.ask(null, "GET", `/api/communities/${name}`))).toMatchObject({
          status: 410,
          message: "The record has been deleted.",
        });
      }
      expect(refusal(await send("other", "POST", "/api/communities", input("second-name")))).toEqual(
        invalid("slug", "A community with this identifier already exists."),
      );
    });

    describe("members", () => {
      let path: string;
      const change = (who: Who, method: string, body: unknown) => send(who, method, path, body);
      const roles = async () => {
        const answer = await world.ask("admin", "GET", path);
        const { hits } = (answer.json as unknown as List<{ role: string; member: { id: string } }>).hits;
        return Object.fromEntries(hits.map((hit) => [hit.member.id, hit.role]));
      };
      beforeAll(async () => {
        const { id } = await made("registered", "club");
        path = `/api/communities/${id}/members`;
      });

      test("S3.6.124 S3.6.122: the creator of a community is its owner, and makes others members in any role", async () => {
        expect(await roles()).toEqual({ [idOf("registered")]: "owner" });
        for (const [who, role] of [
          ["other", "manager"],
          ["curator", "curator"],
          ["general", "reader"],
        ] as const) {
          expect((await change("registered", "POST", { members: [member(who)], role })).status).toBe(204);
        }
        expect(await roles()).toEqual({
          [idOf("registered")]: "owner",
          [idOf("other")]: "manager",
          [idOf("curator")]: "curator",
          [idOf("general")]: "reader",
        });
      });

      test("S3.6.124: managers make members in any role but owner; nobody below them any", async () => {
        const asked = (role: string) => ({ members: [member("approver")], role });
        expect(refusal(await change("other", "POST", asked("owner")))).toEqual(DENIED);
        for (const who of ["curator", "general", "stranger"] as const) {
          expect([who, refusal(await change(who, "POST", asked("reader")))]).toEqual([who, DENIED]);
        }
        expect((await change(null, "POST", asked("reader"))).status).toBe(401);
        expect((await change("other", "POST", asked("reader"))).status).toBe(204);
        expect(refusal(await change("other", "POST", asked("reader")))).toMatchObject({
          status: 400,
          message:
            "One of the submitted entity is already a member or pending a decision. The entire action was cancelled.",
        });
        expect(refusal(await change("other", "DELETE", { members: [member("registered")] }))).toEqual(DENIED);
        expect(refusal(await change("other", "PUT", { members: [member("registered")], role: "reader" }))).toEqual(
          DENIED,
        );
        expect(refusal(await change("other", "PUT", { members: [member("approver")], role: "owner" }))).toEqual(DENIED);
        expect((await change("other", "PUT", { members: [member("approver")], role: "curator" })).status).toBe(204);
        expect((await change("other", "DELETE", { members: [member("approver")] })).status).toBe(204);
      });

      test("S3.6.124: nobody changes their own role; at least one owner stays, for every caller", async () => {
        const own = { members: [member("registered")] };
        expect(refusal(await change("registered", "PUT", { ...own, role: "reader" }))).toEqual(
          invalid("_schema", "You cannot change your own role."),
        );
        const last = invalid("_schema", "A community must have at least one owner.");
        expect(refusal(await change("registered", "DELETE", own))).toEqual(last);
        expect(refusal(await change("admin", "DELETE", own))).toEqual(last);
        expect(refusal(await change("admin", "PUT", { ...own, role: "manager" }))).toEqual(last);
        expect((await change("registered", "PUT", { members: [member("other")], role: "owner" })).status).toBe(204);
        const leaving = await Promise.all([
          change("registered", "DELETE", own),
          change("other", "DELETE", { members: [member("other")] }),
        ]);
        expect(leaving.map(({ status }) => status).sort()).toEqual([204, 400]);
        const owners = Object.entries(await roles()).filter(([, role]) => role === "owner");
        expect(owners).toHaveLength(1);
        const [left = "registered"] = (["registered", "other"] as const).filter((who) => owners[0]?.[0] === idOf(who));
        const gone = left === "registered" ? "other" : "registered";
        expect((await change(left, "POST", { members: [member(gone)], role: "owner" })).status).toBe(204);
      });

      test("S3.6.124: members leave by themselves, at once and with all rights", async () => {
        expect((await change("curator", "DELETE", { members: [member("curator")] })).status).toBe(204);
        expect(refusal(await world.ask("curator", "GET", path))).toEqual(DENIED);
        expect((await change("registered", "POST", { members: [member("curator")], role: "curator" })).status).toBe(
          204,
        );
      });

      test("S3.6.124 R2g: members see members by name, never by mail address; others those who want to be seen", async () => {
        const answer = await world.ask("general", "GET", path);
        const { hits } = (answer.json as unknown as List<{ member: { name: string }; is_current_user: boolean }>).hits;
        expect(answer.text).not.toContain("@");
        const permissions = { can_leave: true, can_delete: false, can_update_role: false, can_update_visible: true };
        const self = { id: idOf("general"), role: "reader", visible: false, permissions };
        const general = { type: "user", id: idOf("general"), name: "general" };
        expect(hits.find((hit) => hit.is_current_user)).toMatchObject({ ...self, member: general });
        expect(refusal(await world.ask("stranger", "GET", path))).toEqual(DENIED);
        const seen = async () => (await world.ask(null, "GET", `${path}/public`)).json as unknown as List<object>;
        expect((await seen()).hits.total).toBe(0);
        const visible = { members: [member("general")], visible: true };
        expect(refusal(await change("registered", "PUT", visible))).toEqual(
          invalid("_schema", "You can only set public visibility on your own membership."),
        );
        expect((await change("general", "PUT", visible)).status).toBe(204);
        expect((await seen()).hits.hits).toEqual([
          { id: idOf("general"), member: { type: "user", id: idOf("general"), name: "general" } },
        ]);
        type Permitted = { readonly member: { readonly name: string }; readonly permissions: object };
        const permitted = async (who: Who) => {
          const { json } = await world.ask(who, "GET", path);
          const members = (json as unknown as List<Permitted>).hits.hits;
          return Object.fromEntries(members.map(({ member, permissions }) => [member.name, permissions]));
        };
        const own = { can_leave: true, can_delete: false, can_update_role: false, can_update_visible: true };
        const none = { can_leave: false, can_delete: false, can_update_role: false, can_update_visible: false };
        const all = { can_leave: false, can_delete: true, can_update_role: true, can_update_visible: true };
        // Who manages hides a member, and shows nobody.
        expect(await permitted("registered")).toMatchObject({
          ...{ registered: own, general: all, curator: { ...all, can_update_visible: false } },
        });
        expect(await permitted("curator")).toMatchObject({ registered: none, general: none, curator: own });
      });

      const PEOPLE = [{ type: "user", id: "3" }];
      const MAILS = [{ type: "email", id: "a@example.org" }];
      test.each([
        [{ members: [], role: "reader" }, "members", "Length must be between 1 and 100."],
        [{ role: "reader" }, "members", "Missing data for required field."],
        [{ members: PEOPLE }, "role", "Missing data for required field."],
        [{ members: PEOPLE, role: "king" }, "role", "Must be one of: owner, manager, curator, reader."],
        [{ members: MAILS, role: "reader" }, "members.0.type", "Must be one of: user."],
      ])("S3.6.124: %p is refused", async (body, field, message) => {
        const { status, errors } = refusal(await change("registered", "POST", body));
        expect([status, (errors as unknown[])[0]]).toEqual([400, { field, messages: [message] }]);
      });

      test("S3.6.124: accounts that are not there, or disabled, become no members", async () => {
        for (const id of ["999999", "x"]) {
          const answer = await change("registered", "POST", { members: [{ type: "user", id }], role: "reader" });
          expect(refusal(answer)).toMatchObject({ status: 400, message: "Invalid member specified." });
        }
      });

      test("S3.6.125 R2g: people are invited, and are members once they accept; addresses are an administrator's to know", async () => {
        const invite = (who: Who, members: object[], role = "reader") =>
          send(who, "POST", path.replace("/members", "/invitations"), { members, role, message: "Join us" });
        const invited = [{ type: "user", id: idOf("stranger") }];
        expect(refusal(await invite("general", invited))).toEqual(DENIED);
        expect((await invite("registered", invited, "curator")).status).toBe(204);
        expect(refusal(await invite("registered", invited)).status).toBe(400);
        expect(refusal(await change("registered", "POST", { members: invited, role: "reader" })).status).toBe(400);
        const mail = [{ type: "email", id: "approver@example.org" }];
        expect(refusal(await invite("registered", mail))).toEqual(DENIED);
        const expected = { status: 400, message: "Invalid member specified." };
        expect(refusal(await invite("admin", [{ type: "email", id: "nobody@example.org" }]))).toMatchObject(expected);
        const requests = await world.ask("stranger", "GET", "/api/requests?type=community-invitation");
        const [request] = (requests.json as unknown as List<{ id: string; links: { actions: object } }>).hits.hits;
        const submitted = { status: "submitted", receiver: { user: idOf("stranger") }, payload: { role: "curator" } };
        expect(request).toMatchObject({ ...submitted, last_reply: { payload: { content: "Join us" } } });
        expect(Object.keys(request?.links.actions ?? {})).toEqual(["accept", "decline"]);
        const act = (who: Who, action: string) => send(who, "POST", `/api/requests/${request?.id}/actions/${action}`);
        for (const who of ["registered", "admin"] as const) {
          expect([who, refusal(await act(who, "accept"))]).toEqual([who, DENIED]);
        }
        expect((await act("stranger", "accept")).status).toBe(200);
        expect((await roles())[idOf("stranger")]).toBe("curator");
        expect((await act("stranger", "accept")).status).toBe(400);
        const listed = await world.ask("registered", "GET", path.replace("/members", "/invitations"));
        expect(listed.text).not.toContain("@");
        const hit = { member: { id: idOf("stranger") }, role: "curator", request: { status: "accepted" } };
        expect(listed.json).toMatchObject({ hits: { total: 1, hits: [hit] } });
        expect((await world.ask("general", "GET", path.replace("/members", "/invitations"))).status).toBe(403);
        expect((await invite("admin", [{ type: "email", id: "General@example.org" }])).status).toBe(400);
        expect((await change("registered", "DELETE", { members: [member("stranger")] })).status).toBe(204);
      });

      test("P.216 people ask to join; managers answer, owners where the role is theirs to give; never twice", async () => {
        const at = path.replace("/members", "/membership-requests");
        const ask = (who: Who, body?: object) => send(who, "POST", at, body);
        expect((await ask(null)).status).toBe(401);
        const asked = await ask("stranger", { message: "I map rivers", role: "owner" });
        expect([asked.status, asked.json]).toMatchObject([
          201,
          {
            ...{ type: "community-membership-request", status: "submitted", payload: { role: "owner" } },
            ...{ created_by: { user: idOf("stranger") }, last_reply: { payload: { content: "I map rivers" } } },
          },
        ]);
        const actions = async (who: Who, id: unknown) => {
          const { status, json } = await world.ask(who, "GET", `/api/requests/${id}`);
          return status === 200 ? Object.keys((json.links as { actions: object }).actions) : status;
        };
        const { id } = asked.json;
        expect((await change("registered", "PUT", { members: [member("curator")], role: "manager" })).status).toBe(204);
        expect(await actions("stranger", id)).toEqual(["cancel"]);
        expect(await actions("curator", id)).toEqual(["decline", "cancel", "expire"]);
        expect(await actions("registered", id)).toEqual(["accept", "decline", "cancel", "expire"]);
        expect(await actions("general", id)).toBe(404);
        const invited = { members: [{ type: "user", id: idOf("stranger") }], role: "reader" };
        for (const twice of [
          ask("stranger"),
          send("registered", "POST", path.replace("/members", "/invitations"), invited),
          change("registered", "POST", invited),
          ask("curator"),
        ]) {
          expect(refusal(await twice)).toMatchObject({ status: 400, message: expect.stringContaining("already") });
        }
        const act = (who: Who, action: string, request = id) =>
          send(who, "POST", `/api/requests/${request}/actions/${action}`);
        expect((await act("curator", "accept")).status).toBe(403);
        expect((await act("stranger", "accept")).status).toBe(403);
        expect((await act("stranger", "cancel")).status).toBe(200);
        const again = await ask("stranger");
        expect((await act("curator", "accept", again.json.id)).status).toBe(200);
        expect((await roles())[idOf("stranger")]).toBe("reader");
        const listed = await world.ask("curator", "GET", at);
        const hit = (status: string) => ({ member: { id: idOf("stranger") }, request: { status } });
        expect(listed.json).toMatchObject({ hits: { total: 2, hits: [hit("accepted"), hit("cancelled")] } });
        expect([listed.text.includes("@"), (await world.ask("general", "GET", at)).status]).toEqual([false, 403]);
        const types = await world.ask("curator", "GET", "/api/requests?type=community-membership-request");
        expect(types.json).toMatchObject({ hits: { total: 2 } });
        expect((await change("registered", "DELETE", { members: [member("stranger")] })).status).toBe(204);
        expect((await change("registered", "PUT", { members: [member("curator")], role: "curator" })).status).toBe(204);
      });

      test("P.216 of the requests of one person to join one community in a day there are few", async () => {
        const join = async (who: Who, slug: string) => {
          const asked = await send(who, "POST", `/api/communities/${slug}/membership-requests`, {});
          if (asked.status !== 201) return refusal(asked);
          return (await send(who, "POST", `/api/requests/${asked.json.id}/actions/cancel`)).status;
        };
        for (const slug of ["asked-often", "asked-once"]) {
          await send("registered", "POST", "/api/communities", { slug, metadata: { title: slug }, access: {} });
        }
        for (let n = 0; n < 5; n += 1) expect(await join("stranger", "asked-often")).toBe(200);
        expect(await join("stranger", "asked-often")).toMatchObject({
          ...{ status: 400, message: "You asked to join this community several times today: ask again tomorrow." },
        });
        expect([await join("stranger", "asked-once"), await join("general", "asked-often")]).toEqual([200, 200]);
      });

      test("P.216 where the member policy is closed nobody asks, and a restricted community is not there", async () => {
        const asking = async (access: object) => {
          const made = await send("registered", "POST", "/api/communities", {
            ...{ slug: `asked-${Object.values(access)[0]}`, metadata: { title: "Asked" }, access },
          });
          return await send("stranger", "POST", `/api/communities/${made.json.id}/membership-requests`, {});
        };
        expect(refusal(await asking({ member_policy: "closed" }))).toMatchObject({
          ...{ status: 403, message: "This community does not take requests to join it." },
        });
        expect((await asking({ visibility: "restricted" })).status).toBe(404);
      });

      test("S3.6.124: rights end with the role that gave them", async () => {
        const invitations = async (who: Who) => {
          const { json } = await world.ask(who, "GET", "/api/requests?type=community-invitation");
          return (json as unknown as List<{ id: string }>).hits.hits.map(({ id }) => id);
        };
        const all = await invitations("registered");
        expect([all.length, await invitations("curator")]).toEqual([1, []]);
        expect((await change("registered", "PUT", { members: [member("curator")], role: "manager" })).status).toBe(204);
        expect(await invitations("curator")).toEqual(all);
        expect((await change("curator", "POST", { members: [member("approver")], role: "reader" })).status).toBe(204);
        expect((await change("registered", "PUT", { members: [member("curator")], role: "reader" })).status).toBe(204);
        expect(refusal(await change("curator", "DELETE", { members: [member("approver")] }))).toEqual(DENIED);
      });
    });
  });
});

test("R37 a member that is declared once is read, refused, stored, shown, described, and taken by the tool and the client", async () => {
  const program = join(import.meta.dirname, "..", "support", "one-more-member.ts");
  const { code, output } = await run([process.execPath, ...RUNTIME_ARGS, program]);
  const title = "Maps";
  expect([code, JSON.parse(output)]).toEqual([
    0,
    {
      refused: [{ field: "metadata.contact", messages: [expect.stringContaining("1 to 80 characters")] }],
      answers: ["Room 1", "Room 2", "Room 2"].map((contact) => ({ title, contact })),
      tools: ["tides", "Room 3"],
      stored: { contact: "Room 3" },
      client: 2,
    },
  ]);
});
