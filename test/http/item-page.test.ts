// The page of an item around its metadata (R2a, R2d, R19a): versions, what changed between them, related items, people.
import { describe, expect, test } from "bun:test";
import { person } from "../support/cited-items.ts";
import { aFile, titled } from "../support/world/items.ts";
import { csrfIn } from "../support/world/pages.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ pages: true });
const PUBLIC = {
  record: "public",
  openDate: "2020-01-01",
  files: "public",
  embargoUntil: null,
  embargoReason: "",
} as const;

const get = (path: string, lang = "en") => world.visitor(lang).get(path);
/** The text of a page without markup. */
const plain = (text: string): string => text.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");

/** A record of three versions: words of the abstract change, then files; the second may be closed to guests. */
async function threeVersions(second: "public" | "restricted") {
  const described = (value: string) => [{ value, kind: "Abstract", lang: "en", html: false }];
  const metadata = titled("Records of tides", { descriptions: described("Tides of the north coast") });
  const [one, two, other] = await Promise.all(["one", "two", "other"].map((name) => world.file(name, name)));
  if (one === undefined || two === undefined || other === undefined) throw new Error("There are three");
  const named = (name: string, { storageKey, sha256, md5, sizeBytes } = one) =>
    aFile(name, { storageKey, sha256, md5, sizeBytes });
  const first = await world.publish({ metadata, files: [named("a.txt"), named("b.txt", two)] });
  const { content } = first;
  if (content === null) throw new Error("It is published");
  const changed = { ...metadata, descriptions: described("Tides of the south coast"), versionLabel: "secret label" };
  const next = await world.items.newVersion(world.owner, first.id, {
    content: { ...content, metadata: changed, access: { ...PUBLIC, record: second } },
  });
  const last = await world.items.newVersion(world.owner, next.item.id, {
    content: { ...content, metadata: changed, files: [named("a.txt", other), named("c.txt", two)] },
  });
  return [first.id, next.item.id, last.item.id] as const;
}

describe("versions of an item", () => {
  test("Q.42 are listed with number, day and what changed, the newest first, and two are chosen to be compared", async () => {
    const [first, second, third] = await threeVersions("public");
    const { status, text } = await get(`/records/${first}/versions`);
    expect(status).toBe(200);
    const rows = [...text.matchAll(/<tr><th scope="row">(.*?)<\/tr>/g)].map(([, row = ""]) => plain(row).trim());
    expect(rows).toEqual([
      expect.stringMatching(/^Version 3 \(latest\) .*1 file new, 1 file replaced, 1 file removed Compare with/),
      expect.stringMatching(/^Version 2 .*2 fields Compare with the version before$/),
      expect.stringMatching(/^Version 1 .*The first version$/),
    ]);
    expect(text).toContain(`href="/records/${second}/compare/${third}"`);
    const chosen = await get(`/records/${third}/versions?from=${first}&to=${second}`);
    expect([chosen.status, chosen.headers.get("location")]).toEqual([302, `/records/${first}/compare/${second}`]);
    const landing = (await get(`/records/${third}`)).text;
    expect(landing).toContain(`<a href="/records/${third}/versions">`);
    expect((await get(`/records/${third}/versions`, "ja")).text).toContain("前の版からの変更");
  });

  test("Q.43 any two are compared word by word, and files by name and hash", async () => {
    const [first, , third] = await threeVersions("public");
    const { status, text } = await get(`/records/${first}/compare/${third}`);
    expect(status).toBe(200);
    expect(text).toContain("From version 1 to version 3");
    expect(text).toMatch(/Tides of the <del>.*?north.*?<\/del><ins>.*?south.*?<\/ins> coast/);
    const files = [...text.matchAll(/<tr><th scope="row">(.*?)<\/tr>/g)].map(([, row = ""]) => plain(row).trim());
    expect(files.map((row) => row.split(" ").slice(0, 2).join(" "))).toEqual([
      "a.txt Replaced",
      "c.txt New",
      "b.txt Removed",
    ]);
    expect(files[0]).toMatch(/[0-9a-f]{16} → [0-9a-f]{16}$/);
    const same = plain((await get(`/records/${third}/compare/${third}`)).text);
    expect(same).toContain("No field and no file differs between these versions");
    const { headers } = await get(`/records/${first}/compare/${third}`);
    const kept = { "if-none-match": headers.get("etag") ?? "" };
    expect((await world.visitor().get(`/records/${first}/compare/${third}`, kept)).status).toBe(304);
    const back = (await get(`/records/${third}/compare/${first}`)).text;
    expect(back).toMatch(/<del>.*?south.*?<\/del><ins>.*?north/);
  });

  test("Q.44 a version that the reader may not see is in no list, no count and no comparison", async () => {
    const [first, second, third] = await threeVersions("restricted");
    const { text } = await get(`/records/${third}/versions`);
    expect(text).toContain('Versions <span class="kind">(2)</span>');
    expect(text).not.toContain(`/records/${second}`);
    expect(text).toContain(`/records/${first}/compare/${third}`);
    for (const path of [`/records/${first}/compare/${second}`, `/records/${second}/compare/${third}`]) {
      const { status, text: page } = await get(path);
      expect([path, status]).toEqual([path, 403]);
      expect(page).not.toContain("secret label");
    }
    expect((await get(`/records/${second}/versions`)).status).toBe(403);
    const landing = (await get(`/records/${third}`)).text;
    expect(landing).toContain('Versions <span class="kind">(2)</span>');
    const owner = world.visitor();
    await owner.signIn(await world.token(world.owner));
    expect(csrfIn((await owner.get("/account/tokens")).text)).not.toBe("");
    expect((await owner.get(`/records/${third}/versions`)).text).toContain('Versions <span class="kind">(3)</span>');
    expect((await owner.get(`/records/${first}/compare/${second}`)).text).toContain("secret label");
  });

  test("Q.43 only published versions of one record are compared; what is none is not found", async () => {
    const [first] = await threeVersions("public");
    const stranger = await world.publish();
    const waiting = await world.pending();
    for (const path of [
      `/records/${first}/compare/${stranger.id}`,
      `/records/${first}/compare/999999`,
      `/records/${first}/compare/x`,
      `/records/x/versions`,
      `/records/${first}/versions?page=2`,
      `/records/${first}/versions?from=x&to=${first}`,
      `/records/${waiting.itemId}/versions`,
    ]) {
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    }
    const parent = await world.store.items.withParent(first);
    const moved = await get(`/records/${parent?.parent.id}/versions?page=1`);
    expect([moved.status, moved.headers.get("location")]).toEqual([
      302,
      expect.stringMatching(/\/records\/\d+\/versions\?page=1$/),
    ]);
    await world.items.remove(world.admin, first);
    expect((await get(`/records/${first}/versions`)).status).toBe(410);
  });
});

describe("people of an item", () => {
  const ORCIDS = ["0000-0002-1825-0097", "0000-0001-5109-3700"] as const;

  test("Q.46 an ORCID iD is one link with its mark and full address; one that its holder confirmed looks different", async () => {
    const id = world.owner.account?.id ?? 0;
    await world.store.transact(async (tx) => {
      const at = world.time.now;
      const profile = {
        accountId: id,
        orcid: ORCIDS[0],
        orcidSource: "provider",
        orcidAt: at,
        closedAt: null,
      } as const;
      await tx.profiles.saveProfile(profile);
    });
    const ror = {
      names: [{ value: "Institute of Tides", lang: "en" }],
      ids: [{ scheme: "ROR", value: "https://ror.org/04ksd4g47" }],
    };
    const creators = ORCIDS.map((value, at) =>
      person(`Family${at}`, "Given", { ids: [{ scheme: "ORCID", value }], affiliations: [ror] }),
    );
    const wrong = person("Wrong", "Given", { ids: [{ scheme: "ORCID", value: "0000-0002-1825-0098" }] });
    const { id: item } = await world.publish({ metadata: titled("Tides", { creators: [...creators, wrong] }) });
    const { text } = await get(`/records/${item}`);
    const links = [
      ...text.matchAll(
        /<a href="https:\/\/orcid\.org\/([^"]+)"[^>]*aria-label="([^"]+)">(<svg.*?<\/svg>)? ?([^<]*)<\/a>/g,
      ),
    ];
    expect(links.map(([, iD, name]) => [iD, name])).toEqual([
      [ORCIDS[0], `ORCID iD https://orcid.org/${ORCIDS[0]}`],
      [ORCIDS[1], `ORCID iD https://orcid.org/${ORCIDS[1]} (not confirmed by its holder here)`],
    ]);
    expect(links.map((link) => link[4])).toEqual(ORCIDS.map((iD) => `https://orcid.org/${iD}`));
    expect(links[0]?.[3]).not.toBe(links[1]?.[3]);
    expect(text.match(/<a href="https:\/\/orcid\.org\/0000-0002-1825-0097"/g)).toHaveLength(1);
    expect(text).toContain("ORCID: 0000-0002-1825-0098");
    expect(text).toMatch(/<a href="https:\/\/ror\.org\/04ksd4g47"[^>]*>Institute of Tides<\/a>/);
  });
});
