// The page of a person (R40), the list of persons for those who look after authors, and the form in which one is
// changed (R20 to R22).
import { button, buttonRow, csrfField, enterButton } from "../../../pages/components/buttons.ts";
import { checkbox, choices } from "../../../pages/components/choices.ts";
import { type FieldProblem, problemAt } from "../../../pages/components/errors.ts";
import { fieldRow, selectField, textField } from "../../../pages/components/fields.ts";
import { type EntryPlace, repeatableGroup } from "../../../pages/components/groups.ts";
import { factRow, pagination } from "../../../pages/components/lists.ts";
import { banner, state } from "../../../pages/components/notes.ts";
import { pageHeading, sectionHeading } from "../../../pages/components/page.ts";
import { type Html, html, NOTHING, raw } from "../../../pages/html.ts";
import { figuresLink } from "./figure-pages.ts";
import { type ItemLine, itemList } from "./item-list.ts";
import { langOf, otherLang, type SiteView, sitePage } from "./layout.ts";
import { ORCID_MARK } from "./orcid-mark.ts";

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
  readonly kinds: readonly CountedLine[];
  readonly years: readonly CountedLine[];
  readonly coauthors: readonly PeopleLine[];
  /** Mail addresses, for those who look after authors; null for everybody else. */
  readonly mails: readonly string[] | null;
  /** schema.org Person. */
  readonly data: Readonly<Record<string, unknown>>;
};

/** Works of one kind or year; null: no search narrows down to them. */
type CountedLine = { readonly label: string; readonly count: number; readonly href: string | null };

type PeopleLine = {
  readonly id: number;
  readonly names: readonly { readonly text: string; readonly lang?: string }[];
  readonly orcid: string | null;
  readonly count: number;
};

function identifierOf({ scheme, value, href, isOrcid }: Identifier, texts: SiteView["texts"]): Html {
  const text = href === null ? html`${value}` : html`<a href="${href}" rel="me nofollow noopener">${value}</a>`;
  return html`<li>${isOrcid ? ORCID_MARK : NOTHING}<span class="kind">${scheme}${texts.site.colon}</span>${text}</li>`;
}

const list = (lines: readonly Html[]): Html => html`<ul>${lines}</ul>`;

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
    body: html`${pageHeading(title, { lang: otherLang(first?.lang, texts) })}<dl>${others.length === 0 ? NOTHING : factRow(person.names, list(others.map((name) => html`<li${langOf(name.lang, texts)}>${name.text}</li>`)))}${
      view.identifiers.length === 0
        ? NOTHING
        : factRow(person.identifiers, list(view.identifiers.map((each) => identifierOf(each, texts))))
    }${view.affiliations.length === 0 ? NOTHING : factRow(person.affiliations, list(view.affiliations.map((each) => affiliationOf(each, site))))}${
      view.mails === null || view.mails.length === 0
        ? NOTHING
        : factRow(person.mails, list(view.mails.map((mail) => html`<li>${mail}</li>`)))
    }</dl>
${view.mails === null ? NOTHING : html`<p class="links"><a href="${rootPath}/authors/${view.id}/edit">${person.edit}</a><a href="${rootPath}/authors">${person.all}</a></p>`}
${sectionHeading(person.items, { count: texts.search.hits(view.total) })}${view.items.length === 0 ? state({ kind: "empty", text: texts.index.noItems }) : itemList(view.items, texts, rootPath)}
${countedList(texts.filed.people.byKind, view.kinds, site)}${countedList(texts.filed.people.byYear, view.years, site)}${
  view.coauthors.length === 0
    ? NOTHING
    : html`${sectionHeading(texts.filed.people.coauthors)}<p class="hint">${texts.filed.people.coauthorsNote}</p>${peopleList(view.coauthors, site)}`
}<p class="links">${view.total > view.items.length ? html`<a href="${search}">${person.allItems}</a>` : NOTHING}<a href="${feed}">${person.feed}</a>${figuresLink(`${rootPath}/authors/${view.id}/statistics`, site)}</p>`,
  });
}

/** Counts behind a summary: what there is of a person is seen above. */
function countedList(heading: string, lines: readonly CountedLine[], { texts }: SiteView): Html {
  if (lines.length === 0) return NOTHING;
  const shown = lines.map(({ label, count, href }) => {
    const text = href === null ? html`${label}` : html`<a href="${href}">${label}</a>`;
    return html`<li>${text} <span class="kind">(${texts.filed.count(count)})</span></li>`;
  });
  return html`<details><summary>${heading}</summary>${list(shown)}</details>\n`;
}

/** People by name, with their ORCID iD and how many items. */
function peopleList(people: readonly PeopleLine[], { texts, rootPath }: SiteView): Html {
  const lines = people.map(({ id, names, orcid, count }) => {
    const [first = { text: texts.person.nameless }] = names;
    const mark =
      orcid === null
        ? NOTHING
        : html` <a href="https://orcid.org/${orcid}" rel="nofollow noopener" aria-label="ORCID iD ${orcid}">${ORCID_MARK}${orcid}</a>`;
    return html`<li><a href="${rootPath}/authors/${id}"${langOf(first.lang, texts)}>${first.text}</a>${mark} <span class="kind">(${texts.filed.count(count)})</span></li>`;
  });
  return list(lines);
}

export type PeopleView = {
  readonly words: string;
  readonly people: readonly PeopleLine[];
  readonly page: number;
  readonly pages: number;
  readonly isMore: boolean;
};

/** Everybody whose work is here. */
export function peoplePage(view: PeopleView, site: SiteView): string {
  const { texts, rootPath } = site;
  const { people } = texts.filed;
  const { words, page } = view;
  const at = (number: number): string =>
    `${rootPath}/persons?${`${new URLSearchParams({ ...(words === "" ? {} : { name: words }), page: `${number}` })}`}`;
  const field = { id: "name", label: people.name, hint: people.hint, type: "search", value: words } as const;
  return sitePage(site, {
    title: people.heading,
    noindex: words !== "" || page > 1,
    body: html`${pageHeading(people.heading)}<p>${people.about}</p>
<form class="search" action="${rootPath}/persons"><div class="line">${textField(field, texts)}${button({ label: texts.search.go })}</div></form>
${view.people.length === 0 ? state({ kind: "empty", text: people.nobody }) : peopleList(view.people, site)}
${view.isMore ? banner("info", people.more) : NOTHING}${pagination(view, at, texts)}`,
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
    body: html`${pageHeading(person.all)}
<form class="search" action="${rootPath}/authors"><div class="line">${textField({ id: "name", label: person.name, hint: person.nameHint, type: "search", value: view.words }, texts)}${button({ label: texts.search.go })}</div></form>
<p class="links"><a href="${rootPath}/authors/new">${person.add}</a></p>
${
  view.persons.length === 0
    ? state({ kind: "empty", text: person.nobody })
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
export type FormCell = {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly choices?: readonly string[];
  readonly isFlag?: boolean;
};
export type FormEntry = { readonly cells: readonly FormCell[]; readonly groups: readonly FormGroup[] };
/** Entries of one kind, by their place. */
export type FormGroup = {
  readonly name: string;
  readonly legend: string;
  readonly entry: string;
  readonly count: number;
  readonly most: number;
  readonly cells: (at: EntryPlace) => FormEntry;
};

export type PersonFormView = {
  /** Null: a new one. */
  readonly id: number | null;
  readonly title: string;
  readonly groups: readonly FormGroup[];
  readonly communities: readonly { readonly name: string; readonly label: string; readonly isChosen: boolean }[];
  /** Short names of communities beyond those; null: these are all. */
  readonly further: string | null;
  readonly forceChange: boolean;
  /** The number of the person that this one is to be taken in with, as it was sent. */
  readonly into: string;
  /** What was wrong with what was sent. */
  readonly problems: readonly FieldProblem[];
  readonly csrf: string;
};

export function personFormPage(view: PersonFormView, site: SiteView): string {
  const { texts, rootPath } = site;
  const { person } = texts;
  const here = `${rootPath}/authors/${view.id ?? "new"}`;
  const { problems } = view;
  const force = { id: "force_change", label: person.force, isChecked: view.forceChange };
  return sitePage(site, {
    title: view.title,
    noindex: true,
    switchable: problems.length === 0,
    problems,
    scripts: ["repeatable-group"],
    body: html`${pageHeading(view.title)}
<form method="post" action="${here}/edit">${csrfField(view.csrf)}${enterButton}
${view.groups.map((group) => groupOf(group, view, site))}${communitiesOf(view, site)}<p class="hint">${person.blank}</p>
${view.id === null ? NOTHING : checkbox(force)}${buttonRow([button({ label: person.save })])}</form>
${view.id === null ? NOTHING : endings(view, here, site)}`,
  });
}

/** Taking a person in with another, and deleting one. */
function endings({ csrf, into, problems }: PersonFormView, here: string, { texts }: SiteView): Html {
  const { person } = texts;
  const other = { id: "into", label: person.into, hint: person.mergeHint, value: into };
  const sure = { id: "sure", value: "yes", label: person.sure, isRequired: true, isChecked: false };
  return html`${sectionHeading(person.merge)}<form method="post" action="${here}/merge">${csrfField(csrf)}${textField({ ...other, error: problemAt(problems, "into") }, texts)}${buttonRow([button({ label: person.merge, kind: "quiet" })])}</form>
${sectionHeading(person.remove)}<form method="post" action="${here}/delete">${csrfField(csrf)}<p class="hint">${person.removeHint}</p>${checkbox({ ...sure, error: problemAt(problems, "sure") })}${buttonRow([button({ label: person.remove, kind: "danger" })])}</form>`;
}

function groupOf(group: FormGroup, view: PersonFormView, site: SiteView): Html {
  const pattern = group.cells("new");
  const isOneField = pattern.cells.length === 1 && pattern.groups.length === 0;
  return repeatableGroup({ ...group, isOneField }, site.texts, (at) => {
    const { cells, groups } = group.cells(at);
    const fields = cells.map((cell) => cellOf(cell, view.problems, site, isOneField));
    const row = fields.length === 0 ? NOTHING : isOneField ? html`${fields}` : fieldRow(fields);
    return html`${row}${groups.map((inner) => groupOf(inner, view, site))}`;
  });
}

function cellOf(
  { name: id, label, value, choices: values, isFlag }: FormCell,
  problems: readonly FieldProblem[],
  { texts }: SiteView,
  isLabelHidden: boolean,
): Html {
  if (isFlag === true) return checkbox({ id, label, isChecked: value === "true" });
  const view = { id, label, isLabelHidden, value, error: problemAt(problems, id) };
  if (values === undefined) return textField(view, texts);
  return selectField({ ...view, choices: values.map((each) => ({ value: each, label: each })), blank: "" }, texts);
}

function communitiesOf({ communities, further, problems }: PersonFormView, { texts }: SiteView): Html {
  const { person } = texts;
  const error = problemAt(problems, "communities");
  const boxes = communities.map(({ name, label, isChosen }) => ({ name, value: "1", label, isChosen }));
  const group = { id: "communities", legend: person.communities, kind: "checkbox", choices: boxes, error } as const;
  const more = { id: "further", label: person.further, hint: person.furtherHint, value: further ?? "" };
  return html`${communities.length === 0 ? NOTHING : choices(group, texts)}${further === null ? NOTHING : textField(more, texts)}`;
}
