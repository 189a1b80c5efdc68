// A service that moves to another Arkstone by file (A51): exported here, imported there, then both are asked for every
// name.
import { describe, expect, test } from "bun:test";
import { openStore } from "../../db/ark/store.ts";
import { openReplica } from "../../db/resolver/replica.ts";
import type { CarriedName } from "../../src/ark/carried-name.ts";
import { mintedArk } from "../../src/ark/new-name.ts";
import { formatArk } from "../../src/ark/syntax.ts";
import { OPERATOR } from "../../src/auth/caller.ts";
import { readConfig } from "../../src/config.ts";
import { composeResolver } from "../../src/main/resolver/resolver.ts";
import { carriedPages } from "../../src/operating/carried-names.ts";
import { everyKindOfName, findingsIn, servicesOn } from "../support/backups.ts";
import { aCall } from "../support/callers.ts";
import { arkstone } from "../support/command-line.ts";
import { quietLog } from "../support/quiet-log.ts";

export type Place = { readonly url: string; drop(): Promise<void> };

const DAY = 86_400_000;
const until = (days: number) => new Date(Date.now() + days * DAY).toISOString();
const solemn = (key: string) => ({ ark: formatArk(key), reason: "Asked for", confirm: formatArk(key) });

/**
 * In addition to the names of backups: names that came back, that went twice, that were imported, held, long-lived.
 * Returns all keys.
 */
async function aServiceWithAPast(url: string): Promise<readonly string[]> {
  const kinds = await everyKindOfName(url);
  const store = await openStore({ url });
  try {
    const [orgA] = (await store.organisations()).map(({ id }) => id);
    const call = aCall({ organisationId: orgA ?? 0 });
    const { minting, lifecycle } = servicesOn(store);
    const mint = async (fields: object) => (await minting.mint(call, fields)).record.key;
    const back = await mint({ url: "https://example.org/back", title: "=cmd|' /C calc'!A0" });
    await lifecycle.unpublish(call, solemn(back));
    await lifecycle.publish(call, formatArk(back));
    const gone = await mint({ url: "https://example.org/gone" });
    await lifecycle.unpublish(call, solemn(gone));
    await lifecycle.delete(call, solemn(gone));
    const described = await mint({ url: "https://example.org/lost", title: "Lost", who: "Somebody" });
    await lifecycle.tombstone(call, { ark: formatArk(described), commitment: "Kept as long as we are" });
    const hidden = await mint({ url: "https://example.org/never", reserve: true });
    await lifecycle.tombstone(call, { ark: formatArk(hidden) });
    const elsewhere = mintedArk("99999", "b1", "np1wh8bc").key;
    await minting.importOne(call, { ark: elsewhere, url: "https://example.org/elsewhere" });
    const long = await mint({ url: "https://example.org/long" });
    for (let step = 0; step < 120; step++) {
      await lifecycle.update(
        call,
        { ark: formatArk(long), url: `https://example.org/${"x".repeat(1900)}/${step}` },
        "patch",
      );
    }
    await lifecycle.hold(OPERATOR, { shoulder: "99999/c2", until: until(30), reason: "Under review" });
    await lifecycle.hold(OPERATOR, { naan: "88888", until: until(20), reason: "They are moving" });
    return [...Object.values(kinds), back, gone, described, hidden, elsewhere, long].filter(
      (key) => typeof key === "string",
    );
  } finally {
    await store.close();
  }
}

const ENDINGS = ["", "/tail.1", ".x", "?", "??", "?info", "?json"];

/** What a resolver over this database answers for every name, in every way of asking. */
async function answersOf(
  url: string,
  keys: readonly string[],
  at: string,
  env = {},
): Promise<Readonly<Record<string, unknown>>> {
  const config = readConfig({ SVC_RESOLVER: "1", SVC_DATABASE_URL: url, SVC_REFRESH_MS: "600000", ...env });
  const replica = await openReplica({ url });
  const { handler, tables } = composeResolver({ config, replica, log: quietLog, clock: { now: () => at } });
  try {
    await tables.refreshNow();
    const answers: Record<string, unknown> = {};
    for (const key of [...keys, "99999/c2unknown", "88888/x", "88888"]) {
      for (const ending of ENDINGS) {
        const request = new Request(`http://id.example.org/ark:${key}${ending}`);
        const response = await handler(request, { addressOf: () => "192.0.2.1" });
        const { location, etag, ...headers } = Object.fromEntries(response.headers);
        const modified = headers["last-modified"];
        const header = headers["thump-status"];
        answers[key + ending] = [response.status, location, etag, modified, header, await response.text()];
      }
    }
    return answers;
  } finally {
    await tables.stop();
    await replica.close();
  }
}

const withoutTransfers = (ndjson: string): string =>
  ndjson.replace(/,?\{"at":"[^"]*","action":"transfer",[^{}]*\}/g, "");

/** Exports a service at `url` and brings it into a new one. */
async function moveTo(from: string, to: string) {
  const exported = (await arkstone({ SVC_DATABASE_URL: from }, ["export"])).out;
  const service = (await arkstone({ SVC_DATABASE_URL: from }, ["export", "service"])).out;
  const applied = await arkstone({ SVC_DATABASE_URL: to }, ["apply", "-"], service);
  expect([applied.code, applied.err]).toEqual([0, ""]);
  const bring = (text = exported, ...args: string[]) =>
    arkstone({ SVC_DATABASE_URL: to }, ["import", "-", "--format", "ndjson", "--json", ...args], text);
  return { exported, bring };
}

export function describeCarrying(name: string, from: () => Promise<Place>, to: () => Promise<Place>): void {
  describe(`a service moves by file ${name}`, () => {
    test("A51 A10 A11 A31a every name answers as before, in every state and every way of asking, and nothing is published again", async () => {
      const [here, there] = [await from(), await to()];
      try {
        const keys = await aServiceWithAPast(here.url);
        const { exported, bring } = await moveTo(here.url, there.url);
        const output = await bring();
        expect([output.code, output.err]).toEqual([0, expect.stringContaining("0 already there")]);
        const counts = { created: keys.length, already_there: 0, bad: 0, differing: 0, receipts: 7 };
        expect(JSON.parse(output.out)).toMatchObject(counts);
        expect(await findingsIn(there.url)).toEqual([]);
        const at = new Date().toISOString();
        const answers = await answersOf(here.url, keys, at);
        expect(await answersOf(there.url, keys, at)).toEqual(answers);
        expect(JSON.stringify(answers["88888/x?json"])).toContain("They are moving");
        // The same after every hold has ended.
        const later = until(60);
        expect(await answersOf(there.url, keys, later)).toEqual(await answersOf(here.url, keys, later));
        const closed = { SVC_RESOLVE_UNPUBLISHED: "1" };
        expect(await answersOf(there.url, keys, at, closed)).toEqual(await answersOf(here.url, keys, at, closed));
        // Rows and histories too, byte by byte: states, all times, holds, reasons, origins, organisations.
        const again = (await arkstone({ SVC_DATABASE_URL: there.url }, ["export"])).out;
        expect(again.match(/"action":"transfer"/g)?.length).toBe(keys.length);
        expect(withoutTransfers(again).replace(/\{"ark":"[^"]*","history_from":\d+,"history":\[\]\}\n/g, "")).toBe(
          exported,
        );
      } finally {
        await here.drop();
        await there.drop();
      }
    });

    test("A51 L2 an import that is run again changes nothing; names stay withdrawn; a part of the file goes on where it was cut off", async () => {
      const [here, there] = [await from(), await to()];
      try {
        const keys = await aServiceWithAPast(here.url);
        const { exported, bring } = await moveTo(here.url, there.url);
        const lines = exported.split("\n");
        const sixth = lines.flatMap((line, index) => (line.includes('"history_from"') ? [] : index))[5];
        const half = await bring(`${lines.slice(0, sixth).join("\n")}\n`, "--batch", "2");
        expect(JSON.parse(half.out)).toMatchObject({ end: "done", created: 5 });
        const rest = await bring(exported, "--batch", "3");
        expect(JSON.parse(rest.out)).toMatchObject({ end: "done", created: keys.length - 5, already_there: 5, bad: 0 });
        const all = { created: 0, already_there: keys.length, differing: 0, bad: 0, receipts: 7 };
        expect(JSON.parse((await bring()).out)).toMatchObject(all);
        expect(await findingsIn(there.url)).toEqual([]);

        const store = await openStore({ url: there.url });
        const { lifecycle, minting } = servicesOn(store);
        const withdrawn = (await store.listArks({ reach: { kind: "system" }, state: "purged" }, "", 1))[0]?.key ?? "";
        const changed = (await store.listArks({ reach: { kind: "system" }, state: "published" }, "", 1))[0]?.key ?? "";
        await expect(minting.importOne(OPERATOR, { ark: formatArk(withdrawn) })).rejects.toMatchObject({ code: 1014 });
        // A client that repeats a call of then gets the name of then, or is answered that it was withdrawn (A13).
        const client = aCall({ organisationId: (await store.organisations())[0]?.id ?? 0 });
        const replay = await minting.mint(client, { request_id: "held" });
        expect([replay.replayed, replay.record.holdReason]).toEqual([true, "Looked into"]);
        await expect(minting.mint(client, { request_id: "purged" })).rejects.toMatchObject({ code: 1506 });
        await expect(minting.importOne(client, { ark: "99999/b1x", request_id: "held" })).rejects.toMatchObject({
          code: 1507,
        });
        await lifecycle.update(OPERATOR, { ark: formatArk(changed), title: "Since changed" }, "patch");
        await store.close();
        const differing = await bring();
        expect([differing.code, JSON.parse(differing.out).differing]).toEqual([1, 1]);
        expect(differing.err).toContain("is there already with another");
        expect((await arkstone({ SVC_DATABASE_URL: there.url }, ["ark", "show", changed])).out).toContain(
          "Since changed",
        );
      } finally {
        await here.drop();
        await there.drop();
      }
    });

    test("A51 A27 a name that changes while it is exported is written as it was at one moment, with the history of that moment", async () => {
      const here = await from();
      try {
        await aServiceWithAPast(here.url);
        const store = await openStore({ url: here.url });
        const { lifecycle } = servicesOn(store);
        const [first] = await store.listArks({ reach: { kind: "system" }, state: "published" }, "", 1);
        const ark = formatArk(first?.key ?? "");
        let changes = 0;
        // Somebody changes the name between the reading of its row and of its history, the first three times.
        const busy = {
          ...store,
          histories: async (keys: readonly string[]) => {
            if (changes < 3)
              await lifecycle.update(OPERATOR, { ark, url: `https://example.org/now/${changes++}` }, "patch");
            return await store.histories(keys);
          },
        };
        const pages: CarriedName[] = [];
        for await (const page of carriedPages(busy, {})) pages.push(...page);
        await store.close();
        const answer = pages.find((name) => name.ark === ark);
        expect(answer?.record.url).toBe("https://example.org/now/2");
        expect(answer?.history.at(-1)).toMatchObject({
          action: "update",
          afterUrl: "https://example.org/now/2",
          at: answer?.record.updatedAt,
        });
        expect(new Set(pages.map((name) => name.ark)).size).toBe(pages.length);
      } finally {
        await here.drop();
      }
    });

    test("A51 A14 a file that was tampered with or cut inside a name is refused by line, and nothing of its batch is written", async () => {
      const [here, there] = [await from(), await to()];
      try {
        const keys = await aServiceWithAPast(here.url);
        const { exported, bring } = await moveTo(here.url, there.url);
        const lines = exported.trimEnd().split("\n");
        const withState = (state: string) => lines.findIndex((line) => line.includes(`"state":"${state}"`));
        const swap = (at: number, before: string, after: string) => {
          expect(lines[at]).toContain(before);
          return `${lines.with(at, (lines[at] ?? "").replace(before, after)).join("\n")}\n`;
        };
        const receipt = lines.findIndex((line) => line.startsWith('{"receipt"'));
        const goesOn = lines.findIndex((line) => line.includes('"history_from"'));
        const edited = (state: Parameters<typeof withState>[0], from: string, to: string) =>
          swap(withState(state), from, to);
        const shoulder = "The shoulder 99999/k7 is not registered (SVC-1013)";
        const target = "its target is not the one its history ends with";
        const refusals: readonly (readonly [string, string])[] = [
          [edited("purged", '"state":"purged"', '"state":"published"'), "it is published and has no published_at"],
          [
            edited("unpublished", '"state":"unpublished"', '"state":"tombstoned"'),
            "it is tombstoned and has no tombstoned_at",
          ],
          [edited("published", '"url":"https:', '"url":"http:'), target],
          [edited("published", '"url":"https:', '"url":"javascript:'), "must not use the scheme javascript"],
          [
            edited("published", '"origin":"minted"', '"origin":"imported"'),
            "its origin is imported, its history states minted",
          ],
          [edited("reserved", '"created_at":"20', '"created_at":"19'), "its created_at is not the time of its making"],
          [edited("reserved", '"shoulder":"b1"', '"shoulder":"k7"'), shoulder],
          [edited("reserved", '"organisation":"org-a"', '"organisation":"org-z"'), 'there is no organisation "org-z"'],
          [edited("reserved", '"state":"reserved"', '"state":"reserved","naan":"1"'), 'unknown field "naan"'],
          [swap(receipt, '"kind":"mint"', '"kind":"import"'), "it is of kind import"],
          [swap(receipt, '"ark":"ark:99999/b1', '"ark":"ark:99999/b1b1b1'), "which is not there"],
          [swap(receipt, '"client_id":"', '"client_id":"('), "client_id must be that of a client"],
          [`${lines.toSpliced(goesOn, 1).join("\n")}\n`, target],
          [`${lines.toSpliced(goesOn - 1, 1).join("\n")}\n`, "continues a history that is not above it"],
        ];
        for (const [text, reason] of refusals) {
          const output = await bring(text);
          const expected = [1, "bad-rows", expect.stringContaining(reason)];
          expect([output.code, JSON.parse(output.out).end, output.err]).toEqual(expected);
          expect((await arkstone({ SVC_DATABASE_URL: there.url }, ["export"])).out).toBe("");
        }
        const [bad] = refusals[0] ?? [""];
        // The purged name is bad, and with it the receipt that points at it.
        expect(JSON.parse((await bring(bad, "--skip-bad")).out)).toMatchObject({ created: keys.length - 1, bad: 2 });
        expect(await findingsIn(there.url)).toEqual([]);
        // A request_id that is used for another name here stays that name's.
        const held = JSON.parse(lines.find((line) => line.includes('"request_id":"held"')) ?? "{}");
        const other = JSON.parse(lines.find((line) => line.includes('"request_id":"reserved"')) ?? "{}");
        const moved = await bring(`${JSON.stringify({ receipt: { ...held.receipt, ark: other.receipt.ark } })}\n`);
        expect([moved.code, moved.err]).toEqual([
          1,
          expect.stringContaining(`belongs to ${held.receipt.ark} (SVC-1507)`),
        ]);
      } finally {
        await here.drop();
        await there.drop();
      }
    });
  });
}
