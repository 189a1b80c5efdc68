// Files of items as they are given to people (R19a, R2d, R2c): whole, in ranges, as attachments, and to whom.
import { describe, expect, test } from "bun:test";
import type { Access, ItemFile } from "../../src/model/items/item.ts";
import { TODAY } from "../support/world/items.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ pages: true });

const OPEN: Access = { record: "public", openDate: TODAY, files: "public", embargoUntil: null, embargoReason: "" };

async function published(file: ItemFile, access: Access = OPEN): Promise<string> {
  const item = await world.publish({ files: [file], access });
  return `/records/${item.id}/files/${encodeURIComponent(file.name)}`;
}

describe("a file", () => {
  test("R19a is given whole, in ranges, by HEAD, and not again to whom has it", async () => {
    const path = await published(await world.file("letters.txt", "abcdefghij"));
    const whole = await world.visitor().get(path);
    expect([whole.status, whole.text]).toEqual([200, "abcdefghij"]);
    expect(whole.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(whole.headers.get("content-disposition")).toBe('inline; filename="letters.txt"');
    const part = await world.visitor().get(path, { range: "bytes=2-4" });
    expect([part.status, part.text, part.headers.get("content-range")]).toEqual([206, "cde", "bytes 2-4/10"]);
    const behind = await world.visitor().get(path, { range: "bytes=10-" });
    expect([behind.status, behind.headers.get("content-range")]).toEqual([416, "bytes */10"]);
    const head = await world.visitor().head(path);
    expect([head.status, head.text, head.headers.get("content-length")]).toEqual([200, "", "10"]);
    const etag = whole.headers.get("etag") ?? "";
    expect((await world.visitor().get(path, { "if-none-match": etag })).status).toBe(304);
  });

  test.each([
    ["page.html", "text/html", "attachment"],
    ["drawing.svg", "image/svg+xml", "attachment"],
    ["data.xml", "application/xml", "attachment"],
    ["paper.pdf", "application/pdf", "inline"],
    ["photo.png", "image/png", "inline"],
    ["talk.mp3", "audio/mpeg", "inline"],
    ["film.mp4", "video/mp4", "inline"],
    ["table.csv", "text/csv", "attachment"],
  ])("R19a %s (%s) is served as %s, with nosniff and in a sandbox", async (name, mediaType, disposition) => {
    const { headers } = await world.visitor().get(await published(await world.file(name, "x", { mediaType })));
    expect(headers.get("content-disposition")?.startsWith(`${disposition};`)).toBe(true);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toBe("sandbox");
  });

  test("R19a ?download=1 asks for an attachment", async () => {
    const path = await published(await world.file("paper.pdf", "%PDF", { mediaType: "application/pdf" }));
    const { headers } = await world.visitor().get(`${path}?download=1`);
    expect(headers.get("content-disposition")).toBe('attachment; filename="paper.pdf"');
  });

  test("R13a names are encoded once in the address, and unencoded they are found too", async () => {
    const name = "a%2Fb%20c.txt";
    const path = await published(await world.file(name, "flat"));
    expect(path.endsWith("/files/a%252Fb%2520c.txt")).toBe(true);
    expect((await world.visitor().get(path)).text).toBe("flat");
    expect((await world.visitor().get(path.replace("a%252Fb%2520c.txt", "a%2Fb%20c.txt"))).text).toBe("flat");
    const japanese = await published(await world.file("論文 その1.txt", "本文"));
    const got = await world.visitor().get(japanese);
    expect(got.text).toBe("本文");
    expect(got.headers.get("content-disposition")).toContain("filename*=UTF-8''%E8%AB%96%E6%96%87%20");
  });

  test("an unknown name, a path that climbs, and broken encoding are 404", async () => {
    const item = await world.publish({ files: [await world.file("x.txt", "x")] });
    for (const name of ["y.txt", "..%2F..%2Fetc%2Fpasswd", "%00", "%E0%A4%A", "x.txt%20", "constructor"]) {
      const { status } = await world.visitor().get(`/records/${item.id}/files/${name}`);
      expect([name, status]).toEqual([name, 404]);
    }
  });

  test("R2b the number that ties versions together gives the file of the latest one", async () => {
    const item = await world.publish({ files: [await world.file("x.txt", "one")] });
    expect((await world.visitor().get(`/records/${item.parentId}/files/x.txt`)).text).toBe("one");
  });
});

describe("who may have a file", () => {
  const closed: readonly (readonly [string, Partial<ItemFile>, Partial<Access>])[] = [
    ["closed", { access: "closed" }, {}],
    ["open from a day to come", { access: "date", accessDate: "2099-01-01" }, {}],
    ["for people who are signed in", { access: "login" }, {}],
    ["of a record whose files are restricted", {}, { files: "restricted" }],
    ["under embargo", {}, { embargoUntil: "2099-01-01" }],
    ["of a restricted record", {}, { record: "restricted" }],
    ["of a record that opens later", {}, { openDate: "2099-01-01" }],
  ];
  test.each(closed)(
    "R2d a file %s is 403 for guests, who may sign in, not for its owner",
    async (_what, file, access) => {
      const path = await published(await world.file("x.txt", "confidential words", file), { ...OPEN, ...access });
      const guest = await world.visitor().get(path);
      expect(guest.status).toBe(403);
      expect(guest.text).not.toContain("confidential words");
      expect(guest.text).toContain("/account/login?return_to=");
      const browser = world.visitor();
      await browser.signIn(await world.token(world.owner));
      const own = await browser.get(path);
      expect([own.status, own.text]).toEqual([200, "confidential words"]);
      expect(own.headers.get("cache-control")).toBe("private, no-cache");
    },
  );

  test("R2d a file for people who are signed in is given to anybody who is; of a group only to its members", async () => {
    const any = await world.person("anybody", []);
    const member = await world.person("member", [3]);
    const group = await world.store.transact(async (tx) => {
      const id = (await tx.accounts.insertGroup("readers", world.time.now)) ?? 0;
      await tx.accounts.setGroupMembers(id, [member.account?.id ?? 0]);
      return id;
    });
    const login = await published(await world.file("x.txt", "a", { access: "login" }));
    const grouped = await published(await world.file("y.txt", "b", { access: "login", groups: [group] }));
    const [one, other] = [world.visitor(), world.visitor()];
    await one.signIn(await world.token(any));
    await other.signIn(await world.token(member));
    expect([(await one.get(login)).status, (await one.get(grouped)).status]).toEqual([200, 403]);
    expect([(await other.get(login)).status, (await other.get(grouped)).status]).toEqual([200, 200]);
    // Of somebody who is signed in the page does not ask for that again.
    expect((await one.get(grouped)).text).not.toContain("/account/login");
  });

  test("R2d a token in the header opens what its account may have, with the scope item:read", async () => {
    const path = await published(await world.file("x.txt", "secret", { access: "closed" }));
    const token = await world.token(world.owner, ["item:read"]);
    expect((await world.visitor().get(path, { authorization: `Bearer ${token}` })).text).toBe("secret");
    expect((await world.visitor().get(path, { authorization: "Bearer svc_no" })).status).toBe(401);
    const narrow = await world.token(world.owner, ["index:read"]);
    expect((await world.visitor().get(path, { authorization: `Bearer ${narrow}` })).status).toBe(403);
    const files = await world.token(world.owner, ["file:read"]);
    expect((await world.visitor().get(path, { authorization: `Bearer ${files}` })).status).toBe(200);
  });

  test("R6b a token that was narrowed reads no more than its scopes allow: no record, no file, no activity", async () => {
    const path = await published(await world.file("x.txt", "secret", { access: "closed" }));
    const record = path.slice(0, path.indexOf("/files/"));
    const statuses = async (scopes: readonly string[]): Promise<number[]> => {
      const authorization = `Bearer ${await world.token(world.owner, scopes)}`;
      const found: number[] = [];
      for (const page of [path, record, `${record}/export/jpcoar`, "/workflow/activities"]) {
        found.push((await world.visitor().get(page, { authorization })).status);
      }
      return found;
    };
    expect(await statuses(["deposit:write"])).toEqual([403, 403, 403, 403]);
    expect(await statuses(["file:read"])).toEqual([200, 403, 403, 403]);
    expect(await statuses(["item:read"])).toEqual([200, 200, 200, 403]);
    expect(await statuses(["user:activity"])).toEqual([403, 403, 403, 200]);
  });
});
