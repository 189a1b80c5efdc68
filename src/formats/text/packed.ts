// Documents that are ZIP archives (R35): which they are by the paths in them, which of their parts hold words, and
// which elements of those.
import { most } from "../../shared/limits.ts";
import { attributeOf, HTML_RULES, type MarkupRules, type Tag, walkMarkup } from "./markup.ts";

type Format = {
  /** A path that only this format has. */
  readonly known: string;
  /** Patterns of the parts, in the order in which they are read; each in the order of its numbers. */
  readonly parts: readonly RegExp[];
  readonly rules: MarkupRules;
};

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));
/** Alternative content for programs that do not know a newer feature; one of the two is enough. */
const FALLBACK = "Fallback";

const OFFICE_RULES: MarkupRules = {
  within: words("t"),
  silent: words(`rPh delText instrText ${FALLBACK}`),
  lines: words("p br cr si row"),
  spaces: words("tab c"),
  isHtml: false,
};

const FORMATS: readonly Format[] = [
  {
    known: "word/document.xml",
    parts: [
      /^word\/document\.xml$/,
      /^word\/(?:footnotes|endnotes|comments)\.xml$/,
      /^word\/(?:header|footer)\d*\.xml$/,
    ],
    rules: OFFICE_RULES,
  },
  {
    known: "xl/workbook.xml",
    parts: [/^xl\/sharedStrings\.xml$/, /^xl\/worksheets\/sheet\d+\.xml$/, /^xl\/comments\d*\.xml$/],
    rules: OFFICE_RULES,
  },
  {
    known: "ppt/presentation.xml",
    parts: [/^ppt\/slides\/slide\d+\.xml$/, /^ppt\/notesSlides\/notesSlide\d+\.xml$/],
    rules: OFFICE_RULES,
  },
  {
    known: "content.xml",
    parts: [/^content\.xml$/],
    rules: {
      within: words("body"),
      silent: words("tracked-changes ruby-text scripts forms"),
      lines: words("p h line-break table-row"),
      spaces: words("s tab table-cell"),
      isHtml: false,
    },
  },
];

/** The part of an EPUB that leads to its reading order. */
export const EPUB_CONTAINER = "META-INF/container.xml";
/** Which parts of an EPUB are encrypted, of an OpenDocument whether any is. */
export const EPUB_ENCRYPTION = "META-INF/encryption.xml";
export const OPEN_DOCUMENT_MANIFEST = "META-INF/manifest.xml";

export type Parts = { readonly paths: readonly string[]; readonly rules: MarkupRules };

/** At most this many parts of one document are read. */
const PARTS_MOST = most("textParts");

/** The parts with words of an office document; null for another archive. */
export function officeParts(paths: readonly string[]): Parts | null {
  const there = new Set(paths);
  const format = FORMATS.find(({ known }) => there.has(known));
  if (format === undefined) return null;
  const found = format.parts.flatMap((pattern) => paths.filter((path) => pattern.test(path)).toSorted(byNumber));
  return { paths: found.slice(0, PARTS_MOST), rules: format.rules };
}

function byNumber(one: string, other: string): number {
  const [first = 0, second = 0] = [one, other].map((path) => Number(/(\d{1,9})\.xml$/.exec(path)?.[1] ?? 0));
  return first - second;
}

/** The path of the package document, as the container of an EPUB names it. */
export function epubPackagePath(container: string): string | null {
  let path: string | null = null;
  eachTag(container, (tag) => {
    if (tag.name === "rootfile") path ??= attributeOf(tag, "full-path");
  });
  return path;
}

/** The documents of an EPUB in reading order, as its package document at `path` names them. */
export function epubParts(packageDocument: string, path: string): Parts {
  const hrefs = new Map<string, string>();
  const order = new Set<string>();
  eachTag(packageDocument, (tag) => {
    const id = attributeOf(tag, tag.name === "itemref" ? "idref" : "id");
    if (id === null) return;
    if (tag.name === "itemref") order.add(id);
    const href = tag.name === "item" ? attributeOf(tag, "href") : null;
    if (href !== null) hrefs.set(id, href);
  });
  const folder = path.split("/").slice(0, -1);
  const paths = new Set<string>();
  for (const id of order) {
    const href = hrefs.get(id);
    if (href !== undefined) paths.add(inFolder(folder, href));
    // Counted before the next one is created: each contains the folder.
    if (paths.size >= PARTS_MOST) break;
  }
  return { paths: [...paths], rules: HTML_RULES };
}

/** Parts that the encryption document of an EPUB names; fonts are among them in many that anybody may read. */
export function encryptedParts(document: string): ReadonlySet<string> {
  const found = new Set<string>();
  eachTag(document, (tag) => {
    const uri = tag.name === "CipherReference" ? attributeOf(tag, "uri") : null;
    if (uri !== null) found.add(inFolder([], uri));
  });
  return found;
}

/** True where the manifest of an OpenDocument marks a part as encrypted. */
export function isEncryptedManifest(manifest: string): boolean {
  let isEncrypted = false;
  eachTag(manifest, ({ name }) => {
    isEncrypted ||= name === "encryption-data" || name === "encrypted-key";
  });
  return isEncrypted;
}

function eachTag(source: string, visit: (tag: Tag) => void): void {
  walkMarkup(source, false, {
    text() {},
    tag(tag) {
      if (!tag.isEnd) visit(tag);
      return true;
    },
  });
}

/** A relative address inside the archive as a path in it. */
function inFolder(folder: readonly string[], href: string): string {
  const parts = [...folder];
  for (const part of unescapeText(href.split(/[?#]/)[0] ?? "").split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

function unescapeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
