// ANVL, the text form of an ERC (A37; draft-kunze-ark-42 section 5): `label: value` lines in segments.

/** An element: label and value. An empty value is written as the code for "unavailable". */
type AnvlElement = readonly [label: string, value: string];
type AnvlSegment = { readonly name: string; readonly elements: readonly AnvlElement[] };

/** Kernel code for a value that is not there (draft; ERC). */
const UNAVAILABLE = "(:unav)";

/** Line ends of any kind become percent-encoded, and so does `%`: no value can begin a new line. */
function anvlValue(value: string): string {
  return value.replace(/[%\r\n\v\f\u0085\u2028\u2029]/g, encodeURIComponent);
}

function anvlLabel(label: string): string {
  return label.replace(/[%:\r\n\v\f\u0085\u2028\u2029]/g, encodeURIComponent);
}

/** One record: its segments follow each other without a blank line, which would end it. */
export function printAnvl(segments: readonly AnvlSegment[]): string {
  const lines: string[] = [];
  for (const segment of segments) {
    lines.push(`${anvlLabel(segment.name)}:`);
    for (const [label, value] of segment.elements) {
      lines.push(`${anvlLabel(label)}: ${value === "" ? UNAVAILABLE : anvlValue(value)}`);
    }
  }
  return `${lines.join("\n")}\n`;
}
