// What a resolver over the same database makes of each state that management brings about: the last column of A9
// (specification 1, "States and transitions"; A10, A31a, A42).
import { describe, expect, test } from "bun:test";
import { type Json, solemnly } from "../support/world/names.ts";
import { setUpWorld } from "../support/world.ts";

const TARGET = "https://example.org/thing";
const world = setUpWorld({ names: { file: true } });

/** Status and, for a redirect, where to; asked of a resolver that has just read the database. */
async function resolve(path: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { handler } = await world.resolver(env);
  const response = await handler(new Request(`http://ark.test/${path}`), { addressOf: () => "127.0.0.1" });
  await response.text();
  return [response.status, response.headers.get("location")].filter((part) => part !== null).join(" ");
}

const call = async (method: string, path: string, body: Json): Promise<Json> => {
  const answer = await world.send("org-a", method, path, body);
  expect([path, answer.status]).toEqual([path, answer.status < 300 ? answer.status : 200]);
  return answer.body;
};

describe("A9 what the resolver makes of each state", () => {
  test("L27 A9 a reserved name answers as one never seen, unless a closed network asks for it", async () => {
    const ark = await world.make("reserved");
    expect(await resolve(ark)).toBe("404");
    expect(await resolve(`${ark}/page/3`)).toBe("404");
    expect(await resolve(ark, { SVC_RESOLVE_UNPUBLISHED: "1" })).toBe(`302 ${TARGET}`);
  });

  test("L9 L28 L29 L30 A31a publish starts resolution, unpublish stops it for the name and all below, publish resumes it", async () => {
    const ark = await world.make("reserved");
    await call("POST", "publish", { ark });
    expect(await resolve(ark)).toBe(`302 ${TARGET}`);
    expect(await resolve(`${ark}/page/3`)).toBe(`302 ${TARGET}/page/3`);
    await call("POST", "unpublish", solemnly(ark));
    expect(await resolve(ark)).toBe("404");
    expect(await resolve(`${ark}/page/3`)).toBe("404");
    expect(await resolve(ark, { SVC_RESOLVE_UNPUBLISHED: "1" })).toBe("404");
    await call("POST", "publish", { ark });
    expect(await resolve(ark)).toBe(`302 ${TARGET}`);
  });

  test("L2 L36 A10 a tombstone is described, or leads to the page that explains; one never public stays unseen", async () => {
    const ark = await world.make("tombstoned");
    expect(await resolve(ark)).toBe("200");
    expect(await resolve(ark, { SVC_TOMBSTONE_STATUS: "410" })).toBe("410");
    await call("PUT", "tombstone", { ark, url: "https://example.org/gone" });
    expect(await resolve(ark)).toBe("302 https://example.org/gone");
    expect(await resolve(`${ark}/page/3`)).toBe("302 https://example.org/gone");
    for (const state of ["reserved", "unpublished"] as const) {
      const hidden = await world.make(state);
      await call("PUT", "tombstone", { ark: hidden, url: "https://example.org/gone" });
      expect(`${state} ${await resolve(hidden)}`).toBe(`${state} 404`);
    }
  });

  test("L32 L33 L35 A31a deleted and purged names are 404 and never another object", async () => {
    const deleted = await world.make("unpublished");
    await call("POST", "delete", solemnly(deleted));
    for (const ark of [deleted, await world.make("deleted"), await world.make("purged")]) {
      expect(await resolve(ark)).toBe("404");
      expect(await resolve(`${ark}/page/3`)).toBe("404");
      expect((await world.send("naan", "POST", "import", { ark })).body.code).toBe("SVC-1014");
    }
  });

  test("A12 A31a a public part of a withdrawn base still resolves", async () => {
    const ark = await world.make("published");
    const part = await call("POST", "register", { ark, qualifier: "/part", url: "https://example.org/part" });
    await call("POST", "unpublish", solemnly(ark));
    expect(await resolve(String(part.ark))).toBe("302 https://example.org/part");
    expect(await resolve(`${part.ark}/3`)).toBe("302 https://example.org/part/3");
    expect(await resolve(`${ark}/other`)).toBe("404");
  });

  test("A42 a held name, shoulder or NAAN is described until the clock or a release ends it", async () => {
    const ark = await world.make("published");
    const until = "2026-12-01T00:00:00Z";
    for (const [who, target] of [
      ["org-a", { ark }],
      ["naan", { shoulder: "b1" }],
      ["naan", { naan: "99999" }],
    ] as const) {
      await world.send(who, "PUT", "hold", { ...target, until, reason: "A complaint" });
      expect(await resolve(ark)).toBe("200");
      world.time.now = "2026-12-01T00:00:00.000Z";
      expect(await resolve(ark)).toBe(`302 ${TARGET}`);
      world.time.now = "2026-11-20T10:00:00.000Z";
      expect(await resolve(ark)).toBe("200");
      await world.send(who, "PUT", "hold/release", target);
      expect(await resolve(ark)).toBe(`302 ${TARGET}`);
    }
  });

  test("L18 A18 an update moves the target, and a cleared one is described", async () => {
    const ark = await world.make("published");
    await call("PATCH", "update", { ark, url: "https://example.org/moved" });
    expect(await resolve(ark)).toBe("302 https://example.org/moved");
    await call("PUT", "update", { ark });
    expect(await resolve(ark)).toBe("200");
  });
});
