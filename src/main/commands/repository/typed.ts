// Options that set the members of a declared record, from its table (src/shared/declared.ts): turns words of the
// command line into members.
import { type CommandOption, type Declaration, type DeclaredField, sentName } from "../../../shared/declared.ts";
import type { Option } from "../command.ts";
import { UsageError } from "../refusals.ts";
import { numberOption, wordsOf } from "./records.ts";

type StringOption = Option & { readonly type: "string" };
type DeclaredOption = {
  readonly sent: string;
  readonly declared: DeclaredField<unknown>;
  readonly typed: CommandOption;
};

function taken(declaration: Declaration): readonly DeclaredOption[] {
  return Object.entries(declaration).flatMap(([name, declared]) =>
    declared.typed === undefined ? [] : [{ sent: sentName(name, declared), declared, typed: declared.typed }],
  );
}

/** The options of a record, in its order. */
export function optionsOf(declaration: Declaration): { readonly [option: string]: StringOption } {
  return Object.fromEntries(
    taken(declaration).map(({ typed: { option, value, help } }) => [option, { type: "string", value, help }]),
  );
}

/**
 * The members that options set, by the names they are sent under. Throws UsageError for a word that is none of the
 * option's.
 */
export function membersFrom(declaration: Declaration, given: { readonly [option: string]: unknown }) {
  const members = taken(declaration).flatMap(({ sent, declared, typed }): [string, unknown][] => {
    const text = given[typed.option];
    return typeof text === "string" ? [[sent, sentValue(declared, typed, text)]] : [];
  });
  return Object.fromEntries(members);
}

const YES_NO = { yes: true, no: false };

function sentValue({ kept }: DeclaredField<unknown>, { option, words, none }: CommandOption, text: string): unknown {
  if (none === true && text === "none") return null;
  const only: Readonly<Record<string, unknown>> | undefined = kept === "flag" ? YES_NO : words;
  if (only !== undefined) {
    if (Object.hasOwn(only, text)) return only[text];
    throw new UsageError(`--${option} must be ${Object.keys(only).join(" or ")}, not "${text}"`, "");
  }
  if (kept === "number") return numberOption(option, text);
  return kept === "json" ? wordsOf(text) : text;
}
