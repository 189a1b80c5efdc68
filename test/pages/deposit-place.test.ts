// Where a deposit goes, who may read it, and what it looks like before it is published (R2d, R2f, R40): the parts of the
// deposit form that are not metadata, without script.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { PLAIN_COMMUNITY } from "../../src/repository/store/communities.ts";
import { onEachDatabase } from "../support/databases.ts";
import { csrfIn, type PagesWorld, pagesWorld, type Visitor } from "../support/world/pages.ts";

type Fields = Readonly<Record<string, string | readonly string[]>>;

/** What a person fills in of the simple item type. */
const FILLED = {
  "title.0.title": "潮汐について",
  "title.0.lang": "ja",
  "creator.0.names.0.name": "山田, 太郎",
  "creator.0.names.0.lang": "ja",
  "resource_type.label": "journal article",
  "date.0.type": "Issued",
  "date.0.date": "2024-05-01",
  "no-files": "yes",
};
const OPEN = { "place-shown": "yes", "place-record": "public", "place-files": "public" };

const hidden = (html: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? "";
const location = ({ headers }: { readonly headers: Headers }): string => headers.get("location") ?? "";
/** The values of the boxes and radio buttons of a name, with a mark at the chosen ones. */
const boxes = (html: string, name: string): readonly string[] =>
  [
    ...html.matchAll(
      new RegExp(`<input type="(?:checkbox|radio)" id="[^"]*" name="${name}" value="([^"]*)"( checked)?`, "g"),
    ),
  ].map(([, value, isChosen]) => (isChosen === undefined ? `${value}` : `*${value}`));
const bodyOf = (fields: Fields): string => {
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    (typeof value === "string" ? [value] : value).map((each) => [name, each]),
  );
  return new URLSearchParams(pairs).toString();
};

describe("the place of a deposit", () => {
  onEachDatabase((database) => {
    let world: PagesWorld;
    let owner: Visitor;
    let other: Visitor;
    let csrf = "";
    const RIVERS = "11111111-1111-4111-8111-111111111111";
    const LAKES = "22222222-2222-4222-8222-222222222222";
    const SEAS = "33333333-3333-4333-8333-333333333333";
    const HIDDEN = "44444444-4444-4444-8444-444444444444";

    beforeAll(async () => {
      const env = { SVC_TOOL_ITEM_TYPE: "2", SVC_MAX_UPLOAD_BYTES: "1048576" };
      world = await pagesWorld({ env, ...(database.name === "SQLite" ? {} : { url: await database.url() }) });
      owner = world.visitor();
      await owner.signIn(await world.token(world.owner));
      other = world.visitor("ja");
      await other.signIn(await world.token(await world.person("other", [3])));
      await world.index({ id: 20, indexName: "紀要", indexNameEnglish: "Bulletins" });
      await world.index({ id: 21, parent: 20, indexName: "第1巻", indexNameEnglish: "Volume 1" });
      await world.index({
        id: 22,
        parent: 20,
        indexName: "閉架",
        indexNameEnglish: "Closed shelf",
        contributeRole: [4],
      });
      const all = [
        [RIVERS, "rivers", "Rivers", { reviewPolicy: "closed" }],
        [LAKES, "lakes", "Lakes", { reviewPolicy: "open", rootIndex: 20 }],
        [SEAS, "seas", "Seas", { submissionPolicy: "closed" }],
        [HIDDEN, "hidden", "Hidden", { visibility: "restricted" }],
      ] as const;
      await world.store.transact(async (tx) => {
        for (const [id, slug, title, settings] of all) {
          const stamps = { type: "", createdAt: world.time.now, updatedAt: world.time.now };
          const community = { ...PLAIN_COMMUNITY, ...stamps, id, slug, title: { en: title, ja: title }, ...settings };
          await tx.communities.saveCommunity(community);
        }
      });
      csrf = csrfIn((await owner.get("/deposit?type=2")).text);
    });
    afterAll(() => world.close());

    const post = (visitor: Visitor, path: string, fields: Fields) =>
      visitor.send(path, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: bodyOf(fields),
      });
    /** A new draft with these fields; the number of its record. */
    async function deposit(fields: Fields = {}): Promise<string> {
      const made = await post(owner, "/deposit", {
        csrf,
        "item-type": "2",
        save: "yes",
        ...FILLED,
        ...OPEN,
        ...fields,
      });
      expect([made.status, location(made)]).toEqual([303, expect.stringMatching(/^\/deposit\/\d+\?saved=yes$/)]);
      return /\d+/.exec(location(made))?.[0] ?? "";
    }
    async function save(id: string, fields: Fields, base?: string) {
      const seen = base ?? hidden((await owner.get(`/deposit/${id}`)).text, "base");
      return await post(owner, `/deposit/${id}`, { csrf, base: seen, ...FILLED, ...OPEN, ...fields });
    }
    const draftOf = async (id: string) => (await world.store.items.draft(Number(id)))?.content;

    test("P.160: where there are several item types, one question comes first, and its answer is an address", async () => {
      const asked = await owner.get("/deposit?index=21&community=none");
      expect([asked.status, boxes(asked.text, "type")]).toEqual([200, ["*2", "1"]]);
      expect([hidden(asked.text, "index"), hidden(asked.text, "community")]).toEqual(["21", "none"]);
      expect(asked.text).not.toContain('name="title.0.title"');
      const form = await owner.get("/deposit?type=2");
      expect([hidden(form.text, "item-type"), form.text.includes('name="title.0.title"')]).toEqual(["2", true]);
      expect((await owner.get("/deposit?type=99")).text).toContain('name="type"');
      const full = await post(owner, "/deposit", { csrf, "item-type": "1", save: "yes" });
      expect((await draftOf(/\d+/.exec(location(full))?.[0] ?? ""))?.itemType).toBe(1);
      expect((await draftOf(await deposit()))?.itemType).toBe(2);
      expect((await post(owner, "/deposit", { csrf, "item-type": "99", save: "yes" })).status).toBe(400);
    });

    test("P.161: only indexes into which the person may file are offered, by their way in the tree", async () => {
      const { text } = await owner.get("/deposit?type=2&index=21");
      expect(boxes(text, "place-index")).toEqual(["*21", "1", "20"]);
      expect(text).toContain("Bulletins › Volume 1");
      expect(text).not.toContain("Closed shelf");
      expect((await other.get("/deposit?type=2")).text).toContain("紀要 › 第1巻");
      for (const id of ["22", "999"]) {
        const closed = await owner.get(`/deposit?type=2&index=${id}`);
        expect([closed.text.includes("You cannot deposit at the place"), boxes(closed.text, "place-index")]).toEqual([
          true,
          ["1", "20", "21"],
        ]);
      }
      const id = await deposit({ "place-index": ["20", "21"] });
      expect((await draftOf(id))?.indexes).toEqual([20, 21]);
      const refused = await save(id, { "place-index": ["21", "22", "999"], "title.0.title": "Saved" });
      expect([refused.status, boxes(refused.text, "place-index")]).toEqual([400, ["*21", "1", "20"]]);
      expect(refused.text).toContain('<a href="#place-index">You may not put items into index 22</a>');
      expect(refused.text).toContain('<a href="#place-index">Index 999 does not exist</a>');
      expect([(await draftOf(id))?.indexes, (await draftOf(id))?.metadata.titles[0]?.value]).toEqual([[21], "Saved"]);
      // A form without this part leaves it as it is.
      const base = hidden((await owner.get(`/deposit/${id}`)).text, "base");
      await post(owner, `/deposit/${id}`, { csrf, base, ...FILLED });
      expect((await draftOf(id))?.indexes).toEqual([21]);
      // What another window chose meanwhile stays.
      const seen = hidden((await owner.get(`/deposit/${id}`)).text, "base");
      await save(id, { "place-index": ["21", "1"] });
      await save(id, { "place-index": ["21", "20"] }, seen);
      expect((await draftOf(id))?.indexes).toEqual([21, 1, 20]);
    });

    test("P.161: an index that the person may no longer file into is not published into", async () => {
      const id = await deposit({ "place-index": ["21"] });
      await world.store.transact(async (tx) => {
        const node = await tx.indexes.index(21);
        if (node !== null) await tx.indexes.updateIndex({ ...node, contributeRole: [4] });
        await tx.indexes.raiseTreeRevision();
      });
      const asked = await owner.get(`/deposit/${id}/publish`);
      expect(asked.text).toContain("You may not put items into index 21.");
      const base = hidden((await owner.get(`/deposit/${id}`)).text, "base");
      expect((await post(owner, `/deposit/${id}/publish`, { csrf, base })).status).toBe(400);
      const api = { method: "POST", headers: { "x-csrftoken": csrf } };
      expect((await owner.send(`/api/records/${id}/draft/actions/publish`, api)).status).toBe(400);
      await world.store.transact(async (tx) => {
        const node = await tx.indexes.index(21);
        if (node !== null) await tx.indexes.updateIndex({ ...node, contributeRole: [3] });
        await tx.indexes.raiseTreeRevision();
      });
      expect((await post(owner, `/deposit/${id}/publish`, { csrf, base })).status).toBe(303);
      expect((await world.store.items.item(Number(id)))?.content?.indexes).toEqual([21]);
    });

    test("P.161: index pages lead to the form with the place filled in, for those who may deposit there", async () => {
      expect((await owner.get("/index/21")).text).toContain('href="/deposit?index=21"');
      expect((await owner.get("/index/22")).text).not.toContain("/deposit?index=");
      expect((await world.visitor().get("/index/21")).text).not.toContain("/deposit?index=");
    });

    test("P.162: communities are chosen in the form; one that reviews publishes the draft, others are asked then", async () => {
      const form = await owner.get("/deposit?type=2&community=lakes");
      expect(boxes(form.text, "place-community").toSorted()).toEqual([`*${LAKES}`, RIVERS].toSorted());
      expect(form.text).toContain("Reviews records before they appear");
      for (const slug of ["seas", "hidden", "none"]) {
        const { text } = await owner.get(`/deposit?type=2&community=${slug}`);
        expect([slug, text.includes("You cannot deposit at the place")]).toEqual([slug, true]);
      }
      const id = await deposit({ "place-community": [LAKES, RIVERS] });
      const shown = await owner.get(`/deposit/${id}`);
      expect(boxes(shown.text, "place-community").toSorted()).toEqual([`*${LAKES}`, `*${RIVERS}`].toSorted());
      const closed = await save(id, { "place-community": [SEAS, HIDDEN], "place-seen": [] });
      expect(closed.text).toContain("Submission to this community is only allowed to community members.");
      expect([closed.status, closed.text.includes("Community not found.")]).toEqual([400, true]);

      const asked = await owner.get(`/deposit/${id}/publish`);
      expect(asked.text).toContain("<h1>Submit this draft for review?</h1>");
      expect(asked.text).toContain("“Rivers” reviews the draft first");
      expect(asked.text).toContain("asked to include it: Lakes");
      const base = hidden(asked.text, "base");
      // A page that has not shown the review does not publish.
      expect((await post(owner, `/deposit/${id}/publish`, { csrf, base })).status).toBe(400);
      const sent = await post(owner, `/deposit/${id}/publish`, { csrf, base, review: "yes" });
      expect([sent.status, location(sent)]).toEqual([303, expect.stringMatching(/^\/requests\/[0-9a-f-]{36}$/)]);
      expect((await world.store.items.item(Number(id)))?.state).toBe("draft");
      expect((await owner.get(`/deposit/${id}`)).text).not.toContain('name="place-community"');
      const admin = world.visitor();
      await admin.signIn(await world.token(world.admin));
      const ofAdmin = csrfIn((await admin.get("/account/tokens")).text);
      expect((await admin.post(`${location(sent)}/accept`, { csrf: ofAdmin })).status).toBe(303);
      const found = await world.store.items.withParent(Number(id));
      expect([found?.item.state, found?.parent.defaultCommunity]).toEqual(["published", RIVERS]);
      expect(found?.parent.communities.toSorted()).toEqual([LAKES, RIVERS].toSorted());
    });

    test("P.162: a community that does not review includes the record when it is published", async () => {
      const id = await deposit({ "place-community": LAKES });
      const asked = await owner.get(`/deposit/${id}/publish`);
      expect([asked.text.includes("“Lakes” at once"), asked.text.includes("Publish this draft?")]).toEqual([
        true,
        true,
      ]);
      const form = { csrf, base: hidden(asked.text, "base"), review: "yes" };
      expect(location(await post(owner, `/deposit/${id}/publish`, form))).toBe(`/records/${id}`);
      expect((await world.store.items.withParent(Number(id)))?.parent.communities).toEqual([LAKES]);
      expect((await owner.get("/index/20")).text).toContain('href="/deposit?community=lakes"');
      // A published record is submitted elsewhere.
      const headers = { "x-csrftoken": csrf };
      await owner.send(`/api/records/${id}/draft`, { method: "POST", headers });
      expect((await owner.get(`/deposit/${id}`)).text).not.toContain('name="place-community"');
    });

    test("P.219: on pages alone a deposit is declined with a comment on a field, changed, submitted again and accepted", async () => {
      const curator = world.visitor();
      const account = await world.person("curator-of-rivers", [3]);
      await world.store.transact((tx) => tx.communities.setMember(RIVERS, account.account?.id ?? 0, "curator"));
      await curator.signIn(await world.token(account));
      const id = await deposit({ "place-community": RIVERS });
      const submit = async () => {
        const asked = (await owner.get(`/deposit/${id}/publish`)).text;
        expect(asked).toContain("There is no description");
        const answer = await post(owner, `/deposit/${id}/publish`, {
          csrf,
          base: hidden(asked, "base"),
          review: "yes",
        });
        expect([answer.status, location(answer)]).toEqual([303, expect.stringMatching(/^\/requests\/[\da-f-]{36}$/)]);
        return location(answer);
      };
      const first = await submit();
      expect((await curator.get("/me")).text).toContain(`href="${first}"`);
      const token = csrfIn((await curator.get(first)).text);
      const wrong = { csrf: token, "field:title": "Please write 潮汐 in kana too" };
      expect((await post(curator, `${first}/decline`, wrong)).status).toBe(303);
      const { text } = await owner.get(`/deposit/${id}`);
      expect(text).toContain('<a href="#title.0.title">Title</a>');
      expect(text).toMatch(/id="title\.0\.title-hint">.*Please write 潮汐 in kana too/);
      const changed = {
        "title.0.title": "潮汐（ちょうせき）について",
        "place-community": RIVERS,
        "place-seen": RIVERS,
      };
      expect((await save(id, changed)).status).toBe(303);
      const second = await submit();
      expect([second === first, (await owner.get(`/deposit/${id}`)).text.includes("in kana too")]).toEqual([
        false,
        false,
      ]);
      expect((await post(curator, `${second}/accept`, { csrf: token })).status).toBe(303);
      expect((await world.visitor().get(`/records/${id}`)).text).toContain(
        '<h1 lang="ja">潮汐（ちょうせき）について</h1>',
      );
    });

    test("P.120: what publication would refuse is listed with the names of the fields", async () => {
      const id = await deposit();
      await save(id, { "date.0.type": "", "date.0.date": "", "creator.0.names.0.name": "" });
      const listed = async (query: string) =>
        [
          ...(await owner.get(`/deposit/${id}/publish${query}`)).text.matchAll(/deposit\/\d+#([^"]*)">([^<]*)<\/a>/g),
        ].map(([, at, words]) => [at, words]);
      expect(await listed("")).toEqual([
        ["creator.0.names.0.name", "Creator: Missing data for required field."],
        ["date.0.type", "Date: Missing data for required field."],
      ]);
      expect(await listed("?lang=ja")).toEqual([
        ["creator.0.names.0.name", "作成者：必須の項目が入力されていません。"],
        ["date.0.type", "日付：必須の項目が入力されていません。"],
      ]);
    });

    test("P.162: a community that the address or a refused form chose is asked, as one that was chosen by hand", async () => {
      const seenIn = (html: string): readonly string[] =>
        [...html.matchAll(/name="place-seen" value="([^"]*)"/g)].map(([, id = ""]) => id);
      const blank = (await owner.get("/deposit?type=2&community=rivers")).text;
      expect([boxes(blank, "place-community").includes(`*${RIVERS}`), seenIn(blank)]).toEqual([true, []]);
      const id = await deposit({ "place-community": RIVERS, "place-seen": seenIn(blank) });
      const first = (await owner.get(`/deposit/${id}`)).text;
      expect(seenIn(first)).toEqual([RIVERS]);
      expect((await owner.get(`/deposit/${id}/publish`)).text).toContain("“Rivers” reviews the draft first");
      // Another window changes the title: nothing of this form is saved.
      await save(id, { "title.0.title": "Theirs", "place-community": RIVERS, "place-seen": RIVERS });
      const mine = { "title.0.title": "Mine", "place-community": [RIVERS, LAKES], "place-seen": RIVERS };
      const refused = await save(id, mine, hidden(first, "base"));
      expect([refused.status, boxes(refused.text, "place-community").includes(`*${LAKES}`)]).toEqual([409, true]);
      expect(seenIn(refused.text)).toEqual([RIVERS]);
      const again = { ...mine, "place-seen": seenIn(refused.text) };
      expect((await save(id, again, hidden(refused.text, "base"))).status).toBe(303);
      expect(seenIn((await owner.get(`/deposit/${id}`)).text).toSorted()).toEqual([RIVERS, LAKES].toSorted());
    });

    test("P.162: what is no longer chosen is not asked; a public record cannot go into a restricted community", async () => {
      const id = await deposit({ "place-community": [LAKES, RIVERS] });
      expect((await save(id, { "place-seen": [LAKES, RIVERS] })).status).toBe(303);
      expect((await owner.get(`/deposit/${id}/publish`)).text).toContain("It is in no community");
      await world.store.transact(async (tx) => {
        const account = world.owner.account?.id ?? 0;
        await tx.communities.setMember(HIDDEN, account, "reader", world.time.now);
      });
      await save(id, { "place-community": HIDDEN });
      const words = "A public record cannot be included in a restricted community.";
      expect((await owner.get(`/deposit/${id}/publish`)).text).toContain(`#place-community">${words}</a>`);
      await save(id, { "place-community": HIDDEN, "place-seen": HIDDEN, "place-record": "restricted" });
      expect((await owner.get(`/deposit/${id}/publish`)).text).toContain("“Hidden” reviews the draft first");
    });

    test("P.163: access and embargo are fields of the form; a date is read as people write it", async () => {
      const id = await deposit();
      const access = async () => (await draftOf(id))?.access;
      const written = { "place-record": "restricted", "place-until": "令和82年3月1日", "place-reason": "特許" };
      const read = await save(id, written);
      expect([read.status, read.text.includes("Understood as 1 March 2100")]).toEqual([200, true]);
      expect(await access()).toMatchObject({
        ...{ record: "restricted", files: "public", embargoUntil: "2100-03-01", embargoReason: "特許" },
      });
      const kept = { "place-until": "2100-03-01", "place-reason": "特許" };
      const wrong = { ...kept, "place-record": "nobody", "place-until": "2020-01-01" };
      const refused = await save(id, { ...wrong, "place-files": "restricted" });
      expect(refused.status).toBe(400);
      expect(refused.text).toContain('<a href="#place-until">The embargo must end after today</a>');
      expect(refused.text).toContain('<a href="#place-record">Choose one of these</a>');
      expect(refused.text).toContain('value="2020-01-01"');
      expect(await access()).toMatchObject({ record: "restricted", files: "restricted", embargoUntil: "2100-03-01" });
      for (const [until, words] of [
        ["2100", "Write the whole day"],
        ["03/04/2100", "This can be 3 April 2100 or 4 March 2100"],
        ["", "Write the day on which the embargo ends, or remove the reason"],
      ] as const) {
        expect([until, (await save(id, { ...kept, "place-until": until })).text.includes(words)]).toEqual([
          until,
          true,
        ]);
      }
      expect(await access()).toMatchObject({ record: "public", embargoUntil: "2100-03-01" });
      expect((await save(id, {})).status).toBe(303);
      expect(await access()).toMatchObject({ embargoUntil: null, embargoReason: "" });
    });

    test("P.163: access that two windows changed differently is asked, what one changed is merged", async () => {
      const id = await deposit();
      const base = hidden((await owner.get(`/deposit/${id}`)).text, "base");
      await save(id, { "place-files": "restricted" });
      const merged = await save(id, { "place-record": "restricted" }, base);
      expect([merged.status, (await draftOf(id))?.access]).toMatchObject([
        303,
        { record: "restricted", files: "restricted" },
      ]);
      const seen = hidden((await owner.get(`/deposit/${id}`)).text, "base");
      const both = { "place-record": "restricted", "place-files": "restricted" };
      await save(id, { ...both, "place-until": "2100-01-01" });
      const asked = await save(id, { ...both, "place-until": "2101-01-01" }, seen);
      expect([asked.status, asked.text.includes('href="#place-until"'), asked.text.includes("2101-01-01")]).toEqual([
        409,
        true,
        true,
      ]);
      expect((await draftOf(id))?.access.embargoUntil).toBe("2100-01-01");
    });

    test("P.164: a preview shows the page as each kind of reader will see it, and publishes nothing", async () => {
      const id = await deposit({ "place-index": "20", "place-community": LAKES });
      const preview = (as: string, visitor = owner) => visitor.get(`/deposit/${id}/preview?as=${as}`);
      const guest = await preview("guest");
      expect([guest.status, guest.headers.get("cache-control")]).toEqual([200, "no-store"]);
      expect(guest.text).toContain("<strong>Preview.</strong>");
      expect(guest.text).toContain("潮汐について</h1>");
      expect(guest.text).toContain('<meta name="robots" content="noindex">');
      expect([guest.text.includes("citation_title"), guest.text.includes("ld+json")]).toEqual([false, false]);
      const readers = [...guest.text.matchAll(/\/preview\?as=([^"&]*)"/g)].map(([, as]) =>
        decodeURIComponent(as ?? ""),
      );
      expect(readers).toEqual(["guest", "signed-in", `members:${LAKES}`, `curators:${LAKES}`, "owner"]);
      await save(id, { "place-index": "20", "place-community": LAKES, "place-record": "restricted" });
      const sees = async (as: string) => (await preview(as)).text.includes("潮汐について</h1>");
      expect(await Promise.all(readers.map(sees))).toEqual([false, false, false, true, true]);
      expect((await preview("guest")).text).toContain("Everybody");
      const japanese = { "accept-language": "ja" };
      expect((await owner.get(`/deposit/${id}/preview`, japanese)).text).toContain("まだ公開されていません");
      // Nobody else learns of it, and nothing has changed.
      expect((await preview("owner", other)).status).toBe(404);
      expect(location(await preview("guest", world.visitor()))).toStartWith("/account/login");
      expect((await world.visitor().get(`/records/${id}`)).status).toBe(404);
      expect((await world.store.items.item(Number(id)))?.state).toBe("draft");
      expect((await owner.get(`/deposit/${id}`)).text).toContain(`href="/deposit/${id}/preview"`);
    });

    test("P.164: files of groups are shown to their members alone", async () => {
      const group = await world.store.transact((tx) => tx.accounts.insertGroup("Divers", world.time.now));
      if (group === null) throw new Error("The group is there");
      const id = await deposit({});
      const file = await world.file("depths.txt", "deep", { access: "login", groups: [group] });
      await world.store.transact(async (tx) => {
        const draft = await tx.items.draft(Number(id));
        if (draft !== null) await tx.items.saveDraft({ ...draft, content: { ...draft.content, files: [file] } });
      });
      const hasFile = async (as: string) =>
        (await owner.get(`/deposit/${id}/preview?as=${as}`)).text.includes(`href="/records/${id}/files/depths.txt"`);
      const all = ["guest", "signed-in", `group:${group}`, "owner"];
      expect(await Promise.all(all.map(hasFile))).toEqual([false, false, true, true]);
      expect((await owner.get(`/deposit/${id}/preview`)).text).toContain("Group Divers");
    });

    test("P.165: it takes at most five clicks to a published item with one file, the question for its type included", async () => {
      let [clicks, at] = [0, await owner.get("/")];
      const follow = async (label: string) => {
        clicks += 1;
        const href = new RegExp(`<a [^>]*href="([^"]*)"[^>]*>${label}</a>`).exec(at.text)?.[1];
        expect([label, href]).toEqual([label, expect.any(String)]);
        at = await owner.get(href ?? "");
      };
      /** Presses a button with what its form holds and what was typed; the page that it leads to. */
      const press = async (label: string, typed: Readonly<Record<string, string | File>> = {}) => {
        clicks += 1;
        const forms = [...at.text.matchAll(/<form( [^>]*)>(.*?)<\/form>/gs)];
        const [, head = "", inner = ""] = forms.find(([, , html]) => html?.includes(`>${label}</button>`)) ?? [];
        const pressed = inner.match(new RegExp(`<button[^>]*>${label}</button>`))?.[0] ?? "";
        const of = (tag: string, name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1];
        const held = [...inner.matchAll(/<input [^>]*(?:type="hidden"| checked)[^>]*>/g)].map(([tag]) => tag);
        const sent = [...held, pressed].flatMap((tag) => {
          const name = of(tag, "name");
          return name === undefined ? [] : [[name, of(tag, "value") ?? ""] as const];
        });
        const action = of(pressed, "formaction") ?? of(head, "action") ?? "";
        if (of(head, "method") === "get")
          at = await owner.get(`${action}?${new URLSearchParams(sent.map(([k, v]) => [k, v]))}`);
        else if (head.includes("multipart")) {
          const form = new FormData();
          for (const [name, value] of [...sent, ...Object.entries(typed)]) form.set(name, value);
          const request = new Request("http://repository.test/", { method: "POST", body: form });
          const headers = { "content-type": request.headers.get("content-type") ?? "" };
          at = await owner.send(action, { method: "POST", headers, body: await request.arrayBuffer() });
        } else {
          const fields: Record<string, string> = Object.fromEntries(sent);
          for (const [name, value] of Object.entries(typed)) if (typeof value === "string") fields[name] = value;
          at = await owner.post(action, fields);
        }
        if (at.status === 303) at = await owner.get(location(at));
        expect([label, at.status]).toEqual([label, 200]);
      };
      await follow("Deposit");
      await press("Continue");
      const { "no-files": _, ...typed } = FILLED;
      await press("Save and add files", typed);
      await press("Upload and publish", { file: new File(["words"], "paper.txt") });
      expect(at.text).toContain("are then fixed for good, while descriptions, access, indexes and communities can be");
      await press("Publish");
      expect([clicks, at.text.includes("paper.txt"), at.text.includes("潮汐について</h1>")]).toEqual([5, true, true]);
    });

    test("P.161 P.162: hostile values of the place are faults at their field, and nothing else is lost", async () => {
      const id = await deposit({ "place-index": "20" });
      const indexes = ["20", "20", "999999999999999", "-1", "1e3", "x", "9".repeat(400)];
      const communities = ["\u0000", "' or 1=1", "x".repeat(5_000), LAKES, LAKES];
      const hostile = { "place-index": indexes, "place-community": communities, "place-reason": "\u0000\u202e" };
      const { status, text } = await save(id, { ...hostile, "place-until": "9".repeat(500), "title.0.title": "Kept" });
      expect([status, text.includes("Index 999999999999999 does not exist")]).toEqual([400, true]);
      expect([(await draftOf(id))?.indexes, (await draftOf(id))?.metadata.titles[0]?.value]).toEqual([[20], "Kept"]);
      const many = await save(id, { "place-index": Array.from({ length: 500 }, (_, at) => `${at + 1000}`) });
      expect(many.status).toBe(400);
      for (const query of ["index=%00&community=%00", "index=1e9&community=%F0%9F%92%A9", `type=${"9".repeat(300)}`]) {
        expect([query, (await owner.get(`/deposit?${query}`)).status]).toEqual([query, 200]);
        expect([query, (await owner.get(`/deposit?type=2&${query}`)).status]).toEqual([query, 200]);
      }
      expect((await owner.get(`/deposit/${id}/preview?as=%00`)).status).toBe(200);
    });

    test("P.167: where deposits go through workflows, a draft is submitted for approval, returned and published", async () => {
      const plan = {
        ...{ id: 0, itemType: 2, index: 20, actions: ["start", "item_registration", "approval", "end"] as const },
        ...{ approvers: { roles: [], accounts: [], communities: [] }, delete: null, deleted: false },
      };
      const json = { format: "JSON", active: true, workflow: null, duplicateCheck: false } as const;
      const [one, two] = await world.store.transact(async (tx) => {
        await tx.settings.saveFormatSetting({ ...json, registrationType: 2 });
        const save = (en: string) => tx.settings.saveWorkflow({ ...plan, name: { en, ja: en } }, world.time.now);
        return [await save("Library"), await save("Museum")];
      });
      const asked = await owner.get("/deposit");
      expect(boxes(asked.text, "type")).toEqual([`*2.${one}`, `2.${two}`, expect.stringMatching(/^1/)]);
      expect(asked.text).toContain(": Museum</label>");
      const form = await owner.get(`/deposit?type=2.${two}`);
      expect([hidden(form.text, "item-type"), boxes(form.text, "place-community")]).toEqual([`2.${two}`, []]);
      const id = await deposit({ "item-type": `2.${two}` });
      const page = await owner.get(`/deposit/${id}/publish`);
      expect(page.text).toContain("<h1>Submit this draft for approval?</h1>");
      expect(page.text).toContain("the workflow “Museum”");
      const base = hidden(page.text, "base");
      expect((await post(owner, `/deposit/${id}/publish`, { csrf, base })).status).toBe(409);
      const stale = { csrf, base: "1.x", approval: "yes" };
      expect((await post(owner, `/deposit/${id}/publish`, stale)).status).toBe(409);
      const sent = await post(owner, `/deposit/${id}/publish`, { csrf, base, approval: "yes" });
      expect([sent.status, location(sent)]).toEqual([303, expect.stringMatching(/^\/workflow\/activity\/detail\/A-/)]);
      expect((await post(owner, `/deposit/${id}/publish`, { csrf, base, approval: "yes" })).status).toBe(409);
      expect((await save(id, { "title.0.title": "Later" })).status).toBe(409);
      const upload = (name: string) => {
        const disposition = 'Content-Disposition: form-data; name="file"; filename=';
        const token = ["--b", 'Content-Disposition: form-data; name="csrf"', "", csrf];
        const body = [...token, "--b", `${disposition}"${name}"`, "", "found since", "--b--", ""].join("\r\n");
        const headers = { "content-type": "multipart/form-data; boundary=b", "content-length": `${body.length}` };
        return owner.send(`/deposit/${id}/files`, { method: "POST", headers, body });
      };
      const admin = world.visitor();
      await admin.signIn(await world.token(world.admin));
      const ofAdmin = csrfIn((await admin.get("/account/tokens")).text);
      const decide = (what: string) => admin.post(`${location(sent)}/${what}`, { csrf: ofAdmin, comment: "" });
      expect((await decide("throw-out")).status).toBe(303);
      expect((await save(id, { "title.0.title": "Better", "no-files": "" })).status).toBe(303);
      expect((await upload("late.txt")).status).toBe(303);
      const again = hidden((await owner.get(`/deposit/${id}/publish`)).text, "base");
      const resent = await post(owner, `/deposit/${id}/publish`, { csrf, base: again, approval: "yes" });
      expect([resent.status, location(resent)]).toEqual([303, location(sent)]);
      expect((await decide("approve")).status).toBe(303);
      const item = await world.store.items.item(Number(id));
      expect([item?.state, item?.content?.indexes, item?.content?.settings]).toEqual(["published", [20], {}]);
      expect(item?.content?.metadata.titles[0]?.value).toBe("Better");
      expect(item?.content?.files.map(({ name }) => name)).toEqual(["late.txt"]);
      await world.store.transact((tx) => tx.settings.saveFormatSetting({ ...json, registrationType: 1 }));
    });

    test("P.161 P.162: of many indexes and communities the chosen ones and those of a search are offered", async () => {
      for (let id = 100; id < 165; id += 1) {
        await world.index({ id, indexName: `書架${id}`, indexNameEnglish: `Shelf ${id}` });
      }
      await world.store.transact(async (tx) => {
        for (let at = 10; at < 55; at += 1) {
          const names = { id: `55555555-5555-4555-8555-5555555555${at}`, slug: `pond-${at}` };
          const title = { en: `Pond ${at}`, ja: `池${at}` };
          const stamps = { type: "", createdAt: world.time.now, updatedAt: world.time.now };
          await tx.communities.saveCommunity({ ...PLAIN_COMMUNITY, ...names, title, ...stamps });
        }
      });
      const id = await deposit({ "place-index": "101" });
      const { text } = await owner.get(`/deposit/${id}`);
      expect([boxes(text, "place-index"), text.includes('name="place-find-index"')]).toEqual([["*101"], true]);
      expect(text).toContain('name="place-find-community"');
      const chosen = { "place-index": "101", "title.0.title": "Typed" };
      const look = async (what: string, sought: string) =>
        (await save(id, { ...chosen, "place-find": what, [`place-find-${what}`]: sought })).text;
      const found = await look("index", "書架16");
      expect(boxes(found, "place-index")).toEqual(["*101", "160", "161", "162", "163", "164"]);
      expect(found).toContain('value="Typed"');
      expect(await look("index", "nothing at all")).toContain("Nothing was found that you may deposit into.");
      const ponds = await look("community", "Pond 42");
      expect(boxes(ponds, "place-community")).toContain("55555555-5555-4555-8555-555555555542");
      expect(await look("community", "(title:")).toContain('name="place-find-community"');
    });
  });
});
