// Every setting of the service, once and typed (decisions, "Settings"; A24, A31c, A49). Pure: the environment comes in
// as a value.

import { colorProblem } from "./pages/style/theme.ts";
import { REPOSITORY_SETTINGS } from "./repository/administration/settings.ts";
import * as parsers from "./shared/settings/setting-parsers.ts";
import { SETTING_PREFIX as PREFIX, type Setting, setting, startProblems } from "./shared/settings/setting-parsers.ts";
import { nearest } from "./shared/text/nearest-word.ts";
import { withoutEnd } from "./shared/text/text.ts";

/** The environment as the system gives it. */
export type Env = Readonly<Record<string, string | undefined>>;

const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export const SERVER_ROLES = ["minter", "resolver", "repository"] as const;
export type Role = (typeof SERVER_ROLES)[number];
/** With the tool servers in a separate process, which `arkstone mcp --http` starts. */
export type ServerRole = Role | "tools";

/** Settings that cannot be used. Each problem is one line naming the variable, its value and what is allowed. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

const LISTENING = {
  host: setting("HOST", "127.0.0.1", "Address to listen on; 0.0.0.0 for all", parsers.text),
  givenPort: setting(
    "PORT",
    "",
    "Port to listen on; empty: 8000 for the minter, 8001 for the resolver, 8002 for the repository, 8003 for `arkstone mcp --http`",
    parsers.optionalPort,
  ),
  sharePort: setting(
    "SHARE_PORT",
    "0",
    "Let several processes share the port; otherwise a second one refuses to start",
    parsers.boolean,
  ),
  tlsCert: setting(
    "TLS_CERT",
    "",
    "PEM file of the certificate and its chain, to answer over TLS without a front; read again when it changes; empty: no TLS",
    parsers.optionalText,
  ),
  tlsKey: setting("TLS_KEY", "", "PEM file of the key of SVC_TLS_CERT, without passphrase", parsers.optionalText),
  hstsSeconds: setting(
    "HSTS_SECONDS",
    "0",
    "Seconds for which browsers ask this host over https alone (Strict-Transport-Security); 0: the field is not sent",
    parsers.wholeNumber(0, 63_072_000),
  ),
  baseUrl: setting("BASE_URL", "", "The address under which the public reaches this service", parsers.httpUrl),
  rootPath: setting("ROOT_PATH", "", "Path under which a front mounts this service", parsers.rootPath),
  allowedHosts: setting("ALLOWED_HOSTS", "", "Host names that are answered; empty: all", parsers.hosts),
  trustedProxies: setting(
    "TRUSTED_PROXIES",
    "0",
    "Proxies in front whose X-Forwarded-For is believed; 0: the address of the connection counts",
    parsers.wholeNumber(0, 10),
  ),
  proxyProtocol: setting(
    "PROXY_PROTOCOL",
    "0",
    "Take the client's address from the PROXY header (version 1 or 2) with which the front begins every connection; others are ended; only the front may reach the port (Bun alone)",
    parsers.boolean,
  ),
  rawUriHeader: setting(
    "RAW_URI_HEADER",
    "",
    "Header in which the front hands on the raw request URI; only the front may be able to set it",
    parsers.headerName,
  ),
} as const;

const DATA = {
  dataDir: setting("DATA_DIR", "./data", "Folder of everything the service keeps in files", parsers.text),
  givenDatabaseUrl: setting(
    "DATABASE_URL",
    "",
    "The writing database; empty: an SQLite file under SVC_DATA_DIR; several servers of PostgreSQL: the writer among them",
    parsers.databaseUrl,
    { secrecy: "url" },
  ),
  replicaUrl: setting("REPLICA_URL", "", "A read-only copy of the database that reads may use", parsers.databaseUrl, {
    secrecy: "url",
  }),
  dbPool: setting("DB_POOL", "10", "Most connections to PostgreSQL", parsers.wholeNumber(1, 200)),
} as const;

const RIGHTS = {
  auth: setting(
    "AUTH",
    "apikey",
    "Credentials that are taken: apikey, oauth2, oidc, separated by commas",
    parsers.authModes,
  ),
  tokenSecret: setting("TOKEN_SECRET", "", "Signs the tokens of mode oauth2; 32 bytes or more", parsers.optionalText, {
    secrecy: "secret",
  }),
  tokenTtlSeconds: setting("TOKEN_TTL", "3600", "Seconds a token of mode oauth2 lives", parsers.wholeNumber(1, 86_400)),
  tokenIssuer: setting("TOKEN_ISSUER", "arkstone", "Issuer written into the tokens of mode oauth2", parsers.text),
  oidcIssuer: setting("OIDC_ISSUER", "", "Issuer whose tokens mode oidc takes", parsers.optionalText),
  oidcAudience: setting("OIDC_AUDIENCE", "", "Audience a token of mode oidc must name", parsers.optionalText),
  oidcJwksUrl: setting(
    "OIDC_JWKS_URL",
    "",
    "Where the issuer's keys are; empty: found through the issuer's discovery document",
    parsers.pageUrl,
  ),
} as const;

const RESOLUTION = {
  resolver: setting("RESOLVER", "0", "Serve the resolution routes (`arkstone resolver` sets it)", parsers.boolean),
  resolveUnpublished: setting(
    "RESOLVE_UNPUBLISHED",
    "0",
    "Resolve reserved names too: for closed networks only",
    parsers.boolean,
  ),
  globalResolver: setting(
    "GLOBAL_RESOLVER",
    "https://n2t.net",
    "Where names of unknown NAANs are sent; empty: nowhere, they are answered 404",
    parsers.httpUrl,
    { emptyCounts: true },
  ),
  naanRegistry: setting("NAAN_REGISTRY", "", "File of the ARK Alliance's NAAN registry, as JSON", parsers.optionalText),
  tombstoneStatus: setting("TOMBSTONE_STATUS", "200", "Status of a tombstone without page", parsers.tombstoneStatus),
  redirectMaxAgeSeconds: setting(
    "REDIRECT_MAX_AGE",
    "0",
    "Seconds a redirect may be cached; 0: caches must ask again",
    parsers.wholeNumber(0, 31_536_000),
  ),
  colorLight: setting(
    "COLOR_LIGHT",
    "",
    "Colour of links and buttons of pages in light colours, such as 1f5f6b; empty: the shipped one",
    parsers.optionalColor,
  ),
  colorDark: setting(
    "COLOR_DARK",
    "",
    "The same in dark colours, such as 7cc4cf; empty: the shipped one",
    parsers.optionalColor,
  ),
  logo: setting(
    "LOGO",
    "",
    "File of the picture next to the name on every page: svg, png or webp, at most 100 KiB; empty: none",
    parsers.optionalText,
  ),
  frontPicture: setting(
    "FRONT_PICTURE",
    "",
    "File of the picture on the first page of the repository: svg, png, webp or jpg, at most 500 KiB; empty: none",
    parsers.optionalText,
  ),
  frontPictureAlt: setting(
    "FRONT_PICTURE_ALT",
    "",
    "What that picture shows, for those who do not see it",
    parsers.text,
  ),
  geoipFile: setting(
    "GEOIP_FILE",
    "",
    "File in the format MaxMind DB with the countries of addresses, for figures by country; empty: countries are not counted",
    parsers.optionalText,
  ),
  lang: setting("LANG", "en", "Language of pages where the reader prefers none", parsers.language),
  workers: setting("WORKERS", "", "Threads of the resolver; empty: one per core", parsers.optionalWorkers),
  fastLane: setting(
    "FAST_LANE",
    "",
    "Listen in front of the runtime's own HTTP server (Bun alone): answer plain redirects of the resolver (not with SVC_ACCESS_LOG=all), keep pipelined requests in order; empty: yes, but what answers no redirects not behind a front (SVC_TRUSTED_PROXIES)",
    parsers.optionalBoolean,
  ),
  refreshMs: setting(
    "REFRESH_MS",
    "200",
    "How often the resolver polls for changes, in ms",
    parsers.wholeNumber(10, 3_600_000),
  ),
} as const;

const LIMITS = {
  bulkLimit: setting("BULK_LIMIT", "10000", "Most rows in one request", parsers.wholeNumber(1, 1_000_000)),
  bodyLimitBytes: setting("BODY_LIMIT", "16 MiB", "Largest request body", parsers.bytes),
  ratePerMinute: setting(
    "RATE_PER_MINUTE",
    "",
    "Most requests of one credential in a minute, at the repository in one group of routes; 0: no limit; empty: 0, at the repository 100",
    parsers.optionalWholeNumber(0, 10_000_000),
  ),
  addressRatePerMinute: setting(
    "ADDRESS_RATE_PER_MINUTE",
    "0",
    "Most requests of one address in a minute, failed authentication and tokens included, redirects not; 0: no limit",
    parsers.wholeNumber(0, 10_000_000),
  ),
  maxInFlight: setting(
    "MAX_IN_FLIGHT",
    "2048",
    "Most requests being answered at once, plain redirects not counted; more receive 503 and come back later; 0: no limit",
    parsers.wholeNumber(0, 1_000_000),
  ),
  clientSeconds: setting(
    "CLIENT_SECONDS",
    "120",
    "Seconds a body may make no progress, or a connection may be idle after its first request; the first head of a connection has 12 seconds on Bun, whatever is set here",
    parsers.wholeNumber(1, 240),
  ),
  holdMaxDays: setting("HOLD_MAX_DAYS", "90", "Longest hold, in days", parsers.wholeNumber(1, 36_500)),
} as const;

const EXPORTS = {
  csvGuard: setting(
    "CSV_GUARD",
    "1",
    "Put an apostrophe before cells of a CSV export or a list of hits that a spreadsheet would take for a formula",
    parsers.boolean,
  ),
} as const;

const WATCHING = {
  metrics: setting(
    "METRICS",
    "local",
    "Who may read /metrics: local (this machine) or public",
    parsers.oneOf(["local", "public"]),
  ),
  accessLog: setting(
    "ACCESS_LOG",
    "on",
    "One line per request: on, all (plain redirects of the resolver too) or off",
    parsers.oneOf(["on", "all", "off"]),
  ),
  logLevel: setting(
    "LOG_LEVEL",
    "info",
    "Least level that is logged: debug, info, warn or error",
    parsers.oneOf(LOG_LEVELS),
  ),
} as const;

/** The settings by what they are about, in the order of the guide (`arkstone settings --guide`). */
export const SETTING_GROUPS = {
  listening: LISTENING,
  data: DATA,
  rights: RIGHTS,
  resolution: RESOLUTION,
  limits: LIMITS,
  exports: EXPORTS,
  repository: REPOSITORY_SETTINGS,
  watching: WATCHING,
} as const;

/** All settings, by the name they have in the program. */
export const SETTINGS = {
  ...LISTENING,
  ...DATA,
  ...RIGHTS,
  ...RESOLUTION,
  ...LIMITS,
  ...EXPORTS,
  ...REPOSITORY_SETTINGS,
  ...WATCHING,
} as const;

type SettingKey = keyof typeof SETTINGS;
type SettingValue<S> = S extends Setting<infer T> ? T : never;
type Values = { readonly [K in SettingKey]: SettingValue<(typeof SETTINGS)[K]> };

export type Config = Values & {
  /** `SVC_DATABASE_URL`, or the SQLite file under the data folder. */
  readonly databaseUrl: string;
  /** Warnings for the operator at start, one line each. */
  readonly warnings: readonly string[];
};

/** Reads the whole environment once. Throws {@link ConfigError} with a line for every value that is not allowed. */
export function readConfig(env: Env): Config {
  const problems: string[] = [];
  const read: Partial<Record<SettingKey, unknown>> = {};
  for (const [key, entry] of settingEntries()) {
    const raw = rawValue(entry, env);
    const problem = problemOf(entry, raw);
    if (problem !== null) problems.push(problem);
    read[key] = entry.parse(raw);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  // Every key of the table was filled above, each by its own parser.
  const values = read as Values;
  const contradictions = findContradictions(values);
  if (contradictions.length > 0) throw new ConfigError(contradictions);
  const databaseUrl = values.givenDatabaseUrl ?? `${withoutEnd(values.dataDir, "/")}/arkstone.db`;
  return { ...values, databaseUrl, warnings: unknownVariables(env) };
}

/** What a role cannot start with (A31c, A49). Throws {@link ConfigError}. */
export function refuseForRole(config: Config, role: ServerRole): void {
  if (role !== "resolver" && config.resolver) {
    throw new ConfigError([
      `SVC_RESOLVER=1 is not allowed for the ${role}: it serves no resolution routes, start \`arkstone resolver\` for them`,
    ]);
  }
  if (role === "repository" || role === "tools") refuseForRepository(config);
  const global = config.globalResolver;
  if (role === "resolver" && global !== null && isOurselves(config, global, portOf(config, role))) {
    throw new ConfigError([
      `SVC_GLOBAL_RESOLVER="${global}" is not allowed: it is this service itself, unknown names would go round in circles; name another resolver, or leave it empty`,
    ]);
  }
}

function refuseForRepository(config: Config): void {
  const problems: string[] = [];
  if (config.storage?.startsWith("s3://") === true) {
    if (config.s3Endpoint === null)
      problems.push("SVC_S3_ENDPOINT is missing: SVC_STORAGE names an S3-compatible store");
    if (config.s3AccessKeyId === null || config.s3SecretAccessKey === null) {
      problems.push(
        "SVC_S3_ACCESS_KEY_ID and SVC_S3_SECRET_ACCESS_KEY are missing: SVC_STORAGE names an S3-compatible store",
      );
    }
  }
  if (config.typesenseUrl.length > 0 && config.typesenseApiKey === null) {
    problems.push("SVC_TYPESENSE_API_KEY is missing: SVC_TYPESENSE_URL names Typesense servers");
  }
  if (config.smtpUrl !== null && config.mailFrom === null) {
    problems.push("SVC_MAIL_FROM is missing: SVC_SMTP_URL names a mail server");
  }
  if (config.registration !== "off" && config.smtpUrl === null) {
    problems.push("SVC_SMTP_URL is missing: SVC_REGISTRATION is set, and links to register are sent by mail");
  }
  if ((config.signInClientId === null) !== (config.signInClientSecret === null)) {
    problems.push("SVC_OIDC_CLIENT_ID and SVC_OIDC_CLIENT_SECRET are not allowed one without the other");
  }
  if (config.signInClientId !== null && config.oidcIssuer === null) {
    problems.push("SVC_OIDC_ISSUER is missing: SVC_OIDC_CLIENT_ID is set, so people sign in there");
  }
  if (problems.length > 0) throw new ConfigError(problems);
}

/** Of the addresses at which roles with these settings listen. */
export function schemeOf({ tlsCert }: Pick<Config, "tlsCert">): "http" | "https" {
  return tlsCert === null ? "http" : "https";
}

/** The port a role listens on. */
export function portOf(config: Config, role: ServerRole): number {
  return config.givenPort ?? 8000 + (role === "tools" ? SERVER_ROLES.length : SERVER_ROLES.indexOf(role));
}

const REPOSITORY_RATE = 100;

/** Requests a minute of one client of a role; 0: no limit (R9). */
export function ratePerMinuteOf(config: Config, role: Role): number {
  return config.ratePerMinute ?? (role === "repository" ? REPOSITORY_RATE : 0);
}

type SettingLine = {
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
      value: shown(entry, raw),
      default: shown(entry, entry.fallback),
      meaning: entry.meaning,
      given: env[entry.name] !== undefined && env[entry.name] !== "",
      problem: problemOf(entry, raw),
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

/** systemd and Docker keep a comment after a value in an EnvironmentFile: it would become part of the value. */
const COMMENT = /(?:^|\s)#/;

function problemOf(entry: Setting<unknown>, raw: string): string | null {
  if (COMMENT.test(raw))
    return `${entry.name}="${masked(entry, raw)}" is not allowed: write the comment on a separate line`;
  return entry.parse(raw) === undefined ? refusal(entry, raw) : null;
}

function refusal(entry: Setting<unknown>, raw: string): string {
  return `${entry.name}="${masked(entry, raw)}" is not allowed: ${entry.allowed}`;
}

/** As it counts; secrets are masked. */
function shown(entry: Setting<unknown>, raw: string): string {
  const value = entry.show === undefined ? undefined : entry.parse(raw);
  return value === undefined ? masked(entry, raw) : (entry.show?.(value) ?? raw);
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
  if ((values.tlsCert === null) !== (values.tlsKey === null)) {
    problems.push("SVC_TLS_CERT and SVC_TLS_KEY are not allowed one without the other");
  }
  if (values.hstsSeconds > 0 && values.tlsCert === null && values.baseUrl?.startsWith("https:") !== true) {
    problems.push(
      `SVC_HSTS_SECONDS="${values.hstsSeconds}" is not allowed: nothing is served over https; set SVC_TLS_CERT, or SVC_BASE_URL to the https address of a front`,
    );
  }
  for (const [name, color, scheme] of [
    ["SVC_COLOR_LIGHT", values.colorLight, "light"],
    ["SVC_COLOR_DARK", values.colorDark, "dark"],
  ] as const) {
    const problem = color === null ? null : colorProblem(color, scheme);
    if (color !== null && problem !== null) problems.push(`${name}="${color.slice(1)}" is not allowed: ${problem}`);
  }
  return problems;
}

function isPostgres(url: string): boolean {
  return /^postgres(?:ql)?:/i.test(url);
}

/**
 * True where `target` leads to this service: its public address, a host it answers to, or the address it listens on.
 */
function isOurselves(config: Config, target: string, port: number): boolean {
  const host = new URL(target).host.toLowerCase();
  const name = new URL(target).hostname.toLowerCase();
  if (config.baseUrl !== null && new URL(config.baseUrl).host.toLowerCase() === host) return true;
  if (config.allowedHosts.has(host) || config.allowedHosts.has(name)) return true;
  const loopback = name === "localhost" || name === "127.0.0.1" || name === "[::1]";
  return (loopback || name === config.host.toLowerCase()) && host.endsWith(`:${port}`);
}

function unknownVariables(env: Env): string[] {
  const known = settingEntries().map(([, entry]) => entry.name.slice(PREFIX.length));
  return Object.keys(env)
    .filter((name) => name.startsWith(PREFIX) && !known.includes(name.slice(PREFIX.length)))
    .sort()
    .map((name) => {
      const meant = nearest(name.slice(PREFIX.length), known);
      return `Unknown setting ${name}${meant === null ? "" : `: did you mean ${PREFIX}${meant}?`}`;
    });
}
