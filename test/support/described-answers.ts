// Holds every answer of the repository to its interface description: the operation must describe the status, the media
// type, and the shape of the body where that is JSON. Every world hands its requests through here, so that all HTTP
// tests do. What was seen is noted in the folder ARKSTONE_SEEN, if it is set: test/described.ts compares it afterwards.
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { WRONG_HOST } from "../../plugins/http/document-parts.ts";
import type { Handler } from "../../plugins/http/frame.ts";

import { answerOf, type DescribedAnswers } from "./described-statuses.ts";

type Media = Readonly<Record<string, { readonly schema?: object }>>;
type Answer = { readonly description: string; readonly content?: Media };
type Description = DescribedAnswers<Answer>;
type Route = {
  readonly pattern: RegExp;
  readonly variables: number;
  readonly operations: Description["paths"][string];
};

const FILE = join(import.meta.dirname, "..", "..", "src", "assets", "openapi-repository.json");

/** Bodies up to this are read; longer ones are made in pieces, which reading here would make one of. */
const BODY_MOST = 1024 * 1024;

let loaded: ReturnType<typeof load> | null = null;

function load() {
  const description: Description = JSON.parse(readFileSync(FILE, "utf8"));
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true });
  formats.default(ajv);
  ajv.addSchema(description, "description");
  const routes: Route[] = Object.entries(description.paths).map(([path, operations]) => ({
    pattern: new RegExp(
      `^${path
        .split(/\{[^}]+\}/)
        .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
        .join("[^/]+")}$`,
    ),
    variables: path.split("{").length - 1,
    operations,
  }));
  routes.sort((one, other) => one.variables - other.variables);
  const checks = new Map<string, (body: unknown) => string | null>();
  return { description, ajv, routes, checks };
}

/** The operation that the description has for a request; null for a path or a method that it does not have. */
function operationOf({ routes }: ReturnType<typeof load>, method: string, path: string) {
  const bare = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
  const found = routes.find(({ pattern }) => pattern.test(bare));
  const name = method === "HEAD" && found?.operations.head === undefined ? "get" : method.toLowerCase();
  return found?.operations[name] ?? null;
}

/** What is wrong with a body; null where it fits. Compiled when it is first needed. */
function checkOf({ ajv, checks }: ReturnType<typeof load>, key: string, schema: object) {
  const known = checks.get(key);
  if (known !== undefined) return known;
  // References in it are to the description.
  const text = JSON.stringify(schema).replaceAll('"#/components/', '"description#/components/');
  const validate = ajv.compile(JSON.parse(text));
  const check = (body: unknown): string | null =>
    validate(body) ? null : ajv.errorsText(validate.errors, { dataVar: "body" });
  checks.set(key, check);
  return check;
}

/** Why the answer is not what its operation describes; null where it is. */
async function faultOfAnswer(request: Request, response: Response): Promise<string | null> {
  loaded ??= load();
  const { pathname } = new URL(request.url);
  const operation = operationOf(loaded, request.method, pathname);
  if (operation === null) return null;
  const { status } = response;
  const where = `${operation.operationId} (${request.method} ${pathname}) answers ${status}`;
  const answer = answerOf(loaded.description, operation, status);
  // A host that is none is refused before any operation is reached: that is no fault of what it was sent.
  if (!hasOddHost(request) || answer?.description.includes(WRONG_HOST)) noteSeen(operation.operationId, status);
  if (answer === null) return `${where}, which is not described`;
  if (request.method === "HEAD" || response.body === null) return null;
  const media = (response.headers.get("content-type") ?? "").split(";")[0]?.trim() ?? "";
  const content = answer.content ?? {};
  const shape = content[media] ?? content["*/*"] ?? content[`${media.split("/")[0]}/*`];
  if (shape === undefined)
    return `${where} as ${media || "(no type)"}, not ${Object.keys(content).join(", ") || "without a body"}`;
  if (!/[/+]json$/.test(media) || shape.schema === undefined) return null;
  const text = await response.clone().text();
  if (text === "" || text.length > BODY_MOST) return null;
  const fault = checkOf(loaded, JSON.stringify(shape.schema), shape.schema)(JSON.parse(text));
  return fault === null ? null : `${where}: ${fault}`;
}

const hasOddHost = ({ headers }: Request): boolean => /[^\w.:[\]-]/.test(headers.get("host") ?? "");

const noted = new Set<string>();

function noteSeen(operationId: string, status: number): void {
  const folder = process.env.ARKSTONE_SEEN ?? "";
  const seen = `${operationId} ${status}\n`;
  if (folder === "" || noted.has(seen)) return;
  noted.add(seen);
  appendFileSync(join(folder, `${process.pid}.txt`), seen);
}

/** The handler; an answer that is not as described is an error of the test that asked for it. */
export function describedAnswers(handler: Handler): Handler {
  return async (request, peer) => {
    const response = await handler(request, peer);
    const fault = await faultOfAnswer(request, response);
    if (fault !== null) throw new Error(`Not as described: ${fault.slice(0, 1000)}`);
    return response;
  };
}
