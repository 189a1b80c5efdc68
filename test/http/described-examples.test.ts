// Every example of the interface descriptions: each fits its shape and is complete, and the repository takes each request
// that is composed of them (R32, L70).
import { describe, expect, test } from "bun:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { PARAMETER_EXAMPLES, SHAPE_EXAMPLES, TEXT_EXAMPLES } from "../../src/main/openapi/examples.ts";
import { DOCUMENTS } from "../../src/main/openapi/generated-files.ts";
import { generateDocuments } from "../../src/main/openapi/openapi.ts";
import { BARE, composed, partOf } from "../support/composed-examples.ts";
import { operationsIn } from "../support/described-statuses.ts";

type Media = { readonly schema?: object; readonly example?: unknown };
type Body = { readonly $ref?: string; readonly content?: Readonly<Record<string, Media>> };
type Parameter = {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly schema: object;
  readonly example?: unknown;
};
type Operation = {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
};
type PathItem = Readonly<Record<string, Operation>> & { readonly parameters?: readonly Parameter[] };
type Description = { readonly paths: Readonly<Record<string, PathItem>> };

const GENERATED = await generateDocuments();
const descriptionOf = (name: (typeof DOCUMENTS)[number]): Description => JSON.parse(GENERATED[name]);

/** Where an example holds a text that nobody wrote. */
function bareIn(value: unknown, path: string): readonly string[] {
  if (value === BARE) return [path];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => bareIn(each, `${path}.${name}`));
}

describe("the examples of the interface descriptions", () => {
  test.each([...DOCUMENTS])(
    "L70 R32 of %s fit their shapes, and every text of a request and an answer for programs has one",
    (name) => {
      const description = descriptionOf(name);
      const ajv = new Ajv2020({ strict: false, validateFormats: true });
      formats.default(ajv);
      ajv.addSchema(description, "description");
      const whole = <T extends { readonly $ref?: string }>(part: T): T =>
        part.$ref === undefined ? part : (partOf(description, part.$ref) as T);
      const faults = new Set<string>();
      let isForPeople = false;
      const hold = (where: string, schema: object, example: unknown): void => {
        for (const bare of isForPeople ? [] : bareIn(example, where)) faults.add(`${bare} has no example`);
        const text = JSON.stringify(schema).replaceAll('"#/components/', '"description#/components/');
        if (!ajv.validate(JSON.parse(text), example))
          faults.add(`${where}: ${ajv.errorsText(ajv.errors, { dataVar: "example" })}`);
      };
      let count = 0;
      for (const { path, operation } of operationsIn<Operation>(description)) {
        const { operationId, parameters = [], requestBody, responses, tags } = operation;
        isForPeople = tags.includes("Pages");
        for (const each of [...(description.paths[path]?.parameters ?? []), ...parameters].map(whole)) {
          hold(`${operationId} ?${each.name}`, each.schema, each.example ?? composed(each.schema, description));
        }
        const bodies = [["request", requestBody ?? {}] as const, ...Object.entries(responses)];
        for (const [kind, body] of bodies) {
          for (const [type, { schema = {}, example }] of Object.entries(whole(body).content ?? {})) {
            count += 1;
            hold(`${operationId} ${kind} ${type}`, schema, example ?? composed(schema, description));
          }
        }
      }
      expect([...faults]).toEqual([]);
      expect(count).toBeGreaterThan(10);
    },
  );

  test("R32 each is one of a shape, a text or a parameter that is described", () => {
    const text = Object.values(GENERATED).join("");
    const isMember = (name: string): boolean => text.includes(`${JSON.stringify(name)}:`);
    const isParameter = (name: string): boolean => text.includes(`"name":${JSON.stringify(name)}`);
    const strays = Object.keys(TEXT_EXAMPLES).filter((key) => {
      const [, owner = "", name = key] = /^(\w+)\.(.+)$/.exec(key) ?? [];
      return (
        !(isMember(name) || isParameter(name)) ||
        (owner !== "" && !(isMember(owner) || text.includes(`"operationId":"${owner}"`)))
      );
    });
    expect(strays).toEqual([]);
    expect(Object.keys(SHAPE_EXAMPLES).filter((name) => !isMember(name))).toEqual([]);
    const parameters = [
      ...text.matchAll(/"name":"([^"]+)","in":"(\w+)"(?:,"required":\w+)?,"description":"((?:[^"\\]|\\.)*)"/g),
    ];
    const described = parameters.map(([, name, place, words]) => `${place} ${name}: ${words}`);
    const unused = PARAMETER_EXAMPLES.filter(([meant]) => !described.some((each) => meant.test(each)));
    expect(unused.map(([meant]) => String(meant))).toEqual([]);
  });
});
