// Who is given what, by every route of the repository (R2d, R2e, R2h, R6d, R37): each route of the app, and so of its
// interface description, with guests, tokens of one scope, other accounts, owners and administrators, over items in
// every state. What is expected comes from the rules in test/support/access-rules.ts, not from answers.
import { beforeAll, describe, expect, test } from "bun:test";
import { REPOSITORY_OPERATOR, REPOSITORY_SCOPES, type RepositoryScope } from "../../src/auth/account.ts";
import { generateDocuments } from "../../src/main/openapi/openapi.ts";
import { repositoryRoutes } from "../../src/main/repository/serving.ts";
import type { Access, ItemContent, ItemFile } from "../../src/model/items/item.ts";
import * as rules from "../support/access-rules.ts";
import { cratePackage } from "../support/deposit-requests.ts";
import { operationsIn } from "../support/described-statuses.ts";
import { eventually } from "../support/eventually.ts";
import { toolCalls } from "../support/tool-calls.ts";
import { aContent, aFile, anIndex, titled } from "../support/world/items.ts";
import { visitor } from "../support/world/pages.ts";
import { type Answer, INDEXES, recidOf, type Who } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

const FOR_STAFF = 70;
const LATER = "2027-11-20";
const PEOPLE = ["other", "registered", "manager", "admin"] as const satisfies readonly rules.Person[];

type Place = { readonly access?: Partial<Access>; readonly indexes?: readonly number[] };
const OPEN = { state: "published", isOpen: true, hasOpenFiles: true } as const;
const CLOSED = { hasOpenFiles: false, access: { record: "restricted" } } as const;
const SHUT = { state: "published", isOpen: false, hasOpenFiles: true } as const;
const SUBJECTS: readonly (rules.Subject & Place)[] = [
  { name: "open", ...OPEN },
  { name: "restricted", ...SHUT, access: { record: "restricted" } },
  { name: "embargoed", ...SHUT, hasOpenFiles: false, access: { record: "restricted", embargoUntil: LATER } },
  { name: "closedfiles", ...OPEN, hasOpenFiles: false, access: { files: "restricted" } },
  { name: "later", ...SHUT, access: { openDate: LATER } },
  { name: "hidden", ...SHUT, indexes: [INDEXES.hidden] },
  { name: "staff", ...SHUT, indexes: [FOR_STAFF] },
  { name: "edited", ...OPEN, hasEdit: true },
  { name: "shutedited", ...SHUT, hasEdit: true, access: { record: "restricted" } },
  { name: "draft", state: "draft", isOpen: false, hasOpenFiles: false },
  { ...{ name: "reviewed", state: "draft", isOpen: false }, ...CLOSED, isReviewed: true },
  { name: "pending", state: "draft", isOpen: false, hasOpenFiles: false, isPending: true },
  { name: "deleted", state: "deleted", isOpen: false, hasOpenFiles: false, access: { record: "restricted" } },
];
const SECRETS = rules.secretsOf(SUBJECTS);
/** Of one scope each: those whose answers would differ most. */
const TELLING = ["restricted", "draft", "shutedited"] as const;

let routes: readonly string[] = [];
let writes = 0;
const ids = new Map<string, number>();
const made = { community: "", request: "", author: 0, activity: "" };
const tokens = new Map<string, { readonly token: string }>();
const sessions = new Map<string, ReturnType<typeof visitor>>();

const world = setUpWorld({
  repository: {
    onStatement: (text) => {
      if (/^\s*(?:insert|update|delete)\b/i.test(text)) writes += 1;
    },
  },
});
beforeAll(async () => {
  routes = [...new Set(repositoryRoutes(world.parts).routes.map(({ method, path }) => `${method} ${path}`))].sort();
  await fill();
  for (const who of ["admin", "system"] as const)
    for (const scope of REPOSITORY_SCOPES) tokens.set(`${who} ${scope}`, await world.token(who, [scope], null));
  for (const who of PEOPLE) {
    const browser = visitor(world.handler);
    await browser.signIn(world.people[who].token);
    sessions.set(who, browser);
  }
  const all = async () => (await world.ask("admin", "GET", "/api/records?size=100")).json.hits;
  await eventually("every record is found", async () => {
    const { total } = (await all()) as { total: number };
    return total === SUBJECTS.filter(({ state }) => state === "published").length;
  });
});

async function* bytesOf(text: string): AsyncIterable<Uint8Array> {
  yield new TextEncoder().encode(text);
}

async function fileOf(name: string): Promise<ItemFile> {
  const { key, sizeBytes, sha256, md5 } = await world.files.storage.put(bytesOf(`zqbytes${name}`));
  return aFile("a.txt", { storageKey: key, sizeBytes, sha256, md5 });
}

async function send(who: Who, method: string, path: string, body: unknown): Promise<Answer> {
  const json = { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const answer = await world.ask(who, method, path, json);
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 500)}`);
  return answer;
}

/** One of each subject, a restricted community with a request, a person with a mail address, an activity that waits. */
async function fill(): Promise<void> {
  const { store, items } = world;
  await store.transact(async (tx) => {
    await tx.indexes.insertIndex(anIndex({ id: FOR_STAFF, browsingRole: [1, 2], indexNameEnglish: "zqindex staff" }));
    const hidden = await tx.indexes.index(INDEXES.hidden);
    if (hidden !== null) await tx.indexes.updateIndex({ ...hidden, indexNameEnglish: "zqindex hidden" });
    await tx.indexes.raiseTreeRevision();
  });
  const owner = await world.viewer("registered");
  const title = (word: string, name: string) => titled(`zq${word}${name}`, {});
  for (const { name, state, hasEdit, isPending, access = {}, indexes = [] } of SUBJECTS) {
    if (isPending === true) {
      await pending(name);
      continue;
    }
    const fields: Partial<ItemContent> = { metadata: title("title", name), indexes };
    const plain = aContent(fields);
    const content = { ...plain, access: { ...plain.access, ...access }, files: [await fileOf(name)] };
    if (state === "draft") {
      ids.set(name, (await items.createDraft(owner, { content })).item.id);
      continue;
    }
    const { id } = (await items.createAndPublish(owner, { content })).item;
    ids.set(name, id);
    if (hasEdit === true) await items.saveDraft(owner, id, { content: { ...content, metadata: title("draft", name) } });
    if (state === "deleted") await items.remove(REPOSITORY_OPERATOR, id);
  }
  const community = { slug: "zqcommunity", metadata: { title: "zqcommunity" }, access: { visibility: "restricted" } };
  made.community = String((await send("manager", "POST", "/api/communities", community)).json.id);
  await review();
  const known = { familyName: "Known", firstName: "Ann", language: "en", nameShowFlg: true };
  const author = { author: { authorNameInfo: [known], emailInfo: [{ email: "zqmail@example.org" }] } };
  const { json } = await send("admin", "POST", "/api/v1/authors", author);
  made.author = (json.author as { id: number }).id;
}

/** A deposit that waits in a workflow. */
async function pending(name: string): Promise<void> {
  const workflow = await world.workflow();
  const token = await world.token("registered", undefined, { registrationType: 2, workflow });
  const pkg = cratePackage({ name: `zqtitle${name}` }, [{ path: "a.txt", bytes: `zqbytes${name}` }]);
  const id = recidOf(await world.deposit(token, pkg));
  ids.set(name, id);
  made.activity = (await world.store.activities.openActivity(id))?.id ?? "";
}

/** The draft "reviewed" waits for the community: its owner was in it when they asked. */
async function review(): Promise<void> {
  const id = ids.get("reviewed");
  const { account } = world.people.registered;
  const members = (role: "reader" | null) =>
    world.store.transact(async (tx) => {
      if (role === null) await tx.communities.setMember(made.community, account.id, null);
      else await tx.communities.setMember(made.community, account.id, role);
    });
  await members("reader");
  const receiver = { receiver: { community: made.community }, type: "community-submission" };
  await send("registered", "PUT", `/api/records/${id}/draft/review`, receiver);
  const content = { payload: { content: "zqcomment", format: "html" } };
  const { json } = await send("registered", "POST", `/api/records/${id}/draft/actions/submit-review`, content);
  made.request = String(json.id);
  await members(null);
}

const methodOf = (route: string): string => route.slice(0, route.indexOf(" "));
const patternOf = (route: string): string => route.slice(route.indexOf(" ") + 1);

function ruleOf(route: string): rules.Rule {
  const found = rules.RULES.find(([pattern]) => pattern.test(route));
  if (found === undefined) throw new Error(`No rule states who may call ${route}`);
  return found[1];
}

const FIXED: Readonly<Record<string, string>> = {
  ...{ version: "v1", key: "a.txt", format: "bibtex", field: "creators", number: "1", revision: "1" },
  ...{ item_type_id: "1", token: "x".repeat(43), type: "languages", action: "accept", comment: "1" },
};
const filled = (pattern: string, named: Readonly<Record<string, number | string>>): string =>
  pattern.replace(/:(\w+)/g, (_, name: string) => String(named[name] ?? FIXED[name] ?? name));

/** An address of a route that names what is there; `item`: the number where an item is named. */
function addressOf(route: string, item: number | string): string {
  const pattern = patternOf(route);
  const named = {
    ...{ activity_id: made.activity, account: world.people.registered.account.id, index_id: INDEXES.hidden },
    ...{ identifier: made.author, recid: item, record_id: item, other: item, id: namedBy(pattern) ?? item },
  };
  return filled(pattern, named);
}

/** What `:id` is, where it is not an item. */
function namedBy(pattern: string): number | string | null {
  if (pattern.startsWith("/authors/")) return made.author;
  if (pattern.startsWith("/index/")) return INDEXES.hidden;
  if (/communities\/:id/.test(pattern)) return made.community;
  return /\/requests\/:id/.test(pattern) ? made.request : null;
}

/** The same, naming nothing that is there: what passes changes nothing that other tests check. */
const NOBODY = 999_999;
const addressOfNothing = (route: string): string =>
  filled(patternOf(route), {
    ...{ activity_id: "A-20261120-99999", account: NOBODY, index_id: NOBODY, identifier: NOBODY },
    ...{ recid: NOBODY, record_id: NOBODY, other: NOBODY, id: NOBODY },
  });

const NOTHING = { status: 0, text: "" };
const HTML = { accept: "text/html" };

async function ask(caller: rules.Caller, method: string, path: string) {
  if (caller.by === "session") return (await sessions.get(caller.account ?? "")?.get(path)) ?? NOTHING;
  const headers = path.startsWith("/api") || path.startsWith("/sword") ? {} : HTML;
  const token = caller.account === null ? null : (tokens.get(caller.name) ?? caller.account);
  const answer = await world.ask(token, method, path, { headers });
  const isTyped = answer.headers.has("content-type");
  if (isTyped && answer.headers.get("x-content-type-options") !== "nosniff") throw new Error(`${path}: no nosniff`);
  return answer;
}

const WHOLE: readonly rules.Caller[] = [
  { name: "guest", account: null, by: "nobody" },
  ...PEOPLE.map((account) => ({ name: account, account, by: REPOSITORY_SCOPES })),
];
const SESSIONS: readonly rules.Caller[] = PEOPLE.map((account) => ({
  ...{ name: `session of ${account}`, account },
  by: "session",
}));
const ofScope = (account: rules.Person): readonly rules.Caller[] =>
  REPOSITORY_SCOPES.map((scope) => ({ name: `${account} ${scope}`, account, by: [scope] }));
const ADMIN_SCOPES = ofScope("admin");

/** Tokens of one scope that a route is asked with: what is the same for everybody is asked with two of them. */
function narrowCallers(route: string): readonly rules.Caller[] {
  const { kind } = ruleOf(route);
  if (kind === "administration") return ofScope("system");
  return kind === "public" ? ADMIN_SCOPES.slice(0, 2) : ADMIN_SCOPES;
}

/** What of the secrets an answer tells, and may not; and what it is to tell of its subject, and does not. */
function faultsOf(
  route: string,
  caller: rules.Caller,
  { status, text }: Pick<Answer, "status" | "text">,
  name: string,
) {
  const rule = ruleOf(route);
  const who = rules.effective(rule, caller, caller.by === REPOSITORY_SCOPES);
  const carries = (scope: RepositoryScope | undefined): boolean =>
    scope === undefined || caller.by === "session" || (caller.by !== "nobody" && caller.by.includes(scope));
  const leaked = SECRETS.filter(
    ({ word, isFor, scope }) => text.includes(word) && !(who !== "refused" && isFor(who) && carries(scope)),
  );
  const faults = leaked.map(({ word }) => `${route} of ${name} tells ${caller.name} ${word} (${status})`);
  const subject = SUBJECTS.find((each) => each.name === name);
  if (rule.shows === undefined || subject === undefined) return faults;
  const expected = who === "refused" ? null : shownOf(rule.shows, who, subject);
  const isShown = expected !== null && status < 400 && text.includes(expected);
  const isRefused = status >= 400 && SECRETS.every(({ word }) => !text.includes(word));
  if (expected === null ? isRefused : isShown) return faults;
  return [...faults, `${route} of ${name} answers ${caller.name} ${status}, expected ${expected ?? "a refusal"}`];
}

/** The word an answer must hold; null: it is a refusal. */
function shownOf(shows: rules.Shows, who: rules.Person | null, subject: rules.Subject): string | null {
  const { name } = subject;
  const draft = subject.hasEdit === true ? `zqdraft${name}` : `zqtitle${name}`;
  switch (shows) {
    case "record":
      return rules.readsRecord(who, subject) ? `zqtitle${name}` : null;
    case "bytes":
      return rules.readsBytes(who, subject) ? `zqbytes${name}` : null;
    case "draft":
      return rules.readsDraft(who, subject) ? draft : null;
    case "page":
      return rules.readsPage(who, subject) ? `zqtitle${name}` : null;
    case "page bytes":
      return rules.readsPageBytes(who, subject) ? `zqbytes${name}` : null;
  }
}

const PAGES = /^GET \/(?!api|sword|mcp|oai|healthz|readyz|metrics|\.well-known)/;
/** Routes whose address names an item. */
const OF_ITEM = /^GET (?:\/records\/:id|\/api\/records\/:id|\/api\/:version\/records\/:record_id|\/sword\/deposit)/;

describe("the routes of the repository", () => {
  test("R6d every route of the app has one rule, every rule a route, and the interface description names no other", async () => {
    const documents = await generateDocuments();
    const { paths } = JSON.parse(documents["openapi-repository.json"] ?? "{}") as {
      paths: Record<string, Record<string, object>>;
    };
    const documented = operationsIn({ paths }).map(
      ({ method, path }) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ":$1")}`,
    );
    // Other versions than v1 are refused by the same route.
    const isServed = (route: string) =>
      [route, route.replace("/v1/", "/:version/")].some((each) => routes.includes(each));
    expect(documented.filter((route) => !isServed(route))).toEqual([]);
    expect(documented.length).toBeGreaterThan(100);
    const used = new Set(routes.map((route) => rules.RULES.findIndex(([pattern]) => pattern.test(route))));
    expect(routes.filter((route) => !rules.RULES.some(([pattern]) => pattern.test(route)))).toEqual([]);
    expect(rules.RULES.filter((_, at) => !used.has(at)).map(([pattern]) => String(pattern))).toEqual([]);
  });

  test("R6d each refuses the tokens that lack its scopes before anything is written, and no other for its scopes", async () => {
    const faults: string[] = [];
    for (const route of routes) {
      const rule = ruleOf(route);
      const path = addressOfNothing(route);
      for (const caller of narrowCallers(route)) {
        const before = writes;
        const { status, text } = await ask(caller, methodOf(route), path);
        const isLacking = rule.kind === "administration" || rules.lacksScopes(rule, caller.by as RepositoryScope[]);
        const namesScope = status === 403 && /lacks the scope|role or token scope/.test(text);
        if (isLacking && (status !== 403 || writes !== before))
          faults.push(`${route} lets ${caller.name} in: ${status}`);
        if (!isLacking && namesScope) faults.push(`${route} refuses ${caller.name}: ${status}`);
      }
    }
    expect(faults).toEqual([]);
  });

  test("R6d where several scopes are asked for, each of them is", async () => {
    for (const route of routes) {
      const rule = ruleOf(route);
      if (rule.kind !== "all" || rule.scopes.length < 2) continue;
      for (const missing of rule.scopes) {
        const others = REPOSITORY_SCOPES.filter((scope) => scope !== missing);
        const { status } = await world.ask(
          await world.token("admin", others, null),
          methodOf(route),
          addressOf(route, 1),
        );
        expect([route, missing, status]).toEqual([route, missing, 403]);
      }
    }
  });

  test("R2d R2h R6d an answer about an item tells what the caller may know of it, and nothing else", async () => {
    const faults: string[] = [];
    for (const route of routes.filter((each) => OF_ITEM.test(each))) {
      const browsers = PAGES.test(route) ? SESSIONS : [];
      for (const { name } of SUBJECTS) {
        const narrow = TELLING.some((each) => each === name) ? ADMIN_SCOPES : [];
        for (const caller of [...WHOLE, ...browsers, ...narrow]) {
          const answer = await ask(caller, "GET", addressOf(route, ids.get(name) ?? 0));
          faults.push(...faultsOf(route, caller, answer, name));
        }
      }
    }
    expect(faults).toEqual([]);
  });

  test("R2d R2h R6d no list, page or document tells a caller what is not for that caller", async () => {
    const faults: string[] = [];
    for (const route of routes.filter((each) => each.startsWith("GET ") && !OF_ITEM.test(each))) {
      const browsers = PAGES.test(route) ? SESSIONS : [];
      for (const caller of [...WHOLE, ...browsers, ...narrowCallers(route)]) {
        const path = `${addressOf(route, "none")}?size=100&q=`;
        faults.push(...faultsOf(route, caller, await ask(caller, "GET", path), ""));
      }
    }
    expect(faults).toEqual([]);
  });

  test("R2d R6d what is for some is returned to them, by a token with the scope of the route alone", async () => {
    for (const [route, who, scopes, word] of [
      ["GET /api/communities/:id", "manager", ["user:activity"], "zqcommunity"],
      ["GET /api/communities", "admin", ["user:activity"], "zqcommunity"],
      ["GET /api/requests/:id/timeline", "manager", ["user:activity"], "zqcomment"],
      ["GET /authors/:id/edit", "manager", ["author:search"], "zqmail"],
      ["GET /api/:version/authors", "admin", ["author:search"], "zqmail"],
      ["GET /authors/:id", "admin", ["item:read", "author:search"], "zqmail"],
      ["GET /api/:version/tree", "admin", ["index:read"], "zqindex"],
      ["GET /index/:id", "admin", ["item:read"], "zqindex"],
      ["GET /workflow/activity/detail/:activity_id", "registered", ["user:activity"], "zqtitlepending"],
      ["GET /api/v1/workflow/activities/:activity_id", "admin", ["user:activity"], "zqtitlepending"],
      ["GET /api/user/records", "registered", ["item:read"], "zqtitledraft"],
    ] as const) {
      const { token } = await world.token(who, scopes, null);
      const headers = route.startsWith("GET /api") ? {} : HTML;
      const { status, text } = await world.ask({ token }, "GET", addressOf(route, "none"), { headers });
      expect([route, who, status, text.includes(word)]).toEqual([route, who, 200, true]);
    }
  });

  test("R2d R6d lists of records hold exactly those the caller may read", async () => {
    const titlesIn = (text: string) => [...new Set(text.match(/zqtitle[a-z]+/g))].sort();
    const lists = [
      ["GET /api/records", "/api/records?size=100"],
      ["GET /api/:version/records", "/api/v1/records?size=100"],
      ["GET /api/opensearch/search", "/api/opensearch/search?size=100&format=atom"],
      ["GET /search", "/search?size=100&q=Ada"],
    ] as const;
    for (const [route, path] of lists) {
      const browsers = route === "GET /search" ? SESSIONS : [];
      for (const caller of [...WHOLE, ...browsers, ...ADMIN_SCOPES]) {
        const who = rules.effective(ruleOf(route), caller, caller.by === REPOSITORY_SCOPES);
        const { status, text } = await ask(caller, "GET", path);
        const readable = who === "refused" ? [] : SUBJECTS.filter((each) => rules.readsRecord(who, each));
        const titles = readable.map(({ name }) => `zqtitle${name}`).sort();
        const expected = [...[route, caller.name], ...[who === "refused" ? 403 : 200, titles]];
        expect([route, caller.name, status, titlesIn(text)]).toEqual(expected);
      }
    }
  });

  test("R2e R2g a caller without a right to an item changes nothing of it by any route, and nothing of a community or a request", async () => {
    const faults: string[] = [];
    const writing = routes.filter((each) => !/^(?:GET|OPTIONS) /.test(each) && ruleOf(each).kind !== "public");
    const others = writing.filter((route) => /:(?:id|recid|identifier|activity_id|index_id)\b/.test(patternOf(route)));
    for (const [who, asked] of [
      [null, writing],
      ["other", others],
    ] as const) {
      for (const route of asked) {
        for (const name of /records|recid/.test(route) ? (["open", ...TELLING] as const) : (["open"] as const)) {
          if (route === "POST /account/logout" || route === "POST /api/:version/records/list") continue;
          const before = writes;
          const answer = await world.ask(who, methodOf(route), addressOf(route, ids.get(name) ?? 0), {
            headers: { "content-type": "application/json" },
            body: methodOf(route) === "DELETE" ? null : "{}",
          });
          const isRefused = answer.status >= 400 && answer.status < 500 && writes === before;
          if (!isRefused) faults.push(`${route} of ${name} by ${who}: ${answer.status}, ${writes - before} writes`);
          const messages = SECRETS.filter(({ word, isFor }) => answer.text.includes(word) && !isFor(who));
          if (messages.length > 0)
            faults.push(`${route} of ${name} tells ${who} ${messages.map(({ word }) => word).join()}`);
        }
      }
    }
    expect(faults).toEqual([]);
  });

  test("R6d R37 the tools read for a token without a scope of theirs what they read for guests", async () => {
    const { call } = toolCalls(world);
    const read = async (who: Who) => {
      const messages: unknown[] = [
        (await call(who, "search_records", { query: "", size: 100 })).structuredContent.records,
      ];
      for (const name of ["open", ...TELLING]) {
        const recid = String(ids.get(name));
        for (const [tool, args] of [
          ["get_record", { recid }],
          ["list_files", { recid }],
          ["list_versions", { recid }],
          ["export_record", { recid, export_format: "bibtex" }],
          ["download_file", { recid, filename: "a.txt" }],
        ] as const) {
          messages.push([name, tool, (await call(who, tool, args)).structuredContent]);
        }
      }
      return JSON.stringify(messages);
    };
    const guest = await read(null);
    expect(guest).toContain("zqtitleopen");
    for (const { word, isFor } of SECRETS)
      if (!isFor(null)) expect([word, guest.includes(word)]).toEqual([word, false]);
    for (const { name, by } of ADMIN_SCOPES) {
      const isTool = Array.isArray(by) && by.some((scope) => scope.startsWith("mcp:"));
      const messages = await read(tokens.get(name) ?? null);
      expect([name, messages === guest]).toEqual([name, !isTool]);
      expect([name, messages.includes("zqtitlerestricted")]).toEqual([name, isTool]);
    }
  });
});
