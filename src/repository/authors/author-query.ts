// What a search of authors asks for (specification 2, "Search"; R20).

import { identifierKey, LOCAL, localNumber, nameKey } from "../../model/agents/author.ts";
import { quoted } from "../../shared/fields.ts";
import { most } from "../../shared/limits.ts";
import type { AuthorQuery, NameQuery } from "../store/authors.ts";
import { type Choices, invalidAt } from "./author-input.ts";

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
  const asked = (name: string): string => textOf(sent, name);
  const [idType, authorId, slug] = [asked("idtype"), asked("authorid"), asked("communityid")];
  if ((idType === "") !== (authorId === "")) {
    throw invalidAt(
      idType === "" ? "idtype" : "authorid",
      "Both 'idtype' and 'authorid' must be specified together or omitted.",
    );
  }
  if (idType !== "" && !choices.author.has(idType)) {
    throw invalidAt("idtype", `Invalid idtype '${quoted(idType).slice(1, -1)}'.`);
  }
  const size = wholeOf(sent, "size", SIZE_DEFAULT, SIZE_MAX);
  const offset = (wholeOf(sent, "page", 1, PAGE_MAX) - 1) * size;
  const names = Object.entries(NAMES).flatMap(([name, kinds]) => {
    const text = asked(name);
    return text === "" ? [] : [{ kinds, key: nameKey(text), isPrefix: text.endsWith("*") }];
  });
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
