// Pages of an account (R33): signing in, the one-time link, tokens. Every button is a form with a CSRF token; nothing
// needs a script.
import { csrfField } from "../../../pages/components/buttons.ts";
import { type Html, html, NOTHING } from "../../../pages/html.ts";
import type { Instant } from "../../../shared/time/instant.ts";
import { day, type SiteView, sitePage } from "./layout.ts";

export type SignInView = {
  readonly csrf: string;
  readonly returnTo: string;
  readonly hasProvider: boolean;
  readonly problem: "wrong" | "linkEnded" | "unknownAccount" | "providerFailed" | null;
};

export function signInPage(view: SignInView, site: SiteView): string {
  const { texts, rootPath } = site;
  const { account } = texts;
  const back = html`<input type="hidden" name="return_to" value="${view.returnTo}">`;
  const described = view.problem === null ? "token-hint" : "token-hint problem";
  return sitePage(site, {
    title: account.signInHeading,
    noindex: true,
    switchable: view.problem === null,
    body: html`<h1>${account.signInHeading}</h1>
${view.problem === null ? NOTHING : html`<p class="note warn" role="alert" id="problem">${account[view.problem]}</p>`}
<form method="post" action="${rootPath}/account/login">${csrfField(view.csrf)}${back}
<div class="field"><label for="token">${account.tokenLabel}</label>
<input type="password" id="token" name="token" required maxlength="200" autocomplete="current-password" autocapitalize="none" spellcheck="false" aria-describedby="${described}">
<p class="hint" id="token-hint">${account.tokenHint}</p></div>
<div class="buttons"><button class="go">${account.signIn}</button></div>
</form>
${
  view.hasProvider
    ? html`<h2>${account.orProvider}</h2>
<p><a class="go quiet" rel="nofollow" href="${rootPath}/account/oidc?return_to=${encodeURIComponent(view.returnTo)}">${account.provider}</a></p>`
    : NOTHING
}
<p class="hint">${account.linkHint}</p>`,
  });
}

/** A link preview that opens this page uses nothing up: only the button does. */
export function linkPage(
  view: { readonly csrf: string; readonly token: string; readonly minutes: number },
  site: SiteView,
): string {
  const { account } = site.texts;
  return sitePage(site, {
    title: account.linkHeading,
    noindex: true,
    body: html`<h1>${account.linkHeading}</h1>
<p>${account.linkText(view.minutes)}</p>
<form method="post" action="${site.rootPath}/account/login/${view.token}">${csrfField(view.csrf)}
<div class="buttons"><button class="go">${account.linkButton}</button></div>
</form>`,
  });
}

type TokenLine = {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly createdAt: Instant;
  readonly expiresAt: Instant | null;
};

export type TokensView = {
  readonly csrf: string;
  readonly person: { readonly name: string; readonly mail: string; readonly roles: readonly number[] };
  readonly tokens: readonly TokenLine[];
  readonly scopes: readonly string[];
  /** A token made just now. */
  readonly made: { readonly name: string; readonly text: string } | null;
  /** What is wrong with the form that was sent, in English; and what was sent. */
  readonly problem: string | null;
  readonly sent: { readonly name: string; readonly scopes: readonly string[]; readonly lastDay: string };
};

/** The pages of an account, on each of them. */
export function accountTabs(here: "tokens" | "grants" | "notices", { texts, rootPath }: SiteView): Html {
  const tab = (id: typeof here, name: string): Html =>
    html`<li><a href="${rootPath}/account/${id}"${id === here ? html` aria-current="page"` : NOTHING}>${name}</a></li>`;
  return html`<nav aria-label="${texts.consent.tabs}"><ul class="tabs">${tab("tokens", texts.account.tokensHeading)}${tab("grants", texts.consent.grantsHeading)}${tab("notices", texts.notices.heading)}</ul></nav>`;
}

export function tokensPage(view: TokensView, site: SiteView): string {
  const { texts } = site;
  const { account } = texts;
  const { person } = view;
  const roles = person.roles.map((role) => account.roleNames[String(role)] ?? String(role));
  return sitePage(site, {
    title: account.tokensHeading,
    noindex: true,
    switchable: view.made === null && view.problem === null,
    body: html`<h1>${account.tokensHeading}</h1>
${accountTabs("tokens", site)}
${
  view.made === null
    ? NOTHING
    : html`<div class="note" role="status"><p><strong>${account.madeHeading}${texts.site.colon}${view.made.name}</strong></p><p class="secret">${view.made.text}</p><p>${account.madeText}</p></div>`
}
<p>${account.tokensIntro}</p>
${view.tokens.length === 0 ? html`<p>${account.noTokens}</p>` : tokenList(view, site)}
<h2>${account.newHeading}</h2>
${newToken(view, site)}
<h2>${account.signedInAs}</h2>
<dl>
<div><dt>${account.signedInAs}</dt><dd>${person.name}${person.mail === "" || person.mail === person.name ? "" : ` (${person.mail})`}</dd></div>
<div><dt>${account.roles}</dt><dd>${roles.join(", ")}</dd></div>
</dl>`,
  });
}

function tokenList({ tokens, csrf }: TokensView, { texts, rootPath }: SiteView): Html {
  const { account } = texts;
  const lines = tokens.map(({ id, name, scopes, createdAt, expiresAt }) => {
    const end = expiresAt === null ? html`${account.never}` : day(expiresAt.slice(0, 10), texts);
    return html`<li><div class="row"><span class="what">${name}</span><form method="post" action="${rootPath}/account/tokens/revoke">${csrfField(csrf)}<input type="hidden" name="token_id" value="${id}"><button class="plain" aria-label="${account.revoke}${texts.site.colon}${name}">${account.revoke}</button></form></div>
<p>${account.scopes}${texts.site.colon}${scopes.join(" ")}</p>
<p>${account.created}${texts.site.colon}${day(createdAt.slice(0, 10), texts)} · ${account.expires}${texts.site.colon}${end}</p><p>${id}</p></li>\n`;
  });
  return html`<ul class="items">${lines}</ul>`;
}

function newToken({ csrf, scopes, problem, sent }: TokensView, { texts, rootPath }: SiteView): Html {
  const { account } = texts;
  const boxes = scopes.map(
    (scope) =>
      html`<label><input type="checkbox" name="scope:${scope}" value="1"${sent.scopes.includes(scope) ? html` checked` : NOTHING}><code>${scope}</code></label>`,
  );
  return html`${problem === null ? NOTHING : html`<p class="note warn" role="alert" lang="en">${problem}</p>`}
<form method="post" action="${rootPath}/account/tokens">${csrfField(csrf)}
<div class="field"><label for="name">${account.tokenName}</label><input id="name" name="name" value="${sent.name}" required maxlength="200" autocomplete="off" aria-describedby="name-hint"><p class="hint" id="name-hint">${account.tokenNameHint}</p></div>
<fieldset><legend>${account.scopes}</legend><div class="checks">${boxes}</div></fieldset>
<div class="field"><label for="last_day">${account.expires}</label><input type="date" id="last_day" name="last_day" value="${sent.lastDay}" aria-describedby="day-hint"><p class="hint" id="day-hint">${account.expiresHint}</p></div>
<div class="buttons"><button class="go">${account.make}</button></div>
</form>`;
}
