// Options of `add` and `set` as members of an apply file, so that one thing on the command line obeys the same rules as
// a whole file.
import type { Options, OptionValues } from "../command.ts";
import { UsageError } from "../refusals.ts";

type Kind = "text" | "yes-no" | "number-or-none" | "number" | "list" | "text-or-none";

/** An option and the member it becomes; `--quota-per-day 500` is `"quota_per_day": 500`. */
type MemberOption = {
  readonly type: "string";
  readonly kind: Kind;
  readonly value: string;
  readonly help: string;
};
type MemberOptions = { readonly [option: string]: MemberOption };

export function memberOption(kind: Kind, value: string, help: string): MemberOption {
  return { type: "string", kind, value, help };
}

const YES_NO: ReadonlyMap<string, boolean> = new Map([
  ["yes", true],
  ["true", true],
  ["no", false],
  ["false", false],
]);

/** The members that were given; the rules of the apply file judge them. */
export function membersOf<O extends MemberOptions>(options: O, given: OptionValues<Options>): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const [name, option] of Object.entries(options)) {
    const text = given[name];
    if (typeof text === "string") members[name.replaceAll("-", "_")] = readMember(name, option.kind, text);
  }
  return members;
}

function readMember(name: string, kind: Kind, text: string): unknown {
  const isNone = text === "" || text.toLowerCase() === "none";
  if (kind === "text") return text;
  if (kind === "list") return text.split(/[\s,]+/).filter((word) => word !== "");
  if (kind === "text-or-none") return isNone ? null : text;
  if (kind === "yes-no") {
    const flag = YES_NO.get(text.toLowerCase());
    if (flag === undefined) throw new UsageError(`--${name} must be yes or no, not "${text}"`, "");
    return flag;
  }
  if (kind === "number-or-none" && isNone) return null;
  if (!/^\d{1,12}$/.test(text)) throw new UsageError(`--${name} must be a whole number, not "${text}"`, "");
  return Number(text);
}
