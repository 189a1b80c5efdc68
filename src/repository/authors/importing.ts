// Authors out of a file of any length (R6a): batches of rows, each one transaction with the place the file has been
// read to, so that a run that was cut off goes on where it stopped and doubles nobody. Each row is read and checked as
// the interface reads what is sent.
import { REPOSITORY_OPERATOR } from "../../auth/account.ts";
import { LOCAL, localNumber } from "../../model/agents/author.ts";
import { uuidOf } from "../../shared/hash/digests.ts";
import { isRefusal } from "../../shared/refusal.ts";
import type { Row } from "../../shared/text/text-lines.ts";
import type { Clock, Random } from "../../shared/time/clock.ts";
import type { RepositoryStore, RepositoryWriter } from "../store/store.ts";
import { choicesOf, NEW_AUTHOR, type SentAuthor } from "./author-body.ts";

type ImportNeeds = { readonly store: RepositoryStore; readonly clock: Clock; readonly random: Random };

export type AuthorIssue = { readonly line: number; readonly reason: string };
export type AuthorImport = {
  readonly rows: number;
  readonly created: number;
  readonly bad: number;
  /** The last line that is stored or reported. */
  readonly line: number;
  readonly end: "done" | "bad-rows" | "interrupted";
};

export type AuthorImportOptions = {
  /** What the file is known by: the same one goes on where it was left. */
  readonly file: string;
  readonly dryRun: boolean;
  readonly skipBad: boolean;
  readonly onIssues: (issues: readonly AuthorIssue[]) => void;
  readonly onProgress: (now: Omit<AuthorImport, "end">) => void;
  readonly isInterrupted: () => boolean | Promise<boolean>;
};

/** Rows of one transaction. */
const BATCH = 500;

class Undone extends Error {
  override readonly name = "Undone";
  readonly issues: readonly AuthorIssue[];
  constructor(issues: readonly AuthorIssue[]) {
    super("Nothing of the batch is written");
    this.issues = issues;
  }
}

/** `rows` holds records as the interface takes them, without `{"author": …}` around. */
export async function importAuthors(
  needs: ImportNeeds,
  rows: AsyncIterable<readonly Row<unknown>[]>,
  options: AuthorImportOptions,
): Promise<AuthorImport> {
  const { store } = needs;
  const choices = choicesOf(await store.authors.authorChoices());
  const done = options.dryRun ? 0 : await store.authors.importedLines(options.file);
  const now = { rows: 0, created: 0, bad: 0, line: done };
  for await (const batch of batches(rows, done)) {
    if (await options.isInterrupted()) return { ...now, end: "interrupted" };
    const issues: AuthorIssue[] = [];
    const read = batch.flatMap((row) => {
      try {
        if ("wrong" in row) throw new TypeError(row.wrong);
        return [{ line: row.line, sent: NEW_AUTHOR.read({ author: row.value }, "")(choices) }];
      } catch (error) {
        if (!(error instanceof TypeError) && !isRefusal(error, "invalid")) throw error;
        issues.push({ line: row.line, reason: error.message });
        return [];
      }
    });
    if (issues.length > 0 && !options.skipBad) {
      options.onIssues(issues);
      return { ...now, bad: issues.length, end: "bad-rows" };
    }
    const line = batch.at(-1)?.line ?? now.line;
    const refused = await writeBatch(needs, read, line, options);
    issues.push(...refused);
    options.onIssues(issues);
    if (refused.length > 0 && !options.skipBad) return { ...now, bad: refused.length, end: "bad-rows" };
    now.rows += batch.length;
    now.created += read.length - refused.length;
    now.bad += issues.length;
    now.line = line;
    options.onProgress(now);
  }
  return { ...now, end: "done" };
}

async function* batches(
  rows: AsyncIterable<readonly Row<unknown>[]>,
  done: number,
): AsyncGenerator<readonly Row<unknown>[]> {
  let batch: Row<unknown>[] = [];
  for await (const some of rows) {
    for (const row of some) {
      if (row.line <= done) continue;
      batch.push(row);
      if (batch.length < BATCH) continue;
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

type ImportRow = { readonly line: number; readonly sent: SentAuthor };

/** Writes all, or without `skipBad` nothing. Returns the rows that the database refused. */
async function writeBatch(
  needs: ImportNeeds,
  read: readonly ImportRow[],
  line: number,
  options: AuthorImportOptions,
): Promise<readonly AuthorIssue[]> {
  const refused = new Map<number, AuthorIssue>();
  for (;;) {
    const wanted = read.filter((each) => !refused.has(each.line));
    try {
      await needs.store.transact(async (tx) => {
        const issues = await writeAll(needs, tx, wanted);
        if (issues.length > 0) throw new Undone(issues);
        if (options.dryRun) throw new Undone([]);
        await tx.authors.keepImportedLines(options.file, line);
        await tx.audit(REPOSITORY_OPERATOR, needs.clock.now(), [
          { action: "author.import", subject: "authors", detail: { created: wanted.length, to_line: line } },
        ]);
      });
      return [...refused.values()];
    } catch (error) {
      if (!(error instanceof Undone)) throw error;
      if (error.issues.length === 0) return [...refused.values()];
      for (const issue of error.issues) refused.set(issue.line, issue);
      if (!options.skipBad) return [...refused.values()];
    }
  }
}

/** Numbers of the own scheme that the file brings are kept where they are nobody's; who brings none gets the next. */
async function writeAll(
  { clock, random }: ImportNeeds,
  tx: RepositoryWriter,
  read: readonly ImportRow[],
): Promise<readonly AuthorIssue[]> {
  const issues: AuthorIssue[] = [];
  const communities = new Map<string, string | null>();
  const at = clock.now();
  const brought = read.map(({ sent }) => broughtNumber(sent));
  let next = Math.max((await tx.authors.nextAuthorNumber()) - 1, ...brought.map((number) => number ?? 0));
  const authors = [];
  const lines = new Map<number, number>();
  for (const [place, { line, sent }] of read.entries()) {
    const ids: string[] = [];
    for (const name of sent.communityIds) {
      if (!communities.has(name)) communities.set(name, (await tx.communities.community(name))?.id ?? null);
      const id = communities.get(name) ?? null;
      if (id === null) issues.push({ line, reason: `Community ID(s) ${name} does not exist.` });
      else ids.push(id);
    }
    const own = brought[place] ?? null;
    if (own === null) next += 1;
    const number = own ?? next;
    // Of two lines with one number the later one is wrong.
    lines.set(number, line);
    const uuid = uuidOf(random.bytes(16));
    authors.push({ uuid, number, content: withNumber(sent, number), communities: ids, at });
  }
  if (issues.length > 0) return issues;
  const taken = await tx.authors.insertAuthors(authors);
  return taken.map((number) => ({
    line: lines.get(number) ?? 0,
    reason: `The authorId ${number} of the scheme ${LOCAL} is another author's`,
  }));
}

function broughtNumber({ content }: SentAuthor): number | null {
  const own = content.authorIdInfo.find(({ idType }) => idType === LOCAL);
  return own === undefined ? null : localNumber(own.authorId);
}

function withNumber({ content }: SentAuthor, number: number): SentAuthor["content"] {
  const own = content.authorIdInfo.find(({ idType }) => idType === LOCAL);
  const given = { idType: LOCAL, authorId: String(number), authorIdShowFlg: own?.authorIdShowFlg ?? true };
  return { ...content, authorIdInfo: [given, ...content.authorIdInfo.filter(({ idType }) => idType !== LOCAL)] };
}
