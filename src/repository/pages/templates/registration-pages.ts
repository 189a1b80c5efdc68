// The pages on which people register (R33): the form that asks for a link, that it was asked for, and the link itself.
import { button, buttonRow, csrfField } from "../../../pages/components/buttons.ts";
import { type FieldProblem, problemAt } from "../../../pages/components/errors.ts";
import { textField } from "../../../pages/components/fields.ts";
import { state } from "../../../pages/components/notes.ts";
import { pageHeading } from "../../../pages/components/page.ts";
import { html } from "../../../pages/html.ts";
import { PERSON_NAME_MAX } from "../../people/own-account.ts";
import type { RegistrationMode } from "../../people/registration.ts";
import type { RepositoryTexts } from "../languages/index.ts";
import { type SiteView, sitePage } from "./layout.ts";

export type RegisterView = {
  readonly csrf: string;
  readonly mode: RegistrationMode;
  readonly sent: { readonly mail: string; readonly name: string };
  readonly problems: readonly FieldProblem[];
};

/** The domains in words. */
export const domainWords = (domains: readonly string[], { registration }: RepositoryTexts): string =>
  domains.map((each) => (each.startsWith("*.") ? registration.below(each.slice(2)) : each)).join(", ");

const nameField = (value: string, problems: readonly FieldProblem[], texts: RepositoryTexts) =>
  textField(
    {
      id: "name",
      label: texts.registration.name,
      hint: texts.registration.nameHint,
      value,
      error: problemAt(problems, "name"),
      isRequired: true,
      control: { maxlength: PERSON_NAME_MAX, autocomplete: "name" },
    },
    texts,
  );

export function registerPage({ csrf, mode, sent, problems }: RegisterView, site: SiteView): string {
  const { texts, rootPath } = site;
  const { registration } = texts;
  const mail = {
    id: "mail",
    label: registration.mail,
    type: "email",
    value: sent.mail,
    error: problemAt(problems, "mail"),
    isRequired: true,
    control: { maxlength: 254, autocomplete: "email", spellcheck: "false" },
  } as const;
  const body =
    mode.kind === "domains"
      ? html`<p>${registration.intro(domainWords(mode.domains, texts))}</p>
<form method="post" action="${rootPath}/account/register">${csrfField(csrf)}
${textField(mail, texts)}${nameField(sent.name, problems, texts)}${buttonRow([button({ label: registration.ask })])}</form>`
      : state({ kind: "empty", text: registration.invitationOnly });
  return sitePage(site, {
    title: registration.heading,
    noindex: true,
    problems,
    switchable: problems.length === 0,
    body: html`${pageHeading(registration.heading)}${body}`,
  });
}

export function linkSentPage(site: SiteView): string {
  const { registration } = site.texts;
  return sitePage(site, {
    title: registration.sentHeading,
    noindex: true,
    body: html`${pageHeading(registration.sentHeading)}<p>${registration.sentText}</p>`,
  });
}

export type ConfirmView = Pick<RegisterView, "csrf" | "problems"> & {
  readonly token: string;
  readonly mail: string;
  readonly name: string;
};

/** A link preview that opens this page uses nothing up: only the button does. */
export function confirmPage({ csrf, token, mail, name, problems }: ConfirmView, site: SiteView): string {
  const { texts, rootPath } = site;
  const { registration } = texts;
  return sitePage(site, {
    title: registration.confirmHeading,
    noindex: true,
    problems,
    switchable: problems.length === 0,
    body: html`${pageHeading(registration.confirmHeading)}<p>${registration.confirmText(mail)}</p>
<form method="post" action="${rootPath}/account/register/${token}">${csrfField(csrf)}
${nameField(name, problems, texts)}${buttonRow([button({ label: registration.confirm })])}</form>`,
  });
}
