// Journals and books in the custom fields of the tools' model (R3): sources of the canonical metadata, of which a field
// shows a part.
import { holdsBook, splitPages } from "../../model/metadata/imprint.ts";
import type { Container, Ident, Metadata, Text } from "../../model/metadata/metadata.ts";
import { maybe } from "../../shared/without-undefined.ts";

/** The texts of a family by their names. */
export type Fields = Readonly<Record<string, string>>;

export const filled = (fields: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined || value === "" ? [] : [[name, value]])),
  );

export const first = (texts: readonly Text[] | undefined): string => texts?.[0]?.value ?? "";

/** The first wording, replaced where it changed, removed where the new one is empty. */
export function withFirst(texts: readonly Text[], value: string | undefined): readonly Text[] {
  if (first(texts) === (value ?? "")) return texts;
  return value === undefined ? texts.slice(1) : [{ value }, ...texts.slice(1)];
}

export const isIssn = ({ scheme }: Ident): boolean => /^[PE]?ISSN$/i.test(scheme);

const pagesOf = ({ pageStart = "", pageEnd = "" }: Container): string =>
  [pageStart, pageEnd].filter((page) => page !== "").join("-");

export function showContainer(container: Container | undefined, ident: (id: Ident) => boolean, name: string): Fields {
  if (container === undefined) return {};
  const id = container.ids.find((each) => ident(each) && each.value !== "")?.value;
  const { volume, issue } = name === "issn" ? container : {};
  return filled({ title: first(container.titles), volume, issue, pages: pagesOf(container), [name]: id });
}

/** A container with what was sent for it; its hidden parts stay. Null: it is empty. */
export function putContainer(
  before: Container | undefined,
  fields: Fields,
  ident: (id: Ident) => boolean,
  name: "issn" | "isbn",
): Container | null {
  const old: Container = before ?? { titles: [], ids: [], place: "flat" };
  const { pageStart, pageEnd, volume, issue, ...others } = old;
  const pages =
    fields.pages === (pagesOf(old) || undefined)
      ? { ...maybe("pageStart", pageStart), ...maybe("pageEnd", pageEnd) }
      : splitPages(fields.pages);
  const shownId = old.ids.find((id) => ident(id) && id.value !== "");
  const isKept = shownId?.value === fields[name];
  const value = fields[name];
  const id = value === undefined ? [] : [{ scheme: name.toUpperCase(), value }];
  const ids = isKept ? old.ids : [...id, ...old.ids.filter((each) => each !== shownId)];
  const isJournal = name === "issn";
  const container: Container = {
    ...others,
    titles: withFirst(old.titles, fields.title),
    ids,
    ...maybe("volume", isJournal ? fields.volume : volume),
    ...maybe("issue", isJournal ? fields.issue : issue),
    ...pages,
  };
  const { titles, place, ...values } = container;
  return titles.length === 0 &&
    Object.values(values).every((each) => Array.isArray(each) && each.length === 0) &&
    place !== undefined
    ? null
    : container;
}

export function withContainer(metadata: Metadata, old: Container | undefined, container: Container | null): Metadata {
  const place = old === undefined ? -1 : metadata.containers.indexOf(old);
  if (place === -1)
    return container === null ? metadata : { ...metadata, containers: [...metadata.containers, container] };
  const containers =
    container === null ? metadata.containers.toSpliced(place, 1) : metadata.containers.with(place, container);
  return { ...metadata, containers };
}

export const journalOf = ({ containers }: Metadata): Container | undefined =>
  containers.find((each) => !holdsBook(each));
export const bookOf = ({ containers }: Metadata): Container | undefined => containers.find(holdsBook);
