// What an operator hears when a role starts: warnings about mistyped settings, one line about a bad one (decisions "Settings"; A24, A31c, A49).
import { afterAll, describe, expect, test } from "bun:test";
import { arkstone, freePort, startRole, temporaryFolder } from "../support/processes.ts";

const folder = temporaryFolder("start");
const env = { SVC_DATA_DIR: folder.path };
afterAll(() => folder.remove());

describe("the start of a role", () => {
  test("a setting that nobody knows is a warning that says what was probably meant, and the role serves", async () => {
    const mistyped = { ...env, SVC_BULKLIMIT: "5", SVC_COFFEE: "on" };
    const minter = await startRole("minter", mistyped, await freePort());
    const lines = minter
      .errors()
      .split("\n")
      .flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));
    const warnings = lines.filter(({ event }) => event === "settings");
    expect(warnings.map(({ level, warning }) => [level, warning])).toEqual([
      ["warn", "Unknown setting SVC_BULKLIMIT: did you mean SVC_BULK_LIMIT?"],
      ["warn", "Unknown setting SVC_COFFEE"],
    ]);
    await minter.kill("SIGTERM");
  }, 30_000);

  test("R5 a repository whose items can get no ARKs says so at its start, and serves; one that shall mint none says nothing", async () => {
    const warningsOf = async (more: Readonly<Record<string, string>>): Promise<readonly string[]> => {
      const repository = await startRole("repository", { ...env, SVC_LOG_LEVEL: "warn", ...more }, await freePort());
      await repository.kill("SIGTERM");
      const lines = repository.errors().split("\n");
      return lines.flatMap((line) => (line.startsWith("{") ? [JSON.parse(line).warning] : []));
    };
    expect(await warningsOf({})).toEqual([
      'SVC_ITEM_ARK_CREDENTIAL="first-key" names no active credential that may mint: items get their ARKs when there is one',
    ]);
    expect(await warningsOf({ SVC_MINT_ITEM_ARKS: "0" })).toEqual([]);
  }, 30_000);

  test.each([
    ["minter", { SVC_BULK_LIMIT: "many" }, 'SVC_BULK_LIMIT="many" is not allowed: a whole number from 1 to 1000000'],
    ["minter", { SVC_RESOLVER: "1" }, "SVC_RESOLVER=1 is not allowed for the minter"],
    ["minter", { SVC_AUTH: "oauth2" }, "SVC_TOKEN_SECRET"],
    ["resolver", { SVC_TOMBSTONE_STATUS: "404" }, 'SVC_TOMBSTONE_STATUS="404" is not allowed: 200 or 410'],
    [
      "resolver",
      { SVC_BASE_URL: "https://id.example.org", SVC_GLOBAL_RESOLVER: "https://id.example.org" },
      'SVC_GLOBAL_RESOLVER="https://id.example.org" is not allowed: it is this service itself',
    ],
    ["resolver", { SVC_NAAN_REGISTRY: "/nowhere.json" }, 'SVC_NAAN_REGISTRY="/nowhere.json" is not allowed'],
  ] as const)(
    "A24 A31c A49 the %s with %j does not start, and says why in one line",
    async (role, wrong, said) => {
      const { code, errors } = await arkstone([role], { ...env, SVC_PORT: "0", ...wrong });
      expect(code).toBe(1);
      expect(errors.trimEnd().split("\n")).toHaveLength(1);
      expect(errors).toContain(said);
    },
    30_000,
  );
});
