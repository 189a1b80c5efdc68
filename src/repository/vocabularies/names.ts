// The vocabulary `names`: persons of the author database (R6a, R21), without what is marked not to be shown. Pure.
import type { Author } from "../../model/agents/author.ts";
import { type AuthorContent, identifierKey, LOCAL, nameKey } from "../../model/agents/author.ts";
import type { PersonItem } from "./vocabulary-shapes.ts";

/** Null for whom no name may be shown of. */
export function nameItem({ id, content, createdAt, updatedAt }: Author): PersonItem | null {
  const [first, ...others] = shownNames(content);
  if (first === undefined) return null;
  return {
    id: String(id),
    created: createdAt,
    updated: updatedAt,
    name: inOneLine(first),
    ...(first.family === "" ? {} : { family_name: first.family }),
    ...(first.given === "" ? {} : { given_name: first.given }),
    identifiers: content.authorIdInfo
      .filter(({ idType, authorIdShowFlg }) => authorIdShowFlg && idType !== LOCAL)
      .map(({ idType, authorId }) => ({ scheme: idType.toLowerCase(), identifier: authorId })),
    affiliations: content.affiliationInfo.flatMap(affiliationOf),
    props: others.length === 0 ? {} : { other_names: others.map(inOneLine).join("; ") },
  };
}

/** Whether a text begins one of the names that are shown, or is an identifier that is. */
export function isCalled(content: AuthorContent, text: string): boolean {
  const key = nameKey(text);
  const isNamed = shownNames(content).some(({ family, given }) =>
    [`${family} ${given}`, `${given} ${family}`].some((name) => key !== "" && nameKey(name).startsWith(key)),
  );
  return isNamed || hasIdentifier(content, text);
}

export function hasIdentifier({ authorIdInfo }: AuthorContent, text: string): boolean {
  return authorIdInfo.some(
    ({ idType, authorId, authorIdShowFlg }) =>
      authorIdShowFlg && idType !== LOCAL && identifierKey(idType, authorId) === identifierKey(idType, text),
  );
}

type PersonName = { readonly family: string; readonly given: string };

function shownNames({ authorNameInfo }: AuthorContent): readonly PersonName[] {
  return authorNameInfo.flatMap(({ nameShowFlg, familyName: family = "", firstName: given = "" }) =>
    nameShowFlg && family + given !== "" ? [{ family, given }] : [],
  );
}

const inOneLine = ({ family, given }: PersonName): string => [family, given].filter((part) => part !== "").join(", ");

function affiliationOf({ affiliationNameInfo, identifierInfo }: AuthorContent["affiliationInfo"][number]) {
  const name = affiliationNameInfo.find(({ affiliationNameShowFlg }) => affiliationNameShowFlg)?.affiliationName;
  const ror = identifierInfo.find(
    ({ affiliationIdType, identifierShowFlg }) => identifierShowFlg && affiliationIdType.toUpperCase() === "ROR",
  )?.affiliationId;
  const id = ror?.slice(ror.lastIndexOf("/") + 1);
  if (name === undefined && id === undefined) return [];
  return [{ ...(id === undefined ? {} : { id }), ...(name === undefined ? {} : { name }) }];
}
