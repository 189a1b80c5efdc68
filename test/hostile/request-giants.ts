// Requests of a few kilobytes to two megabytes that cost much more than that to answer (R9a): entries of vocabularies
// that are not there, many people, texts that expand, patterns, bodies in small chunks. Each shape stretched, from a
// seed, so that a finding can be run again.
import { connect } from "node:net";
import { METADATA } from "../support/record-calls.ts";
import type { Rng } from "./generate.ts";
import { type Attack, type Finding, measured } from "./stalls.ts";

type Target = { readonly base: string; readonly token: string };
export type RequestGiant = { readonly name: string; readonly ask: (target: Target) => Promise<Response> };

/** How much of everything: as far as a body of two megabytes, or an imported document of half of one, can name. */
type Sizes = { readonly values: number; readonly characters: number; readonly chunks: number };
const QUICK_SIZES: Sizes = { values: 2_000, characters: 100_000, chunks: 100_000 };
const FULL_SIZES: readonly Sizes[] = [
  QUICK_SIZES,
  { values: 6_000, characters: 300_000, chunks: 500_000 },
  { values: 9_900, characters: 1_000_000, chunks: 2_000_000 },
];

const many = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
/** Two kinds of marks, each of the second sorted before all of the first. */
const marks = (count: number): string => `a${"\u0301".repeat(count / 2)}${"\u0323".repeat(count / 2)}`;
const EXPANDING = { "marks to sort": marks, "times U+FDFA": (count: number) => "\ufdfa".repeat(count) } as const;

const sent = ({ base, token }: Target, path: string, body: string, type = "application/json"): Promise<Response> => {
  const accept = "application/json, text/event-stream";
  return fetch(base + path, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": type, accept },
    body,
  });
};
const record = (members: object): string =>
  JSON.stringify({ metadata: { ...METADATA, ...members }, files: { enabled: false } });
const posted = (name: string, members: () => object): RequestGiant => ({
  name: `record with ${name}`,
  ask: (target) => sent(target, "/api/records", record(members())),
});
const called = (name: string, members: () => object): RequestGiant => ({
  name: `create_record with ${name}`,
  ask(target) {
    const params = { name: "create_record", arguments: { metadata: { ...METADATA, ...members() } } };
    return sent(target, "/mcp", JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }));
  },
});
const imported = (name: string, type: string, document: () => string): RequestGiant => ({
  name: `${type} with ${name}`,
  ask: (target) => sent(target, "/api/records/import", document(), type),
});

const orcid = (at: number): string => `0000-0002-1825-${String(1_000 + (at % 9_000)).padStart(4, "0")}`;
const person = (at: number) => ({
  person_or_org: {
    type: "personal",
    family_name: `Family${at}`,
    given_name: "Given",
    identifiers: [{ scheme: "orcid", identifier: orcid(at) }],
  },
});
/** What people send every day, by the interfaces that the giants come by. */
export const ORDINARY_REQUESTS: readonly RequestGiant[] = [
  posted("two people", () => ({
    creators: many(2, (at) => ({ ...person(at), affiliations: [{ name: "A library" }] })),
  })),
  called("two people", () => ({ creators: many(2, person) })),
  imported("a title", "application/x-bibtex", () => "@book{one,\n  title = {A title},\n  year = {2020}\n}\n"),
];

const UNKNOWN: Readonly<Record<string, (at: number) => object>> = {
  languages: (at) => ({ id: `q${at}` }),
  subjects: (at) => ({ id: `q${at}` }),
  rights: (at) => ({ id: `q${at}` }),
  dates: (at) => ({ date: "2024", type: { id: `q${at}` } }),
  creators: (at) => ({ ...person(at), role: { id: `q${at}` }, affiliations: [{ id: `q${at}` }] }),
  funding: (at) => ({ funder: { id: `q${at}` }, award: { id: `q${at}` } }),
  related_identifiers: (at) => ({ identifier: `10.1234/${at}`, scheme: "doi", relation_type: { id: `q${at}` } }),
};
const LISTED: Readonly<Record<string, (count: number) => object>> = {
  creators: (count) => ({ creators: many(count, person) }),
  contributors: (count) => ({ contributors: many(count, (at) => ({ ...person(at), role: { id: "other" } })) }),
  places: (count) => ({
    locations: {
      features: many(count, (at) => ({ geometry: { type: "Point", coordinates: [at % 180, 1] }, place: `P${at}` })),
    },
  }),
  funders: (count) => ({ funding: many(count, (at) => ({ funder: { name: `F${at}` }, award: { number: `${at}` } })) }),
  "faulty creators": (count) => ({
    creators: many(count, (at) => ({ person_or_org: { type: "x", identifiers: [{ identifier: `z${at}` }] } })),
  }),
};
const PATTERNS: readonly ((count: number) => string)[] = [
  () => "/(.{0,9}){0,9}1/",
  (count) => many(Math.min(count, 290), (at) => `/(a|b${at}){0,9}.*/`).join(" OR "),
  () => `/${"(a?){0,30}".repeat(15)}/`,
  (count) => many(Math.min(count, 290), (at) => `*${at}*`).join(" "),
  (count) => many(Math.min(count, 290), (at) => `word${at}~2`).join(" "),
  () => `${"(".repeat(39)}a*${")".repeat(39)}`,
];

type Maker = (random: Rng, sizes: Sizes) => RequestGiant;
const MAKERS: readonly Maker[] = [
  (random, { values }) => {
    const [member, entry] = random.pick(Object.entries(UNKNOWN));
    return posted(`${values} unknown entries in ${member}`, () => ({ [member]: many(values, entry) }));
  },
  (random, { values }) => {
    const [name, list] = random.pick(Object.entries(LISTED));
    return posted(`${values} ${name}`, () => list(values));
  },
  (random, { values }) => {
    const [name, list] = random.pick(Object.entries(LISTED));
    return called(`${values} ${name}`, () => list(values));
  },
  (random, { characters }) => {
    const [name, text] = random.pick(Object.entries(EXPANDING));
    const member = random.pick(["title", "description", "publisher", "copyright"]);
    return posted(`${member} of ${characters} ${name}`, () => ({ [member]: text(Math.min(characters, 600_000)) }));
  },
  (random, { values }) => {
    const [name, text] = random.pick(Object.entries(EXPANDING));
    const count = Math.min(values, 3_000);
    return posted(`${count} creators of 200 ${name}`, () => ({
      creators: many(count, (at) => ({
        person_or_org: { type: "personal", family_name: text(200), given_name: `G${at}` },
      })),
    }));
  },
  (random, { characters }) => {
    const [name, text] = random.pick(Object.entries(EXPANDING));
    const host = Math.min(characters, 9_000);
    return posted(`identifiers with a host of ${host} ${name}`, () => ({
      identifiers: many(20, (at) => ({ scheme: "url", identifier: `https://${text(host)}${at}.org/` })),
    }));
  },
  (_, { values }) =>
    imported(`macros doubled ${values} times`, "application/x-bibtex", () => {
      const strings = many(values, (at) => `@string{m${at + 1} = m${at} # m${at}}\n`);
      return `@string{m0 = "abcdefgh"}\n${strings.join("")}@book{x, title = m${values}}`;
    }),
  (_, { values }) =>
    imported(`${values} authors`, "application/vnd.citationstyles.csl+json", () =>
      JSON.stringify({
        type: "book",
        title: "Title",
        author: many(values, (at) => ({ family: `F${at}`, given: "G" })),
      }),
    ),
  (_, { values }) =>
    imported(`${Math.min(values, 6_000)} creators`, "application/vnd.datacite.datacite+json", () =>
      JSON.stringify({
        titles: [{ title: "Title" }],
        creators: many(Math.min(values, 6_000), (at) => ({ name: `F${at}, G`, givenName: "G", familyName: `F${at}` })),
      }),
    ),
  (random, { values, characters }) => {
    const length = random.pick([1_000, Math.min(characters, 300_000)]);
    return imported(`terms of a prefix of ${length} characters`, "application/ld+json", () =>
      JSON.stringify({
        "@context": { p: `https://schema.org/${"n".repeat(length - 19)}` },
        "@type": "Book",
        name: "Title",
        ...Object.fromEntries(many(values, (at) => [`p:t${at}`, at])),
      }),
    );
  },
  (random, { values }) => {
    const [pattern, path] = [random.pick(PATTERNS)(values), random.pick(["/api/records", "/api/communities"])];
    return {
      name: `${path} with the query ${pattern.slice(0, 60)} of ${pattern.length} characters`,
      ask: ({ base }) => fetch(`${base}${path}?q=${encodeURIComponent(pattern.slice(0, 9_000))}`),
    };
  },
  (random, { chunks }) => {
    const path = random.pick(["/mcp", "/api/records", "/oauth/token", "/account/login"]);
    return { name: `${path} in ${chunks} chunks of one byte`, ask: (target) => inChunks(target, path, chunks) };
  },
];

export const REQUEST_SHAPES = MAKERS.length;

/** As many as asked for: every shape in turn. `FULL_SIZES` are for thousands of them. */
export function* requestGiants(random: Rng, count: number, quick: boolean): Generator<RequestGiant> {
  for (let at = 0; at < count; at++) {
    const maker = MAKERS[at % MAKERS.length];
    if (maker !== undefined) yield maker(random, quick ? QUICK_SIZES : random.pick(FULL_SIZES));
  }
}

/**
 * A body that the server receives piece by piece, each with its own frame. Whatever it answers, also before the end;
 * 499: nothing.
 */
function inChunks({ base, token }: Target, path: string, count: number): Promise<Response> {
  const { port } = new URL(base);
  const head = [
    `POST ${path} HTTP/1.1`,
    "host: localhost",
    `authorization: Bearer ${token}`,
    "content-type: application/json",
    "transfer-encoding: chunked",
    "connection: close",
  ].join("\r\n");
  return new Promise((resolve) => {
    const socket = connect(Number(port), "127.0.0.1");
    let text = "";
    socket.on("data", (bytes) => {
      text += bytes.toString("latin1");
    });
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 499);
      resolve(new Response(text, { status }));
    });
    socket.write(`${head}\r\n\r\n${"1\r\n \r\n".repeat(count)}0\r\n\r\n`);
  });
}

/** One of them, and where it became a draft, that draft read, published and read again. */
export async function sendRequestGiant(attack: Attack, giant: RequestGiant): Promise<readonly Finding[]> {
  const { base, tokens } = attack;
  const token = tokens.crate;
  const { text, ...made } = await measured(attack, giant.name, "sent", () => giant.ask({ base, token }));
  const id = made.status === 201 ? /^\{"id":"(\d+)"/.exec(text)?.[1] : undefined;
  if (id === undefined) return [made];
  const headers = { authorization: `Bearer ${token}` };
  const findings: Finding[] = [made];
  for (const [method, path] of [
    ["GET", `/api/records/${id}/draft`],
    ["POST", `/api/records/${id}/draft/actions/publish`],
    ["GET", `/api/records/${id}/revisions`],
    ["GET", "/api/records?size=5"],
    ["DELETE", `/api/records/${id}/draft`],
  ] as const) {
    const { text: _, ...found } = await measured(attack, giant.name, `${method} ${path}`, () =>
      fetch(base + path, { method, headers }),
    );
    findings.push(found);
  }
  return findings;
}
