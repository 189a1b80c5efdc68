// The page that shows a file (R49): what it is, its download, its viewers, and what the chosen viewer made of it. One
// line a viewer in TEMPLATES.

import type { ViewerKind } from "../../../../model/files/viewers.ts";
import { linkButton } from "../../../../pages/components/buttons.ts";
import { tabs, trail } from "../../../../pages/components/lists.ts";
import { state } from "../../../../pages/components/notes.ts";
import { pageHeading } from "../../../../pages/components/page.ts";
import { type Html, html, NOTHING } from "../../../../pages/html.ts";
import type { FileContent, NotShownContent, ViewedContent, ViewModels } from "../../../viewers/viewing.ts";
import { otherLang, type SiteView, sitePage, sizeText } from "../layout.ts";
import { crateBody } from "./crate.ts";
import { dataBody } from "./data.ts";
import { mapBody } from "./map.ts";
import { markdownBody } from "./markdown.ts";
import { notebookBody } from "./notebook.ts";
import { pdfBody } from "./pdf.ts";
import { pictureBody } from "./picture.ts";
import { playerBody } from "./player.ts";
import { tableBody } from "./table.ts";
import { textBody } from "./text.ts";
import type { FileViewPlace, ViewBody, ViewTemplate } from "./view-body.ts";
import { zipBody } from "./zip.ts";

export type FileViewPage = FileViewPlace &
  ViewedContent & {
    readonly title: { readonly text: string; readonly lang?: string };
    readonly mediaType: string;
    readonly sizeBytes: number;
  };

const TEMPLATES: { readonly [Kind in ViewerKind]: ViewTemplate<ViewModels[Kind]> } = {
  markdown: markdownBody,
  table: tableBody,
  workbook: tableBody,
  picture: pictureBody,
  player: playerBody,
  map: mapBody,
  notebook: notebookBody,
  json: dataBody,
  xml: dataBody,
  crate: crateBody,
  zip: zipBody,
  pdf: pdfBody,
  text: textBody,
};

export type WrittenView = { readonly page: string; readonly policy: Readonly<Record<string, string>> };

export function viewPage(view: FileViewPage, site: SiteView): WrittenView {
  const { texts } = site;
  const title = view.title.text === "" ? texts.site.untitled : view.title.text;
  const { content } = view;
  const {
    body,
    scripts = [],
    policy = {},
  } = content.kind === "not-shown" ? { body: notShown(content, view, site) } : bodyOf(content, view, site);
  const name = html`<bdi class="name">${view.name}</bdi>`;
  const page = sitePage(site, {
    title: `${view.name} · ${title}`,
    noindex: true,
    scripts,
    body: html`${trail([{ label: title, href: view.back, lang: otherLang(view.title.lang, texts) }], texts)}${pageHeading(name)}<p class="kind">${sizeText(view.sizeBytes, texts)} · ${view.mediaType}</p>
<p class="links"><a href="${view.download}?download=1">${texts.viewers.download}</a></p>
${viewerTabs(view, site)}${body}`,
  });
  return { page, policy };
}

/** The other ways to see the file. */
function viewerTabs({ viewers, viewer, here }: FileViewPage, { texts }: SiteView): Html {
  if (viewers.length < 2) return NOTHING;
  const links = viewers.map((kind) => ({
    label: texts.viewers.kinds[kind],
    href: kind === viewers[0] ? here : `${here}?as=${kind}`,
    isHere: kind === viewer,
  }));
  return tabs(texts.viewers.as, links);
}

function bodyOf<Kind extends ViewerKind>(
  { kind, model }: { readonly kind: Kind; readonly model: ViewModels[Kind] } & FileContent,
  place: FileViewPlace,
  site: SiteView,
): ViewBody {
  const template: ViewTemplate<ViewModels[Kind]> = TEMPLATES[kind];
  return template(model, place, site);
}

function notShown({ reason, limit }: NotShownContent, { download }: FileViewPlace, { texts }: SiteView): Html {
  const { viewers } = texts;
  const sentence =
    reason === "too-large" ? viewers.reasons[reason](sizeText(limit ?? 0, texts)) : viewers.reasons[reason];
  return state({
    kind: "empty",
    heading: viewers.notShown,
    text: `${sentence} ${viewers.canDownload}`,
    actions: [linkButton(viewers.download, `${download}?download=1`)],
  });
}
