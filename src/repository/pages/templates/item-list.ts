// A list of items as the front page and index pages show it.

import { type Html, html, NOTHING } from "../../../pages/html.ts";
import type { ItemId } from "../../../shared/ids.ts";
import type { Part } from "../../search/query/marking.ts";
import type { RepositoryTexts } from "../languages/index.ts";
import { langOf, type OpennessView, opennessText, wordOf } from "./layout.ts";
import { orcidLink } from "./orcid-mark.ts";

export type ItemLine = {
  readonly id: ItemId;
  readonly title: { readonly text: string; readonly lang?: string };
  /** The first creators, and whether there are more. */
  readonly people: readonly string[];
  /** Their ORCID iDs, as many as people; null: none is known. */
  readonly orcids?: readonly (string | null)[];
  /** The number of the version, where there were others before it. */
  readonly version?: number | null;
  readonly hasMore: boolean;
  /** Id of the vocabulary resourcetypes, and what the item calls itself. */
  readonly type: { readonly id: string; readonly label: string } | null;
  readonly date: string | null;
  readonly openness: OpennessView;
  /** Of a hit: the title in parts, and what of the item was found. */
  readonly parts?: readonly Part[];
  readonly snippet?: readonly Part[];
  /** Names in parts, as many as people. */
  readonly names?: readonly (readonly Part[])[];
  /** Forms of words that were found, and words in their context that neither title, names nor abstract have. */
  readonly forms?: readonly string[];
  readonly places?: readonly {
    readonly file: { readonly name: string; readonly page: number | null } | null;
    readonly parts: readonly Part[];
  }[];
};

/** Creators named in a line; further ones are an ellipsis. */
export const NAMED = 4;

export function itemList(items: readonly ItemLine[], texts: RepositoryTexts, rootPath: string): Html {
  const lines = items.map((item) => {
    const people = (item.names ?? item.people.map((text) => [{ text, found: false }])).map(
      (name, at) => html`${at === 0 ? "" : texts.site.between}${withMarks(name)}${orcidOf(item, at, texts)}`,
    );
    const type =
      item.type === null
        ? null
        : (wordOf({ vocabulary: "resourcetypes", id: item.type.id }, texts.tag) ?? item.type.label);
    const version = item.version === undefined || item.version === null ? null : texts.record.version(item.version);
    const facts = [type, item.date, version, opennessText(item.openness, texts)].filter(
      (each) => each !== null && each !== "",
    );
    return html`<li><a class="what" href="${rootPath}/records/${item.id}"${langOf(item.title.lang, texts)}>${
      item.title.text === "" ? texts.site.untitled : item.parts === undefined ? item.title.text : withMarks(item.parts)
    }</a>${people.length === 0 ? NOTHING : html`<p>${people}${item.hasMore ? " …" : ""}</p>`}<p>${facts.join(" · ")}</p>${snippetOf(item)}${reasonsOf(item, texts)}</li>\n`;
  });
  return html`<ul class="items">${lines}</ul>`;
}

function orcidOf({ people, orcids }: ItemLine, at: number, { search, site }: RepositoryTexts): Html {
  const orcid = orcids?.[at] ?? null;
  return orcid === null ? NOTHING : orcidLink(orcid, `${search.orcidOf(people[at] ?? "")}${site.colon}${orcid}`);
}

const withMarks = (parts: readonly Part[]): Html =>
  html`${parts.map(({ text, found }) => (found ? html`<mark>${text}</mark>` : html`${text}`))}`;

function snippetOf({ snippet = [] }: ItemLine): Html {
  return snippet.length === 0 ? NOTHING : html`<p class="snippet">${withMarks(snippet)}</p>`;
}

function reasonsOf({ places = [], forms = [] }: ItemLine, { search: { reasons } }: RepositoryTexts): Html {
  const lines = places.map(({ file, parts }) => {
    const where = file === null ? "" : `${reasons.inFile(file.name, file.page)} `;
    return html`<p class="snippet">${where}${withMarks(parts)}</p>`;
  });
  return html`${lines}${forms.length === 0 ? NOTHING : html`<p class="kind">${reasons.foundBy(forms)}</p>`}`;
}
