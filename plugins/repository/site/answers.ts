// How every page of the repository is answered (R19a): who reads it, in which language, with which headers; and its
// refusals as pages (R2d, R9).

import type { Viewer } from "../../../src/auth/account.ts";
import { may } from "../../../src/model/rights/policy.ts";
import type { Look } from "../../../src/pages/static-files.ts";
import type { FooterLinks } from "../../../src/repository/administration/footer-links.ts";
import type { TaskCounts } from "../../../src/repository/notices/task-counts.ts";
import {
  REPOSITORY_LANGUAGES,
  type RepositoryTexts,
  repositoryTexts,
} from "../../../src/repository/pages/languages/index.ts";
import type { SiteView } from "../../../src/repository/pages/templates/layout.ts";
import { refusalPage } from "../../../src/repository/pages/templates/refusal-page.ts";
import { type TombstoneView, tombstonePage } from "../../../src/repository/pages/templates/tombstone-page.ts";
import type { SignedIn } from "../../../src/repository/people/repository-authentication.ts";
import { withoutRootPath } from "../../../src/shared/http/address.ts";
import { namesTag } from "../../../src/shared/http/entity-tags.ts";
import { chooseLanguage } from "../../../src/shared/http/negotiation.ts";
import { SIGN_IN_PATH } from "../../../src/shared/http/return-path.ts";
import { Refusal } from "../../../src/shared/refusal.ts";
import type { NamedLink } from "../../../src/shared/settings/setting-parsers.ts";
import { answerWith, HTML_TYPE } from "../../http/answer.ts";
import { type Dialect, errors } from "../../http/errors.ts";
import { renderRefusal } from "../errors.ts";
import type { RepositoryGuard } from "../guard.ts";

type SiteSettings = {
  readonly repositoryName: string;
  /** Colours and logo. */
  readonly look: Look;
  /** The mount prefix, for our own links. */
  readonly rootPath: string;
  /** The static pages at the foot of every page; absent: none. */
  readonly footer?: Pick<FooterLinks, "refresh" | "links">;
  /** Links that the settings add to them. */
  readonly footerLinks?: readonly NamedLink[];
  /** Language where the reader prefers none. */
  readonly lang: string;
};

export type PageNeeds = {
  readonly guard: Pick<RepositoryGuard, "reader" | "form">;
  readonly settings: SiteSettings;
  /** How much waits for somebody, for the head of pages; absent: it is not shown. */
  readonly waiting?: TaskCounts["waiting"];
};

export type Reader = { readonly viewer: Viewer; readonly signedIn: SignedIn | null; readonly site: SiteView };

/** What is counted together against the limit of requests per minute (R9). */
type PageGroup = "pages" | "views" | "files" | "activities" | "authors" | "account" | "sign-in";

/**
 * A token must have one of these to read what the group shows (R6d); people who signed in are not narrowed. Accounts
 * ask for a session.
 */
const SCOPES: Readonly<Record<PageGroup, readonly string[] | "session">> = {
  pages: ["item:read"],
  views: ["item:read", "file:read"],
  files: ["item:read", "file:read"],
  activities: ["user:activity"],
  authors: ["author:search"],
  account: "session",
  "sign-in": "session",
};

/** Who asked, remembered for the page of a refusal. */
const people = new WeakMap<Request, SiteView["person"]>();

/** The language that who asked has chosen for pages. */
const ownLanguages = new WeakMap<Request, string>();

/** The same of requests that no route has: their address still has the mount prefix. */
const signedInAtFrame = new WeakMap<Request, SiteView["person"]>();

const PAGE = /^[1-9]\d{0,5}$/;

/** The requested page of a list; text that is not a number means the first. */
export function pageNumber({ searchParams }: URL): number {
  const written = searchParams.get("page") ?? "";
  return PAGE.test(written) ? Number(written) : 1;
}

/** Names at most in the folder of an address. */
const FOLDER_NAMES_MAX = 20;

/** Which folder and page of a list of files is asked for. */
export function filesPart(request: Request): { readonly folder: readonly string[]; readonly page: number } {
  const url = new URL(request.url);
  const folder = url.searchParams.get("folder") ?? "";
  return { folder: folder === "" ? [] : folder.split("/", FOLDER_NAMES_MAX), page: pageNumber(url) };
}

/**
 * Who reads a page, by session, else by token, else the guest. Throws unauthenticated for a token that is not valid,
 * forbidden for one that lacks the scope, and too many.
 */
export async function openPage(
  { guard, settings, waiting }: PageNeeds,
  request: Request,
  group: PageGroup,
): Promise<Reader> {
  const { viewer, signedIn } = await guard.reader(request, group, SCOPES[group]);
  await settings.footer?.refresh();
  const isCounted = waiting !== undefined && signedIn !== null && group !== "files";
  const isReading = request.method === "GET" || request.method === "HEAD";
  people.set(request, personOf(signedIn, isCounted ? await waiting(signedIn.viewer, !isReading) : 0));
  if (signedIn !== null && signedIn.language !== null) ownLanguages.set(request, signedIn.language);
  return { viewer, signedIn, site: siteOf(settings, request) };
}

function personOf(signedIn: SignedIn | null, waiting: number): SiteView["person"] {
  const account = signedIn?.viewer.account ?? null;
  if (signedIn === null || account === null) return null;
  return {
    id: account.id,
    name: account.name || (account.mail ?? account.eppn ?? `${account.id}`),
    csrf: signedIn.csrf,
    waiting,
    managesAuthors: may(signedIn.viewer, "author.manage", null),
    writesPages: may(signedIn.viewer, "page.change", null),
  };
}

/** What every page knows. Only the frame's own refusals come with the mount prefix still in their address. */
function siteOf(settings: SiteSettings, request: Request): SiteView {
  const url = new URL(request.url);
  const { searchParams } = url;
  // A search has a parameter of this name too: its values are codes that no page is written in.
  const [asked = null] = searchParams.getAll("lang").filter(isPageLanguage);
  for (const tag of REPOSITORY_LANGUAGES) searchParams.delete("lang", tag);
  const query = searchParams.toString();
  const texts = textsFor(request, asked, settings.lang);
  return {
    texts,
    repositoryName: settings.repositoryName,
    look: settings.look,
    footer: settings.footer?.links() ?? [],
    footerLinks: settings.footerLinks ?? [],
    rootPath: settings.rootPath,
    here: `${withoutRootPath(url.pathname, people.has(request) ? "" : settings.rootPath)}${query === "" ? "" : `?${query}`}`,
    person: people.get(request) ?? signedInAtFrame.get(request) ?? null,
  };
}

const isPageLanguage = (tag: string): boolean => REPOSITORY_LANGUAGES.includes(tag);

function textsFor(request: Request, asked: string | null, fallback: string): RepositoryTexts {
  const accepted = ownLanguages.get(request) ?? request.headers.get("accept-language");
  return repositoryTexts(chooseLanguage(asked, accepted, REPOSITORY_LANGUAGES, repositoryTexts(fallback).tag));
}

async function digestOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(digest)));
}

/**
 * No inline script, no frame, nothing from elsewhere; forms lead back to us unless more is named. JSON-LD is data and
 * needs no permission.
 */
export const pagePolicy = (
  formTargets: readonly string[] = ["'self'"],
  /** Further sources of one page alone, by directive: what a viewer needs. */
  more: Readonly<Record<string, string>> = {},
): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    // Suggestions.
    "connect-src 'self'",
    // The icon.
    `img-src ${more["img-src"] ?? "'self'"}`,
    "style-src 'self'",
    ...Object.entries(more).flatMap(([name, value]) => (name === "img-src" ? [] : [`${name} ${value}`])),
    "base-uri 'none'",
    `form-action ${formTargets.join(" ")}`,
    "frame-ancestors 'none'",
  ].join("; ");

/** For the pages of a program that opened a pop-up window: through that window it learns the outcome. */
export const WITH_OPENER = { "cross-origin-opener-policy": "unsafe-none" };

type HtmlAnswer = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** False: it contains a secret or answers a form, and no cache stores it. */
  readonly cacheable?: boolean;
};

/** A page with its headers, or 304. Its content depends on the reader, so no shared cache stores it. */
export async function htmlAnswer(
  request: Request,
  site: SiteView,
  body: string,
  { status = 200, headers: more = {}, cacheable = true }: HtmlAnswer = {},
): Promise<Response> {
  const headers = new Headers({
    "content-type": HTML_TYPE,
    "content-language": site.texts.tag,
    "content-security-policy": pagePolicy(),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": cacheable && status === 200 ? "private, no-cache" : "no-store",
    vary: "Accept-Language, Cookie, Authorization",
    ...more,
  });
  if (cacheable && status === 200) {
    const etag = `W/"${(await digestOf(body)).slice(0, 22).replace(/[^A-Za-z0-9]/g, "-")}"`;
    headers.set("etag", etag);
    if (namesTag(request.headers.get("if-none-match"), etag)) {
      headers.delete("content-type");
      return new Response(null, { status: 304, headers });
    }
  }
  return answerWith(request, body, { status, headers });
}

/** Redirects to one of our pages after a form, or to the page that a number means. */
export function redirectTo(rootPath: string, path: string, status: 302 | 303 = 303, more: HeadersInit = {}): Response {
  const headers = new Headers(more);
  headers.set("location", `${rootPath}${path}`);
  headers.set("cache-control", "no-store");
  return new Response(null, { status, headers });
}

/**
 * Refusals as pages, in the reader's language; to sign-in and back where a page needs a session. `guard`: asked who
 * reads, for addresses that no route has.
 */
export const pageDialect =
  (settings: SiteSettings, guard?: PageNeeds["guard"]): Dialect =>
  async (refusal, request) => {
    if (needsSession(refusal, request)) {
      const { rootPath } = settings;
      return redirectTo(rootPath, `${SIGN_IN_PATH}?return_to=${encodeURIComponent(siteOf(settings, request).here)}`);
    }
    if (guard !== undefined && refusal.kind === "not_found") await rememberReader(guard, request);
    const site = siteOf(settings, request);
    const error = renderRefusal(refusal, request);
    const tombstone = refusal.kind === "gone" ? tombstoneOf(refusal) : null;
    const body =
      tombstone === null
        ? refusalPage(
            {
              status: error.status,
              message: error.message,
              askToSignIn: error.status === 401 || (error.status === 403 && site.person === null),
            },
            site,
          )
        : tombstonePage(tombstone, site);
    return await htmlAnswer(request, site, body, { status: error.status, headers: error.headers, cacheable: false });
  };

/** A guest requests a page that needs a session. For an invalid token the error is shown instead. */
function needsSession({ kind }: Refusal, { method, headers }: Request): boolean {
  return kind === "unauthenticated" && (method === "GET" || method === "HEAD") && !headers.has("authorization");
}

/** Who is signed in, for the page of an address that no route has; a guest where that cannot be determined. */
async function rememberReader(guard: PageNeeds["guard"], request: Request): Promise<void> {
  if (people.has(request)) return;
  try {
    const { signedIn } = await guard.reader(request, "pages", "any");
    signedInAtFrame.set(request, personOf(signedIn, 0));
    if (signedIn !== null && signedIn.language !== null) ownLanguages.set(request, signedIn.language);
  } catch (error) {
    // The requested page does not exist: the guest's page is shown instead.
    if (!(error instanceof Refusal)) throw error;
  }
}

export const pageErrors = (settings: SiteSettings) => errors(pageDialect(settings));

type JsonObject = Readonly<Record<string, unknown>>;
const isWritten = (value: unknown): value is JsonObject => typeof value === "object" && value !== null;
const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** Null where the refusal is about no item. */
function tombstoneOf({ detail }: Refusal): TombstoneView | null {
  if (!("tombstone" in detail)) return null;
  const { tombstone, ark } = detail;
  const written = isWritten(tombstone) ? tombstone : {};
  const name = textOf(ark);
  return {
    reason: textOf(written.reason),
    note: textOf(written.note) ?? "",
    at: textOf(written.at),
    citation: textOf(written.citation) ?? "",
    ark: name === null ? null : `ark:${name}`,
  };
}

/**
 * The fields of our form that the link of a mail opens. Mail programs may send `multipart/form-data`: nothing in it is
 * needed, and it is not read.
 */
export async function ownFields(
  { guard }: Pick<PageNeeds, "guard">,
  request: Request,
): Promise<ReadonlyMap<string, string> | null> {
  const type = request.headers.get("content-type") ?? "";
  if (/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type.trim())) return await guard.form(request);
  void request.body?.cancel().catch(() => {});
  return null;
}
