// How names of people and organisations are written (R19a): in Latin letters "Family, Given", in Han, kana and Hangul
// family name first without a comma, each language in its own way.

import type { Agent, AgentName } from "../metadata/metadata.ts";
import { inLanguage, namesIn, primaryLanguage } from "../metadata/reader-language.ts";

type Kind = Agent["kind"];

const EAST_ASIAN = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}]/gu;
const HANGUL = /\p{scx=Hang}/u;
const KATAKANA = /^[\p{scx=Kana}\s]*$/u;

const tidy = (text: string | undefined): string => text?.replace(/\s+/g, " ").trim() ?? "";

/** Letters there are, and all of them are Han, kana or Hangul. */
const isEastAsian = (text: string): boolean => /\p{L}/u.test(text) && !/\p{L}/u.test(text.replace(EAST_ASIAN, ""));

/** Chinese and Korean names are written as one word. */
function isOneWord(parts: readonly string[], lang: string | undefined): boolean {
  const language = primaryLanguage(lang ?? "");
  return language === "zh" || language === "ko" || parts.some((part) => HANGUL.test(part));
}

/** "山田, 花子", or 山田 and 花子, as two parts; null for other scripts and for a text without family and given name. */
function eastAsianParts({ full, family, given }: AgentName): readonly string[] | null {
  const stated = [tidy(family), tidy(given)].filter((part) => part !== "");
  const written = tidy(full)
    .replaceAll("，", ",")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const parts = stated.length === 2 || tidy(full) === "" ? stated : written;
  const [first = ""] = parts;
  // A given name in other letters belongs to the family name before it: 山田 Hanako.
  if (parts.length > 2 || !isEastAsian(first)) return null;
  return parts;
}

/** A name as pages, lists and tags write it: 山田 花子, 王小明, 홍길동; Adachi, Jun. */
export function nameText(name: AgentName, kind: Kind): string {
  const full = tidy(name.full);
  const stated = [tidy(name.family), tidy(name.given)].filter((part) => part !== "");
  if (kind === "organizational") return full === "" ? stated.join(" ") : full;
  const parts = eastAsianParts(name);
  if (parts !== null) return parts.join(isOneWord(parts, name.lang) ? "" : " ");
  return full === "" ? stated.join(", ") : full;
}

/**
 * A name as citations in East Asian languages write it: 山田花子. Two parts in katakana stay apart, they may be a
 * foreigner's.
 */
export function closedName(name: AgentName, kind: Kind): string {
  const text = nameText(name, kind);
  const parts = text.split(" ");
  const isClosed = parts.length === 2 && isEastAsian(text) && !parts.every((part) => KATAKANA.test(part));
  return kind !== "organizational" && isClosed ? parts.join("") : text;
}

/** True for names without Latin and other spaced letters; they have no initials. */
export const isEastAsianName = (name: AgentName): boolean => eastAsianParts(name) !== null;

type NamedAgent = { readonly text: string; readonly lang?: string };

const namedAgent = (text: string, lang: string | undefined): NamedAgent => ({
  text,
  ...(lang === undefined ? {} : { lang }),
});

/** At most `most` names of an agent as they are written, the reader's language first, then the alternatives. */
export function agentNames(
  { names, alternatives, kind }: Agent,
  tag: string | undefined,
  most: number,
): readonly NamedAgent[] {
  const own = namesIn(names, tag).slice(0, most);
  return [
    ...own.map((name) => namedAgent(nameText(name, kind), name.lang)),
    ...inLanguage(alternatives, tag)
      .slice(0, most - own.length)
      .map(({ value, lang }) => namedAgent(tidy(value), lang)),
  ].filter(({ text }) => text !== "");
}

/** People as a line names them, each by the first name for the reader; at most `most` agents are read. */
export function peopleIn(agents: readonly Agent[], tag: string | undefined, most: number): readonly string[] {
  return agents.slice(0, most).flatMap((agent) => agentNames(agent, tag, 1)[0]?.text ?? []);
}
