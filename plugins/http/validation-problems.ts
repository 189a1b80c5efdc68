// TypeBox errors in the shape of the 422 body that the specification defines (A29).
import { Kind } from "@sinclair/typebox";
import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import { CHARACTERS } from "../../src/ark/inputs.ts";
import type { FieldProblem } from "../../src/shared/errors.ts";

/** Most wrong fields that one answer lists. */
export const PROBLEMS_MAX = 1000;
/** Longest piece of the caller's input that is returned. */
const INPUT_MAX = 200;
const SECRET_NAME = /secret|password|passwd|token|api_?key|authorization|credential/i;

type Rule = {
  readonly type: string;
  readonly ctx?: (schema: Readonly<Record<string, unknown>>) => Record<string, unknown>;
};

const RULES: { readonly [type in ValueErrorType]?: Rule } = {
  [ValueErrorType.String]: { type: "string_type" },
  [ValueErrorType.Boolean]: { type: "bool_type" },
  [ValueErrorType.Integer]: { type: "int_type" },
  [ValueErrorType.Number]: { type: "float_type" },
  [ValueErrorType.Array]: { type: "list_type" },
  [ValueErrorType.Object]: { type: "dict_type" },
  [ValueErrorType.StringMaxLength]: { type: "string_too_long", ctx: (s) => ({ max_length: s.maxLength }) },
  [ValueErrorType.StringMinLength]: { type: "string_too_short", ctx: (s) => ({ min_length: s.minLength }) },
  [ValueErrorType.StringPattern]: { type: "string_pattern_mismatch", ctx: (s) => ({ pattern: s.pattern }) },
  [ValueErrorType.StringFormat]: { type: "string_format", ctx: (s) => ({ format: s.format }) },
  [ValueErrorType.IntegerMinimum]: { type: "greater_than_equal", ctx: (s) => ({ ge: s.minimum }) },
  [ValueErrorType.IntegerMaximum]: { type: "less_than_equal", ctx: (s) => ({ le: s.maximum }) },
  [ValueErrorType.NumberMinimum]: { type: "greater_than_equal", ctx: (s) => ({ ge: s.minimum }) },
  [ValueErrorType.NumberMaximum]: { type: "less_than_equal", ctx: (s) => ({ le: s.maximum }) },
  [ValueErrorType.ArrayMaxItems]: { type: "too_long", ctx: (s) => ({ max_length: s.maxItems }) },
  [ValueErrorType.ArrayMinItems]: { type: "too_short", ctx: (s) => ({ min_length: s.minItems }) },
  [ValueErrorType.ObjectAdditionalProperties]: { type: "extra_forbidden" },
  [ValueErrorType.ObjectRequiredProperty]: { type: "missing" },
  [ValueErrorType.Literal]: { type: "literal_error" },
};

/** `/data/0/ark` as `["data", 0, "ark"]`. */
function pathParts(path: string): (string | number)[] {
  if (path === "") return [];
  return path
    .slice(1)
    .split("/")
    .map((part) => (/^(?:0|[1-9]\d*)$/.test(part) ? Number(part) : part.replace(/~1/g, "/").replace(/~0/g, "~")));
}

/** The caller's value as it may be returned: scalars only, shortened, and never where the name suggests a secret. */
function echo(value: unknown, loc: readonly (string | number)[]): { input?: unknown } {
  if (loc.some((part) => typeof part === "string" && SECRET_NAME.test(part))) return {};
  if (typeof value === "string") return { input: value.length > INPUT_MAX ? `${value.slice(0, INPUT_MAX)}…` : value };
  if (typeof value === "number" || typeof value === "boolean" || value === null) return { input: value };
  return {};
}

/** One problem per path, in the order found; `where` is `body`, `query`, `path` or `header`. At most `PROBLEMS_MAX`. */
export function problemsOf(errors: Iterable<ValueError>, where: string): FieldProblem[] {
  const seen = new Set<string>();
  const problems: FieldProblem[] = [];
  for (const error of errors) {
    if (seen.has(error.path)) continue;
    seen.add(error.path);
    problems.push(problemOf(error, where));
    if (problems.length >= PROBLEMS_MAX) break;
  }
  return problems;
}

type Alternative = { readonly const?: unknown; readonly type?: unknown };

/** What a choice between schemas accepts, in words: TypeBox reports only that the value matches no schema. */
function choiceProblem(alternatives: readonly Alternative[]): Pick<FieldProblem, "msg" | "type" | "ctx"> {
  const values = alternatives.map((each) => each.const);
  if (values.every((value) => typeof value === "string")) {
    const expected = values.map((value) => `'${value}'`).join(", ");
    return { msg: `Input should be one of ${expected}`, type: "literal_error", ctx: { expected } };
  }
  const takes = (type: string): boolean => alternatives.some((each) => each.type === type);
  if (takes("boolean")) return { msg: "Input should be true or false", type: "bool_parsing" };
  if (takes("integer")) return { msg: "Input should be a whole number", type: "int_parsing" };
  return { msg: "Input fits none of the forms allowed", type: "union_error" };
}

/** What is wrong with a text whose length is counted in characters. */
function textProblem({ value, schema }: ValueError): Pick<FieldProblem, "msg" | "type" | "ctx"> {
  if (typeof value !== "string") return { msg: "Expected string", type: "string_type" };
  const { maxLength } = schema;
  const msg = `Expected string length less or equal to ${maxLength}`;
  return { msg, type: "string_too_long", ctx: { max_length: maxLength } };
}

function problemOf(error: ValueError, where: string): FieldProblem {
  const loc = [where, ...pathParts(error.path)];
  if (error.value === undefined) return { loc, msg: "Field required", type: "missing" };
  if (error.type === ValueErrorType.Union && Array.isArray(error.schema.anyOf)) {
    return { loc, ...choiceProblem(error.schema.anyOf), ...echo(error.value, loc) };
  }
  if (error.schema[Kind] === CHARACTERS) return { loc, ...textProblem(error), ...echo(error.value, loc) };
  const rule = RULES[error.type];
  const ctx = rule?.ctx?.(error.schema);
  return {
    loc,
    // A reader of a message is not asked to read a regular expression: it is in `ctx`.
    msg: error.type === ValueErrorType.StringPattern ? "Input has another form than this field takes" : error.message,
    type: rule?.type ?? "value_error",
    ...echo(error.value, loc),
    ...(ctx === undefined ? {} : { ctx }),
  };
}
