// Whether SVC_MCP_TOOLS names tools there are (R30): a slip of the pen would take one away unseen.
import { type Config, ConfigError } from "../../config.ts";
import { HTTP_TOOLS, MORE_TOOLS, STDIO_TOOLS } from "../../repository/tools/tool-table.ts";
import { nearest } from "../../shared/text/nearest-word.ts";

/** @throws ConfigError naming each that is none, and what was meant. */
export function requireKnownTools({ mcpTools }: Pick<Config, "mcpTools">): void {
  const known = [...new Set([...HTTP_TOOLS, ...MORE_TOOLS, ...STDIO_TOOLS].map(({ name }) => name))];
  const problems = mcpTools
    .filter((name) => !known.includes(name))
    .map((name) => {
      const meant = nearest(name, known);
      return `SVC_MCP_TOOLS="${name}" is not allowed: ${meant === null ? `one of ${known.join(", ")}` : `did you mean ${meant}?`}`;
    });
  if (problems.length > 0) throw new ConfigError(problems);
}
