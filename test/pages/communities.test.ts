// Pages of communities (R37, R40): list, page, feed, and what their owners and managers do there.
import { beforeAll, describe, expect, test } from "bun:test";
import { type Visitor, visitor } from "../support/world/pages.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ repository: {}, requests: true });
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
    expect(text).toMatch(/north-rivers.*People &amp; rivers<\/p><p>2 works · /);
    expect(text).not.toContain("Hidden lakes");
    const member = (await (await signedIn("manager")).get("/communities")).text;
    expect(member).toMatch(/north-rivers.*<p>3 works · /);
    expect(member).toMatch(/Hidden lakes.*Members only.*<p>0 works</);
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
