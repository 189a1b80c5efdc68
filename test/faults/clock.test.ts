// The clock of the machine jumps an hour forth and back under minting: names, receipts and
// redirects do not depend on it; holds follow it as they must.
import { describe, expect, test } from "bun:test";
import { ask } from "../support/world/names.ts";
import { openWorld } from "../support/world.ts";
import { ROUNDS, report } from "./load.ts";

const HOUR_MS = 3_600_000;

describe("the clock jumps an hour, forth and back", () => {
  test("L2 L3 A13 A42 no name is given twice, every receipt keeps its name, no redirect is wrong, holds follow the clock", async () => {
    const world = await openWorld({ names: { file: true } });
    const key = await world.key("ops");
    const minter = world.minter();
    const resolver = await world.resolver();
    const start = Date.parse(world.time.now);
    const at = (ms: number): void => {
      world.time.now = new Date(start + ms).toISOString();
    };
    const made = new Map<string, { readonly ark: string; readonly url: string }>();
    const mint = async (id: string) => {
      const url = `https://example.org/${id}`;
      const { status, json } = await ask(minter, "POST", "/api/mint", {
        key,
        body: { request_id: id, url, shoulder: "b1" },
      });
      expect([200, 201]).toContain(status);
      return { ark: String(json.ark), url };
    };
    let [moved, wrong, asked] = [0, 0, 0];
    for (let round = 0; round < 3 * ROUNDS; round++) {
      for (const jump of [0, HOUR_MS, -HOUR_MS, 0]) {
        at(jump + round);
        for (let index = 0; index < 5; index++) {
          const id = `${round}/${jump}/${index}`;
          const name = await mint(id);
          const known = made.get(id);
          if (known !== undefined && known.ark !== name.ark) moved++;
          made.set(id, known ?? name);
        }
        await resolver.tables.refreshNow();
        for (const { ark, url } of made.values()) {
          const { status, headers } = await ask(resolver.handler, "GET", `/${ark}`);
          asked++;
          if (status !== 302 || headers.get("location") !== url) wrong++;
        }
      }
    }
    for (const [id, { ark }] of made) if ((await mint(id)).ark !== ark) moved++;
    const names = new Set([...made.values()].map(({ ark }) => ark));
    const doubled = made.size - names.size;

    // A hold of half an hour ends when the clock is past it, and counts again when the clock goes back.
    const [first] = made.values();
    const until = new Date(start + HOUR_MS / 2).toISOString();
    at(0);
    const held = await ask(minter, "PUT", "/api/hold", { key, body: { ark: first?.ark, until, reason: "a test" } });
    expect(held.status).toBe(200);
    const answers: number[] = [];
    for (const jump of [0, HOUR_MS, 0]) {
      at(jump);
      await resolver.tables.refreshNow();
      answers.push((await ask(resolver.handler, "GET", `/${first?.ark}`)).status);
    }
    expect(answers[1]).toBe(302);
    expect(answers[0]).not.toBe(302);
    expect(answers[2]).toBe(answers[0] ?? 0);

    report("clock an hour forth and back", {
      rounds: 3 * ROUNDS,
      names: names.size,
      doubled,
      moved,
      redirects: asked,
      wrong,
    });
    expect([doubled, moved, wrong]).toEqual([0, 0, 0]);
  }, 60_000);
});
