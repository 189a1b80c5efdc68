// The pages where people deposit (R42), without script: the form of a draft, and the confirmation of what publishing
// fixes for good. Its files: deposit-files.ts.
import { formView } from "../../../src/model/item-types/form-view.ts";
import { type FormFault, readPostedForm } from "../../../src/model/item-types/posted-form.ts";
import type { FieldProblem } from "../../../src/pages/components/errors.ts";
import { groupChange, rearranged } from "../../../src/pages/components/groups.ts";
import { type Html, NOTHING } from "../../../src/pages/html.ts";
import {
  type DepositView,
  depositPage,
  discardPage,
  draftLinks,
  draftRevisionPage,
  draftRevisionsPage,
  publishPage,
  sessionOverPage,
} from "../../../src/repository/pages/templates/deposit-pages.ts";
import { depositTypePage } from "../../../src/repository/pages/templates/deposit-place.ts";
import type { DraftApproval } from "../../../src/repository/records/draft-approval.ts";
import type { DraftForm, SavedForm, SentForm } from "../../../src/repository/records/draft-forms.ts";
import { ANYTHING } from "../../../src/repository/records/record-writing.ts";
import type { Records } from "../../../src/repository/records/records.ts";
import type { FieldNotes } from "../../../src/repository/requests/field-comments.ts";
import type { Reviews } from "../../../src/repository/requests/reviews.ts";
import { isRefusal, Refusal } from "../../../src/shared/refusal.ts";
import { pathParameter } from "../../http/document-parts.ts";
import { routesOf } from "../../http/routes.ts";
import type { RepositoryGuard } from "../guard.ts";
import { recordIdOf } from "../record-dialect.ts";
import { htmlAnswer, openPage, type PageNeeds, type Reader, redirectTo } from "./answers.ts";
import { hasFormToken, requireFormToken } from "./cookies.ts";
import { fieldsIn, isFromScript, pageOrJson, savedForm } from "./deposit-answers.ts";
import { type DuplicatesNeeds, duplicatesHtml, foundDuplicates } from "./deposit-duplicates.ts";
import {
  addressedPlace,
  chosenType,
  isPlaceField,
  keptPlace,
  NOWHERE,
  PLACE_PARAMETERS,
  type PlaceNeeds,
  placeHtml,
  sentKind,
  sentPlace,
  sentType,
} from "./deposit-place.ts";
import { type DepositSuggestionsNeeds, SUGGESTION_MEMBERS, suggestionWork } from "./deposit-suggestions.ts";
import { AFTER_FORM, FORM_AGAIN, form, GONE, html, mountPages, NOT_FOUND, SIGN_IN, UNKEPT } from "./page-routes.ts";
import { notesAt } from "./reviewer-notes.ts";

export type DepositPagesNeeds = PageNeeds &
  DuplicatesNeeds &
  PlaceNeeds & {
    readonly fieldNotes: FieldNotes;
    readonly guard: Pick<RepositoryGuard, "reader" | "form" | "draftForm">;
    readonly records: Pick<
      Records,
      | "blankForm"
      | "checks"
      | "depositTypes"
      | "discard"
      | "draftRevisions"
      | "formDifferences"
      | "makeDraft"
      | "openForm"
      | "publish"
      | "publishingFaults"
      | "restoreDraft"
      | "saveForm"
    >;
    readonly requests: { readonly reviews: Pick<Reviews, "submitSeen"> };
    readonly approval: DraftApproval;
    readonly fields: DepositSuggestionsNeeds["fields"];
    /** A new random text of 43 characters. */
    readonly newFormToken: () => string;
  };

const ONE = "/deposit/:id";
const ID = [pathParameter("id", "Number of the record")];
const REVISION = [...ID, pathParameter("revision", "Number of the revision")];
const FIELDS = form(
  {
    base: "The revision that the form shows",
    "form-key": "Of a new record: one draft is made for each key, however often the form is sent",
    save: "Saves",
    files: "Saves, and shows the files",
    import: "Saves, and asks for a DOI or a document",
    publish: "Saves, and asks whether to publish",
  },
  "The fields of the item type",
);
const SENT = { ...AFTER_FORM, ...FORM_AGAIN, 200: pageOrJson("The form, or what changed in it") };
const OF_DRAFT = { ...NOT_FOUND, ...GONE };
const CONFLICT = { 409: html("Fields were changed on both sides, or somebody else works on it") };

const UNCACHED = { cacheable: false };

const { get, post } = routesOf<DepositPagesNeeds>();

const ROUTES = [
  get("/deposit", {
    id: "depositPage",
    summary: "The empty form of a new record, or the question for its type",
    parameters: PLACE_PARAMETERS,
    answers: { ...UNKEPT, ...SIGN_IN },
    run: blank,
  }),
  post("/deposit", {
    id: "depositByForm",
    summary: "Make a draft of a form",
    content: FIELDS,
    answers: SENT,
    run: (needs, request) => save(needs, request, null),
  }),
  get(ONE, {
    id: "draftPage",
    summary: "The form of a draft",
    parameters: ID,
    answers: { ...UNKEPT, ...SIGN_IN, ...OF_DRAFT },
    run: (needs, request, { id }) => draft(needs, request, recordIdOf(id)),
  }),
  post(ONE, {
    id: "saveDraftByForm",
    summary: "Save the form of a draft",
    parameters: ID,
    content: FIELDS,
    answers: {
      ...SENT,
      ...OF_DRAFT,
      409: pageOrJson("Fields were changed on both sides, or somebody else works on it"),
    },
    run: (needs, request, { id }) => save(needs, request, recordIdOf(id)),
  }),
  get(`${ONE}/publish`, {
    id: "publishPage",
    summary: "What publishing fixes for good, or what the draft lacks",
    parameters: ID,
    answers: { ...UNKEPT, ...SIGN_IN, ...OF_DRAFT },
    run: (needs, request, { id }) => askToPublish(needs, request, recordIdOf(id)),
  }),
  post(`${ONE}/publish`, {
    id: "publishByForm",
    summary: "Publish a draft",
    parameters: ID,
    content: form({
      base: "The revision that the person has seen",
      review: "Submits it to its communities",
      approval: "Submits it to its workflow",
    }),
    answers: { ...AFTER_FORM, ...FORM_AGAIN, ...OF_DRAFT, ...CONFLICT },
    run: (needs, request, { id }) => publish(needs, request, recordIdOf(id)),
  }),
  get(`${ONE}/revisions`, {
    id: "draftRevisionsPage",
    summary: "Earlier states of a draft",
    parameters: ID,
    answers: { ...UNKEPT, ...SIGN_IN, ...OF_DRAFT },
    run: (needs, request, { id }) => revisions(needs, request, recordIdOf(id)),
  }),
  get(`${ONE}/revisions/:revision`, {
    id: "draftRevisionPage",
    summary: "How an earlier state of a draft differs from the present one",
    parameters: REVISION,
    answers: { ...UNKEPT, ...SIGN_IN, ...OF_DRAFT },
    run: (needs, request, { id, revision }) => oneRevision(needs, request, recordIdOf(id), recordIdOf(revision)),
  }),
  post(`${ONE}/revisions/:revision`, {
    id: "restoreDraftByForm",
    summary: "Restore an earlier state of a draft",
    parameters: REVISION,
    content: form({ base: "The revision that the person has seen" }),
    answers: { ...AFTER_FORM, ...OF_DRAFT, ...CONFLICT, 412: html("The draft was saved meanwhile") },
    run: (needs, request, { id, revision }) => restore(needs, request, recordIdOf(id), recordIdOf(revision)),
  }),
  get(`${ONE}/discard`, {
    id: "discardPage",
    summary: "The question before a draft is discarded",
    parameters: ID,
    answers: { ...UNKEPT, ...SIGN_IN, ...OF_DRAFT },
    run: (needs, request, { id }) => askToDiscard(needs, request, recordIdOf(id)),
  }),
  post(`${ONE}/discard`, {
    id: "discardByForm",
    summary: "Discard a draft",
    parameters: ID,
    content: form({}),
    answers: { ...AFTER_FORM, ...FORM_AGAIN, ...OF_DRAFT, ...CONFLICT },
    run: (needs, request, { id }) => discard(needs, request, recordIdOf(id)),
  }),
];

export const depositPages = (needs: DepositPagesNeeds) => mountPages("deposit-pages", ROUTES, needs, "session");

export type Depositor = Reader & { readonly csrf: string };

/** Deposits are for people who signed in. @throws Refusal `unauthenticated` */
export async function openDeposit(needs: PageNeeds, request: Request): Promise<Depositor> {
  const reader = await openPage(needs, request, "account");
  if (reader.signedIn === null) throw new Refusal("unauthenticated", "Sign in first");
  return { ...reader, csrf: reader.signedIn.csrf };
}

const pathTo = (id: number, rest = ""): string => `/deposit/${id}${rest}`;

async function blank(needs: DepositPagesNeeds, request: Request): Promise<Response> {
  const reader = await openDeposit(needs, request);
  const { viewer, site, csrf } = reader;
  const types = await needs.records.depositTypes(viewer);
  const chosen = chosenType(types, request);
  if (chosen === null && types.length > 0)
    return await htmlAnswer(request, site, depositTypePage({ types, kept: keptPlace(request) }, site), UNCACHED);
  const definition = await needs.records.blankForm(viewer, chosen?.itemType ?? null);
  const { values, faults } = await addressedPlace(needs, reader, request);
  const isForCommunities = chosen?.workflow === null;
  const place = await placeHtml(needs, reader, { values, isForCommunities, faults });
  const entries = formView(definition, new Map());
  const view: DepositView = {
    ...{ id: null, type: chosen?.value ?? null, csrf, entries, base: null, savedAt: null, filesEnabled: true, place },
    ...{ isPublished: false, problems: problemsOf(faults, { entries }, reader), understood: new Map(), outcome: null },
    ...{ suggestion: null, formKey: needs.newFormToken() },
    duplicates: await duplicatesHtml(needs, reader, null, definition),
  };
  return await htmlAnswer(request, site, depositPage(view, site), UNCACHED);
}

async function draft(needs: DepositPagesNeeds, request: Request, id: number): Promise<Response> {
  const reader = await openDeposit(needs, request);
  const found = await needs.records.openForm(reader.viewer, id);
  const isSaved = new URL(request.url).searchParams.has("saved");
  const place = await placeOfDraft(needs, reader, found);
  const duplicates = await duplicatesHtml(needs, reader, found, found.definition);
  const bare = viewOf(found, reader, { outcome: isSaved ? "saved" : null, place, duplicates });
  const view = { ...bare, notes: notesAt(await needs.fieldNotes(reader.viewer, id), found, bare.entries) };
  return await htmlAnswer(request, reader.site, depositPage(view, reader.site), { cacheable: false });
}

function viewOf(
  found: DraftForm,
  { csrf }: Depositor,
  more: Partial<Pick<DepositView, "problems" | "understood" | "outcome" | "place" | "duplicates">> = {},
): DepositView {
  return {
    ...{ id: found.id, type: null, csrf, entries: formView(found.definition, found.tree), base: found.base },
    formKey: null,
    ...{ savedAt: found.savedAt, filesEnabled: found.filesEnabled, isPublished: found.isPublished },
    ...{
      place: NOTHING,
      duplicates: NOTHING,
      problems: [],
      understood: new Map(),
      outcome: null,
      suggestion: null,
      ...more,
    },
  };
}

/** Where the draft goes, in its form. */
async function placeOfDraft(
  needs: DepositPagesNeeds,
  reader: Reader,
  { place: values, isForCommunities: isOpen }: Pick<DraftForm, "place" | "isForCommunities">,
  more: Pick<Partial<SavedForm>, "faults" | "understood"> & { readonly sent?: Typed["sent"] } = {},
): Promise<Html> {
  const isForCommunities = isOpen && (await needs.approval.isDirect());
  return await placeHtml(needs, reader, { values, isForCommunities, ...more });
}

/** Members of the form that are not fields of the item type. */
const OWN: ReadonlySet<string> = new Set([
  ...[
    "import",
    "csrf",
    "base",
    "form-key",
    "item-type",
    "save",
    "files",
    "publish",
    "no-files",
    "add",
    "remove",
    "move-up",
    "move-down",
  ],
  ...SUGGESTION_MEMBERS,
]);

const isOwn = (name: string): boolean => OWN.has(name) || isPlaceField(name);

async function save(needs: DepositPagesNeeds, request: Request, known: number | null): Promise<Response> {
  const opened = await openPage(needs, request, "account");
  if (opened.signedIn === null) return await keepTyped(needs, request, opened.site, known);
  const isScript = isFromScript(request);
  const reader = { ...opened, csrf: opened.signedIn.csrf };
  const sent = await needs.guard.draftForm(request);
  const own = new Map(sent.filter(([name]) => isOwn(name)));
  if (!isScript && isOfOwnSite(request) && !hasFormToken(own.get("csrf"), reader.csrf)) {
    return await showTyped(needs, request, reader, { id: known, sent, own });
  }
  requireFormToken(own.get("csrf"), reader.csrf);
  const { id, base } =
    known === null
      ? await needs.records.makeDraft(reader.viewer, { key: own.get("form-key") ?? null, kind: sentKind(own) })
      : { id: known, base: own.get("base") ?? "" };
  const change = groupChange(own);
  const suggesting = await suggestionWork(needs, reader, id, own);
  const saved = await needs.records.saveForm(reader.viewer, id, {
    entries: sent.filter(([name]) => !isOwn(name)),
    place: sentPlace(sent),
    base,
    rows: change === null ? null : { group: change.group, change: (rows, empty) => rearranged(rows, change, empty) },
    filesEnabled: own.get("no-files") !== "yes",
    fill: suggesting.fill,
  } satisfies SentForm);
  if (isScript) return await scriptAnswer(needs, reader, saved, known === null);
  const shown = await suggesting.shown(saved);
  const next = change === null && shown === null && !own.has("place-find") ? afterSaving(saved, own) : null;
  if (next !== null) return redirectTo(reader.site.rootPath, next);
  return await formAnswer(needs, request, reader, saved, { sent, suggestion: shown });
}

/** Browsers state it of each request; another site cannot have a person shown what it has filled in. */
const isOfOwnSite = ({ headers }: Request): boolean => headers.get("sec-fetch-site") === "same-origin";

/** Bytes of a form that is kept for somebody who is not signed in. */
const KEPT_BYTES = 1024 * 1024;

/** The session has ended while the form was filled in: nothing that was typed is lost. */
async function keepTyped(
  needs: DepositPagesNeeds,
  request: Request,
  site: Reader["site"],
  id: number | null,
): Promise<Response> {
  const bytes = Number(request.headers.get("content-length") ?? "Infinity");
  if (!isOfOwnSite(request) || bytes > KEPT_BYTES) throw new Refusal("unauthenticated", "Sign in first");
  const sent = (await needs.guard.draftForm(request)).filter(([name]) => name !== "csrf");
  const page = sessionOverPage({ action: id === null ? "/deposit" : pathTo(id), sent }, site);
  return await htmlAnswer(request, site, page, { status: 401, cacheable: false });
}

type Typed = {
  readonly id: number | null;
  readonly sent: readonly (readonly [name: string, value: string])[];
  readonly own: ReadonlyMap<string, string>;
};

/** A form of an earlier session: it is shown as it was typed, and saved by the person. */
async function showTyped(needs: DepositPagesNeeds, request: Request, reader: Depositor, { id, sent, own }: Typed) {
  const found = id === null ? null : await needs.records.openForm(reader.viewer, id);
  const type = id === null ? sentType(own) : null;
  const definition = found?.definition ?? (await needs.records.blankForm(reader.viewer, type));
  const { tree } = readPostedForm(
    sent.filter(([name]) => !isOwn(name)),
    definition,
  );
  const values = sentPlace(sent) ?? found?.place ?? NOWHERE;
  const state = { place: values, isForCommunities: found?.isForCommunities ?? true };
  const view: DepositView = {
    ...{
      id,
      type: id === null ? (own.get("item-type") ?? null) : null,
      csrf: reader.csrf,
      entries: formView(definition, tree),
      base: own.get("base") ?? null,
    },
    ...{ savedAt: null, place: await placeOfDraft(needs, reader, state) },
    formKey: own.get("form-key") ?? null,
    ...{ filesEnabled: own.get("no-files") !== "yes", isPublished: found?.isPublished ?? false },
    ...{ problems: [], understood: new Map(), outcome: "expired", suggestion: null },
    duplicates: await duplicatesHtml(needs, reader, found, definition),
  };
  return await htmlAnswer(request, reader.site, depositPage(view, reader.site), { status: 403, cacheable: false });
}

/** Where a form without faults leads; null: it is shown again. */
function afterSaving({ id, isSaved, faults, understood }: SavedForm, own: ReadonlyMap<string, string>): string | null {
  if (!isSaved || faults.length > 0) return null;
  if (own.has("import")) return pathTo(id, "/import");
  if (own.has("files")) return pathTo(id, "/files");
  if (own.has("publish")) return pathTo(id, "/publish");
  return understood.size > 0 ? null : pathTo(id, "?saved=yes");
}

async function formAnswer(
  needs: DepositPagesNeeds,
  request: Request,
  reader: Depositor,
  saved: SavedForm,
  { sent, suggestion }: Pick<Typed, "sent"> & Pick<DepositView, "suggestion">,
): Promise<Response> {
  const { isSaved, faults, understood } = saved;
  const outcome = !isSaved ? "not-saved" : faults.length > 0 ? "saved-without" : "saved";
  const place = await placeOfDraft(needs, reader, saved, { faults, understood, sent });
  const duplicates = await duplicatesHtml(needs, reader, saved, saved.definition);
  const bare = viewOf(saved, reader, { place, duplicates });
  const view = { ...bare, problems: problemsOf(faults, bare, reader), understood, outcome, suggestion } as const;
  const status = !isSaved ? 409 : faults.length > 0 ? 400 : 200;
  return await htmlAnswer(request, reader.site, depositPage(view, reader.site), { status, cacheable: false });
}

/** What the script of the form shows of it. */
async function scriptAnswer(
  needs: DepositPagesNeeds,
  reader: Depositor,
  saved: SavedForm,
  isNew: boolean,
): Promise<Response> {
  const { id, base, savedAt, isSaved, filesEnabled, faults, conflicts, changed, understood, place } = saved;
  const { site } = reader;
  const isShown = faults.length > 0 || changed.size > 0;
  const entries = isShown ? formView(saved.definition, saved.tree) : [];
  const problems = problemsOf(faults, { entries }, reader);
  // Faults of conflicts come last, in their order.
  const ofConflicts = problems.slice(problems.length - conflicts.length);
  return savedForm({
    ...{ id, base, saved_at: savedAt, is_saved: isSaved, files_enabled: filesEnabled, problems },
    understood: [...understood].map(([field, words]) => ({ field, text: inLanguage(words, site) })),
    conflicts: conflicts.map(({ theirs }, at) => ({ field: ofConflicts[at]?.field ?? null, theirs })),
    changed: entries
      .filter(({ name }) => changed.has(name))
      .map((entry) => ({ group: entry.name, fields: Object.fromEntries(fieldsIn(entry)) })),
    communities: place.communities,
    ...(saved.isPlaceChanged ? { place: (await placeOfDraft(needs, reader, saved, saved)).markup } : {}),
    ...(isNew ? { links: draftLinks(id, site).markup } : {}),
  });
}

const inLanguage = (words: { readonly en: string; readonly ja: string }, { texts }: Reader["site"]): string =>
  texts.tag === "ja" ? words.ja : words.en;

/** Each fault at a control of the page. */
function problemsOf(faults: readonly FormFault[], { entries }: Pick<DepositView, "entries">, { site }: Reader) {
  const controls = new Set<string>();
  const collect = (all: DepositView["entries"]): void => {
    for (const each of all) {
      if (each.kind === "field") controls.add(each.name);
      else each.rows.forEach(collect);
    }
  };
  collect(entries);
  return faults.map(({ name, words }) => {
    const below = name === null ? undefined : [...controls].find((each) => each.startsWith(`${name}.`));
    const isControl = name !== null && (controls.has(name) || isPlaceField(name));
    const field = isControl ? name : (below ?? null);
    return { field, text: inLanguage(words, site) };
  });
}

/** Where the form is not shown, the words begin with the label of the group that they are about. */
function withLabel(problem: FieldProblem, { entries }: Pick<DepositView, "entries">, { site }: Reader): FieldProblem {
  const { field, text } = problem;
  const entry = entries.find(({ name }) => field === name || field?.startsWith(`${name}.`) === true);
  if (entry === undefined) return problem;
  const { en, ja = en } = entry.label;
  return { field, text: `${inLanguage({ en, ja }, site)}${site.texts.site.colon}${text}` };
}

/** A form of a few fields. */
export async function smallForm(
  needs: PageNeeds & { readonly guard: Pick<RepositoryGuard, "form"> },
  request: Request,
) {
  const reader = await openDeposit(needs, request);
  const fields = await needs.guard.form(request);
  requireFormToken(fields.get("csrf"), reader.csrf);
  return { reader, fields };
}

async function askToPublish(needs: DepositPagesNeeds, request: Request, id: number): Promise<Response> {
  return await publishAnswer(needs, request, id, await openDeposit(needs, request));
}

async function publishAnswer(needs: DepositPagesNeeds, request: Request, id: number, reader: Depositor, status = 200) {
  const found = await needs.records.openForm(reader.viewer, id);
  const faults = await needs.records.publishingFaults(reader.viewer, id);
  const { warnings } = await needs.records.checks(reader.viewer, id);
  const form = viewOf(found, reader);
  const shown = problemsOf(faults, form, reader).map((problem) => withLabel(problem, form, reader));
  const { isPublished } = found;
  const duplicates = await foundDuplicates(needs, reader, found);
  const { workflow, none } = await approvalOf(needs, reader, id);
  const communities =
    found.isForCommunities && workflow === null
      ? await needs.communityChoices.named(reader.viewer, found.place.communities)
      : [];
  const problems = none === null ? shown : [...shown, { field: null, text: none }];
  const own = { id, csrf: reader.csrf, base: found.base, isPublished, problems };
  const view = { ...own, communities, workflow, warnings, duplicates };
  return await htmlAnswer(request, reader.site, publishPage(view, reader.site), { status, cacheable: false });
}

/** The workflow of a draft, or why it needs one that is not there. */
async function approvalOf({ approval }: DepositPagesNeeds, { viewer }: Depositor, id: number) {
  try {
    return { workflow: await approval.workflowOf(viewer, id), none: null };
  } catch (error) {
    if (!isRefusal(error, "invalid")) throw error;
    return { workflow: null, none: error.message };
  }
}

async function publish(needs: DepositPagesNeeds, request: Request, id: number): Promise<Response> {
  const { reader, fields } = await smallForm(needs, request);
  const faults = await needs.records.publishingFaults(reader.viewer, id);
  if (faults.length > 0) return await publishAnswer(needs, request, id, reader, 400);
  const mark = fields.get("base") ?? "";
  try {
    if (fields.has("approval")) {
      const { activity, done } = await needs.approval.submitForApproval(reader.viewer, id, mark);
      if (!done) return redirectTo(reader.site.rootPath, `/workflow/activity/detail/${activity}`);
    } else if ((await needs.approval.workflowOf(reader.viewer, id)) !== null) {
      return await publishAnswer(needs, request, id, reader, 409);
    } else if (fields.has("review")) {
      const { id: asked, isPublished } = await needs.requests.reviews.submitSeen(reader.viewer, id, mark);
      if (!isPublished) return redirectTo(reader.site.rootPath, `/requests/${asked}`);
    } else await needs.records.publish(reader.viewer, id, { ...ANYTHING, mark });
  } catch (error) {
    // It was changed, or became incomplete, since the question: the question is asked again.
    if (!isRefusal(error, "invalid", "precondition")) throw error;
    return await publishAnswer(needs, request, id, reader, isRefusal(error, "precondition") ? 409 : 400);
  }
  return redirectTo(reader.site.rootPath, `/records/${id}`);
}

async function revisions(needs: DepositPagesNeeds, request: Request, id: number): Promise<Response> {
  const { viewer, site } = await openDeposit(needs, request);
  const lines = (await needs.records.draftRevisions(viewer, id)).filter(({ is_current: isCurrent }) => !isCurrent);
  return await htmlAnswer(request, site, draftRevisionsPage({ id, lines }, site), { cacheable: false });
}

async function oneRevision(needs: DepositPagesNeeds, request: Request, id: number, revision: number) {
  const { viewer, site, csrf } = await openDeposit(needs, request);
  const found = await needs.records.formDifferences(viewer, id, revision);
  const page = draftRevisionPage({ ...found, id, csrf, revision }, site);
  return await htmlAnswer(request, site, page, { cacheable: false });
}

async function restore(needs: DepositPagesNeeds, request: Request, id: number, revision: number): Promise<Response> {
  const { reader, fields } = await smallForm(needs, request);
  await needs.records.restoreDraft(reader.viewer, id, revision, { ...ANYTHING, mark: fields.get("base") ?? "" });
  return redirectTo(reader.site.rootPath, pathTo(id, "?saved=yes"));
}

async function askToDiscard(needs: DepositPagesNeeds, request: Request, id: number): Promise<Response> {
  const { viewer, site, csrf } = await openDeposit(needs, request);
  await needs.records.openForm(viewer, id);
  return await htmlAnswer(request, site, discardPage({ id, csrf }, site), { cacheable: false });
}

async function discard(needs: DepositPagesNeeds, request: Request, id: number): Promise<Response> {
  const { reader } = await smallForm(needs, request);
  await needs.records.discard(reader.viewer, id);
  return redirectTo(reader.site.rootPath, "/");
}
