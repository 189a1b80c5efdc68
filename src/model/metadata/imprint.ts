// The book that a work is a part of, where its imprint names no ISBN (R3): without one nothing distinguishes a book
// from a journal in the metadata, so title and pages stay among the custom fields. Exports, pages and search read them
// as what the work appeared in.

import { isJsonObject } from "../../shared/json/read.ts";
import { own } from "../../shared/objects.ts";
import type { Container, Ident, Metadata } from "./metadata.ts";

/** The family of custom fields that holds it. */
export const IMPRINT = "imprint:imprint";

export const isIsbn = ({ scheme }: Ident): boolean => scheme.toUpperCase() === "ISBN";
export const holdsBook = ({ ids }: Container): boolean => ids.some(isIsbn);

/** "10-12" as first and last page; other texts unchanged. */
export function splitPages(pages: string | undefined): { readonly pageStart?: string; readonly pageEnd?: string } {
  if (pages === undefined) return {};
  const [, start, end] = /^([^\s–—-]{1,20})\s?[–—-]{1,2}\s?([^\s–—-]{1,20})$/.exec(pages) ?? [];
  return start === undefined || end === undefined ? { pageStart: pages } : { pageStart: start, pageEnd: end };
}

/** Null where the imprint states neither title nor pages, or a container has them already. */
function imprintBook({ custom, containers }: Metadata): Container | null {
  const imprint = own(custom, IMPRINT);
  if (!isJsonObject(imprint) || containers.some(holdsBook)) return null;
  const text = (name: string): string | undefined => {
    const value = own(imprint, name);
    return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
  };
  const [title, pages] = [text("title"), text("pages")];
  if (title === undefined && pages === undefined) return null;
  if (title !== undefined && containers.some(({ titles }) => titles.some(({ value }) => value === title))) return null;
  return { titles: title === undefined ? [] : [{ value: title }], ids: [], ...splitPages(pages), place: "flat" };
}

/** Works that are parts of a book: it comes before a journal or series. */
const PARTS: readonly string[] = ["publication-section", "publication-conferencepaper"];

/** The metadata with the book of the imprint among the containers; of a chapter or paper books come first. */
export function withImprint(metadata: Metadata): Metadata {
  const book = imprintBook(metadata);
  const containers = book === null ? metadata.containers : [...metadata.containers, book];
  const isPart = PARTS.includes(metadata.type?.id ?? "");
  if (!isPart || containers.length < 2) return book === null ? metadata : { ...metadata, containers };
  const isFirst = (each: Container): boolean => holdsBook(each) || (each === book && each.titles.length > 0);
  return { ...metadata, containers: containers.toSorted((a, b) => Number(isFirst(b)) - Number(isFirst(a))) };
}
