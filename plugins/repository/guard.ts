// Authentication, rate limits and scopes, checked before a route of the repository does anything (R6b, R9).

import { carriesOne, guestWithout, type HeldLink, type Viewer } from "../../src/auth/account.ts";
import { requireScopes } from "../../src/repository/people/current-viewer.ts";
import { requireSignedIn, type SignedIn } from "../../src/repository/people/repository-authentication.ts";
import { ServiceError } from "../../src/shared/errors.ts";
import { sameHash, sha256Hex } from "../../src/shared/hash/digests.ts";
import { addressKey } from "../../src/shared/http/address.ts";
import { formFields } from "../../src/shared/http/form-fields.ts";
import type { RateLimit } from "../../src/shared/http/rate-limit.ts";
import { JsonTooDeep, JsonTooMuch, parseJson } from "../../src/shared/json/read.ts";
import { most } from "../../src/shared/limits.ts";
import { Refusal } from "../../src/shared/refusal.ts";
import { type BodyLimits, readBytes } from "../http/request-body.ts";
import { charge, contextOf } from "../http/request-context.ts";

type RepositoryGuardNeeds = BodyLimits & {
  readonly authenticate: (authorization: string | null, address: string, resource?: string | null) => Promise<Viewer>;
  readonly session: (token: string | null, address: string) => Promise<SignedIn | null>;
  /** Per account (or address) and route group; null: unlimited. */
  readonly rate: RateLimit | null;
  /** What links to records with these secrets give, by the hashes of the secrets; absent: there are none. */
  readonly links?: (hashes: readonly string[]) => Promise<readonly HeldLink[]>;
  /** The repository is reached behind https: only `__Host-` cookies count, which no neighbouring host can set. */
  readonly secureCookies?: boolean;
};

/**
 * The one place that asks for scopes (R6d): no interface gets a viewer without naming the scopes its answer needs.
 * `group` names the route group that is counted.
 */
export interface RepositoryGuard {
  /**
   * The caller of an interface, who must send a token with all of `scopes`.
   * Throws unauthenticated (`detail.cause` "missing" or "invalid"), too many, or forbidden.
   */
  viewer(request: Request, group: string, scopes: readonly string[]): Promise<Viewer>;
  /** The caller of an interface that guests may use; a token that is sent must carry all of `scopes`. */
  anyone(request: Request, group: string, scopes: readonly string[]): Promise<Viewer>;
  /** The caller of an interface that guests may use; a token with none of the scopes `oneOf` gets what a guest gets. */
  anyoneOrGuest(request: Request, group: string, oneOf: readonly string[]): Promise<Viewer>;
  /**
   * The caller of an endpoint with separate limits, which counts the call. Failed sign-ins are counted here, by
   * address. `resource`: the exact URL of the endpoint, if tokens are issued for it alone (RFC 8707).
   */
  uncounted(request: Request, group: string, resource?: string): Promise<Viewer>;
  /**
   * The reader of a page: by session cookie, else by token, else the guest. A token must carry one of the scopes
   * `oneOf`, else forbidden is thrown. "session": a token opens nothing here, its caller is a guest. "any": every token
   * will do.
   */
  reader(request: Request, group: string, oneOf: readonly string[] | "session" | "any"): Promise<PageReader>;
  /** A JSON body of any media type, within the limits; undefined without a body. @throws invalid, 413 */
  json(request: Request, deepest?: number): Promise<unknown>;
  /** A document that is read elsewhere. Throws 413 for a longer one. */
  document(request: Request, limit?: number): Promise<Uint8Array>;
  /**
   * The fields of a form; of a repeated name the first counts. @throws 413 for more bytes or fields than our forms have
   * (R9a).
   */
  form(request: Request): Promise<ReadonlyMap<string, string>>;
  /** The fields of the form of a draft, names repeated as sent. @throws 413 for more than such a form has (R9a). */
  draftForm(request: Request): Promise<readonly (readonly [name: string, value: string])[]>;
}

type PageReader = { readonly viewer: Viewer; readonly signedIn: SignedIn | null };

/**
 * The session's cookie. `__Host-` cookies are kept by browsers behind https only; on plain http (this machine) the name
 * goes without it.
 */
export const SESSION_COOKIE = "arkstone-session";

const FORM_TOKEN_HEADER = "x-csrftoken";

export const repositoryGuard = (needs: RepositoryGuardNeeds): RepositoryGuard => ({
  viewer: (request, group, scopes) => requireViewer(needs, request, group, scopes),
  anyone: (request, group, scopes) => requireScopesOfAccount(needs, request, group, scopes),
  async anyoneOrGuest(request, group, oneOf) {
    return guestWithout(await authenticate(needs, request, group), oneOf);
  },
  uncounted: (request, group, resource) => authenticateUncounted(needs, request, group, resource),
  reader: (request, group, oneOf) => readPageReader(needs, request, group, oneOf),
  json: (request, deepest) => readJson(needs, request, deepest),
  document(request, limit = most("importBytes")) {
    const bodyLimit = Math.min(needs.bodyLimit, limit);
    return readBytes(request, { clientSeconds: needs.clientSeconds, bodyLimit });
  },
  form: (request) => readForm(needs, request),
  draftForm: (request) => readDraftForm(needs, request),
});

async function chargeRate(
  needs: RepositoryGuardNeeds,
  request: Request,
  group: string,
  viewer: Viewer | null,
): Promise<void> {
  if (needs.rate === null) return;
  // One limit per account, whatever the number of its tokens (R6c).
  const account = viewer?.account?.id;
  const who = account === undefined ? addressKey(contextOf(request).address) : `account:${account}`;
  await charge(request, needs.rate, `${group} ${who}`);
}

async function authenticate(needs: RepositoryGuardNeeds, request: Request, group: string): Promise<Viewer> {
  const viewer = (await ofOwnPage(needs, request, group)) ?? (await authenticateUncounted(needs, request, group));
  await chargeRate(needs, request, group, viewer);
  return await withLinks(needs, request, viewer);
}

/** Addresses where links to records count: those of one record. */
const OF_RECORD = /^\/(?:records|deposit|api\/records)\/[1-9]/;
const LINK_SECRET = /^[A-Za-z0-9_-]{43}$/;
/** Cookies of links that are read; a browser that opens another one gives up the oldest. */
export const LINK_COOKIES_MOST = 8;

/** A cookie holds the secret of a link to the versions of one record. */
export const linkCookieName = (parent: number | "", secure: boolean): string =>
  `${secure ? "__Host-" : ""}arkstone-link-${parent}`;

/** Names of the cookies of links that came with the request, as the browser sends them. */
export function linkCookies(request: Request, secure: boolean): readonly string[] {
  const prefix = linkCookieName("", secure);
  const cookies = (request.headers.get("cookie") ?? "").split(";").map((each) => each.trim());
  return cookies.flatMap((each) => (each.startsWith(prefix) ? [each.slice(0, each.indexOf("="))] : []));
}

/** The viewer with the links that the request was sent with: `token` in its address, or cookies. */
async function withLinks(needs: RepositoryGuardNeeds, request: Request, viewer: Viewer): Promise<Viewer> {
  if (needs.links === undefined) return viewer;
  const { pathname, searchParams } = new URL(request.url);
  if (!OF_RECORD.test(pathname)) return viewer;
  const sent = searchParams.get("token");
  const names = linkCookies(request, needs.secureCookies === true).slice(0, LINK_COOKIES_MOST);
  const secrets = [sent, ...names.map((name) => cookieOf(request, name))];
  const hashes = secrets.flatMap((secret) => (secret !== null && LINK_SECRET.test(secret) ? [sha256Hex(secret)] : []));
  const links = hashes.length === 0 ? [] : await needs.links([...new Set(hashes)]);
  // Guesses are counted by address.
  if (sent !== null && !links.some(({ hash }) => hash === hashes[0])) {
    await chargeRate(needs, request, "access-links", null);
  }
  return links.length === 0 ? viewer : { ...viewer, links };
}

/**
 * The person whose page calls an interface: the session cookie counts with the token of the page's forms in
 * `X-CSRFToken`, a header that no other site can send. Null where the header is not there: a cookie alone is nobody.
 *
 * @throws Refusal `unauthenticated` for a session that has ended, `forbidden` for another token
 */
async function ofOwnPage(needs: RepositoryGuardNeeds, request: Request, group: string): Promise<Viewer | null> {
  const sent = request.headers.get(FORM_TOKEN_HEADER);
  if (sent === null || request.headers.has("authorization")) return null;
  const context = contextOf(request);
  const signedIn = await needs.session(sessionCookie(request, needs.secureCookies === true), context.address);
  const isOwn = signedIn !== null && sameHash(sent, signedIn.csrf);
  // Guesses are counted by address.
  if (!isOwn) await chargeRate(needs, request, group, null);
  if (signedIn === null) throw new Refusal("unauthenticated", "The session has ended: sign in again");
  if (!isOwn) {
    throw new Refusal("forbidden", "X-CSRFToken is not that of the session: open the page again");
  }
  context.clientId = `account:${signedIn.viewer.account?.id}`;
  return signedIn.viewer;
}

async function authenticateUncounted(
  needs: RepositoryGuardNeeds,
  request: Request,
  group: string,
  resource: string | null = null,
): Promise<Viewer> {
  const context = contextOf(request);
  let viewer: Viewer;
  try {
    viewer = await needs.authenticate(request.headers.get("authorization"), context.address, resource);
  } catch (error) {
    // Guesses of tokens are counted by address.
    await chargeRate(needs, request, group, null);
    throw error;
  }
  context.clientId = viewer.clientId;
  return viewer;
}

const isReading = ({ method }: Request): boolean => method === "GET" || method === "HEAD";

async function requireViewer(
  needs: RepositoryGuardNeeds,
  request: Request,
  group: string,
  scopes: readonly string[],
): Promise<Viewer> {
  const viewer = await authenticate(needs, request, group);
  // By a link guests read what else is for those who signed in.
  if (viewer.account === null && viewer.links !== undefined && isReading(request)) return viewer;
  requireSignedIn(viewer);
  requireScopes(viewer, scopes);
  return { ...viewer, asked: scopes };
}

async function requireScopesOfAccount(
  needs: RepositoryGuardNeeds,
  request: Request,
  group: string,
  scopes: readonly string[],
): Promise<Viewer> {
  const viewer = await authenticate(needs, request, group);
  if (viewer.account !== null) requireScopes(viewer, scopes);
  return { ...viewer, asked: scopes };
}

async function readPageReader(
  needs: RepositoryGuardNeeds,
  request: Request,
  group: string,
  oneOf: readonly string[] | "session" | "any",
): Promise<PageReader> {
  const signedIn = await needs.session(
    sessionCookie(request, needs.secureCookies === true),
    contextOf(request).address,
  );
  if (signedIn === null) return { viewer: admitted(await authenticate(needs, request, group), oneOf), signedIn: null };
  contextOf(request).clientId = `account:${signedIn.viewer.account?.id}`;
  await chargeRate(needs, request, group, signedIn.viewer);
  return { viewer: await withLinks(needs, request, signedIn.viewer), signedIn };
}

async function readJson(needs: RepositoryGuardNeeds, request: Request, deepest?: number): Promise<unknown> {
  const { clientSeconds } = needs;
  const bodyLimit = Math.min(needs.bodyLimit, most("settingBytes"));
  const bytes = await readBytes(request, { clientSeconds, bodyLimit });
  if (bytes.length === 0) return undefined;
  try {
    return parseJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes), deepest);
  } catch (error) {
    if (error instanceof JsonTooDeep || error instanceof JsonTooMuch) {
      throw new Refusal("invalid", `The body cannot be read: ${error.message}`);
    }
    throw new Refusal("invalid", "The body is not JSON");
  }
}

async function readForm(needs: RepositoryGuardNeeds, request: Request): Promise<ReadonlyMap<string, string>> {
  const sent = await readFields(needs, request, { bytes: most("formBytes"), fields: most("formFields") });
  const fields = new Map<string, string>();
  for (const [name, value] of sent) if (!fields.has(name)) fields.set(name, value);
  return fields;
}

const readDraftForm = async (needs: RepositoryGuardNeeds, request: Request) => [
  ...(await readFields(needs, request, { bytes: most("draftFormBytes"), fields: most("draftFormFields") })),
];

async function readFields(
  { clientSeconds, bodyLimit }: RepositoryGuardNeeds,
  request: Request,
  limit: { readonly bytes: number; readonly fields: number },
): Promise<URLSearchParams> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type.trim())) {
    throw new ServiceError(1104, { content_type: type.slice(0, 200) });
  }
  const limits = { clientSeconds, bodyLimit: Math.min(bodyLimit, limit.bytes) };
  const sent = formFields(new TextDecoder().decode(await readBytes(request, limits)), limit.fields);
  if (sent === null) throw new ServiceError(1103, { limit: limit.fields, of: "fields" });
  return sent;
}

/** The caller of a page by token. Throws forbidden for a token that carries none of the scopes. */
function admitted(viewer: Viewer, oneOf: readonly string[] | "session" | "any"): Viewer {
  if (viewer.account === null || oneOf === "any") return viewer;
  if (oneOf === "session") return guestWithout(viewer, []);
  if (carriesOne(viewer, oneOf)) return viewer;
  throw new Refusal("forbidden", `The access token lacks the scope ${oneOf.join(" or ")}`);
}

/** The session's secret as the browser sends it. */
function sessionCookie(request: Request, secure: boolean): string | null {
  return cookieOf(request, `${secure ? "__Host-" : ""}${SESSION_COOKIE}`);
}

/** The value of a cookie as it was sent; null where there is none. */
export function cookieOf(request: Request, name: string): string | null {
  const cookies = (request.headers.get("cookie") ?? "").split(";").map((each) => each.trim());
  const found = cookies.find((each) => each.startsWith(`${name}=`));
  return found === undefined ? null : found.slice(name.length + 1);
}
