// Resources, prompts and completions in the words of the Model Context Protocol (R30; reference 4.3): the content is
// that of src/repository/tools; here it becomes messages, and what is wrong an error of JSON-RPC with the status that
// HTTP has for it.
import { ProtocolError, ProtocolErrorCode, type Server } from "@modelcontextprotocol/server";
import { withUnseenShown } from "../../../src/model/files/file-names.ts";
import {
  PROMPT_ARGUMENT_MAX,
  PROMPTS,
  type PromptArgument,
  type PromptDefinition,
  promptText,
} from "../../../src/repository/tools/prompts.ts";
import type { Reader, Reading } from "../../../src/repository/tools/reading.ts";
import { RESOURCE_KINDS } from "../../../src/repository/tools/resources.ts";
import { type SuggestionKind, WRITTEN_MAX } from "../../../src/repository/tools/suggestions.ts";
import type { ToolList } from "../../../src/repository/tools/tool-server.ts";
import { own } from "../../../src/shared/own-entry.ts";
import { nearest } from "../../../src/shared/text/nearest-word.ts";

export type OfferNeeds = {
  /** What this transport lists: prompts name no other tools. */
  readonly tools: Pick<ToolList, "tools">;
  readonly reading: Reading;
};

export function offer(server: Server, { tools, reading }: OfferNeeds, reader: Reader): void {
  const { isShown } = reader;
  const serves = (name: string): boolean => {
    const tool = tools.tools.get(name);
    return tool !== undefined && isShown(tool);
  };
  const prompts = PROMPTS.filter(({ needs }) => needs.every(serves));

  function promptOf(name: string): PromptDefinition {
    const found = prompts.find((prompt) => prompt.name === name);
    if (found !== undefined) return found;
    const names = prompts.map((prompt) => prompt.name);
    throw wrong(`Unknown prompt: ${withUnseenShown(name.slice(0, 100))}${meaning(name, names)}`);
  }

  server.setRequestHandler("resources/templates/list", ({ params }) => {
    requireFirstPage(params);
    return { resourceTemplates: [...reading.templates(isShown)] };
  });

  server.setRequestHandler("resources/list", async ({ params }) => {
    requireFirstPage(params);
    return { resources: [...(await reading.list(reader))] };
  });

  server.setRequestHandler("resources/read", async ({ params: { uri } }) => {
    const found = await reading.read(uri, reader);
    if (found === null) throw wrong("Resource not found", { uri: uri.slice(0, 2_000), status: 404 });
    const { kind, result } = found;
    if (result.isError === true) throw unreadable(uri, result.structuredContent.error);
    const [{ text } = { text: "" }] = result.content;
    return { contents: [{ uri, mimeType: kind.template.mimeType, text }], ...kind.kept };
  });

  server.setRequestHandler("prompts/list", ({ params }) => {
    requireFirstPage(params);
    return {
      prompts: prompts.map((prompt) => ({
        name: prompt.name,
        title: prompt.title,
        description: prompt.description,
        arguments: prompt.arguments.map(({ name, description, required }) => ({ name, description, required })),
      })),
    };
  });

  server.setRequestHandler("prompts/get", ({ params }) => {
    const prompt = promptOf(params.name);
    const text = promptText(prompt, argumentsOf(prompt, params.arguments ?? {}), serves);
    return {
      description: prompt.description,
      messages: [{ role: "user" as const, content: { type: "text" as const, text } }],
    };
  });

  server.setRequestHandler("completion/complete", async ({ params: { ref, argument } }) => {
    const written = argument.value.slice(0, WRITTEN_MAX);
    const kind =
      ref.type === "ref/prompt"
        ? argumentOf(promptOf(ref.name), argument.name).suggests
        : variableOf(ref.uri, argument.name);
    return { completion: { values: [...(await offered(kind, written))] } };
  });

  async function offered(kind: PromptArgument["suggests"], written: string): Promise<readonly string[]> {
    if (kind === undefined) return [];
    return typeof kind === "string"
      ? await reading.suggest(kind, written, reader)
      : kind.filter((word) => word.startsWith(written));
  }
}

/** Lists come whole: no page was ever offered that a cursor could ask for. */
export function requireFirstPage(params: { readonly cursor?: string | undefined } | undefined): void {
  if (params?.cursor !== undefined) throw wrong("Invalid cursor: the list has one page");
}

const wrong = (message: string, data?: unknown): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, message, data);

/** The refusal of the tool: 404 and 410 mean that it was not found, the others name the reason. */
function unreadable(uri: string, error: unknown): ProtocolError {
  const { status, message, ...more } = error as {
    readonly status: number;
    readonly message: string;
  };
  const data = { uri, status, message, ...more };
  if (status >= 500) return new ProtocolError(ProtocolErrorCode.InternalError, message, data);
  return wrong(status === 404 ? "Resource not found" : message, data);
}

function argumentsOf(
  prompt: PromptDefinition,
  sent: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  for (const name of Object.keys(sent)) argumentOf(prompt, name);
  return Object.fromEntries(
    prompt.arguments.flatMap(({ name, required }) => {
      const value = (own(sent, name) ?? "").trim();
      if (value.length > PROMPT_ARGUMENT_MAX) throw wrong(`${name} is longer than ${PROMPT_ARGUMENT_MAX} characters`);
      if (value !== "") return [[name, value]];
      if (required) throw wrong(`Missing argument: ${name} of ${prompt.name}`);
      return [];
    }),
  );
}

function argumentOf(prompt: PromptDefinition, name: string): PromptArgument {
  const found = prompt.arguments.find((each) => each.name === name);
  if (found !== undefined) return found;
  const names = prompt.arguments.map((each) => each.name);
  throw wrong(`Unknown argument: ${name.slice(0, 100)} of ${prompt.name}${meaning(name, names)}`);
}

function variableOf(uri: string, name: string): SuggestionKind {
  const kind = RESOURCE_KINDS.find(({ template }) => template.uriTemplate === uri);
  if (kind === undefined) throw wrong(`Unknown template: ${uri.slice(0, 200)}`);
  if (kind.variable !== name) throw wrong(`Unknown argument: ${name.slice(0, 100)} of ${uri}`);
  return kind.suggests;
}

function meaning(name: string, names: readonly string[]): string {
  const meant = nearest(name, names);
  return meant === null ? `; there are ${names.join(", ")}` : `; did you mean ${meant}?`;
}
