// The page of saved searches, and the page that ends the mails about one (issue 26).
import { button, buttonRow, csrfField, linkButton, postButton } from "../../../pages/components/buttons.ts";
import { type FieldProblem, problemAt } from "../../../pages/components/errors.ts";
import { hiddenField, selectField, textField } from "../../../pages/components/fields.ts";
import { banner, state } from "../../../pages/components/notes.ts";
import { pageHeading, sectionHeading } from "../../../pages/components/page.ts";
import { type Html, html, NOTHING } from "../../../pages/html.ts";
import { SAVED_SEARCHES_PAGE } from "../../notices/alerts.ts";
import { SEARCH_NAME_MAX } from "../../saved-searches/saved-searches.ts";
import { ALERT_FREQUENCIES, type SavedSearch } from "../../store/saved-searches.ts";
import { accountTabs } from "./account-pages.ts";
import { type SiteView, sitePage } from "./layout.ts";

export const SEARCHES_PATH = SAVED_SEARCHES_PAGE;

/** What was just done. */
export const SEARCHES_DONE = ["saved", "changed", "removed", "ended"] as const;

export type SavedSearchesView = {
  readonly csrf: string;
  readonly searches: readonly SavedSearch[];
  readonly isMailOn: boolean;
  readonly hasAddress: boolean;
  readonly done: (typeof SEARCHES_DONE)[number] | null;
  /** The address of a feed, made just now. */
  readonly feed: { readonly search: string; readonly address: string } | null;
  readonly problems: readonly FieldProblem[];
  /** What was sent and is wrong; `search` is null where it is a new one. */
  readonly sent: {
    readonly search: string | null;
    readonly name: string;
    readonly query: string;
    readonly frequency: string;
  } | null;
};

/** The id of a field of a saved search; of a new one without `search`. */
export const searchField = (name: string, search: Pick<SavedSearch, "position"> | null): string =>
  search === null ? `new-${name}` : `${name}-${search.position}`;

export function savedSearchesPage(view: SavedSearchesView, site: SiteView): string {
  const { texts, rootPath } = site;
  const { savedSearches } = texts;
  const { searches, done, problems, feed, sent } = view;
  const isNew = sent !== null && sent.search === null;
  return sitePage(site, {
    title: savedSearches.heading,
    noindex: true,
    problems,
    switchable: feed === null && problems.length === 0,
    body: html`${pageHeading(savedSearches.heading)}${accountTabs("searches", site)}
${done === null ? NOTHING : banner("good", savedSearches.done[done], { role: "status" })}<p>${savedSearches.intro}</p>
${view.isMailOn ? (view.hasAddress ? NOTHING : banner("warn", savedSearches.noAddress)) : banner("warn", savedSearches.mailOff)}${isNew ? newSearch(view, sent, site) : NOTHING}${
  searches.length === 0
    ? state({
        kind: "empty",
        text: savedSearches.none,
        actions: [linkButton(savedSearches.toSearch, `${rootPath}/search`, "quiet")],
      })
    : searches.map((search) => oneSearch(search, view, site))
}`,
  });
}

function nameField(value: string, search: SavedSearch | null, problems: readonly FieldProblem[], site: SiteView): Html {
  const id = searchField("name", search);
  return textField(
    {
      id,
      name: "name",
      label: site.texts.savedSearches.name,
      value,
      error: problemAt(problems, id),
      isRequired: true,
      control: { maxlength: SEARCH_NAME_MAX, autocomplete: "off" },
    },
    site.texts,
  );
}

/** A search that could not be saved, with what was typed. */
function newSearch(
  { csrf, problems }: SavedSearchesView,
  { name, query }: NonNullable<SavedSearchesView["sent"]>,
  site: SiteView,
): Html {
  const { save } = site.texts.savedSearches;
  return html`${sectionHeading(save.heading)}<form method="post" action="${site.rootPath}${SEARCHES_PATH}">${csrfField(csrf)}${hiddenField("query", query)}
${nameField(name, null, problems, site)}${buttonRow([button({ label: save.button })])}</form>\n`;
}

/** The words first, then every other parameter with its name. */
function querySummary({ query }: SavedSearch, site: SiteView): Html {
  const parameters = [...new URLSearchParams(query)];
  const { colon } = site.texts.site;
  const shown = parameters.map(([name, value]) => (name === "q" ? value : `${name}${colon}${value}`));
  const text = shown.length === 0 ? site.texts.savedSearches.all : shown.join(" · ");
  return html`<p><a href="${site.rootPath}/search${query === "" ? "" : `?${query}`}"><bdi>${text}</bdi></a></p>`;
}

function oneSearch(search: SavedSearch, view: SavedSearchesView, site: SiteView): Html {
  const { texts, rootPath } = site;
  const { savedSearches } = texts;
  const { csrf, problems } = view;
  const sent = view.sent?.search === search.id ? view.sent : null;
  const action = `${rootPath}${SEARCHES_PATH}/${search.id}`;
  const id = searchField("frequency", search);
  const frequency = selectField(
    {
      id,
      name: "frequency",
      label: savedSearches.frequency,
      value: sent?.frequency ?? search.frequency,
      choices: ALERT_FREQUENCIES.map((value) => ({ value, label: savedSearches.frequencies[value] })),
      error: problemAt(problems, id),
    },
    texts,
  );
  return html`<section aria-labelledby="search-${search.position}">${sectionHeading(search.name, { id: `search-${search.position}` })}${querySummary(search, site)}
<form method="post" action="${action}">${csrfField(csrf)}
${nameField(sent?.name ?? search.name, search, problems, site)}${frequency}${buttonRow([button({ label: savedSearches.change, kind: "quiet", heard: `${savedSearches.change}${texts.site.colon}${search.name}` })])}</form>
${feedPart(search, view, site)}</section>\n`;
}

function feedPart(search: SavedSearch, { csrf, feed }: SavedSearchesView, { texts, rootPath }: SiteView): Html {
  const { savedSearches, site } = texts;
  const action = `${rootPath}${SEARCHES_PATH}/${search.id}`;
  const isThere = search.feedHash !== null;
  const press = (label: string, path: string, kind: "quiet" | "danger", more: Readonly<Record<string, string>> = {}) =>
    postButton({ label, heard: `${label}${site.colon}${search.name}`, kind, action: action + path, csrf, sent: more });
  const made =
    feed?.search === search.id
      ? banner("good", html`<p>${savedSearches.feedMade}</p><p class="secret">${feed.address}</p>`, { role: "status" })
      : isThere
        ? html`<p>${savedSearches.feedThere}</p>`
        : NOTHING;
  return html`${made}<div class="buttons">${press(isThere ? savedSearches.renew : savedSearches.make, "/feed", "quiet", { action: "make" })}${isThere ? press(savedSearches.end, "/feed", "danger", { action: "end" }) : NOTHING}${press(savedSearches.remove, "/delete", "danger")}</div>`;
}

export type StopSearchView = {
  readonly name: string;
  readonly isDone: boolean;
  readonly link: Readonly<Record<"search" | "signature", string>>;
};

/** Opening the link ends nothing: mail programs open links by themselves. The button does. */
export function stopSearchPage({ name, isDone, link }: StopSearchView, site: SiteView): string {
  const { texts, rootPath } = site;
  const { stop } = texts.savedSearches;
  const form = html`<p>${stop.text(name)}</p>
<form method="post" action="${rootPath}${SEARCHES_PATH}/stop">${Object.entries(link).map(([field, value]) => hiddenField(field, value))}
${buttonRow([button({ label: stop.button })])}</form>`;
  return sitePage(site, {
    title: stop.heading,
    noindex: true,
    switchable: !isDone,
    body: html`${pageHeading(stop.heading)}${isDone ? banner("good", stop.done(name), { role: "status" }) : form}
${buttonRow([linkButton(stop.toSearches, `${rootPath}${SEARCHES_PATH}`, "quiet")])}`,
  });
}
