// What is wrong with a form of a person, field by field, in the words of the page (R40): the interface checks what was
// sent, and names the field.

import { LOCAL, localNumber } from "../../model/agents/author.ts";
import type { FieldProblem } from "../../pages/components/errors.ts";
import { FieldFault } from "../../shared/field-faults.ts";
import { most } from "../../shared/limits.ts";
import { isRefusal, type Refusal } from "../../shared/refusal.ts";
import { choicesOf, NEW_AUTHOR } from "../authors/author-body.ts";
import type { AuthorChoice } from "../store/authors.ts";
import type { RepositoryTexts } from "./languages/index.ts";
import { formBody } from "./person-form.ts";

type Fields = ReadonlyMap<string, string>;

/** Problems at most that a page shows. */
const PROBLEMS_MAX = 50;

/**
 * Everything that can be seen to be wrong without asking the database: what is wrong is left out, and the rest is read
 * again.
 */
export function formProblems(
  fields: Fields,
  choices: readonly AuthorChoice[],
  texts: RepositoryTexts,
): readonly FieldProblem[] {
  const known = choicesOf(choices);
  const left = new Map(fields);
  const problems: FieldProblem[] = [];
  while (problems.length < PROBLEMS_MAX) {
    const { author, places } = formBody(left);
    try {
      NEW_AUTHOR.read({ author }, "")(known);
      return problems;
    } catch (error) {
      if (!isRefusal(error, "invalid")) throw error;
      const path = pathOf(error);
      const problem = problemAt(path, left, places, texts);
      problems.push(problem);
      const row = rowOf(path, places) ?? problem.field;
      if (row === null) return problems;
      for (const name of left.keys()) if (name === row || name.startsWith(`${row}.`)) left.set(name, "");
    }
  }
  return problems;
}

/** What the service refused, at the field it is about. */
export function refusalProblem(refusal: Refusal, fields: Fields, texts: RepositoryTexts): FieldProblem {
  const { problems } = texts.person;
  if (refusal.kind === "forbidden") return { field: "communities", text: problems.rights };
  if (refusal.kind === "invalid") return problemAt(pathOf(refusal), fields, formBody(fields).places, texts);
  return { field: null, text: refusal.kind === "conflict" ? problems.conflict : problems.later };
}

/** What was wrong with the number of another person. */
export function mergeProblem({ kind }: Refusal, { person }: RepositoryTexts): FieldProblem {
  const { problems } = person;
  if (kind === "forbidden") return { field: "into", text: problems.rights };
  return { field: "into", text: kind === "unavailable" || kind === "too_many" ? problems.later : problems.into };
}

/** The path of the interface that a refusal names; empty where it names none. */
const pathOf = (refusal: Refusal): string => (refusal instanceof FieldFault ? refusal.path : "");

/** The row of the form that a path is about. */
function rowOf(path: string, places: ReadonlyMap<string, string>): string | null {
  for (const [at, row] of places) if (path === at || path.startsWith(`${at}.`)) return row;
  return null;
}

/** Parts of a row by the member of the interface. */
const PARTS: Readonly<Record<string, string>> = {
  language: ".language",
  familyName: ".familyName",
  firstName: ".firstName",
  idType: ".type",
  authorId: ".value",
  email: "",
  affiliationName: ".value",
  affiliationNameLang: ".language",
  affiliationIdType: ".type",
  affiliationId: ".value",
  periodStart: ".from",
  periodEnd: ".to",
};
const NAMES: ReadonlySet<string> = new Set(["familyName", "firstName", "affiliationName"]);

function problemAt(
  path: string,
  fields: Fields,
  places: ReadonlyMap<string, string>,
  { person }: RepositoryTexts,
): FieldProblem {
  const { problems } = person;
  const sentAt = (name: string): string => fields.get(name)?.trim() ?? "";
  if (path.startsWith("author.communityIds")) return { field: "communities", text: problems.community };
  if (path === "author.authorIdInfo") return localProblem(fields, places, problems);
  const row = rowOf(path, places);
  if (row === null) return { field: null, text: problems.other };
  const member = path.slice(path.lastIndexOf(".") + 1);
  const part = PARTS[member];
  if (part === undefined) return wholeRow(path, row, sentAt, problems);
  const field = `${row}${part}`;
  const value = sentAt(field);
  if (value.length > most(NAMES.has(member) ? "nameCharacters" : "authorCharacters")) {
    return { field, text: problems.long };
  }
  if (part === ".from" || part === ".to") return { field, text: problems.day };
  if (part === ".language") return { field, text: problems.languageUnknown };
  if (part === ".type") return { field, text: problems.schemeUnknown };
  if (part === ".value") return { field, text: problems.identifier(sentAt(`${row}.type`)) };
  return { field, text: problems.other };
}

type Problems = RepositoryTexts["person"]["problems"];

/** A row of which one half is missing, or whose end is before its start. */
function wholeRow(path: string, row: string, sentAt: (name: string) => string, problems: Problems): FieldProblem {
  if (path.includes("affiliationPeriodInfo")) return { field: `${row}.to`, text: problems.order };
  if (path.includes("authorNameInfo")) return { field: `${row}.language`, text: problems.language };
  if (path.includes("affiliationNameInfo")) {
    return sentAt(`${row}.value`) === ""
      ? { field: `${row}.value`, text: problems.name }
      : { field: `${row}.language`, text: problems.language };
  }
  return sentAt(`${row}.type`) === ""
    ? { field: `${row}.type`, text: problems.scheme }
    : { field: `${row}.value`, text: problems.value };
}

/** About the numbers of the repository's own scheme. */
function localProblem(fields: Fields, places: ReadonlyMap<string, string>, problems: Problems): FieldProblem {
  const rows = [...places].flatMap(([path, row]) => (path.startsWith("author.authorIdInfo[") ? [row] : []));
  const own = rows.filter((row) => fields.get(`${row}.type`) === LOCAL).map((row) => `${row}.value`);
  const [first] = own;
  if (first === undefined) return { field: fields.has("i.0.type") ? "i.0.type" : null, text: problems.localMissing };
  const stray = own.find((name) => localNumber(fields.get(name)?.trim() ?? "") === null);
  return stray === undefined ? { field: first, text: problems.localTaken } : { field: stray, text: problems.localForm };
}
