// Settings: defaults, refusals in one line, contradictions, secrets masked (decisions "Settings"; A24, A31c, A49).
import { describe, expect, test } from "bun:test";
import {
  ConfigError,
  describeSettings,
  type Env,
  portOf,
  readConfig,
  refuseForRole,
  SERVER_ROLES,
  SETTINGS,
} from "../../src/config.ts";

const SECRET = "0123456789abcdef0123456789abcdef";

function problemsOf(env: Env): readonly string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

describe("settings", () => {
  test("an empty environment gives the defaults of the decisions", () => {
    const config = readConfig({});
    expect([...config.auth]).toEqual(["apikey"]);
    expect(config).toMatchObject({
      resolver: false,
      resolveUnpublished: false,
      tokenTtlSeconds: 3600,
      databaseUrl: "./data/arkstone.db",
      host: "127.0.0.1",
      globalResolver: "https://n2t.net",
      bulkLimit: 10_000,
      bodyLimitBytes: 16 * 1024 * 1024,
      holdMaxDays: 90,
      tombstoneStatus: 200,
      refreshMs: 200,
      trustedProxies: 0,
      metrics: "local",
      lang: "en",
      warnings: [],
    });
    expect(SERVER_ROLES.map((role) => portOf(config, role))).toEqual([8000, 8001, 8002]);
    expect(portOf(config, "tools")).toBe(8003);
  });

  test("R32 every variable of the decisions is in the table, and so are those of the limits at the edge", () => {
    const listed =
      "RESOLVER RESOLVE_UNPUBLISHED RAW_URI_HEADER AUTH TOKEN_SECRET TOKEN_TTL TOKEN_ISSUER OIDC_ISSUER OIDC_AUDIENCE OIDC_JWKS_URL DATABASE_URL REPLICA_URL DB_POOL DATA_DIR HOST PORT SHARE_PORT BASE_URL ROOT_PATH ALLOWED_HOSTS GLOBAL_RESOLVER NAAN_REGISTRY BULK_LIMIT BODY_LIMIT RATE_PER_MINUTE ADDRESS_RATE_PER_MINUTE MAX_IN_FLIGHT CLIENT_SECONDS HOLD_MAX_DAYS TOMBSTONE_STATUS REDIRECT_MAX_AGE WORKERS FAST_LANE REFRESH_MS TRUSTED_PROXIES CSV_GUARD METRICS ACCESS_LOG LOG_LEVEL LANG REPOSITORY_NAME REPOSITORY_ABSTRACT COLLECTION_POLICY_URL COLLECTION_POLICY_TEXT TREATMENT_URL TREATMENT_TEXT MAX_UPLOAD_BYTES MIN_SEGMENT_BYTES SWORD_ON_BEHALF_OF SWORD_VERIFY_DIGEST SWORD_RAW_BODY MAX_CONCURRENT_DEPOSITS PARSE_SECONDS DEPOSITS_PER_ACCOUNT LEAST_UPLOAD_RATE FULL_TEXT FULL_TEXT_MAX_FILE FULL_TEXT_CHARACTERS FULL_TEXT_ITEM_CHARACTERS FULL_TEXT_SECONDS FULL_TEXT_MEMORY_MIB MINT_ITEM_ARKS ITEM_ARK_CREDENTIAL STORAGE S3_ENDPOINT S3_REGION S3_ACCESS_KEY_ID S3_SECRET_ACCESS_KEY TOOL_ITEM_TYPE TIME_ZONE DEFAULT_INDEX LEGACY_INDEX_CREATE JOBS RESOLVER_URL COMPLETION_CROSSREF_URL COMPLETION_DATACITE_URL OIDC_CLIENT_ID OIDC_CLIENT_SECRET OAI_HOST ADMIN_FACET_SEARCH_SETTING_BUCKET_SIZE OPENSEARCH_SHORT_NAME OPENSEARCH_DESCRIPTION OPENSEARCH_IMAGE OAI_ADMIN_MAIL OAI_PAGE_SIZE OAI_RATE_PER_MINUTE TYPESENSE_URL TYPESENSE_API_KEY TYPESENSE_COLLECTION SEARCH_WAIT_MS FILE_FETCH_DOMAINS FILE_FETCH_HTTP FILE_FETCH_SECONDS FILE_FETCH_REDIRECTS MCP MCP_TOOLS MCP_MORE_TOOLS CLIENT_DOCUMENTS MCP_HOSTS MCP_ORIGINS MCP_TOKEN STDIO_IMPORT_DIR REQUEST_EXPIRY_DAYS PLACEHOLDER_EMAIL_DOMAIN";
    const names = Object.values(SETTINGS).map((entry) => entry.name);
    expect(listed.split(" ").filter((name) => !names.includes(`SVC_${name}`))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  test.each([
    ["SVC_PORT", "eighty"],
    ["SVC_PORT", "65536"],
    ["SVC_AUTH", "apikey,basic"],
    ["SVC_AUTH", ","],
    ["SVC_RESOLVER", "maybe"],
    ["SVC_BODY_LIMIT", "16 bananas"],
    ["SVC_BODY_LIMIT", "2 GiB"],
    ["SVC_BULK_LIMIT", "0"],
    ["SVC_TOMBSTONE_STATUS", "404"],
    ["SVC_GLOBAL_RESOLVER", "n2t.net"],
    ["SVC_BASE_URL", "ftp://id.example.org"],
    ["SVC_ROOT_PATH", "ids"],
    ["SVC_METRICS", "yes"],
    ["SVC_DATABASE_URL", "mysql://localhost/arks"],
    ["SVC_TRUSTED_PROXIES", "-1"],
    ["SVC_RAW_URI_HEADER", "X-Original URI"],
    ["SVC_ALLOWED_HOSTS", "id.example.org/x"],
    ["SVC_LANG", "English"],
    ["SVC_REFRESH_MS", "0.5"],
    ["SVC_STORAGE", "s3:/bucket"],
    ["SVC_STORAGE", "s3:bucket/prefix"],
    ["SVC_STORAGE", "s3//bucket"],
    ["SVC_STORAGE", "https://store.example.org/bucket"],
    ["SVC_ITEM_ARK_CREDENTIAL", "repository        # a client_id of provision.json"],
    ["SVC_BASE_URL", "https://id.example.org # the public one"],
    ["SVC_STORAGE", "# /srv/files"],
    ["SVC_REPOSITORY_NAME", "Library\t#1"],
  ])("%s=%s stops the start with one line that names the variable, the value and what is allowed", (name, value) => {
    const problems = problemsOf({ [name]: value });
    expect(problems).toHaveLength(1);
    expect(problems[0]?.startsWith(`${name}="${value}" is not allowed: `)).toBe(true);
    expect(problems[0]?.split("\n")).toHaveLength(1);
  });

  test("R32 the address of a page or a document is kept as it is written: its last slash, its query, its fragment", () => {
    const page = "https://library.example.org/policy/?lang=ja&x=1#deposits";
    const config = readConfig({
      SVC_COLLECTION_POLICY_URL: page,
      SVC_TREATMENT_URL: "https://library.example.org/treatment/",
      SVC_OIDC_JWKS_URL: "https://login.example.org/keys?p=policy",
    });
    expect([config.collectionPolicyUrl, config.treatmentUrl, config.oidcJwksUrl]).toEqual([
      page,
      "https://library.example.org/treatment/",
      "https://login.example.org/keys?p=policy",
    ]);
    for (const wrong of ["library.example.org/policy", "https://a:b@library.example.org/", "https://x y"]) {
      expect(problemsOf({ SVC_COLLECTION_POLICY_URL: wrong })).toHaveLength(1);
    }
  });

  test("R5 a comment behind any setting is refused, a # inside of a word is not, and a secret is not shown", () => {
    for (const { name } of Object.values(SETTINGS)) {
      const [problem = "", ...more] = problemsOf({ [name]: "1 # one" });
      expect([more, problem.includes("write the comment on a separate line")]).toEqual([[], true]);
      expect(problem.startsWith(`${name}="`)).toBe(true);
    }
    expect(problemsOf({ SVC_REPOSITORY_NAME: "Library#1", SVC_STORAGE: "/srv/a#b" })).toEqual([]);
    expect(problemsOf({ SVC_TOKEN_SECRET: `${SECRET} # new` })[0]).not.toContain(SECRET);
  });

  test.each([
    ["SVC_PROT", "SVC_PORT"],
    ["SVC_HSOT", "SVC_HOST"],
    ["SVC_DATADIR", "SVC_DATA_DIR"],
    ["SVC_DTAA_DIR", "SVC_DATA_DIR"],
    ["SVC_LNAG", "SVC_LANG"],
  ])("%s is nobody's setting: the warning asks for %s", (typed, meant) => {
    expect(readConfig({ [typed]: "x" }).warnings).toEqual([`Unknown setting ${typed}: did you mean ${meant}?`]);
  });

  test("values are read with their units, spellings and blanks", () => {
    const config = readConfig({
      SVC_BODY_LIMIT: "512 KiB",
      SVC_SHARE_PORT: "Yes",
      SVC_AUTH: " apikey , oauth2 ",
      SVC_TOKEN_SECRET: SECRET,
      SVC_ROOT_PATH: "/ids/",
      SVC_BASE_URL: "https://id.example.org/",
      SVC_ALLOWED_HOSTS: "ID.example.org, localhost:8001",
      SVC_RAW_URI_HEADER: "X-Original-URI",
      SVC_DB_POOL: "",
      SVC_GLOBAL_RESOLVER: "",
    });
    expect(config).toMatchObject({
      bodyLimitBytes: 524_288,
      sharePort: true,
      rootPath: "/ids",
      baseUrl: "https://id.example.org",
      rawUriHeader: "x-original-uri",
      dbPool: 10,
      globalResolver: null,
    });
    expect([...config.auth]).toEqual(["apikey", "oauth2"]);
    expect([...config.allowedHosts]).toEqual(["id.example.org", "localhost:8001"]);
  });

  test("all wrong values are named at once, one line each", () => {
    expect(problemsOf({ SVC_PORT: "x", SVC_LANG: "!" })).toHaveLength(2);
  });

  test("an unknown SVC_ variable is a warning with the probable name", () => {
    expect(
      readConfig({ SVC_DATABASEURL: "x", SVC_RESOLVERS: "1", SVC_COFFEE_MACHINE: "on", OTHER: "x" }).warnings,
    ).toEqual([
      "Unknown setting SVC_COFFEE_MACHINE",
      "Unknown setting SVC_DATABASEURL: did you mean SVC_DATABASE_URL?",
      "Unknown setting SVC_RESOLVERS: did you mean SVC_RESOLVER?",
    ]);
  });
});

describe("contradictions", () => {
  test.each([
    ["oauth2 without a secret", { SVC_AUTH: "oauth2" }, "SVC_TOKEN_SECRET"],
    [
      "oauth2 with a secret of 31 bytes",
      { SVC_AUTH: "apikey,oauth2", SVC_TOKEN_SECRET: SECRET.slice(1) },
      "SVC_TOKEN_SECRET",
    ],
    ["oidc without an issuer", { SVC_AUTH: "oidc", SVC_OIDC_AUDIENCE: "arks" }, "SVC_OIDC_ISSUER"],
    [
      "oidc without an audience",
      { SVC_AUTH: "oidc", SVC_OIDC_ISSUER: "https://login.example.org" },
      "SVC_OIDC_AUDIENCE",
    ],
    ["a replica of another kind", { SVC_DATABASE_URL: "postgres://a@b/c", SVC_REPLICA_URL: "x.db" }, "SVC_REPLICA_URL"],
  ])("A24 %s stops the start", (_, env, variable) => {
    const problems = problemsOf(env);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(variable);
    expect(problems[0]).not.toContain(SECRET.slice(1));
  });

  test("A24 a mode that has what it needs starts", () => {
    expect(problemsOf({ SVC_AUTH: "oauth2", SVC_TOKEN_SECRET: SECRET })).toEqual([]);
    expect(
      problemsOf({ SVC_AUTH: "oidc", SVC_OIDC_ISSUER: "https://login.example.org", SVC_OIDC_AUDIENCE: "arks" }),
    ).toEqual([]);
  });

  test.each([
    [{ SVC_BASE_URL: "https://id.example.org", SVC_GLOBAL_RESOLVER: "https://ID.example.org" }],
    [{ SVC_ALLOWED_HOSTS: "a.example.org,b.example.org", SVC_GLOBAL_RESOLVER: "https://b.example.org/" }],
    [{ SVC_GLOBAL_RESOLVER: "http://localhost:8001" }],
    [{ SVC_GLOBAL_RESOLVER: "http://127.0.0.1:9000", SVC_PORT: "9000" }],
  ])("A31c a global resolver that is ourselves stops the resolver: %j", (env) => {
    expect(() => refuseForRole(readConfig(env), "resolver")).toThrow(/SVC_GLOBAL_RESOLVER=.* is this service itself/);
    expect(() => refuseForRole(readConfig(env), "minter")).not.toThrow();
  });

  test("A31c another resolver on this machine, or none, is allowed", () => {
    for (const url of ["http://localhost:9999", "https://n2t.net", ""]) {
      expect(() => refuseForRole(readConfig({ SVC_GLOBAL_RESOLVER: url }), "resolver")).not.toThrow();
    }
  });

  test("A49 L6 the minter refuses to start with SVC_RESOLVER=1", () => {
    const config = readConfig({ SVC_RESOLVER: "1" });
    expect(() => refuseForRole(config, "minter")).toThrow(/^SVC_RESOLVER=1 is not allowed for the minter/);
    expect(() => refuseForRole(config, "resolver")).not.toThrow();
  });
});

describe("describeSettings()", () => {
  test("shows value, default and meaning of every setting and masks secrets", () => {
    const lines = describeSettings({
      SVC_TOKEN_SECRET: SECRET,
      SVC_DATABASE_URL: "postgres://ark:hunter2@db.example.org/arks",
      SVC_PORT: "80x",
    });
    expect(lines).toHaveLength(Object.keys(SETTINGS).length);
    expect(lines.every((line) => line.meaning !== "")).toBe(true);
    const shown = JSON.stringify(lines);
    expect(shown).not.toContain(SECRET);
    expect(shown).not.toContain("hunter2");
    const byName = new Map(lines.map((line) => [line.name, line]));
    expect(byName.get("SVC_DATABASE_URL")?.value).toBe("postgres://ark:********@db.example.org/arks");
    expect(byName.get("SVC_PORT")?.problem).toContain("a port from 0 to 65535");
    expect(byName.get("SVC_HOST")).toMatchObject({
      value: "127.0.0.1",
      default: "127.0.0.1",
      given: false,
      problem: null,
    });
  });

  test("a refused secret is not quoted", () => {
    const [problem] = problemsOf({ SVC_DATABASE_URL: "mysql://ark:hunter2@db/arks" });
    expect(problem).toBe(
      'SVC_DATABASE_URL="mysql://ark:********@db/arks" is not allowed: postgres://user@host/database, or the path of an SQLite file',
    );
  });
});
