// Pages of subjects, funders and licences (R40): all of a kind with how many items they have, and one with its items.
import { button } from "../../../pages/components/buttons.ts";
import { textField } from "../../../pages/components/fields.ts";
import { factList, factRow, pagination, trail } from "../../../pages/components/lists.ts";
import { banner, state } from "../../../pages/components/notes.ts";
import { pageHeading, sectionHeading } from "../../../pages/components/page.ts";
import { type Html, html, jsonBlock, NOTHING } from "../../../pages/html.ts";
import type { FiledItems, FiledKind, FiledList } from "../filed.ts";
import { type ItemLine, itemList } from "./item-list.ts";
import { langOf, type SiteView, sitePage, titleIn } from "./layout.ts";

/** The page of one value. */
export const filedPath = (kind: FiledKind, value: string): string => `/${kind}?${new URLSearchParams({ is: value })}`;

/** The parameter by which searches and feeds find the items of a value. */
const PARAMETERS: Readonly<Record<FiledKind, string>> = {
  subjects: "subject_is",
  funders: "funder_is",
  licences: "license_is",
};

export function filedListPage(kind: FiledKind, view: FiledList & { readonly begins: string }, site: SiteView): string {
  const { texts, rootPath } = site;
  const { filed } = texts;
  const at = (page: number): string =>
    `${rootPath}/${kind}?${new URLSearchParams({ ...(view.begins === "" ? {} : { begins: view.begins }), page: `${page}` })}`;
  const lines = view.values.map(({ value, names, count }) => {
    const name = names === null ? value : titleIn(names, texts.tag);
    return html`<li><a href="${rootPath}${filedPath(kind, value)}">${name}</a> <span class="kind">(${filed.count(count)})</span></li>\n`;
  });
  const field = { id: "begins", label: filed.begins, type: "search", value: view.begins } as const;
  return sitePage(site, {
    title: filed.kinds[kind],
    noindex: view.begins !== "" || view.page > 1,
    body: html`${pageHeading(filed.kinds[kind])}<p>${filed.about[kind]}</p>
<form class="search" action="${rootPath}/${kind}"><div class="line">${textField(field, texts)}${button({ label: filed.show })}</div></form>
${lines.length === 0 ? state({ kind: "empty", text: filed.none }) : html`<ul>${lines}</ul>`}
${view.isMore ? banner("info", filed.more) : NOTHING}${pagination(view, at, texts)}`,
  });
}

/** `isFirst`: of several pages of items. */
export function filedPage(
  kind: FiledKind,
  view: Omit<FiledItems, "items"> & { readonly items: readonly ItemLine[]; readonly address: string },
  site: SiteView,
): string {
  const { texts, rootPath } = site;
  const { filed } = texts;
  const { value, names, count, page } = view;
  const name = names === null ? value : titleIn(names, texts.tag);
  const query = new URLSearchParams({ [PARAMETERS[kind]]: value });
  const feed = `${rootPath}/api/opensearch/search?${query}&format=atom`;
  const at = (number: number): string => `${rootPath}${filedPath(kind, value)}&page=${number}`;
  return sitePage(site, {
    title: name,
    noindex: page > 1,
    head: html`<link rel="canonical" href="${view.address}">
<link rel="alternate" type="application/atom+xml" title="${filed.feed}" href="${feed}">
${jsonBlock(dataOf(kind, view, name))}`,
    body: html`${trail([{ label: filed.kinds[kind], href: `${rootPath}/${kind}` }], texts)}${pageHeading(name)}${factsOf(view, site)}
${sectionHeading(filed.items, { count: texts.search.hits(count) })}${itemList(view.items, texts, rootPath)}
${pagination(view, at, texts)}
<p class="links"><a href="${rootPath}/search?${`${query}`}">${filed.search}</a><a href="${feed}">${filed.feed}</a></p>`,
  });
}

type Facts = Pick<FiledItems, "scheme" | "links" | "otherNames">;

function factsOf({ scheme, links, otherNames }: Facts, { texts }: SiteView): Html {
  const { filed } = texts;
  const list = (lines: readonly Html[]): Html => html`<ul>${lines}</ul>`;
  const rows = [
    ...(otherNames.length === 0
      ? []
      : [
          factRow(
            texts.person.names,
            list(otherNames.map(({ text, lang }) => html`<li${langOf(lang, texts)}>${text}</li>`)),
          ),
        ]),
    ...(scheme === null ? [] : [factRow(filed.scheme, scheme)]),
    ...(links.length === 0
      ? []
      : [
          factRow(
            filed.described,
            list(links.map((href) => html`<li><a href="${href}" rel="nofollow noopener">${href}</a></li>`)),
          ),
        ]),
  ];
  return rows.length === 0 ? NOTHING : factList(rows);
}

const TYPES: Readonly<Record<FiledKind, string>> = {
  subjects: "DefinedTerm",
  funders: "Organization",
  licences: "CreativeWork",
};

/** The value in the words of schema.org. */
function dataOf(
  kind: FiledKind,
  { scheme, links, otherNames, address }: Facts & { readonly address: string },
  name: string,
): object {
  const others = otherNames.map(({ text }) => text);
  return {
    "@context": "https://schema.org/",
    "@type": TYPES[kind],
    "@id": links[0] ?? address,
    url: address,
    name,
    ...(others.length === 0 ? {} : { alternateName: others }),
    ...(links.length === 0 ? {} : { sameAs: links }),
    ...(kind === "subjects" && scheme !== null ? { inDefinedTermSet: scheme } : {}),
  };
}
