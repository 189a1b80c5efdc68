// What figures are of, as their pages name it (R51): the title of a record, the name of a person, a community or an index.
import { titleIn } from "../../model/metadata/reader-language.ts";
import type { FigureKind } from "../figures/figures.ts";
import type { RepositoryReader } from "../store/store.ts";
import { namesOf } from "./persons.ts";

/** `path`: of its page. */
export type FigureSubject = { readonly label: string; readonly lang?: string; readonly path: string };

type Store = Pick<RepositoryReader, "items" | "authors" | "communities" | "indexes">;

/** `ref`: of figures that the reader may see. */
export async function figureSubject(store: Store, kind: FigureKind, ref: string, tag: string): Promise<FigureSubject> {
  const named = (title: { readonly en: string; readonly ja: string }): string =>
    tag === "ja" ? title.ja || title.en : title.en || title.ja;
  if (kind === "community") {
    const community = await store.communities.community(ref);
    return { label: community === null ? "" : named(community.title), path: `/communities/${community?.slug ?? ref}` };
  }
  if (kind === "index") {
    const node = await store.indexes.index(Number(ref));
    const name = { en: node?.indexNameEnglish ?? "", ja: node?.indexName ?? "" };
    return { label: named(name), path: `/index/${ref}` };
  }
  if (kind === "person") {
    const author = await store.authors.author(Number(ref));
    const names = author === null ? [] : namesOf(author.content, "shown");
    const name = names.find(({ lang }) => lang === tag) ?? names[0];
    const { text: label = "", lang } = name ?? {};
    return { label, ...(lang === undefined ? {} : { lang }), path: `/authors/${ref}` };
  }
  const [item] = await store.items.summariesOf([Number(ref)]);
  const title = item?.content == null ? undefined : titleIn(item.content.metadata, tag);
  const { value: label = "", lang } = title ?? {};
  return { label, ...(lang === undefined ? {} : { lang }), path: `/records/${ref}` };
}
