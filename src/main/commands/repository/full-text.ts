// `arkstone full-text`: how many files were read for their words, which were not and why, and reading them again (R35).
import { TEXT_CATCH_UP_JOB } from "../../../repository/full-text/text-jobs.ts";
import { FULL_TEXT_JOB, RETRIED_STATES, TEXT_STATES, type TextState } from "../../../repository/store/full-text.ts";
import type { RepositoryStore } from "../../../repository/store/store.ts";
import { READER_VERSION } from "../../../repository/store/text-reading.ts";
import { jsonLine, jsonText, plural, table } from "../../process/terminal.ts";
import { showRows } from "../ark/registry-output.ts";
import { type Command, command } from "../command.ts";
import { CommandRefusal, UsageError } from "../refusals.ts";
import { withRepository } from "./repository-context.ts";

const LIST_DEFAULT = 50;
const LIST_MAX = 10_000;
/** Contents that one statement reads. */
const PAGE = 1_000;

/** What the words of an option name, separated by commas. @throws UsageError */
function statesOf(text: string | undefined, otherwise: readonly TextState[]): readonly TextState[] {
  if (text === undefined) return otherwise;
  return text.split(",").map((word) => {
    const state = TEXT_STATES.find((each) => each === word.trim());
    if (state !== undefined) return state;
    throw new UsageError(
      `--state "${text}" is not allowed: ${TEXT_STATES.join(", ")}`,
      'See "arkstone full-text --help"',
    );
  });
}

function limitOf(text: string | undefined): number {
  const limit = text === undefined ? LIST_DEFAULT : /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= LIST_MAX) return limit;
  throw new UsageError(
    `--limit "${text}" is not allowed: a whole number from 1 to ${LIST_MAX}`,
    'See "arkstone full-text list --help"',
  );
}

/** Contents that a published item names and that were never read, or by an older reader. */
async function countWaiting({ fullText }: RepositoryStore): Promise<number> {
  let waiting = 0;
  for (let after: string | null = ""; after !== null; ) {
    const page: Awaited<ReturnType<typeof fullText.lackingTexts>> = await fullText.lackingTexts(
      after,
      READER_VERSION,
      PAGE,
    );
    waiting += new Set((await fullText.textFiles(page.sha256s)).map(({ sha256 }) => sha256)).size;
    after = page.last;
  }
  return waiting;
}

const status = command({
  name: "full-text status",
  summary: "Show how many files were read for their words, how many were not and why, and how many wait",
  examples: ["arkstone full-text status", "arkstone full-text status --json"],
  details: `
Files of equal content are read once and counted once. "waiting" are those that a published item shows and that were not read yet, or by an older
version of the reader.`,
  run: (context) =>
    withRepository(context, async ({ config, store }) => {
      const found = new Map((await store.fullText.countTexts()).map(({ state, count }) => [state, count]));
      const states = Object.fromEntries(TEXT_STATES.map((state) => [state, found.get(state) ?? 0]));
      const status = { on: config.fullText, reader: READER_VERSION, waiting: await countWaiting(store), states };
      if (context.json) return context.out(jsonText(status));
      const rows = Object.entries({ waiting: status.waiting, ...states }).map(([state, count]) => [
        state,
        String(count),
      ]);
      context.out(table(["state", "files"], rows));
      if (!config.fullText) context.out("Files are not read: SVC_FULL_TEXT is off.\n");
    }),
});

const list = command({
  name: "full-text list",
  summary: "List files whose words could not be read, with the reason",
  options: {
    state: {
      type: "string",
      value: "STATES",
      help: `In these states, separated by commas (default encrypted,${RETRIED_STATES.join(",")})`,
    },
    limit: { type: "string", value: "NUMBER", help: `At most NUMBER (default ${LIST_DEFAULT})` },
  },
  examples: ["arkstone full-text list", "arkstone full-text list --state empty,unsupported --limit 1000 --json"],
  run: async (context, given) => {
    const states = statesOf(given.state, ["encrypted", ...RETRIED_STATES]);
    const limit = limitOf(given.limit);
    return await withRepository(context, async ({ store }) => {
      const rows = (await store.fullText.listTexts(states, "", limit)).map((each) => ({
        state: each.state,
        item: each.itemId,
        file: each.file,
        reason: each.reason,
        read_at: each.at,
        sha256: each.sha256,
      }));
      showRows(context, rows, ["state", "item", "file", "reason"], "There are no such files");
    });
  },
});

const retry = command({
  name: "full-text retry",
  summary: "Read files again that could not be read, with the settings of now",
  words: ["[SHA256]"],
  options: {
    state: {
      type: "string",
      value: "STATES",
      help: `Those in these states, separated by commas (default ${RETRIED_STATES.join(",")})`,
    },
  },
  examples: ["arkstone full-text retry", "arkstone full-text retry --state encrypted,empty"],
  details: `
Without SHA256 all of these states. A job finds them and has them read, some at a time; what is known of them stays until then.`,
  run: async (context, given, [sha256]) => {
    if (sha256 !== undefined && !/^[0-9a-f]{64}$/.test(sha256)) {
      throw new UsageError(
        `"${sha256}" is not a SHA-256: 64 digits and letters a to f`,
        "See arkstone full-text list --json",
      );
    }
    const states = statesOf(given.state, sha256 === undefined ? RETRIED_STATES : TEXT_STATES);
    return await withRepository(context, async ({ config, store, clock }) => {
      if (!config.fullText) throw new CommandRefusal("Files are not read: SVC_FULL_TEXT is off", "Set SVC_FULL_TEXT=1");
      const sent = await store.transact(async (tx) => {
        const count = await tx.fullText.retryTexts(states, sha256 ?? null);
        const at = clock.now();
        if (count > 0) await tx.jobs.enqueue({ kind: TEXT_CATCH_UP_JOB, subject: "", payload: "", runAt: at }, at);
        return count;
      });
      if (context.json) context.out(jsonLine({ sent_off: sent }));
      else context.out(`${plural(sent, "file")} will be read again; see arkstone jobs list --kind ${FULL_TEXT_JOB}\n`);
    });
  },
});

export const fullTextCommands: readonly Command[] = [status, list, retry];
