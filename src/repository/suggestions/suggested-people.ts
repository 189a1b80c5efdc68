// Suggestions from the author database (R42, P.141), which is also the vocabulary `names`: what is marked not to be shown
// is neither found nor filled in, nor is a mail address. Pure.
import type { AuthorContent } from "../../model/agents/author.ts";
import { LOCAL } from "../../model/agents/author.ts";
import type { Agent, Org } from "../../model/metadata/metadata.ts";
import { inLanguage, namesIn, nameText } from "../../model/metadata/reader-language.ts";
import { maybe } from "../../shared/objects.ts";
import type { Day } from "../../shared/time/day.ts";
import type { AuthorChoice } from "../store/authors.ts";

/** The agent of an item that a person is; null where no name may be shown. */
export function agentOf(content: AuthorContent, choices: readonly AuthorChoice[], today: Day): Agent | null {
  const names = content.authorNameInfo.flatMap(({ nameShowFlg, familyName = "", firstName = "", language }) => {
    const full = [familyName, firstName].filter((part) => part !== "").join(", ");
    if (!nameShowFlg || full === "") return [];
    const parts = familyName === "" || firstName === "" ? {} : { family: familyName, given: firstName };
    return [{ full, ...parts, ...maybe("lang", language === "" ? undefined : language) }];
  });
  if (names.length === 0) return null;
  const uriOf = (kind: AuthorChoice["kind"], scheme: string, id: string) =>
    maybe("uri", choices.find((each) => each.kind === kind && each.id === scheme)?.url.replace("##", id) || undefined);
  const affiliations = content.affiliationInfo
    .filter((each) => isPresent(each, today))
    .map(
      ({ affiliationNameInfo, identifierInfo }): Org => ({
        names: affiliationNameInfo.flatMap(({ affiliationName, affiliationNameLang, affiliationNameShowFlg }) =>
          affiliationNameShowFlg && affiliationName !== ""
            ? [
                {
                  value: affiliationName,
                  ...maybe("lang", affiliationNameLang === "" ? undefined : affiliationNameLang),
                },
              ]
            : [],
        ),
        ids: identifierInfo.flatMap(({ affiliationIdType: scheme, affiliationId: value, identifierShowFlg }) =>
          identifierShowFlg && value !== "" ? [{ scheme, value, ...uriOf("institution", scheme, value) }] : [],
        ),
      }),
    );
  return {
    ...{ kind: "personal", names, alternatives: [], emails: [] },
    ids: content.authorIdInfo.flatMap(({ idType: scheme, authorId: value, authorIdShowFlg }) =>
      authorIdShowFlg && scheme !== LOCAL && value !== "" ? [{ scheme, value, ...uriOf("author", scheme, value) }] : [],
    ),
    affiliations: affiliations.filter(({ names: called, ids }) => called.length + ids.length > 0),
  };
}

/** Somebody is no longer where every period has ended. */
function isPresent({ affiliationPeriodInfo }: AuthorContent["affiliationInfo"][number], today: Day): boolean {
  const ends = affiliationPeriodInfo.map(({ periodEnd = "" }) => periodEnd);
  return ends.length === 0 || ends.some((end) => end === "" || end >= today);
}

/** The name in the reader's language, and what tells people of one name apart. */
export function personWords({ names, ids, affiliations }: Agent, language: string) {
  const [first, ...others] = namesIn(names, language).map((name) => nameText(name, "personal"));
  const places = affiliations.flatMap(({ names: called }) => inLanguage(called, language)[0]?.value ?? []);
  const orcid = ids.find(({ scheme }) => scheme.toUpperCase() === "ORCID")?.value;
  const hint = [...others.slice(0, NAMES), ...places.slice(0, 1), ...(orcid === undefined ? [] : [orcid])].join(" · ");
  return { text: first ?? "", hint };
}
const NAMES = 2;
