// `arkstone author`: two records of one person (R6a): who may be one, and taking one in with the other.

import type { Author } from "../../../model/agents/author.ts";
import { authors } from "../../../repository/authors/authors.ts";
import { type Likeness, likelyPairs } from "../../../repository/authors/likeness.ts";
import { jsonLine, plural, printable } from "../../process/terminal.ts";
import { type Command, command } from "../command.ts";
import { UsageError } from "../refusals.ts";
import { OPERATOR, withRepository } from "./repository-context.ts";

const PAIRS = 1_000;
const PAIRS_MAX = 1_000_000;

const nameOf = ({ content }: Author): string => {
  const [first] = content.authorNameInfo;
  return printable([first?.familyName ?? "", first?.firstName ?? ""].filter((part) => part !== "").join(", ") || "?");
};

const merge = command({
  name: "author merge",
  summary: "Take an author in with another: both are one person",
  words: ["AUTHOR", "INTO"],
  details: `
AUTHOR and INTO are numbers or UUIDs. A job moves the items of AUTHOR to INTO; the number, the UUID and the LOCAL numbers of AUTHOR lead to INTO
for ever. INTO gets the identifiers of schemes in which it had none, and keeps all its other data. This cannot be undone.`,
  examples: ["arkstone author merge 17 4"],
  run: (context, _given, [author = "", into = ""]) =>
    withRepository(context, async ({ store, clock, random }) => {
      const survivor = await authors({ store, clock, random }).merge(OPERATOR, author, into);
      context.out(
        context.json
          ? jsonLine({ merged: author, into: survivor.id, uuid: survivor.uuid })
          : `Author ${printable(author)} is author ${survivor.id} (${nameOf(survivor)}) from now on; "arkstone jobs" shows how far the items are.\n`,
      );
    }),
});

function limitOf(text: string | undefined): number {
  const limit = Number(text ?? PAIRS);
  if (Number.isInteger(limit) && limit >= 1 && limit <= PAIRS_MAX) return limit;
  throw new UsageError(
    `--limit must be a number from 1 to ${PAIRS_MAX}, not ${text}`,
    'See "arkstone author duplicates --help"',
  );
}

const line = ({ one, other, reasons }: Likeness): string =>
  `${one.id}\t${nameOf(one)}\t${other.id}\t${nameOf(other)}\t${reasons.map(({ kind, value }) => `${kind}: ${printable(value)}`).join("; ")}\n`;

const duplicates = command({
  name: "author duplicates",
  summary: "List pairs of authors who are likely one person, and why",
  options: { limit: { type: "string", value: "N", help: `Pairs shown (default ${PAIRS})` } },
  details: `
Two authors are a pair where they have one identifier, or one name in the normal form of searches and an affiliation or a co-author in common. Names
that more than 200 authors have are passed over, and items with more than 50 authors make nobody co-authors.`,
  examples: ["arkstone author duplicates", "arkstone author duplicates --limit 20 --json"],
  run: (context, { limit }) =>
    withRepository(context, async ({ store }) => {
      let found = 0;
      for await (const pair of likelyPairs(store.authors, limitOf(limit))) {
        found += 1;
        const { one, other, reasons } = pair;
        context.out(
          context.json
            ? jsonLine({
                one: { id: one.id, name: nameOf(one) },
                other: { id: other.id, name: nameOf(other) },
                reasons,
              })
            : line(pair),
        );
      }
      if (!context.json)
        context.err(found === 0 ? "No pair\n" : `${plural(found, "pair")}; "arkstone author merge" makes one of two\n`);
    }),
});

export const authorCommands: readonly Command[] = [merge, duplicates];
