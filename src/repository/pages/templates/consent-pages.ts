// The page that asks whether a program may act for somebody, and the one where people end what they allowed (R30).
// Names of programs are escaped, and set apart so that their direction turns nothing round.
import { csrfField } from "../../../pages/components/buttons.ts";
import { type Html, html, NOTHING } from "../../../pages/html.ts";
import type { Instant } from "../../../shared/time/instant.ts";
import type { ToolScope } from "../../tools/tool.ts";
import type { AnswerPlace } from "../consent.ts";
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
  return sitePage(site, {
    title: consent.heading,
    noindex: true,
    switchable: view.problem === null,
    body: html`<h1>${consent.heading}</h1>
${problemNote(view, site)}<dl>
${row(consent.program, html`<strong><bdi>${view.name === "" ? consent.nameless : view.name}</bdi></strong>`)}
${view.describedAt === null ? NOTHING : row(consent.describedAt, html`<code>${view.describedAt}</code>`)}
${row(consent.answerTo, placeText(view.place, site))}
${row(consent.resource, html`<code>${view.resource}</code>`)}
${row(consent.account, html`${accountText(view.account)}${otherAccount(view.account, consent.otherAccount, site)}`)}
</dl>
${warnings(view, site).map((text) => html`<p class="note warn">${text}</p>\n`)}<form method="post" action="${rootPath}${here}&lang=${texts.tag}">${csrfField(view.formToken)}
<fieldset><legend>${consent.scopesHeading}</legend><div class="checks wide">${scopeBoxes(view, site)}</div></fieldset>
${view.scopes.length > 1 ? html`<p class="hint">${consent.less}</p>\n` : NOTHING}<p>${consent.lasts(view.days)} <a href="${rootPath}/account/grants">${consent.where}</a></p>
${view.isTokenSession ? html`<p>${consent.lastsWithToken}</p>\n` : NOTHING}<div class="buttons"><button class="go quiet" name="decision" value="refuse">${consent.refuse}</button><button class="go" name="decision" value="allow">${consent.allow}</button></div>
</form>`,
  });
}

const row = (name: string, value: Html): Html => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;

function problemNote({ problem }: ConsentView, { texts }: SiteView): Html {
  if (problem === null) return NOTHING;
  return problem.kind === "other"
    ? html`<p class="note warn" role="alert" lang="en">${problem.text}</p>\n`
    : html`<p class="note warn" role="alert">${texts.consent[problem.kind]}</p>\n`;
}

const placeText = ({ kind, host }: AnswerPlace, { texts }: SiteView): Html =>
  kind === "site" ? html`<code>${host}</code>` : html`${texts.consent.onDevice} (<code>${host}</code>)`;

const accountText = ({ name, mail }: Pick<AccountLine, "name" | "mail">): Html =>
  html`<bdi>${name}</bdi>${mail === "" || mail === name ? "" : ` (${mail})`}`;

/** Signing out leads back here by way of signing in. */
function otherAccount({ csrf }: Pick<AccountLine, "csrf">, text: string, { rootPath, here }: SiteView): Html {
  return html`<form class="row" method="post" action="${rootPath}/account/logout">${csrfField(csrf)}<input type="hidden" name="return_to" value="${here}"><button class="plain">${text}</button></form>`;
}

function warnings({ kind, place, describedAt, isAdministrator }: ConsentView, { texts }: SiteView): readonly string[] {
  const { warnings: sentences } = texts.consent;
  return [
    ...(kind === "registered" ? [sentences.registered] : []),
    ...(describedAt === null ? [] : [sentences.document(describedAt)]),
    ...(place.kind === "machine" ? [sentences.machine] : []),
    ...(isAdministrator ? [sentences.administrator] : []),
  ];
}

function scopeBoxes({ scopes }: ConsentView, { texts }: SiteView): readonly Html[] {
  const { consent } = texts;
  return scopes.map(({ scope, ticked }, at) => {
    const { name, text } = consent.scopes[scope];
    const label = html`<span><strong>${name}</strong>${at === 0 ? ` (${consent.always})` : ""}${texts.site.colon}${text} <code>${scope}</code></span>`;
    return at === 0
      ? html`<label><input type="checkbox" checked disabled>${label}</label>`
      : html`<label><input type="checkbox" name="scope:${scope}" value="1"${ticked ? html` checked` : NOTHING}>${label}</label>`;
  });
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
    body: html`<h1>${consent.againHeading}</h1>
<p>${consent.againText}</p>
<p>${consent.account}${site.texts.site.colon}${accountText(account)}</p>
<form method="post" action="${site.rootPath}/account/logout">${csrfField(account.csrf)}<input type="hidden" name="return_to" value="${returnTo}">
<div class="buttons"><button class="go">${consent.againButton}</button></div>
</form>`,
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
    return html`<li><div class="row"><span class="what"><bdi>${shown}</bdi></span><form method="post" action="${rootPath}/account/grants/end">${csrfField(csrf)}<input type="hidden" name="grant_id" value="${id}"><button class="plain" aria-label="${consent.end}${colon}${shown}">${consent.end}</button></form></div>
<p>${consent.mayDo}${colon}${allowed} (${scopes.join(" ")})</p>
<p>${consent.uses}${colon}${resource}</p>
<p>${consent.since}${colon}${day(createdAt.slice(0, 10), texts)} · ${consent.lastUsed}${colon}${used}</p><p>${clientId}</p></li>\n`;
  });
  return sitePage(site, {
    title: consent.grantsHeading,
    noindex: true,
    body: html`<h1>${consent.grantsHeading}</h1>
${accountTabs("grants", site)}
${grants.length === 0 ? html`<p>${consent.noGrants}</p>` : html`<p>${consent.grantsIntro}</p>\n<ul class="items">${lines}</ul>`}`,
  });
}
