// What suggestions for the fields of a deposit cost (R42): people by every beginning that somebody types of names in three
// scripts, among the authors of an SQLite database, and what filling in a row of the form of the full item type costs.
// bun bench/suggestions.ts [--authors 200000] [--texts 300] [--folder FOLDER] [--json FILE]; `--folder` keeps the database.
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { openRepositoryStore } from "../db/repository/store.ts";
import { SHIPPED_ITEM_TYPES } from "../src/assets/item-types/index.ts";
import { GUEST } from "../src/auth/account.ts";
import type { AuthorContent } from "../src/model/agents/author.ts";
import { fillForm } from "../src/model/item-types/form-filling.ts";
import { readPostedForm } from "../src/model/item-types/posted-form.ts";
import { readItemType } from "../src/model/item-types/read-definition.ts";
import type { RepositoryStore } from "../src/repository/store/store.ts";
import { fieldSuggestions } from "../src/repository/suggestions/field-suggestions.ts";
import { idleShare, printTable, quantile, workFolder, writeJson } from "./lib.ts";

const { values } = parseArgs({
  options: {
    authors: { type: "string", default: "200000" },
    texts: { type: "string", default: "300" },
    folder: { type: "string" },
    json: { type: "string" },
  },
});
const AUTHORS = Number(values.authors);
const TEXTS = Number(values.texts);
const AT = "2026-01-01T00:00:00.000Z";
/** Authors of one transaction. */
const WRITTEN_AT_ONCE = 2_000;
/** Characters that somebody types before they have found whom they want. */
const TYPED = 8;
/** Each look-up this often, for one takes less than the clock of the processor tells apart. */
const REPEATED = 5;

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const SYLLABLES = [
  ...[
    "ka/カ/加",
    "ki/キ/木",
    "sa/サ/佐",
    "shi/シ/志",
    "ta/タ/田",
    "na/ナ/奈",
    "ha/ハ/羽",
    "ma/マ/真",
    "ya/ヤ/山",
    "ra/ラ/良",
  ],
  ...[
    "mi/ミ/美",
    "no/ノ/野",
    "ko/コ/子",
    "to/ト/藤",
    "ri/リ/理",
    "su/ス/須",
    "o/オ/小",
    "da/ダ/打",
    "wa/ワ/和",
    "i/イ/井",
  ],
].map((each) => each.split("/"));

/** Family names are few and unevenly frequent, given names many. */
function wordOf(seed: number, length: number, script: number): string {
  let [word, rest] = ["", seed];
  for (let at = 0; at < length; at += 1) {
    word += SYLLABLES[rest % SYLLABLES.length]?.[script] ?? "";
    rest = Math.floor(rest / SYLLABLES.length) + 7;
  }
  return script === 0 ? word.charAt(0).toUpperCase() + word.slice(1) : word;
}

const familyOf = (id: number, script: number): string =>
  wordOf(Math.floor(((id * 7919) % 2_000) ** 2 / 2_000), 2, script);
const givenOf = (id: number, script: number): string => wordOf((id * 104_729) % 8_000, 3, script);

const LANGUAGES = ["en", "ja-Kana", "ja"];

function contentOf(id: number): AuthorContent {
  const orcid = String(1_000_000_000_000_000 + id).replace(/(\d{4})(?=\d)/g, "$1-");
  return {
    emailInfo: [{ email: `person${id}@example.org` }],
    authorIdInfo: [{ idType: "ORCID", authorId: orcid, authorIdShowFlg: true }],
    authorNameInfo: LANGUAGES.map((language, script) => ({
      ...{ language, familyName: familyOf(id, script), firstName: givenOf(id, script), nameShowFlg: true },
    })),
    affiliationInfo: [
      {
        identifierInfo: [],
        affiliationNameInfo: [
          { affiliationName: `University ${id % 800}`, affiliationNameLang: "en", affiliationNameShowFlg: true },
        ],
        affiliationPeriodInfo: [],
      },
    ],
  };
}

async function writeAuthors(store: RepositoryStore): Promise<void> {
  for (let first = 1; first <= AUTHORS; first += WRITTEN_AT_ONCE) {
    const size = Math.min(WRITTEN_AT_ONCE, AUTHORS - first + 1);
    const authors = Array.from({ length: size }, (_, at) => {
      const number = first + at;
      const uuid = `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
      return { uuid, number, content: contentOf(number), communities: [], at: AT };
    });
    await store.transact((tx) => tx.authors.insertAuthors(authors));
  }
}

/** Names, key by key, in each script and in either order. */
function typedTexts(): readonly string[] {
  const texts = new Set<string>([..."abcdefghijklmnopqrstuvwxyz", ..."カサタナハマヤラ", ..."山田佐藤"]);
  for (let at = 0; at < TEXTS; at += 1) {
    const id = 1 + ((at * 7_907) % AUTHORS);
    for (const script of [0, 1, 2]) {
      const [family, given] = [familyOf(id, script), givenOf(id, script)];
      for (const text of [`${family} ${given}`, `${given} ${family}`]) {
        for (let end = 1; end <= Math.min(TYPED, text.length); end += 1) texts.add(text.slice(0, end));
      }
    }
  }
  return [...texts];
}

async function measured(work: () => unknown): Promise<number> {
  const before = cpuMs();
  for (let round = 0; round < REPEATED; round += 1) await work();
  return (cpuMs() - before) / REPEATED;
}

const rounded = (ms: number): number => Math.round(ms * 100) / 100;
const row = (name: string, all: readonly number[], found: number) => ({
  ...{ name, "look-ups": all.length, "with suggestions": found, "p50 ms CPU": rounded(quantile(all, 0.5)) },
  ...{ "p99 ms CPU": rounded(quantile(all, 0.99)), "highest ms CPU": rounded(Math.max(...all)) },
});

async function main(): Promise<void> {
  const idle = await idleShare();
  const work = values.folder === undefined ? workFolder() : null;
  const path = join(work?.path ?? values.folder ?? "", "authors.db");
  const isNew = !existsSync(path);
  const store = await openRepositoryStore({ url: `sqlite:${path}` });
  try {
    if (isNew) await writeAuthors(store);
    const fields = fieldSuggestions({ store, journals: async () => [], today: () => "2026-01-01" });
    const asked = { viewer: GUEST, language: "en" };
    const texts = typedTexts();
    await fields.find("people", "warm", 10, asked);
    const groups = { "1 character": 1, "2 characters": 2, "3 characters": 3, "4 and more": 4, all: 0 };
    const variants = [];
    for (const [name, size] of Object.entries(groups)) {
      const some = size === 0 ? texts : texts.filter((text) => Math.min([...text].length, 4) === size);
      const costs: number[] = [];
      let found = 0;
      for (const text of some) {
        found += Number((await fields.find("people", text, 10, asked)).length > 0);
        costs.push(await measured(() => fields.find("people", text, 10, asked)));
      }
      variants.push(row(name, costs, found));
    }
    const [full] = SHIPPED_ITEM_TYPES.map((json) => readItemType(json));
    if (full === undefined) throw new RangeError("There is no item type");
    const field = "item_1617186419668.0.creatorNames.0.creatorName";
    const fills: number[] = [];
    for (let id = 1; id <= 100; id += 1) {
      const person = await fields.values("people", String(id), asked);
      fills.push(
        await measured(() => fillForm(readPostedForm([[field, "ya"]], full).tree, full, field, person, "all")),
      );
    }
    variants.push(row("filling in a person", fills, fills.length));
    printTable(variants);
    process.stdout.write(`${AUTHORS} authors; the machine was ${Math.round(idle * 100)}% idle\n`);
    writeJson(values.json, "suggestions", variants, { authors: AUTHORS, idle });
  } finally {
    await store.close();
    work?.remove();
  }
}

await main();
