// What a setting is: its variable, default, meaning, and how its text becomes a value (decisions, "Settings").
import type { Parser } from "./setting-parsers.ts";

export const SETTING_PREFIX = "SVC_";

/** What is hidden when settings are shown: nothing, the whole value, or the password inside a URL. */
type Secrecy = "open" | "secret" | "url";

export type Setting<T> = {
  /** The variable, with its prefix. */
  readonly name: string;
  readonly fallback: string;
  readonly meaning: string;
  readonly secrecy: Secrecy;
  /** True where an empty value means something else than the default. */
  readonly emptyCounts: boolean;
} & Parser<T>;

export function setting<T>(
  name: string,
  fallback: string,
  meaning: string,
  parser: Parser<T>,
  options: { readonly secrecy?: Secrecy; readonly emptyCounts?: boolean } = {},
): Setting<T> {
  const { secrecy = "open", emptyCounts = false } = options;
  return { name: `${SETTING_PREFIX}${name}`, fallback, meaning, secrecy, emptyCounts, ...parser };
}
