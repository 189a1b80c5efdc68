// The checks of a draft (R44): what publication would refuse, and what else may be wrong.
import { banner } from "../../../pages/components/notes.ts";
import { sectionHeading } from "../../../pages/components/page.ts";
import { type Html, html, NOTHING } from "../../../pages/html.ts";
import type { DraftChecks } from "../../records/draft-checks.ts";
import type { SiteView } from "./layout.ts";

type Words = { readonly en: string; readonly ja: string };

const warningList = (warnings: DraftChecks["warnings"], inWords: (words: Words) => string): Html =>
  html`<ul>${warnings.map((each) => html`<li>${inWords(each)}</li>`)}</ul>`;

export function checksPart({ faults, warnings }: DraftChecks, { texts }: SiteView): Html {
  const { review } = texts;
  const inWords = (words: Words): string => (texts.tag === "ja" ? words.ja : words.en);
  const lines = faults.map(
    ({ label, words }) =>
      html`<li>${label === null ? "" : `${inWords(label)}${texts.site.colon}`}${inWords(words)}</li>`,
  );
  const failed =
    lines.length === 0
      ? banner("good", review.checksPassed)
      : banner("gone", html`<p>${review.checksFailed}</p><ul>${lines}</ul>`);
  return html`${sectionHeading(review.checks)}${failed}${warningsPart(warnings, texts)}`;
}

/** What publication does not refuse. */
export function warningsPart(warnings: DraftChecks["warnings"], texts: SiteView["texts"]): Html {
  if (warnings.length === 0) return NOTHING;
  const inWords = (words: Words): string => (texts.tag === "ja" ? words.ja : words.en);
  return banner("warn", html`<p>${texts.review.checkWarnings}</p>${warningList(warnings, inWords)}`);
}
