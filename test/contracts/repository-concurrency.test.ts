// What clients of the repository may rely on when many of them work at once, on either database: one suite over two
// repositories with separate connections, as two processes have, over one storage (R2b, R2f, R13, R16, R18, R19, R24,
// R26).

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openRepositoryStore } from "../../db/repository/store.ts";
import { readConfig } from "../../src/config.ts";
import { composeRepository } from "../../src/main/repository/serving.ts";
import { openStorage } from "../../src/main/storage.ts";
import type { RepositoryStore, RepositoryWriter } from "../../src/repository/store/store.ts";
import { sha256Hex } from "../../src/shared/hash/digests.ts";
import { onEachDatabase } from "../support/databases.ts";
import {
  type DepositAsk,
  type DepositInstallation,
  depositInstallation,
  formOf,
} from "../support/deposit-installation.ts";
import { bagPieces, crateOf } from "../support/package-builder.ts";
import { quietLog } from "../support/quiet-log.ts";
import { faultsOfItem, itemsTitled, strayFiles } from "../support/whole-items.ts";
import { zip } from "../support/zip-writer.ts";

type Answer = { readonly status: number; readonly text: string; readonly headers: Headers };
type Ask = (
  method: string,
  path: string,
  init?: { headers?: Record<string, string>; body?: BodyInit },
) => Promise<Answer>;

const CLIENTS = 50;
const ITEMS = 5;
const SERVICE = "/sword/service-document";
/** Messages 25, 26, 27, and what the second of two approvers of one item receives. */
const BUSY =
  /Item \d+ (?:will be edited by another process|is in import progress|is being edited)\.|Activity status is not Approval\./;

/** A bag with one small file; `version` makes another of the same title. */
function bagOf(title: string, version = 0): Uint8Array {
  const payload = [{ path: "a.txt", bytes: `${title}, ${version}\n` }];
  return zip(bagPieces({ payload, crate: crateOf(["a.txt"], { name: title }) }));
}

describe("many clients at once", () => {
  onEachDatabase((database) => {
    let installation: DepositInstallation;
    let second: RepositoryStore;
    let asks: readonly Ask[] = [];
    let turn = 0;

    beforeAll(async () => {
      installation = await depositInstallation(
        "repository-concurrency",
        { SVC_MAX_CONCURRENT_DEPOSITS: "200", SVC_DEPOSITS_PER_ACCOUNT: "200" },
        database.name === "PostgreSQL" ? await database.url() : undefined,
      );
      const config = readConfig(installation.env);
      second = await openRepositoryStore({ url: config.databaseUrl });
      const files = await openStorage(config, "serve");
      asks = [installation.store, second].map((store) => {
        const app = composeRepository({ config, store: { ...store, ...held(store) }, files, log: quietLog });
        return async (method, path, init = {}) => {
          const request = new Request(`http://127.0.0.1:8002${path}`, { method, ...init });
          const response = await app(request, { addressOf: () => "127.0.0.1" });
          return { status: response.status, text: await response.text(), headers: response.headers };
        };
      });
    });

    /** Called at the end of each transaction, before it is committed. */
    let beforeCommit: (tx: RepositoryWriter) => Promise<void> = async () => {};
    const held = (store: RepositoryStore): Pick<RepositoryStore, "transact"> => ({
      transact: (work) =>
        store.transact(async (tx) => {
          const result = await work(tx);
          await beforeCommit(tx);
          return result;
        }),
    });

    afterAll(async () => {
      await second?.close();
      await installation?.close();
    });

    /** The two repositories take turns. */
    const ask: Ask = async (...args) => {
      turn += 1;
      const one = asks[turn % asks.length];
      if (one === undefined) throw new RangeError("No repository");
      return await one(...args);
    };
    const post = (bytes: Uint8Array, how: DepositAsk) => ask("POST", SERVICE, formOf(bytes, how));
    const put = (id: number, bytes: Uint8Array, how: DepositAsk) =>
      ask("PUT", `/sword/deposit/${id}`, formOf(bytes, how));
    const idOf = ({ text }: Answer): number => Number(/\/sword\/deposit\/(\d+)/.exec(text)?.[1]);
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

    /** Two hundred and something, or one of the refusals that somebody else at work explains. */
    function expectExplained({ status, text }: Answer): void {
      if (status >= 200 && status < 300) return;
      // The activity interface answers the same with 409: an approval meets the lock of a replacement.
      const locked = status === 409 && text.includes("cannot be changed now");
      const explained = status === 404 || status === 412 || locked || (status === 400 && BUSY.test(text));
      expect([status, text, explained]).toEqual([status, text, true]);
    }

    test(`R2b R2f R16 R19 message 25 message 27 ${CLIENTS} clients PUT, DELETE and approve the same ${ITEMS} items: every answer is explained, revisions have no gaps, exactly one version is latest`, async () => {
      const direct = await installation.setup.client();
      const flow = await installation.setup.client({ registrationType: 2, workflow: installation.setup.workflow });
      const ids: number[] = [];
      for (let n = 0; n < ITEMS; n++) ids.push(idOf(await post(bagOf(`Shared ${n}`), { token: direct })));
      const statuses = new Map<number, number>();
      const counted = (answer: Answer): Answer => {
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        expectExplained(answer);
        return answer;
      };
      const work = async (client: number): Promise<void> => {
        const n = client % ITEMS;
        const id = ids[n] ?? 0;
        if (client >= 45) counted(await ask("DELETE", `/sword/deposit/${id}`, { headers: bearer(direct) }));
        else if (client >= 30) {
          const answer = counted(await put(id, bagOf(`Shared ${n}`, client), { token: flow }));
          const activity = /activity\/detail\/([AD]-\d+-\d+)/.exec(answer.text)?.[1];
          if (activity === undefined) return;
          // Two people press the same button.
          const headers = { ...bearer(direct), "content-type": "application/json" };
          const approve = () => ask("POST", `/api/v1/workflow/activities/${activity}/approve`, { headers, body: "{}" });
          for (const each of await Promise.all([approve(), approve()])) counted(each);
        } else {
          const headers: Record<string, string> = client % 3 === 0 ? { "if-match": `"${1 + (client % 4)}"` } : {};
          counted(await put(id, bagOf(`Shared ${n}`, client), { token: direct, headers }));
        }
      };
      // Deletions come a little later, so that there is something to delete.
      await Promise.all(
        Array.from({ length: CLIENTS }, async (_, client) => {
          if (client >= 45) await new Promise((resolve) => setTimeout(resolve, 150));
          await work(client);
        }),
      );
      expect([...statuses.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(CLIENTS);
      expect([200, 202, 204].some((status) => statuses.has(status))).toBe(true);
      for (const id of ids) {
        const [row] = await installation.sql<{ state: string; revision: number; parent_id: number }>(
          `select state, revision, parent_id from item where id = ${id}`,
        );
        expect(["published", "deleted"]).toContain(row?.state ?? "");
        const revisions = await installation.sql<{ revision: number }>(
          `select revision from item_revision where item_id = ${id} order by revision`,
        );
        const numbers = revisions.map(({ revision }) => Number(revision));
        expect(numbers).toEqual(numbers.map((_, index) => index + 1));
        expect(numbers.length).toBe(Number(row?.revision));
        const locks = await installation.sql<{ n: number }>(
          `select count(*) as n from item_lock where item_id = ${id}`,
        );
        expect(Number(locks[0]?.n)).toBe(0);
        const [parent] = await installation.sql<{ latest: number | null }>(
          `select latest_item_id as latest from item_parent where id = ${row?.parent_id}`,
        );
        const latest = parent?.latest ?? null;
        expect(latest === null ? null : Number(latest)).toBe(row?.state === "published" ? id : null);
        if (row?.state === "published") expect(await faultsOfItem(installation, id)).toEqual([]);
        const open = await installation.sql<{ n: number }>(
          `select count(*) as n from activity where item_id = ${id} and state in ('M', 'B')`,
        );
        expect(Number(open[0]?.n)).toBeLessThanOrEqual(1);
      }
      expect((await strayFiles(installation)).filter((path) => path.startsWith("incoming"))).toEqual([]);
    }, 120_000);

    test("R2b ten clients upgrade one item at once: each version has one number, exactly one is latest", async () => {
      const token = await installation.setup.client();
      const id = idOf(await post(bagOf("Upgraded"), { token }));
      const upgrade = (n: number) => {
        const payload = [{ path: "a.txt", bytes: `version ${n}` }];
        const crate = crateOf(["a.txt"], { name: "Upgraded", "svc:editMode": "Upgrade" });
        return put(id, zip(bagPieces({ payload, crate })), { token });
      };
      const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => upgrade(n)));
      const made = answers.filter(({ status }) => status === 200);
      expect(made).toHaveLength(1);
      for (const { status } of answers) expect([200, 400]).toContain(status);
      const versions = await installation.sql<{ id: number; version_index: number; parent_id: number }>(
        "select id, version_index, parent_id from item where title = 'Upgraded' order by version_index",
      );
      expect(versions.map(({ version_index: index }) => Number(index))).toEqual([1, 2]);
      const [parent] = await installation.sql<{ latest: number }>(
        `select latest_item_id as latest from item_parent where id = ${versions[0]?.parent_id}`,
      );
      expect(Number(parent?.latest)).toBe(Number(versions[1]?.id));
    }, 120_000);

    test("R24 R26 20 legacy and 20 new index creations at the same moment make 40 indexes with different ids", async () => {
      const token = await installation.setup.client();
      const headers = { ...bearer(token), "content-type": "application/json" };
      const before = (await installation.store.indexes.children(0)).length;
      const info = (n: number) => ({ index_name: `At once ${n}`, index_name_english: `At once ${n}` });
      const create = (path: string, body: object) => ask("POST", path, { headers, body: JSON.stringify(body) });
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, n) =>
          n % 2 === 0
            ? create("/api/indextree/create", { parent_id: 0, index_info: info(n) })
            : create("/api/v1/tree/index", { index: { parent: 0, ...info(n) } }),
        ),
      );
      for (const { status, text } of answers)
        expect([status, [200, 201].includes(status) ? "" : text]).toEqual([status, ""]);
      const children = await installation.store.indexes.children(0);
      expect(children.length).toBe(before + 40);
      expect(new Set(children.map(({ id }) => id)).size).toBe(before + 40);
      expect(new Set(children.map(({ indexName }) => indexName)).size).toBe(before + 40);
      expect(new Set(children.map(({ position }) => position)).size).toBe(before + 40);
    }, 120_000);

    for (const clients of [2, 10]) {
      test(`R18 message 13 of ${clients} deposits of the same package at once exactly one is registered`, async () => {
        const token = await installation.setup.client({ duplicateCheck: true });
        const title = `The same of ${clients}`;
        const bytes = bagOf(title);
        const answers = await Promise.all(Array.from({ length: clients }, () => post(bytes, { token })));
        expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
        for (const { status, text } of answers.filter(({ status: each }) => each !== 201)) {
          expect([status, JSON.parse(text)["@type"]]).toEqual([400, "BadRequest"]);
        }
        const found = await itemsTitled(installation, title);
        expect(found).toHaveLength(1);
        expect(await faultsOfItem(installation, Number(found[0]?.id))).toEqual([]);
      }, 120_000);
    }

    describe("R38 a SWORD deposit and a record that publish one DOI at the same time", () => {
      const JSON_TYPE = { "content-type": "application/json" };
      /** A draft that names the DOI among others, and the call that publishes it. */
      async function draftOf(token: string, title: string, doi: string) {
        const metadata = {
          ...{ title, resource_type: { id: "dataset" }, publication_date: "2026-01-01" },
          creators: [{ person_or_org: { type: "personal", family_name: "Doe", given_name: "Ann" } }],
          identifiers: [`10.5555/other-${title}`, doi].map((identifier) => ({ scheme: "doi", identifier })),
        };
        const headers = { ...bearer(token), ...JSON_TYPE };
        const body = JSON.stringify({ metadata, files: { enabled: false } });
        const made = await ask("POST", "/api/records", { headers, body });
        const { id } = JSON.parse(made.text) as { id: string };
        return () => ask("POST", `/api/records/${id}/draft/actions/publish`, { headers: bearer(token) });
      }
      const bagWith = (name: string, doi: string) => {
        const payload = [{ path: "a.txt", bytes: name }];
        const crate = crateOf(["a.txt"], {
          name,
          identifier: [`https://example.org/${doi}`, `https://doi.org/${doi}`],
        });
        return zip(bagPieces({ payload, crate }));
      };

      test("S3.6.5 R18: where the deposit comes first the record is refused, whether duplicates of deposits are checked or not", async () => {
        for (const duplicateCheck of [false, true]) {
          const doi = `10.5555/first-${duplicateCheck}`;
          const token = await installation.setup.client({ duplicateCheck });
          const publish = await draftOf(token, `Second ${duplicateCheck}`, doi);
          const digest = sha256Hex(`doi:${doi}`);
          let publishing: Promise<Answer> | null = null;
          beforeCommit = async (tx) => {
            const isWritten = (await tx.items.identifiedAlike([digest], 0, 1)).length > 0;
            if (!isWritten || publishing !== null) return;
            publishing = publish();
            // Time in which the record is published if nothing holds it.
            await new Promise((resolve) => setTimeout(resolve, 500));
          };
          const deposited = await post(bagWith(`First ${duplicateCheck}`, doi), { token });
          beforeCommit = async () => {};
          const refused = await (publishing ?? publish());
          expect([deposited.status, publishing === null]).toEqual([201, false]);
          expect([refused.status, JSON.parse(refused.text).errors]).toEqual([
            400,
            [{ field: "pids.doi", messages: [`The DOI ${doi} is that of record ${idOf(deposited)}.`] }],
          ]);
        }
      }, 120_000);

      test("S3.6.5 R18 message 13: of both at once, with the check of duplicates, exactly one is published", async () => {
        const token = await installation.setup.client({ duplicateCheck: true });
        for (let n = 0; n < 6; n++) {
          const doi = `10.5555/at-once-${n}`;
          const publish = await draftOf(token, `Record ${n}`, doi);
          const deposit = () => post(bagWith(`Deposit ${n}`, doi), { token });
          const calls = n % 2 === 0 ? [publish, deposit] : [deposit, publish];
          const answers = await Promise.all(calls.map((call) => call()));
          const statuses = answers.map(({ status }) => (status < 300 ? "published" : status));
          expect([n, ...statuses.toSorted()]).toEqual([n, 400, "published"]);
        }
      }, 120_000);
    });

    test("R13 the same Idempotency-Key from ten clients at once gives one item, and each of them its answer in the end", async () => {
      const token = await installation.setup.client();
      const title = "One key";
      const bytes = bagOf(title);
      const headers = { "idempotency-key": "ten at once" };
      const patient = async (): Promise<Answer> => {
        for (let tries = 0; ; tries++) {
          const answer = await post(bytes, { token, headers });
          if (answer.status !== 503 || tries > 200) return answer;
          expect(answer.headers.get("retry-after")).not.toBeNull();
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      };
      const answers = await Promise.all(Array.from({ length: 10 }, patient));
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 201));
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expect(await itemsTitled(installation, title)).toHaveLength(1);
    }, 120_000);

    test("R7a ten deposits of the same file at once keep it once, and a refused one of them takes it from nobody", async () => {
      const token = await installation.setup.client();
      const checked = await installation.setup.client({ duplicateCheck: true });
      const titles = Array.from({ length: 10 }, (_, n) => `Same bytes ${n}`);
      const payload = [{ path: "a.txt", bytes: "the same bytes in all of them" }];
      const bag = (name: string) => zip(bagPieces({ payload, crate: crateOf(["a.txt"], { name }) }));
      const answers = await Promise.all(
        titles.flatMap((name) => [post(bag(name), { token }), post(bag(name), { token: checked })]),
      );
      for (const { status } of answers) expect([201, 400]).toContain(status);
      for (const name of titles) {
        for (const { id } of await itemsTitled(installation, name))
          expect(await faultsOfItem(installation, Number(id))).toEqual([]);
      }
      expect(await strayFiles(installation)).toEqual([]);
    }, 120_000);
  });
});
