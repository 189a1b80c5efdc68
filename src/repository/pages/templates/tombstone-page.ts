// The page of a deleted item: the fact, its day, why, and what was here (R2c).

import { badge, banner } from "../../../pages/components/notes.ts";
import { pageHeading } from "../../../pages/components/page.ts";
import { html, NOTHING } from "../../../pages/html.ts";
import { textsOf } from "../../../resolver/pages/languages/index.ts";
import { row } from "../../../resolver/pages/layout.ts";
import type { Instant } from "../../../shared/time/instant.ts";
import { day, type SiteView, sitePage, wordOf } from "./layout.ts";

export type TombstoneView = {
  /** Id of the vocabulary removalreasons; null when none was given. */
  readonly reason: string | null;
  readonly note: string;
  /** Null when nothing more is known than that it is gone. */
  readonly at: Instant | null;
  readonly citation: string;
  readonly ark: string | null;
};

export function tombstonePage(view: TombstoneView, site: SiteView): string {
  const { texts } = site;
  const { tombstone } = texts;
  const plain = textsOf(texts.tag);
  const reason =
    view.reason === null ? "" : (wordOf({ vocabulary: "removalreasons", id: view.reason }, texts.tag) ?? view.reason);
  return sitePage(site, {
    title: tombstone.heading,
    noindex: true,
    body: html`<p>${badge(tombstone.badge, "gone")}</p>
${pageHeading(tombstone.heading)}${banner("gone", tombstone.text)}<dl>
${row(tombstone.citation, view.citation, plain)}${row(
  tombstone.ark,
  view.ark === null ? NOTHING : html`<span class="ark">${view.ark}</span>`,
  plain,
)}${row(tombstone.reason, reason, plain)}${row(tombstone.note, view.note, plain)}${row(
  tombstone.date,
  view.at === null ? NOTHING : day(view.at.slice(0, 10), texts),
  plain,
)}</dl>`,
  });
}
