// What the author database costs: searches by name, identifier and community among 200,000 authors, one after the
// other, and authors created by eight clients at once. The server is `arkstone repository`; CPU is its process's, as
// the operating system counts it. bun bench/authors.ts [--database sqlite|postgres|both] [--authors 200000] [--searches
// 300] [--creates 2000] [--json FILE]
import { parseArgs } from "node:util";
import { openRepositoryStore } from "../db/repository/store.ts";
import { systemClock } from "../src/adapters/clock.ts";
import { platformRandom } from "../src/adapters/random.ts";
import type { AuthorContent } from "../src/model/agents/author.ts";
import { setUpRepository } from "../src/repository/administration/repository-setup.ts";
import { seedAuthorChoices } from "../src/repository/authors/shipped-choices.ts";
import { PLAIN_COMMUNITY } from "../src/repository/store/communities.ts";
import type { RepositoryStore } from "../src/repository/store/store.ts";
import { uuidOf } from "../src/shared/hash/digests.ts";
import {
  type Caller,
  callerOf,
  type Measurement,
  machineState,
  onDatabases,
  printMeasurements,
  type Server,
  startRole,
  timed,
  writeJson,
} from "./lib.ts";

const { values } = parseArgs({
  options: {
    database: { type: "string", default: "sqlite" },
    authors: { type: "string", default: "200000" },
    searches: { type: "string", default: "300" },
    creates: { type: "string", default: "2000" },
    json: { type: "string" },
  },
});
const AUTHORS = Number(values.authors);
const SEARCHES = Number(values.searches);
const CREATES = Number(values.creates);
const CLIENTS = 8;
const COMMUNITIES = 20;

const FAMILIES = 2_000;
const digits = (n: number): string =>
  [...String(n)].map((digit) => "零壱弐参四五六七八九"[Number(digit)] ?? "").join("");

/** Two names, an ORCID, an affiliation; a hundred authors share each family name. */
function contentOf(n: number): AuthorContent {
  const family = n % FAMILIES;
  return {
    emailInfo: [{ email: `author${n}@example.org` }],
    authorIdInfo: [
      { idType: "LOCAL", authorId: String(n + 1), authorIdShowFlg: true },
      { idType: "ORCID", authorId: orcidOf(n), authorIdShowFlg: true },
    ],
    authorNameInfo: [
      {
        language: "en",
        familyName: `Family${family}`,
        firstName: `Given${n}`,
        nameFormat: "familyNmAndNm",
        nameShowFlg: true,
      },
      {
        language: "ja",
        familyName: `山${digits(family)}`,
        firstName: `花${digits(n)}`,
        nameFormat: "familyNmAndNm",
        nameShowFlg: true,
      },
    ],
    affiliationInfo: [
      {
        identifierInfo: [],
        affiliationNameInfo: [
          { affiliationName: `University ${n % 500}`, affiliationNameLang: "en", affiliationNameShowFlg: true },
        ],
        affiliationPeriodInfo: [],
      },
    ],
  };
}

/** ORCID iDs begin at this number (support.orcid.org, "Structure of the ORCID Identifier"). */
const FIRST_ORCID = 15_000_000;

function orcidOf(n: number): string {
  const body = String(FIRST_ORCID + n).padStart(15, "0");
  let total = 0;
  for (const digit of body) total = (total + Number(digit)) * 2;
  const check = (12 - (total % 11)) % 11;
  return `${body}${check === 10 ? "X" : check}`.replace(/(.{4})(?=.)/g, "$1-");
}

async function plant(store: RepositoryStore): Promise<void> {
  const at = systemClock.now();
  const random = platformRandom();
  const communities = Array.from({ length: COMMUNITIES }, () => uuidOf(random.bytes(16)));
  await store.transact(async (tx) => {
    for (const [n, id] of communities.entries()) {
      await tx.communities.saveCommunity({
        ...PLAIN_COMMUNITY,
        ...{ id, slug: `community${n}`, title: { en: `C${n}`, ja: `C${n}` }, type: "", visibility: "public" },
        ...{ reviewPolicy: "open", createdAt: at, updatedAt: at },
      });
    }
  });
  const ROWS = 2_000;
  for (let from = 0; from < AUTHORS; from += ROWS) {
    await store.transact(async (tx) => {
      for (let n = from; n < Math.min(AUTHORS, from + ROWS); n++) {
        const author = { content: contentOf(n), communities: [communities[n % COMMUNITIES] ?? ""], at };
        const id = await tx.authors.insertAuthor(uuidOf(random.bytes(16)), author);
        await tx.authors.claimAuthorNumbers(id, [n + 1]);
      }
    });
  }
}

/** What is asked, and how many authors the answer has. */
const SEARCHED: readonly (readonly [string, (n: number) => Readonly<Record<string, string>>, number])[] = [
  ["full name", (n) => ({ fullname: `GIVEN${n} family${n % FAMILIES}` }), 1],
  ["full name, Japanese", (n) => ({ fullname: `山${digits(n % FAMILIES)}　花${digits(n)}` }), 1],
  ["family name", (n) => ({ familyname: `Family${n % FAMILIES}` }), Math.min(100, Math.floor(AUTHORS / FAMILIES))],
  ["beginning of a name", (n) => ({ fullname: `Given${n}Fam*` }), 1],
  ["identifier", (n) => ({ idtype: "ORCID", authorid: orcidOf(n) }), 1],
  ["LOCAL number", (n) => ({ idtype: "LOCAL", authorid: String(n + 1) }), 1],
  [
    "community",
    (n) => ({ communityid: `community${n % COMMUNITIES}` }),
    Math.min(100, Math.floor(AUTHORS / COMMUNITIES)),
  ],
  ["community and name", (n) => ({ communityid: `community${n % COMMUNITIES}`, firstname: `Given${n}` }), 1],
  ["page 20 of all", () => ({ page: "20" }), AUTHORS >= 2_000 ? 100 : 0],
];

async function searches(server: Server, ask: Caller, label: string): Promise<Measurement[]> {
  const results: Measurement[] = [];
  for (const [what, asked, most] of SEARCHED) {
    const one = async (n: number): Promise<void> => {
      // Spread over all authors, the same ones each time.
      const query = new URLSearchParams(asked((n * 7919) % AUTHORS));
      const response = await ask("GET", `/api/v1/authors?${query}`);
      const { authors }: { readonly authors: readonly unknown[] } = await response.json();
      if (response.status !== 200 || authors.length !== most) {
        throw new Error(`${what} ${query}: ${response.status}, ${authors?.length} authors instead of ${most}`);
      }
    };
    for (let n = 0; n < 20; n++) await one(n);
    results.push(await timed(server, `${what}, ${label}`, SEARCHES, 1, one));
  }
  return results;
}

async function onDatabase(label: string, url: string, folder: string): Promise<Measurement[]> {
  const store = await openRepositoryStore({ url });
  const token = await setUpRepository({
    store,
    clock: systemClock,
    random: platformRandom(),
    steps: [seedAuthorChoices],
  });
  const startedAt = performance.now();
  await plant(store);
  process.stderr.write(
    `${label}: ${Math.round((AUTHORS * 1000) / (performance.now() - startedAt))} authors/s planted\n`,
  );
  const env = { SVC_DATABASE_URL: url, SVC_RATE_PER_MINUTE: "0", SVC_JOBS: "off" };
  const server = await startRole("repository", folder, env);
  const ask = callerOf(server, String(token));
  try {
    const found = await searches(server, ask, label);
    const create = async (n: number): Promise<void> => {
      const response = await ask("POST", "/api/v1/authors", { author: contentOf(AUTHORS + n) });
      const text = await response.text();
      if (response.status !== 200) throw new Error(`Creating: ${response.status} ${text}`);
    };
    return [...found, await timed(server, `create, ${label}`, CREATES, CLIENTS, create)];
  } finally {
    await server.stop();
    await store.close();
  }
}

const machine = await machineState();
const results = await onDatabases(values.database, onDatabase);
process.stdout.write(
  `${machine.line}${AUTHORS} authors with two names, an ORCID, a community each; ${SEARCHES} searches of each kind by one client, ${CREATES} authors created by ${CLIENTS}\n`,
);
printMeasurements(results);
writeJson(values.json, "authors", results, machine.figures);
