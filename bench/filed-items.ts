// Items as benches file them, past the service: half of them in an index, all public, in Japanese and English.
import { openRepositoryStore } from "../db/repository/store.ts";
import { systemClock } from "../src/adapters/clock.ts";
import { platformRandom } from "../src/adapters/random.ts";
import { SETUP_STEPS } from "../src/main/repository/repository.ts";
import type { Metadata } from "../src/model/metadata/metadata.ts";
import { setUpRepository } from "../src/repository/administration/repository-setup.ts";
import { ARTICLE, agentOf } from "../test/support/cited-items.ts";
import { fileItems, prepareItems, rawDatabase } from "../test/support/filed-items.ts";
import { benchRecord } from "./search-documents.ts";

/** The number of the first of them. */
export const FIRST = 1_000;
const ROWS = 200;
/** Journals in which they appeared. */
const JOURNALS = 500;

function metadataOf(number: number): Metadata {
  const { title, people, description, subjects } = benchRecord(number);
  const [creator] = ARTICLE.creators;
  return {
    ...ARTICLE,
    titles: [{ value: title, kind: "main" }],
    creators: people.map((full) => ({
      ...(creator ?? agentOf({})),
      names: [{ full }],
    })),
    descriptions: [{ value: description, kind: "Abstract", html: false }],
    subjects: subjects.map((value) => ({ text: { value } })),
    identifiers: [],
    containers: ARTICLE.containers.map((each) => ({
      ...each,
      titles: [{ value: `Journal of Information Studies ${number % JOURNALS}`, lang: "en" }],
    })),
  };
}

/** Inserts `count` items into a database that is made with them. */
export async function fileBenchItems(url: string, count: number): Promise<void> {
  const store = await openRepositoryStore({ url });
  const random = platformRandom();
  await setUpRepository({ store, clock: systemClock, random, steps: SETUP_STEPS, administrator: false });
  // Only types with a mapping to RO-Crate are searched.
  const type = (await store.settings.itemTypes()).find(({ definition }) =>
    JSON.stringify(definition).includes('"roCrate":{'),
  );
  await store.close();
  if (type === undefined) throw new Error("No item type has a mapping");
  const { sql, close } = await rawDatabase(url);
  await prepareItems(sql);
  await fileItems(sql, FIRST, count, (n) => (n % 2 === 0 ? [1] : []));
  await sql(`update item set item_type_id = ${type.id}, item_type_version = ${type.version}`);
  for (let from = 1; from <= count; from += ROWS) {
    const numbers = Array.from({ length: Math.min(ROWS, count - from + 1) }, (_, at) => from + at);
    const rows = numbers.map(
      (number) => `(${FIRST + number - 1}, '${JSON.stringify(metadataOf(number)).replaceAll("'", "''")}')`,
    );
    await sql(`with made (id, metadata) as (values ${rows.join(", ")})
      update item set metadata = (select metadata from made where made.id = item.id)
        where id between ${FIRST + from - 1} and ${FIRST + from + ROWS - 2}`);
  }
  await close();
  await summarise(url, count);
}

/** Summaries as published items have them: otherwise a repository writes them during the measurement. */
async function summarise(url: string, count: number): Promise<void> {
  const store = await openRepositoryStore({ url });
  for (let from = 0; from < count; from += ROWS) {
    const ids = Array.from({ length: Math.min(ROWS, count - from) }, (_, at) => FIRST + from + at);
    await store.transact((tx) => tx.items.renewSummaries(ids));
  }
  await store.close();
}
