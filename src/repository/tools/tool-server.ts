// A server of tools without its transport (R30): the list of them, and a call by name. Scopes are the gate's; rights
// are the use cases', which ask them in the transaction that writes.
import type { Viewer } from "../../auth/account.ts";
import { isObject } from "../../shared/fields.ts";
import type { Refusal } from "../../shared/refusal.ts";
import { type Arguments, readArguments } from "./arguments.ts";
import { bounded } from "./bounds.ts";
import { withoutAbsentTools } from "./named-tools.ts";
import { failed, failedBy, succeeded, type ToolResult } from "./outcome.ts";
import { listedIn } from "./shapes.ts";
import type { ToolDefinition } from "./tool.ts";

export type ToolCall = {
  /** With the required scope, which is checked again at each write (R2g). */
  readonly viewer: Viewer;
  readonly args: Arguments;
  /** Called if the caller requested progress; values only grow. */
  readonly progress: (done: number, total: number, message: string) => void;
  /** Aborted when the caller calls it off: what only reads stops, what writes comes to its end. */
  readonly signal?: AbortSignal;
};
export type ToolHandler = (call: ToolCall) => Promise<Readonly<Record<string, unknown>>>;
export type ToolHandlers = Readonly<Record<string, ToolHandler>>;

/** Tools as the protocol lists them; always in the same order. */
type ListedTool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ToolDefinition["input"];
  readonly outputSchema: ToolDefinition["output"];
  readonly annotations: ToolDefinition["annotations"];
};

export type ToolList = {
  readonly tools: ReadonlyMap<string, ToolDefinition>;
  list(which: (tool: ToolDefinition) => boolean): readonly ListedTool[];
};

export type ToolServer = ToolList & {
  /** Null: there is no such tool. A bug is thrown. */
  call(name: string, given: unknown, call: Omit<ToolCall, "args">): Promise<ToolResult | null>;
};

/** `served`: only these; none: all (SVC_MCP_TOOLS). */
export function toolList(definitions: readonly ToolDefinition[], served: readonly string[]): ToolList {
  const chosen = definitions.filter(({ name }) => served.length === 0 || served.includes(name));
  const names = new Set(chosen.map(({ name }) => name));
  const isServed = (name: string): boolean => names.has(name);
  const tools = chosen.map((tool) => ({
    ...tool,
    description: withoutAbsentTools(tool.description.replaceAll(". ", ".\n"), "\n", isServed).replaceAll("\n", " "),
  }));
  const listed = new Map(tools.map((tool) => [tool.name, listedTool(tool)]));
  return {
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    list: (which) => tools.filter(which).flatMap(({ name }) => listed.get(name) ?? []),
  };
}

/**
 * `hint`: which call helps after a refusal that does not name it itself. @throws Error where a tool has no handler, or
 * a handler no tool.
 */
export function toolServer(
  definitions: readonly ToolDefinition[],
  handlers: ToolHandlers,
  hint: (tool: string, refusal: Refusal) => string | undefined,
  served: readonly string[] = [],
): ToolServer {
  const all = new Set(definitions.map(({ name }) => name));
  const list = toolList(definitions, served);
  const unmet = [
    ...[...all].filter((name) => !Object.hasOwn(handlers, name)),
    ...Object.keys(handlers).filter((name) => !all.has(name)),
  ];
  if (unmet.length > 0) throw new Error(`Tools and what they do differ: ${unmet.join(", ")}`);
  return {
    ...list,
    async call(name, given, call) {
      const tool = list.tools.get(name);
      const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
      if (tool === undefined || handler === undefined) return null;
      const read = readArguments(tool.input, given);
      if ("errors" in read) {
        const hint = `${name} takes ${Object.keys(tool.input.properties).join(", ") || "no arguments"}`;
        const sentence = isObject(given) ? tool.misread?.(given) : undefined;
        const message = sentence ?? "The arguments are not valid.";
        return failed({ status: 400, message, errors: read.errors, hint });
      }
      try {
        return succeeded(boundedBy(tool, await handler({ ...call, args: read.args })));
      } catch (error) {
        const result = failedBy(
          error,
          (refusal) => hint(name, refusal),
          (name) => list.tools.has(name),
        );
        if (result === null) throw error;
        return result;
      }
    },
  };
}

/** As much of a result as one answer holds. */
function boundedBy({ output, rest = GET_RECORD }: ToolDefinition, result: Readonly<Record<string, unknown>>) {
  const isWanted = rest === null || result.whole === true || "part" in result;
  return isWanted ? result : bounded(result, listedIn(output), rest);
}

const GET_RECORD =
  "truncated names what is left out because it is long: get_record (recid, full=true) returns it whole";

/** Only the schema: marks of the builder are not sent. */
function listedTool({ name, title, description, input, output, annotations }: ToolDefinition): ListedTool {
  return { name, title, description, inputSchema: input, outputSchema: output, annotations };
}
