// The interface description: up to date, valid for two validators, true to the routes, served by each role, and what
// the tables of the specification state about endpoints and bodies (L12, L70 to L72, A50; specification 1, "Resources
// and their fields", "Management endpoints", "Versioning").
import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { Validator } from "@seriousme/openapi-schema-validator";
import { docs } from "../../plugins/http/docs.ts";
import type { Handler } from "../../plugins/http/frame.ts";
import { jsonLog } from "../../src/adapters/log.ts";
import type { Store } from "../../src/ark/store.ts";
import { SCOPES } from "../../src/auth/caller.ts";
import { readConfig } from "../../src/config.ts";
import { composeMinter } from "../../src/main/minter/minter.ts";
import { DOCUMENTS } from "../../src/main/openapi/generated-files.ts";
import { generateDocuments } from "../../src/main/openapi/openapi.ts";
import { composeResolver } from "../../src/main/resolver/resolver.ts";
import type { Replica } from "../../src/resolver/replica.ts";
import { ERRORS } from "../../src/shared/errors.ts";
import {
  answerOf,
  type DescribedAnswers,
  type DescribedOperation,
  operationsIn,
  statusesOf,
} from "../support/described-statuses.ts";
import { run } from "../support/run.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const R32 = "R32 openapi-typescript makes types of each document that the strict compiler takes";

type Answer = { readonly description: string; readonly headers?: Readonly<Record<string, unknown>> };
type Operation = DescribedOperation<Answer> & {
  readonly summary?: string;
  readonly deprecated?: boolean;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> };
};
type Document = DescribedAnswers<Answer> & {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};

const GENERATED: Readonly<Record<string, string>> = await generateDocuments();
const read = (name: string): string => GENERATED[name] ?? "";
const documentOf = (name: string): Document => JSON.parse(read(name));
const ABOUT_REPOSITORY: readonly string[] = ["openapi-repository.json", "openapi-programs.json"];
const operations = (document: Document) =>
  operationsIn<Operation>(document).map(
    ({ method, path, operation }) => [`${method.toUpperCase()} ${path}`, operation] as const,
  );

describe("the interface description", () => {
  test("L70 L72 A50 it is OpenAPI 3.1.0 of the ARK service, version 0.0.8, and names the drafts it follows", () => {
    for (const name of DOCUMENTS.filter((each) => !ABOUT_REPOSITORY.includes(each))) {
      const { openapi, info } = documentOf(name);
      expect([openapi, info.title, info.version]).toEqual(["3.1.0", "ARK Identifier Service", "0.0.8"]);
      expect(info.description).toContain("draft-kunze-ark-42");
      expect(info.description).toContain("THUMP 0.6");
    }
  });

  test("R9 R32 every interface of the repository for programs describes its answers to another host, to too many requests and to an internal error", () => {
    const description = documentOf("openapi-repository.json") as unknown as DescribedAnswers<{
      readonly description: string;
    }>;
    const silent = operationsIn(description)
      .filter(({ path }) => /^\/(?:sword|oauth|api\/(?!openapi|docs|redoc))/.test(path))
      .filter(({ operation }) => ![400, 429, 500].every((each) => statusesOf(description, operation).includes(each)));
    expect(silent.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  test("R32 S2.10 deposits describe the headers they need as required, and calls about one record what is not there", () => {
    type Parameter = { readonly name: string; readonly required: boolean; readonly $ref?: string };
    type Described = { readonly parameters?: readonly Parameter[]; readonly responses: object };
    const description = documentOf("openapi-repository.json") as unknown as {
      readonly paths: Readonly<
        Record<string, Readonly<Record<string, Described>> & { readonly parameters?: readonly Parameter[] }>
      >;
      readonly components: { readonly parameters: Readonly<Record<string, Parameter>> };
    };
    const { paths, components } = description;
    const whole = (each: Parameter): Parameter => components.parameters[each.$ref?.split("/").at(-1) ?? ""] ?? each;
    const required = (path: string, method: string) =>
      [...(paths[path]?.parameters ?? []), ...(paths[path]?.[method]?.parameters ?? [])]
        .map(whole)
        .flatMap((each) => (each.required ? [each.name] : []));
    expect(required("/sword/service-document", "post")).toEqual(["Content-Disposition", "Packaging"]);
    const expected = ["Content-Disposition", "Packaging", "recid"];
    expect(required("/sword/deposit/{recid}", "put").toSorted()).toEqual(expected);
    expect(required("/sword/deposit/{recid}", "delete")).toEqual(["recid"]);
    const ofOne = operationsIn<Described>(description).filter(({ path }) => path.startsWith("/api/records/{id}"));
    const silent = ofOne.filter(({ operation }) => !("404" in operation.responses));
    expect([ofOne.length > 20, silent.map(({ method, path }) => `${method} ${path}`)]).toEqual([true, []]);
  });

  test("R32 the repository describes itself in a separate document", () => {
    const { openapi, info } = documentOf("openapi-repository.json");
    expect([openapi, info.title]).toEqual(["3.1.0", "Repository"]);
  });

  test("R32 what programs read has all operations but those of pages, and with all examples 1,625 bytes for each", () => {
    const programs = operations(documentOf("openapi-programs.json"));
    const pages = operations(documentOf("openapi-repository.json")).filter(([, { tags = [] }]) =>
      tags.includes("Pages"),
    );
    const all = [...programs, ...pages].map(([name]) => name);
    expect(all.toSorted()).toEqual(
      operations(documentOf("openapi-repository.json"))
        .map(([name]) => name)
        .toSorted(),
    );
    expect([pages.length > 30, programs.some(([, { tags = [] }]) => tags.includes("Pages"))]).toEqual([true, false]);
    // 400 KB for the 248 operations there were when the limit was set; a new operation brings its share.
    expect(Buffer.byteLength(read("openapi-programs.json")) / programs.length).toBeLessThan(1_625);
    // No shape, answer or parameter is left over from pages.
    const text = read("openapi-programs.json");
    const { components } = JSON.parse(text) as { readonly components: Readonly<Record<string, object>> };
    for (const kind of ["schemas", "responses", "parameters"]) {
      const unused = Object.keys(components[kind] ?? {}).filter(
        (name) => !text.includes(`#/components/${kind}/${name}"`),
      );
      expect([kind, unused]).toEqual([kind, []]);
    }
  });

  test("R32 what is kept for older clients is marked, with what others do instead", () => {
    const marked = operations(documentOf("openapi-repository.json")).filter(
      ([, { deprecated }]) => deprecated === true,
    );
    expect(marked.map(([name]) => name)).toEqual(["POST /api/indextree/create"]);
    expect(marked[0]?.[1].description?.endsWith("Deprecated: use `POST /api/v1/tree/index`.")).toBe(true);
  });

  test("R32 only v1 is described, pages answer with HTML, and their forms are described by their fields", () => {
    type Components = { readonly responses: Readonly<Record<string, object>> };
    const { paths, components } = documentOf("openapi-repository.json") as Document & { components: Components };
    expect(Object.keys(paths).filter((path) => path.includes("{version}"))).toEqual([]);
    const signIn = paths["/account/login"]?.post;
    expect(signIn?.requestBody?.content).toMatchObject({
      "application/x-www-form-urlencoded": { schema: { properties: { csrf: {}, token: {}, return_to: {} } } },
    });
    expect([signIn?.security, paths["/account/tokens"]?.post?.security]).toEqual([[], [{ session: [] }]]);
    expect(paths["/records/{id}"]?.get?.security).toEqual([{}, { bearer: ["item:read"] }]);
    const answers = paths["/account/login/{token}"]?.get?.responses ?? {};
    expect(Object.keys(answers)).toEqual(["200", "404", "default"]);
    // A part that others have, too, is referred to.
    const { $ref: name } = (answers[200] ?? {}) as { readonly $ref?: string };
    const page = name === undefined ? answers[200] : components.responses[name.replace(/^.*\//, "")];
    expect<unknown>(page).toMatchObject({ content: { "text/html": {} } });
  });

  test("S2.A19 an update of an author that does not state force_change is described as one without it", () => {
    const { components } = JSON.parse(read("openapi-repository.json"));
    expect(components.schemas.ChangedAuthor.properties.force_change).toMatchObject({ type: "boolean", default: false });
  });

  test.each([...DOCUMENTS])("L70 %s is valid for openapi-schema-validator", async (name) => {
    const result = await new Validator().validate(JSON.parse(read(name)));
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
  });

  test("L70 all documents are valid for redocly", async () => {
    const folder = mkdtempSync(join(tmpdir(), "arkstone-openapi-"));
    try {
      const files = DOCUMENTS.map((name) => join(folder, name));
      for (const name of DOCUMENTS) writeFileSync(join(folder, name), read(name));
      const config = join(ROOT, "test/support/redocly.yaml");
      const outcome = await run([join(ROOT, "node_modules/.bin/redocly"), "lint", "--config", config, ...files], {
        cwd: folder,
        env: { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
      });
      expect(outcome.code === 0 ? "valid" : outcome.output).toBe("valid");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  // The older compiler is preloaded by a plugin of Bun.
  test.skipIf("Deno" in globalThis)(R32, async () => {
    const folder = mkdtempSync(join(tmpdir(), "arkstone-openapi-types-"));
    try {
      const older = join(ROOT, "test/support/older-compiler.ts");
      const made = DOCUMENTS.map((name) => `${name}.ts`);
      for (const name of DOCUMENTS) {
        writeFileSync(join(folder, name), read(name));
        const [from, to] = [join(folder, name), join(folder, `${name}.ts`)];
        const maker = join(ROOT, "node_modules/openapi-typescript/bin/cli.js");
        const outcome = await run([process.execPath, "--preload", older, maker, from, "-o", to], { cwd: ROOT });
        expect(outcome.code === 0 ? "made" : outcome.output).toBe("made");
      }
      const compilerOptions = { strict: true, noEmit: true, target: "ES2022", module: "ESNext", types: [] };
      const config = { compilerOptions: { ...compilerOptions, moduleResolution: "bundler" }, files: made };
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
      const compiled = await run([join(ROOT, "node_modules/.bin/tsc"), "--project", folder]);
      expect(compiled.code === 0 ? "compiled" : compiled.output).toBe("compiled");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("L71 no path carries a version, and the two roles share only what every process has", () => {
    const minter = Object.keys(documentOf("openapi-minter.json").paths);
    const resolver = Object.keys(documentOf("openapi-resolver.json").paths);
    expect([...minter, ...resolver].filter((path) => /\/v\d/.test(path))).toEqual([]);
    expect(minter.filter((path) => resolver.includes(path)).sort()).toEqual(
      ["/api/docs", "/api/openapi.json", "/api/redoc", "/healthz", "/metrics", "/readyz"].sort(),
    );
    expect(Object.keys(documentOf("openapi.json").paths).sort()).toEqual([...new Set([...minter, ...resolver])].sort());
  });

  test("L38 L68 every management operation names its scopes, and only scopes there are", () => {
    for (const [name, operation] of operations(documentOf("openapi-minter.json"))) {
      const scopes = (operation.security ?? []).flatMap((each) => Object.values(each).flat());
      const isPublic = !name.includes("/api/") || /\/api\/(?:docs|redoc|openapi\.json)$/.test(name);
      expect([name, scopes.length > 0]).toEqual([name, !isPublic]);
      expect(scopes.filter((scope) => !SCOPES.some((known) => known === scope))).toEqual([]);
    }
  });

  test("A28 every error code is documented, under the status it has", () => {
    const codes = new Map<string, Set<string>>();
    const description = documentOf("openapi.json");
    for (const [, operation] of operations(description)) {
      for (const status of statusesOf(description, operation)) {
        for (const [code] of (answerOf(description, operation, status)?.description ?? "").matchAll(/SVC-\d{4}/g)) {
          codes.set(code, (codes.get(code) ?? new Set()).add(String(status)));
        }
      }
    }
    const everywhere = JSON.stringify(documentOf("openapi.json").info);
    const missing = Object.keys(ERRORS).filter(
      (code) => !codes.has(`SVC-${code}`) && !everywhere.includes(`SVC-${code}`),
    );
    expect(missing).toEqual([]);
    for (const [code, { status }] of Object.entries(ERRORS)) {
      expect([code, ...(codes.get(`SVC-${code}`) ?? [String(status)])]).toEqual([code, String(status)]);
    }
  });

  test("every operation has a unique id, a summary, a tag and described answers", () => {
    const all = operations(documentOf("openapi.json"));
    const ids = all.map(([, operation]) => operation.operationId);
    expect(new Set(ids).size).toBe(all.length);
    for (const [name, operation] of all) {
      expect([name, operation.summary !== undefined, operation.tags?.length]).toEqual([name, true, 1]);
      expect([name, Object.keys(operation.responses).length > 0]).toEqual([name, true]);
      const media = Object.keys(operation.requestBody?.content ?? {});
      expect([name, media.length <= 1]).toEqual([name, true]);
    }
  });

  test("A26 A30 A28 headers that matter are documented: Location, WWW-Authenticate, Retry-After, THUMP-Status, Link", () => {
    const description = documentOf("openapi.json");
    const headers = (path: string, method: string, status: number): string[] => {
      const operation = description.paths[path]?.[method];
      const answer = operation === undefined ? null : answerOf(description, operation, status);
      return Object.keys(answer?.headers ?? {});
    };
    expect(headers("/api/mint", "post", 307)).toContain("Location");
    expect(headers("/api/mint", "post", 401)).toContain("WWW-Authenticate");
    expect(headers("/api/mint", "post", 429)).toContain("Retry-After");
    expect(headers("/api/mint", "post", 200)).toContain("Idempotency-Replayed");
    expect(headers("/{ark}", "get", 200)).toEqual(expect.arrayContaining(["THUMP-Status", "Link", "ETag", "Vary"]));
    expect(headers("/{ark}", "get", 302)).not.toEqual(expect.arrayContaining(["THUMP-Status"]));
  });

  test("A50 L12 both roles serve theirs, the same for every setting", async () => {
    const root = { SVC_ROOT_PATH: "/ids", SVC_BASE_URL: "https://id.example.org/ids", SVC_LANG: "ja" };
    const auth = { SVC_AUTH: "apikey,oauth2", SVC_TOKEN_SECRET: "0123456789abcdef0123456789abcdef" };
    const settings = [{}, { ...root, ...auth }];
    const log = jsonLog("error");
    for (const config of settings.map(readConfig)) {
      // Neither database is asked anything for this.
      const minter = composeMinter({ config, log, store: {} as unknown as Store });
      const resolver = composeResolver({ config, log, replica: {} as unknown as Replica });
      const ask = async (handler: Handler): Promise<string> => {
        const request = new Request(`http://localhost${config.rootPath}/api/openapi.json`);
        return (await handler(request, { addressOf: () => "127.0.0.1" })).text();
      };
      expect((await ask(minter)) === GENERATED["openapi-minter.json"]).toBe(true);
      expect((await ask(resolver.handler)) === GENERATED["openapi-resolver.json"]).toBe(true);
    }
  });

  test("L12 it is served as it is in the file, and both pages refer to it", async () => {
    const text = read("openapi-minter.json");
    const app = docs({ document: async () => text });
    const get = (path: string): Promise<Response> => app.handle(new Request(`http://localhost${path}`));
    const served = await get("/api/openapi.json");
    expect(served.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect((await served.text()) === text).toBe(true);
    for (const path of ["/api/docs", "/api/redoc"]) {
      const page = await get(path);
      const html = await page.text();
      expect(page.headers.get("content-security-policy")).toContain("script-src 'self'");
      expect(html).toContain('href="openapi.json"');
      expect(html).not.toMatch(/https?:\/\//);
      for (const [, source = ""] of html.matchAll(/(?:src|href)="((?!openapi|data:)[^"]+)"/g)) {
        expect([source, (await get(`/api/${source}`)).status]).toEqual([source, 200]);
      }
    }
  });
});

describe("the tables of the specification", () => {
  type Schema = {
    readonly $ref?: string;
    readonly type?: string | readonly string[];
    readonly default?: unknown;
    readonly maxLength?: number;
    readonly required?: readonly string[];
    readonly properties?: Readonly<Record<string, Schema>>;
    readonly items?: Schema;
    readonly anyOf?: readonly Schema[];
  };
  type Content = Readonly<Record<string, { readonly schema: Schema }>>;
  type Parameter = { readonly $ref?: string; readonly name: string; readonly in: string; readonly schema: Schema };
  type Answer = { readonly description: string; readonly content?: Content };
  type Operation = DescribedOperation<Answer> & {
    readonly parameters?: readonly Parameter[];
    readonly requestBody?: { readonly content: Content };
  };
  type Document = DescribedAnswers<Answer> & {
    readonly paths: Readonly<
      Record<string, Readonly<Record<string, Operation>> & { readonly parameters?: readonly Parameter[] }>
    >;
    readonly components: {
      readonly schemas: Readonly<Record<string, Schema>>;
      readonly parameters: Readonly<Record<string, Parameter>>;
    };
  };

  const document: Document = JSON.parse(read("openapi.json"));

  const COMMON = "url title type identifier format relation source commitment metadata who when".split(" ");
  const JSON_MEDIA = "application/json";
  const FORM_MEDIA = "application/x-www-form-urlencoded";

  function resolved(schema: Schema | undefined): Schema {
    const name = schema?.$ref?.replace("#/components/schemas/", "");
    return (name === undefined ? schema : document.components.schemas[name]) ?? {};
  }
  const nameOf = (schema: Schema | undefined) => schema?.$ref?.split("/").at(-1);

  describe("the interface description", () => {
    /** Method, path, body, status of success, its body: the table of management endpoints. */
    const ENDPOINTS = [
      ["post", "/api/mint", "MintIn", ["201", "307", "422"], "ArkOut"],
      ["post", "/api/mint/bulk", "BulkMintIn", ["201", "422"], "BulkMintOut"],
      ["post", "/api/register", "RegisterIn", ["201", "422"], "ArkOut"],
      ["put", "/api/update", "UpdateIn", ["200", "422"], "ArkOut"],
      ["put", "/api/update/bulk", "BulkUpdateIn", ["200", "404", "422"], "BulkUpdateOut"],
      ["put", "/api/tombstone", "TombstoneIn", ["200", "422"], "ArkOut"],
      ["post", "/api/query", "BulkQueryIn", ["200", "422"], "BulkQueryOut"],
      ["post", "/api/publish", "PublishIn", ["200", "404", "422"], "ArkOut"],
      ["post", "/api/unpublish", "WithdrawIn", ["200", "400", "404", "422"], "ArkOut"],
      ["post", "/api/delete", "WithdrawIn", ["200", "400", "404", "409", "422"], "WithdrawalOut"],
      ["post", "/api/delete/bulk", "BulkDeleteIn", ["200", "404", "409", "422"], "BulkDeleteOut"],
      ["post", "/api/purge", "WithdrawIn", ["200", "400", "404", "422"], "WithdrawalOut"],
    ] as const;

    test("L39 L40 L70 holds every management endpoint of the specification, its JSON body, its answers, and read_only", () => {
      for (const [method, path, input, statuses, output] of ENDPOINTS) {
        const operation = document.paths[path]?.[method];
        if (operation === undefined) throw new TypeError(`There is no ${path}`);
        const answer = (status: string) => answerOf(document, operation, Number(status))?.content?.[JSON_MEDIA]?.schema;
        const content = operation.requestBody?.content ?? {};
        expect([path, Object.keys(content), nameOf(content[JSON_MEDIA]?.schema)]).toEqual([path, [JSON_MEDIA], input]);
        expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining([...statuses]));
        expect([path, nameOf(answer(statuses[0]))]).toEqual([path, output]);
        expect([path, nameOf(answer("422"))]).toEqual([path, "ValidationOut"]);
        const parameters = [...(document.paths[path]?.parameters ?? []), ...(operation.parameters ?? [])].map(
          (each) => document.components.parameters[each.$ref?.split("/").at(-1) ?? ""] ?? each,
        );
        const readOnly = parameters.find(({ name }) => name === "read_only");
        expect([readOnly?.in, readOnly?.schema.type, readOnly?.schema.default]).toEqual(["query", "boolean", false]);
      }
    });

    test("L13 L15 L17 L18 L19 names the fields of the inputs, which are required, and what the others are when left out", () => {
      for (const [name, fields, required] of [
        ["MintIn", [...COMMON, "shoulder", "request_id", "reserve"], []],
        ["RegisterIn", [...COMMON, "ark", "qualifier"], ["ark", "qualifier"]],
        ["UpdateIn", [...COMMON, "ark"], ["ark"]],
        ["TombstoneIn", ["ark", "url", "commitment"], ["ark"]],
      ] as const) {
        const schema = resolved(document.components.schemas[name]);
        const properties = schema.properties ?? {};
        expect([name, Object.keys(properties)]).toEqual([name, expect.arrayContaining([...fields])]);
        expect([name, schema.required ?? []]).toEqual([name, [...required]]);
        for (const field of fields) {
          const property = properties[field];
          expect([name, field, property?.type]).toEqual([name, field, field === "reserve" ? "boolean" : "string"]);
          const isText = field !== "reserve" && !required.some((each) => each === field) && name !== "UpdateIn";
          expect([name, field, property?.default]).toEqual([name, field, isText ? "" : undefined]);
        }
      }
      expect(document.components.schemas.MintIn?.properties?.request_id?.maxLength).toBe(200);
    });

    test("L14 L16 L18 L20 L22 names the fields of records, bulk bodies and the validation error", () => {
      const record = resolved(document.components.schemas.ArkOut);
      for (const field of COMMON) {
        const expected = [field, "string", ""];
        expect([field, record.properties?.[field]?.type, record.properties?.[field]?.default]).toEqual(expected);
      }
      for (const field of ["created_at", "updated_at"]) {
        expect(record.properties?.[field]?.type).toEqual(["string", "null"]);
      }
      expect(record.required).toContain("ark");
      const arrays = [
        ["BulkMintIn", "data", "MintIn"],
        ["BulkUpdateIn", "data", "UpdateIn"],
        ["BulkMintOut", "minted", "ArkOut"],
        ["BulkQueryOut", "data", "ArkOut"],
      ] as const;
      for (const [name, field, items] of arrays) {
        const property = document.components.schemas[name]?.properties?.[field];
        expect([name, property?.type, nameOf(property?.items)]).toEqual([name, "array", items]);
        expect([name, document.components.schemas[name]?.required]).toEqual([name, expect.arrayContaining([field])]);
      }
      expect(document.components.schemas.BulkQueryIn?.properties?.data?.items?.type).toBe("string");
      for (const [name, field] of [
        ["BulkMintOut", "created"],
        ["BulkMintOut", "replayed"],
        ["BulkUpdateOut", "updated"],
      ] as const) {
        expect([name, document.components.schemas[name]?.properties?.[field]?.type]).toEqual([name, "integer"]);
      }
      const problem = document.components.schemas.ValidationOut?.properties?.detail?.items;
      expect([problem?.required, Object.keys(problem?.properties ?? {})]).toEqual([
        ["loc", "msg", "type"],
        ["loc", "msg", "type", "input", "ctx"],
      ]);
    });

    test("L21 L49 tells of the token endpoint: a form with four fields, 200 with JSON", () => {
      const operation = document.paths["/oauth/token"]?.post;
      const form = resolved(operation?.requestBody?.content[FORM_MEDIA]?.schema);
      expect(Object.keys(operation?.requestBody?.content ?? {})).toEqual([FORM_MEDIA]);
      expect(Object.keys(form.properties ?? {})).toEqual(
        expect.arrayContaining(["grant_type", "client_id", "client_secret", "scope"]),
      );
      const answer = operation === undefined ? null : answerOf(document, operation, 200);
      expect(Object.keys(answer?.content ?? {})).toEqual([JSON_MEDIA]);
    });
  });
});
