// Pages about notices (R45): what an account chooses, and the page behind the link that ends a kind of messages.

import { choiceOf, NOTICE_CHOICES, NOTICE_KINDS, type NoticeKind } from "../../../model/notices/notice-rules.ts";
import { button, buttonRow, csrfField, linkButton, postButton } from "../../../pages/components/buttons.ts";
import type { FieldProblem } from "../../../pages/components/errors.ts";
import { problemAt } from "../../../pages/components/errors.ts";
import { hiddenField, selectField } from "../../../pages/components/fields.ts";
import { banner } from "../../../pages/components/notes.ts";
import { pageHeading, sectionHeading } from "../../../pages/components/page.ts";
import { type Html, html, NOTHING } from "../../../pages/html.ts";
import { NOTICE_LANGUAGES, noticeTexts } from "../../notices/notice-texts.ts";
import type { NoticeSetting } from "../../store/outgoing.ts";
import { accountTabs } from "./account-pages.ts";
import { type SiteView, sitePage } from "./layout.ts";

export type NoticesView = {
  readonly csrf: string;
  readonly setting: Pick<NoticeSetting, "choices" | "language" | "feedHash">;
  readonly isMailOn: boolean;
  readonly hasAddress: boolean;
  readonly saved: boolean;
  /** The address of the feed, made just now. */
  readonly feed: string | null;
  readonly problems: readonly FieldProblem[];
};

export function noticesPage(view: NoticesView, site: SiteView): string {
  const { texts, rootPath } = site;
  const { notices } = texts;
  const { csrf, setting, problems } = view;
  const names = noticeTexts(texts.tag).kinds;
  const fields = NOTICE_KINDS.map((kind) =>
    selectField(
      {
        id: kind,
        label: names[kind].name,
        value: choiceOf(setting, kind),
        choices: NOTICE_CHOICES.map((value) => ({ value, label: notices.choices[value] })),
        error: problemAt(problems, kind),
      },
      texts,
    ),
  );
  const language = selectField(
    {
      id: "language",
      label: notices.language,
      value: setting.language ?? "",
      blank: notices.languages[""],
      choices: NOTICE_LANGUAGES.map((value) => ({ value, label: notices.languages[value], lang: value })),
      error: problemAt(problems, "language"),
    },
    texts,
  );
  return sitePage(site, {
    title: notices.heading,
    noindex: true,
    problems,
    switchable: view.feed === null && problems.length === 0,
    body: html`${pageHeading(notices.heading)}${accountTabs("notices", site)}
${view.saved ? banner("good", notices.saved, { role: "status" }) : NOTHING}${view.isMailOn ? NOTHING : banner("warn", notices.mailOff)}${view.hasAddress ? NOTHING : banner("warn", notices.noAddress)}<p>${notices.intro}</p>
<form method="post" action="${rootPath}/account/notices">${csrfField(csrf)}
${fields}${language}${buttonRow([button({ label: notices.save })])}</form>
${feedPart(view, site)}`,
  });
}

function feedPart({ csrf, setting, feed }: NoticesView, { texts, rootPath }: SiteView): Html {
  const { notices } = texts;
  const isThere = setting.feedHash !== null;
  const make = postButton({
    label: isThere ? notices.renewFeed : notices.makeFeed,
    kind: "quiet",
    action: `${rootPath}/account/notices/feed`,
    csrf,
    sent: { action: "make" },
  });
  const end = postButton({
    label: notices.endFeed,
    kind: "danger",
    action: `${rootPath}/account/notices/feed`,
    csrf,
    sent: { action: "end" },
  });
  const made =
    feed === null
      ? NOTHING
      : banner("good", html`<p>${notices.feedMade}</p><p class="secret">${feed}</p>`, { role: "status" });
  return html`${sectionHeading(notices.feedHeading)}<p>${notices.feedIntro}</p>
${made}${isThere && feed === null ? html`<p>${notices.feedThere}</p>` : NOTHING}
<div class="buttons">${make}${isThere ? end : NOTHING}</div>`;
}

export type StopView = {
  readonly kind: NoticeKind;
  readonly isDone: boolean;
  readonly link: Readonly<Record<"account" | "kind" | "signature", string>>;
};

/** Opening the link ends nothing: mail programs open links by themselves. The button does. */
export function stopPage({ kind, isDone, link }: StopView, site: SiteView): string {
  const { texts, rootPath } = site;
  const { notices } = texts;
  const { name } = noticeTexts(texts.tag).kinds[kind];
  const form = html`<p>${notices.stopText(name)}</p>
<form method="post" action="${rootPath}/account/notices/stop">${Object.entries(link).map(([field, value]) => hiddenField(field, value))}
${buttonRow([button({ label: notices.stopButton })])}</form>`;
  return sitePage(site, {
    title: notices.stopHeading,
    noindex: true,
    switchable: !isDone,
    body: html`${pageHeading(isDone ? notices.heading : notices.stopHeading)}${isDone ? banner("good", notices.stopped(name), { role: "status" }) : form}
${buttonRow([linkButton(notices.chooseMore, `${rootPath}/account/notices`, "quiet")])}`,
  });
}
