// What a schema cannot require of texts and targets (A20).
import { describe, expect, test } from "bun:test";
import { targetProblem, textProblems } from "../../src/ark/inputs.ts";
import { checkFilledTarget, fillTarget } from "../../src/ark/new-name.ts";
import { parseArk } from "../../src/ark/syntax.ts";
import { ValidationRefusal } from "../../src/shared/errors.ts";
import { vectors } from "../support/vectors.ts";

describe("targets", () => {
  test.each(vectors("targets.txt").map(([url, problem]) => [JSON.stringify(url), url, problem]))(
    "A20 %s",
    (_, url, problem) => {
      expect(targetProblem(String(url)) ?? "").toBe(problem ?? "");
    },
  );

  test("A20 placeholders are filled, every one, and nothing else", () => {
    const ark = parseArk("99999/b1$$1");
    expect(fillTarget("https://e.example/${name}/${name}?${ark}#${naan}${Ark}$1", ark)).toBe(
      "https://e.example/b1$$1/b1$$1?ark:99999/b1$$1#99999${Ark}$1",
    );
  });

  test("A20 a name that turns the host into none is refused where the target is", () => {
    const ark = parseArk("99999/b1%2Fx");
    expect(() => checkFilledTarget("https://e.example/${name}", ark, 3)).not.toThrow();
    try {
      checkFilledTarget("https://${name}.example/", ark, 3);
      throw new Error("was accepted");
    } catch (error) {
      if (!(error instanceof ValidationRefusal)) throw error;
      expect(error.problems).toEqual([
        {
          loc: ["body", "data", 3, "url"],
          msg: "Value error, must be an absolute URL",
          type: "value_error",
          input: "https://${name}.example/",
        },
      ]);
    }
  });
});

describe("texts", () => {
  test("A20 control characters but tab and newline are refused, each field with its place", () => {
    const row = {
      title: "a\tb\nc",
      who: "a\u0000",
      when: "a\u001b[0m",
      source: "a\r\n",
      type: "\u0085",
      request_id: "\u0007",
      url: "x",
    };
    expect(textProblems(row, ["body", "data", 2]).map(({ loc }) => loc.at(-1))).toEqual([
      "url",
      "type",
      "source",
      "who",
      "when",
      "request_id",
    ]);
    expect(textProblems({ who: "\u0000" }, ["body"])).toEqual([
      {
        loc: ["body", "who"],
        msg: "Value error, must not hold control characters",
        type: "value_error",
        input: "\u0000",
      },
    ]);
  });

  test("A20 letters of every language and missing fields are fine", () => {
    expect(textProblems({ title: "植物標本 – ñandú 🌱", url: "", who: undefined }, ["body"])).toEqual([]);
  });
});
