// Pages of communities (R37, R40): list, page, feed, and what their owners and managers do there.
import { beforeAll, describe, expect, test } from "bun:test";
import { csrfIn, type Visitor, visitor } from "../support/world/pages.ts";
import { setUpWorld } from "../support/world.ts";

const messages: string[] = [];
const world = setUpWorld({ repository: { onStatement: (text) => messages.push(text) }, requests: true });
const guest = (lang = "en") => visitor(world.handler, lang);
const signedIn = async (
  who: "registered" | "manager" | "curator" | "other" | "general" | "system",
): Promise<Visitor> => {
  const browser = visitor(world.handler);
  await browser.signIn(world.people[who].token);
  return browser;
};

const ABOUT =
  '<p>We measure <b>rivers</b>.</p><script>alert(1)</script><img src=x onerror="alert(1)"><a href="javascript:alert(1)">x</a>';
let open = { id: "", slug: "" };
let closed = { id: "", slug: "" };
let works: number[] = [];

async function include(record: number, community: string): Promise<void> {
  const body = { communities: [{ id: community }] };
  await world.ok(world.send("manager", "POST", `/api/records/${record}/communities`, body), 200);
}

beforeAll(async () => {
  const metadata = {
    title: "Rivers <of> the north",
    title_ja: "北の川",
    description: "People & rivers",
    type: { id: "project" },
    website: "https://rivers.example/",
    organizations: [{ name: "Kyoto University", id: "02kpeqv85" }, { name: "Old <Lab>" }],
    page: ABOUT,
    curation_policy: "<p>Send us <em>data</em>.</p>",
  };
  const access = { visibility: "public", review_policy: "open" };
  open = await world.ok(
    world.send("manager", "POST", "/api/communities", { slug: "north-rivers", metadata, access }),
    201,
  );
  const hidden = { slug: "hidden-lakes", metadata: { title: "Hidden lakes" }, access: { visibility: "restricted" } };
  closed = await world.ok(world.send("manager", "POST", "/api/communities", hidden), 201);
  const subjects = (text: string) => [{ subject: text }];
  const of = (title: string, subject: string, more: object = {}) => ({
    ...more,
    metadata: { ...METADATA, title, subjects: subjects(subject) },
  });
  const restricted = { access: { record: "restricted", files: "restricted" } };
  works = [
    await world.published("manager", of("Floods of spring", "floods")),
    await world.published("manager", of("Ice in winter", "ice")),
    await world.published("manager", of("Secret springs", "springs", restricted)),
  ];
  for (const work of works) await include(work, open.id);
  await world.published("manager", of("Floods elsewhere", "floods"));
});

const METADATA = {
  publication_date: "2026-01-01",
  resource_type: { id: "publication-article" },
  creators: [{ person_or_org: { type: "personal", family_name: "Sato", given_name: "Hana" } }],
};

describe("the list of communities", () => {
  test("Q.160 shows those the reader may see, with how many of their works they may see", async () => {
    const { status, text } = await guest().get("/communities");
    expect(status).toBe(200);
    expect(text).toContain('<a class="what" href="/communities/north-rivers">Rivers &lt;of&gt; the north</a>');
    expect(text).toMatch(/north-rivers.*People &amp; rivers<\/p><p>2 items · /);
    expect(text).not.toContain("Hidden lakes");
    const member = (await (await signedIn("manager")).get("/communities")).text;
    expect(member).toMatch(/north-rivers.*<p>3 items · /);
    expect(member).toMatch(/Hidden lakes.*Members only.*<p>0 items</);
    expect((await (await signedIn("other")).get("/communities")).text).not.toContain("Hidden lakes");
  });

  test("Q.160 is searched by words and type, in both languages; a list that is invalid is 400", async () => {
    const titles = async (query: string, lang = "en") =>
      [...(await guest(lang).get(`/communities${query}`)).text.matchAll(/class="what"[^>]*>([^<]*)</g)].map(
        ([, one]) => one,
      );
    expect(await titles("?q=northern")).toEqual([]);
    expect(await titles("?q=north")).toEqual(["Rivers &lt;of&gt; the north"]);
    expect(await titles("?q=hidden")).toEqual([]);
    expect(await titles("?q=north&type=project", "ja")).toEqual(["北の川"]);
    expect(await titles("?q=north&type=event")).toEqual([]);
    expect((await guest().get("/communities?sort=none")).status).toBe(400);
    const own = await (await signedIn("manager")).get("/communities?mine=1");
    expect(own.text).toContain("Hidden lakes");
    expect(own.text).toMatch(/role="status">\d+ communities/);
    expect((await (await signedIn("other")).get("/communities?mine=1")).text).toContain("There is no community here");
  });
});

describe("the page of a community", () => {
  test("Q.161 shows what it states about itself, and of its HTML the safe subset", async () => {
    const { status, text } = await guest().get("/communities/north-rivers");
    expect(status).toBe(200);
    expect(text).toContain("<h1>Rivers &lt;of&gt; the north</h1>");
    expect(text).toContain('<a href="https://rivers.example/" rel="nofollow noopener">');
    expect(text).toContain(
      '<a href="https://ror.org/02kpeqv85" rel="nofollow noopener">Kyoto University</a>; Old &lt;Lab&gt;',
    );
    expect(text).toContain("<p>We measure <b>rivers</b>.</p>");
    expect(text).toContain("<p>Send us <em>data</em>.</p>");
    for (const bad of ["alert(1)", "onerror", "javascript:"]) expect([bad, text.includes(bad)]).toEqual([bad, false]);
    expect(text).toContain('href="/deposit?community=north-rivers"');
    expect(text).toContain('href="/communities/north-rivers/join"');
    expect((await guest("ja").get(`/communities/${open.id}`)).text).toContain("<h1>北の川</h1>");
  });

  test("Q.161 its works are searched and narrowed in place, each reader sees their own", async () => {
    const found = async (query: string, browser = guest()) =>
      [
        ...(await browser.get(`/communities/north-rivers${query}`)).text.matchAll(
          /class="what" href="\/records\/(\d+)"/g,
        ),
      ]
        .map(([, id]) => Number(id))
        .sort((one, other) => one - other);
    const [floods = 0, ice = 0, secret = 0] = works;
    expect(await found("")).toEqual([floods, ice]);
    expect(await found("", await signedIn("manager"))).toEqual([floods, ice, secret]);
    expect(await found("?q=floods")).toEqual([floods]);
    expect(await found("?q=elsewhere")).toEqual([]);
    expect(await found("?subject=ice")).toEqual([ice]);
    expect(await found("?subject=ice&q=floods")).toEqual([]);
    const { text } = await guest().get("/communities/north-rivers");
    expect(text).toContain(
      '<a href="/communities/north-rivers?subject=floods#works">floods</a> <span class="kind">(1)</span>',
    );
    expect(text).not.toContain("springs");
    expect(text).toContain(`/search?Community=${open.id}`);
    expect((await guest().get("/communities/north-rivers?page=99999")).status).toBe(400);
  });

  test("Q.160 a restricted one is there for its members and administrators alone", async () => {
    for (const browser of [guest(), await signedIn("other")]) {
      for (const path of ["/communities/hidden-lakes", `/communities/${closed.id}`, "/communities/hidden-lakes/feed"]) {
        const [one, none] = [await browser.get(path), await browser.get("/communities/no-such-one")];
        expect([path, one.status, one.text.includes("Hidden")]).toEqual([path, none.status, false]);
      }
    }
    for (const who of ["manager", "system"] as const) {
      const { status, text } = await (await signedIn(who)).get("/communities/hidden-lakes");
      expect([status, text.includes("<h1>Hidden lakes</h1>"), text.includes("noindex")]).toEqual([200, true, true]);
      expect(text).not.toContain("ld+json");
    }
  });

  test("Q.161 the page of an item leads to its communities, of which each reader sees those they may know of", async () => {
    const [shown = 0, , secret = 0] = works;
    await include(secret, closed.id);
    type Hits = { hits: { hits: { id: string }[] } };
    const waiting = `/api/communities/${closed.id}/requests?is_open=true`;
    const { hits } = await world.ok<Hits>(world.ask("manager", "GET", waiting), 200);
    for (const { id } of hits.hits) await world.ok(world.act("manager", id, "accept"), 200);
    const members = [{ type: "user", id: String(world.people.general.account.id) }];
    await world.ok(
      world.send("manager", "POST", `/api/communities/${open.id}/members`, { members, role: "curator" }),
      204,
    );
    const linked = async (work: number, browser: Visitor) =>
      [...(await browser.get(`/records/${work}`)).text.matchAll(/<li><a href="\/communities\/([\w-]+)"/g)].map(
        ([, slug]) => slug,
      );
    expect(await linked(shown, guest())).toEqual(["north-rivers"]);
    expect(await linked(secret, await signedIn("general"))).toEqual(["north-rivers"]);
    expect((await linked(secret, await signedIn("manager"))).sort()).toEqual(["hidden-lakes", "north-rivers"]);
  });

  test("Q.162 canonical address, schema.org and an Atom feed of what the reader may see", async () => {
    const { text } = await guest().get("/communities/north-rivers?lang=en");
    const address = /<link rel="canonical" href="([^"]+)">/.exec(text)?.[1] ?? "";
    expect(address).toMatch(/^https?:\/\/[^/]+\/communities\/north-rivers$/);
    const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(text)?.[1] ?? "");
    expect(data).toMatchObject({
      "@type": "ResearchProject",
      "@id": address,
      name: "Rivers <of> the north",
      alternateName: "北の川",
      sameAs: "https://rivers.example/",
      parentOrganization: [{ name: "Kyoto University", sameAs: "https://ror.org/02kpeqv85" }, { name: "Old <Lab>" }],
    });
    const feed = await guest().get(/<link rel="alternate"[^>]* href="([^"]+\/feed)"/.exec(text)?.[1] ?? "");
    expect(feed.headers.get("content-type")).toBe("application/atom+xml; charset=utf-8");
    const titles = [...feed.text.matchAll(/<entry>\s*<id>[^<]*<\/id>\s*<title>([^<]*)</g)].map(([, title]) => title);
    expect(titles).toEqual(["Ice in winter", "Floods of spring"]);
    const own = await (await signedIn("manager")).get("/communities/north-rivers/feed");
    expect(own.text).toContain("Secret springs");
  });
});

const SETTINGS = {
  ...{ title: "Bridges", title_ja: "橋", description: "Old ones", type: "topic", website: "https://bridges.example" },
  ...{ organizations: "Kyoto University | 02kpeqv85\r\n\r\nOld Lab", page: "Plain <text>\nof lines" },
  ...{ curation_policy: "<p>All</p><script>x</script>", visibility: "public", members_visibility: "restricted" },
  ...{ member_policy: "closed", record_submission_policy: "closed", review_policy: "members" },
};
type Sent = Readonly<Record<string, string>>;
/** Sends a form of the page at `path`. */
async function send(browser: Visitor, path: string, fields: Sent, from = path) {
  const csrf = csrfIn((await browser.get(from)).text);
  const { status, text, headers } = await browser.post(path, { csrf, ...fields });
  return { status, text, to: headers.get("location") ?? "" };
}
const read = (slug: string) =>
  world.ok<Record<string, unknown>>(world.ask("manager", "GET", `/api/communities/${slug}`), 200);

describe("making a community and its settings", () => {
  test("Q.163 a person makes one by a form, and what is wrong is at its field with everything that was typed", async () => {
    const browser = await signedIn("registered");
    expect((await guest().get("/community/new")).headers.get("location")).toBe(
      "/account/login?return_to=%2Fcommunity%2Fnew",
    );
    const wrong = await send(browser, "/community/new", {
      ...SETTINGS,
      slug: "Old Bridges",
      title: " ",
      website: "none",
    });
    expect(wrong.status).toBe(400);
    for (const field of ["slug", "title", "website"])
      expect([field, wrong.text.includes(`href="#${field}"`)]).toEqual([field, true]);
    expect(wrong.text).toContain("Plain &lt;text&gt;\r\nof lines".replace("\r", ""));
    expect(wrong.text).toContain('value="Old Bridges"');
    const made = await send(browser, "/community/new", { ...SETTINGS, slug: "bridges" });
    expect([made.status, made.to]).toEqual([303, "/communities/bridges?done=made"]);
    expect((await browser.get(made.to)).text).toContain("You are its owner.");
    expect(await read("bridges")).toMatchObject({
      metadata: {
        ...{ title: "Bridges", title_ja: "橋", description: "Old ones", type: { id: "topic" } },
        website: "https://bridges.example",
        organizations: [{ name: "Kyoto University", id: "02kpeqv85" }, { name: "Old Lab" }],
        page: "Plain &lt;text&gt;<br>of lines",
        curation_policy: "<p>All</p>",
      },
      access: {
        ...{ visibility: "public", members_visibility: "restricted", member_policy: "closed" },
        ...{ record_submission_policy: "closed", review_policy: "members" },
      },
    });
    const twice = await send(browser, "/community/new", { ...SETTINGS, slug: "bridges" });
    expect([twice.status, twice.text.includes('href="#slug"')]).toEqual([400, true]);
  });

  test("Q.163 owners alone open and save settings; an earlier state is 412 and keeps what was typed", async () => {
    const [owner, other] = [await signedIn("registered"), await signedIn("other")];
    const at = "/communities/bridges/settings";
    for (const path of [at, "/communities/bridges/delete"]) expect((await other.get(path)).status).toBe(403);
    expect((await other.get("/communities/bridges")).text).not.toContain(`href="${at}"`);
    const { text } = await owner.get(at);
    expect(text).toContain("Kyoto University | 02kpeqv85\nOld Lab");
    const base = /name="base" value="(\d+)"/.exec(text)?.[1] ?? "";
    const saved = await send(owner, at, {
      ...SETTINGS,
      base,
      title: "Bridges & dams",
      title_ja: "",
      visibility: "restricted",
    });
    expect([saved.status, saved.to]).toEqual([303, "/communities/bridges/settings?done=saved"]);
    const json = await world.ok<object>(world.ask("system", "GET", "/api/communities/bridges"), 200);
    expect(json).toMatchObject({ metadata: { title: "Bridges & dams" }, access: { visibility: "restricted" } });
    expect(json).not.toHaveProperty("metadata.title_ja");
    const late = await send(owner, at, { ...SETTINGS, base, title: "Late" });
    expect([late.status, late.text.includes('value="Late"'), late.text.includes("Somebody else has changed")]).toEqual([
      ...[412, true, true],
    ]);
    expect((await other.post(at, { csrf: csrfIn((await other.get("/account/tokens")).text), title: "x" })).status).toBe(
      404,
    );
  });

  test("Q.163 another short name, and the end: what stays is stated, and a community with open requests stays", async () => {
    const owner = await signedIn("registered");
    const settings = "/communities/bridges/settings";
    expect((await send(owner, "/communities/bridges/rename", { slug: "north-rivers" }, settings)).text).toContain(
      'href="#slug"',
    );
    const renamed = await send(owner, "/communities/bridges/rename", { slug: "dams" }, settings);
    expect([renamed.status, renamed.to]).toEqual([303, "/communities/dams/settings?done=renamed"]);
    expect((await owner.get("/communities/bridges")).status).toBe(404);
    const page = await owner.get("/communities/dams/delete");
    expect(page.text).toContain("Items of the community and their indexes stay");
    const unsure = await send(owner, "/communities/dams/delete", { confirm: "bridges" });
    expect([unsure.status, unsure.text.includes('href="#confirm"')]).toEqual([400, true]);
    const who = String(world.people.other.account.id);
    await send(owner, "/communities/dams/invitations", { who, role: "reader", message: "" });
    const busy = await send(owner, "/communities/dams/delete", { confirm: "dams" });
    expect([busy.status, busy.text.includes("There is 1 request open")]).toEqual([400, true]);
    const request = /href="\/requests\/([\da-f-]{36})"/.exec(
      (await owner.get("/communities/dams/invitations")).text,
    )?.[1];
    expect((await send(owner, `/requests/${request}/cancel`, {}, "/communities/dams/invitations")).status).toBe(303);
    const gone = await send(owner, "/communities/dams/delete", { confirm: "dams" });
    expect([gone.status, gone.to]).toEqual([303, "/communities?done=deleted"]);
    expect((await owner.get(gone.to)).text).toContain("The community is deleted.");
    // It was restricted: for those who were its members it is not there.
    expect((await owner.get("/communities/dams")).status).toBe(404);
    const system = await signedIn("system");
    for (const part of ["", "/feed", "/members", "/invitations", "/requests", "/settings", "/delete"]) {
      expect([part, (await system.get(`/communities/dams${part}`)).status]).toEqual([part, 410]);
    }
  });
});

describe("members, invitations and requests of a community", () => {
  test("Q.164 members are listed by their rights to know of them, changed, hidden and removed", async () => {
    const { id, slug } = await world.community();
    const at = `/communities/${slug}/members`;
    const [owner, reader] = [await signedIn("manager"), await signedIn("general")];
    const curator = String(world.people.curator.account.id);
    const own = String(world.people.general.account.id);
    expect((await guest().get(at)).text).toContain("Nobody here wants to be seen");
    expect((await send(reader, at, { do: "show", member: own })).to).toBe(`${at}?done=changed`);
    const seen = (await guest().get(at)).text;
    expect([seen.includes('<th scope="row">'), seen.includes("Curator"), seen.includes("<form method")]).toEqual([
      true,
      false,
      false,
    ]);
    expect((await guest().get(`/communities/${slug}`)).text).toContain('id="members"');
    const asReader = (await reader.get(at)).text;
    expect([asReader.includes("Curator"), asReader.includes('value="role"'), asReader.includes("Leave this")]).toEqual([
      true,
      false,
      true,
    ]);
    expect((await send(owner, at, { do: "role", member: curator, role: "manager" })).status).toBe(303);
    expect((await send(owner, at, { do: "role", member: curator, role: "king" })).status).toBe(400);
    const last = await send(owner, at, { do: "remove", member: String(world.people.manager.account.id) });
    expect([last.status, last.text.includes("at least one owner")]).toEqual([400, true]);
    expect((await send(reader, at, { do: "remove", member: curator })).status).toBe(403);
    expect((await send(owner, at, { do: "hide", member: own })).status).toBe(303);
    expect((await send(owner, at, { do: "remove", member: curator })).to).toBe(`${at}?done=removed`);
    expect((await send(reader, at, { do: "remove", member: own })).to).toBe("/communities?done=left");
    const left = await world.ok<{ hits: { hits: { role: string }[] } }>(
      world.ask("manager", "GET", `/api/communities/${id}/members`),
      200,
    );
    expect(left.hits.hits.map(({ role }) => role)).toEqual(["owner"]);
    const hidden = await world.community({ members_visibility: "restricted" });
    expect((await guest().get(`/communities/${hidden.slug}/members`)).status).toBe(403);
    expect((await guest().get(`/communities/${hidden.slug}`)).text).not.toContain("/members");
  });

  test("Q.164 managers invite by the number of an account; an invitation is accepted on its page", async () => {
    const { slug } = await world.community();
    const at = `/communities/${slug}/invitations`;
    const [owner, other] = [await signedIn("manager"), await signedIn("other")];
    expect([(await other.get(at)).status, (await (await signedIn("curator")).get(at)).status]).toEqual([403, 403]);
    for (const who of ["nobody", "987654", "a@example.org"]) {
      const wrong = await send(owner, at, { who, role: "curator", message: "Come" });
      expect([who, wrong.status, wrong.text.includes('href="#who"')]).toEqual([who, 400, true]);
    }
    const sent = await send(owner, at, {
      who: String(world.people.other.account.id),
      role: "curator",
      message: "Join <us>",
    });
    expect([sent.status, sent.to]).toEqual([303, `${at}?done=invited`]);
    const page = (await owner.get(sent.to)).text;
    const request = /href="\/requests\/([\da-f-]{36})"/.exec(page)?.[1];
    expect(page).toContain(`action="/requests/${request}/cancel"`);
    const asked = await other.get(`/requests/${request}`);
    expect(asked.text).toContain("Join &lt;us&gt;");
    expect((await send(other, `/requests/${request}/accept`, {}, `/requests/${request}`)).status).toBe(303);
    expect((await other.get(`/communities/${slug}/requests`)).status).toBe(200);
  });

  test("Q.165 those who decide see the open and the closed requests of their community, each leading to its decision", async () => {
    const { id, slug } = await world.community();
    const { request } = await world.submitted(id);
    const [curator, reader] = [await signedIn("curator"), await signedIn("general")];
    const at = `/communities/${slug}/requests`;
    expect((await reader.get(at)).status).toBe(403);
    expect((await curator.get(`/communities/${slug}`)).text).toContain(`href="${at}"`);
    expect((await curator.get(at)).text).toContain(`href="/requests/${request.id}"`);
    expect((await curator.get(`${at}?closed=1`)).text).toContain("There is no request here.");
    await world.ok(world.act("curator", request.id, "decline"), 200);
    expect((await curator.get(at)).text).not.toContain(request.id);
    expect((await curator.get(`${at}?closed=1`)).text).toContain(request.id);
    for (const page of ["requests", "invitations", "members"]) {
      const list = await (await signedIn("manager")).get(`/communities/${slug}/${page}?page=9999`);
      expect([page, list.status]).toEqual([page, 400]);
    }
  });
});

test("Q.163 P.198 what pages refuse is in the language of the page, next to its field", async () => {
  const ja = guest("ja");
  await ja.signIn(world.people.manager.token);
  const { slug } = await world.community();
  const english = /(?:^|>)[A-Z][a-z]+ [a-z]+ [^<]*\.</;
  const wrong: readonly (readonly [string, Sent])[] = [
    ["/community/new", { ...SETTINGS, slug: "Nö", title: "", type: "none", website: "none", organizations: "|" }],
    ["/community/new", { ...SETTINGS, slug: "north-rivers" }],
    [`/communities/${slug}/members`, { do: "remove", member: String(world.people.manager.account.id) }],
    [`/communities/${slug}/members`, { do: "role", member: String(world.people.manager.account.id), role: "reader" }],
    [`/communities/${slug}/members`, { do: "show", member: String(world.people.general.account.id) }],
    [`/communities/${slug}/members`, { do: "none", member: String(world.people.general.account.id) }],
    [`/communities/${slug}/invitations`, { who: "987654", role: "reader" }],
    [`/communities/${slug}/invitations`, { who: String(world.people.general.account.id), role: "reader" }],
  ];
  for (const [path, fields] of wrong) {
    const { status, text } = await send(ja, path, fields);
    const summary = /<div class="note gone" role="alert".*?<\/div>/s.exec(text)?.[0] ?? "";
    expect([path, fields, status, summary !== "", english.exec(summary)]).toEqual([path, fields, 400, true, null]);
    expect([path, summary.includes('lang="en"')]).toEqual([path, false]);
  }
});

describe("the picture of a community", () => {
  const PNG = Uint8Array.from(
    Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    ),
  );
  const GIF = Uint8Array.from(Buffer.from("R0lGODlhAQABAAAAACwAAAAAAQABAAA=", "base64"));
  const put = (who: "manager" | "curator", slug: string, body: Uint8Array<ArrayBuffer> | string) =>
    world.ask(who, "PUT", `/api/communities/${slug}/logo`, { body, headers: { "content-type": "image/png" } });
  const upload = async (browser: Visitor, slug: string, content: string, token?: string) => {
    const csrf = token ?? csrfIn((await browser.get(`/communities/${slug}/settings`)).text);
    return await browser.send(`/communities/${slug}/logo`, {
      method: "POST",
      headers: { "content-type": "multipart/form-data; boundary=b" },
      body: [
        ...["--b", 'Content-Disposition: form-data; name="csrf"', "", csrf],
        ...["--b", 'Content-Disposition: form-data; name="file"; filename="a.png"', "", content, "--b--", ""],
      ].join("\r\n"),
    });
  };

  test("Q.166 is what its bytes are, of its owners alone, and is served so that nothing runs in it", async () => {
    const { id, slug } = await world.community();
    const none = await world.ask("manager", "GET", `/api/communities/${slug}/logo`);
    expect([none.status, none.json.message]).toEqual([404, "The community has no logo."]);
    expect((await put("curator", slug, PNG)).status).toBe(403);
    for (const body of ["<svg xmlns='http://www.w3.org/2000/svg'/>", "<html>", "RIFF1234WAVE", "%PDF-1.4", ""]) {
      const refused = await put("manager", slug, body);
      expect([body, refused.status, JSON.stringify(refused.json.errors)]).toEqual([
        body,
        400,
        expect.stringContaining("PNG, JPEG, WebP or GIF"),
      ]);
    }
    const large = new Uint8Array(1_000_001);
    large.set(PNG);
    expect((await put("manager", slug, large)).status).toBe(413);
    const stored = await put("manager", slug, PNG);
    expect([stored.status, stored.json]).toMatchObject([200, { key: "logo", mimetype: "image/png", size: PNG.length }]);
    const address = `/communities/${slug}/logo`;
    for (const path of [`/api${address}`, address, `/communities/${id}/logo`]) {
      const answer = await guest().get(path);
      const header = (name: string) => answer.headers.get(name);
      expect([path, answer.status, header("content-type"), header("x-content-type-options")]).toEqual([
        path,
        200,
        "image/png",
        "nosniff",
      ]);
      expect(header("content-security-policy")).toBe("default-src 'none'; sandbox");
      expect((await guest().get(path, { "if-none-match": header("etag") ?? "" })).status).toBe(304);
    }
    const shown =
      /<img class="logo" src="([^"]+)" alt=""/.exec((await guest().get(`/communities/${slug}`)).text)?.[1] ?? "";
    expect(shown).toMatch(/\/logo\?v=[0-9a-f]{16}$/);
    expect((await guest().get("/communities?sort=newest")).text).toContain(`src="${shown}"`);
    expect((await guest().get(shown)).headers.get("cache-control")).toContain("immutable");
    await put("manager", slug, GIF);
    const other = await guest().get(shown);
    expect([other.headers.get("content-type"), other.headers.get("cache-control")]).toEqual([
      "image/gif",
      "private, no-cache",
    ]);
    expect((await world.ask("curator", "DELETE", `/api${address}`)).status).toBe(403);
    expect((await world.ask("manager", "DELETE", `/api${address}`)).status).toBe(204);
    expect((await world.ask("manager", "DELETE", `/api${address}`)).status).toBe(404);
    expect((await guest().get(address)).status).toBe(404);
  });

  test("Q.166 of a restricted community its members alone see it; it goes with the community", async () => {
    const { id, slug } = await world.community({ visibility: "restricted" });
    await world.ok(put("manager", slug, PNG), 200);
    const address = `/communities/${slug}/logo`;
    expect([(await guest().get(address)).status, (await (await signedIn("other")).get(address)).status]).toEqual([
      404, 404,
    ]);
    expect((await (await signedIn("general")).get(address)).status).toBe(200);
    await world.ok(world.send("manager", "DELETE", `/api/communities/${slug}`), 204);
    expect((await world.store.communities.logos([id])).size).toBe(0);
    const gone = await signedIn("system");
    expect((await gone.get(address)).status).toBe(410);
  });

  test("Q.166 owners upload and remove it by a form; what is wrong is at its field", async () => {
    const { slug } = await world.community();
    const [owner, curator] = [await signedIn("manager"), await signedIn("curator")];
    const wrong = [
      ["", 400],
      ["<svg/>", 400],
      ["x".repeat(1_100_000), 413],
    ] as const;
    for (const [content, status] of wrong) {
      const refused = await upload(owner, slug, content);
      expect([refused.status, refused.text.includes('href="#file"')]).toEqual([status, true]);
    }
    const png = "\u0089PNG\r\n\u001a\n";
    expect((await upload(owner, slug, png, "none")).status).toBe(403);
    expect((await upload(curator, slug, png, csrfIn((await curator.get("/account/tokens")).text))).status).toBe(403);
    // A form in text keeps ASCII alone as it is, which a GIF begins with.
    const saved = await upload(owner, slug, "GIF89a123");
    expect([saved.status, saved.headers.get("location")]).toEqual([303, `/communities/${slug}/settings?done=logo`]);
    const removed = await send(owner, `/communities/${slug}/logo/delete`, {}, `/communities/${slug}/settings`);
    expect([removed.status, removed.to]).toEqual([303, `/communities/${slug}/settings?done=unlogo`]);
    expect((await send(owner, `/communities/${slug}/logo/delete`, {}, `/communities/${slug}/settings`)).status).toBe(
      404,
    );
  });
});

test("R9b Q.160 the statements of a list are as many for many communities and works as for one", async () => {
  for (let made = 0; made < 4; made += 1) await world.community();
  const asked = async (path: string, shown: number): Promise<number> => {
    await guest().get(path);
    messages.length = 0;
    const { text } = await guest().get(path);
    const found = [...text.matchAll(/<a class="what"/g)].length;
    expect([path, shown === 1 ? found === 1 : found >= shown]).toEqual([path, true]);
    // What the search index has not seen yet is looked up whenever it likes.
    return messages.filter((each) => !/\bitem_change\b|^(?:begin|start|commit)/.test(each)).length;
  };
  const counts = [await asked("/communities?type=project", 1), await asked("/communities", 4)];
  expect([counts[0], Math.max(...counts) < 9]).toEqual([counts[1], true]);
  const at = "/communities/north-rivers";
  expect(await asked(`${at}?subject=ice`, 1)).toBe(await asked(at, 2));
});
