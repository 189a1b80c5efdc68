// A credential is checked again where a name is made or changed (R2g, A21, A26): one that was disabled, ended or
// narrowed while the body was being sent writes nothing, whatever the call.
import { beforeAll, describe, expect, test } from "bun:test";
import type { Handler } from "../../plugins/http/frame.ts";
import type { Store } from "../../src/ark/store.ts";
import { checkCharacter } from "../../src/ark/syntax.ts";
import type { Credential } from "../../src/auth/caller.ts";
import { readConfig } from "../../src/config.ts";
import { composeMinter } from "../../src/main/minter/minter.ts";
import { allRows } from "../support/backups.ts";
import { onEachDatabase } from "../support/databases.ts";
import { quietLog } from "../support/quiet-log.ts";
import { ask, type Json } from "../support/world/names.ts";
import { setUpWorld } from "../support/world.ts";

const BEFORE_NOW = "2026-01-01T00:00:00.000Z";
const url = "https://example.org/x";
const LOSSES = ["disabled", "expired", "narrowed", "secret revoked", "organisation disabled"] as const;
type Loss = (typeof LOSSES)[number];
type Call = { readonly method: string; readonly path: string; readonly body: Json; readonly granted: number };

describe("credentials at the moment of writing", () => {
  onEachDatabase((database) => {
    // One loss is enough on PostgreSQL: the rest is the same program.
    const losses = database.name === "SQLite" ? LOSSES : (["disabled"] as const);
    const world = setUpWorld({ names: { file: true }, database });
    let handler: Handler;
    let meanwhile: (() => Promise<void>) | null = null;
    let made = 0;
    beforeAll(async () => {
      const { store, time } = world;
      const interrupted: Store = {
        ...store,
        transact: async (work) => {
          const now = meanwhile;
          meanwhile = null;
          await now?.();
          return await store.transact(work);
        },
      };
      const config = readConfig({ SVC_DATABASE_URL: world.url, SVC_RATE_PER_MINUTE: "0" });
      handler = composeMinter({ config, store: interrupted, log: quietLog, clock: { now: () => time.now } });
    });

    /** A key of a new credential. */
    async function aKey() {
      made += 1;
      const credential = await world.credential({ clientId: `client-${made}` });
      return { credential, key: await world.secret(credential, "api_key") };
    }

    const setOrganisation = (active: boolean) =>
      world.store.transact(async (tx) => {
        const found = (await tx.organisations()).find(({ id }) => id === world.seeded.orgA);
        if (found !== undefined) await tx.saveOrganisation({ ...found, active });
      });

    async function lose(credential: Credential, loss: Loss): Promise<void> {
      if (loss === "organisation disabled") return await setOrganisation(false);
      await world.store.transact(async (tx) => {
        if (loss === "disabled") await tx.saveCredential({ ...credential, active: false });
        if (loss === "expired") await tx.saveCredential({ ...credential, expiresAt: BEFORE_NOW });
        if (loss === "narrowed") await tx.saveCredential({ ...credential, scopes: ["ark:read"] });
        if (loss === "secret revoked") {
          for (const { id } of await tx.secretsOf(credential.id)) await tx.revokeSecret(id, BEFORE_NOW);
        }
      });
    }

    async function mint(key: string, reserve = false): Promise<string> {
      return String((await ask(handler, "POST", "/api/mint", { key, body: { url, reserve } })).json.ark);
    }

    const CALLS: Readonly<Record<string, (key: string) => Promise<Call>>> = {
      mint: async () => ({ method: "POST", path: "mint", body: { url, request_id: "one" }, granted: 201 }),
      "mint in bulk": async () => ({
        method: "POST",
        path: "mint/bulk",
        body: { data: [{ url }, { url }] },
        granted: 201,
      }),
      register: async (key) => {
        const body = { ark: await mint(key), qualifier: "/part", url };
        return { method: "POST", path: "register", body, granted: 201 };
      },
      import: async () => {
        made += 1;
        const zone = `99999/b1bcd${made}`;
        const body = { ark: `ark:${zone}${checkCharacter(zone)}`, url };
        return { method: "POST", path: "import", body, granted: 201 };
      },
      update: async (key) => ({
        method: "PATCH",
        path: "update",
        body: { ark: await mint(key), title: "T" },
        granted: 200,
      }),
      "update in bulk": async (key) => {
        const body = { data: [{ ark: await mint(key), url: "https://attacker.example/" }] };
        return { method: "PUT", path: "update/bulk", body, granted: 200 };
      },
      publish: async (key) => ({ method: "POST", path: "publish", body: { ark: await mint(key, true) }, granted: 200 }),
      unpublish: async (key) => {
        const ark = await mint(key);
        return { method: "POST", path: "unpublish", body: { ark, reason: "r", confirm: ark }, granted: 200 };
      },
      tombstone: async (key) => ({ method: "PUT", path: "tombstone", body: { ark: await mint(key) }, granted: 200 }),
      delete: async (key) => {
        const ark = await mint(key, true);
        return { method: "POST", path: "delete", body: { ark, reason: "r", confirm: ark }, granted: 200 };
      },
      hold: async (key) => {
        const body = { ark: await mint(key), until: "2026-12-01T00:00:00Z", reason: "r" };
        return { method: "PUT", path: "hold", body, granted: 200 };
      },
    };

    for (const [what, prepared] of Object.entries(CALLS)) {
      test(`R2g A21 ${what} is granted while the credential lives`, async () => {
        const { key } = await aKey();
        const { method, path, body, granted } = await prepared(key);
        expect((await ask(handler, method, `/api/${path}`, { key, body })).status).toBe(granted);
      });

      test.each(losses)(`R2g A26 ${what} writes nothing: %s meanwhile`, async (loss) => {
        const { key, credential } = await aKey();
        const { method, path, body } = await prepared(key);
        let before: Awaited<ReturnType<typeof allRows>> = new Map();
        meanwhile = async () => {
          await lose(credential, loss);
          before = await allRows(world.url);
        };
        const answer = await ask(handler, method, `/api/${path}`, { key, body });
        const now = await allRows(world.url);
        await setOrganisation(true);
        expect(before.size).toBeGreaterThan(10);
        for (const [table, rows] of before) expect([table, now.get(table)]).toEqual([table, rows]);
        const code = loss === "narrowed" ? "SVC-1301" : loss === "organisation disabled" ? "SVC-1303" : "SVC-1202";
        expect([answer.status, answer.json.code]).toEqual([code === "SVC-1202" ? 401 : 403, code]);
      });
    }

    test("R2g A14 of mints that share a commit those of a disabled credential are refused, the others are made", async () => {
      const [live, gone] = [await aKey(), await aKey()];
      meanwhile = () => lose(gone.credential, "disabled");
      const answers = await Promise.all(
        [live, gone, live, gone].map(({ key }) => ask(handler, "POST", "/api/mint", { key, body: { url } })),
      );
      expect(answers.map(({ status }) => status)).toEqual([201, 401, 201, 401]);
    });
  });
});
