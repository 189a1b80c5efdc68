// Authors in request bodies (specification 2, "Author resource" and "Common validation on create and update"; R21,
// R22), read into the record that is stored. Texts of the specification are verbatim.

import { Type } from "@sinclair/typebox";
import { type Affiliation, type AuthorContent, type AuthorName, LOCAL } from "../../model/agents/author.ts";
import { formProblem } from "../../model/metadata/identifier-forms.ts";
import { BODY, FieldFault, quoted, unfit } from "../../shared/field-faults.ts";
import { dependent, type Field, object, optional, refined, sequenceOf, worded } from "../../shared/fields.ts";
import { most } from "../../shared/limits.ts";
import { isObject, memberOf, withoutUndefined } from "../../shared/objects.ts";
import { IgnoredShape } from "../../shared/shapes.ts";
import { isDay } from "../../shared/time/day.ts";
import type { AuthorChoice, ChoiceKind } from "../store/authors.ts";

/** The schemes and languages that an author may use, from the settings. */
export type Choices = Readonly<Record<ChoiceKind, ReadonlyMap<string, AuthorChoice>>>;

export function choicesOf(choices: readonly AuthorChoice[]): Choices {
  const of = (kind: ChoiceKind) => new Map(choices.filter((each) => each.kind === kind).map((each) => [each.id, each]));
  return { author: of("author"), institution: of("institution"), language: of("language") };
}

export type SentAuthor = {
  readonly content: AuthorContent;
  /** Slugs or UUIDs, as they were sent. */
  readonly communityIds: readonly string[];
};
export type SentUpdate = SentAuthor & { readonly forceChange: boolean };

/** Something sent is wrong: one sentence, and where (R9). */
export const invalidAt = (field: string, message: string): FieldFault =>
  new FieldFault(field, message, null, { kind: "sentence", sentence: message }, message);

/** Faults in the words of the interface: unknown members are those of the object that has them. */
function inWords(fault: FieldFault): FieldFault {
  const { path, reason, message } = fault;
  if (reason.kind !== "unknown") return path === BODY ? fault.worded(message, "") : fault;
  const parent = path.slice(0, Math.max(0, path.length - reason.name.length - 1));
  const where = parent === "" ? "" : ` in ${parent}`;
  return fault.worded(`Unknown member ${quoted(reason.name)}${where}; there are ${reason.known.join(", ")}`, parent);
}

/** Text of one line, trimmed; undefined where there is nothing in it. */
function line(description = "", longest: number = most("authorCharacters")): Field<string | undefined> {
  return {
    schema: Type.String({ maxLength: longest, ...(description === "" ? {} : { description }) }),
    read(value, path) {
      if (typeof value !== "string") throw unfit(path, value, "must be a string");
      const text = value.trim();
      if (text.length > longest) throw new FieldFault(path, `may have ${longest} characters at most`);
      if (/\p{Cc}/u.test(text) || !text.isWellFormed()) {
        throw unfit(path, value, "must be text of one line without control characters");
      }
      return text === "" ? undefined : text;
    },
  };
}

/** R21: booleans, and the strings "true" and "false". */
const truth = (usual: boolean): Field<boolean> => ({
  schema: Type.Boolean({ default: usual, description: 'The strings "true" and "false" are taken, too' }),
  read(value, path) {
    if (value === true || value === "true") return true;
    if (value === false || value === "false") return false;
    throw unfit(path, value, "must be true or false");
  },
});
const FLAG = optional(truth(true));

const nullable = <T>({ schema, read }: Field<T | undefined>): Field<T | undefined> => ({
  schema: Type.Union([schema, Type.Null()]),
  read: (value, path) => (value === null ? undefined : read(value, path)),
});

/** Empty entries, as forms send them, are left out. */
const entries = <T>(entry: Field<T | null>) =>
  optional(
    refined(sequenceOf(entry, most("authorEntries")), (list) => list.filter((each): each is T & {} => each !== null)),
  );

/** `shown`: how the message names the member. */
const among = (field: Field<string | undefined>, choices: Choices[ChoiceKind], shown: string) =>
  refined(field, (value, path) => {
    if (value === undefined || choices.has(value)) return value;
    const allowed = [...choices.keys()].map((each) => `'${each}'`).join(", ");
    throw invalidAt(path, `Invalid ${shown}: ['${quoted(value).slice(1, -1)}']. Allowed values are [${allowed}].`);
  });

/** @throws FieldFault for an identifier that is none of its scheme */
function requireForm(scheme: AuthorChoice | undefined, identifier: string, path: string): void {
  const rule = scheme === undefined ? null : formProblem(scheme.form, identifier);
  if (rule === null) return;
  throw invalidAt(path, `${path}: an identifier of the scheme ${scheme?.id} ${rule}, not ${quoted(identifier)}`);
}

const EMAIL = refined(object({ email: optional(line()) }), ({ email }) => (email === undefined ? null : { email }));

/** `wholeIds`: no entry of authorIdInfo may be empty. */
const identifier = ({ author }: Choices, wholeIds: boolean) =>
  refined(
    object({
      idType: optional(
        among(
          line("A scheme of authors, with authorId; LOCAL is the repository's own numbering"),
          author,
          "authorIdInfo.idType",
        ),
      ),
      authorId: optional(line()),
      authorIdShowFlg: FLAG,
    }),
    ({ idType, authorId, authorIdShowFlg = true }, path) => {
      if (idType === undefined && authorId === undefined && !wholeIds) return null;
      if (idType === undefined || authorId === undefined) {
        throw invalidAt(path, "Both 'idType' and 'authorId' must be provided together.");
      }
      requireForm(author.get(idType), authorId, `${path}.authorId`);
      return { idType, authorId, authorIdShowFlg };
    },
  );

const NAME_FORMAT = "familyNmAndNm";
const FORMAT = refined(line(NAME_FORMAT), (format, path) => {
  if (format === undefined || format === NAME_FORMAT) return format;
  throw unfit(path, format, `must be ${NAME_FORMAT}`);
});

/** The interface also writes given and family name in lower case. */
const authorName = ({ language: languages }: Choices): Field<AuthorName> => {
  const part = (description = "") => optional(nullable(line(description, most("nameCharacters"))));
  return refined(
    object({
      language: optional(among(line("Needed with firstName or familyName"), languages, "authorNameInfo.language")),
      firstName: part(),
      familyName: part(),
      nameFormat: optional(FORMAT),
      nameShowFlg: FLAG,
      firstname: part("As firstName"),
      familyname: part("As familyName"),
    }),
    ({ language, nameFormat, nameShowFlg = true, ...names }, path) => {
      const { firstName = names.firstname, familyName = names.familyname } = names;
      if (language === undefined && (firstName !== undefined || familyName !== undefined)) {
        throw invalidAt(path, "If 'firstName' or 'familyName' is provided, 'language' must also be specified.");
      }
      const isWhole = language !== undefined && firstName !== undefined && familyName !== undefined;
      const format = nameFormat ?? (isWhole ? NAME_FORMAT : undefined);
      return withoutUndefined({ language, firstName, familyName, nameFormat: format, nameShowFlg });
    },
  );
};

const institution = ({ institution: schemes }: Choices) =>
  refined(
    object({
      affiliationIdType: optional(
        among(line("A scheme of institutions, with affiliationId"), schemes, "affiliationInfo.affiliationIdType"),
      ),
      affiliationId: optional(line()),
      identifierShowFlg: FLAG,
    }),
    ({ affiliationIdType, affiliationId, identifierShowFlg = true }, path) => {
      if (affiliationIdType === undefined && affiliationId === undefined) return null;
      if (affiliationIdType === undefined || affiliationId === undefined) {
        throw invalidAt(path, "Both 'affiliationIdType' and 'affiliationId' must be provided together.");
      }
      requireForm(schemes.get(affiliationIdType), affiliationId, `${path}.affiliationId`);
      return { affiliationIdType, affiliationId, identifierShowFlg };
    },
  );

const institutionName = ({ language }: Choices) =>
  refined(
    object({
      affiliationName: optional(line("With affiliationNameLang", most("nameCharacters"))),
      affiliationNameLang: optional(among(line(), language, "affiliationInfo.affiliationNameLang")),
      affiliationNameShowFlg: FLAG,
    }),
    ({ affiliationName, affiliationNameLang, affiliationNameShowFlg = true }, path) => {
      if (affiliationName === undefined && affiliationNameLang === undefined) return null;
      if (affiliationName === undefined || affiliationNameLang === undefined) {
        throw invalidAt(path, "Both 'affiliationName' and 'affiliationNameLang' must be provided together.");
      }
      return { affiliationName, affiliationNameLang, affiliationNameShowFlg };
    },
  );

/** No day is an open end. */
const DAY = refined(nullable(line("YYYY-MM-DD")), (day, path) => {
  if (day === undefined || isDay(day)) return day;
  throw invalidAt(path, "Not a valid date format. Use YYYY-MM-DD.");
});
const PERIOD = refined(object({ periodStart: optional(DAY), periodEnd: optional(DAY) }), (period, path) => {
  const { periodStart, periodEnd } = period;
  if (periodStart !== undefined && periodEnd !== undefined && periodStart > periodEnd) {
    throw invalidAt(path, "periodStart must be before periodEnd.");
  }
  return withoutUndefined({ periodStart, periodEnd });
});

const affiliation = (choices: Choices): Field<Affiliation> =>
  refined(
    object({
      identifierInfo: entries(institution(choices)),
      affiliationNameInfo: entries(institutionName(choices)),
      affiliationPeriodInfo: entries(PERIOD),
    }),
    ({ identifierInfo = [], affiliationNameInfo = [], affiliationPeriodInfo = [] }) => ({
      identifierInfo,
      affiliationNameInfo,
      affiliationPeriodInfo,
    }),
  );

const COMMUNITY_ID = /^[a-zA-Z0-9_-]+$/;
const COMMUNITY: Field<string> = {
  schema: Type.String({ description: "Community that manages the author: slug or UUID" }),
  read(value, path) {
    if (typeof value !== "string") throw unfit(path, value, "must be a string");
    if (value.length <= most("authorCharacters") && COMMUNITY_ID.test(value)) return value;
    throw invalidAt(path, `Invalid community ID format: ${quoted(value).slice(1, -1)}`);
  },
};

/** R21: members of answers in addition to those of the specification. They may be sent back and have no effect. */
const IGNORED = optional({ schema: IgnoredShape, read: (value) => value });

const authorField = (choices: Choices, wholeIds: boolean): Field<SentAuthor> =>
  refined(
    object(
      {
        emailInfo: entries(EMAIL),
        authorIdInfo: entries(identifier(choices, wholeIds)),
        authorNameInfo: entries(authorName(choices)),
        affiliationInfo: entries(affiliation(choices)),
        communityIds: entries(COMMUNITY),
        id: IGNORED,
        uuid: IGNORED,
        is_deleted: IGNORED,
        created: IGNORED,
        updated: IGNORED,
      },
      { $id: "AuthorInput" },
    ),
    ({ emailInfo = [], authorIdInfo = [], authorNameInfo = [], affiliationInfo = [], communityIds = [] }) => ({
      content: { emailInfo, authorIdInfo, authorNameInfo, affiliationInfo },
      communityIds,
    }),
  );

/** A body with the member `author`, in the words of the interface. */
const bodyOf = <T>(body: Field<T>): Field<T> =>
  worded(
    {
      schema: body.schema,
      read(value = {}, path) {
        const given = value ?? {};
        const author = isObject(given) ? (memberOf(given, "author") ?? {}) : null;
        if (isObject(author) && Object.keys(author).length === 0) throw invalidAt("author", "author can not be null.");
        return body.read(given, path);
      },
    },
    inWords,
  );

const NO_CHOICES = choicesOf([]);

/** The body of a creation. */
export const NEW_AUTHOR = dependent(
  (choices: Choices) =>
    bodyOf(
      refined(
        object({ author: authorField(choices, false) }, { $id: "NewAuthor" }),
        ({ author }): SentAuthor => author,
      ),
    ),
  NO_CHOICES,
);

/** The body of an update: the LOCAL number must be there. */
export const CHANGED_AUTHOR = dependent((choices: Choices) => {
  const members = { author: authorField(choices, true), force_change: optional(truth(false)) };
  return bodyOf(
    refined(object(members, { $id: "ChangedAuthor" }), ({ author, force_change: forceChange = false }): SentUpdate => {
      if (author.content.authorIdInfo.some(({ idType }) => idType === LOCAL)) return { ...author, forceChange };
      const path = "author.authorIdInfo";
      throw invalidAt(path, `${path} must have at least one entry of the scheme ${LOCAL}`);
    }),
  );
}, NO_CHOICES);

/** `{"into": …}`: the number or UUID of the author who stays. */
export const MERGED_AUTHOR: Field<string> = {
  schema: Type.Object(
    { into: Type.Union([Type.Integer(), Type.String()], { description: "Number or UUID of the author who stays" }) },
    { $id: "MergedAuthor", additionalProperties: false },
  ),
  read(body) {
    const into = isObject(body) ? body.into : undefined;
    const text = typeof into === "number" ? String(into) : into;
    if (typeof text === "string" && isObject(body) && Object.keys(body).length === 1) return text;
    throw invalidAt("into", `The body must be {"into": number or UUID of the author who stays}, not ${quoted(body)}`);
  },
};
