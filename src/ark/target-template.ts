// Targets that name the new ARK: `${ark}`, `${naan}` and `${name}` are filled in when the name is made (A20).
import { type FieldProblem, ValidationRefusal } from "../shared/errors.ts";
import { targetProblem, URL_MAX } from "./inputs.ts";
import { type Ark, formatArk } from "./syntax.ts";

const PLACEHOLDER = /\$\{(ark|naan|name)\}/g;

/** The target with its placeholders filled; others are refused before (`targetProblem`). */
export function fillTarget(url: string, ark: Ark): string {
  if (!url.includes("${")) return url;
  return url.replace(PLACEHOLDER, (_, field: "ark" | "naan" | "name") =>
    field === "ark" ? formatArk(ark) : ark[field],
  );
}

/**
 * Checks a target once more when it is filled: a name can make it too long, or turn a host into none.
 *
 * @throws ValidationRefusal naming the field `url` of the row.
 */
export function checkFilledTarget(url: string, ark: Ark, row: number | null): void {
  if (!url.includes("${")) return;
  const filled = fillTarget(url, ark);
  const problem = filledProblem(filled);
  if (problem === null) return;
  const loc = row === null ? ["body", "url"] : ["body", "data", row, "url"];
  throw new ValidationRefusal([{ loc, ...problem, input: url }]);
}

function filledProblem(filled: string): Pick<FieldProblem, "msg" | "type" | "ctx"> | null {
  if (filled.length > URL_MAX) {
    return {
      msg: `String should have at most ${URL_MAX} characters once its placeholders are filled`,
      type: "string_too_long",
      ctx: { max_length: URL_MAX },
    };
  }
  const problem = targetProblem(filled);
  return problem === null ? null : { msg: `Value error, ${problem}`, type: "value_error" };
}
