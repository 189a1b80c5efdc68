// What the front page answers to a pasted text agrees with where it leads, whatever dashes a word processor put in
// (A48, A1, A1a).
import { describe, expect, test } from "bun:test";
import { checkCharacter } from "../../src/ark/syntax.ts";
import { checkText, pathOfText } from "../../src/resolver/pasted-text.ts";
import { plainTable } from "../../src/resolver/table.ts";
import { arkRecord, naanOf, ORGANISATION, resolutionSettings, shoulderOf } from "../support/memory-replica.ts";

const NOW = "2026-03-01T00:00:00.000Z";
const SETTINGS = resolutionSettings({ rootPath: "/pid" });
const NAME = `b1np1wh8${checkCharacter("99999/b1np1wh8")}`;
const DASHES = ["\u00AD", "\u2010", "\u2011", "\u2012", "\u2013", "\u2014", "\u2015", "\u2212", "\uFF0D"];

function tableWith(...keys: readonly string[]) {
  const table = plainTable();
  table.setPolicies({
    naans: [naanOf("99999")],
    shoulders: [shoulderOf("99999", "b1", { checked: true })],
    organisations: [ORGANISATION],
  });
  for (const key of keys) table.put(arkRecord(key, { url: `https://t.example/${keys.indexOf(key)}` }));
  return table;
}
const look = (text: string, table = tableWith(`99999/${NAME}`)) => checkText(table, SETTINGS, text, NOW);

describe("a pasted text", () => {
  test.each(DASHES.map((dash) => [`U+${dash.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`, dash]))(
    "A48 A1 A1a with %s fits and leads to its target, as a character or percent-encoded, in name and NAAN",
    (_, dash) => {
      const dashed = `${NAME.slice(0, 4)}${dash}${NAME.slice(4, 7)}${dash}${NAME.slice(7)}`;
      const texts = [
        `ark:99999/${dashed}`,
        `ark:/99${dash}999/${dashed}`,
        `https://id.example.org/pid/ark:/99999/${dashed}`,
        `99${dash}999/${dashed}`,
        `ark:99999/${encodeURIComponent(dashed)}`,
        `ark:99999/${encodeURIComponent(dashed).toLowerCase()}`,
      ];
      for (const text of texts) {
        expect([text, look(text)]).toMatchObject([
          text,
          {
            ark: `ark:99999/${NAME}`,
            checkCharacter: "fits",
            outcome: { kind: "redirect", location: "https://t.example/0" },
          },
        ]);
      }
      expect(look(`ark:99999/${dashed}/p.1`)).toMatchObject({
        checkCharacter: "fits",
        outcome: { location: "https://t.example/0/p.1" },
      });
      expect(look(`ark:99999/${dashed}`, tableWith())).toMatchObject({
        checkCharacter: "fits",
        outcome: { code: "1402" },
      });
    },
  );

  test("A48 the path of a text holds no dash that nobody typed; hyphens, encoded ones and the query stay", () => {
    expect(pathOfText("ark:99999/b1–np-1?q=a–b", "/pid")).toBe("/pid/ark:99999/b1np-1?q=a%E2%80%93b");
    expect(pathOfText("ark:99999/b1%E2%80%90x", "")).toBe("/ark:99999/b1%E2%80%90x");
    expect(pathOfText("–", "")).toBeNull();
  });

  test("A1 a name that really holds an encoded dash is that name", () => {
    const odd = "99999/b1%E2%80%90x";
    expect(look(`ark:${odd}`, tableWith(`99999/${NAME}`, odd))).toMatchObject({
      ark: `ark:${odd}`,
      outcome: { location: "https://t.example/1" },
    });
  });
});
