// Sentences of refusals in the language of the page (R19a): every one that a page can show has its Japanese words.
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript5";
import { RECORD_SENTENCES } from "../../src/model/input/record-refusals.ts";
import { repositoryTexts } from "../../src/repository/pages/languages/index.ts";
import { refusalsJa } from "../../src/repository/pages/languages/refusals-ja.ts";
import { refusalWords } from "../../src/repository/pages/refusal-words.ts";
import { FILE_SENTENCES } from "../../src/repository/record-files/sentences.ts";
import { REQUEST_SENTENCES } from "../../src/repository/requests/request-sentences.ts";
import { csrfIn } from "../support/world/pages.ts";
import { setUpWorld } from "../support/world.ts";

const ROOT = join(import.meta.dirname, "..", "..");
/** What pages run, and the guard in front of them. */
const SHOWN_BY_PAGES = [
  ..."people authorization workflow records record-files items requests communities authors notices pages record-lists saved-searches"
    .split(" ")
    .map((name) => `src/repository/${name}`),
  ...["src/model/rights", "src/model/input", "plugins/repository/site", "plugins/repository/guard.ts"],
];
const ja = repositoryTexts("ja");

/** Sentences that no page shows, by how they begin, each with the reason. */
const NOT_ON_PAGES: readonly (readonly [sentence: RegExp, because: string])[] = [
  [/^This client has been given too many tokens/, "the token endpoint answers programs"],
  [/^Bulk change |^change\.file|items cannot be changed/, "bulk changes have no page"],
  [/^You may not erase|^Cannot erase/, "a command of the operator"],
  [
    /^Nobody can be invited|^Another account has|^Permission denied: only system administrators/,
    "administrators invite over HTTP and by command",
  ],
];
/** Sentences that are composed elsewhere, by the expression that the refusal is made from. */
const COMPOSED: Readonly<Record<string, string>> = {
  sentence: "each caller's sentence is in the table: FILE_SENTENCES, and those below",
  "error.message": "readers of documents and parsers: what they cannot read, shown next to words of the page",
  "found.message": "a fault of an authorization request, for the author of the program",
  message: "the conflict of drafts, which the page shows field by field",
  problem: "what is wrong with the content of an item, which forms show at their fields",
  text: "index rights and choices of notices, which are in the table; bulk changes",
  wrongSize: "a size that differs from the declared one: pages declare none",
  COMMENT_INDEX: "the page names the field of the index itself",
  "change.refused": "one of the sentences of REQUEST_SENTENCES",
  ALREADY_MEMBER: "it is in the table, see below",
  INVALID_MEMBER: "it is in the table, see below",
  GONE: "it is in the table, see below",
  "openRequests(open.total)": "both are in the table, see below",
  'reasons.join(". ")': "why services for DOIs do not answer, shown next to words of the page",
};

function filesIn(path: string): readonly string[] {
  const full = join(ROOT, path);
  if (statSync(full).isFile()) return [full];
  const all = readdirSync(full, { recursive: true, encoding: "utf8" });
  return all.filter((file) => file.endsWith(".ts") && !file.includes("languages")).map((file) => join(full, file));
}

/** The sentence of an expression with `{}` for its values; what is no text is returned as its source, in `<>`. */
function sentencesOf(node: ts.Expression): readonly string[] {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return [node.text];
  if (ts.isTemplateExpression(node))
    return [node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join("")];
  if (ts.isConditionalExpression(node)) return [...sentencesOf(node.whenTrue), ...sentencesOf(node.whenFalse)];
  if (ts.isParenthesizedExpression(node)) return sentencesOf(node.expression);
  return [`<${node.getText()}>`];
}

function sentencesIn(file: string): readonly string[] {
  const text = readFileSync(file, "utf8");
  if (!text.includes("new Refusal(")) return [];
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isNewExpression(node) && node.expression.getText() === "Refusal") {
      const sentence = node.arguments?.[1];
      if (sentence !== undefined) found.push(...sentencesOf(sentence));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return found;
}

describe("the Japanese words of refusals", () => {
  test("P.198 every sentence that a page can show has them", () => {
    const found = new Set(SHOWN_BY_PAGES.flatMap(filesIn).flatMap(sentencesIn));
    const tables = [RECORD_SENTENCES, FILE_SENTENCES, REQUEST_SENTENCES].flatMap((table) => Object.values(table));
    const lacking = [...found, ...tables].filter((sentence) => {
      const [, expression] = /^<(.*)>$/s.exec(sentence) ?? [];
      if (expression !== undefined) {
        return !/^(?:RECORD|FILE|REQUEST)_SENTENCES\.\w+$/.test(expression) && !Object.hasOwn(COMPOSED, expression);
      }
      return !Object.hasOwn(refusalsJa, sentence) && !NOT_ON_PAGES.some(([each]) => each.test(sentence));
    });
    expect(lacking).toEqual([]);
    expect(found.size).toBeGreaterThan(120);
    // A reason without its sentence means nothing.
    const all = [...found];
    expect(NOT_ON_PAGES.filter(([each]) => !all.some((sentence) => each.test(sentence)))).toEqual([]);
    expect(Object.keys(COMPOSED).filter((expression) => !found.has(`<${expression}>`))).toEqual([]);
  });

  test("P.198 as many values are in them as in the English sentence", () => {
    const wrong = Object.entries(refusalsJa).filter(([sentence, words]) => {
      const values = sentence.split("{}").length - 1;
      const numbers = [...words.matchAll(/\{(\d?)\}/g)].map(([, number]) => number ?? "");
      const isNumbered = numbers.some((number) => number !== "");
      const isRight = isNumbered
        ? numbers.every((number) => Number(number) >= 1 && Number(number) <= values) && numbers.length === values
        : numbers.length === values;
      return !isRight;
    });
    expect(wrong).toEqual([]);
  });

  test.each([
    ["Item 7 does not exist", "アイテム 7 はありません", undefined],
    ['You may not read the file "a.txt" of item 9', "アイテム 9 のファイル「a.txt」を見る権限がありません", undefined],
    ["Item 7 is at revision 3, not 2", "アイテム 7 の改訂は 3 です。2 ではありません", undefined],
    [
      "Error for action 'accept': Could not execute the action",
      "操作「accept」はできません：この操作は現在できません",
      undefined,
    ],
    ["Something else", "Something else", "en"],
    [`Item ${"x".repeat(100_000)}`, `Item ${"x".repeat(100_000)}`, "en"],
  ] as const)("P.198 of %s", (sentence, text, lang) => {
    const words = refusalWords(sentence, ja);
    expect(words).toEqual({ text, ...(lang === undefined ? {} : { lang }) });
    expect(refusalWords(sentence, repositoryTexts("en"))).toEqual({ text: sentence });
  });
});

describe("pages", () => {
  const world = setUpWorld({ pages: true });

  test("P.198 show a refusal in Japanese, at its field and on the page of a refusal", async () => {
    const browser = world.visitor("ja");
    await browser.signIn(await world.token(world.owner));
    const csrf = csrfIn((await browser.get("/account")).text);
    const wrong = await browser.post("/account", { csrf, name: "A", orcid: "0000-0002-1825-0096" });
    expect(wrong.text).toContain("ORCID iD「0000-0002-1825-0096」は正しくありません。数字を確認してください");
    expect(wrong.text).not.toContain("check its digits");
    const notices = await browser.post("/account/notices", { csrf, withdrawn: "hourly" });
    expect(notices.text).toContain("withdrawn に「hourly」は選べません");
    const missing = await browser.get("/records/987654", { accept: "text/html" });
    expect(missing.text).toContain("アイテム 987654 はありません");
    expect(missing.text).not.toContain('<span lang="en">');
    expect((await world.visitor().get("/records/987654")).text).toContain("Item 987654 does not exist");
  });
});
