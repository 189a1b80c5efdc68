// Every setting of the service, once and typed (decisions, "Settings"; A24, A31c, A49). Pure: the environment comes in as a value.
import { AUTH_MODES, type AuthMode, startProblems } from "./domain/auth/modes.ts";

/** The environment as the system gives it. */
export type Env = Readonly<Record<string, string | undefined>>;

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
export type Role = "minter" | "resolver";

/** Settings that cannot be used. Each problem is one line naming the variable, its value and what is allowed. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

/** How a text becomes a value; `undefined` means it is not allowed. */
type Parser<T> = { readonly allowed: string; readonly parse: (text: string) => T | undefined };

/** What is hidden when settings are shown: nothing, the whole value, or the password inside a URL. */
type Secrecy = "open" | "secret" | "url";

export type Setting<T> = {
  /** The variable, with its prefix. */
  readonly name: string;
  readonly fallback: string;
  readonly meaning: string;
  readonly secrecy: Secrecy;
  /** True where an empty value means something else than the default. */
  readonly emptyCounts: boolean;
} & Parser<T>;

function setting<T>(
  name: string,
  fallback: string,
  meaning: string,
  parser: Parser<T>,
  options: { readonly secrecy?: Secrecy; readonly emptyCounts?: boolean } = {},
): Setting<T> {
  const { secrecy = "open", emptyCounts = false } = options;
  return { name: `SVC_${name}`, fallback, meaning, secrecy, emptyCounts, ...parser };
}

const text: Parser<string> = { allowed: "any text", parse: (value) => value };

const optionalText: Parser<string | null> = { allowed: "any text", parse: (value) => (value === "" ? null : value) };

const boolean: Parser<boolean> = {
  allowed: "1, true, yes, on, 0, false, no or off",
  parse: (value) => {
    if (/^(?:1|true|yes|on)$/i.test(value)) return true;
    return /^(?:0|false|no|off)$/i.test(value) ? false : undefined;
  },
};

function wholeNumber(least: number, most: number): Parser<number> {
  return {
    allowed: `a whole number from ${least} to ${most}`,
    parse: (value) => {
      if (!/^\d{1,15}$/.test(value)) return undefined;
      const number = Number(value);
      return number >= least && number <= most ? number : undefined;
    },
  };
}

const optionalPort: Parser<number | null> = {
  allowed: "a port from 0 to 65535 (0: any free one)",
  parse: (value) => (value === "" ? null : wholeNumber(0, 65_535).parse(value)),
};

const optionalWorkers: Parser<number | null> = {
  allowed: "a whole number from 1 to 64",
  parse: (value) => (value === "" ? null : wholeNumber(1, 64).parse(value)),
};

const UNITS: Readonly<Record<string, number>> = { "": 1, kib: 1024, kb: 1000, mib: 1024 ** 2, mb: 1e6, gib: 1024 ** 3 };

/** A size in octets, with or without unit: `16777216`, `16 MiB`. */
const bytes: Parser<number> = {
  allowed: 'a size of 1 KiB to 1 GiB, such as "16 MiB" or 16777216',
  parse: (value) => {
    const match = /^(\d{1,10})\s*([kmg]i?b)?$/i.exec(value);
    const unit = UNITS[match?.[2]?.toLowerCase() ?? ""];
    if (match === null || unit === undefined) return undefined;
    const size = Number(match[1]) * unit;
    return size >= 1024 && size <= 1024 ** 3 ? size : undefined;
  },
};

function oneOf<const T extends string>(values: readonly T[]): Parser<T> {
  return { allowed: values.join(", "), parse: (value) => values.find((known) => known === value) };
}

const authModes: Parser<ReadonlySet<AuthMode>> = {
  allowed: `one or more of ${AUTH_MODES.join(", ")}, separated by commas`,
  parse: (value) => {
    const wanted = list(value);
    const known = AUTH_MODES.filter((mode) => wanted.includes(mode));
    return wanted.length > 0 && wanted.every((mode) => known.some((name) => name === mode))
      ? new Set(known)
      : undefined;
  },
};

/** An absolute http(s) URL without query, fragment or password; given back without trailing slash. */
const httpUrl: Parser<string | null> = {
  allowed: "an absolute http or https URL, such as https://id.example.org",
  parse: (value) => {
    if (value === "") return null;
    if (!/^https?:\/\/[^\s]+$/i.test(value) || !URL.canParse(value)) return undefined;
    const url = new URL(value);
    if (url.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "") return undefined;
    return value.replace(/\/+$/, "");
  },
};

const rootPath: Parser<string> = {
  allowed: "a path such as /ids, beginning with a slash",
  parse: (value) => {
    const trimmed = value.replace(/\/+$/, "");
    return trimmed === "" || /^(?:\/[A-Za-z0-9._~-]+)+$/.test(trimmed) ? trimmed : undefined;
  },
};

const hosts: Parser<ReadonlySet<string>> = {
  allowed: "host names separated by commas, such as id.example.org,localhost:8001",
  parse: (value) => {
    const names = list(value.toLowerCase());
    return names.every((name) => /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/.test(name))
      ? new Set(names)
      : undefined;
  },
};

const databaseUrl: Parser<string | null> = {
  allowed: "postgres://user@host/database, or the path of an SQLite file",
  parse: (value) => {
    if (value === "") return null;
    const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(value)?.[1]?.toLowerCase();
    if (scheme === undefined || scheme === "sqlite" || scheme === "file") return value;
    return (scheme === "postgres" || scheme === "postgresql") && URL.canParse(value) ? value : undefined;
  },
};

const headerName: Parser<string | null> = {
  allowed: "the name of a header, such as X-Original-URI",
  parse: (value) => (value === "" ? null : /^[A-Za-z0-9-]{1,64}$/.test(value) ? value.toLowerCase() : undefined),
};

const language: Parser<string> = {
  allowed: "a language tag such as en or ja",
  parse: (value) => (/^[a-z]{2,3}(?:-[a-zA-Z0-9]{2,8})*$/.test(value) ? value : undefined),
};

const tombstoneStatus: Parser<200 | 410> = {
  allowed: "200 or 410",
  parse: (value) => (value === "200" ? 200 : value === "410" ? 410 : undefined),
};

function list(value: string): readonly string[] {
  return value
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

/** All settings, by the name they have in the program. */
export const SETTINGS = {
  resolver: setting("RESOLVER", "0", "Serve the resolution routes (`arkstone resolver` sets it)", boolean),
  resolveUnpublished: setting(
    "RESOLVE_UNPUBLISHED",
    "0",
    "Resolve reserved names too: for closed networks only",
    boolean,
  ),
  rawUriHeader: setting(
    "RAW_URI_HEADER",
    "",
    "Header in which the front hands on the raw request URI; only the front may be able to set it",
    headerName,
  ),
  auth: setting("AUTH", "apikey", "Credentials that are taken: apikey, oauth2, oidc, separated by commas", authModes),
  tokenSecret: setting("TOKEN_SECRET", "", "Signs the tokens of mode oauth2; 32 bytes or more", optionalText, {
    secrecy: "secret",
  }),
  tokenTtlSeconds: setting("TOKEN_TTL", "3600", "Seconds a token of mode oauth2 lives", wholeNumber(1, 86_400)),
  tokenIssuer: setting("TOKEN_ISSUER", "arkstone", "Issuer written into the tokens of mode oauth2", text),
  oidcIssuer: setting("OIDC_ISSUER", "", "Issuer whose tokens mode oidc takes", optionalText),
  oidcAudience: setting("OIDC_AUDIENCE", "", "Audience a token of mode oidc must name", optionalText),
  oidcJwksUrl: setting(
    "OIDC_JWKS_URL",
    "",
    "Where the issuer's keys are; empty: found through the issuer's discovery document",
    httpUrl,
  ),
  givenDatabaseUrl: setting(
    "DATABASE_URL",
    "",
    "The writing database; empty: an SQLite file under SVC_DATA_DIR",
    databaseUrl,
    { secrecy: "url" },
  ),
  replicaUrl: setting("REPLICA_URL", "", "A read-only copy of the database that reads may use", databaseUrl, {
    secrecy: "url",
  }),
  dbPool: setting("DB_POOL", "10", "Most connections to PostgreSQL", wholeNumber(1, 200)),
  dataDir: setting("DATA_DIR", "./data", "Folder of everything the service keeps in files", text),
  host: setting("HOST", "127.0.0.1", "Address to listen on; 0.0.0.0 for all", text),
  givenPort: setting("PORT", "", "Port to listen on; empty: 8000 for the minter, 8001 for the resolver", optionalPort),
  sharePort: setting(
    "SHARE_PORT",
    "0",
    "Let several processes listen on the same port; otherwise a second one refuses to start",
    boolean,
  ),
  baseUrl: setting("BASE_URL", "", "The address under which the public reaches this service", httpUrl),
  rootPath: setting("ROOT_PATH", "", "Path under which a front mounts this service", rootPath),
  allowedHosts: setting("ALLOWED_HOSTS", "", "Host names that are answered; empty: all", hosts),
  globalResolver: setting(
    "GLOBAL_RESOLVER",
    "https://n2t.net",
    "Where names of unknown NAANs are sent; empty: nowhere, they are answered 404",
    httpUrl,
    { emptyCounts: true },
  ),
  naanRegistry: setting("NAAN_REGISTRY", "", "File of the ARK Alliance's NAAN registry, as JSON", optionalText),
  bulkLimit: setting("BULK_LIMIT", "10000", "Most rows in one request", wholeNumber(1, 1_000_000)),
  bodyLimitBytes: setting("BODY_LIMIT", "16 MiB", "Largest request body", bytes),
  ratePerMinute: setting(
    "RATE_PER_MINUTE",
    "0",
    "Most management requests of one credential in a minute; 0: no limit",
    wholeNumber(0, 10_000_000),
  ),
  holdMaxDays: setting("HOLD_MAX_DAYS", "90", "Longest hold, in days", wholeNumber(1, 36_500)),
  tombstoneStatus: setting("TOMBSTONE_STATUS", "200", "Status of a tombstone without page", tombstoneStatus),
  redirectMaxAgeSeconds: setting(
    "REDIRECT_MAX_AGE",
    "0",
    "Seconds a redirect may be cached; 0: caches must ask again",
    wholeNumber(0, 31_536_000),
  ),
  workers: setting("WORKERS", "", "Threads of the resolver, 1 to 64; empty: one per core", optionalWorkers),
  refreshMs: setting(
    "REFRESH_MS",
    "200",
    "How often the resolver looks for changes, in ms",
    wholeNumber(10, 3_600_000),
  ),
  trustedProxies: setting(
    "TRUSTED_PROXIES",
    "0",
    "Proxies in front whose X-Forwarded-For is believed; 0: the address of the connection counts",
    wholeNumber(0, 10),
  ),
  metrics: setting(
    "METRICS",
    "local",
    "Who may read /metrics: local (this machine) or public",
    oneOf(["local", "public"]),
  ),
  accessLog: setting(
    "ACCESS_LOG",
    "on",
    "One line per request: on, all (plain redirects of the resolver too) or off",
    oneOf(["on", "all", "off"]),
  ),
  logLevel: setting("LOG_LEVEL", "info", "Least level that is logged: debug, info, warn or error", oneOf(LOG_LEVELS)),
  lang: setting("LANG", "en", "Language of pages where the reader prefers none", language),
} as const;

type SettingKey = keyof typeof SETTINGS;
type SettingValue<S> = S extends Setting<infer T> ? T : never;
type Values = { readonly [K in SettingKey]: SettingValue<(typeof SETTINGS)[K]> };

export type Config = Values & {
  /** `SVC_DATABASE_URL`, or the SQLite file under the data folder. */
  readonly databaseUrl: string;
  /** What the operator should hear at start, one line each. */
  readonly warnings: readonly string[];
};

/** Reads the whole environment once. Throws {@link ConfigError} with a line for every value that is not allowed. */
export function readConfig(env: Env): Config {
  const problems: string[] = [];
  const read: Partial<Record<SettingKey, unknown>> = {};
  for (const [key, entry] of settingEntries()) {
    const value = entry.parse(rawValue(entry, env));
    if (value === undefined) problems.push(refusal(entry, rawValue(entry, env)));
    read[key] = value;
  }
  if (problems.length > 0) throw new ConfigError(problems);
  // Every key of the table was filled above, each by its own parser.
  const values = read as Values;
  const contradictions = findContradictions(values);
  if (contradictions.length > 0) throw new ConfigError(contradictions);
  const databaseUrl = values.givenDatabaseUrl ?? `${values.dataDir.replace(/\/+$/, "")}/arkstone.db`;
  return { ...values, databaseUrl, warnings: unknownVariables(env) };
}

/** What a role cannot start with (A31c, A49). Throws {@link ConfigError}. */
export function refuseForRole(config: Config, role: Role): void {
  if (role === "minter" && config.resolver) {
    throw new ConfigError([
      "SVC_RESOLVER=1 is not allowed for the minter: it serves no resolution routes, start `arkstone resolver` for them",
    ]);
  }
  const global = config.globalResolver;
  if (role === "resolver" && global !== null && isOurselves(config, global, portOf(config, role))) {
    throw new ConfigError([
      `SVC_GLOBAL_RESOLVER="${global}" is not allowed: it is this service itself, unknown names would go round in circles; name another resolver, or leave it empty`,
    ]);
  }
}

/** The port a role listens on. */
export function portOf(config: Config, role: Role): number {
  return config.givenPort ?? (role === "minter" ? 8000 : 8001);
}

export type SettingLine = {
  readonly name: string;
  /** As it counts now; secrets are masked. */
  readonly value: string;
  readonly default: string;
  readonly meaning: string;
  readonly given: boolean;
  /** Why the value is refused; null when it is fine. */
  readonly problem: string | null;
};

/** Every setting with value, default and meaning, as `arkstone settings` prints them. Never throws. */
export function describeSettings(env: Env): readonly SettingLine[] {
  return settingEntries().map(([, entry]) => {
    const raw = rawValue(entry, env);
    return {
      name: entry.name,
      value: masked(entry, raw),
      default: entry.fallback,
      meaning: entry.meaning,
      given: env[entry.name] !== undefined && env[entry.name] !== "",
      problem: entry.parse(raw) === undefined ? refusal(entry, raw) : null,
    };
  });
}

function settingEntries(): [SettingKey, Setting<unknown>][] {
  // Object.entries forgets the literal keys.
  return Object.entries(SETTINGS) as [SettingKey, Setting<unknown>][];
}

function rawValue(entry: Setting<unknown>, env: Env): string {
  const given = env[entry.name];
  if (given === undefined) return entry.fallback;
  const trimmed = given.trim();
  return trimmed === "" && !entry.emptyCounts ? entry.fallback : trimmed;
}

function refusal(entry: Setting<unknown>, raw: string): string {
  return `${entry.name}="${masked(entry, raw)}" is not allowed: ${entry.allowed}`;
}

function masked(entry: Setting<unknown>, raw: string): string {
  if (raw === "" || entry.secrecy === "open") return raw;
  return entry.secrecy === "secret" ? "********" : raw.replace(/^([^:/]+:\/\/[^:/@]*):[^@]*@/, "$1:********@");
}

function findContradictions(values: Values): string[] {
  const problems = [...startProblems({ ...values, modes: values.auth })];
  const { givenDatabaseUrl: primary, replicaUrl: replica } = values;
  if (primary !== null && replica !== null && isPostgres(primary) !== isPostgres(replica)) {
    problems.push("SVC_REPLICA_URL is not allowed: it must be a copy of SVC_DATABASE_URL, so of the same kind");
  }
  return problems;
}

function isPostgres(url: string): boolean {
  return /^postgres(?:ql)?:/i.test(url);
}

/** True where `target` leads to this service: its public address, a host it answers to, or the address it listens on. */
function isOurselves(config: Config, target: string, port: number): boolean {
  const host = new URL(target).host.toLowerCase();
  const name = new URL(target).hostname.toLowerCase();
  if (config.baseUrl !== null && new URL(config.baseUrl).host.toLowerCase() === host) return true;
  if (config.allowedHosts.has(host) || config.allowedHosts.has(name)) return true;
  const loopback = name === "localhost" || name === "127.0.0.1" || name === "[::1]";
  return (loopback || name === config.host.toLowerCase()) && host.endsWith(`:${port}`);
}

function unknownVariables(env: Env): string[] {
  const known = settingEntries().map(([, entry]) => entry.name);
  return Object.keys(env)
    .filter((name) => name.startsWith("SVC_") && !known.includes(name))
    .sort()
    .map((name) => {
      const nearest = known
        .map((candidate) => ({ candidate, distance: editDistance(name, candidate) }))
        .reduce((best, next) => (next.distance < best.distance ? next : best));
      const hint = nearest.distance <= 3 ? `: did you mean ${nearest.candidate}?` : "";
      return `Unknown setting ${name}${hint}`;
    });
}

/** Letters to insert, remove or exchange to get from one name to the other (Levenshtein). */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const exchange = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(exchange, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
