// An author as a form of a page, and the form as the interface takes it (specification 2, "Author resource"; R21, R40): a line for each thing that
// is said, and an empty one to say one more.
import type { AuthorContent } from "../model/author.ts";
import type { AuthorChoice, ChoiceKind } from "../store/authors.ts";
import type { RepositoryTexts } from "./languages/index.ts";
import type { FormGroup } from "./templates/person-page.ts";

export const EMPTY_AUTHOR: AuthorContent = { emailInfo: [], authorIdInfo: [], authorNameInfo: [], affiliationInfo: [] };

/** One more than there are, up to what a form of a page may hold. */
const oneMore = <T>(list: readonly T[], blank: T): readonly T[] => [...list, blank];

export function formGroups(
  content: AuthorContent,
  choices: readonly AuthorChoice[],
  { person }: RepositoryTexts,
): readonly FormGroup[] {
  const of = (kind: ChoiceKind) => choices.filter((each) => each.kind === kind).map(({ id }) => id);
  const [schemes, institutions, languages] = [of("author"), of("institution"), of("language")];
  const blankName = { language: "", familyName: "", firstName: "", nameShowFlg: true };
  const names = oneMore(content.authorNameInfo, blankName).map((name, at) => [
    { name: `n${at}.language`, label: person.language, value: name.language ?? "", choices: languages },
    { name: `n${at}.familyName`, label: person.family, value: name.familyName ?? "" },
    { name: `n${at}.firstName`, label: person.given, value: name.firstName ?? "" },
    { name: `n${at}.show`, label: person.show, value: `${name.nameShowFlg}`, isFlag: true },
  ]);
  const blankId = { idType: "", authorId: "", authorIdShowFlg: true };
  const identifiers = oneMore(content.authorIdInfo, blankId).map((id, at) => [
    { name: `i${at}.type`, label: person.scheme, value: id.idType, choices: schemes },
    { name: `i${at}.value`, label: person.identifier, value: id.authorId },
    { name: `i${at}.show`, label: person.show, value: `${id.authorIdShowFlg}`, isFlag: true },
  ]);
  const mails = oneMore(content.emailInfo, { email: "" }).map(({ email }, at) => [
    { name: `m${at}`, label: person.mails, value: email },
  ]);
  const blank = { identifierInfo: [], affiliationNameInfo: [], affiliationPeriodInfo: [] };
  const affiliations = oneMore(content.affiliationInfo, blank).map((each, at): FormGroup => {
    const blankOrg = { affiliationName: "", affiliationNameLang: "", affiliationNameShowFlg: true };
    const blankOrgId = { affiliationIdType: "", affiliationId: "", identifierShowFlg: true };
    return {
      heading: person.affiliation(at + 1),
      rows: [
        ...oneMore(each.affiliationNameInfo, blankOrg).map((name, no) => [
          {
            name: `a${at}.n${no}.language`,
            label: person.language,
            value: name.affiliationNameLang,
            choices: languages,
          },
          { name: `a${at}.n${no}.value`, label: person.name, value: name.affiliationName },
          { name: `a${at}.n${no}.show`, label: person.show, value: `${name.affiliationNameShowFlg}`, isFlag: true },
        ]),
        ...oneMore(each.identifierInfo, blankOrgId).map((id, no) => [
          { name: `a${at}.i${no}.type`, label: person.scheme, value: id.affiliationIdType, choices: institutions },
          { name: `a${at}.i${no}.value`, label: person.identifier, value: id.affiliationId },
          { name: `a${at}.i${no}.show`, label: person.show, value: `${id.identifierShowFlg}`, isFlag: true },
        ]),
        ...oneMore(each.affiliationPeriodInfo, {}).map((period, no) => [
          { name: `a${at}.p${no}.from`, label: person.from, value: period.periodStart ?? "" },
          { name: `a${at}.p${no}.to`, label: person.to, value: period.periodEnd ?? "" },
        ]),
      ],
    };
  });
  return [
    { heading: person.names, rows: names },
    { heading: person.identifiers, rows: identifiers },
    { heading: person.mails, rows: mails },
    ...affiliations,
  ];
}

type Fields = ReadonlyMap<string, string>;

/** The lines `<prefix>0`, `<prefix>1`, … that say something, as far as they go. */
function lines<T>(
  fields: Fields,
  prefix: string,
  parts: readonly string[],
  made: (get: (part: string) => string) => T,
): T[] {
  const found: T[] = [];
  for (let at = 0; parts.some((part) => fields.has(`${prefix}${at}${part}`)); at += 1) {
    const get = (part: string): string => fields.get(`${prefix}${at}${part}`)?.trim() ?? "";
    // A box alone says nothing.
    if (parts.some((part) => get(part) !== "")) found.push(made(get));
  }
  return found;
}

const said = (name: string, value: string): Readonly<Record<string, string>> => (value === "" ? {} : { [name]: value });
const flag = (value: string): boolean => value === "true";

/** What the form says, in the words of the interface: it is checked where that is. */
export function formBody(fields: Fields): { readonly author: unknown; readonly force_change: boolean } {
  const affiliations: unknown[] = [];
  for (let at = 0; fields.has(`a${at}.n0.value`); at += 1) {
    const affiliationNameInfo = lines(fields, `a${at}.n`, [".language", ".value"], (get) => ({
      ...said("affiliationName", get(".value")),
      ...said("affiliationNameLang", get(".language")),
      affiliationNameShowFlg: flag(get(".show")),
    }));
    const identifierInfo = lines(fields, `a${at}.i`, [".type", ".value"], (get) => ({
      ...said("affiliationIdType", get(".type")),
      ...said("affiliationId", get(".value")),
      identifierShowFlg: flag(get(".show")),
    }));
    const affiliationPeriodInfo = lines(fields, `a${at}.p`, [".from", ".to"], (get) => ({
      ...said("periodStart", get(".from")),
      ...said("periodEnd", get(".to")),
    }));
    if (affiliationNameInfo.length + identifierInfo.length + affiliationPeriodInfo.length > 0) {
      affiliations.push({ affiliationNameInfo, identifierInfo, affiliationPeriodInfo });
    }
  }
  const communities = (fields.get("communities") ?? "").split(",").map((each) => each.trim());
  return {
    author: {
      emailInfo: lines(fields, "m", [""], (get) => ({ email: get("") })),
      authorIdInfo: lines(fields, "i", [".type", ".value"], (get) => ({
        ...said("idType", get(".type")),
        ...said("authorId", get(".value")),
        authorIdShowFlg: flag(get(".show")),
      })),
      authorNameInfo: lines(fields, "n", [".language", ".familyName", ".firstName"], (get) => ({
        ...said("language", get(".language")),
        ...said("familyName", get(".familyName")),
        ...said("firstName", get(".firstName")),
        nameShowFlg: flag(get(".show")),
      })),
      affiliationInfo: affiliations,
      communityIds: communities.filter((each) => each !== ""),
    },
    force_change: flag(fields.get("force_change") ?? ""),
  };
}
