// Generates the interface descriptions from the implementation (L70, L72, A50): `bun src/main/openapi/openapi.ts`
// writes src/assets/openapi*.json and the types of the client. They are not in git: `up`, `build`, `check` and `bun test`
// run this. No setting changes them.
import { mkdirSync, writeFileSync } from "node:fs";
import { swagger } from "@elysiajs/swagger";
import type { AnyElysia } from "elysia";
import { ARK_PATH_ITEM } from "../../../plugins/resolver/document.ts";
import { jsonLog } from "../../adapters/log.ts";
import { INFLECTIONS } from "../../ark/request-path.ts";
import type { Store } from "../../ark/store.ts";
import { SCOPES, type Scope } from "../../auth/caller.ts";
import { type Config, readConfig } from "../../config.ts";
import type { RepositoryStore } from "../../repository/store/store.ts";
import type { Replica } from "../../resolver/replica.ts";
import type { Json } from "../../shared/json/json.ts";
import { isJsonObject, type JsonObject } from "../../shared/json/read.ts";
import { minterNeeds } from "../minter/minter.ts";
import { minterRoutes } from "../minter/minter-app.ts";
import { bundleScripts } from "../pages/page-scripts.ts";
import { packPdfFrame } from "../pages/pdf-frame-files.ts";
import { repositoryRoutes } from "../repository/serving.ts";
import { resolverNeeds } from "../resolver/resolver.ts";
import { resolverRoutes } from "../resolver/resolver-app.ts";
import type { OpenedStorage } from "../storage.ts";
import { PROGRAM_VERSION } from "../version.ts";
import { clientTypes } from "./client-types.ts";
import { assetUrl, CLIENT_MODULES, clientUrl, DOCUMENTS, type DocumentName } from "./generated-files.ts";
import { withExamples } from "./openapi-examples.ts";
import { tidyPaths, withComponents } from "./openapi-tidy.ts";

/** Never asked anything: routes are described, not called. */
const NO_STORE = {} as unknown as Store;
const NO_REPOSITORY = { accounts: {}, arks: {} } as unknown as RepositoryStore;
const NO_FILES = {} as unknown as OpenedStorage;
const NO_REPLICA = {} as unknown as Replica;
const SOURCE_PATH = "/interface-description/source";

const SCOPE_MEANINGS: Readonly<Record<Scope, string>> = {
  "ark:mint": "Mint and register names; publish",
  "ark:read": "Query, list, export, history, statistics",
  "ark:update": "Change descriptions and targets",
  "ark:publish": "Publish names",
  "ark:unpublish": "Withdraw publication",
  "ark:tombstone": "Tombstone names; withheld from routine writers",
  "ark:hold": "Hold names, shoulders, NAANs",
  "ark:import": "Take in names minted elsewhere",
  "ark:delete": "Delete names that are not public",
  "ark:purge": "Withdraw and delete in one step",
};

const DESCRIPTION = `Mints, manages and resolves ARK identifiers. A name that was assigned is never assigned again.

Syntax, percent-encoding and \`/.well-known/ark\` follow draft-kunze-ark-42; inflections (${INFLECTIONS.map(([query]) => `\`?${query}\``).join(", ")}) and the header \`THUMP-Status\` follow THUMP 0.6.

Minter and resolver are separate processes: each serves the part of this description that it answers.

Every service error carries \`code\` (match this), an English \`message\` and a structured \`detail\`. Input that does not fit is 422 with the list of all wrong fields. Every answer of the minter carries \`X-Request-Id\`. \`HEAD\` answers every \`GET\` without a body; another method is 405 (SVC-1102) with \`Allow\`, an unknown path 404 (SVC-1101).`;

/** The same of all documents. Who publishes a copy names an address in SECURITY.md. */
const PUBLISHED = {
  license: { name: "MIT", identifier: "MIT" },
  contact: { name: "The publisher of this copy, as SECURITY.md names them" },
};

/** The specification of names fixes the version of this interface (L70). */
const ARK_INFO = {
  title: "ARK Identifier Service",
  version: "0.0.8",
  ...PUBLISHED,
  description: DESCRIPTION,
};

const REPOSITORY_INFO = {
  title: "Repository",
  version: PROGRAM_VERSION,
  ...PUBLISHED,
  description: `Takes deposits by SWORD v3 and keeps the index tree. Items that are published get an ARK.

Errors of \`/sword/\` are SWORD error documents (\`@type\`, \`error\`, \`timestamp\`), those of the index tree carry \`code\` and \`description\`, all others \`code\` and \`message\`. Answers carry \`X-Request-Id\`: the id of the request, as sent or made up.`,
};

const TAGS: readonly { readonly name: string; readonly description: string }[] = [
  { name: "Minting", description: "Making names: mint, register, import" },
  { name: "Description", description: "The target and the description of a name" },
  { name: "States", description: "Publish, unpublish, tombstone" },
  { name: "Holds", description: "Names, shoulders and NAANs that must wait" },
  { name: "Withdrawal", description: "Delete and purge" },
  { name: "Reading", description: "Query, list, history, statistics, export; always narrowed to the caller's reach" },
  { name: "Authentication", description: "Tokens" },
  { name: "Resolution", description: "The target and the description of a name; public" },
  { name: "Deposit", description: "SWORD v3: put items in, replace and delete them" },
  { name: "Index tree", description: "The hierarchy items are filed in" },
  { name: "Records", description: "Items for programs" },
  { name: "Forms", description: "Input forms of item types" },
  { name: "Records (drafts and versions)", description: "Records, their drafts, versions, lists and grants" },
  {
    name: "Files of records",
    description: "Files of drafts and records, as clients of record repositories send and get them",
  },
  { name: "Pictures", description: "Pictures of records for viewers elsewhere, by IIIF" },
  { name: "Requests and reviews", description: "Records that wait for communities, people who are invited to them" },
  { name: "OpenSearch", description: "Search as feeds, and its description for browsers" },
  { name: "OAI-PMH", description: "Records for harvesters" },
  { name: "Tools", description: "Tool servers, by the Model Context Protocol" },
  { name: "Vocabularies", description: "Lists of words, organisations, funders, awards, subjects and names" },
  { name: "Static pages", description: "Pages about the repository that administrators write" },
  { name: "Accounts", description: "Who is signed in" },
  { name: "Authors", description: "The author database: for administrators of the repository or of a community" },
  { name: "Filing", description: "Where items are filed, and changes of many items" },
  { name: "Workflow", description: "Activities that wait for somebody" },
  {
    name: "Administration",
    description: "Settings of the repository: for system administrators, by a token that allows everything",
  },
  { name: "Pages", description: "For people" },
  { name: "Interface", description: "This description and its pages" },
  { name: "Operations", description: "Probes and figures" },
];

/** The texts of all three documents. */
export async function generateDocuments(): Promise<Readonly<Record<DocumentName, string>>> {
  const config = readConfig({});
  const minter = await pathsOf(minterRoutes(minterNeeds({ config, store: NO_STORE, log: jsonLog("error") })));
  const resolver = await resolverPaths(config);
  const repository = await pathsOf(
    repositoryRoutes({ config, store: NO_REPOSITORY, files: NO_FILES, log: jsonLog("error") }),
  );
  return {
    "openapi-minter.json": textOf(documentOf(minter)),
    "openapi-resolver.json": textOf(documentOf(resolver)),
    "openapi.json": textOf(documentOf({ ...minter, ...resolver })),
    "openapi-repository.json": textOf(documentOf(repository, REPOSITORY_INFO)),
    "openapi-programs.json": textOf(documentOf(withoutPages(repository), REPOSITORY_INFO)),
  };
}

const METHODS = ["get", "post", "put", "patch", "delete", "options"];

/** The paths without the operations for people in browsers. */
function withoutPages(paths: JsonObject): JsonObject {
  const isPage = (operation: Json): boolean => {
    const tags = objectIn(operation).tags;
    return Array.isArray(tags) && tags.includes("Pages");
  };
  return Object.fromEntries(
    Object.entries(paths).flatMap(([path, item]) => {
      const left = Object.entries(objectIn(item)).filter(([, operation]) => !isPage(operation));
      return left.some(([name]) => METHODS.includes(name)) ? [[path, Object.fromEntries(left)]] : [];
    }),
  );
}

async function resolverPaths(config: Config): Promise<JsonObject> {
  const { routes } = resolverRoutes(resolverNeeds({ config, replica: NO_REPLICA, log: jsonLog("error") }).needs);
  // Written by hand, with TypeBox schemas in it: a round through JSON makes plain values of them.
  const names: Json = JSON.parse(JSON.stringify({ "/{ark}": ARK_PATH_ITEM }));
  return { ...(isJsonObject(names) ? names : {}), ...(await pathsOf(routes)) };
}

/** Asks the plugin for its document of the app; only its paths are of use. */
async function pathsOf(app: AnyElysia): Promise<JsonObject> {
  const described = app.use(
    swagger({ path: SOURCE_PATH, specPath: `${SOURCE_PATH}.json`, excludeStaticFile: false, exclude: [SOURCE_PATH] }),
  );
  const response = await described.handle(new Request(`http://localhost${SOURCE_PATH}.json`));
  const document: Json = await response.json();
  const paths = isJsonObject(document) ? document.paths : undefined;
  if (!isJsonObject(paths)) throw new TypeError("The swagger plugin gave no paths");
  const shown = Object.entries(paths).filter(([path]) => !path.startsWith(SOURCE_PATH));
  return Object.fromEntries(shown.map(([path, item]) => [path.replace("/{version}/", "/v1/"), withoutVersion(item)]));
}

/** The operations of a path without its parameter `version`, of which there is one value. */
function withoutVersion(item: Json): Json {
  if (!isJsonObject(item)) return item;
  return Object.fromEntries(
    Object.entries(item).map(([method, operation]) => {
      if (!isJsonObject(operation) || !Array.isArray(operation.parameters)) return [method, operation];
      const parameters = operation.parameters.filter(
        (each: Json) => !isJsonObject(each) || each.in !== "path" || each.name !== "version",
      );
      return [method, { ...operation, parameters }];
    }),
  );
}

function documentOf(paths: JsonObject, info: JsonObject = ARK_INFO): JsonObject {
  const described = withComponents(tidyPaths(paths));
  const shown = JSON.stringify(described);
  return withExamples({
    openapi: "3.1.0",
    info,
    // Relative to where the document is served (…/api/openapi.json): right under any mount prefix.
    servers: [{ url: "..", description: "This service" }],
    tags: TAGS.filter(({ name }) => shown.includes(`"tags":["${name}"]`)),
    paths: described.paths,
    components: {
      ...described.components,
      schemas: withDefaults(objectIn(described.components.schemas)),
      ...securitySchemes(shown),
    },
  });
}

const objectIn = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});

/** The schemes that operations name. */
function securitySchemes(shown: string): JsonObject {
  const schemes = Object.entries(allSecuritySchemes()).filter(([name]) => shown.includes(`{"${name}":[`));
  return schemes.length === 0 ? {} : { securitySchemes: Object.fromEntries(schemes) };
}

function allSecuritySchemes(): JsonObject {
  return {
    bearer: {
      type: "http",
      scheme: "bearer",
      description:
        "An API key, a token of this service, or a JWT of the external authorization server, as set by SVC_AUTH",
    },
    oauth2: {
      type: "oauth2",
      description: "Tokens of this service, where SVC_AUTH holds oauth2",
      flows: {
        clientCredentials: {
          tokenUrl: "../oauth/token",
          scopes: Object.fromEntries(SCOPES.map((scope) => [scope, SCOPE_MEANINGS[scope]])),
        },
      },
    },
    session: {
      type: "apiKey",
      in: "cookie",
      name: "__Host-arkstone-session",
      description: "Who signed in with a browser; on plain http the name is without `__Host-`",
    },
  };
}

/** Inputs in which a text that is left out is an empty one. Not UpdateIn: to PATCH, what is left out stays. */
const EMPTY_BY_DEFAULT: ReadonlySet<string> = new Set(["MintIn", "RegisterIn", "ImportIn", "TombstoneIn"]);

/**
 * Adds the defaults of the inputs. The schemas that validate do not contain them, so that no body is copied to fill
 * them in.
 */
function withDefaults(schemas: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      if (!EMPTY_BY_DEFAULT.has(name) || !isJsonObject(schema) || !isJsonObject(schema.properties))
        return [name, schema];
      const required = Array.isArray(schema.required) ? schema.required : [];
      const properties = Object.entries(schema.properties).map(([field, property]) => {
        const isText = isJsonObject(property) && property.type === "string" && !required.includes(field);
        return [field, isText ? { ...property, default: "" } : property];
      });
      return [name, { ...schema, properties: Object.fromEntries(properties) }];
    }),
  );
}

function textOf(document: JsonObject): string {
  return `${JSON.stringify(document)}\n`;
}

/**
 * Writes the descriptions to where documents.ts loads them from, the types of the client, the scripts of pages and the
 * files of the PDF viewer.
 */
export async function writeDocuments(): Promise<void> {
  const documents = await generateDocuments();
  for (const name of DOCUMENTS) writeFileSync(assetUrl(name), documents[name]);
  mkdirSync(clientUrl(""), { recursive: true });
  for (const [name, document] of Object.entries(CLIENT_MODULES)) {
    writeFileSync(clientUrl(name), clientTypes(objectIn(JSON.parse(documents[document]))));
  }
  packPdfFrame();
  // Last: scripts call the interfaces by the client.
  await bundleScripts();
}

if (import.meta.main) await writeDocuments();
