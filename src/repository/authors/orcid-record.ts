// A public record of ORCID (JSON of its API, version 3) as an author (R6a): names, other identifiers, employments with
// their periods. Pure; what a record lacks is left out, and mail addresses are taken only where the record makes them
// public.
import { isObject, listIn, objectIn, textIn } from "../../shared/objects.ts";

type Json = Readonly<Record<string, unknown>>;

/** `{"value": "…"}`, as the record writes most texts. */
const valueIn = (value: unknown, name: string): string => textIn(objectIn(value, name), "value");

export const isOrcidRecord = (value: unknown): boolean => isObject(value) && isObject(value["orcid-identifier"]);

const EAST_ASIAN = /[\u3040-\u30ff\u3400-\u9fff]/;
/** The record does not state the language of its names. */
const languageOf = (text: string): string => (EAST_ASIAN.test(text) ? "ja" : "en");

function dayOf(date: Json): string {
  const [year, month, day] = ["year", "month", "day"].map((part) => valueIn(date, part));
  return /^\d{4}$/.test(year ?? "") ? [year, month || "01", day || "01"].join("-") : "";
}

/** `known`: the schemes an author may have identifiers of; others are left out. */
export function authorOfOrcid(
  record: unknown,
  known: { readonly authors: readonly string[]; readonly institutions: readonly string[] },
) {
  const person = objectIn(record, "person");
  const name = objectIn(person, "name");
  const [family, given] = [valueIn(name, "family-name"), valueIn(name, "given-names")];
  const schemeOf = (written: string, among: readonly string[]): string | undefined =>
    among.find((each) => each.toLowerCase().replace(/[^a-z]/g, "") === written.toLowerCase().replace(/[^a-z]/g, ""));
  const externals = listIn(objectIn(person, "external-identifiers"), "external-identifier").flatMap((each) => {
    const idType = schemeOf(textIn(each, "external-id-type"), known.authors);
    const authorId = textIn(each, "external-id-value");
    return idType === undefined || authorId === "" ? [] : [{ idType, authorId, authorIdShowFlg: true }];
  });
  const employments = listIn(
    objectIn(objectIn(record, "activities-summary"), "employments"),
    "affiliation-group",
  ).flatMap((group) => listIn(group, "summaries").map((each) => objectIn(each, "employment-summary")));
  return {
    emailInfo: listIn(objectIn(person, "emails"), "email").flatMap((each) => {
      const email = textIn(each, "email");
      return email === "" ? [] : [{ email }];
    }),
    authorIdInfo: [
      { idType: "ORCID", authorId: textIn(objectIn(record, "orcid-identifier"), "path"), authorIdShowFlg: true },
      ...externals,
    ],
    authorNameInfo:
      family === "" && given === ""
        ? []
        : [
            {
              language: languageOf(`${family}${given}`),
              ...(family === "" ? {} : { familyName: family }),
              ...(given === "" ? {} : { firstName: given }),
              nameShowFlg: true,
            },
          ],
    affiliationInfo: employments.flatMap((each) => {
      const organisation = objectIn(each, "organization");
      const called = textIn(organisation, "name");
      const described = objectIn(organisation, "disambiguated-organization");
      const scheme = schemeOf(textIn(described, "disambiguation-source"), known.institutions);
      const id = textIn(described, "disambiguated-organization-identifier");
      const [from, to] = [dayOf(objectIn(each, "start-date")), dayOf(objectIn(each, "end-date"))];
      const period = { ...(from === "" ? {} : { periodStart: from }), ...(to === "" ? {} : { periodEnd: to }) };
      if (called === "") return [];
      return [
        {
          identifierInfo:
            scheme === undefined || id === ""
              ? []
              : [{ affiliationIdType: scheme, affiliationId: id, identifierShowFlg: true }],
          affiliationNameInfo: [
            { affiliationName: called, affiliationNameLang: languageOf(called), affiliationNameShowFlg: true },
          ],
          affiliationPeriodInfo: Object.keys(period).length === 0 ? [] : [period],
        },
      ];
    }),
  };
}
