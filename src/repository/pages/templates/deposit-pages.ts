// The pages where people deposit (R42): the form of a draft, its files, and what is asked before it is published
// or discarded.
import type { FieldEntry, FormEntry, GroupEntry } from "../../../model/item-types/form-view.ts";
import type { Bilingual } from "../../../model/item-types/posted-form.ts";
import { button, buttonRow, csrfField, linkButton, postButton } from "../../../pages/components/buttons.ts";
import { checkbox, fieldset } from "../../../pages/components/choices.ts";
import type { FieldProblem } from "../../../pages/components/errors.ts";
import {
  type Choice,
  choiceList,
  hiddenField,
  keptField,
  selectField,
  textArea,
  textField,
} from "../../../pages/components/fields.ts";
import { repeatableGroup } from "../../../pages/components/groups.ts";
import { table } from "../../../pages/components/lists.ts";
import { banner, confirmation } from "../../../pages/components/notes.ts";
import { pageHeading } from "../../../pages/components/page.ts";
import { attributes, type Html, html, NOTHING } from "../../../pages/html.ts";
import type { Instant } from "../../../shared/time/instant.ts";
import type { DraftChecks } from "../../records/draft-checks.ts";
import type { CommunityChoice } from "../../requests/draft-communities.ts";
import type { Workflow } from "../../store/settings.ts";
import { warningsPart } from "./checks.ts";
import { publicationPlace } from "./deposit-place.ts";
import { type SuggestionView, suggestedField, suggestionNote } from "./deposit-suggestions.ts";
import { moment, type SiteView, sitePage } from "./layout.ts";
import { notedHint, type ReviewerNote, reviewerNotes } from "./reviewer-notes.ts";

/** Null: the draft does not exist yet. */
export type DepositView = {
  readonly id: number | null;
  /** Of a draft that does not exist yet. */
  readonly type: string | null;
  readonly csrf: string;
  readonly entries: readonly FormEntry[];
  /** The state of the draft that the form shows. */
  readonly base: string | null;
  /** Of a draft that does not exist yet: it is made once. */
  readonly formKey: string | null;
  readonly savedAt: Instant | null;
  readonly filesEnabled: boolean;
  readonly isPublished: boolean;
  /** Where it goes, who may read it. */
  readonly place: Html;
  /** Records that may describe the same work. */
  readonly duplicates: Html;
  readonly problems: readonly FieldProblem[];
  readonly understood: ReadonlyMap<string, Bilingual>;
  /** What became of a form that was sent. */
  readonly outcome: "saved" | "saved-without" | "not-saved" | "expired" | null;
  readonly suggestion: SuggestionView | null;
  /** Comments of reviewers. */
  readonly notes?: readonly ReviewerNote[];
};

const pathOf = (id: number, rest = ""): string => `/deposit/${id}${rest}`;

const inWords = (words: { readonly en: string; readonly ja?: string }, { texts }: SiteView): string =>
  texts.tag === "ja" ? (words.ja ?? words.en) : words.en;

export function depositPage(view: DepositView, site: SiteView): string {
  const { texts, rootPath } = site;
  const words = texts.deposit;
  const { id, csrf, problems, outcome, savedAt, base, formKey } = view;
  const action = `${rootPath}${id === null ? "/deposit" : pathOf(id)}`;
  const saved =
    (outcome !== "saved" && outcome !== "saved-without") || savedAt === null
      ? NOTHING
      : banner(
          "good",
          html`<p>${outcome === "saved" ? words.saved : words.savedWithout} ${moment(savedAt, texts)}</p>`,
          {
            role: "status",
          },
        );
  const files = view.isPublished
    ? NOTHING
    : checkbox({ id: "no-files", label: words.noFiles, value: "yes", isChecked: !view.filesEnabled });
  return sitePage(site, {
    title: id === null ? words.heading : words.editing,
    noindex: true,
    switchable: outcome === null,
    problems,
    scripts: ["repeatable-group", "deposit-suggestions", "autosave", "likely-duplicates"],
    body: html`${pageHeading(id === null ? words.heading : words.editing)}
${outcome === "not-saved" || outcome === "expired" ? banner("warn", outcome === "expired" ? words.expired : words.notSaved, { role: "alert" }) : saved}${reviewerNotes(view.notes ?? [], site, id)}${suggestionNote(view.suggestion, site)}<p>${words.intro}</p>
${view.duplicates}<form method="post" action="${action}" novalidate${attributes({ "data-fill": `${action}/fill`, "data-filled": words.suggestions.filled, "data-unfilled": words.suggestions.failed, ...autosaveData(view, site) })}>${csrfField(csrf)}${base === null ? NOTHING : hiddenField("base", base)}${formKey === null ? NOTHING : hiddenField("form-key", formKey)}${view.type === null ? NOTHING : hiddenField("item-type", view.type)}
${buttonRow([button({ label: words.save, kind: "quiet", name: "save", value: "yes" }), button({ label: texts.imports.link, kind: "quiet", name: "import", value: "yes" })])}${formEntries(view, site)}<div data-place>${view.place}</div>${files}
${buttonRow([
  button({ label: words.save, kind: "quiet", name: "save", value: "yes" }),
  ...(view.isPublished ? [] : [button({ label: words.saveAndFiles, kind: "quiet", name: "files", value: "yes" })]),
  button({ label: words.saveAndPublish, name: "publish", value: "yes" }),
])}</form>
${id === null ? NOTHING : draftLinks(id, site)}`,
  });
}

/** What can be done with a draft that exists. */
export function draftLinks(id: number, { texts, rootPath }: SiteView): Html {
  const words = texts.deposit;
  const own = `${rootPath}${pathOf(id)}`;
  return buttonRow([
    linkButton(words.preview, `${own}/preview`, "quiet"),
    linkButton(words.revisions, `${own}/revisions`, "quiet"),
    linkButton(words.discard, `${own}/discard`, "danger"),
  ]);
}

/** What the script that saves the form works with. */
const autosaveData = ({ id, outcome }: DepositView, { texts, rootPath, person }: SiteView) => ({
  "data-autosave": id ?? "new",
  "data-account": person?.id,
  "data-root": rootPath,
  "data-asked": outcome === "not-saved",
  "data-words": JSON.stringify({ ...texts.deposit.autosave, conflict: texts.deposit.notSaved }),
});

/** A form while it is rendered. `lists`: choices that its controls share, by the values; null: each has its own. */
type FormView = Pick<DepositView, "understood" | "problems" | "suggestion" | "notes"> & {
  readonly lists: SharedLists | null;
};
type SharedLists = Map<string, { readonly id: string; readonly choices: readonly Choice[] }>;

/** All groups, and the choices that those share which few depositors fill in: languages, next to nearly every text. */
function formEntries({ entries, ...view }: DepositView, site: SiteView): Html {
  const lists: SharedLists = new Map();
  const shown = entries.map((entry) => {
    const isBasic = entry.kind === "field" || entry.isBasic;
    return topEntry(entry, { ...view, lists: isBasic ? null : lists }, site);
  });
  return html`${shown}${[...lists.values()].map(({ id, choices }) => choiceList(id, choices))}`;
}

/** What few depositors fill in is closed until it is needed. */
function topEntry(entry: FormEntry, view: FormView, site: SiteView): Html {
  const shown = entryOf(entry, view, site);
  if (entry.kind === "field" || entry.isBasic || entry.isFilled) return shown;
  const noted = (view.notes ?? []).map(({ at }) => ({ field: at }));
  const isOpen = [...view.problems, ...noted, view.suggestion].some(
    (each) => each?.field?.startsWith(`${entry.name}.`) === true,
  );
  return html`<details${isOpen ? html` open` : NOTHING}><summary>${inWords(entry.label, site)}</summary>${shown}</details>
`;
}

function entryOf(entry: FormEntry, view: FormView, site: SiteView): Html {
  return entry.kind === "field" ? fieldOf(entry, view, site) : groupOf(entry, view, site);
}

function groupOf(entry: GroupEntry, view: FormView, site: SiteView): Html {
  const { texts } = site;
  const legend = inWords(entry.label, site);
  const content = (row: readonly FormEntry[]): Html => html`${row.map((each) => entryOf(each, view, site))}`;
  if (!entry.repeats) {
    const group = { id: entry.name, legend, isRequired: entry.isRequired };
    return fieldset(group, texts, content(entry.rows[0] ?? []));
  }
  const isOneField = entry.rows[0]?.length === 1 && entry.rows[0][0]?.kind === "field";
  const own = { name: entry.name, legend, entry: legend, isOneField, copiesFirst: true };
  return repeatableGroup({ ...own, count: entry.rows.length }, texts, (at) => {
    const row = at === "new" ? [] : (entry.rows[at] ?? []);
    const [first] = row;
    return isOneField && first?.kind === "field" ? fieldOf(first, view, site, true) : content(row);
  });
}

function fieldOf(entry: FieldEntry, view: FormView, site: SiteView, isLabelHidden = false): Html {
  const { texts } = site;
  const understood = view.understood.get(entry.name);
  const hint = understood ?? entry.hint;
  const own = {
    id: entry.name,
    label: inWords(entry.label, site),
    isLabelHidden,
    // Drafts may be incomplete: the form is not validated by the browser.
    isRequired: entry.isRequired,
    hint: notedHint(entry.name, hint === null ? undefined : inWords(hint, site), view.notes ?? [], site),
    error: view.problems.find(({ field }) => field === entry.name)?.text,
    value: entry.value,
  };
  const control = entry.lang === null ? {} : { lang: entry.lang };
  if (entry.input === "text") return textArea({ ...own, control }, texts);
  if (entry.source !== null) return suggestedField({ ...own, control }, entry.source, view.suggestion, site);
  if (entry.input === "line" || entry.input === "date") return textField({ ...own, control }, texts);
  const choices = entry.choices.map(({ value, label }) => ({
    value,
    label: label === undefined ? (entry.isLanguage ? languageName(value, texts.tag) : value) : inWords(label, site),
  }));
  if (view.lists === null || !entry.isLanguage) {
    return selectField({ ...own, choices, blank: texts.deposit.choose }, texts);
  }
  const key = choices.map(({ value }) => value).join(" ");
  const list = view.lists.get(key) ?? { id: `choices-${view.lists.size + 1}`, choices };
  view.lists.set(key, list);
  return textField({ ...own, control: { list: list.id } }, texts);
}

/** Made once: a form asks for the same few hundreds of times. */
const LANGUAGE_NAMES = new Map<string, string>();

/** `ja-Kana` is Japanese in kana; a code that is not known is shown alone. */
function languageName(code: string, tag: string): string {
  const key = `${tag} ${code}`;
  const known = LANGUAGE_NAMES.get(key) ?? nameOfLanguage(code, tag);
  if (LANGUAGE_NAMES.size < LANGUAGES_KEPT) LANGUAGE_NAMES.set(key, known);
  return known;
}

const LANGUAGES_KEPT = 2_000;

function nameOfLanguage(code: string, tag: string): string {
  try {
    const name = new Intl.DisplayNames([tag], { type: "language" }).of(code);
    return name === undefined || name === code ? code : `${name} (${code})`;
  } catch {
    return code;
  }
}

/** `problems`: what publishing would refuse; each leads to the form. */
export function publishPage(
  view: {
    readonly id: number;
    readonly csrf: string;
    readonly base: string;
    readonly isPublished: boolean;
    readonly problems: readonly FieldProblem[];
    /** Those it is submitted to; the one that reviews it first. */
    readonly communities: readonly CommunityChoice[];
    /** What publication does not refuse. */
    readonly warnings: DraftChecks["warnings"];
    /** The workflow that approves it first; null: none. */
    readonly workflow: Pick<Workflow, "name"> | null;
    readonly duplicates: Html;
  },
  site: SiteView,
): string {
  const { texts, rootPath } = site;
  const words = texts.deposit;
  const { id, csrf, base, problems, communities } = view;
  const isReviewed = communities[0]?.needsReview === true;
  const { workflow } = view;
  const heading =
    workflow !== null ? texts.place.approvalHeading : isReviewed ? texts.place.submitHeading : words.publishHeading;
  const back = `${rootPath}${pathOf(id)}`;
  const refused = html`${pageHeading(words.incomplete)}
<ul>${problems.map(({ field, text }) => html`<li>${field === null ? text : html`<a href="${back}#${field}">${text}</a>`}</li>`)}</ul>
${buttonRow([linkButton(words.back, back), linkButton(words.filesHeading, `${back}/files`, "quiet")])}`;
  const asked = confirmation(
    {
      heading,
      text: view.isPublished
        ? words.publishFixedAgain
        : html`<p>${words.publishFixed}</p>${workflow === null ? publicationPlace(communities, site) : html`<p>${texts.place.fixesApproval(inWords(workflow.name, site))}</p>`}${warningsPart(view.warnings, texts)}`,
      action: `${back}/publish`,
      csrf,
      sent: {
        base,
        ...(communities.length === 0 ? {} : { review: "yes" }),
        ...(workflow === null ? {} : { approval: "yes" }),
      },
      label: workflow !== null ? texts.place.submitApproval : isReviewed ? texts.place.submit : words.publish,
      isFinal: true,
      back,
    },
    texts,
  );
  return sitePage(site, {
    title: problems.length > 0 ? words.incomplete : heading,
    noindex: true,
    body: html`${problems.length > 0 ? refused : asked}${view.duplicates}`,
  });
}

export function discardPage({ id, csrf }: { readonly id: number; readonly csrf: string }, site: SiteView): string {
  const words = site.texts.deposit;
  const back = `${site.rootPath}${pathOf(id)}`;
  const heading = words.discardHeading;
  const view = { heading, text: words.discardText, action: `${back}/discard`, csrf, label: words.discard };
  return sitePage(site, {
    title: heading,
    noindex: true,
    body: confirmation({ ...view, isFinal: true, back }, site.texts),
  });
}

/** A form that came after its session had ended: everything that was typed, to be sent again. */
export function sessionOverPage(
  { action, sent }: { readonly action: string; readonly sent: readonly (readonly [name: string, value: string])[] },
  site: SiteView,
): string {
  const words = site.texts.deposit;
  const { rootPath } = site;
  return sitePage(site, {
    title: words.sessionHeading,
    noindex: true,
    switchable: false,
    body: html`${pageHeading(words.sessionHeading)}
<p>${words.sessionText}</p>
<p><a class="go" href="${rootPath}/account/login?return_to=%2Fdeposit" target="_blank" rel="noopener">${words.signIn}</a></p>
<form method="post" action="${rootPath}${action}">${sent.map(([name, value]) => keptField(name, value))}
${buttonRow([button({ label: words.proceed, kind: "quiet" })])}</form>`,
  });
}

export type RevisionLine = {
  readonly revision_id: number;
  readonly created: Instant;
  readonly by: { readonly user: string };
};

export function draftRevisionsPage(
  { id, lines }: { readonly id: number; readonly lines: readonly RevisionLine[] },
  site: SiteView,
): string {
  const { texts, rootPath } = site;
  const words = texts.deposit;
  const own = `${rootPath}${pathOf(id)}`;
  const rows = lines.map(({ revision_id: revision, created, by }) => [
    moment(created, texts),
    by.user,
    html`<a href="${own}/revisions/${revision}" aria-label="${words.compare}: ${revision}">${words.compare}</a>`,
  ]);
  const list =
    rows.length === 0
      ? html`<p>${words.noRevisions}</p>`
      : table({ caption: words.revisions, head: [words.savedAt, words.by, words.compare], rows });
  return sitePage(site, {
    title: words.revisions,
    noindex: true,
    body: html`${pageHeading(words.revisions)}
<p>${words.revisionsText}</p>
${list}
${buttonRow([linkButton(words.back, own, "quiet")])}`,
  });
}

export type RevisionView = {
  readonly id: number;
  readonly csrf: string;
  readonly base: string;
  readonly revision: number;
  readonly savedAt: Instant;
  readonly differences: readonly {
    readonly label: Bilingual;
    readonly before: string;
    readonly after: string;
    readonly isMoved: boolean;
  }[];
};

export function draftRevisionPage(view: RevisionView, site: SiteView): string {
  const { texts, rootPath } = site;
  const words = texts.deposit;
  const own = `${rootPath}${pathOf(view.id)}`;
  const rows = view.differences.map(({ label, before, after, isMoved }) => [
    `${inWords(label, site)}${isMoved ? ` ${words.moved}` : ""}`,
    before,
    after,
  ]);
  const restore = postButton({
    ...{ label: words.restore, action: `${own}/revisions/${view.revision}`, csrf: view.csrf },
    sent: { base: view.base },
  });
  return sitePage(site, {
    title: words.compareHeading,
    noindex: true,
    body: html`${pageHeading(words.compareHeading)}
<p>${words.savedAt} ${moment(view.savedAt, texts)}</p>
${rows.length === 0 ? html`<p>${words.same}</p>` : table({ caption: words.compareHeading, head: [words.field, words.before, words.after], rows })}
${restore}${buttonRow([linkButton(words.revisions, `${own}/revisions`, "quiet"), linkButton(words.back, own, "quiet")])}`,
  });
}
