// Pages of persons (R20 to R22, R40): everybody's page of one, and for those who look after authors the list, the form
// and taking one away.
import type { Author } from "../../../src/model/agents/author.ts";
import type { FieldProblem } from "../../../src/pages/components/errors.ts";
import { type GroupChange, groupChange } from "../../../src/pages/components/groups.ts";
import { CHANGED_AUTHOR, NEW_AUTHOR } from "../../../src/repository/authors/author-body.ts";
import { type Authors, COMMUNITY_CHOICES_MAX, type CommunityChoice } from "../../../src/repository/authors/authors.ts";
import {
  communityBox,
  formBody,
  formGroups,
  NEW_PERSON,
  rearrangedContent,
  sentCommunities,
  sentContent,
} from "../../../src/repository/pages/person-form.ts";
import { formProblems, mergeProblem, refusalProblem } from "../../../src/repository/pages/person-problems.ts";
import {
  type CountedWorks,
  type ListedPerson,
  namesOf,
  type PersonShowing,
  type ShownPerson,
} from "../../../src/repository/pages/persons.ts";
import { type SiteView, titleIn as titleOf, wordOf } from "../../../src/repository/pages/templates/layout.ts";
import {
  type PersonView,
  peoplePage,
  personFormPage,
  personListPage,
  personPage,
} from "../../../src/repository/pages/templates/person-page.ts";
import type { AuthorReader } from "../../../src/repository/store/authors.ts";
import type { AuthorId } from "../../../src/shared/ids.ts";
import { Refusal } from "../../../src/shared/refusal.ts";
import { pathParameter, queryParameter } from "../../http/document-parts.ts";
import { type RouteAnswers, routesOf } from "../../http/routes.ts";
import { signedInForm } from "./account-pages.ts";
import { htmlAnswer, openPage, type PageNeeds, pageNumber, type Reader, redirectTo } from "./answers.ts";
import { hasFormToken } from "./cookies.ts";
import {
  AFTER_FORM,
  FORBIDDEN,
  FORM_AGAIN,
  form,
  GONE,
  html,
  mountPages,
  movedTo,
  NOT_FOUND,
  PAGE,
  SIGN_IN,
  UNKEPT,
} from "./page-routes.ts";
import { itemLine } from "./views.ts";

export type PersonPagesNeeds = PageNeeds & {
  readonly persons: PersonShowing;
  readonly authors: Authors;
  /** The public address of a person's page. */
  readonly personPage: (id: AuthorId) => string;
  readonly authorChoices: AuthorReader["authorChoices"];
};

/** Persons of one page of the list. */
const PAGE_SIZE = 50;

const ID = pathParameter("id", "Number of the author");
const PERSON_FORM = form(
  {
    further: "Communities that the page has no box for, separated by commas",
    force_change: "true: also where items use it",
    add: "A group that gets one more entry; nothing is saved",
    remove: "An entry that is taken away; nothing is saved",
    "move-up": "An entry that changes places with the one before; nothing is saved",
    "move-down": "An entry that changes places with the next one; nothing is saved",
  },
  "Names `n.0.familyName`, identifiers `i.0.value`, addresses `m.0`, affiliations `a.0.n.0.value`, communities `community:SLUG` …, as the page has them",
);
/** A form of a person is shown again with the status of its fault. */
const MADE: RouteAnswers = { ...AFTER_FORM, ...FORM_AGAIN };
const SAVED: RouteAnswers = { ...MADE, ...NOT_FOUND, ...GONE };
const REARRANGED: RouteAnswers = { 200: html("The form with one entry more, less or moved") };

const { get, post } = routesOf<PersonPagesNeeds>();

const ROUTES = [
  get("/authors", {
    id: "personListPage",
    summary: "Persons, for those who look after authors",
    parameters: [
      queryParameter("name", "Words of names", { type: "string" }),
      queryParameter("page", "Page of the list, from 1", { type: "integer" }),
    ],
    scopes: "session",
    answers: { ...UNKEPT, ...FORBIDDEN, ...SIGN_IN, 400: html("The list is invalid") },
    run: persons,
  }),
  get("/authors/new", {
    id: "newPersonPage",
    summary: "The form of a new person",
    scopes: "session",
    answers: { ...UNKEPT, ...FORBIDDEN, ...SIGN_IN },
    run: (needs, request) => personForm(needs, request, null),
  }),
  post("/authors/new/edit", {
    id: "createPersonByForm",
    summary: "Make a person",
    scopes: "session",
    content: PERSON_FORM,
    answers: { ...MADE, ...REARRANGED },
    run: (needs, request) => save(needs, request, null),
  }),
  get("/persons", {
    id: "peoplePage",
    summary: "People whose work is here, by name and by how many items",
    parameters: [
      queryParameter("name", "How a name begins, or an ORCID iD", { type: "string" }),
      queryParameter("page", "Number of the page", { type: "integer" }),
    ],
    answers: PAGE,
    run: people,
  }),
  get("/authors/:id", {
    id: "personPage",
    summary: "A person: names, identifiers, affiliations, items",
    parameters: [ID],
    answers: { ...PAGE, ...movedTo("The person who took this one in"), ...NOT_FOUND, ...GONE },
    run: (needs, request, { id }) => person(needs, request, id),
  }),
  get("/authors/:id/edit", {
    id: "personFormPage",
    summary: "The form of a person",
    parameters: [ID],
    scopes: "session",
    answers: { ...UNKEPT, ...FORBIDDEN, ...SIGN_IN, ...NOT_FOUND, ...GONE },
    run: (needs, request, { id }) => personForm(needs, request, id),
  }),
  post("/authors/:id/edit", {
    id: "savePersonByForm",
    summary: "Save a person",
    parameters: [ID],
    scopes: "session",
    content: PERSON_FORM,
    answers: { ...SAVED, ...REARRANGED },
    run: (needs, request, { id }) => save(needs, request, id),
  }),
  post("/authors/:id/merge", {
    id: "mergePersonByForm",
    summary: "Merge a person into another",
    parameters: [ID],
    scopes: "session",
    content: form({ into: "Number of the other person" }),
    answers: SAVED,
    run: (needs, request, { id }) => merge(needs, request, id),
  }),
  post("/authors/:id/delete", {
    id: "deletePersonByForm",
    summary: "Delete a person",
    parameters: [ID],
    scopes: "session",
    content: form({ sure: "yes" }),
    answers: SAVED,
    run: (needs, request, { id }) => remove(needs, request, id),
  }),
];

export const personPages = (needs: PersonPagesNeeds) => mountPages("person-pages", ROUTES, needs);

/** Text that is not a number: no person has it. */
function personId(text: string): number {
  const id = Number(text);
  if (/^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(id)) return id;
  throw new Refusal("not_found", `There is no person ${text.slice(0, 100)}`);
}

/** Characters of a name that is searched for. */
const NAME_CHARACTERS = 200;

async function people(needs: PersonPagesNeeds, request: Request): Promise<Response> {
  const { viewer, site } = await openPage(needs, request, "pages");
  const url = new URL(request.url);
  const words = (url.searchParams.get("name") ?? "")
    .slice(0, NAME_CHARACTERS)
    .toWellFormed()
    .replaceAll("\0", "")
    .trim();
  const found = await needs.persons.people(viewer, words, pageNumber(url));
  return await htmlAnswer(
    request,
    site,
    peoplePage({ ...found, words, people: inTagFirst(found.people, site.texts.tag) }, site),
  );
}

/** With the names in the reader's language first. */
const inTagFirst = (people: readonly ListedPerson[], tag: string): readonly ListedPerson[] =>
  people.map((each) => ({ ...each, names: ofTagFirst(each.names, tag) }));

const ofTagFirst = <Name extends { readonly lang?: string }>(names: readonly Name[], tag: string): readonly Name[] =>
  [...names].sort((one, other) => Number(other.lang === tag) - Number(one.lang === tag));

async function person(needs: PersonPagesNeeds, request: Request, written: string): Promise<Response> {
  const { viewer, site } = await openPage(needs, request, "pages");
  const shown = await needs.persons.person(viewer, personId(written));
  // Permanent: a merged person is the person they were merged into.
  if ("movedTo" in shown) return redirectTo(site.rootPath, `/authors/${shown.movedTo}`, 302);
  const address = needs.personPage(shown.author.id);
  return await htmlAnswer(request, site, personPage(viewOf(shown, address, site), site));
}

function viewOf(shown: ShownPerson, address: string, { texts: { tag }, rootPath }: SiteView): PersonView {
  const { author, isManager, names, identifiers, affiliations } = shown;
  const inTag = ofTagFirst(names, tag);
  const lines = (works: readonly CountedWorks[], labelOf: (value: string) => string) =>
    works.map(({ value, count, parameter }) => ({
      label: labelOf(value),
      count,
      href:
        parameter === null
          ? null
          : `${rootPath}/search?${new URLSearchParams({ author: `${author.id}`, [parameter]: value })}`,
    }));
  return {
    id: author.id,
    names: inTag,
    kinds: lines(shown.kinds, (id) => wordOf({ vocabulary: "resourcetypes", id }, tag) ?? id),
    years: lines(shown.years, (year) => year),
    coauthors: inTagFirst(shown.coauthors, tag),
    identifiers,
    affiliations,
    items: shown.items.map((item) => itemLine(item, tag)),
    total: shown.total,
    mails: isManager ? author.content.emailInfo.map(({ email }) => email) : null,
    data: schemaPerson(shown, address),
  };
}

/** schema.org Person, without mail addresses. */
function schemaPerson({ names, identifiers, affiliations }: ShownPerson, address: string) {
  const [first, ...others] = names;
  const texts = others.map(({ text }) => text);
  const orgs = affiliations.flatMap(({ names: orgNames, identifiers: ids }) => {
    const [name] = orgNames;
    const sameAs = ids.flatMap(({ href }) => href ?? []);
    return name === undefined
      ? []
      : [{ "@type": "Organization", name: name.text, ...(sameAs.length === 0 ? {} : { sameAs }) }];
  });
  const sameAs = identifiers.flatMap(({ href }) => href ?? []);
  return {
    "@context": "https://schema.org/",
    "@type": "Person",
    "@id": address,
    url: address,
    ...(first === undefined ? {} : { name: first.text }),
    ...(first === undefined || first.family === "" ? {} : { familyName: first.family }),
    ...(first === undefined || first.given === "" ? {} : { givenName: first.given }),
    ...(texts.length === 0 ? {} : { alternateName: texts }),
    ...(sameAs.length === 0 ? {} : { sameAs }),
    ...(orgs.length === 0 ? {} : { affiliation: orgs }),
  };
}

/** Only for curators of authors: other accounts are refused, guests are asked to sign in. */
async function openForManager(needs: PersonPagesNeeds, request: Request): Promise<Reader> {
  const reader = await openPage(needs, request, "authors");
  if (reader.viewer.account === null) throw new Refusal("unauthenticated", "Sign in first");
  needs.authors.admit(reader.viewer);
  return reader;
}

async function persons(needs: PersonPagesNeeds, request: Request): Promise<Response> {
  const { viewer, site } = await openForManager(needs, request);
  const url = new URL(request.url);
  const [page, words] = [pageNumber(url), url.searchParams.get("name")?.trim() ?? ""];
  const asked = new URLSearchParams({ page: `${page}`, size: `${PAGE_SIZE}` });
  if (words !== "") asked.set("fullname", words);
  const found = await needs.authors.search(viewer, asked);
  const lines = found.map(({ id, content }) => ({
    id,
    names: namesOf(content, "all"),
    identifiers: content.authorIdInfo.map(({ idType, authorId }) => `${idType} ${authorId}`),
  }));
  const view = { words, persons: lines, page, isMore: found.length === PAGE_SIZE };
  return await htmlAnswer(request, site, personListPage(view, site), { cacheable: false });
}

async function personForm(needs: PersonPagesNeeds, request: Request, written: string | null): Promise<Response> {
  const reader = await openForManager(needs, request);
  const author = written === null ? null : await authorOf(needs, reader, written);
  return await formAnswer(needs, request, reader, author, null);
}

async function authorOf({ persons: shown }: PersonPagesNeeds, { viewer }: Reader, written: string): Promise<Author> {
  const found = await shown.person(viewer, personId(written));
  if ("movedTo" in found) throw new Refusal("gone", `This person is now person ${found.movedTo}`);
  return found.author;
}

type Fields = ReadonlyMap<string, string>;

/** What was sent, where it is shown again, and what is wrong with it. */
type SentForm = {
  readonly fields: Fields;
  /** It is the small form of the page that merges two persons: the large one shows the person as they are. */
  readonly isMerge?: boolean;
  readonly problems: readonly FieldProblem[];
  readonly status: number;
  /** A button of a group was pressed: the form is shown again, changed by it. */
  readonly change?: GroupChange;
};

/** Boxes for communities, those that were chosen among them; what else was chosen is a text where there are very many. */
function communityFields(all: readonly CommunityChoice[], chosen: readonly string[], tag: string) {
  const isMore = all.length > COMMUNITY_CHOICES_MAX;
  const shown = all
    .slice(0, COMMUNITY_CHOICES_MAX)
    .map(({ slug, title }) => ({ slug, label: titleOf(title, tag) || slug }));
  const others = chosen.filter((slug) => !shown.some((each) => each.slug === slug));
  const boxes = isMore ? shown : [...shown, ...others.map((slug) => ({ slug, label: slug }))];
  return {
    communities: boxes
      .sort((one, other) => one.label.localeCompare(other.label, tag))
      .map(({ slug, label }) => ({ name: communityBox(slug), label, isChosen: chosen.includes(slug) })),
    further: isMore ? others.join(", ") : null,
  };
}

async function formAnswer(
  needs: PersonPagesNeeds,
  request: Request,
  { site, signedIn, viewer }: Reader,
  author: Author | null,
  sent: SentForm | null,
): Promise<Response> {
  const { texts } = site;
  const name = author === null ? undefined : namesOf(author.content, "all")[0]?.text;
  const fields = sent === null || sent.isMerge === true ? null : sent.fields;
  const was = fields === null ? (author?.content ?? NEW_PERSON) : sentContent(fields);
  const content = sent?.change === undefined ? was : rearrangedContent(was, sent.change);
  const chosen = fields === null ? (author?.communities ?? []) : sentCommunities(fields);
  const communities = signedIn === null ? [] : await needs.authors.communityChoices(viewer);
  const view = {
    id: author?.id ?? null,
    title: author === null ? texts.person.add : texts.person.editOf(name ?? texts.person.nameless),
    groups: formGroups(content, await needs.authorChoices(), texts),
    ...communityFields(communities, chosen, texts.tag),
    forceChange: fields?.get("force_change") === "true",
    into: sent?.fields.get("into") ?? "",
    problems: sent?.problems ?? [],
    csrf: signedIn?.csrf ?? "",
  };
  return await htmlAnswer(request, site, personFormPage(view, site), { status: sent?.status ?? 200, cacheable: false });
}

/**
 * The fields of a form, once they are read and its sender may look after authors; else the answer that shows them
 * again.
 */
async function sentForm(
  needs: PersonPagesNeeds,
  request: Request,
  written: string | null,
): Promise<{ readonly reader: Reader; readonly fields: Fields } | Response> {
  const reader = await openPage(needs, request, "account");
  const fields = await needs.guard.form(request);
  const { problems } = reader.site.texts.person;
  if (reader.signedIn === null) {
    // Nothing of the person is shown but what came with the form.
    const sent = { fields, problems: [{ field: null, text: problems.signedOut }], status: 401 };
    return await formAnswer(needs, request, reader, null, sent);
  }
  needs.authors.admit(reader.viewer);
  if (hasFormToken(fields.get("csrf"), reader.signedIn.csrf)) return { reader, fields };
  const author = written === null ? null : await authorOf(needs, reader, written);
  const sent = { fields, problems: [{ field: null, text: problems.expired }], status: 403 };
  return await formAnswer(needs, request, reader, author, sent);
}

/** Kinds of refusals that a form is shown again for, with everything that was sent; others are about something else. */
const SHOWN_AGAIN = ["invalid", "conflict", "forbidden", "unavailable", "too_many"] as const;

/** Saves, and shows the person; errors are shown at their fields, and no input is lost. */
async function done(
  needs: PersonPagesNeeds,
  request: Request,
  sent: { readonly reader: Reader; readonly fields: Fields; readonly isMerge: boolean },
  written: string | null,
  act: () => Promise<string>,
): Promise<Response> {
  const { reader, fields, isMerge } = sent;
  try {
    return redirectTo(reader.site.rootPath, await act());
  } catch (error) {
    const kinds: readonly string[] = isMerge ? [...SHOWN_AGAIN, "not_found"] : SHOWN_AGAIN;
    if (!(error instanceof Refusal) || !kinds.includes(error.kind)) throw error;
    const author = written === null ? null : await authorOf(needs, reader, written);
    const { texts } = reader.site;
    const problem = isMerge ? mergeProblem(error, texts) : refusalProblem(error, fields, texts);
    return await formAnswer(needs, request, reader, author, {
      fields,
      isMerge,
      problems: [problem],
      status: error.status,
    });
  }
}

async function save(needs: PersonPagesNeeds, request: Request, written: string | null): Promise<Response> {
  const sent = await sentForm(needs, request, written);
  if (sent instanceof Response) return sent;
  const { reader, fields } = sent;
  const change = groupChange(fields);
  if (change !== null) {
    const author = written === null ? null : await authorOf(needs, reader, written);
    return await formAnswer(needs, request, reader, author, { fields, problems: [], status: 200, change });
  }
  const problems = formProblems(fields, await needs.authorChoices(), reader.site.texts);
  if (problems.length > 0) {
    const author = written === null ? null : await authorOf(needs, reader, written);
    return await formAnswer(needs, request, reader, author, { fields, problems, status: 400 });
  }
  const { author, force_change } = formBody(fields);
  return await done(needs, request, { reader, fields, isMerge: false }, written, async () => {
    const saved =
      written === null
        ? await needs.authors.create(reader.viewer, NEW_AUTHOR.read({ author }, ""))
        : await needs.authors.update(
            reader.viewer,
            `${personId(written)}`,
            CHANGED_AUTHOR.read({ author, force_change }, ""),
          );
    return `/authors/${saved.id}`;
  });
}

async function merge(needs: PersonPagesNeeds, request: Request, written: string): Promise<Response> {
  const { reader, fields } = await signedInForm(needs, request);
  return await done(needs, request, { reader, fields, isMerge: true }, written, async () => {
    const survivor = await needs.authors.merge(reader.viewer, `${personId(written)}`, fields.get("into")?.trim() ?? "");
    return `/authors/${survivor.id}`;
  });
}

async function remove(needs: PersonPagesNeeds, request: Request, written: string): Promise<Response> {
  const { reader, fields } = await signedInForm(needs, request);
  if (fields.get("sure") !== "yes") {
    needs.authors.admit(reader.viewer);
    const problems = [{ field: "sure", text: reader.site.texts.person.problems.sure }];
    const author = await authorOf(needs, reader, written);
    return await formAnswer(needs, request, reader, author, { fields, isMerge: true, problems, status: 400 });
  }
  await needs.authors.remove(reader.viewer, `${personId(written)}`);
  return redirectTo(reader.site.rootPath, "/authors");
}
