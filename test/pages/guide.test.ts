// The user's guide (docs/guide): every word that it quotes from the screen, every link and every address exists.
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { repositoryTexts } from "../../src/repository/pages/languages/index.ts";
import { arkstone } from "../support/command-line.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const GUIDE = join(ROOT, "docs", "guide");
const DOCUMENT = join(ROOT, "src", "assets", "openapi-repository.json");

type Page = { readonly path: string; readonly tag: string; readonly text: string };

const pagesIn = (folder: string, tag: string): readonly Page[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .map((name) => ({ path: join(folder, name), tag, text: readFileSync(join(folder, name), "utf8") }));
const PAGES = [...pagesIn(GUIDE, "en"), ...pagesIn(join(GUIDE, "ja"), "ja")];

/** Every text of a language, however deep. */
function textsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

const found = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, one = ""]) => one);
const wordsIn = (text: string): readonly string[] => found(text, /\*\*(.+?)\*\*/g);
const addressesIn = (text: string): readonly string[] => found(text, /`(\/[^` ]*)`/g);

/** The words in bold that no page of this language has. */
function unknownWords({ text, tag }: Pick<Page, "text" | "tag">): readonly string[] {
  const texts = new Set(textsOf(repositoryTexts(tag)));
  return wordsIn(text).filter((word) => !texts.has(word) && word !== "bold" && word !== "太字");
}

test("Q.224 the guide has the same pages in both languages, each with words of the screen", () => {
  const [english, japanese] = ["en", "ja"].map((tag) => PAGES.filter((page) => page.tag === tag));
  expect(japanese?.map(({ path }) => path.split("/").at(-1))).toEqual(
    english?.map(({ path }) => path.split("/").at(-1)),
  );
  expect(PAGES.length).toBe(12);
  for (const { path, text } of PAGES) expect([path, wordsIn(text).length > 0]).toEqual([path, true]);
});

test.each(PAGES)("Q.224 words, links, addresses and commands exist: $path", async ({ path, tag, text }) => {
  expect(unknownWords({ text, tag })).toEqual([]);
  const links = found(text, /\]\(([^)#]+)\)/g).filter((link) => !link.startsWith("http"));
  expect(links.filter((link) => !existsSync(join(dirname(path), link)))).toEqual([]);
  const known: { readonly paths: object } = JSON.parse(readFileSync(DOCUMENT, "utf8"));
  const shape = (address: string): string => address.replaceAll(/\{[^}]+\}/g, "{}");
  const paths = new Set(Object.keys(known.paths).map(shape));
  expect(addressesIn(text).filter((address) => !paths.has(shape(address)))).toEqual([]);
  for (const command of found(text, /^arkstone ([a-z-]+(?: [a-z-]+)?)/gm)) {
    const name = command.split(" ").filter((word) => !word.startsWith("-"));
    const { code } = await arkstone({}, [...name, "--help"]);
    expect([command, code]).toEqual([command, 0]);
  }
});

test("unknownWords() finds a button that is not there, and one of the other language", () => {
  expect(unknownWords({ tag: "en", text: "Press **Publish**, then **Fly**, then **公開**" })).toEqual(["Fly", "公開"]);
});
