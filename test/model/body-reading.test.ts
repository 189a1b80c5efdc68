// Ids in bodies (R37): a number and a text are one id, and what is neither is refused, not called.
import { expect, test } from "bun:test";
import { bodyReading, idText } from "../../src/model/input/body-reading.ts";
import { Refusal } from "../../src/shared/refusal.ts";

test("R37 an id is sent as text or as a number", () => {
  const reading = bodyReading();
  expect([idText(7), idText("7"), idText(null), idText(undefined)]).toEqual(["7", "7", "", ""]);
  expect(reading.text(idText(7), "members.0.id", { min: 1, max: 15 })).toBe("7");
});

test("R37 an id that brings its own toString is not text, and nothing breaks", () => {
  const reading = bodyReading();
  expect(reading.text(idText({ toString: "x" }), "members.0.id", { min: 1, max: 15 })).toBeNull();
  expect(() => reading.end()).toThrow(Refusal);
});
