// A hash that the sender computed before (RFC 9530): bytes that differ are refused and not kept.
import { describe, expect, test } from "bun:test";
import { contentDigestOf } from "../../src/shared/http/content-digest.ts";
import { setUpWorld } from "../support/world.ts";

const base64Of = (text: string): string => new Bun.CryptoHasher("sha256").update(text).digest("base64");
const hexOf = (text: string): string => new Bun.CryptoHasher("sha256").update(text).digest("hex");

test.each([
  [null, null],
  [`sha-256=:${base64Of("a")}:`, hexOf("a")],
  [`sha-512=:AAAA:, sha-256=:${base64Of("a")}:`, hexOf("a")],
  ["sha-512=:AAAA:", null],
  [`sha-256=${base64Of("a")}`, "unreadable"],
  ["sha-256=:AAAA:", "unreadable"],
  ["sha-256=:", "unreadable"],
  ["", "unreadable"],
  [`sha-256=:${"A".repeat(2_000)}:`, "unreadable"],
])("P.211 Content-Digest %j is read as %j", (header, expected) => {
  expect(contentDigestOf(header)).toBe(expected);
});

describe("files of drafts", () => {
  const world = setUpWorld({ repository: {}, recordFiles: true });
  const digest = (text: string) => ({ "content-digest": `sha-256=:${base64Of(text)}:` });

  test("P.211 bytes that are what the hash was made from are kept, others are refused and the file still waits", async () => {
    const id = await world.draft("registered");
    await world.register("registered", id, { key: "a.txt" });
    const wrong = await world.content("registered", id, "a.txt", "words", digest("other words"));
    expect([wrong.status, wrong.json.message]).toEqual([
      400,
      "The bytes are not those that Content-Digest was made from: send them again.",
    ]);
    expect((await world.commit("registered", id, "a.txt")).status).toBe(400);
    const odd = await world.content("registered", id, "a.txt", "words", { "content-digest": "sha-256=words" });
    expect(odd.status).toBe(400);
    expect((await world.content("registered", id, "a.txt", "words", digest("words"))).status).toBe(200);
    expect((await world.commit("registered", id, "a.txt")).json.status).toBe("completed");
  });

  test("P.211 a part that arrived otherwise is not counted as sent", async () => {
    const id = await world.draft("registered");
    const part = 5 * 1024 * 1024;
    const transfer = { type: "M", parts: 2, part_size: part };
    await world.register("registered", id, { key: "big", size: part + 3, transfer });
    const put = (number: number, body: string, of: string) =>
      world.ask("registered", "PUT", `${world.fileOf(id, "big")}/content/${number}`, { body, headers: digest(of) });
    expect((await put(2, "end", "END")).status).toBe(400);
    const seen = await world.json("registered", "GET", world.fileOf(id, "big"));
    expect(seen.json.transfer).toMatchObject({ uploaded_parts: [] });
    expect((await put(2, "end", "end")).status).toBe(200);
    const again = await world.json("registered", "GET", world.fileOf(id, "big"));
    expect(again.json.transfer).toMatchObject({ uploaded_parts: [2] });
  });
});
