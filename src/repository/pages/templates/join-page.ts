// The page on which a person asks to join a community (R44).
import { MEMBER_ROLES } from "../../../auth/account.ts";
import { button, buttonRow, csrfField } from "../../../pages/components/buttons.ts";
import { choices } from "../../../pages/components/choices.ts";
import { type FieldProblem, problemAt } from "../../../pages/components/errors.ts";
import { textArea } from "../../../pages/components/fields.ts";
import { trail } from "../../../pages/components/lists.ts";
import { state } from "../../../pages/components/notes.ts";
import { pageHeading } from "../../../pages/components/page.ts";
import { type Html, html } from "../../../pages/html.ts";
import { most } from "../../../shared/limits.ts";
import { type SiteView, sitePage } from "./layout.ts";

export type JoinView = {
  readonly slug: string;
  readonly title: string;
  /** People may ask. */
  readonly isOpen: boolean;
  readonly sent: { readonly role: string; readonly message: string };
  readonly problems: readonly FieldProblem[];
};

export function joinPage(view: JoinView, site: SiteView): string {
  const { join } = site.texts.review;
  const heading = join.heading(view.title);
  return sitePage(site, {
    title: heading,
    noindex: true,
    problems: view.problems,
    switchable: view.problems.length === 0,
    body: html`${trail([{ label: view.title, href: `${site.rootPath}/communities/${view.slug}` }], site.texts)}${pageHeading(heading)}${view.isOpen ? form(view, site) : state({ kind: "forbidden", text: join.closed })}`,
  });
}

function form({ slug, sent, problems }: JoinView, { texts, rootPath, person }: SiteView): Html {
  const { review } = texts;
  const { join } = review;
  const roles = choices(
    {
      id: "role",
      legend: join.role,
      kind: "radio",
      error: problemAt(problems, "role"),
      choices: MEMBER_ROLES.toReversed().map((value) => ({
        ...{ value, label: review.roles[value], hint: join.roles[value], isChosen: value === sent.role },
      })),
      isWide: true,
    },
    texts,
  );
  const message = {
    ...{ id: "message", label: join.message, hint: join.messageHint, value: sent.message, rows: 5 },
    ...{ error: problemAt(problems, "message"), control: { maxlength: most("commentCharacters") } },
  };
  return html`<form method="post" action="${rootPath}/communities/${slug}/join">${csrfField(person?.csrf ?? "")}${roles}${textArea(message, texts)}${buttonRow([button({ label: join.send })])}</form>`;
}
