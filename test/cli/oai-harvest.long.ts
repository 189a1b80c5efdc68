// A running repository is harvested whole by a client nobody here wrote: HTTP::OAI, Debian's libhttp-oai-perl (R31,
// R36).
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { REPOSITORY_OPERATOR } from "../../src/auth/account.ts";
import { readConfig } from "../../src/config.ts";
import { openRepositoryWriter } from "../../src/main/repository/runtime.ts";
import type { RepositoryStore } from "../../src/repository/store/store.ts";
import { eventually } from "../support/eventually.ts";
import { firstSetup } from "../support/first-repository.ts";
import { commandOf, freePort, startRole, temporaryFolder } from "../support/processes.ts";
import { aContent, anIndex, itemsOn, titled } from "../support/world/items.ts";
import { viewerOf } from "../support/world/seeded.ts";

const SCRIPT = join(import.meta.dirname, "..", "support", "harvest.pl");
const hasClient = spawnSync("perl", ["-MHTTP::OAI", "-e", "1"]).status === 0;
if (!hasClient)
  console.warn("HTTP::OAI is missing (Debian: libhttp-oai-perl): nothing is harvested by a foreign client");

const folder = temporaryFolder("oai-harvest");
const env = { SVC_DATA_DIR: folder.path, SVC_OAI_PAGE_SIZE: "4", SVC_LOG_LEVEL: "warn", SVC_RATE_PER_MINUTE: "0" };

/** What a command printed. */
function commandLine(...words: readonly string[]): string {
  const [program, ...args] = commandOf(...words);
  const { status, stdout, stderr } = spawnSync(program, args, { env: { ...process.env, ...env }, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

describe.skipIf(!hasClient)("HTTP::OAI", () => {
  let base = "";
  let server: Awaited<ReturnType<typeof startRole>>;
  let store: RepositoryStore;
  const titles = Array.from({ length: 18 }, (_, at) => `論文 ${String(at).padStart(2, "0")}`);
  const published: number[] = [];

  const harvest = (...args: readonly string[]): readonly (readonly string[])[] => {
    const { status, stdout, stderr } = spawnSync("perl", [SCRIPT, `${base}/oai`, ...args], { encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
    const lines = stdout.split("\n").filter((line) => line !== "");
    return lines.map((line) => line.split("\t"));
  };
  const records = (...args: readonly string[]) => harvest("ListRecords", "metadataPrefix", "oai_dc", ...args);

  beforeAll(async () => {
    await firstSetup(env);
    server = await startRole("repository", env, await freePort());
    ({ base } = server);
    store = await openRepositoryWriter(readConfig(env), {});
    const identity = await store.accounts.identity(1);
    if (identity === null) throw new Error("There is no first account");
    await store.transact(async (tx) => {
      await tx.indexes.insertIndex(anIndex({ id: 501 }));
      await tx.indexes.insertIndex(anIndex({ id: 502, parent: 501 }));
      await tx.indexes.raiseTreeRevision();
    });
    const items = itemsOn(store, { now: new Date().toISOString() }, { arks: false });
    for (const [at, title] of titles.entries()) {
      const content = aContent({ indexes: [at % 3 === 0 ? 502 : 1], metadata: titled(title) });
      published.push(
        (
          await items.createAndPublish(viewerOf(identity.account), {
            content: { ...content, access: { ...content.access, openDate: "2020-01-01" } },
          })
        ).item.id,
      );
    }
    for (const id of published.slice(0, 2)) await items.remove(REPOSITORY_OPERATOR, id);
  }, 120_000);
  afterAll(async () => {
    await store?.close();
    await server?.kill("SIGTERM");
    folder.remove();
  });

  test("R31 R36 S3.O.1 S3.O.3 understands who the repository is and which sets it has", () => {
    expect(harvest("Identify")).toEqual([["Arkstone", `${base}/oai`, "persistent", "YYYY-MM-DDThh:mm:ssZ"]]);
    expect(harvest("ListMetadataFormats").flat()).toEqual(["oai_dc", "jpcoar_2.0", "jpcoar", "datacite", "marcxml"]);
    expect(harvest("ListSets").map(([spec]) => spec)).toEqual([
      "index",
      "community",
      "index:1",
      "index:501",
      "index:502",
    ]);
  });

  test("R31 R36 S3.O.5 S3.O.6 harvests everything over several pages, deleted records too, and then what was changed", async () => {
    await eventually("every record is dated", () => Promise.resolve(records().length >= titles.length));
    const all = records();
    expect(new Set(all.map(([identifier]) => identifier)).size).toBe(all.length);
    const shown = all.filter(([, , state]) => state === "shown");
    expect(shown.map((line) => line[4]).toSorted()).toEqual(titles.slice(2));
    expect(shown.filter(([, , , sets]) => sets === "index:501 index:502").length).toBe(5);
    const below = records("set", "index:501").filter(([, , state]) => state === "shown");
    expect(below.length).toBe(5);
    const identifiers = harvest("ListIdentifiers", "metadataPrefix", "jpcoar_2.0").map(([identifier]) => identifier);
    expect(identifiers.toSorted()).toEqual(all.map(([identifier]) => identifier).toSorted());
    // What is deleted now is reported to harvesters that return.
    const from = new Date(Date.now() + 1_000).toISOString().replace(/\.\d+Z$/, "Z");
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const items = itemsOn(store, { now: new Date().toISOString() }, { arks: false });
    await items.remove(REPOSITORY_OPERATOR, published[4] ?? 0);
    await eventually("the deletion is reported", () => Promise.resolve(records("from", from)[0]?.[2] === "deleted"));
    const changed = records("from", from);
    expect(changed.map(([identifier, , state]) => [identifier?.slice(-8), state])).toEqual([
      [String(published[4]).padStart(8, "0"), "deleted"],
    ]);
    expect(records("until", from.replace(/^\d{4}/, "1999"))).toEqual([]);
  }, 60_000);

  test("R36 S3.O.10 `arkstone oai status` reports how far the list is, `rebuild` changes no date of what did not change", async () => {
    const before = records();
    expect(JSON.parse(commandLine("oai", "status", "--json"))).toMatchObject({
      ready: true,
      due: 0,
      shown: titles.length - 3,
    });
    expect(commandLine("oai", "rebuild")).toContain(`${titles.length - 3} records shown`);
    expect(records()).toEqual(before);
  }, 60_000);
});
