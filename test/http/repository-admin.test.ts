// Administration over HTTP (R4a, R6a, R9, R14, R16, R17): who may, what is refused and in what shape, and that what is
// set holds.
import { describe, expect, test } from "bun:test";
import { REPOSITORY_SCOPES } from "../../src/auth/account.ts";
import { cratePackage, tablePackage } from "../support/deposit-requests.ts";
import { RECORD } from "../support/record-calls.ts";
import { INDEXES, type Who } from "../support/world/repository.ts";
import { COMMUNITY } from "../support/world/seeded.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ repository: true });

const JSON_TYPE = { "content-type": "application/json" };
const admin = (method: string, path: string, body?: unknown, who: Who = "system") =>
  world.ask(who, method, `/api/v1/admin/${path}`, {
    headers: JSON_TYPE,
    body: body === undefined ? null : JSON.stringify(body),
  });

async function refused(method: string, path: string, body: unknown, status: number, words: string): Promise<void> {
  const answer = await admin(method, path, body);
  expect([path, answer.status, answer.json.message]).toEqual([path, status, expect.stringContaining(words)]);
  expect(answer.json).toEqual({ code: status, status, message: answer.json.message });
}

describe("who administers", () => {
  test("R17 R6b only system administrators, and only by a token that allows everything; nobody unknown", async () => {
    for (const who of ["admin", "registered", "manager", "general"] as const) {
      const answer = await admin("GET", "users", undefined, who);
      expect([who, answer.status, answer.json.code]).toEqual([who, 403, 403]);
      expect((await admin("PUT", "sword-formats/xml", { active: false }, who)).status).toBe(403);
    }
    expect((await admin("GET", "users", undefined, null)).status).toBe(401);
    const narrow = await world.token("system", ["item:read"], null);
    for (const [method, path, body] of [
      ["GET", "users", undefined],
      ["POST", "users", { mail: "mine@example.org", name: "Mine", roles: [1] }],
      ["PUT", "sword-formats/xml", { active: false }],
    ] as const) {
      const answer = await admin(method, path, body, narrow);
      expect([answer.status, answer.json.message]).toEqual([403, expect.stringContaining("allows everything")]);
    }
    expect((await admin("GET", "sword-formats/xml")).json.active).toBe(true);
    const wide = await world.token("system", REPOSITORY_SCOPES, null);
    expect((await admin("GET", "users", undefined, wide)).status).toBe(200);
  });

  test("R9 an unknown version is 400, an unknown record 404, an unknown path 404, all as {code, message, status}", async () => {
    const version = await world.ask("system", "GET", "/api/v9/admin/users");
    expect([version.status, version.json.code, version.json.status]).toEqual([400, 400, 400]);
    await refused("GET", "users/999999", undefined, 404, 'account "999999"');
    await refused("GET", "users/none", undefined, 404, 'account "none"');
    await refused("PUT", "sword-clients/nobody", { mapping_id: 1 }, 404, "nobody");
    expect((await admin("GET", "nothing")).json).toMatchObject({ code: 404, status: 404 });
  });

  test("R9 a body that is not JSON, not an object or has unknown members is 400 and changes nothing", async () => {
    const broken = await world.ask("system", "PUT", "/api/v1/admin/sword-formats/xml", { body: "{" });
    expect([broken.status, broken.json.message]).toEqual([400, "The body is not JSON"]);
    await refused("PUT", "sword-formats/xml", [1], 400, "must be an object");
    await refused("PUT", "sword-formats/xml", { aktive: true }, 400, 'Unknown member "aktive": did you mean active?');
    await refused("PUT", "sword-formats/xml", { active: "yes" }, 400, 'active must be true or false, not "yes"');
    expect((await admin("GET", "sword-formats/xml")).json.active).toBe(true);
  });
});

describe("settings of the deposit interface", () => {
  test("R17 every format by name, XML through the workflow", async () => {
    const { json } = await admin("GET", "sword-formats");
    expect(json.total).toBe(3);
    const expected = { format: "XML", active: true, registration_type_id: 2, workflow_id: 1, duplicate_check: false };
    expect((await admin("GET", "sword-formats/xml")).json).toEqual(expected);
    expect((await admin("GET", "sword-formats/TSV%2FCSV")).json.format).toBe("TSV/CSV");
  });

  test("R17 message 15 a format that is switched off refuses deposits until it is on again", async () => {
    await admin("PUT", "sword-formats/tsv-csv", { active: false });
    const answer = await world.deposit("admin", tablePackage());
    expect([answer.status, answer.json.error]).toEqual([415, "TSV/CSV metadata import is not enabled."]);
    expect((await admin("PUT", "sword-formats/tsv-csv", { active: true })).status).toBe(200);
    expect((await world.deposit("admin", tablePackage())).status).toBe(201);
  });

  test("R17 message 21 a token deposits linked data while its client record is active, and PUT changes what is sent alone", async () => {
    const bare = await world.token("admin", undefined, null);
    const path = `sword-clients/${bare.clientId}`;
    await refused("PUT", path, {}, 400, "mapping_id is missing");
    const made = await admin("PUT", path, { mapping_id: 1, default_index: INDEXES.open });
    const sets = { registration_type_id: 1, mapping_id: 1, workflow_id: null, default_index: INDEXES.open };
    const checks = { duplicate_check: false, meta_data_api: [], verify_digest: null, keep_incomplete: false };
    expect(made.json).toEqual({ client_id: bare.clientId, active: true, ...sets, ...checks });
    expect((await world.deposit(bare, cratePackage())).status).toBe(201);
    await admin("PUT", path, { active: false });
    expect((await world.deposit(bare, cratePackage())).json.error).toContain("No SWORD API setting found");
    await admin("PUT", path, { active: true });
    const changed = await admin("PUT", path, { verify_digest: "required", meta_data_api: ["DataCite", "Crossref"] });
    const expected = { ...made.json, verify_digest: "required", meta_data_api: ["DataCite", "Crossref"] };
    expect(changed.json).toEqual(expected);
    expect((await world.deposit(bare, cratePackage())).status).toBe(412);
    expect((await admin("PUT", path, changed.json)).json).toEqual(changed.json);
  });

  test("R17 what cannot work together is refused when it is set", async () => {
    const path = `sword-clients/${world.people.registered.clientId}`;
    await refused("PUT", path, { mapping_id: 99 }, 400, "mapping_id: mapping 99 does not exist");
    await refused("PUT", path, { mapping_id: 1, default_index: 777 }, 400, "default_index: index 777 does not exist");
    await refused("PUT", path, { mapping_id: 1, workflow_id: 88 }, 400, "workflow 88 does not exist");
    await refused("PUT", path, { mapping_id: 1, registration_type_id: 3 }, 400, "must be one of 1, 2, not 3");
    await refused("PUT", path, { mapping_id: 1, meta_data_api: ["Elsewhere"] }, 400, "meta_data_api[0]");
    const simple = await world.workflow({ itemType: 2 });
    const fields = { mapping_id: 1, registration_type_id: 2, workflow_id: simple };
    await refused("PUT", path, fields, 400, "the item type of the mapping is 1, but the workflow's is 2");
    const retired = await world.workflow({ deleted: true });
    await refused("PUT", path, { ...fields, workflow_id: retired }, 400, "is deleted or registers no item");
  });
});

describe("people", () => {
  test("R6a an account is made, found, changed and disabled, and its token ends with it", async () => {
    const made = await admin("POST", "users", { mail: "Eve@Example.org", name: "Eve", roles: [3] });
    expect([made.status, made.json.mail, made.json.active]).toEqual([201, "eve@example.org", true]);
    const id = Number(made.json.id);
    expect(made.headers.get("location")).toBe(`/api/v1/admin/users/${id}`);
    const again = await admin("POST", "users", { mail: "eve@example.org", name: "Other" });
    expect([again.status, again.json.message]).toEqual([409, expect.stringContaining("eve@example.org")]);
    const changed = await admin("PUT", `users/${id}`, { roles: [3, 4], eppn: "eve@idp" });
    expect(changed.json).toMatchObject({ roles: [3, 4], eppn: "eve@idp", name: "Eve" });
    expect((await admin("PUT", `users/${id}`, { active: false })).json.active).toBe(false);
    expect((await admin("GET", `users/${id}`)).json).toMatchObject({ active: false, groups: [] });
  });

  test.each([
    [{ name: "x" }, "An account needs a mail or an eppn"],
    [{ mail: "no address", name: "x" }, "mail must be an e-mail address"],
    [{ mail: "a@b" }, "name is missing"],
    [{ mail: "a@b", name: "x", roles: [5] }, "roles[0] must be one of 1, 2, 3, 4, not 5"],
    [{ mail: "a@b", name: "x".repeat(201) }, "name must be text of 1 to 200 characters"],
    [{ mail: "a@b", name: "x\u0000y" }, "name must be text"],
  ])("R6a the account %p is refused", async (body, words) => {
    await refused("POST", "users", body, 400, words);
  });

  test("R9 everything that is wrong is reported: the first as the message, all with their fields", async () => {
    const { status, json } = await admin("POST", "users", { mail: "no address", roles: [5, 1], nmae: "x" });
    const errors = json.errors as readonly { readonly field: string; readonly message: string }[];
    expect([status, json.code, json.message]).toEqual([400, 400, 'Unknown member "nmae": did you mean name?']);
    expect(errors.map(({ field }) => field)).toEqual(["nmae", "mail", "name", "roles[0]"]);
    expect(errors.at(-1)?.message).toBe("roles[0] must be one of 1, 2, 3, 4, not 5");
    const asked = await admin("GET", "jobs?state=lost&limit=501&kind=item_mint");
    expect([asked.status, asked.json.errors]).toEqual([
      400,
      [
        { field: "state", message: 'state must be one of waiting, running, done, failed, not "lost"' },
        { field: "limit", message: 'limit must be a whole number from 1 to 500, not "501"' },
      ],
    ]);
  });

  test("R6a the last system administrator stays one", async () => {
    const { id } = world.people.system.account;
    await refused("PUT", `users/${id}`, { active: false }, 409, "last active system administrator");
    await refused("PUT", `users/${id}`, { roles: [2] }, 409, "last active system administrator");
  });

  test("R6a a group has members that exist and a unique name", async () => {
    const member = world.people.registered.account.id;
    const made = await admin("POST", "groups", { name: "Staff", members: [member, member] });
    expect([made.status, made.json.members]).toEqual([201, [member]]);
    await refused("POST", "groups", { name: "Staff" }, 409, 'the name "Staff" already');
    await refused("PUT", `groups/${made.json.id}`, { members: [987654] }, 400, "account 987654 does not exist");
    expect((await admin("PUT", `groups/${made.json.id}`, { name: "Team" })).json).toMatchObject({
      name: "Team",
      members: [member],
    });
    expect((await admin("GET", `users/${member}`)).json.groups).toEqual([made.json.id]);
  });

  test("R6a a community has a unique slug, an index that exists and members with roles", async () => {
    const account = world.people.registered.account.id;
    const title = { en: "Physics", ja: "物理学" };
    const members = [{ account, role: "curator" }];
    const made = await admin("POST", "communities", { slug: "physics", title, root_index: INDEXES.open, members });
    expect([made.status, made.json.members]).toEqual([201, members]);
    expect(made.json.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    await refused("POST", "communities", { slug: "c1", title }, 409, 'slug "c1" already');
    await refused("POST", "communities", { slug: "No Slug", title }, 400, "slug must be a name of lower case letters");
    await refused("PUT", "communities/physics", { root_index: 12345 }, 400, "index 12345 does not exist");
    await refused("PUT", "communities/physics", { type: "club" }, 400, "type must be empty or one of");
    await refused("PUT", "communities/physics", { members: [...members, ...members] }, 400, "is listed twice");
    const left = await admin("PUT", "communities/physics", { members: [], visibility: "restricted" });
    expect([left.json.members, left.json.visibility, left.json.title]).toEqual([[], "restricted", title]);
    expect((await admin("DELETE", "communities/physics")).status).toBe(204);
    await refused("GET", "communities/physics", undefined, 404, "physics");
    expect((await admin("GET", `communities/${COMMUNITY}`)).json.slug).toBe("c1");
  });
});

describe("a community without a setting of reviews", () => {
  const title = { en: "Seas", ja: "海" };

  test("R6a S3.6.123 it reviews submissions, made by an administrator as over the records interface; open only where that is set", async () => {
    const policies = async (slug: string, body: object) => {
      const made = await admin("POST", "communities", { slug, title, ...body });
      const read = await world.ask("system", "GET", `/api/communities/${slug}`);
      return [made.status, made.json.review_policy, (read.json.access as { review_policy: string }).review_policy];
    };
    expect(await policies("seas", {})).toEqual([201, "closed", "closed"]);
    expect(await policies("oceans", { visibility: "restricted" })).toEqual([201, "closed", "closed"]);
    expect(await policies("rivers", { review_policy: "open" })).toEqual([201, "open", "open"]);
  });

  test("R6a S3.6.123 what is submitted to it waits, and is not published", async () => {
    await admin("POST", "communities", { slug: "lakes", title });
    const send = (method: string, path: string, body: object) =>
      world.ask("registered", method, `/api/records${path}`, {
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const { id } = (await send("POST", "", RECORD)).json as { id: string };
    const receiver = { receiver: { community: "lakes" }, type: "community-submission" };
    expect((await send("PUT", `/${id}/draft/review`, receiver)).status).toBe(200);
    expect((await send("POST", `/${id}/draft/actions/submit-review`, {})).status).toBe(202);
    expect((await world.item(Number(id))).state).toBe("draft");
  });
});

describe("what items are described with", () => {
  type Group = { readonly key: string; readonly label: { readonly en: string } };
  const definitionOf = async (
    id: number,
  ): Promise<{ readonly [name: string]: unknown; readonly groups: readonly Group[] }> =>
    Object((await admin("GET", `item-types/${id}`)).json.definition);

  test("R4 an item type is added from a definition, and a wrong definition is refused with its place", async () => {
    const definition = { ...(await definitionOf(2)), name: { en: "Thesis", ja: "学位論文" } };
    const made = await admin("POST", "item-types", { definition });
    expect([made.status, made.json.version, made.json.name]).toEqual([201, 1, definition.name]);
    expect(Number(made.json.id)).toBeGreaterThan(2);
    await refused("POST", "item-types", { definition: { ...definition, groups: [] } }, 400, "groups");
    await refused("POST", "item-types", {}, 400, "definition is missing");
  });

  test("R4a a field that holds data is not removed, with the count; one that holds none is, as a new version", async () => {
    expect((await world.deposit("admin", tablePackage())).status).toBe(201);
    const full = await definitionOf(1);
    const title = full.groups.find(({ label }) => label.en === "Title");
    const without = (key: string | undefined) => ({
      ...full,
      roCrate: undefined,
      groups: full.groups.filter((group) => group.key !== key),
    });
    const before = (await admin("GET", "item-types/1")).json;
    const answer = await admin("PUT", "item-types/1", { definition: without(title?.key) });
    const expected = [409, expect.stringMatching(/"Title\.Title" \(.*\) in \d+ items?/)];
    expect([answer.status, answer.json.message]).toEqual(expected);
    expect((await admin("GET", "item-types/1")).json.version).toBe(before.version);
    const degree = full.groups.find(({ label }) => label.en.includes("Degree Name"));
    const changed = await admin("PUT", "item-types/1", { definition: without(degree?.key) });
    expect([changed.status, changed.json.version]).toEqual([200, Number(before.version) + 1]);
    expect((await world.deposit("admin", tablePackage())).status).toBe(201);
  });

  test("R4 R29 the RO-Crate mapping of an item type is listed, replaced and taken away; a wrong one is refused with its place", async () => {
    const shipped = await definitionOf(2);
    const definition = { ...shipped, name: { en: "Letter", ja: "手紙" } };
    const { id, version } = (await admin("POST", "item-types", { definition })).json;
    const path = `crate-mappings/${id}`;
    const mappedOf = async () => {
      const { items } = (await admin("GET", "crate-mappings")).json;
      return Object(items).find((each: { readonly id: unknown }) => each.id === id).mapped;
    };
    expect(await mappedOf()).toBe(true);
    const { mapping } = (await admin("GET", path)).json;
    expect(mapping).toEqual(shipped.roCrate);
    const ours = { root: { headline: "title.title" } };
    const changed = await admin("PUT", path, { mapping: ours });
    expect([changed.status, changed.json.version, changed.json.mapping]).toEqual([200, Number(version) + 1, ours]);
    expect((await definitionOf(Number(id))).roCrate).toEqual(ours);
    const unknownField = { mapping: { root: { a: "title.name" } } };
    await refused("PUT", path, unknownField, 400, 'roCrate.root.a "title.name" is not a field');
    await refused("PUT", path, { mapping: 7 }, 400, "mapping");
    await refused("PUT", path, {}, 400, "mapping is missing");
    await refused("PUT", "crate-mappings/77777", { mapping: ours }, 404, "There is no item type");
    expect((await admin("DELETE", path)).status).toBe(204);
    expect([(await admin("GET", path)).status, await mappedOf()]).toEqual([404, false]);
    expect((await definitionOf(Number(id))).groups).toEqual(definition.groups);
  });

  test("R14 a mapping is checked against the item type when it is stored", async () => {
    const definition = {
      rules: [{ "titles[kind=main]": "name[] | text", pubdate: "$(today)" }, { type: "$other | resource-type" }],
    };
    const wrong = { rules: [{ "no.such.place": "name" }] };
    const mapping = { name: "m", kind: "ro-crate", definition };
    await refused("POST", "mappings", { ...mapping, item_type: 2, definition: wrong }, 400, "no.such.place");
    await refused("POST", "mappings", { ...mapping, item_type: 77 }, 400, "item type 77 does not exist");
    const shipped = (await admin("GET", "mappings/1")).json;
    const made = await admin("POST", "mappings", { ...shipped, name: "ours" });
    expect([made.status, made.json.name]).toEqual([201, "ours"]);
    await refused("POST", "mappings", { ...shipped, name: "ours" }, 409, 'the name "ours" already');
    await refused("PUT", "mappings/1", { deleted: true }, 409, "uses it");
    expect((await admin("PUT", `mappings/${made.json.id}`, { deleted: true })).json.deleted).toBe(true);
  });

  test("R16 a workflow that cannot be walked is refused, one that can takes deposits", async () => {
    const name = { en: "Two eyes", ja: "二重確認" };
    const actions = ["start", "item_registration", "approval", "approval", "end"];
    const made = await admin("POST", "workflows", { name, item_type: 1, index: INDEXES.open, actions });
    const expected = [201, actions, { roles: [1, 2], accounts: [], communities: [] }];
    expect([made.status, made.json.actions, made.json.approvers]).toEqual(expected);
    const bad: readonly (readonly [object, string])[] = [
      [{ actions: ["start", "approval", "end", "end"] }, "actions: A workflow has one start and one end"],
      [{ actions: ["start", "jump", "end"] }, "actions[1] must be one of"],
      [{ actions: ["start", "approval", "item_registration", "end"] }, "comes before item_registration"],
      [{ index: 31337 }, "index: index 31337 does not exist"],
      [{ item_type: 31337 }, "item_type: item type 31337 does not exist"],
      [{ delete: { actions: ["start", "item_registration", "end"] } }, "delete.actions: A deletion registers no item"],
      [{ approvers: { roles: [], accounts: [], communities: [] } }, "somebody must be able to approve"],
      [{ approvers: { roles: [], accounts: [31337], communities: [] } }, "account 31337 does not exist"],
      [{ approvers: { roles: [], accounts: [], communities: ["nowhere"] } }, 'community "nowhere" does not exist'],
    ];
    for (const [change, words] of bad) await refused("PUT", `workflows/${made.json.id}`, change, 400, words);
    const approvers = { roles: [], accounts: [], communities: ["c1"] };
    const changed = await admin("PUT", `workflows/${made.json.id}`, { approvers });
    expect(Object(changed.json.approvers).communities).toEqual([COMMUNITY]);
    expect((await admin("PUT", `workflows/${made.json.id}`, { deleted: true, index: 31337 })).status).toBe(200);
  });

  test("R6a an entry is added after the others and changed in place; what is shipped stays", async () => {
    const title = { en: "House licence", ja: "館内利用" };
    const made = await admin("PUT", "vocabularies/licenses/house-1", { title, props: { url: "https://example.org/" } });
    expect([made.status, made.json.title]).toEqual([200, title]);
    const entries = await world.store.communities.vocabulary("licenses");
    expect(entries.at(-1)).toEqual({ type: "licenses", id: "house-1", title, props: { url: "https://example.org/" } });
    await refused("PUT", "vocabularies/licenses/house-2", { props: {} }, 400, "title is missing");
    await refused("DELETE", `vocabularies/licenses/${entries[0]?.id}`, undefined, 409, "the program brings it along");
    expect((await admin("DELETE", "vocabularies/licenses/house-1")).status).toBe(204);
    await refused("DELETE", "vocabularies/licenses/house-1", undefined, 404, "house-1");
    await refused("GET", "vocabularies/nothing", undefined, 404, "nothing");
    expect((await admin("GET", "vocabularies")).json.total).toBe(12);
  });
});

test("R17 each kind of record is listed and read, and a name that another one has is 409", async () => {
  const title = { en: "Twin", ja: "双" };
  await admin("POST", "groups", { name: "One" });
  await admin("POST", "groups", { name: "Two" });
  await admin("POST", "communities", { slug: "twin-one", title });
  await admin("POST", "communities", { slug: "twin-two", title });
  const facets = (await admin("GET", "facets")).json.items as readonly { readonly id: number; readonly name: object }[];
  const groups = (await admin("GET", "groups")).json.items as readonly { readonly id: number; readonly name: string }[];
  const two = groups.find(({ name }) => name === "Two")?.id;
  await refused("PUT", `groups/${two}`, { name: "One" }, 409, 'the name "One" already');
  await refused("PUT", "communities/twin-two", { slug: "twin-one" }, 409, 'slug "twin-one" already');
  await refused("PUT", `facets/${facets[1]?.id}`, { name: facets[0]?.name }, 409, "already");
  await refused("PUT", "institution-schemes/ror", {}, 409, 'There is a institution scheme "ROR" already');
  await refused("PUT", "author-languages/EN", {}, 409, 'There is a language of authors "en" already');
  for (const path of [
    `groups/${two}`,
    `facets/${facets[1]?.id}`,
    "workflows/1",
    "author-schemes/ORCID",
    "institution-schemes/ROR",
    "author-languages/en",
    "vocabularies/licenses",
    "vocabularies/licenses/cc-by-4.0",
    `sword-clients/${world.people.admin.clientId}`,
  ]) {
    const { status, json } = await admin("GET", path);
    expect([path, status, Object.keys(json).length > 0]).toEqual([path, 200, true]);
  }
});

test("R16 R17 every change is in the audit, without secrets", async () => {
  const { id } = world.people.system.account;
  await admin("PUT", "sword-formats/json", { duplicate_check: true });
  const [event] = await world.store.events("sword-format:JSON", 1);
  expect(event).toMatchObject({ action: "sword-format-set", accountId: id, detail: { duplicate_check: true } });
});
