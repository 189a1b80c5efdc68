// The page of `?info`: what a name identifies, who maintains it, and its history; also for tombstones and holds (A38).

import { linkButton } from "../../pages/components/buttons.ts";
import { badge, banner } from "../../pages/components/notes.ts";
import { pageHeading, sectionHeading } from "../../pages/components/page.ts";
import { type Html, html, jsonBlock, linked, NOTHING } from "../../pages/html.ts";
import type { Description } from "../description.ts";
import type { Hold } from "../hold.ts";
import type { Texts } from "./languages/index.ts";
import { moment, type PageSite, page, row } from "./layout.ts";

export type NameView = Description & {
  /** The name as a web address; a path where the service knows no base address. */
  readonly address: string;
  /** Path of the name at this service, with the mount prefix. */
  readonly path: string;
};

/** A code of the kernel such as `(:unav)` means that the value is missing. */
function shown(value: string): string {
  return /^\(:(?:unav|null|none|unap)\)$/.test(value.trim()) ? "" : value;
}

export function namePage(view: NameView, texts: Texts, { rootPath, look }: PageSite): string {
  const isGone = view.state === "tombstoned";
  const title = shown(view.what) || texts.name.untitled;
  return page({
    texts,
    title: `${title} · ${view.ark}`,
    rootPath,
    look,
    inLanguage: (tag) => `${view.path}?info&lang=${tag}`,
    noindex: isGone || view.hold !== null,
    canonical: view.inheritedFrom === null ? `${view.address}?info` : null,
    data: jsonBlock(linkedData(view)),
    body: html`${stateBadge(view, texts)}
<p class="ark">${view.ark}</p>
${pageHeading(title)}${shown(view.who) === "" ? NOTHING : html`<p class="by">${view.who}${shown(view.when) === "" ? "" : ` · ${view.when}`}</p>`}
${notice(view, texts)}
${about(view, texts)}
${persistence(view, texts)}
${otherForms(view, texts)}`,
  });
}

/** Links to the inflections that programs read. */
export function otherForms({ path }: NameView, texts: Texts): Html {
  return html`<p class="forms"><span>${texts.name.otherForms}</span><a href="${path}?json">JSON</a><a href="${path}??">ANVL</a></p>`;
}

function stateBadge(view: NameView, texts: Texts): Html {
  if (view.state === "tombstoned") return html`<p>${badge(texts.tombstone.badge, "gone")}</p>`;
  if (view.hold !== null) return html`<p>${badge(texts.hold.badge, "warn")}</p>`;
  return NOTHING;
}

export function holdNotice(hold: Hold, texts: Texts): Html {
  const reason =
    hold.reason === null || hold.reason === "" ? NOTHING : html`<p>${texts.labels.reason}: ${hold.reason}</p>`;
  const text = html`<p><strong>${texts.hold.heading}</strong></p>
<p>${texts.hold.text} ${texts.hold.scopes[hold.scope]}</p>
<p>${texts.labels.until}: ${moment(hold.until, texts, true)}</p>${reason}`;
  return banner("warn", text);
}

function notice(view: NameView, texts: Texts): Html {
  const inherited =
    view.inheritedFrom === null
      ? NOTHING
      : html`<p class="hint">${texts.name.inherited(view.inheritedFrom, view.suffix ?? "")}</p>`;
  if (view.state === "tombstoned") {
    const page =
      view.redirectSafe && view.redirect !== null
        ? html`<p><a href="${view.redirect}" rel="nofollow noopener">${texts.tombstone.page}</a></p>`
        : NOTHING;
    const text = html`<p><strong>${texts.tombstone.heading}</strong></p>
<p>${texts.tombstone.text}</p>${page}`;
    return html`${banner("gone", text)}${inherited}`;
  }
  if (view.hold !== null) return html`${holdNotice(view.hold, texts)}${inherited}`;
  const reserved = view.state === "reserved" ? banner("info", texts.name.reserved) : NOTHING;
  if (view.redirect === null) return html`${reserved}${banner("info", texts.name.noTarget)}${inherited}`;
  if (!view.redirectSafe) return html`${reserved}${banner("info", texts.name.unsafeTarget)}${inherited}`;
  return html`${reserved}<p>${linkButton(texts.name.open, view.redirect, "main", "noopener")}</p>${inherited}`;
}

function about(view: NameView, texts: Texts): Html {
  const { labels } = texts;
  const target = view.state === "tombstoned" || view.redirect === null ? "" : view.redirect;
  return html`${sectionHeading(texts.name.about)}<dl>
${row(labels.who, shown(view.who), texts, true)}${row(labels.what, shown(view.what), texts, true)}${row(
  labels.when,
  shown(view.when),
  texts,
  true,
)}${row(labels.where, html`<code>${view.ark}</code>`, texts)}${row(
  labels.address,
  /^https?:/.test(view.address) ? html`<code>${view.address}</code>` : "",
  texts,
)}${row(labels.redirect, view.redirectSafe && view.hold === null ? linked(target) : target, texts)}${row(
  labels.type,
  view.type,
  texts,
)}${row(labels.format, view.format, texts)}${row(labels.identifier, linked(view.identifier), texts)}${row(
  labels.relation,
  linked(view.relation),
  texts,
)}${row(labels.source, linked(view.source), texts)}${row(labels.created, moment(view.createdAt, texts), texts)}${row(
  labels.updated,
  moment(view.updatedAt, texts),
  texts,
)}</dl>`;
}

function persistence(view: NameView, texts: Texts): Html {
  const { support } = view;
  const { labels } = texts;
  const policyPage = /^https?:/.test(support.where) ? linked(support.where) : NOTHING;
  return html`${sectionHeading(texts.name.persistence)}<dl>
${row(labels.responsible, support.who, texts, true)}${row(
  labels.level,
  support.level === null ? "" : texts.levels[support.level],
  texts,
  true,
)}${row(labels.commitment, support.statement, texts)}${row(labels.policy, support.policy, texts)}${row(
  labels.policyPage,
  policyPage,
  texts,
)}</dl>`;
}

/** Words of the type field that schema.org has a type for. */
const SCHEMA_TYPES: readonly (readonly [RegExp, string])[] = [
  [/^data ?set$/i, "Dataset"],
  [/^(?:journal )?article$/i, "ScholarlyArticle"],
  [/thesis|dissertation/i, "Thesis"],
  [/^book$/i, "Book"],
  [/^map$/i, "Map"],
  [/^(?:still)? ?image$|photograph/i, "ImageObject"],
  [/^moving ?image$|^video$/i, "VideoObject"],
  [/^sound$|^audio$/i, "AudioObject"],
  [/^software$/i, "SoftwareSourceCode"],
  [/^collection$/i, "Collection"],
];

function linkedData(view: NameView): Record<string, unknown> {
  const entries: readonly (readonly [string, unknown])[] = [
    ["@context", "https://schema.org"],
    ["@type", SCHEMA_TYPES.find(([pattern]) => pattern.test(view.type.trim()))?.[1] ?? "CreativeWork"],
    ["@id", view.address],
    ["identifier", [{ "@type": "PropertyValue", propertyID: "ARK", value: view.ark }, ...optional(view.identifier)]],
    ["name", shown(view.what)],
    ["creator", shown(view.who)],
    ["dateCreated", shown(view.when)],
    ["additionalType", view.type],
    ["encodingFormat", view.format],
    ["isBasedOn", view.source],
    ["url", view.redirectSafe && view.hold === null && view.state !== "tombstoned" ? view.redirect : null],
    ["maintainer", view.support.who === "" ? null : { "@type": "Organization", name: view.support.who }],
    ["dateModified", view.updatedAt],
  ];
  return Object.fromEntries(entries.filter(([, value]) => value !== null && value !== ""));
}

function optional(value: string): readonly string[] {
  return value === "" ? [] : [value];
}
