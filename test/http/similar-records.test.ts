// Records that are about the same (R27g; issue of finding, "related by content"): over HTTP, by the tool and on the
// landing page, on both databases, for everybody what they may see.
import { beforeAll, describe, expect, test } from "bun:test";
import { cpuMs } from "../support/cpu-time.ts";
import { onEachDatabase } from "../support/databases.ts";
import { METADATA, recordCalls } from "../support/record-calls.ts";
import { manyGuests, takenApart, toolCalls } from "../support/tool-calls.ts";
import type { Who } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

type Work = {
  readonly title: string;
  readonly description?: string;
  readonly subjects?: readonly string[];
  readonly language?: string;
  readonly isRestricted?: boolean;
};
const bodyOf = ({ title, description, subjects = [], language = "eng", isRestricted = false }: Work) => ({
  metadata: {
    ...METADATA,
    title,
    languages: [{ id: language }],
    subjects: subjects.map((subject) => ({ subject })),
    ...(description === undefined ? {} : { description }),
  },
  files: { enabled: false },
  access: { record: isRestricted ? "restricted" : "public", files: "public" },
});

/** The judged collection: two near-duplicates, the topic in other words and languages, and what has nothing to do with it. */
const WORKS = {
  reefs: {
    title: "Bleaching of coral reefs in warming seas",
    description: "Coral reefs lose their algae where water grows warmer; surveys of bleaching over ten years.",
    subjects: ["Coral bleaching", "Ocean warming"],
  },
  duplicate: {
    title: "Bleaching of coral reefs in warming seas: a second survey",
    description: "Ten more years of surveys of bleaching.",
    subjects: ["Coral bleaching"],
  },
  inflected: { title: "A coral reef and what bleached it", description: "One reef, surveyed twice." },
  japanese: {
    title: "サンゴの白化と海水温",
    description: "沖縄におけるサンゴの白化を調査した。",
    subjects: ["Coral bleaching", "サンゴ"],
    language: "jpn",
  },
  okinawa: { title: "沖縄のサンゴ礁の白化調査", language: "jpn" },
  restricted: { title: "Unpublished bleaching of coral reefs", subjects: ["Coral bleaching"], isRestricted: true },
  medieval: { title: "Charters of a medieval town", description: "Seals and scribes.", subjects: ["Charters"] },
  towns: { title: "Medieval towns and their charters", subjects: ["Charters"] },
  poems: { title: "Poems of the north", description: "A coral necklace is mentioned once." },
  silent: { title: "1984" },
  prices: { title: "Prices of grain", description: "Harvests and markets." },
  bridges: { title: "鋼橋の設計", language: "jpn" },
} as const satisfies Readonly<Record<string, Work>>;
type Name = keyof typeof WORKS;

onEachDatabase("R27g similar records", (database) => {
  const world = setUpWorld({
    repository: { env: { SVC_RATE_PER_MINUTE: "0" } },
    tools: true,
    database,
  });
  const calls = recordCalls(world);
  const { resultOf, refused } = takenApart(toolCalls(manyGuests(world)));
  const ids = new Map<Name, string>();
  const idOf = (name: Name): string => ids.get(name) ?? "";
  beforeAll(async () => {
    for (const name of Object.keys(WORKS) as Name[]) {
      ids.set(name, await calls.published("registered", bodyOf(WORKS[name])));
    }
  });

  const namesOf = (found: readonly { readonly id?: unknown }[]): readonly string[] =>
    found.map(({ id }) => [...ids].find(([, each]) => each === id)?.[0] ?? `${id}`);
  async function similar(who: Who, id: string, parameters = ""): Promise<readonly string[]> {
    const { status, json } = await calls.call(who, "GET", `/${id}/similar${parameters}`);
    expect([status, json.hits.total]).toEqual([200, json.hits.hits.length]);
    return namesOf(json.hits.hits);
  }
  const page = async (who: Who, id: string) => {
    const { text } = await world.ask(who, "GET", `/records/${id}`);
    const [, section = ""] = text.split('<h2 id="related">');
    return {
      text,
      section,
      ids: [...section.matchAll(/class="what" href="[^"]*\/records\/(\d+)"/g)].map(([, id]) => id),
    };
  };

  describe("the list", () => {
    test("S3.6.238 near-duplicates first, then the topic in other languages and forms, nothing that is about something else", async () => {
      expect(await similar(null, idOf("reefs"))).toEqual(["duplicate", "japanese", "inflected"]);
      expect(await similar(null, idOf("okinawa"))).toEqual(["japanese"]);
      expect([...(await similar(null, idOf("japanese")))].sort()).toEqual([
        "duplicate",
        "inflected",
        "okinawa",
        "reefs",
      ]);
      expect(await similar(null, idOf("medieval"))).toEqual(["towns"]);
    });

    test("S3.6.238 an item without telling words, or whose words nothing else has, has none", async () => {
      for (const name of ["silent", "prices", "bridges"] as const) expect(await similar(null, idOf(name))).toEqual([]);
    });

    test("S3.6.239 guests see what is public, the owner and those it is shared with the rest; others' drafts nobody", async () => {
      expect(await similar("registered", idOf("reefs"))).toContain("restricted");
      expect(await similar("other", idOf("reefs"))).not.toContain("restricted");
      expect((await calls.call(null, "GET", `/${idOf("restricted")}/similar`)).status).toBe(403);
      const grants = [{ subject: { type: "user", id: String(world.people.other.account.id) }, permission: "view" }];
      const shared = await calls.call("registered", "POST", `/${idOf("restricted")}/access/grants`, { grants });
      expect(shared.status).toBe(201);
      expect(await similar("other", idOf("reefs"))).toContain("restricted");
      expect(await similar("other", idOf("restricted"))).toContain("reefs");
      const draft = await calls.create("registered", bodyOf(WORKS.duplicate));
      expect((await calls.call("registered", "GET", `/${draft}/similar`)).status).toBe(404);
      expect(await similar("registered", idOf("reefs"))).not.toContain(draft);
      expect((await calls.call(null, "GET", "/999999/similar")).status).toBe(404);
    });

    test("S3.6.238 other versions of the same item are not among them; of others the latest version is", async () => {
      const next = await calls.version("registered", idOf("towns"), "Medieval towns and their charters, again");
      expect(await similar(null, idOf("medieval"))).toEqual([next]);
      expect(await similar(null, next)).toEqual(["medieval"]);
      expect(await similar(null, idOf("towns"))).toEqual(["medieval"]);
    });

    test("S3.6.239 size is 1 to 25 and the list has no further page; a wrong one is refused", async () => {
      expect(await similar(null, idOf("reefs"), "?size=1")).toEqual(["duplicate"]);
      const { json } = await calls.call(null, "GET", `/${idOf("reefs")}/similar?size=2`);
      expect(Object.keys(json.links)).toEqual(["self"]);
      for (const size of ["0", "26", "x", ""]) {
        const { status, json: refusal } = await calls.call(null, "GET", `/${idOf("reefs")}/similar?size=${size}`);
        expect([status, refusal.errors?.[0]?.field]).toEqual([400, "size"]);
      }
    });
  });

  test("S3.7.417 similar_records names why each is there, and the words that decided", async () => {
    const { records, telling_words: words, total } = await resultOf(null, "similar_records", { recid: idOf("reefs") });
    expect([namesOf(records), total]).toEqual([["duplicate", "japanese", "inflected"], 3]);
    expect(words).toContain("coral bleaching");
    expect(records[0].why).toContain("title: ");
    expect(records[0].why).toContain("coral");
    expect(records[1].why).toContain("subjects: ");
    const { records: chosen } = await resultOf(null, "similar_records", {
      ...{ recid: idOf("reefs"), size: 1, fields: ["title"] },
    });
    expect(chosen).toEqual([{ id: idOf("duplicate"), status: "published", title: WORKS.duplicate.title }]);
    expect((await refused(null, "similar_records", { recid: idOf("restricted") })).status).toBe(403);
    expect((await refused(null, "similar_records", { recid: "999999" })).status).toBe(404);
  });

  test("R27g the landing page names five at most, and what is hidden since no more", async () => {
    expect(namesOf((await page(null, idOf("reefs"))).ids.map((id) => ({ id })))).toEqual([
      ...["duplicate", "japanese", "inflected"],
    ]);
    expect((await page(null, idOf("prices"))).section).toBe("");
    expect((await page("registered", idOf("reefs"))).ids).toContain(idOf("restricted"));
    expect((await page(null, idOf("reefs"))).text).not.toContain("Unpublished bleaching");
    // It was computed a moment before: what is hidden now is not shown.
    await calls.call("registered", "POST", `/${idOf("inflected")}/draft`);
    const hidden = bodyOf({ ...WORKS.inflected, isRestricted: true });
    expect((await calls.call("registered", "PUT", `/${idOf("inflected")}/draft`, hidden)).status).toBe(200);
    await calls.publish("registered", idOf("inflected"));
    const after = await page(null, idOf("reefs"));
    expect([after.ids.includes(idOf("inflected")), after.text.includes(WORKS.inflected.title)]).toEqual([false, false]);
    for (const at of [1, 2, 3, 4, 5, 6]) {
      await calls.published(
        "registered",
        bodyOf({ ...WORKS.duplicate, title: `Bleaching of coral reefs, part ${at}` }),
      );
    }
    // A list waits until the index has followed, a page does not.
    expect((await similar("other", idOf("reefs"))).length).toBeGreaterThan(5);
    expect((await page("other", idOf("reefs"))).ids).toHaveLength(5);
  });

  test("R27g a giant costs little more than a small item: the beginnings of its texts are read", async () => {
    const creators = Array.from({ length: 5_000 }, (_, at) => ({
      person_or_org: { type: "personal", family_name: `Family${at}`, given_name: "Ann" },
    }));
    const description = "Sediment cores of the Atlantic and their isotopes, word by word. ".repeat(16_000);
    const giant = await calls.published("registered", {
      ...bodyOf({ title: "Sediment cores of the Atlantic" }),
      metadata: { ...bodyOf({ title: "Sediment cores of the Atlantic", description }).metadata, creators },
    });
    const other = await calls.published("registered", bodyOf({ title: "Isotopes in sediment cores" }));
    expect(await similar(null, giant)).toEqual([other]);
    const read = await cpuMs(async () => await calls.call(null, "GET", `/${giant}`));
    const found = await cpuMs(async () => await calls.call(null, "GET", `/${giant}/similar`));
    expect(found).toBeLessThan(read * 3 + 200);
  });
});
