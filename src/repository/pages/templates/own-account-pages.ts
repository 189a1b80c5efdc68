// The page of the own account (R33): name, language, ORCID iD, sessions, export, closing.
import { button, buttonRow, csrfField, linkButton, postButton } from "../../../pages/components/buttons.ts";
import { type FieldProblem, problemAt } from "../../../pages/components/errors.ts";
import { selectField, textField } from "../../../pages/components/fields.ts";
import { factList, factRow, table } from "../../../pages/components/lists.ts";
import { badge, banner } from "../../../pages/components/notes.ts";
import { pageHeading, sectionHeading } from "../../../pages/components/page.ts";
import { type Html, html, NOTHING } from "../../../pages/html.ts";
import { ACCOUNT_LANGUAGES, type OwnAccountView, type OwnSession, PERSON_NAME_MAX } from "../../people/own-account.ts";
import { accountTabs } from "./account-pages.ts";
import { dayText, moment, type SiteView, sitePage } from "./layout.ts";

export const ACCOUNT_PATH = "/account";

/** What was just done. */
export const ACCOUNT_DONE = ["saved", "ended", "allEnded", "connected", "orcidTaken"] as const;
type AccountDone = (typeof ACCOUNT_DONE)[number];

export type OwnAccountPage = OwnAccountView & {
  readonly csrf: string;
  readonly sessions: readonly OwnSession[];
  /** People can sign in at ORCID. */
  readonly hasOrcid: boolean;
  readonly done: AccountDone | null;
  readonly problems: readonly FieldProblem[];
  /** What was sent and is wrong; null: what is stored is shown. */
  readonly sent: { readonly name: string; readonly language: string; readonly orcid: string } | null;
};

export function ownAccountPage(view: OwnAccountPage, site: SiteView): string {
  const { texts, rootPath } = site;
  const { ownAccount } = texts;
  const { done, problems } = view;
  return sitePage(site, {
    title: ownAccount.heading,
    noindex: true,
    problems,
    switchable: problems.length === 0,
    body: html`${pageHeading(ownAccount.heading)}${accountTabs("profile", site)}
${done === null ? NOTHING : banner(done === "orcidTaken" ? "warn" : "good", ownAccount[done], { role: "status" })}${sectionHeading(ownAccount.profile)}${profileForm(view, site)}
${sectionHeading(ownAccount.sessionsHeading)}<p>${ownAccount.sessionsIntro}</p>${sessionTable(view, site)}
${sectionHeading(ownAccount.exportHeading)}<p>${ownAccount.exportIntro}</p>${buttonRow([linkButton(ownAccount.export, `${rootPath}${ACCOUNT_PATH}/export`, "quiet")])}
${sectionHeading(ownAccount.closeHeading)}<p>${ownAccount.closeIntro}</p>${buttonRow([linkButton(ownAccount.close, `${rootPath}${ACCOUNT_PATH}/close`, "quiet")])}`,
  });
}

function profileForm({ account, profile, language, csrf, sent, problems, hasOrcid }: OwnAccountPage, site: SiteView) {
  const { texts, rootPath } = site;
  const { ownAccount, notices } = texts;
  const { orcid, orcidSource, orcidAt } = profile;
  const shown = sent ?? { name: account.name, language: language ?? "", orcid: orcid ?? "" };
  const mail = account.mail ?? account.eppn;
  const name = textField(
    {
      id: "name",
      label: ownAccount.name,
      hint: ownAccount.nameHint,
      value: shown.name,
      error: problemAt(problems, "name"),
      isRequired: true,
      control: { maxlength: PERSON_NAME_MAX, autocomplete: "name" },
    },
    texts,
  );
  const languages = selectField(
    {
      id: "language",
      label: ownAccount.language,
      value: shown.language,
      blank: notices.languages[""],
      choices: ACCOUNT_LANGUAGES.map((value) => ({ value, label: notices.languages[value], lang: value })),
      error: problemAt(problems, "language"),
    },
    texts,
  );
  const how =
    orcidSource === null || orcidAt === null
      ? NOTHING
      : html`<br>${ownAccount.orcidSources[orcidSource](dayText(orcidAt.slice(0, 10), texts))}`;
  const iD = textField(
    {
      id: "orcid",
      label: ownAccount.orcid,
      hint: html`${ownAccount.orcidHint}${how}`,
      value: shown.orcid,
      error: problemAt(problems, "orcid"),
      control: { maxlength: 100, autocomplete: "off", spellcheck: "false" },
    },
    texts,
  );
  const connect = postButton({
    label: ownAccount.connect,
    kind: "quiet",
    action: `${rootPath}${ACCOUNT_PATH}/orcid`,
    csrf,
  });
  return html`${mail === null ? NOTHING : factList([factRow(ownAccount.mail, html`${mail} <span class="kind">${ownAccount.mailHint}</span>`)])}<form method="post" action="${rootPath}${ACCOUNT_PATH}">${csrfField(csrf)}
${name}${languages}${iD}${buttonRow([button({ label: ownAccount.save })])}</form>${hasOrcid && orcidSource !== "provider" ? html`<div class="buttons">${connect}</div>` : NOTHING}`;
}

function sessionTable({ sessions, csrf }: OwnAccountPage, { texts, rootPath }: SiteView): Html {
  const { ownAccount, site } = texts;
  const { browser, way, began, used, actions } = ownAccount.sessions;
  const action = (path: string) => `${rootPath}${ACCOUNT_PATH}/sessions/${path}`;
  const rows = sessions.map((session) => {
    const name = session.agent ?? ownAccount.unknownBrowser;
    const end = postButton({
      label: ownAccount.end,
      heard: `${ownAccount.end}${site.colon}${name}`,
      kind: "small danger",
      action: action("end"),
      csrf,
      sent: { session: session.id },
    });
    return [
      name,
      ownAccount.ways[session.way ?? "unknown"],
      moment(session.createdAt, texts),
      moment(session.lastUsedAt, texts),
      session.isCurrent ? badge(ownAccount.thisOne, "good") : end,
    ];
  });
  const all = (label: string, current: string) =>
    postButton({ label, kind: "danger", action: action("end-all"), csrf, sent: { current } });
  return html`${table({ caption: ownAccount.sessionsHeading, isCaptionHidden: true, head: [browser, way, began, used, actions], rows })}
<div class="buttons">${all(ownAccount.endOthers, "no")}${all(ownAccount.endAll, "yes")}</div>`;
}
