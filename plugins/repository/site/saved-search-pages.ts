// The pages of saved searches, the link that ends the mails about one, and its feed (issue 26).
import { Type } from "@sinclair/typebox";
import { sentRecord } from "../../../src/model/input/record-refusals.ts";
import { STOP_SEARCH_PATH } from "../../../src/repository/notices/alerts.ts";
import { refusalText } from "../../../src/repository/pages/refusal-words.ts";
import {
  type SavedSearchesView,
  SEARCHES_DONE,
  SEARCHES_PATH,
  savedSearchesPage,
  searchField,
  stopSearchPage,
} from "../../../src/repository/pages/templates/saved-searches.ts";
import {
  CHANGED_SEARCH,
  NEW_SEARCH,
  type SavedSearches,
} from "../../../src/repository/saved-searches/saved-searches.ts";
import type { SearchStopLink, SearchStopLinks } from "../../../src/repository/saved-searches/stop-links.ts";
import { feedMediaType, type OpenSearch, writtenFeed } from "../../../src/repository/search/query/open-search.ts";
import { parametersOf } from "../../../src/repository/search/query/parameters.ts";
import { isRefusal, Refusal } from "../../../src/shared/refusal.ts";
import { answerInPieces } from "../../http/answer.ts";
import { pathParameter, queryParameter, response } from "../../http/document-parts.ts";
import { routesOf } from "../../http/routes.ts";
import { SEARCH_FEEDS } from "../search/saved-searches.ts";
import { signedInForm, signInPath } from "./account-pages.ts";
import { htmlAnswer, openPage, ownFields, type PageNeeds, type Reader, redirectTo } from "./answers.ts";
import { AFTER_FORM, BODY_REFUSALS, FORM_AGAIN, form, mountPages, NOT_FOUND, SIGN_IN, UNKEPT } from "./page-routes.ts";

export type SavedSearchPagesNeeds = PageNeeds & {
  readonly savedSearches: SavedSearches;
  readonly searchStopLinks: SearchStopLinks;
  readonly openSearch: OpenSearch;
  readonly isMailOn: boolean;
  /** Without slash at the end. */
  readonly baseUrl: string;
};

const text = { type: "string" } as const;
const ONE = `${SEARCHES_PATH}/:search_id`;
const SEARCH_ID = pathParameter("search_id", "Id of the saved search");
const LINK = [
  queryParameter("search", "Id of the saved search", text),
  queryParameter("signature", "Proof that the link was made here", text),
];

const { get, post } = routesOf<SavedSearchPagesNeeds>();

const ROUTES = [
  get(SEARCHES_PATH, {
    id: "savedSearchesPage",
    summary: "The searches that the person saved",
    scopes: "session",
    parameters: [queryParameter("done", `What was just done: ${SEARCHES_DONE.join(", ")}`, text)],
    answers: { ...UNKEPT, ...SIGN_IN },
    run: searches,
  }),
  post(SEARCHES_PATH, {
    id: "saveSearchByForm",
    summary: "Save a search",
    scopes: "session",
    content: form({ name: "Its name", query: "Parameters of the search page, encoded" }),
    answers: { ...AFTER_FORM, ...FORM_AGAIN },
    run: save,
  }),
  get(STOP_SEARCH_PATH, {
    id: "stopSavedSearchPage",
    summary: "The page that ends the mails about a saved search",
    parameters: LINK,
    answers: { ...UNKEPT, ...NOT_FOUND },
    run: stopForm,
  }),
  post(STOP_SEARCH_PATH, {
    id: "stopSavedSearch",
    summary: "End the mails about a saved search, with the signature of the link as the proof",
    description: "As the link that ends a kind of messages (RFC 8058).",
    parameters: LINK,
    content: form({ search: "Id of the saved search", signature: "That of the link" }),
    answers: { ...UNKEPT, ...BODY_REFUSALS, ...NOT_FOUND },
    run: stop,
  }),
  post(ONE, {
    id: "changeSavedSearchByForm",
    summary: "Change the name of a saved search and how often mails are sent about it",
    scopes: "session",
    parameters: [SEARCH_ID],
    content: form({ name: "Its name", frequency: "never, daily or weekly" }),
    answers: { ...AFTER_FORM, ...FORM_AGAIN, ...NOT_FOUND },
    run: (needs, request, { search_id: id }) => change(needs, request, id),
  }),
  post(`${ONE}/delete`, {
    id: "deleteSavedSearchByForm",
    summary: "Delete a saved search",
    scopes: "session",
    parameters: [SEARCH_ID],
    content: form({}),
    answers: { ...AFTER_FORM, ...NOT_FOUND },
    run: (needs, request, { search_id: id }) => remove(needs, request, id),
  }),
  post(`${ONE}/feed`, {
    id: "changeSearchFeed",
    summary: "Make or end the address of the feed of a saved search",
    description: "The page that answers shows the address, once.",
    scopes: "session",
    parameters: [SEARCH_ID],
    content: form({ action: "make or end" }),
    answers: { ...UNKEPT, ...AFTER_FORM, ...NOT_FOUND },
    run: (needs, request, { search_id: id }) => changeFeed(needs, request, id),
  }),
  get(`${SEARCH_FEEDS}:secret`, {
    id: "savedSearchFeed",
    summary: "What a saved search finds, the newest first, as its account may read it, as an Atom feed",
    parameters: [pathParameter("secret", "The secret of the address")],
    answers: {
      200: response("The feed", Type.String(), {}, "application/atom+xml"),
      ...NOT_FOUND,
    },
    run: (needs, request, { secret }) => feed(needs, request, secret),
  }),
];

export const savedSearchPages = (needs: SavedSearchPagesNeeds) => mountPages("saved-search-pages", ROUTES, needs, null);

async function answer(
  needs: SavedSearchPagesNeeds,
  request: Request,
  { site, signedIn, viewer }: Reader,
  more: Partial<Pick<SavedSearchesView, "done" | "feed" | "problems" | "sent">> = {},
): Promise<Response> {
  if (signedIn === null) throw new Refusal("unauthenticated", "Sign in first");
  const view: SavedSearchesView = {
    csrf: signedIn.csrf,
    searches: await needs.savedSearches.list(viewer),
    isMailOn: needs.isMailOn,
    hasAddress: (viewer.account?.mail ?? null) !== null,
    ...{ done: null, feed: null, problems: [], sent: null },
    ...more,
  };
  const status = view.problems.length === 0 ? 200 : 400;
  return await htmlAnswer(request, site, savedSearchesPage(view, site), { status, cacheable: false });
}

const done = ({ site }: Reader, what: (typeof SEARCHES_DONE)[number]): Response =>
  redirectTo(site.rootPath, `${SEARCHES_PATH}?done=${what}`);

async function searches(needs: SavedSearchPagesNeeds, request: Request): Promise<Response> {
  const reader = await openPage(needs, request, "account");
  if (reader.signedIn === null) return redirectTo(reader.site.rootPath, signInPath(SEARCHES_PATH));
  const asked = new URL(request.url).searchParams.get("done");
  return await answer(needs, request, reader, { done: SEARCHES_DONE.find((each) => each === asked) ?? null });
}

/** The field of a form that a refusal names; null for the whole form. */
function fieldIn({ detail }: Refusal, names: readonly string[]): string | null {
  const [first] = Array.isArray(detail.errors) ? detail.errors : [];
  const named: unknown = first === undefined ? detail.field : (first as { readonly field?: unknown }).field;
  return names.find((name) => name === named) ?? null;
}

async function save(needs: SavedSearchPagesNeeds, request: Request): Promise<Response> {
  const { reader, fields } = await signedInForm(needs, request);
  const [name, query] = [fields.get("name") ?? "", fields.get("query") ?? ""];
  try {
    await needs.savedSearches.create(reader.viewer, sentRecord(NEW_SEARCH, { name, query }));
  } catch (error) {
    if (!isRefusal(error, "invalid", "conflict")) throw error;
    const field = fieldIn(error, ["name"]) === null ? null : searchField("name", null);
    const problems = [{ field, text: refusalText(error, reader.site.texts) }];
    return await answer(needs, request, reader, { problems, sent: { search: null, name, query, frequency: "never" } });
  }
  return done(reader, "saved");
}

async function change(needs: SavedSearchPagesNeeds, request: Request, id: string): Promise<Response> {
  const { reader, fields } = await signedInForm(needs, request);
  const [name, frequency] = [fields.get("name"), fields.get("frequency")];
  try {
    await needs.savedSearches.change(reader.viewer, id, sentRecord(CHANGED_SEARCH, { name, frequency }));
  } catch (error) {
    if (!isRefusal(error, "invalid")) throw error;
    const search = await needs.savedSearches.read(reader.viewer, id);
    const named = fieldIn(error, ["name", "frequency"]);
    const field = named === null ? null : searchField(named, search);
    return await answer(needs, request, reader, {
      problems: [{ field, text: refusalText(error, reader.site.texts) }],
      sent: {
        search: id,
        name: name ?? search.name,
        query: search.query,
        frequency: frequency ?? search.frequency,
      },
    });
  }
  return done(reader, "changed");
}

async function remove(needs: SavedSearchPagesNeeds, request: Request, id: string): Promise<Response> {
  const { reader } = await signedInForm(needs, request);
  await needs.savedSearches.remove(reader.viewer, id);
  return done(reader, "removed");
}

async function changeFeed(needs: SavedSearchPagesNeeds, request: Request, id: string): Promise<Response> {
  const { reader, fields } = await signedInForm(needs, request);
  if (fields.get("action") === "end") {
    await needs.savedSearches.endFeed(reader.viewer, id);
    return done(reader, "ended");
  }
  const secret = await needs.savedSearches.makeFeed(reader.viewer, id);
  return await answer(needs, request, reader, {
    feed: { search: id, address: `${needs.baseUrl}${SEARCH_FEEDS}${secret}` },
  });
}

/** The link of a mail: its parts come in the address, from our form in the body. */
function linkIn(request: Request, fields: ReadonlyMap<string, string> | null): SearchStopLink {
  const { searchParams } = new URL(request.url);
  const part = (name: keyof SearchStopLink): string => fields?.get(name) ?? searchParams.get(name) ?? "";
  return { search: part("search").slice(0, 64), signature: part("signature").slice(0, 64) };
}

async function stopForm(needs: SavedSearchPagesNeeds, request: Request): Promise<Response> {
  const { site } = await openPage(needs, request, "sign-in");
  const link = linkIn(request, null);
  const { name } = await needs.searchStopLinks.searchOf(link);
  return await htmlAnswer(request, site, stopSearchPage({ name, isDone: false, link }, site), { cacheable: false });
}

async function stop(needs: SavedSearchPagesNeeds, request: Request): Promise<Response> {
  const { site } = await openPage(needs, request, "sign-in");
  const link = linkIn(request, await ownFields(needs, request));
  const { name } = await needs.searchStopLinks.stop(link);
  return await htmlAnswer(request, site, stopSearchPage({ name, isDone: true, link }, site), { cacheable: false });
}

/** Entries of a feed. */
const FEED_ITEMS = "50";

async function feed(needs: SavedSearchPagesNeeds, request: Request, secret: string): Promise<Response> {
  const { site } = await openPage(needs, request, "sign-in");
  const { baseUrl } = needs;
  const { search, viewer } = await needs.savedSearches.feedOf(secret);
  const asked = new URLSearchParams(search.query);
  asked.set("sort", "-controlnumber");
  const { query } = search;
  const { tag: language, savedSearches: words } = site.texts;
  const parameters = new Map([...parametersOf(asked), ["size", [FEED_ITEMS]]]);
  const found = await needs.openSearch.search(viewer, { query, parameters, language, counted: false });
  const title = `${site.repositoryName}: ${words.feedTitle(search.name)}`;
  const address = `${baseUrl}${SEARCH_FEEDS}${secret}`;
  const results = { ...found, feed: { ...found.feed, address, title, links: [] } };
  return await answerInPieces(request, writtenFeed("atom", results), {
    "content-type": feedMediaType("atom"),
    "content-language": language,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
  });
}
