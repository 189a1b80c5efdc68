// Pages of an account (R33): signing in, the one-time link, tokens. Every button is a form with a CSRF token; nothing
// needs a script.
import type { RepositoryScope } from "../../../auth/account.ts";
import { button, buttonRow, csrfField, linkButton, postButton } from "../../../pages/components/buttons.ts";
import { choices } from "../../../pages/components/choices.ts";
import { type FieldProblem, problemAt } from "../../../pages/components/errors.ts";
import { hiddenField, textField } from "../../../pages/components/fields.ts";
import { factList, factRow, tabs } from "../../../pages/components/lists.ts";
import { banner, state } from "../../../pages/components/notes.ts";
import { pageHeading, sectionHeading } from "../../../pages/components/page.ts";
import { type Html, html, NOTHING } from "../../../pages/html.ts";
import type { Instant } from "../../../shared/time/instant.ts";
import type { RepositoryTexts } from "../languages/index.ts";
import { day, type SiteView, sitePage } from "./layout.ts";

export type SignInView = {
  readonly csrf: string;
  readonly returnTo: string;
  readonly hasProvider: boolean;
  readonly hasRegistration: boolean;
  readonly problem: "wrong" | "linkEnded" | "unknownAccount" | "providerFailed" | null;
};

export function signInPage(view: SignInView, site: SiteView): string {
  const { texts, rootPath } = site;
  const { account } = texts;
  const problems = view.problem === null ? [] : [{ field: "token", text: account[view.problem] }];
  const token = {
    id: "token",
    label: account.tokenLabel,
    hint: account.tokenHint,
    error: problemAt(problems, "token"),
    isRequired: true,
    type: "password",
    control: { maxlength: 200, autocomplete: "current-password", autocapitalize: "none", spellcheck: "false" },
  } as const;
  const provider = `${rootPath}/account/oidc?return_to=${encodeURIComponent(view.returnTo)}`;
  return sitePage(site, {
    title: account.signInHeading,
    noindex: true,
    switchable: view.problem === null,
    problems,
    body: html`${pageHeading(account.signInHeading)}
<form method="post" action="${rootPath}/account/login">${csrfField(view.csrf)}${hiddenField("return_to", view.returnTo)}
${textField(token, texts)}${buttonRow([button({ label: account.signIn })])}</form>
${view.hasProvider ? html`${sectionHeading(account.orProvider)}<p>${linkButton(account.provider, provider, "quiet", "nofollow")}</p>` : NOTHING}
${view.hasRegistration ? html`<p>${linkButton(texts.registration.link, `${rootPath}/account/register`, "quiet")}</p>` : NOTHING}<p class="hint">${account.linkHint}</p>`,
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
    body: html`${pageHeading(account.linkHeading)}
<p>${account.linkText(view.minutes)}</p>
<form method="post" action="${site.rootPath}/account/login/${view.token}">${csrfField(view.csrf)}
${buttonRow([button({ label: account.linkButton })])}</form>`,
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
  readonly scopes: readonly RepositoryScope[];
  /** A token made just now. */
  readonly made: { readonly name: string; readonly text: string } | null;
  /** What is wrong with the form that was sent; and what was sent. */
  readonly problems: readonly FieldProblem[];
  readonly sent: { readonly name: string; readonly scopes: readonly string[]; readonly lastDay: string };
};

/** The pages of an account, on each of them. */
export function accountTabs(
  here: "profile" | "tokens" | "grants" | "notices" | "searches",
  { texts, rootPath }: SiteView,
): Html {
  const names = {
    profile: texts.ownAccount.heading,
    tokens: texts.account.tokensHeading,
    grants: texts.consent.grantsHeading,
    notices: texts.notices.heading,
    searches: texts.savedSearches.heading,
  };
  const links = Object.entries(names).map(([id, label]) => ({
    label,
    href: id === "profile" ? `${rootPath}/account` : `${rootPath}/account/${id}`,
    isHere: id === here,
  }));
  return tabs(texts.consent.tabs, links);
}

export function tokensPage(view: TokensView, site: SiteView): string {
  const { texts } = site;
  const { account } = texts;
  const { person, made, problems } = view;
  const roles = person.roles.map((role) => account.roleNames[String(role)] ?? String(role));
  const name = `${person.name}${person.mail === "" || person.mail === person.name ? "" : ` (${person.mail})`}`;
  const madeText =
    made === null
      ? NOTHING
      : banner(
          "good",
          html`<p><strong>${account.madeHeading}${texts.site.colon}${made.name}</strong></p><p class="secret">${made.text}</p><p>${account.madeText}</p>`,
          { role: "status" },
        );
  return sitePage(site, {
    title: account.tokensHeading,
    noindex: true,
    switchable: made === null && problems.length === 0,
    problems,
    body: html`${pageHeading(account.tokensHeading)}${accountTabs("tokens", site)}${madeText}<p>${account.tokensIntro}</p>
${view.tokens.length === 0 ? state({ kind: "empty", text: account.noTokens }) : tokenList(view, site)}
${sectionHeading(account.newHeading)}${newToken(view, site)}
${sectionHeading(account.signedInAs)}${factList([factRow(account.signedInAs, name), factRow(account.roles, roles.join(", "))])}`,
  });
}

/** What a scope allows, in words; one that no version of the program knows any more, as it is. */
function scopeWords(scope: string, { scopes, consent, site }: RepositoryTexts): string {
  if (Object.hasOwn(scopes, scope)) return scopes[scope as keyof typeof scopes];
  if (!Object.hasOwn(consent.scopes, scope)) return scope;
  const { name, text } = consent.scopes[scope as keyof typeof consent.scopes];
  return `${consent.byProgram}${site.colon}${name}${site.colon}${text}`;
}

function tokenList({ tokens, csrf }: TokensView, { texts, rootPath }: SiteView): Html {
  const { account, site } = texts;
  const lines = tokens.map(({ id, name, scopes, createdAt, expiresAt }) => {
    const end = expiresAt === null ? html`${account.never}` : day(expiresAt.slice(0, 10), texts);
    const revoke = postButton({
      label: account.revoke,
      heard: `${account.revoke}${site.colon}${name}`,
      kind: "small danger",
      action: `${rootPath}/account/tokens/revoke`,
      csrf,
      sent: { token_id: id },
    });
    const allowed = scopes.map((scope) => html`<li>${scopeWords(scope, texts)} <code>${scope}</code></li>`);
    return html`<li><div class="row"><span class="what">${name}</span>${revoke}</div>
<p>${account.created}${site.colon}${day(createdAt.slice(0, 10), texts)} · ${account.expires}${site.colon}${end} · <code>${id}</code></p>
<details><summary>${account.scopes} <span class="kind">(${scopes.length})</span></summary><ul>${allowed}</ul></details></li>\n`;
  });
  return html`<ul class="items">${lines}</ul>`;
}

function newToken({ csrf, scopes, problems, sent }: TokensView, { texts, rootPath }: SiteView): Html {
  const { account } = texts;
  const boxes = scopes.map((scope) => ({
    name: `scope:${scope}`,
    value: "1",
    label: html`${scopeWords(scope, texts)} <code>${scope}</code>`,
    isChosen: sent.scopes.includes(scope),
  }));
  const name = { id: "name", label: account.tokenName, hint: account.tokenNameHint, isRequired: true };
  const lastDay = { id: "last_day", label: account.expires, hint: account.expiresHint, type: "date" } as const;
  return html`<form method="post" action="${rootPath}/account/tokens">${csrfField(csrf)}
${textField({ ...name, value: sent.name, error: problemAt(problems, "name"), control: { maxlength: 200, autocomplete: "off" } }, texts)}${choices(
  {
    id: "scopes",
    legend: account.scopes,
    kind: "checkbox",
    choices: boxes,
    isWide: true,
    error: problemAt(problems, "scopes"),
  },
  texts,
)}${textField({ ...lastDay, value: sent.lastDay, error: problemAt(problems, "last_day") }, texts)}${buttonRow([button({ label: account.make })])}</form>`;
}
