// What a search of authors asks for (specification 2, "Search"; R20).

import { Type } from "@sinclair/typebox";
import { identifierKey, LOCAL, localNumber, nameKey } from "../../model/agents/author.ts";
import type { QueryReader } from "../../model/input/list-parameters.ts";
import { FaultList, quoted } from "../../shared/field-faults.ts";
import { most } from "../../shared/limits.ts";
import type { AuthorQuery, NameQuery } from "../store/authors.ts";
import { type Choices, invalidAt } from "./author-body.ts";

export type AuthorSearch = {
  /** Null where what is asked for is nobody's, whatever is stored. */
  readonly query: AuthorQuery | null;
  readonly limit: number;
  readonly offset: number;
};

const SIZE_DEFAULT = 100;
const SIZE_MAX = most("authorsOfAnAnswer");
const PAGE_MAX = 1_000_000;
const NAMES: Readonly<Record<string, NameQuery["kinds"]>> = {
  // One part of a name is searched as a name as well: a user who knows only a part finds the author.
  fullname: ["full", "family", "given"],
  firstname: ["given"],
  familyname: ["family"],
};

const parameter = (name: string, description: string) => ({ name, description, schema: Type.String() });
const number = (name: string, description: string, maximum: number, usual: number) => ({
  name,
  description,
  schema: Type.Integer({ minimum: 1, maximum, default: usual }),
});

/** The parameters of a search as they are described; `readSearch` reads them, with the schemes that exist. */
export const AUTHOR_QUERY: QueryReader<URLSearchParams> = {
  parameters: [
    parameter("fullname", "Given and family name in either order, or one of them"),
    parameter("firstname", "Given name"),
    parameter("familyname", "Family name"),
    parameter("idtype", "Scheme of an identifier, with authorid"),
    parameter("authorid", "Identifier in that scheme, with idtype"),
    parameter("communityid", "Community that manages the author"),
    number("page", "From 1", PAGE_MAX, 1),
    number("size", "Authors of a page", SIZE_MAX, SIZE_DEFAULT),
  ],
  read: (sent) => sent,
};

/**
 * Reads the parameters of a search. A name matches where all of it does; one that ends with `*` matches what begins so.
 *
 * @throws Refusal `invalid`. `community` gives the UUID of a community by its slug or UUID, null where there is none.
 */
export async function readSearch(
  sent: URLSearchParams,
  choices: Choices,
  community: (idOrSlug: string) => Promise<string | null>,
): Promise<AuthorSearch> {
  const faults = new FaultList();
  const asked = (name: string): string => faults.collect(() => textOf(sent, name)) ?? "";
  const whole = (name: string, usual: number, max: number): number =>
    faults.collect(() => wholeOf(sent, name, usual, max)) ?? usual;
  const [idType, authorId, slug] = [asked("idtype"), asked("authorid"), asked("communityid")];
  const size = whole("size", SIZE_DEFAULT, SIZE_MAX);
  const offset = (whole("page", 1, PAGE_MAX) - 1) * size;
  const names = Object.entries(NAMES).flatMap(([name, kinds]) => {
    const text = asked(name);
    return text === "" ? [] : [{ kinds, key: nameKey(text), isPrefix: text.endsWith("*") }];
  });
  faults.end();
  if ((idType === "") !== (authorId === "")) {
    throw invalidAt(
      idType === "" ? "idtype" : "authorid",
      "Both 'idtype' and 'authorid' must be specified together or omitted.",
    );
  }
  if (idType !== "" && !choices.author.has(idType)) {
    throw invalidAt("idtype", `Invalid idtype '${quoted(idType).slice(1, -1)}'.`);
  }
  const number = idType === LOCAL ? localNumber(authorId) : null;
  const found = slug === "" ? null : await community(slug);
  const isNobodys =
    names.some(({ key }) => key === "") || (idType === LOCAL && number === null) || (slug !== "" && found === null);
  const identifier = idType === "" || idType === LOCAL ? null : identifierKey(idType, authorId);
  return { query: isNobodys ? null : { names, identifier, number, community: found }, limit: size, offset };
}

/** The value of a parameter; "" where it is left out. */
function textOf(sent: URLSearchParams, name: string): string {
  const values = sent.getAll(name);
  const [value = ""] = values;
  if (values.length > 1) throw invalidAt(name, `${name} may be given once`);
  if (value.length > most("authorCharacters")) {
    throw invalidAt(name, `${name} may have ${most("authorCharacters")} characters at most`);
  }
  if (/\p{Cc}/u.test(value)) throw invalidAt(name, `${name} must be text without control characters`);
  return value.trim();
}

function wholeOf(sent: URLSearchParams, name: string, usual: number, max: number): number {
  const text = textOf(sent, name);
  if (text === "") return usual;
  const value = Number(text);
  if (/^\d{1,15}$/.test(text) && value >= 1 && value <= max) return value;
  throw invalidAt(name, `${name} must be a whole number from 1 to ${max}, not ${quoted(text)}`);
}
