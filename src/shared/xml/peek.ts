// The root of an XML document, read from its beginning alone: deposits may carry XML files of any size that are nobody's metadata (R13a).

export type RootName = { readonly namespace: string; readonly name: string };

/** How much of a document is read: room for comments before the root and for many namespace declarations. */
export const PEEK_BYTES = 64 * 1024;

const OPENING = /^<([^\s/>:]+:)?([^\s/>:]+)((?:\s+[^\s=>]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*\/?>/;
const DECLARATIONS = /\sxmlns(?::([^\s=]+))?\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/**
 * Namespace and local name of the root element as the first PEEK_BYTES show it; null when no root is seen there. A DOCTYPE is passed over here, so
 * that a document with one is refused by name when it is read and not taken for something else. Nothing is checked and nothing thrown.
 */
export function peekRoot(beginning: Uint8Array): RootName | null {
  const bytes = beginning.subarray(0, PEEK_BYTES);
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "utf-8";
  let rest = new TextDecoder(encoding).decode(bytes);
  for (;;) {
    rest = rest.trimStart();
    const end = prologEnd(rest);
    if (end === 0) break;
    if (end === -1) return null;
    rest = rest.slice(end);
  }
  const found = OPENING.exec(rest);
  if (found === null) return null;
  const [, prefix = "", name = "", attributes = ""] = found;
  for (const [, declared = "", double, single] of attributes.matchAll(DECLARATIONS)) {
    if (declared === prefix.slice(0, -1)) return { namespace: double ?? single ?? "", name };
  }
  return prefix === "" ? { namespace: "", name } : null;
}

/** Where a declaration, comment, instruction or DOCTYPE at the start ends; 0 when there is none, -1 when its end is not seen. */
function prologEnd(text: string): number {
  const after = (mark: string): number => {
    const at = text.indexOf(mark);
    return at === -1 ? -1 : at + mark.length;
  };
  if (text.startsWith("<!--")) return after("-->");
  if (text.startsWith("<?")) return after("?>");
  if (!text.startsWith("<!")) return 0;
  const bracket = text.indexOf("[");
  const close = text.indexOf(">");
  if (bracket === -1 || close < bracket) return close + 1 || -1;
  const end = /\]\s*>/.exec(text);
  return end === null ? -1 : end.index + end[0].length;
}
