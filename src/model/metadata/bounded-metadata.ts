// The part of an item's metadata that a page, or a hit of a search, gives to machines (R9a): no list, no text and no
// head of a page grows without end; the exports hold all of it.

import { cut } from "../items/summary.ts";
import type { Metadata } from "./metadata.ts";

/** Values of a member, people in all roles together, and values of any list inside of one. */
const VALUES_TOLD = 500;
const INNER_VALUES_TOLD = 50;
const TEXT_CHARACTERS = 50_000;
/** Texts of one member, and of the whole page. */
const TEXTS_OF_MEMBER = 2_000;
const TEXTS_OF_PAGE = 20_000;
const CHARACTERS_OF_PAGE = 2_000_000;
/** Members that are never shown. */
const UNSHOWN: ReadonlySet<string> = new Set(["custom", "extra", "emails"]);
const PEOPLE: ReadonlySet<string> = new Set(["creators", "contributors", "rightsHolders"]);

/** The metadata itself where it is within the limits. */
export function boundedMetadata(metadata: Metadata): Metadata {
  const page = { texts: TEXTS_OF_PAGE, characters: CHARACTERS_OF_PAGE, isCut: false };
  const bounded: Record<string, unknown> = { ...metadata };
  let people = VALUES_TOLD;
  // People last: there may be thousands, and they must not displace everything else on a page.
  const members = Object.entries(metadata).filter(([member]) => !UNSHOWN.has(member));
  for (const [member, value] of members.filter(([member]) => !PEOPLE.has(member))) {
    bounded[member] = boundedValue(value, VALUES_TOLD, budgetOf(page, TEXTS_OF_MEMBER));
  }
  for (const [member, value] of members.filter(([member]) => PEOPLE.has(member))) {
    const shown = boundedValue(value, people, budgetOf(page, TEXTS_OF_PAGE));
    if (Array.isArray(shown)) people -= shown.length;
    bounded[member] = shown;
  }
  // Made member by member from metadata: lists are shorter, texts are shorter, nothing else.
  return page.isCut ? (bounded as Metadata) : metadata;
}

type Page = { texts: number; characters: number; isCut: boolean };
type Budget = { readonly page: Page; texts: number };

const budgetOf = (page: Page, texts: number): Budget => ({ page, texts });

function boundedValue(value: unknown, longest: number, budget: Budget): unknown {
  if (typeof value === "string") return boundedText(value, budget);
  if (Array.isArray(value)) {
    const kept: unknown[] = [];
    for (const each of value) {
      if (kept.length === longest || budget.texts <= 0 || budget.page.texts <= 0) {
        budget.page.isCut = true;
        break;
      }
      kept.push(boundedValue(each, INNER_VALUES_TOLD, budget));
    }
    return kept;
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      UNSHOWN.has(key) ? each : boundedValue(each, INNER_VALUES_TOLD, budget),
    ]),
  );
}

function boundedText(text: string, budget: Budget): string {
  const { page } = budget;
  budget.texts -= 1;
  page.texts -= 1;
  const kept = cut(text, Math.max(1, Math.min(TEXT_CHARACTERS, page.characters)));
  page.characters -= kept.length;
  if (kept.length < text.length) page.isCut = true;
  return kept;
}
