// How the texts of settings become values (decisions, "Settings"). Each parser states what it allows.

import { BYTE_SIZE_RULE, exactByteSize, readByteSize } from "../bytes/byte-size.ts";
import { isWebUrl } from "../http/web-url.ts";
import { withoutEnd } from "../text/text.ts";
import { postgresUrls } from "./database-url.ts";

// What a setting is: its variable, default, meaning, and how its text becomes a value (decisions, "Settings").

export const SETTING_PREFIX = "SVC_";

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

export function setting<T>(
  name: string,
  fallback: string,
  meaning: string,
  parser: Parser<T>,
  options: { readonly secrecy?: Secrecy; readonly emptyCounts?: boolean } = {},
): Setting<T> {
  const { secrecy = "open", emptyCounts = false } = options;
  return { name: `${SETTING_PREFIX}${name}`, fallback, meaning, secrecy, emptyCounts, ...parser };
}

// Which kinds of credential are accepted, and what each needs to start (specification 1, "Authentication" 2; A24).

const AUTH_MODES = ["apikey", "oauth2", "oidc"] as const;
/** `apikey`: an API key. `oauth2`: a token this service issued. `oidc`: a JWT of an external authorization server. */
export type AuthMode = (typeof AUTH_MODES)[number];

/** Fewest bytes of the secret that signs our own tokens: HS256 with less is guessable (RFC 7518 3.2). */
const TOKEN_SECRET_MIN_BYTES = 32;

export type AuthSettings = {
  readonly modes: Iterable<AuthMode>;
  readonly tokenSecret: string | null;
  readonly tokenIssuer: string | null;
  readonly oidcIssuer: string | null;
  readonly oidcAudience: string | null;
};

/** Sentences about missing or contradictory settings, each naming its variable; empty when the service may start. */
export function startProblems(settings: AuthSettings): readonly string[] {
  const modes = new Set(settings.modes);
  return [
    ...(modes.size === 0 ? ["SVC_AUTH names no mode: at least one of apikey, oauth2, oidc is needed"] : []),
    ...(modes.has("oauth2") ? tokenProblems(settings) : []),
    ...(modes.has("oidc") ? oidcProblems(settings) : []),
    ...(modes.has("oauth2") && modes.has("oidc") ? issuerProblems(settings) : []),
  ];
}

function tokenProblems({ tokenSecret, tokenIssuer }: AuthSettings): string[] {
  const bytes = new TextEncoder().encode(tokenSecret ?? "").length;
  return [
    ...(bytes < TOKEN_SECRET_MIN_BYTES
      ? [
          `SVC_TOKEN_SECRET (${bytes} bytes) is not allowed: SVC_AUTH holds oauth2, which needs a secret of ${TOKEN_SECRET_MIN_BYTES} bytes or more`,
        ]
      : []),
    ...((tokenIssuer ?? "") === ""
      ? ['SVC_TOKEN_ISSUER="" is not allowed: SVC_AUTH holds oauth2, which needs it']
      : []),
  ];
}

function oidcProblems({ oidcIssuer, oidcAudience }: AuthSettings): string[] {
  const problems: string[] = [];
  if ((oidcIssuer ?? "") === "")
    problems.push('SVC_OIDC_ISSUER="" is not allowed: SVC_AUTH holds oidc, which needs it');
  else if (!isWebUrl(oidcIssuer ?? "")) {
    problems.push(`SVC_OIDC_ISSUER="${oidcIssuer}" is not allowed: an absolute http or https URL is needed`);
  }
  if ((oidcAudience ?? "") === "") {
    problems.push('SVC_OIDC_AUDIENCE="" is not allowed: SVC_AUTH holds oidc, which needs it');
  }
  return problems;
}

/** A token is tried only by the mode it belongs to, and its issuer is what tells. */
function issuerProblems({ tokenIssuer, oidcIssuer }: AuthSettings): string[] {
  return tokenIssuer !== null && tokenIssuer === oidcIssuer
    ? [`SVC_OIDC_ISSUER="${oidcIssuer}" is not allowed: it equals SVC_TOKEN_ISSUER, the issuer of our tokens`]
    : [];
}

/** How a text becomes a value; `undefined` means it is not allowed. */
export type Parser<T> = {
  readonly allowed: string;
  readonly parse: (text: string) => T | undefined;
  /** How a value is shown, where a text may be written in several ways. */
  show?(value: T): string;
};

export const text: Parser<string> = { allowed: "any text", parse: (value) => value };

/** Text of one line. */
export const shortText = (most: number): Parser<string> => ({
  allowed: `1 to ${most} characters in one line`,
  parse: (value) => ([...value].length <= most && value.trim() !== "" && !/\p{Cc}/u.test(value) ? value : undefined),
});

export const optionalText: Parser<string | null> = {
  allowed: "any text",
  parse: (value) => (value === "" ? null : value),
};

export const boolean: Parser<boolean> = {
  allowed: "1, true, yes, on, 0, false, no or off",
  parse: (value) => {
    if (/^(?:1|true|yes|on)$/i.test(value)) return true;
    return /^(?:0|false|no|off)$/i.test(value) ? false : undefined;
  },
};

export const optionalBoolean: Parser<boolean | null> = {
  allowed: boolean.allowed,
  parse: (value) => (value === "" ? null : boolean.parse(value)),
};

export function wholeNumber(least: number, most: number): Parser<number> {
  return {
    allowed: `a whole number from ${least} to ${most}`,
    parse: (value) => {
      if (!/^\d{1,15}$/.test(value)) return undefined;
      const number = Number(value);
      return number >= least && number <= most ? number : undefined;
    },
  };
}

/** A whole number, or nothing. */
export function optionalWholeNumber(least: number, most: number): Parser<number | null> {
  const number = wholeNumber(least, most);
  return { allowed: `empty, or ${number.allowed}`, parse: (value) => (value === "" ? null : number.parse(value)) };
}

/** Where files lie: a folder, or a bucket with an optional prefix. */
export const storage: Parser<string | null> = {
  allowed: "a folder, or s3://bucket/prefix",
  parse: (value) => {
    if (value === "") return null;
    // Whatever begins as an address does is meant to be one: as a folder, s3:/bucket would be a bucket that nobody
    // expects here.
    if (!/^(?:[a-z][a-z0-9+.-]+:|s3\/\/)/i.test(value)) return value;
    return /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[A-Za-z0-9._/-]*)?$/.test(value) ? value : undefined;
  },
};

/** A time zone of the IANA database. */
export const timeZone: Parser<string> = {
  allowed: "a time zone such as UTC, Asia/Tokyo or Europe/Berlin",
  parse: (value) => {
    try {
      return new Intl.DateTimeFormat("en", { timeZone: value }).resolvedOptions().timeZone;
    } catch {
      return undefined;
    }
  },
};

export const optionalPort: Parser<number | null> = {
  allowed: "a port from 0 to 65535 (0: any free one)",
  parse: (value) => (value === "" ? null : wholeNumber(0, 65_535).parse(value)),
};

export const optionalWorkers: Parser<number | null> = {
  allowed: "a whole number from 1 to 64",
  parse: (value) => (value === "" ? null : wholeNumber(1, 64).parse(value)),
};

/** A size in bytes, with or without a unit; a number without a unit counts `bare` bytes each. */
export const byteSize = (least: number, most: number, bare = 1): Parser<number> => ({
  allowed: `a size of ${exactByteSize(least)} to ${exactByteSize(most)}, ${BYTE_SIZE_RULE}`,
  parse: (value) => {
    const size = readByteSize(value, bare);
    return size !== null && size >= least && size <= most ? size : undefined;
  },
  show: exactByteSize,
});

export const bytes = byteSize(1024, 1024 ** 3);

export const optionalByteSize = (least: number, most: number): Parser<number | null> => {
  const parser = byteSize(least, most);
  return {
    allowed: parser.allowed,
    parse: (value) => (value === "" ? null : parser.parse(value)),
    show: (value) => (value === null ? "" : exactByteSize(value)),
  };
};

const MIB = 1024 ** 2;

/** Whole MiB: a number without a unit counts them. */
export function mebibytes(least: number, most: number): Parser<number> {
  const { allowed, parse } = byteSize(least * MIB, most * MIB, MIB);
  return {
    allowed: `${allowed} MiB`.replace("or 16777216 MiB", "or a number of MiB"),
    parse: (value) => {
      const size = parse(value);
      return size === undefined ? undefined : Math.round(size / MIB);
    },
    show: (value) => exactByteSize(value * MIB),
  };
}

export function oneOf<const T extends string>(values: readonly T[]): Parser<T> {
  return { allowed: values.join(", "), parse: (value) => values.find((known) => known === value) };
}

export const authModes: Parser<ReadonlySet<AuthMode>> = {
  allowed: `one or more of ${AUTH_MODES.join(", ")}, separated by commas`,
  parse: (value) => {
    const wanted = list(value);
    const known = AUTH_MODES.filter((mode) => wanted.includes(mode));
    return wanted.length > 0 && wanted.every((mode) => known.some((name) => name === mode))
      ? new Set(known)
      : undefined;
  },
};

/**
 * The address of a page or a document, returned as it is written: a slash at its end or a query may be all that tells
 * it from another.
 */
export const pageUrl: Parser<string | null> = {
  allowed: "an absolute http or https URL without a password, such as https://library.example.org/policy/?lang=en",
  parse: (value) => {
    if (value === "") return null;
    if (!isWebUrl(value)) return undefined;
    const { username, password } = new URL(value);
    return username === "" && password === "" ? value : undefined;
  },
};

/**
 * The address something is mounted at, to which paths are added: without query, fragment or password; returned without
 * trailing slash.
 */
export const httpUrl: Parser<string | null> = {
  allowed: "an absolute http or https URL, such as https://id.example.org",
  parse: (value) => {
    if (value === "") return null;
    if (!isWebUrl(value)) return undefined;
    const url = new URL(value);
    if (url.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "") return undefined;
    return withoutEnd(value, "/");
  },
};

/** Several servers that act as one. */
export const httpUrls: Parser<readonly string[]> = {
  allowed: "http or https URLs separated by commas, such as http://search-1:8108,http://search-2:8108",
  parse: (value) => {
    const urls = list(value).map((each) => httpUrl.parse(each));
    return urls.every((url) => typeof url === "string") ? urls : undefined;
  },
};

/** What other systems accept as our name. */
export const plainName: Parser<string> = {
  allowed: "lower-case letters, digits and _, beginning with a letter, 40 at most",
  parse: (value) => (/^[a-z][a-z0-9_]{0,39}$/.test(value) ? value : undefined),
};

export const rootPath: Parser<string> = {
  allowed: "a path such as /ids, beginning with a slash",
  parse: (value) => {
    const trimmed = withoutEnd(value, "/");
    return trimmed === "" || /^(?:\/[A-Za-z0-9._~-]+)+$/.test(trimmed) ? trimmed : undefined;
  },
};

/** A mail server with how it is reached. */
export const smtpUrl: Parser<string | null> = {
  allowed:
    "empty, or smtp:// or smtps://, with name and password where the server asks for them, such as smtps://name:password@mail.example.org:465",
  parse: (value) => {
    if (value === "") return null;
    const url = URL.canParse(value) ? new URL(value) : null;
    if (url === null || !["smtp:", "smtps:"].includes(url.protocol) || url.hostname === "") return undefined;
    if (url.search !== "" || url.hash !== "" || !["", "/"].includes(url.pathname)) return undefined;
    return /%(?![0-9A-Fa-f]{2})/.test(url.username + url.password) ? undefined : value;
  },
};

/** `off`, `invitation`, or domains in ASCII and lower case. */
export const registration: Parser<"off" | "invitation" | readonly string[]> = {
  allowed: "off, invitation, or domains of mail addresses separated by commas, such as example.org,*.example.ac.jp",
  parse: (value) => {
    if (value === "off" || value === "invitation") return value;
    const domains = value.split(",").map((each) => each.trim().toLowerCase());
    const hosts = domains.map((each) => {
      const [star, name] = each.startsWith("*.") ? ["*.", each.slice(2)] : ["", each];
      const host = URL.canParse(`http://${name}/`) ? new URL(`http://${name}/`).hostname : "";
      return /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(host) ? `${star}${host}` : null;
    });
    return hosts.every((host) => host !== null) ? hosts : undefined;
  },
};

/** A colour of a style sheet: `#` begins a comment in files of settings, so it is written without. */
export const optionalColor: Parser<string | null> = {
  allowed: "empty, or a colour as six hexadecimal digits, such as 1f5f6b",
  parse: (value) => {
    if (value === "") return null;
    return /^[0-9a-fA-F]{6}$/.test(value) ? `#${value.toLowerCase()}` : undefined;
  },
};

/** A mail address as harvesters receive it: no name, no comment. */
export const optionalMail: Parser<string | null> = {
  allowed: "empty, or a mail address such as repository@library.example.org",
  parse: (value) => {
    if (value === "") return null;
    return /^[^\s@<>]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,20}$/.test(value) ? value : undefined;
  },
};

/** A link with its words. */
export type NamedLink = { readonly label: string; readonly href: string };

const LINKS_MOST = 20;
const LABEL_MOST = 100;

/** Links with their words, each after `;` and a blank. */
export const namedLinks: Parser<readonly NamedLink[]> = {
  allowed: `empty, or at most ${LINKS_MOST} links such as Library|https://library.example.org/; Terms|https://library.example.org/terms`,
  parse: (value) => {
    const parts = value.split(/;(?:\s+|$)/).filter((part) => part.trim() !== "");
    const links = parts.flatMap((part) => {
      const [label = "", href = ""] = part.split("|", 2).map((each) => each.trim());
      const isFit = label !== "" && label.length <= LABEL_MOST && href !== "" && pageUrl.parse(href) !== undefined;
      return isFit ? [{ label, href }] : [];
    });
    return links.length === parts.length && links.length <= LINKS_MOST ? links : undefined;
  },
};

/** A host name as identifiers of harvesters have it. */
export const optionalHostName: Parser<string | null> = {
  allowed: "empty, or a host name without port, such as repository.example.org",
  parse: (value) => {
    if (value === "") return null;
    return /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/.test(value) ? value.toLowerCase() : undefined;
  },
};

export const hosts: Parser<ReadonlySet<string>> = {
  allowed: "host names separated by commas, such as id.example.org,localhost:8001",
  parse: (value) => {
    const names = list(value.toLowerCase());
    return names.every((name) => /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/.test(name))
      ? new Set(names)
      : undefined;
  },
};

export const databaseUrl: Parser<string | null> = {
  allowed: "postgres://user@host/database, or the path of an SQLite file",
  parse: (value) => {
    if (value === "") return null;
    const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(value)?.[1]?.toLowerCase();
    if (scheme === undefined || scheme === "sqlite" || scheme === "file") return value;
    return postgresUrls(value) === null ? undefined : value;
  },
};

export const headerName: Parser<string | null> = {
  allowed: "the name of a header, such as X-Original-URI",
  parse: (value) => (value === "" ? null : /^[A-Za-z0-9-]{1,64}$/.test(value) ? value.toLowerCase() : undefined),
};

export const language: Parser<string> = {
  allowed: "a language tag such as en or ja",
  parse: (value) => (/^[a-z]{2,3}(?:-[a-zA-Z0-9]{2,8})*$/.test(value) ? value : undefined),
};

export const tombstoneStatus: Parser<200 | 410> = {
  allowed: "200 or 410",
  parse: (value) => (value === "200" ? 200 : value === "410" ? 410 : undefined),
};

function list(value: string): readonly string[] {
  return value
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

export const words: Parser<readonly string[]> = { allowed: "words separated by commas", parse: list };
