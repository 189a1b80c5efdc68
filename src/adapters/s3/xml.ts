// The few answers in XML that an S3 store gives and we read: flat lists of plain elements, of bounded size. No general
// XML reader.

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/**
 * The text between the tags of every element of this name, in order; elements of one name are never nested in these
 * answers.
 */
export function elementsOf(xml: string, name: string): readonly string[] {
  const found: string[] = [];
  const [open, close] = [`<${name}`, `</${name}>`];
  for (let at = xml.indexOf(open); at !== -1; at = xml.indexOf(open, at + open.length)) {
    const next = xml[at + open.length];
    if (next !== ">" && next !== " ") continue;
    const start = xml.indexOf(">", at) + 1;
    const end = xml.indexOf(close, start);
    if (start === 0 || end === -1) break;
    found.push(xml.slice(start, end));
  }
  return found;
}

/** The text of the first element of this name; empty when there is none. */
export function textOf(xml: string, name: string): string {
  return (elementsOf(xml, name)[0] ?? "").replace(
    /&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(\w{2,4}));/g,
    (whole, ...parts) => {
      const [decimal, hex, named]: readonly (string | undefined)[] = parts.slice(0, 3);
      if (named !== undefined) return ENTITIES[named] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}

export function printText(text: string): string {
  return text.replace(/[&<>"]/g, (each) => `&#${each.charCodeAt(0)};`);
}
