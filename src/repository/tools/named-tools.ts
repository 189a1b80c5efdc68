// Texts that name tools (R30; reference 5.5), without what names a tool that is not served: the two tables differ, and
// SVC_MCP_TOOLS leaves tools out.
import { HTTP_TOOLS, MORE_TOOLS, STDIO_TOOLS } from "./tool-table.ts";

const ALL: ReadonlySet<string> = new Set([...HTTP_TOOLS, ...MORE_TOOLS, ...STDIO_TOOLS].map(({ name }) => name));

/** `text` without the parts between `separator` that name an absent tool; empty where nothing is left. */
export function withoutAbsentTools(text: string, separator: string, served: (name: string) => boolean): string {
  return text
    .split(separator)
    .filter((part) => part.split(/[^a-z_]/).every((word) => !ALL.has(word) || served(word)))
    .join(separator);
}
