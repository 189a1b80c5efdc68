// The page that asks whether a program may act for somebody, and the one where people end what they allowed (R30).
// Names of programs are escaped, and set apart so that their direction turns nothing round.
import { button, buttonRow, csrfField, postButton } from "../../../pages/components/buttons.ts";
import { choices } from "../../../pages/components/choices.ts";
import type { FieldProblem } from "../../../pages/components/errors.ts";
import { hiddenField } from "../../../pages/components/fields.ts";
import { factList, factRow } from "../../../pages/components/lists.ts";
import { banner, state } from "../../../pages/components/notes.ts";
import { pageHeading } from "../../../pages/components/page.ts";
import { type Html, html, NOTHING } from "../../../pages/html.ts";
import type { Instant } from "../../../shared/time/instant.ts";
import type { ToolScope } from "../../tools/tool.ts";
import type { AnswerPlace } from "../consent.ts";
import { refusalProblem } from "../refusal-words.ts";
import { accountTabs } from "./account-pages.ts";
import { day, type SiteView, sitePage } from "./layout.ts";

type AccountLine = {
  readonly name: string;
  readonly mail: string;
  /** For the form that signs out. */
  readonly csrf: string;
};

export type ConsentView = {
  /** "" where nothing of it can be shown. */
  readonly name: string;
  readonly kind: "registered" | "document" | "account";
  /** Where the program is described; null where nowhere. */
  readonly describedAt: string | null;
  readonly place: AnswerPlace;
  readonly resource: string;
  readonly account: AccountLine;
  readonly isAdministrator: boolean;
  /** Least first; the first is always allowed. */
  readonly scopes: readonly { readonly scope: ToolScope; readonly ticked: boolean }[];
  /** Days without use after which it ends. */
  readonly days: number;
  readonly isTokenSession: boolean;
  /** Bound to the session and to what is asked for. */
  readonly formToken: string;
  readonly problem: { readonly kind: "expired" | "implied" } | { readonly kind: "other"; readonly text: string } | null;
};

export function consentPage(view: ConsentView, site: SiteView): string {
  const { texts, rootPath, here } = site;
  const { consent } = texts;
  const { name, describedAt, scopes, days, problem } = view;
  const rows = [
    factRow(consent.program, html`<strong><bdi>${name === "" ? consent.nameless : name}</bdi></strong>`),
    ...(describedAt === null ? [] : [factRow(consent.describedAt, html`<code>${describedAt}</code>`)]),
    factRow(consent.answerTo, placeText(view.place, site)),
    factRow(consent.resource, html`<code>${view.resource}</code>`),
    factRow(
      consent.account,
      html`${accountText(view.account)}${otherAccount(view.account, consent.otherAccount, site)}`,
    ),
  ];
  const decisions = [
    button({ label: consent.refuse, kind: "quiet", name: "decision", value: "refuse" }),
    button({ label: consent.allow, name: "decision", value: "allow" }),
  ];
  return sitePage(site, {
    title: consent.heading,
    noindex: true,
    switchable: problem === null,
    problems: problemsOf(view, site),
    body: html`${pageHeading(consent.heading)}${factList(rows)}
${warnings(view, site).map((text) => banner("warn", text))}<form method="post" action="${rootPath}${here}&lang=${texts.tag}">${csrfField(view.formToken)}
${scopeBoxes(view, site)}${scopes.length > 1 ? html`<p class="hint">${consent.less}</p>\n` : NOTHING}<p>${consent.lasts(days)} <a href="${rootPath}/account/grants">${consent.where}</a></p>
${view.isTokenSession ? html`<p>${consent.lastsWithToken}</p>\n` : NOTHING}${buttonRow(decisions)}</form>`,
  });
}

function problemsOf({ problem }: ConsentView, { texts }: SiteView): readonly FieldProblem[] {
  if (problem === null) return [];
  if (problem.kind === "other") return [refusalProblem(null, problem.text, texts)];
  return [{ field: problem.kind === "implied" ? "scopes" : null, text: texts.consent[problem.kind] }];
}

const placeText = ({ kind, host }: AnswerPlace, { texts }: SiteView): Html =>
  kind === "site" ? html`<code>${host}</code>` : html`${texts.consent.onDevice} (<code>${host}</code>)`;

const accountText = ({ name, mail }: Pick<AccountLine, "name" | "mail">): Html =>
  html`<bdi>${name}</bdi>${mail === "" || mail === name ? "" : ` (${mail})`}`;

/** Signing out leads back here by way of signing in. */
const otherAccount = ({ csrf }: Pick<AccountLine, "csrf">, label: string, { rootPath, here }: SiteView): Html =>
  postButton({ label, kind: "plain", action: `${rootPath}/account/logout`, csrf, sent: { return_to: here } });

function warnings({ kind, place, describedAt, isAdministrator }: ConsentView, { texts }: SiteView): readonly string[] {
  const { warnings: sentences } = texts.consent;
  return [
    ...(kind === "registered" ? [sentences.registered] : []),
    ...(describedAt === null ? [] : [sentences.document(describedAt)]),
    ...(place.kind === "machine" ? [sentences.machine] : []),
    ...(isAdministrator ? [sentences.administrator] : []),
  ];
}

function scopeBoxes({ scopes, problem }: ConsentView, { texts }: SiteView): Html {
  const { consent } = texts;
  const boxes = scopes.map(({ scope, ticked }, at) => {
    const { name, text } = consent.scopes[scope];
    const label = html`<strong>${name}</strong>${at === 0 ? ` (${consent.always})` : ""}${texts.site.colon}${text} <code>${scope}</code>`;
    // The first is always allowed: it is shown, and not sent.
    return {
      name: at === 0 ? "" : `scope:${scope}`,
      value: "1",
      label,
      isChosen: at === 0 || ticked,
      isDisabled: at === 0,
    };
  });
  const error = problem?.kind === "implied" ? consent.implied : null;
  const group = { id: "scopes", legend: consent.scopesHeading, kind: "checkbox", isWide: true, error } as const;
  return choices({ ...group, choices: boxes }, texts);
}

/** Shown if a program requires a recent sign-in. `returnTo`: the same request without that requirement. */
export function signInAgainPage(
  { account, returnTo }: { readonly account: AccountLine; readonly returnTo: string },
  site: SiteView,
): string {
  const { consent } = site.texts;
  return sitePage(site, {
    title: consent.againHeading,
    noindex: true,
    body: html`${pageHeading(consent.againHeading)}
<p>${consent.againText}</p>
<p>${consent.account}${site.texts.site.colon}${accountText(account)}</p>
<form method="post" action="${site.rootPath}/account/logout">${csrfField(account.csrf)}${hiddenField("return_to", returnTo)}
${buttonRow([button({ label: consent.againButton })])}</form>`,
  });
}

export type GrantsView = {
  readonly csrf: string;
  readonly grants: readonly {
    readonly id: string;
    readonly name: string;
    readonly clientId: string;
    readonly scopes: readonly ToolScope[];
    readonly resource: string;
    readonly createdAt: Instant;
    readonly lastUsedAt: Instant | null;
  }[];
};

export function grantsPage({ csrf, grants }: GrantsView, site: SiteView): string {
  const { texts, rootPath } = site;
  const { consent } = texts;
  const { colon } = texts.site;
  const lines = grants.map(({ id, name, clientId, scopes, resource, createdAt, lastUsedAt }) => {
    const shown = name === "" ? consent.nameless : name;
    const used = lastUsedAt === null ? html`${consent.neverUsed}` : day(lastUsedAt.slice(0, 10), texts);
    const allowed = scopes.map((scope) => consent.scopes[scope].name).join(" · ");
    const end = postButton({
      label: consent.end,
      heard: `${consent.end}${colon}${shown}`,
      kind: "small danger",
      action: `${rootPath}/account/grants/end`,
      csrf,
      sent: { grant_id: id },
    });
    return html`<li><div class="row"><span class="what"><bdi>${shown}</bdi></span>${end}</div>
<p>${consent.mayDo}${colon}${allowed} (${scopes.join(" ")})</p>
<p>${consent.uses}${colon}${resource}</p>
<p>${consent.since}${colon}${day(createdAt.slice(0, 10), texts)} · ${consent.lastUsed}${colon}${used}</p><p>${clientId}</p></li>\n`;
  });
  return sitePage(site, {
    title: consent.grantsHeading,
    noindex: true,
    body: html`${pageHeading(consent.grantsHeading)}${accountTabs("grants", site)}
${grants.length === 0 ? state({ kind: "empty", text: consent.noGrants }) : html`<p>${consent.grantsIntro}</p>\n<ul class="items">${lines}</ul>`}`,
  });
}
