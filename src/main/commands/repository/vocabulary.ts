// `arkstone vocabulary`: the lists of words the repository knows (R6a).

import { parseJson } from "../../../shared/json/text.ts";
import { withoutUndefined } from "../../../shared/without-undefined.ts";
import { jsonLine } from "../../terminal.ts";
import { type Command, command } from "../command.ts";
import { UsageError } from "../refusals.ts";
import { showRecord, showRecords } from "./records.ts";
import { OPERATOR, withRepository } from "./repository-context.ts";

const list = command({
  name: "vocabulary list",
  summary: "List the vocabularies, or the entries of one",
  words: ["[TYPE]"],
  examples: ["arkstone vocabulary list", "arkstone vocabulary list licenses"],
  run: (context, _given, [type]) =>
    withRepository(context, async ({ admin: { vocabularies } }) => {
      if (type === undefined)
        return showRecords(context, await vocabularies.types(), ["type", "entries"], "No vocabulary");
      const entries = await vocabularies.list(type);
      const rows = context.json ? entries : entries.map(({ id, title }) => ({ id, en: title.en, ja: title.ja }));
      showRecords(context, rows, ["id", "en", "ja"], "No entry");
    }),
});

const set = command({
  name: "vocabulary set",
  summary: "Add an entry to a vocabulary, or change one",
  words: ["TYPE", "ID"],
  options: {
    en: { type: "string", value: "TEXT", help: "Its title in English" },
    ja: { type: "string", value: "TEXT", help: "Its title in Japanese" },
    props: { type: "string", value: "JSON", help: 'What else is known of it, such as {"url":"https://example.org/"}' },
  },
  examples: [
    'arkstone vocabulary set licenses house-1 --en "House licence" --ja 館内利用 --props \'{"url":"https://example.org/"}\'',
  ],
  run: (context, given, [type = "", id = ""]) =>
    withRepository(context, async ({ admin: { vocabularies } }) => {
      const known = (await vocabularies.types()).some((each) => each.type === type)
        ? (await vocabularies.list(type)).find((entry) => entry.id === id)
        : undefined;
      const en = given.en ?? known?.title.en ?? given.ja;
      if (en === undefined) throw new UsageError("--en is missing", 'See "arkstone vocabulary set --help"');
      const title = { en, ja: given.ja ?? known?.title.ja ?? en };
      showRecord(
        context,
        await vocabularies.save(OPERATOR, type, id, withoutUndefined({ title, props: propsOf(given.props) })),
      );
    }),
});

function propsOf(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return parseJson(text);
  } catch {
    throw new UsageError(`--props must be a JSON object, not ${text.slice(0, 100)}`, "");
  }
}

const remove = command({
  name: "vocabulary remove",
  summary: "Remove an entry that was added here",
  words: ["TYPE", "ID"],
  details:
    "Items that name it keep it as it is written. Entries the program brings along stay; their titles can be changed.",
  examples: ["arkstone vocabulary remove licenses house-1"],
  run: (context, _given, [type = "", id = ""]) =>
    withRepository(context, async ({ admin: { vocabularies } }) => {
      await vocabularies.remove(OPERATOR, type, id);
      context.out(context.json ? jsonLine({ type, id, removed: true }) : `Removed ${id} from ${type}.\n`);
    }),
});

export const vocabularyCommands: readonly Command[] = [list, set, remove];
