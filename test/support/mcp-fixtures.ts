// What the protocol's conformance suite asks a server to have (reference 4.3): tools, resources and prompts that answer
// by rote in every way the protocol knows. Test code: they are served by the endpoint of the product (R30), with its gate
// and its handler, in place of the repository's tools.
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  InMemoryServerEventBus,
  inputRequired,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCResponse,
  MissingRequiredClientCapabilityError,
  ResourceNotFoundError,
  Server,
  type ServerContext,
  type Transport,
} from "@modelcontextprotocol/server";
import type { ProtocolServer } from "../../plugins/repository/mcp/protocol.ts";

type Arguments = Readonly<Record<string, unknown>>;
type Given = { readonly args: Arguments; readonly context: ServerContext };
type Answer = Readonly<Record<string, unknown>>;
type Fixture = {
  readonly takes?: Readonly<Record<string, unknown>>;
  readonly run: (given: Given) => Answer | Promise<Answer>;
};

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

const text = (words: string) => ({ type: "text", text: words });
const textAnswer = (words: string): Answer => ({ content: [text(words)] });
const image = { type: "image", data: PIXEL, mimeType: "image/png" };
const embedded = (uri: string, mimeType: string, words: string) => ({
  type: "resource",
  resource: { uri, mimeType, text: words },
});
const asksFor = (name: string, type = "string") => ({
  type: "object" as const,
  properties: { [name]: { type } },
  required: [name],
});
const form = (message: string, name: string, type?: "boolean") =>
  // One member of a primitive type, as forms have them.
  inputRequired.elicit({ message, requestedSchema: asksFor(name, type) as never });
const sample = (words: string) =>
  inputRequired.createMessage({
    messages: [{ role: "user", content: { type: "text", text: words } }],
    maxTokens: 50,
  });

/** What travels to the client and back is signed, so that nobody else's is taken for it. */
const states = createRequestStateCodec<{ readonly of: string; readonly round: number; readonly nonce: string }>({
  key: crypto.getRandomValues(new Uint8Array(32)),
});
const state = (of: string, round = 1): Promise<string> => states.mint({ of, round, nonce: crypto.randomUUID() });

/** The capabilities that the client of this request declares. */
const capabilities = ({ context }: Given): Readonly<Record<string, unknown>> =>
  new Map<string, Readonly<Record<string, unknown>>>(Object.entries(context.mcpReq.envelope ?? {})).get(
    CLIENT_CAPABILITIES_META_KEY,
  ) ?? {};
const accepted = ({ context }: Given, key: string) => acceptedContent(context.mcpReq.inputResponses, key);
const responded = ({ context }: Given, key: string): unknown => context.mcpReq.inputResponses?.[key];

async function telling({ context }: Given, send: (step: number) => Answer): Promise<void> {
  for (const step of [0, 1, 2]) {
    // Each comes by itself, as steps of real work do.
    if (step > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await context.mcpReq.notify(send(step) as never);
  }
}

const elicited = async ({ context }: Given, message: string, schema: object): Promise<Answer> => {
  const params = { message, requestedSchema: schema };
  const { action, content } = await context.mcpReq.send({ method: "elicitation/create", params });
  return textAnswer(`action=${action}, content=${JSON.stringify(content ?? {})}`);
};

const choices = (kind: "oneOf" | "anyOf") => ({
  [kind]: [
    { const: "value1", title: "First" },
    { const: "value2", title: "Second" },
    { const: "value3", title: "Third" },
  ],
});
const words = ["option1", "option2", "option3"];

const bus = new InMemoryServerEventBus();

/**
 * Calls that were called off while they waited; the tool that waits is not listed, since suites call what they find.
 */
export const calledOff = { count: 0, waiting: 0 };

const TOOLS: Readonly<Record<string, Fixture>> = {
  wait_until_called_off: {
    run: ({ context }) =>
      new Promise((resolve) => {
        calledOff.waiting += 1;
        context.mcpReq.signal.addEventListener("abort", () => {
          calledOff.count += 1;
          resolve(textAnswer("Called off"));
        });
      }),
  },
  test_simple_text: { run: () => textAnswer("This is a simple text response for testing.") },
  test_image_content: { run: () => ({ content: [image] }) },
  test_audio_content: { run: () => ({ content: [{ type: "audio", data: SILENCE, mimeType: "audio/wav" }] }) },
  test_embedded_resource: {
    run: () => ({ content: [embedded("test://embedded-resource", "text/plain", "An embedded resource.")] }),
  },
  test_multiple_content_types: {
    run: () => ({
      content: [
        text("Multiple content types test:"),
        image,
        embedded("test://mixed-content-resource", "application/json", JSON.stringify({ test: "data", value: 123 })),
      ],
    }),
  },
  test_error_handling: {
    run: () => ({ ...textAnswer("This tool intentionally returns an error for testing"), isError: true }),
  },
  test_tool_with_logging: {
    async run(given) {
      await telling(given, (step) => ({
        method: "notifications/message",
        params: { level: "info", data: `Step ${step}` },
      }));
      return textAnswer("Notified three times");
    },
  },
  test_logging_tool: {
    async run({ context }) {
      await context.mcpReq.log("info", "Only for who asked");
      return textAnswer("Notified where requested");
    },
  },
  test_tool_with_progress: {
    async run(given) {
      const { progressToken } = given.context.mcpReq._meta ?? {};
      if (progressToken !== undefined) {
        await telling(given, (step) => ({
          method: "notifications/progress",
          params: { progressToken, progress: step * 50, total: 100, message: `Step ${step}` },
        }));
      }
      return textAnswer(String(progressToken ?? "none"));
    },
  },
  test_sampling: {
    takes: { prompt: { type: "string" } },
    async run({ args, context }) {
      const messages = [{ role: "user", content: text(String(args.prompt)) }];
      const { content } = await context.mcpReq.send({
        method: "sampling/createMessage",
        params: { messages, maxTokens: 100 },
      });
      return textAnswer(`LLM response: ${JSON.stringify(content)}`);
    },
  },
  test_elicitation: {
    takes: { message: { type: "string" } },
    run: (given) => elicited(given, String(given.args.message), asksFor("response")),
  },
  test_elicitation_sep1034_defaults: {
    run: (given) =>
      elicited(given, "Please review the fields", {
        type: "object",
        properties: {
          name: { type: "string", default: "John Doe" },
          age: { type: "integer", default: 30 },
          score: { type: "number", default: 95.5 },
          status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
          verified: { type: "boolean", default: true },
        },
        required: [],
      }),
  },
  test_elicitation_sep1330_enums: {
    run: (given) =>
      elicited(given, "Please choose", {
        type: "object",
        properties: {
          untitledSingle: { type: "string", enum: words },
          titledSingle: { type: "string", ...choices("oneOf") },
          legacyEnum: { type: "string", enum: ["opt1", "opt2", "opt3"], enumNames: ["One", "Two", "Three"] },
          untitledMulti: { type: "array", items: { type: "string", enum: words } },
          titledMulti: { type: "array", items: choices("anyOf") },
        },
        required: [],
      }),
  },
  test_missing_capability: {
    run(given) {
      if (capabilities(given).sampling !== undefined) return textAnswer("It is there");
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
    },
  },
  test_streaming_elicitation: {
    async run(given) {
      await telling(given, (step) => ({ method: "notifications/message", params: { level: "info", data: step } }));
      return accepted(given, "name") === undefined
        ? inputRequired({ inputRequests: { name: form("What is your name?", "name") } })
        : textAnswer("Thank you");
    },
  },
  test_trigger_tool_change: {
    run() {
      bus.publish({ kind: "tools_list_changed" });
      return textAnswer("Notified");
    },
  },
  test_trigger_prompt_change: {
    run() {
      bus.publish({ kind: "prompts_list_changed" });
      return textAnswer("Notified");
    },
  },
  test_reconnection: { run: () => textAnswer("Answered at once: no stream is taken up again") },
  test_input_required_result_elicitation: {
    run(given) {
      const { name } = accepted(given, "user_name") ?? {};
      return typeof name === "string"
        ? textAnswer(`Hello, ${name}!`)
        : inputRequired({ inputRequests: { user_name: form("What is your name?", "name") } });
    },
  },
  test_input_required_result_sampling: {
    run(given) {
      const answer = responded(given, "capital_question");
      return answer === undefined
        ? inputRequired({ inputRequests: { capital_question: sample("What is the capital of France?") } })
        : textAnswer(JSON.stringify(answer));
    },
  },
  test_input_required_result_list_roots: {
    run(given) {
      const answer = responded(given, "client_roots");
      return answer === undefined
        ? inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } })
        : textAnswer(JSON.stringify(answer));
    },
  },
  test_input_required_result_request_state: { run: (given) => confirmed(given, "request_state", "state-ok") },
  test_input_required_result_tampered_state: { run: (given) => confirmed(given, "tampered_state", "integrity-ok") },
  test_input_required_result_multiple_inputs: {
    async run(given) {
      const missing = ["user_name", "greeting", "client_roots"].filter((key) => responded(given, key) === undefined);
      if (missing.length === 0) return textAnswer("All three came");
      return inputRequired({
        inputRequests: {
          user_name: form("What is your name?", "name"),
          greeting: sample("Generate a greeting"),
          client_roots: inputRequired.listRoots(),
        },
        requestState: await state("multiple_inputs"),
      });
    },
  },
  test_input_required_result_multi_round: {
    async run({ context }) {
      const round = context.mcpReq.requestState<{ readonly round: number }>()?.round ?? 0;
      if (round > 1) return textAnswer("Both rounds are done");
      return inputRequired({
        inputRequests: round === 0 ? { step1: form("Your name?", "name") } : { step2: form("Your color?", "color") },
        requestState: await state("multi_round", round + 1),
      });
    },
  },
  test_input_required_result_capabilities: {
    run(given) {
      if (given.context.mcpReq.inputResponses !== undefined) return textAnswer("What could be asked was answered");
      const can = capabilities(given);
      const inputRequests = {
        ...(can.elicitation === undefined ? {} : { user_name: form("What is your name?", "name") }),
        ...(can.sampling === undefined ? {} : { greeting: sample("Generate a greeting") }),
        ...(can.roots === undefined ? {} : { client_roots: inputRequired.listRoots() }),
      };
      return Object.keys(inputRequests).length === 0
        ? textAnswer("Nothing can be asked")
        : inputRequired({ inputRequests });
    },
  },
};

async function confirmed(given: Given, of: string, done: string): Promise<Answer> {
  const known = given.context.mcpReq.requestState<{ readonly of: string }>();
  if (known?.of === of && accepted(given, "confirm") !== undefined) return textAnswer(done);
  return inputRequired({
    inputRequests: { confirm: form("Please confirm", "ok", "boolean") },
    requestState: await state(of),
  });
}

/** A schema with what the dialect of 2020-12 has besides members: it is listed word by word. */
const DIALECT = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

const LISTED = [
  ...Object.entries(TOOLS)
    .filter(([name]) => name !== "wait_until_called_off")
    .map(([name, { takes = {} }]) => ({
      name,
      description: `Conformance: ${name}`,
      inputSchema: { type: "object", properties: takes, required: Object.keys(takes) },
    })),
  { name: "json_schema_2020_12_tool", description: "Conformance: schemas", inputSchema: DIALECT },
];

const STATIC: Readonly<Record<string, Answer>> = {
  "test://static-text": { mimeType: "text/plain", text: "This is the content of the static text resource." },
  "test://static-binary": { mimeType: "image/png", blob: PIXEL },
  "test://watched-resource": { mimeType: "text/plain", text: "Watched resource content" },
};

const asUser = (content: object) => ({ role: "user", content });
type Prompt = { readonly takes?: readonly string[]; readonly answer: (given: Given) => Answer };
const PROMPTS: Readonly<Record<string, Prompt>> = {
  test_simple_prompt: { answer: () => ({ messages: [asUser(text("This is a simple prompt for testing."))] }) },
  test_prompt_with_arguments: {
    takes: ["arg1", "arg2"],
    answer: ({ args }) => ({
      messages: [asUser(text(`Prompt with arguments: arg1='${args.arg1}', arg2='${args.arg2}'`))],
    }),
  },
  test_prompt_with_embedded_resource: {
    takes: ["resourceUri"],
    answer: ({ args }) => ({
      messages: [
        asUser(embedded(String(args.resourceUri), "text/plain", "Embedded resource content for testing.")),
        asUser(text("Please process the embedded resource above.")),
      ],
    }),
  },
  test_prompt_with_image: { answer: () => ({ messages: [asUser(image), asUser(text("Please analyze the image."))] }) },
  test_input_required_result_prompt: {
    answer: (given) =>
      accepted(given, "user_context") === undefined
        ? inputRequired({ inputRequests: { user_context: form("What context should be used?", "context") } })
        : { messages: [asUser(text(JSON.stringify(accepted(given, "user_context"))))] },
  },
};

/**
 * Requests to clients of the older revisions, by number: answers come as separate calls, to a server that did not
 * ask.
 */
const asked = new Map<string, (answer: JSONRPCResponse) => void>();

class FixtureServer extends Server {
  override async connect(transport: Transport): Promise<void> {
    await super.connect(transport);
    const { onmessage } = transport;
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      if (!isJSONRPCRequest(message)) return send(message, options);
      const id = crypto.randomUUID();
      asked.set(id, (answer) => onmessage?.({ ...answer, id: message.id }));
      return send({ ...message, id }, options);
    };
    transport.onmessage = (message, extra) => {
      const waiting = isJSONRPCResponse(message) ? asked.get(String(message.id)) : undefined;
      if (waiting !== undefined && isJSONRPCResponse(message)) waiting(message);
      else onmessage?.(message, extra);
    };
  }
}

function fixtureServer(): Server {
  const listed = { ttlMs: 60_000, cacheScope: "public" } as const;
  const server = new FixtureServer(
    { name: "fixtures", version: "1" },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        logging: {},
        completions: {},
      },
      requestState: { verify: states.verify },
      cacheHints: {
        "tools/list": listed,
        "resources/list": listed,
        "resources/templates/list": listed,
        "resources/read": listed,
        "prompts/list": listed,
      },
    },
  );
  // The answers of fixtures are written by hand, and held by the suite itself against the protocol's schema.
  const asIs = (answer: unknown) => answer as never;
  server.setRequestHandler("tools/list", () => asIs({ tools: LISTED }));
  server.setRequestHandler("tools/call", async ({ params }, context) =>
    asIs(
      (await TOOLS[params.name]?.run({ args: params.arguments ?? {}, context })) ?? {
        ...textAnswer("No such tool"),
        isError: true,
      },
    ),
  );
  server.setRequestHandler("resources/list", () =>
    asIs({
      resources: Object.entries(STATIC).map(([uri, { mimeType }]) => ({ uri, name: uri.slice(7), mimeType })),
    }),
  );
  server.setRequestHandler("resources/templates/list", () =>
    asIs({ resourceTemplates: [{ uriTemplate: "test://template/{id}/data", name: "template" }] }),
  );
  server.setRequestHandler("resources/read", ({ params: { uri } }) => {
    const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
    const found = id === undefined ? STATIC[uri] : { mimeType: "application/json", text: JSON.stringify({ id }) };
    if (found === undefined) throw new ResourceNotFoundError(uri);
    return asIs({ contents: [{ uri, ...found }] });
  });
  for (const method of ["resources/subscribe", "resources/unsubscribe"] as const) {
    server.setRequestHandler(method, () => ({}));
  }
  server.setRequestHandler("prompts/list", () =>
    asIs({
      prompts: Object.entries(PROMPTS).map(([name, { takes = [] }]) => ({
        name,
        description: `Conformance: ${name}`,
        arguments: takes.map((each) => ({ name: each, required: true })),
      })),
    }),
  );
  server.setRequestHandler("prompts/get", ({ params }, context) =>
    asIs(PROMPTS[params.name]?.answer({ args: params.arguments ?? {}, context })),
  );
  server.setRequestHandler("completion/complete", ({ params: { argument } }) => {
    const values = ["test", "testing", "tested"].filter((each) => each.startsWith(argument.value));
    return { completion: { values, total: values.length, hasMore: false } };
  });
  return server;
}

export const FIXTURES: ProtocolServer = { serverFor: fixtureServer, bus };
