// The pages where people deposit, without script (R42): from "Deposit" to a published record with a file, faults at
// their fields, two windows, files that are refused.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { addMilliseconds } from "../../src/shared/time/instant.ts";
import { onEachDatabase } from "../support/databases.ts";
import { csrfIn, type PagesWorld, pagesWorld, type Visitor, visitor as visitorOf } from "../support/world/pages.ts";
import { zip } from "../support/zip-writer.ts";

const TITLE = "title.0.title";
/** What a person fills in of the simple item type. */
const FILLED = {
  [TITLE]: "潮汐について",
  "title.0.lang": "ja",
  "creator.0.names.0.name": "山田, 太郎",
  "creator.0.names.0.lang": "ja",
  "resource_type.label": "journal article",
  "date.0.type": "Issued",
  "date.0.date": "2024-05-01",
};

const valueIn = (html: string, name: string): string | undefined =>
  new RegExp(`<input type="text"[^>]* name="${name.replaceAll(".", "\\.")}"[^>]* value="([^"]*)"`).exec(html)?.[1];
const hidden = (html: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? "";
const location = ({ headers }: { readonly headers: Headers }): string => headers.get("location") ?? "";

describe("depositing in a browser", () => {
  onEachDatabase((database) => {
    let world: PagesWorld;
    let owner: Visitor;
    let other: Visitor;

    beforeAll(async () => {
      const env = { SVC_TOOL_ITEM_TYPE: "2", SVC_MAX_UPLOAD_BYTES: "1048576" };
      world = await pagesWorld({ env, ...(database.name === "SQLite" ? {} : { url: await database.url() }) });
      owner = world.visitor();
      await owner.signIn(await world.token(world.owner));
      other = world.visitor("ja");
      await other.signIn(await world.token(await world.person("other", [3])));
    });
    afterAll(() => world.close());

    /** A draft with these fields; the number of its record. */
    async function deposit(fields: Readonly<Record<string, string>> = FILLED, visitor = owner): Promise<string> {
      const page = await visitor.get("/deposit");
      const made = await visitor.post("/deposit", { csrf: csrfIn(page.text), save: "yes", ...fields });
      expect([made.status, location(made)]).toEqual([303, expect.stringMatching(/^\/deposit\/\d+\?saved=yes$/)]);
      return /\d+/.exec(location(made))?.[0] ?? "";
    }
    async function save(id: string, fields: Readonly<Record<string, string>>, base?: string, visitor = owner) {
      const page = await visitor.get(`/deposit/${id}`);
      const sent = { csrf: csrfIn(page.text), base: base ?? hidden(page.text, "base"), ...fields };
      return await visitor.post(`/deposit/${id}`, sent);
    }
    async function upload(
      id: string,
      name: string,
      bytes: string | Uint8Array<ArrayBuffer>,
      more: { readonly csrf?: string; readonly to?: string } = {},
    ) {
      const page = await owner.get(`/deposit/${id}/files`);
      const form = new FormData();
      form.set("csrf", more.csrf ?? csrfIn(page.text));
      form.set("file", new File([bytes], name));
      const request = new Request("http://repository.test/", { method: "POST", body: form });
      const type = request.headers.get("content-type") ?? "";
      const body = await request.arrayBuffer();
      const headers = { "content-type": type, "content-length": `${body.byteLength}` };
      return await owner.send(`/deposit/${id}/files${more.to ?? ""}`, { method: "POST", headers, body });
    }

    test('P.120: from "Deposit" to a published record with one file it takes five clicks', async () => {
      const front = await owner.get("/");
      expect(front.text).toContain('<a href="/deposit">Deposit</a>');
      // 1: Deposit.
      const form = await owner.get("/deposit");
      expect([form.status, form.headers.get("cache-control")]).toEqual([200, "no-store"]);
      // 2: Save and add files.
      const made = await owner.post("/deposit", { csrf: csrfIn(form.text), files: "yes", ...FILLED });
      const id = /\d+/.exec(location(made))?.[0] ?? "";
      expect(location(made)).toBe(`/deposit/${id}/files`);
      // 3: Upload.
      const uploaded = await upload(id, "論文 1.txt", "words of the paper");
      expect([uploaded.status, location(uploaded)]).toEqual([303, `/deposit/${id}/files`]);
      expect((await owner.get(`/deposit/${id}/files`)).text).toContain("論文 1.txt");
      // 4: Publish; the page states what becomes fixed.
      const asked = await owner.get(`/deposit/${id}/publish`);
      expect(asked.text).toContain("fixed for good");
      // 5: Publish.
      const sent = { csrf: csrfIn(asked.text), base: hidden(asked.text, "base") };
      const published = await owner.post(`/deposit/${id}/publish`, sent);
      expect([published.status, location(published)]).toEqual([303, `/records/${id}`]);
      const page = await world.visitor().get(`/records/${id}`);
      expect([page.status, page.text.includes("潮汐について"), page.text.includes("論文 1.txt")]).toEqual([
        200,
        true,
        true,
      ]);
      const item = await world.store.items.item(Number(id));
      expect(item?.ark).not.toBeNull();
      const [creator] = item?.content?.metadata.creators ?? [];
      expect([creator?.kind, creator?.names]).toEqual([
        "personal",
        [{ full: "山田, 太郎", family: "山田", given: "太郎", lang: "ja" }],
      ]);
      expect((await owner.get(`/deposit/${id}`)).status).toBe(404);
    });

    test("P.120: a stranger is led to sign-in and back; the drafts of others do not exist", async () => {
      const guest = world.visitor();
      expect(location(await guest.get("/deposit"))).toBe("/account/login?return_to=%2Fdeposit");
      const id = await deposit();
      for (const path of ["", "/files", "/publish", "/discard"]) {
        expect([path, (await other.get(`/deposit/${id}${path}`)).status]).toEqual([path, 404]);
        expect([path, (await owner.get(`/deposit/${id}${path}`)).status]).toEqual([path, 200]);
      }
      expect((await save(id, FILLED, "1", other)).status).toBe(404);
      const csrf = csrfIn((await other.get("/deposit")).text);
      expect((await other.post(`/deposit/${id}`, { csrf, base: "1", [TITLE]: "Mine" })).status).toBe(404);
      expect((await other.post(`/deposit/${id}/publish`, { csrf })).status).toBe(404);
      expect((await other.post(`/deposit/${id}/discard`, { csrf })).status).toBe(404);
      expect((await owner.post(`/deposit/${id}`, { csrf: "old", base: "1", [TITLE]: "Mine" })).status).toBe(403);
      expect((await owner.get("/deposit/abc")).status).toBe(404);
      const stored = await world.store.items.draft(Number(id));
      expect(stored?.content.metadata.titles[0]?.value).toBe("潮汐について");
    });

    test("P.121: wrong values are reported at their field and kept as typed; the others are saved", async () => {
      const id = await deposit();
      const { status, text } = await save(id, { ...FILLED, [TITLE]: "Saved", "date.0.date": "03/04/2024" });
      expect(status).toBe(400);
      expect(text).toContain("<title>Error: ");
      const words = "This can be 3 April 2024 or 4 March 2024. Write 2024-04-03 or 2024-03-04";
      expect(text).toContain(`<a href="#date.0.date">${words}</a>`);
      expect(text).toContain(`id="date.0.date-error">${words}</p>`);
      expect([valueIn(text, "date.0.date"), valueIn(text, TITLE)]).toEqual(["03/04/2024", "Saved"]);
      const stored = await world.store.items.draft(Number(id));
      expect(stored?.content.metadata.titles[0]?.value).toBe("Saved");
      const date = await save(id, { ...FILLED, "date.0.date": "令和6年3月1日" });
      expect([date.status, valueIn(date.text, "date.0.date")]).toEqual([200, "2024-03-01"]);
      expect(date.text).toContain("Understood as 1 March 2024 (Reiwa 6)");
      const unknown = await save(id, { ...FILLED, "nothing.0": "<script>" });
      expect(unknown.text).toContain("The form has no field &quot;nothing.0&quot;");
    });

    test("P.122: entries are added, moved and removed without script, and each button saves", async () => {
      const id = await deposit();
      const added = await save(id, { ...FILLED, add: "title" });
      expect([added.status, added.text.includes('name="title.1.title"')]).toEqual([200, true]);
      const two = { ...FILLED, "title.1.title": "On tides", "title.1.lang": "en" };
      const moved = await save(id, { ...two, "move-up": "title.1" });
      expect([valueIn(moved.text, TITLE), valueIn(moved.text, "title.1.title")]).toEqual(["On tides", "潮汐について"]);
      const removed = await save(id, { ...two, remove: "title.0" });
      expect(valueIn(removed.text, TITLE)).toBe("On tides");
      const stored = await world.store.items.draft(Number(id));
      expect(stored?.content.metadata.titles.map(({ value }) => value)).toEqual(["On tides"]);
      expect((await save(id, { ...FILLED, add: "nothing.at.all" })).status).toBe(200);
    });

    test("P.123: two windows: what one changed is merged, what both changed is asked, and nothing is lost", async () => {
      const id = await deposit();
      const base = hidden((await owner.get(`/deposit/${id}`)).text, "base");
      await save(id, { ...FILLED, "publisher.0.name": "A press" });
      const merged = await save(id, { ...FILLED, "subject.0.text": "tides" }, base);
      expect([merged.status, location(merged)]).toEqual([303, `/deposit/${id}?saved=yes`]);
      const after = await owner.get(`/deposit/${id}`);
      expect([valueIn(after.text, "publisher.0.name"), valueIn(after.text, "subject.0.text")]).toEqual([
        "A press",
        "tides",
      ]);
      const both = { ...FILLED, "publisher.0.name": "A press", "subject.0.text": "tides" };
      const seen = hidden(after.text, "base");
      await save(id, { ...both, [TITLE]: "Theirs" });
      const asked = await save(id, { ...both, [TITLE]: "Mine", "subject.0.text": "waves" }, seen);
      expect(asked.status).toBe(409);
      expect(asked.text).toContain("Somebody else changed this meanwhile to “Theirs”");
      expect([valueIn(asked.text, TITLE), valueIn(asked.text, "subject.0.text")]).toEqual(["Mine", "waves"]);
      expect((await world.store.items.draft(Number(id)))?.content.metadata.titles[0]?.value).toBe("Theirs");
      const decided = await save(
        id,
        { ...both, [TITLE]: "Mine", "subject.0.text": "waves" },
        hidden(asked.text, "base"),
      );
      expect(decided.status).toBe(303);
      const { metadata } = (await world.store.items.draft(Number(id)))?.content ?? {};
      expect([metadata?.titles[0]?.value, metadata?.subjects[0]?.text?.value]).toEqual(["Mine", "waves"]);
      for (const base of ["999", "3", `999.${seen.split(".").slice(1).join(".")}`]) {
        const unknown = await save(id, { ...both, [TITLE]: "Old window" }, base);
        expect([base, unknown.status, valueIn(unknown.text, TITLE)]).toEqual([base, 409, "Old window"]);
      }
    });

    test("P.123: a window of an earlier edit of a record overwrites, publishes and restores nothing", async () => {
      const id = await deposit({ ...FILLED, "no-files": "yes" });
      const csrf = csrfIn((await owner.get("/deposit")).text);
      const publish = async () => {
        const base = hidden((await owner.get(`/deposit/${id}/publish`)).text, "base");
        expect((await owner.post(`/deposit/${id}/publish`, { csrf, base })).status).toBe(303);
      };
      const edit = async () => {
        world.time.now = addMilliseconds(world.time.now, 1_000);
        const headers = { "x-csrftoken": csrf };
        expect((await owner.send(`/api/records/${id}/draft`, { method: "POST", headers })).status).toBe(201);
      };
      await publish();
      await edit();
      const [one, asked] = [await owner.get(`/deposit/${id}`), await owner.get(`/deposit/${id}/publish`)];
      await save(id, { ...FILLED, [TITLE]: "Published meanwhile" });
      await publish();
      await edit();
      const late = await save(id, { ...FILLED, "subject.0.text": "tides" }, hidden(one.text, "base"));
      expect([late.status, late.text.includes("“Published meanwhile”")]).toEqual([409, true]);
      const stored = async () => (await world.store.items.draft(Number(id)))?.content.metadata.titles[0]?.value;
      expect(await stored()).toBe("Published meanwhile");
      const old = { csrf, base: hidden(asked.text, "base") };
      expect((await owner.post(`/deposit/${id}/publish`, old)).status).toBe(409);
      expect((await owner.post(`/deposit/${id}/revisions/1`, old)).status).toBe(412);
      // The question has been answered: this window's values count.
      const again = { ...FILLED, "subject.0.text": "tides" };
      expect((await save(id, again, hidden(late.text, "base"))).status).toBe(303);
      expect(await stored()).toBe("潮汐について");
    });

    test("P.128 P.129 P.134: the script of the form is answered what changed; a form that is sent again makes no second draft", async () => {
      const script = async (path: string, fields: Readonly<Record<string, string>>, visitor = owner) => {
        const headers = { accept: "application/json", "content-type": "application/x-www-form-urlencoded" };
        const body = new URLSearchParams(fields).toString();
        const { status, text } = await visitor.send(path, { method: "POST", headers, body });
        // Refusals are pages.
        return { status, json: text.startsWith("{") ? JSON.parse(text) : null };
      };
      const blank = (await owner.get("/deposit?type=2")).text;
      const csrf = csrfIn(blank);
      const sent = { csrf, "form-key": hidden(blank, "form-key"), ...FILLED };
      const first = await script("/deposit", sent);
      const { id, base } = first.json;
      expect([first.status, first.json]).toEqual([
        200,
        {
          ...{ id, base, saved_at: expect.any(String), is_saved: true, files_enabled: true },
          ...{ problems: [], understood: [], conflicts: [], changed: [], communities: [] },
          links: expect.stringContaining("/revisions"),
        },
      ]);
      // The answer was lost: the same again, then more.
      const again = await script("/deposit", sent);
      expect([again.status, again.json.id, again.json.changed]).toEqual([200, id, []]);
      expect((await owner.post("/deposit", sent)).headers.get("location")).toBe(`/deposit/${id}?saved=yes`);
      expect((await script("/deposit", { ...sent, csrf: "old" })).status).toBe(403);
      const ofOther = csrfIn((await other.get("/deposit")).text);
      expect((await script("/deposit", { ...sent, csrf: ofOther }, other)).json.id).not.toBe(id);
      // Another window adds a row above, and switches files off; this one changes other fields.
      const theirs = {
        ...{ ...FILLED, "title.0.title": "Above", "title.0.lang": "en", "no-files": "yes" },
        ...{ "title.1.title": "潮汐について", "title.1.lang": "ja" },
      };
      expect((await save(id, theirs, base)).status).toBe(303);
      const merged = await script(`/deposit/${id}`, { csrf, base, ...FILLED, "date.0.date": "令和6年5月1日" });
      expect([merged.status, merged.json]).toMatchObject([
        200,
        {
          understood: [{ field: "date.0.date", text: "Understood as 1 May 2024 (Reiwa 6)" }],
          files_enabled: false,
          changed: [
            {
              group: "title",
              fields: {
                ...{ "title.0.title": "Above", "title.0.lang": "en" },
                ...{ "title.1.title": "潮汐について", "title.1.lang": "ja" },
              },
            },
          ],
        },
      ]);
      const wrong = await script(`/deposit/${id}`, { csrf, base: merged.json.base, ...theirs, "date.0.date": "?" });
      expect([wrong.status, wrong.json.is_saved, wrong.json.problems[0].field]).toEqual([200, true, "date.0.date"]);
      const conflict = await script(`/deposit/${id}`, { csrf, base, ...FILLED, "resource_type.label": "book" });
      expect((await save(id, { ...theirs, "resource_type.label": "dataset" })).status).toBe(303);
      expect(conflict.status).toBe(200);
      const asked = await script(`/deposit/${id}`, { csrf, base, ...FILLED, "resource_type.label": "report" });
      expect([asked.status, asked.json.is_saved, asked.json.conflicts]).toEqual([
        ...[409, false, [{ field: "resource_type.label", theirs: "dataset" }]],
      ]);
      expect(asked.json.problems[0].text).toContain("changed this meanwhile to “dataset”");
      // Where the draft goes: the other side's choice is shown, this one's is kept.
      const place = { "place-shown": "yes", "place-record": "public", "place-files": "public" };
      const there = (await save(id, { ...theirs, ...place, "place-record": "restricted" })).status;
      const moved = await script(`/deposit/${id}`, { csrf, base: asked.json.base, ...theirs, ...place });
      expect([there, moved.status, moved.json.place.includes('value="restricted" checked')]).toEqual([303, 200, true]);
      expect((await world.store.items.draft(id))?.content.access.record).toBe("restricted");
      expect((await script(`/deposit/${id}`, sent, world.visitor())).status).toBe(401);
      expect((await script("/deposit/999999", sent)).status).toBe(404);
    });

    test("P.124: a draft that lacks something is not published: each fault leads to its field", async () => {
      const id = await deposit({ "subject.0.text": "tides" });
      const { status, text } = await owner.get(`/deposit/${id}/publish`);
      expect([status, text.includes("The draft cannot be published yet.")]).toEqual([200, true]);
      for (const field of [TITLE, "resource_type.label", "creator.0.names.0.name"]) {
        expect(text).toContain(`<a href="/deposit/${id}#${field}">`);
      }
      expect(text).toContain("Missing uploaded files");
      const sent = await owner.post(`/deposit/${id}/publish`, {
        csrf: csrfIn((await owner.get("/deposit")).text),
        base: "2",
      });
      expect([sent.status, (await world.store.items.item(Number(id)))?.state]).toEqual([400, "draft"]);
      const whole = await save(id, { ...FILLED, "no-files": "yes", publish: "yes" });
      expect(location(whole)).toBe(`/deposit/${id}/publish`);
      const asked = await owner.get(`/deposit/${id}/publish`);
      const base = hidden(asked.text, "base");
      await save(id, { ...FILLED, "no-files": "yes", [TITLE]: "Another title" });
      // Changed since the question: it is asked again.
      expect((await owner.post(`/deposit/${id}/publish`, { csrf: csrfIn(asked.text), base })).status).toBe(409);
    });

    test("P.126: nothing that was typed is lost when the session ends while a form is filled in", async () => {
      const id = await deposit();
      const typed = { ...FILLED, [TITLE]: "Typed <b>for an hour</b>", "description.0.text": "two\nlines", save: "yes" };
      const own = { "sec-fetch-site": "same-origin", "content-type": "application/x-www-form-urlencoded" };
      const send = (
        visitor: Visitor,
        fields: Readonly<Record<string, string>>,
        headers: Record<string, string> = own,
      ) => {
        const body = new URLSearchParams(fields).toString();
        const length = { "content-length": `${body.length}` };
        return visitor.send(`/deposit/${id}`, { method: "POST", headers: { ...length, ...headers }, body });
      };
      const guest = world.visitor();
      const seen = hidden((await owner.get(`/deposit/${id}`)).text, "base");
      const over = await send(guest, { csrf: "old-token", base: "2", ...typed });
      expect([over.status, over.headers.get("cache-control")]).toEqual([401, "no-store"]);
      expect(over.text).toContain('name="title.0.title" value="Typed &lt;b&gt;for an hour&lt;/b&gt;"');
      expect(over.text).toContain('<textarea name="description.0.text" hidden>\ntwo\nlines</textarea>');
      expect(over.text).not.toContain("old-token");
      // Signed in again, it is shown as it was typed, and saved by the person.
      const shown = await send(owner, { base: seen, ...typed });
      expect([shown.status, shown.text.includes("Nothing is saved yet")]).toEqual([403, true]);
      expect(valueIn(shown.text, TITLE)).toBe("Typed &lt;b&gt;for an hour&lt;/b&gt;");
      const stored = async () => (await world.store.items.draft(Number(id)))?.content.metadata.titles[0]?.value;
      expect(await stored()).toBe("潮汐について");
      const again = { csrf: csrfIn(shown.text), base: hidden(shown.text, "base"), ...typed };
      expect((await send(owner, again)).status).toBe(303);
      expect(await stored()).toBe("Typed <b>for an hour</b>");
      // What another site filled in is shown to nobody.
      for (const site of ["cross-site", "same-site"]) {
        const elsewhere = { ...own, "sec-fetch-site": site };
        expect((await send(owner, { base: "2", ...typed }, elsewhere)).text).not.toContain("for an hour");
        expect((await send(guest, { base: "2", ...typed }, elsewhere)).text).not.toContain("for an hour");
      }
      expect((await send(other, { base: "2", ...typed })).status).toBe(404);
    });

    test("P.127: earlier states are listed, compared by the labels of the form, and restored", async () => {
      const id = await deposit();
      await save(id, { ...FILLED, [TITLE]: "Second" });
      await save(id, { ...FILLED, [TITLE]: "Third", "creator.0.names.0.name": "Doe, Ann" });
      const list = await owner.get(`/deposit/${id}/revisions`);
      const states = [...list.text.matchAll(/href="\/deposit\/\d+\/revisions\/(\d+)"/g)].map(([, number]) => number);
      expect(states).toEqual(["3", "2", "1"]);
      const one = await owner.get(`/deposit/${id}/revisions/2`);
      for (const text of ["Title 1: Title", "潮汐について", "Third", "Creator 1: Name 1: Full name", "Doe, Ann"]) {
        expect(one.text).toContain(text);
      }
      expect((await owner.get(`/deposit/${id}/revisions/4`)).status).toBe(404);
      expect((await other.get(`/deposit/${id}/revisions`)).status).toBe(404);
      expect((await other.get(`/deposit/${id}/revisions/2`)).status).toBe(404);
      const sent = { csrf: csrfIn(one.text), base: hidden(one.text, "base") };
      expect((await owner.post(`/deposit/${id}/revisions/2`, { ...sent, base: "1" })).status).toBe(412);
      expect((await owner.post(`/deposit/${id}/revisions/2`, sent)).status).toBe(303);
      expect(valueIn((await owner.get(`/deposit/${id}`)).text, TITLE)).toBe("潮汐について");
    });

    test("P.125: files are refused before their first byte, by size, name and right, and removed again", async () => {
      const id = await deposit();
      const large = await upload(id, "large.bin", "x".repeat(1_048_576 + 70_000));
      expect([large.status, large.text.includes("1 MiB")]).toEqual([413, true]);
      expect((await upload(id, "", "")).status).toBe(400);
      expect((await upload(id, "a.txt", "words", { csrf: "old" })).status).toBe(403);
      expect((await upload(id, "..", "words")).status).toBe(400);
      expect((await upload(id, "C:\\papers\\a.txt", "words")).status).toBe(303);
      const again = await upload(id, "a.txt", "other words");
      expect([again.status, again.text.includes("There is a file of this name already.")]).toEqual([400, true]);
      const page = await owner.get(`/deposit/${id}/files`);
      expect(new Set([...page.text.matchAll(/name="key" value="([^"]*)"/g)].map(([, key]) => key))).toEqual(
        new Set(["a.txt"]),
      );
      const removed = await owner.post(`/deposit/${id}/files/remove`, { csrf: csrfIn(page.text), key: "a.txt" });
      expect(removed.status).toBe(303);
      expect((await world.store.items.draft(Number(id)))?.content.files).toEqual([]);
      const text = await owner.send(`/deposit/${id}/files`, { method: "POST", body: "x" });
      expect(text.status).toBe(400);
    });

    test("P.176 R43: files are ordered, described, limited, replaced, put back and unpacked by forms, in both languages", async () => {
      const id = await deposit();
      const base = `/deposit/${id}/files`;
      for (const name of ["a.txt", "b.txt", "c.txt"]) await upload(id, name, name);
      const shown = async () => {
        const { text } = await owner.get(base);
        const table = text.slice(text.indexOf("<table"), text.indexOf("</table>"));
        return [...table.matchAll(/<th scope="row"><a [^>]*><bdi class="name">([^<]*)/g)].map(([, name]) => name);
      };
      const send = async (action: string, fields: Readonly<Record<string, string>>) => {
        const { text } = await owner.get(base);
        const answer = await owner.post(`${base}/${action}`, { csrf: csrfIn(text), ...fields });
        return [answer.status, answer.text] as const;
      };
      await send("move", { key: "c.txt", to: "up" });
      expect(await shown()).toEqual(["a.txt", "c.txt", "b.txt"]);
      await send("move", { key: "b.txt", to: "first" });
      await send("move", { key: "a.txt", to: "down" });
      expect(await shown()).toEqual(["b.txt", "c.txt", "a.txt"]);
      await send("move", { key: "b.txt", to: "unset" });
      // Further up than the top.
      expect((await send("move", { key: "b.txt", to: "up" }))[0]).toBe(303);
      expect(await shown()).toEqual(["b.txt", "c.txt", "a.txt"]);
      expect((await send("move", { key: "none.txt", to: "up" }))[0]).toBe(404);
      const edit = "edit?key=a.txt";
      const wrong = await send(edit, { description: "潮位", rule: "date", until: "soon" });
      expect([wrong[0], wrong[1].includes("Write the day as"), wrong[1].includes("潮位")]).toEqual([400, true, true]);
      expect(wrong[1]).toContain("<title>Error:");
      expect((await send(edit, { rule: "groups" }))[1]).toContain("Choose at least one group.");
      expect((await send(edit, {}))[1]).toContain("Choose who may have the file.");
      expect((await send(edit, { description: "x".repeat(4_001), rule: "open" }))[0]).toBe(400);
      expect((await send(edit, { description: "潮位", rule: "date", until: "2199-04-01" }))[0]).toBe(303);
      const described = (await owner.get(base)).text;
      expect([described.includes("潮位"), described.includes("1 April 2199")]).toEqual([true, true]);
      expect((await owner.get(`${base}/${edit}`)).text).toMatch(/value="date"[^>]* checked/);
      // What replaces it keeps its description and its access, and can be undone.
      const replaced = await upload(id, "other.txt", "new words", { to: "/replace?key=a.txt" });
      expect([replaced.status, (await owner.get(`/records/${id}/files/a.txt`)).text]).toEqual([303, "new words"]);
      const files = async () => (await world.store.items.draft(Number(id)))?.content.files ?? [];
      expect((await files()).find(({ name }) => name === "a.txt")).toMatchObject({
        ...{ access: "date", accessDate: "2199-04-01", metadata: { description: "潮位" } },
      });
      await send("remove", { key: "a.txt" });
      const removed = await world.store.draftFiles.removedFiles(Number(id), "2000-01-01T00:00:00.000Z", 10);
      const removalOf = (bytes: string) => removed.find(({ file }) => file.sizeBytes === bytes.length)?.id ?? "";
      const listed = (await owner.get(base)).text;
      expect([removed.length, ...removed.map((each) => listed.includes(each.id))]).toEqual([2, true, true]);
      expect((await send("put-back", { removal: removalOf("a.txt") }))[0]).toBe(303);
      expect((await owner.get(`/records/${id}/files/a.txt`)).text).toBe("a.txt");
      const taken = await send("put-back", { removal: removalOf("new words") });
      expect([taken[0], taken[1].includes("already exists")]).toEqual([400, true]);
      await upload(id, "all.zip", new Uint8Array(zip([{ name: "data/x.csv", bytes: "x" }])));
      expect((await send("unpack", { key: "c.txt" }))[0]).toBe(400);
      expect((await send("unpack", { key: "all.zip" }))[0]).toBe(303);
      expect((await shown()).toSorted()).toEqual(["a.txt", "b.txt", "c.txt", "data/x.csv"]);
      const japanese = (await other.get(`${base}/${edit}`)).status;
      expect(japanese).toBe(404);
      for (const action of ["move", "remove", "put-back", "unpack", edit]) {
        const csrf = csrfIn((await other.get("/deposit")).text);
        const refused = await other.post(`${base}/${action}`, { csrf, key: "c.txt", rule: "closed", to: "up" });
        expect([action, refused.status]).toEqual([action, 404]);
      }
      expect((await owner.get(base)).text).toContain("A file has at most 1 MiB");
      // Readers see the same order, the description and who may have it.
      await send("move", { key: "a.txt", to: "first" });
      await send(edit, { description: "潮位", rule: "date", until: "2199-04-01" });
      const { text: question } = await owner.get(`/deposit/${id}/publish`);
      const sent = { csrf: csrfIn(question), base: hidden(question, "base") };
      expect((await owner.post(`/deposit/${id}/publish`, sent)).status).toBe(303);
      const page = (await world.visitor().get(`/records/${id}`)).text;
      const names = ["a.txt", "b.txt", "c.txt"].map((name) => page.indexOf(`<bdi class="name">${name}`));
      expect(names).toEqual(names.toSorted((one, next) => one - next));
      expect([page.includes("潮位"), page.includes("1 April 2199"), names.includes(-1)]).toEqual([true, true, false]);
      expect((await world.visitor().get(`/records/${id}/files/a.txt`)).status).toBe(403);
      expect((await world.visitor().get(`/records/${id}/files/b.txt`)).text).toBe("b.txt");
    });

    test("P.137: the form of the full item type is short: entries once, choices of optional groups once", async () => {
      const browser = visitorOf(world.under({ SVC_TOOL_ITEM_TYPE: "1" }));
      await browser.signIn(await world.token(world.owner));
      const { text } = await browser.get("/deposit?type=1");
      expect([text.length < 120 * 1024, text.includes("<template>")]).toEqual([true, false]);
      expect(text.split("<summary>").length).toBeGreaterThan(30);
      // Each control that names a list finds it, and titles have their own choices.
      const named = new Set([...text.matchAll(/ list="([^"]*)"/g)].map(([, list]) => list));
      expect([...named].sort()).toEqual([...text.matchAll(/<datalist id="([^"]*)"/g)].map(([, id]) => id).sort());
      expect(named.size).toBeGreaterThan(0);
      expect(text.match(/<select id="[^"]*"/)?.[0]).toContain("item_1617186331708.0");
      const [lang, name] = ["item_1617186643794.0.subitem_1522300295150", "item_1617186643794.0.subitem_1522300316516"];
      expect(text).toMatch(new RegExp(`<input type="text" id="${lang}"[^>]* list="`));
      const send = (value: string) =>
        browser.post("/deposit", { csrf: csrfIn(text), save: "yes", [name]: "潮汐社", [lang]: value });
      const wrong = await send("Klingon");
      expect([wrong.status, wrong.text.includes("Choose one of the listed values")]).toEqual([400, true]);
      const made = await send("ja");
      expect(made.status).toBe(303);
      const stored = await world.store.items.draft(Number(/\d+/.exec(location(made))?.[0]));
      expect(stored?.content.metadata.publishers).toMatchObject([{ names: [{ value: "潮汐社", lang: "ja" }] }]);
    });

    test("P.120: a draft is discarded after a question; pages are in the reader's language", async () => {
      const id = await deposit(FILLED, other);
      const asked = await other.get(`/deposit/${id}/discard`);
      expect(asked.text).toContain("この下書きを破棄しますか");
      const done = await other.post(`/deposit/${id}/discard`, { csrf: csrfIn(asked.text) });
      expect([done.status, (await other.get(`/deposit/${id}`)).status]).toEqual([303, 404]);
      const wrong = await (async () => {
        const page = await other.get("/deposit");
        return await other.post("/deposit", { csrf: csrfIn(page.text), ...FILLED, "title.0.lang": "klingon" });
      })();
      expect([wrong.status, wrong.text.includes("一覧から選択してください")]).toEqual([400, true]);
    });
  });
});
