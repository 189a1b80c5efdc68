import { expect, test } from "bun:test";
import {
  AREAS,
  avoidedNamesIn,
  avoidedNamesOfFiles,
  avoidedWordsIn,
  avoidedWordsOfFiles,
} from "./support/plain-words.ts";

test.each(["source", "guides"] as const)("%s contain no word of the list of avoided words", (area) => {
  const found = avoidedWordsOfFiles(AREAS[area]).map(
    ({ file, line, word, text }) => `${file}:${line} [${word.name}: write ${word.instead}] ${text}`,
  );
  expect(found).toEqual([]);
});

test("avoidedWordsIn() finds words in any case, and leaves texts that a specification fixes", () => {
  const text = "Whoever asks is refused.\nThe names are stored.\nHe is told.\naddress article aside blockquote";
  expect(avoidedWordsIn(text).map(({ word, line }) => [word.name, line])).toEqual([
    ["whoever", 1],
    ["told", 3],
    ["he, his, him", 3],
  ]);
});

test.each(["source", "tests"] as const)("no name in %s, and no name of a file, has a part that is avoided", (area) => {
  expect(avoidedNamesOfFiles(AREAS[area])).toEqual([]);
});

test("avoidedNamesIn() finds parts of names, and leaves words alone and longer words", () => {
  const source =
    "writeAside(full_text_wished, tool_doors); const [aside, withdrawnAt, indoorUse, beside_database] = [];";
  expect(avoidedNamesIn(source)).toEqual(["writeAside", "full_text_wished", "tool_doors"]);
});
