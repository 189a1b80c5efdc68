// What commands share that list what the repository's database holds.
import { openRepositoryStore } from "../../../../db/repository/store.ts";
import type { RepositoryStore } from "../../../repository/store/store.ts";
import { type Context, databaseRefusal, settingsOf } from "../context.ts";
import { UsageError } from "../refusals.ts";

const LIST_DEFAULT = 50;
const LIST_MAX = 1000;

/** Opens the database that is there, and closes it afterwards. */
export async function withRepositoryStore<T>(
  context: Context,
  work: (store: RepositoryStore) => Promise<T>,
): Promise<T> {
  const config = settingsOf(context);
  const { databaseUrl: url, dbPool: poolSize } = config;
  const store = await openRepositoryStore({ url, poolSize, mustExist: true }).catch((error: unknown) => {
    throw databaseRefusal(config, error);
  });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** @throws UsageError for anything but a whole number from 1 to `most`; `of`: the command that shows more with --help. */
export function wholeNumber(name: string, text: string, most: number, of: string): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= most) return number;
  throw new UsageError(
    `${name} "${text}" is not allowed: a whole number from 1 to ${most}`,
    `See "arkstone ${of} --help"`,
  );
}

/** The value of `--limit`. */
export const limitIn = (limit: string | undefined, of: string): number =>
  limit === undefined ? LIST_DEFAULT : wholeNumber("--limit", limit, LIST_MAX, of);
