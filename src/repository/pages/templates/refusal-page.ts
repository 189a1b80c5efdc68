// The page of a refusal: what happened, what one can do (R2d: guests that may not read are asked to sign in).

import { linkButton } from "../../../pages/components/buttons.ts";
import { badge } from "../../../pages/components/notes.ts";
import { pageHeading } from "../../../pages/components/page.ts";
import { type Html, html, NOTHING } from "../../../pages/html.ts";
import { refusalWords } from "../refusal-words.ts";
import { type SiteView, sitePage } from "./layout.ts";

type RefusalView = {
  readonly status: number;
  /** The sentence of the service, in English. */
  readonly message: string;
  /** Signing in may help. */
  readonly askToSignIn: boolean;
};

/** `before`: above everything. */
export function refusalPage(
  { status, message, askToSignIn }: RefusalView,
  site: SiteView,
  before: Html = NOTHING,
): string {
  const { texts, rootPath, here } = site;
  const { refusal } = texts;
  const words = refusalWords(message, texts);
  const heading = refusal.headings[String(status)] ?? refusal.headings["0"] ?? "";
  const sentence = refusal.sentences[String(status)];
  const signIn = html`${linkButton(refusal.askToSignIn, `${rootPath}/account/login?return_to=${encodeURIComponent(here)}`)} `;
  return sitePage(site, {
    title: heading,
    noindex: true,
    switchable: status !== 405 && status !== 400,
    body: html`${before}<p>${badge(`${status}`, "warn")}</p>
${pageHeading(heading)}${sentence === undefined ? NOTHING : html`<p>${sentence}</p>`}
<p class="buttons">${askToSignIn ? signIn : NOTHING}${linkButton(refusal.home, `${rootPath}/`, "quiet")}</p>
<p class="hint">${refusal.detail}${texts.site.colon}${words.lang === undefined ? html`${words.text}` : html`<span lang="en">${words.text}</span>`}</p>`,
  });
}
