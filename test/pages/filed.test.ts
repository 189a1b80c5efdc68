// Pages of people, subjects, funders and licences (R40): counts and items are those that the reader may see.
import { beforeAll, describe, expect, test } from "bun:test";
import type { Metadata } from "../../src/model/metadata/metadata.ts";
import { anAgent } from "../support/world/authors.ts";
import { RESTRICTED, titled } from "../support/world/items.ts";
import { setUpWorld } from "../support/world.ts";

const ROR = { scheme: "ROR", value: "https://ror.org/05dxps055" };
const FISHERY: Partial<Metadata> = {
  type: { id: "dataset", label: "dataset" },
  publicationDate: "2021-04-01",
  subjects: [
    { text: { value: "Fisheries", lang: "en" }, scheme: "LCSH", uri: "https://id.loc.gov/subjects/fish" },
    { text: { value: "漁業", lang: "ja" } },
    { text: { value: "A/B & C?", lang: "en" } },
  ],
  funding: [
    {
      funder: {
        names: [
          { value: "Sea Fund", lang: "en" },
          { value: "海洋基金", lang: "ja" },
        ],
        ids: [ROR],
      },
    },
  ],
  rights: [{ id: "cc-by-4.0", text: [], uri: "https://creativecommons.org/licenses/by/4.0/" }],
};

const statements: string[] = [];
const world = setUpWorld({ pages: { onStatement: (text: string) => void statements.push(text) } });
const [ids, people] = [new Map<string, number>(), new Map<string, number>()];
const get = (path: string, lang = "") => world.visitor(lang).get(path, { accept: "text/html" });

beforeAll(async () => {
  const admin = world.visitor();
  await admin.signIn(await world.token(world.admin));
  const csrf = /name="csrf" value="([^"]+)"/.exec((await admin.get("/authors/new")).text)?.[1] ?? "";
  const made = async (family: string, given: string, more: Readonly<Record<string, string>> = {}) => {
    const names = { "n.0.language": "en", "n.0.familyName": family, "n.0.firstName": given, "n.0.show": "true" };
    const { headers } = await admin.post("/authors/new/edit", { csrf, ...names, ...more });
    people.set(family, Number(/\d+$/.exec(headers.get("location") ?? "")?.[0]));
  };
  const orcid = { "i.0.type": "ORCID", "i.0.value": "0000-0002-1825-0097", "i.0.show": "true" };
  const kanji = { "n.1.language": "ja", "n.1.familyName": "海野", "n.1.firstName": "花", "n.1.show": "true" };
  await made("Umino", "Hana", { ...orcid, ...kanji });
  const secret = { "n.1.language": "en", "n.1.familyName": "Pseudonym", "n.1.firstName": "P" };
  await made("Katsuo", "Jun", secret);
  await made("Hidden", "Nobody");
  const by = (...names: readonly string[]) =>
    names.map((name) => anAgent({ authorId: people.get(name) ?? 0, names: [{ family: name, lang: "en" }] }));
  const publish = async (title: string, more: Partial<Metadata>, restricted = false) => {
    const access = restricted ? { access: RESTRICTED } : {};
    ids.set(title, (await world.publish({ metadata: titled(title, more), ...access })).id);
  };
  await publish("Catches", { ...FISHERY, creators: by("Umino", "Katsuo") });
  await publish("Nets", { ...FISHERY, publicationDate: "2019", creators: by("Umino") });
  await publish("Boats", { subjects: [{ text: { value: "Boats" } }], creators: by("Katsuo") });
  const secrets = { ...FISHERY, subjects: [{ text: { value: "Secrets" } }, { text: { value: "Fisheries" } }] };
  await publish("Not for guests", { ...secrets, creators: by("Hidden", "Umino") }, true);
});

describe("subjects, funders and licences", () => {
  test("Q.140 R48 values are listed with the counts of what the reader may see, the most frequent first", async () => {
    const { status, text } = await get("/subjects");
    expect(status).toBe(200);
    const listed = [...text.matchAll(/href="\/subjects\?is=([^"]+)">[^<]+<\/a> <span class="kind">\(([^)]+)\)/g)];
    const values = listed.map(([, value = "", count = ""]) => [new URLSearchParams(`is=${value}`).get("is"), count]);
    expect(
      values
        .slice(0, 3)
        .map(([value, count]) => [value, count])
        .toSorted(),
    ).toEqual([
      ["A/B & C?", "2 items"],
      ["Fisheries", "2 items"],
      ["漁業", "2 items"],
    ]);
    expect(values).toContainEqual(["Boats", "1 item"]);
    expect(text).not.toContain("Secrets");
    const owner = world.visitor();
    await owner.signIn(await world.token(world.owner));
    const own = (await owner.get("/subjects", { accept: "text/html" })).text;
    expect([own.includes("Secrets"), own.includes("(3 items)")]).toEqual([true, true]);
  });

  test("Q.140 values are found by how they begin, in any script", async () => {
    for (const [begins, found, not] of [
      ["fish", "Fisheries", "Boats"],
      ["漁", "漁業", "Boats"],
      ["boa", "Boats", "Fisheries"],
    ]) {
      const { text } = await get(`/subjects?begins=${encodeURIComponent(begins ?? "")}`);
      expect([begins, text.includes(`>${found}</a>`), text.includes(`>${not}</a>`)]).toEqual([begins, true, false]);
    }
    expect((await get("/subjects?begins=nothing+begins+so")).text).toContain("There are none.");
    expect((await get("/funders?begins=sea")).text).toContain(">Sea Fund</a>");
    expect((await get("/licences", "ja")).text).toContain("ライセンス");
  });

  test("Q.141 the page of a value has its items, what it is elsewhere, other names, search and feed", async () => {
    const subject = await get(`/subjects?is=${encodeURIComponent("Fisheries")}`);
    expect([subject.status, subject.text.includes("<h1>Fisheries</h1>")]).toEqual([200, true]);
    for (const part of [
      "LCSH",
      'href="https://id.loc.gov/subjects/fish"',
      `/records/${ids.get("Nets")}`,
      "DefinedTerm",
    ]) {
      expect([part, subject.text.includes(part)]).toEqual([part, true]);
    }
    expect(subject.text).not.toContain(`/records/${ids.get("Not for guests")}`);
    const funder = await get("/funders?is=Sea+Fund");
    expect([
      funder.text.includes('<li lang="ja">海洋基金</li>'),
      funder.text.includes("https://ror.org/05dxps055"),
    ]).toEqual([true, true]);
    const licence = await get("/licences?is=cc-by-4.0");
    expect(licence.text).toContain("Creative Commons Attribution 4.0 International");
    for (const value of ["A/B & C?", "漁業"]) {
      expect((await get(`/subjects?is=${encodeURIComponent(value)}`)).status).toBe(200);
    }
    for (const value of ["Secrets", "fisheries", "<b>", "x".repeat(5_000), "%00"]) {
      expect([value.slice(0, 9), (await get(`/subjects?is=${encodeURIComponent(value)}`)).status]).toEqual([
        value.slice(0, 9),
        404,
      ]);
    }
  });

  test("Q.141 an unknown value is not found, and a page out of reach is refused, for each kind", async () => {
    for (const [kind, value] of [
      ["subjects", "Fisheries"],
      ["funders", "Sea Fund"],
      ["licences", "cc-by-4.0"],
    ]) {
      const statuses: number[] = [];
      for (const query of [{ is: "none" }, { is: value ?? "", page: "9999" }]) {
        statuses.push((await get(`/${kind}?${new URLSearchParams(query as Record<string, string>)}`)).status);
      }
      expect([kind, ...statuses]).toEqual([kind, 404, 400]);
    }
  });

  test("Q.141 search and feed by a value have exactly its items, also for several kinds at once", async () => {
    const feed = await get(`/api/opensearch/search?subject_is=${encodeURIComponent("A/B & C?")}&format=atom`);
    const links = [...feed.text.matchAll(/\/records\/(\d+)"/g)].map(([, id]) => Number(id));
    expect(new Set(links)).toEqual(new Set([ids.get("Catches") ?? 0, ids.get("Nets") ?? 0]));
    const search = await get("/search?funder_is=Sea+Fund&license_is=cc-by-4.0&subject_is=Boats");
    expect(search.text).toContain("No items");
  });
});

describe("people", () => {
  test("Q.142 people are listed by how many items the reader may see; who has none is not listed", async () => {
    const { text } = await get("/persons");
    expect(text.indexOf("Umino")).toBeLessThan(text.indexOf("Katsuo"));
    expect(text).toContain(`href="/authors/${people.get("Umino")}"`);
    expect([text.includes("0000-0002-1825-0097"), text.includes("Hidden")]).toEqual([true, false]);
  });

  test("Q.2 Q.264 the first page counts the people of the items that guests may see", async () => {
    expect((await get("/")).text).toContain("<dt>People</dt><dd>2</dd>");
  });

  test("Q.142 they are found by any shown name and by ORCID iD, never by a name that is not shown", async () => {
    for (const [name, finds] of [
      ["umi", true],
      ["Hana", true],
      ["海野", true],
      ["https://orcid.org/0000-0002-1825-0097", true],
      ["Pseudonym", false],
      ["Hidden", false],
      ["%", false],
    ] as const) {
      const { status, text } = await get(`/persons?name=${encodeURIComponent(name)}`);
      expect([name, status, text.includes("Nobody was found")]).toEqual([name, 200, !finds]);
    }
    expect((await get("/persons", "ja")).text).toContain("海野 花");
  });

  test("Q.143 the page of a person counts works by type and year, and names people in the same items", async () => {
    const { text } = await get(`/authors/${people.get("Umino")}`);
    expect(text).toContain('Dataset</a> <span class="kind">(2 items)</span>');
    expect(text.indexOf(">2021</a>")).toBeLessThan(text.indexOf(">2019</a>"));
    expect(text).toContain(`href="/authors/${people.get("Katsuo")}"`);
    expect(text).not.toContain(`href="/authors/${people.get("Hidden")}"`);
    const narrowed = /href="([^"]+)">2019<\/a>/.exec(text)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const hits = (await get(narrowed)).text;
    expect([hits.includes(`/records/${ids.get("Nets")}`), hits.includes(`/records/${ids.get("Catches")}`)]).toEqual([
      true,
      false,
    ]);
  });

  test("Q.144 R9b no page runs more statements where it lists more", async () => {
    const paths = [
      "/persons",
      "/subjects",
      "/subjects?is=Boats",
      "/funders",
      "/licences",
      `/authors/${people.get("Katsuo")}`,
    ];
    // The fewest of several: jobs run statements of their own.
    const count = async (path: string): Promise<number> => {
      const counts: number[] = [];
      for (let time = 0; time < 12; time++) {
        const before = statements.length;
        expect((await get(path)).status).toBe(200);
        counts.push(statements.length - before);
      }
      return Math.min(...counts);
    };
    const few = new Map<string, number>();
    for (const path of paths) few.set(path, await count(path));
    for (let at = 0; at < 25; at++) {
      const funder = { names: [{ value: `Fund ${at}`, lang: "en" }], ids: [] };
      const right = { id: `licence-${at}`, text: [] };
      const creators = [anAgent({ authorId: people.get("Katsuo") ?? 0 })];
      const subjects = [{ text: { value: `Subject ${at}` } }, { text: { value: "Boats" } }];
      await world.publish({
        metadata: titled(`More ${at}`, { funding: [{ funder }], rights: [right], creators, subjects }),
      });
    }
    for (const path of paths) {
      expect([path, await count(path)]).toEqual([path, few.get(path) ?? 0]);
    }
  });
});
