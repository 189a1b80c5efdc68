// The page on which people close their account (R33): what stays, what goes, what prevents it; and the page after it.
import { button, buttonRow, csrfField, linkButton } from "../../../pages/components/buttons.ts";
import { type FieldProblem, problemAt } from "../../../pages/components/errors.ts";
import { textField } from "../../../pages/components/fields.ts";
import { banner } from "../../../pages/components/notes.ts";
import { pageHeading, sectionHeading } from "../../../pages/components/page.ts";
import { type Html, html, NOTHING } from "../../../pages/html.ts";
import type { ClosingView } from "../../people/account-closing.ts";
import { accountTabs } from "./account-pages.ts";
import { type SiteView, sitePage } from "./layout.ts";

export const CLOSE_PATH = "/account/close";
export const CLOSED_PATH = "/account/closed";

export type ClosePage = ClosingView & {
  readonly csrf: string;
  readonly mayClose: boolean;
  readonly problems: readonly FieldProblem[];
};

export function closePage(view: ClosePage, site: SiteView): string {
  const { texts, rootPath } = site;
  const { closing, ownAccount } = texts;
  const { holdings, problems } = view;
  const number = (count: number): string => new Intl.NumberFormat(texts.locale).format(count);
  const goes = Object.entries(closing.goes).map(
    ([name, words]) => html`<li>${words(number(holdings[name as keyof typeof closing.goes]))}</li>`,
  );
  return sitePage(site, {
    title: closing.heading,
    noindex: true,
    problems,
    switchable: problems.length === 0,
    body: html`${pageHeading(closing.heading)}${accountTabs("profile", site)}
${view.mayClose ? NOTHING : obstacles(view, site)}${sectionHeading(closing.staysHeading)}<p>${closing.stays(number(holdings.items))}</p>
${sectionHeading(closing.goesHeading)}<ul>${goes}<li>${closing.alsoGoes}</li></ul>
${buttonRow([linkButton(closing.exportFirst, `${rootPath}/account/export`, "quiet"), linkButton(ownAccount.heading, `${rootPath}/account`, "quiet")])}
${view.mayClose ? closeForm(view, site) : NOTHING}`,
  });
}

function obstacles({ drafts, communities, isLastAdministrator }: ClosePage, { texts, rootPath }: SiteView): Html {
  const { closing } = texts;
  const draftLines = drafts.map(
    ({ id, title }) =>
      html`<li><a href="${rootPath}/deposit/${id}">${title === "" ? closing.draft(id) : title}</a></li>`,
  );
  const communityLines = communities.map(
    ({ slug, title }) =>
      html`<li><a href="${rootPath}/communities/${slug}/members">${title}</a> <code>${slug}</code></li>`,
  );
  const parts = [
    ...(drafts.length === 0 ? [] : [html`<p>${closing.drafts}</p><ul>${draftLines}</ul>`]),
    ...(communities.length === 0 ? [] : [html`<p>${closing.communities}</p><ul>${communityLines}</ul>`]),
    ...(isLastAdministrator ? [html`<p>${closing.lastAdministrator}</p>`] : []),
  ];
  return banner("warn", html`<p><strong>${closing.prevents}</strong></p>${parts}`, { role: "alert" });
}

function closeForm({ csrf, confirm, problems }: ClosePage, { texts, rootPath }: SiteView): Html {
  const { closing } = texts;
  const field = {
    id: "confirm",
    label: closing.confirm(confirm),
    error: problemAt(problems, "confirm"),
    isRequired: true,
    control: { autocomplete: "off", autocapitalize: "none", spellcheck: "false", maxlength: 400 },
  };
  return html`${banner("warn", closing.final)}<form method="post" action="${rootPath}${CLOSE_PATH}">${csrfField(csrf)}
${textField(field, texts)}${buttonRow([button({ label: closing.button, kind: "sure" })])}</form>`;
}

export const closedPage = (site: SiteView): string =>
  sitePage(site, {
    title: site.texts.closing.closedHeading,
    noindex: true,
    body: html`${pageHeading(site.texts.closing.closedHeading)}<p>${site.texts.closing.closedText}</p>`,
  });
