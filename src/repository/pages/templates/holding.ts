// Who decides about a task (R44): the button that takes or releases it, and an administrator's field to give it to
// another account.
import { button, buttonRow, csrfField, postButton } from "../../../pages/components/buttons.ts";
import { textField } from "../../../pages/components/fields.ts";
import { type Html, html, NOTHING } from "../../../pages/html.ts";
import type { SiteView } from "./layout.ts";

export type HoldingView = {
  /** Where its forms are sent: the page of the task with `/holder`. */
  readonly action: string;
  /** Who holds it, in words; "": nobody. */
  readonly holder: string;
  readonly may: { readonly take: boolean; readonly release: boolean; readonly reassign: boolean };
};

export function holding({ action, may }: HoldingView, { texts, rootPath, person }: SiteView): Html {
  const { review } = texts;
  if (person === null || !(may.take || may.release || may.reassign)) return NOTHING;
  const [at, csrf] = [`${rootPath}${action}`, person.csrf];
  const give = html`<details><summary>${review.reassign}</summary><form method="post" action="${at}">${csrfField(csrf)}${textField(
    { id: "to", label: review.account, hint: review.accountHint, control: { inputmode: "numeric", maxlength: 15 } },
    texts,
  )}${buttonRow([button({ label: review.reassign, kind: "quiet" })])}</form></details>`;
  return html`${may.take ? postButton({ label: review.take, kind: "quiet", action: at, csrf, sent: { to: "me" } }) : NOTHING}${
    may.release ? postButton({ label: review.release, kind: "quiet", action: at, csrf, sent: { to: "" } }) : NOTHING
  }${may.reassign ? give : NOTHING}
`;
}
