// Addresses that are read and values that are offered, over the tools (R30): no rights are checked here. `tools` are
// all there are, after their gate, whichever of them a transport lists.
import type { Viewer } from "../../auth/account.ts";
import { failed, type ToolResult } from "./outcome.ts";
import {
  type ListedResource,
  listedResources,
  type NamedResource,
  namedResource,
  RECORDS_LISTED,
  RESOURCE_KINDS,
  type ResourceTemplate,
} from "./resources.ts";
import { SUGGESTIONS, type SuggestionKind, suggested } from "./suggestions.ts";
import type { ToolDefinition } from "./tool.ts";
import { admits, grantedTo, passing, type ToolServer } from "./tool-server.ts";

/** The reader, and which tools they may see. */
export type Reader = { readonly viewer: Viewer; readonly isShown: (tool: ToolDefinition) => boolean };

export type ResourceReader = {
  templates(isShown: Reader["isShown"]): readonly ResourceTemplate[];
  /** Some of them: all vocabularies, the newest records. */
  list(reader: Reader): Promise<readonly ListedResource[]>;
  /** Null: not one of our addresses. */
  read(uri: string, reader: Reader): Promise<(NamedResource & { readonly result: ToolResult }) | null>;
  /** Empty for callers that may not call the tool that finds it. */
  suggest(kind: SuggestionKind, written: string, reader: Reader): Promise<readonly string[]>;
};

export function resourceReader(tools: ToolServer): ResourceReader {
  const isThere = (name: string, isShown: Reader["isShown"]): boolean => {
    const tool = tools.tools.get(name);
    return tool !== undefined && isShown(tool);
  };

  async function call(name: string, args: Readonly<Record<string, unknown>>, { viewer, isShown }: Reader) {
    return isThere(name, isShown) ? await tools.call(name, args, { viewer, progress: () => {} }) : null;
  }

  async function listOf(name: string, args: Readonly<Record<string, unknown>>, member: string, reader: Reader) {
    const result = await call(name, args, reader);
    const found = result === null || result.isError === true ? [] : result.structuredContent[member];
    return Array.isArray(found) ? found : [];
  }

  return {
    templates: (isShown) => RESOURCE_KINDS.filter(({ tool }) => isThere(tool, isShown)).map(({ template }) => template),

    async list(reader) {
      const { isShown } = reader;
      const [types, records] = await Promise.all([
        isThere("list_vocabulary", isShown) ? listOf("list_vocabulary_types", {}, "types", reader) : [],
        isThere("get_record", isShown) ? listOf("search_records", { size: RECORDS_LISTED }, "records", reader) : [],
      ]);
      return listedResources(
        types,
        records.filter(({ is_published: isPublished }) => isPublished === true),
      );
    },

    async read(uri, reader) {
      const named = namedResource(uri);
      const result = named === null ? null : await call(named.kind.tool, named.args, reader);
      return named === null || result === null ? null : { ...named, result };
    },

    async suggest(kind, written, reader) {
      const { tool, args } = SUGGESTIONS[kind];
      const result = await call(tool, args(written), reader);
      return result === null || result.isError === true ? [] : suggested(kind, written, result.structuredContent);
    },
  };
}

/** The same tools for calls that the gate has not seen: callers that may not call one get a refusal. */
export function gatedTools(tools: ToolServer): ToolServer {
  return {
    ...tools,
    async call(name, given, call) {
      const tool = tools.tools.get(name);
      if (tool === undefined) return null;
      const verdict = admits(tool, given, grantedTo(call.viewer));
      if (!verdict.pass)
        return failed({ status: verdict.status, message: `This needs a token with ${verdict.scope}.` });
      return await tools.call(name, given, { ...call, viewer: passing(call.viewer, tool) });
    },
  };
}
