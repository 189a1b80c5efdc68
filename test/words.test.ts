import { expect, test } from "bun:test";
import { AREAS, avoidedWordsIn, avoidedWordsOfFiles } from "./support/plain-words.ts";

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
