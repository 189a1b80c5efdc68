// The page of a person (R40), the list of persons for those who look after authors, and the form in which one is
// changed (R20 to R22).
import { csrfField } from "../../../pages/components/buttons.ts";
import { pagination } from "../../../pages/components/lists.ts";
import { type Html, html, NOTHING, raw } from "../../../pages/html.ts";
import { type ItemLine, itemList } from "./item-list.ts";
import { langOf, type SiteView, sitePage } from "./layout.ts";

type Identifier = {
  readonly scheme: string;
  readonly value: string;
  readonly href: string | null;
  readonly isOrcid: boolean;
};

export type PersonView = {
  readonly id: number;
  readonly names: readonly { readonly text: string; readonly lang?: string }[];
  readonly identifiers: readonly Identifier[];
  readonly affiliations: readonly {
    readonly names: readonly { readonly text: string; readonly lang: string }[];
    readonly identifiers: readonly Identifier[];
    readonly periods: readonly { readonly from: string; readonly to: string }[];
  }[];
  readonly items: readonly ItemLine[];
  readonly total: number;
  /** Mail addresses, for those who look after authors; null for everybody else. */
  readonly mails: readonly string[] | null;
  /** schema.org Person. */
  readonly data: Readonly<Record<string, unknown>>;
};

const ORCID_MARK = raw(
  '<svg class="orcid" viewBox="0 0 256 256" width="16" height="16" aria-hidden="true" focusable="false"><circle cx="128" cy="128" r="128" fill="#a6ce39"/><path fill="#fff" d="M71 79h15v108H71zm8-16a10 10 0 1 1 .01 0zM109 79h42c40 0 57 28 57 54 0 28-22 54-57 54h-42zm15 14v80h25c35 0 43-27 43-40 0-22-14-40-45-40z"/></svg> ',
);

function identifierOf({ scheme, value, href, isOrcid }: Identifier, texts: SiteView["texts"]): Html {
  const text = href === null ? html`${value}` : html`<a href="${href}" rel="me nofollow noopener">${value}</a>`;
  return html`<li>${isOrcid ? ORCID_MARK : NOTHING}<span class="kind">${scheme}${texts.site.colon}</span>${text}</li>`;
}

const list = (lines: readonly Html[]): Html => html`<ul>${lines}</ul>`;
const row = (label: string, value: Html): Html => html`<div><dt>${label}</dt><dd>${value}</dd></div>\n`;

export function personPage(view: PersonView, site: SiteView): string {
  const { texts, rootPath } = site;
  const { person } = texts;
  const [first, ...others] = view.names;
  const title = first?.text ?? person.nameless;
  const search = `${rootPath}/search?author=${view.id}`;
  const feed = `${rootPath}/api/opensearch/search?author=${view.id}&format=atom`;
  // JSON inside a script must not be able to end it.
  const data = raw(JSON.stringify(view.data).replaceAll("<", "\\u003c"));
  return sitePage(site, {
    title,
    head: html`<link rel="alternate" type="application/atom+xml" title="${person.feed}" href="${feed}">
<script type="application/ld+json">${data}</script>
`,
    body: html`<h1${langOf(first?.lang, texts)}>${title}</h1>
<dl>${others.length === 0 ? NOTHING : row(person.names, list(others.map((name) => html`<li${langOf(name.lang, texts)}>${name.text}</li>`)))}${
      view.identifiers.length === 0
        ? NOTHING
        : row(person.identifiers, list(view.identifiers.map((each) => identifierOf(each, texts))))
    }${view.affiliations.length === 0 ? NOTHING : row(person.affiliations, list(view.affiliations.map((each) => affiliationOf(each, site))))}${
      view.mails === null || view.mails.length === 0
        ? NOTHING
        : row(person.mails, list(view.mails.map((mail) => html`<li>${mail}</li>`)))
    }</dl>
${view.mails === null ? NOTHING : html`<p class="links"><a href="${rootPath}/authors/${view.id}/edit">${person.edit}</a><a href="${rootPath}/authors">${person.all}</a></p>`}
<h2>${person.items} <span class="kind">(${texts.search.hits(view.total)})</span></h2>
${view.items.length === 0 ? html`<p>${texts.index.noItems}</p>` : itemList(view.items, texts, rootPath)}
<p class="links">${view.total > view.items.length ? html`<a href="${search}">${person.allItems}</a>` : NOTHING}<a href="${feed}">${person.feed}</a></p>`,
  });
}

function affiliationOf({ names, identifiers, periods }: PersonView["affiliations"][number], { texts }: SiteView): Html {
  const named = names.map(({ text, lang }) => html`<span${langOf(lang, texts)}>${text}</span>`);
  const times = periods
    .map(({ from, to }) => (from === "" && to === "" ? "" : texts.person.period(from, to)))
    .filter((each) => each !== "");
  const known = identifiers.map(
    ({ scheme, value, href }) =>
      html` ${href === null ? html`<span class="kind">${scheme}: ${value}</span>` : html`<a href="${href}" rel="nofollow noopener">${scheme}</a>`}`,
  );
  return html`<li>${named.map((name, at) => (at === 0 ? name : html` / ${name}`))}${known}${
    times.length === 0 ? NOTHING : html` <span class="kind">(${times.join(", ")})</span>`
  }</li>`;
}

type PersonLine = {
  readonly id: number;
  readonly names: readonly { readonly text: string; readonly lang?: string }[];
  readonly identifiers: readonly string[];
};

export type PersonListView = {
  readonly words: string;
  readonly persons: readonly PersonLine[];
  readonly page: number;
  /** Another page follows. */
  readonly isMore: boolean;
};

export function personListPage(view: PersonListView, site: SiteView): string {
  const { texts, rootPath } = site;
  const { person } = texts;
  const at = (page: number): string => {
    const query = new URLSearchParams({ ...(view.words === "" ? {} : { name: view.words }), page: `${page}` });
    return `${rootPath}/authors?${query}`;
  };
  const pages = view.isMore ? view.page + 1 : view.page;
  return sitePage(site, {
    title: person.all,
    noindex: true,
    body: html`<h1>${person.all}</h1>
<form class="search" action="${rootPath}/authors"><div class="line"><input type="search" name="name" value="${view.words}" aria-label="${person.name}"><button class="go">${texts.search.go}</button></div><p class="hint">${person.nameHint}</p></form>
<p class="links"><a href="${rootPath}/authors/new">${person.add}</a></p>
${
  view.persons.length === 0
    ? html`<p>${person.nobody}</p>`
    : html`<ul class="items">${view.persons.map(
        ({ id, names, identifiers }) =>
          html`<li><a class="what" href="${rootPath}/authors/${id}">${names[0]?.text ?? person.nameless}</a> <span class="kind">${id}</span><p>${[
            ...names.slice(1).map(({ text }) => text),
            ...identifiers,
          ].join(" · ")}</p></li>\n`,
      )}</ul>`
}
${pagination({ page: view.page, pages }, at, texts)}`,
  });
}

/** A field of the form: its name, what it holds, and where it may be chosen from. */
type FormCell = {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly choices?: readonly string[];
  readonly isFlag?: boolean;
};
export type FormGroup = { readonly heading: string; readonly rows: readonly (readonly FormCell[])[] };

/** `field`: name of the field of the form; null for what is about no field. */
export type FormProblem = { readonly field: string | null; readonly text: string };

export type PersonFormView = {
  /** Null: a new one. */
  readonly id: number | null;
  readonly title: string;
  readonly groups: readonly FormGroup[];
  /** Slugs, with commas. */
  readonly communities: string;
  readonly forceChange: boolean;
  /** The number of the person that this one is to be taken in with, as it was sent. */
  readonly into: string;
  /** What was wrong with what was sent. */
  readonly problems: readonly FormProblem[];
  readonly csrf: string;
};

export function personFormPage(view: PersonFormView, site: SiteView): string {
  const { texts, rootPath } = site;
  const { person } = texts;
  const here = `${rootPath}/authors/${view.id ?? "new"}`;
  const textOf = (name: string): string | null => view.problems.find(({ field }) => field === name)?.text ?? null;
  return sitePage(site, {
    title: view.title,
    noindex: true,
    switchable: view.problems.length === 0,
    body: html`<h1>${view.title}</h1>
${summary(view, site)}<form method="post" action="${here}/edit">${csrfField(view.csrf)}
${view.groups.map(
  ({ heading, rows }) =>
    html`<fieldset><legend>${heading}</legend>${rows.map(
      (cells) => html`<div class="fields">${cells.map((cell) => cellOf(cell, textOf(cell.name)))}</div>`,
    )}</fieldset>`,
)}
${cellOf({ name: "communities", label: person.communities, value: view.communities }, textOf("communities"))}
<p class="hint">${person.blank}</p>
${view.id === null ? NOTHING : html`<div class="checks"><label><input type="checkbox" name="force_change" value="true"${view.forceChange ? raw(" checked") : NOTHING}>${person.force}</label></div>`}
<div class="buttons"><button class="go">${person.save}</button></div></form>
${
  view.id === null
    ? NOTHING
    : html`<form method="post" action="${here}/merge"><h2>${person.merge}</h2>${csrfField(view.csrf)}${cellOf({ name: "into", label: person.into, value: view.into }, textOf("into"))}<p class="hint">${person.mergeHint}</p><div class="buttons"><button class="go quiet">${person.merge}</button></div></form>
<form method="post" action="${here}/delete"><h2>${person.remove}</h2>${csrfField(view.csrf)}<p class="hint">${person.removeHint}</p><div class="checks"><label><input type="checkbox" id="sure" name="sure" value="yes" required${wrongAt("sure", textOf("sure"))}>${person.sure}</label></div>${messageAt("sure", textOf("sure"))}<div class="buttons"><button class="go danger">${person.remove}</button></div></form>`
}`,
  });
}

/** All problems together, each a link to its field. */
function summary({ problems, groups }: PersonFormView, { texts }: SiteView): Html {
  if (problems.length === 0) return NOTHING;
  const { person } = texts;
  const labels = new Map<string, string>(
    groups.flatMap(({ heading, rows }) =>
      rows.flatMap((cells) => cells.map(({ name, label }) => [name, `${heading}, ${label}`] as const)),
    ),
  );
  for (const [name, label] of Object.entries({
    communities: person.communities,
    into: person.into,
    sure: person.sure,
  })) {
    labels.set(name, label);
  }
  const lines = problems.map(({ field, text }) =>
    field === null
      ? html`<li>${text}</li>`
      : html`<li><a href="#${field}">${person.problems.field(labels.get(field) ?? field, text)}</a></li>`,
  );
  return html`<div class="note warn" role="alert"><p>${person.problems.heading}</p><ul>${lines}</ul></div>
`;
}

const wrongAt = (name: string, problem: string | null): Html =>
  problem === null ? NOTHING : html` aria-invalid="true" aria-describedby="${name}-problem"`;
const messageAt = (name: string, problem: string | null): Html =>
  problem === null ? NOTHING : html`<p class="wrong" id="${name}-problem">${problem}</p>`;

function cellOf({ name, label, value, choices, isFlag }: FormCell, problem: string | null): Html {
  if (isFlag === true) {
    return html`<div class="checks"><label><input type="checkbox" name="${name}" value="true"${value === "true" ? raw(" checked") : NOTHING}>${label}</label></div>`;
  }
  if (choices === undefined) {
    return html`<div class="field"><label for="${name}">${label}</label><input id="${name}" name="${name}" value="${value}"${wrongAt(name, problem)}>${messageAt(name, problem)}</div>`;
  }
  const all = choices.includes(value) || value === "" ? choices : [value, ...choices];
  return html`<div class="field"><label for="${name}">${label}</label><select id="${name}" name="${name}"${wrongAt(name, problem)}><option value=""></option>${all.map(
    (each) => html`<option value="${each}"${each === value ? raw(" selected") : NOTHING}>${each}</option>`,
  )}</select>${messageAt(name, problem)}</div>`;
}
