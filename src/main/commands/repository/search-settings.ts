// `arkstone facet` and `arkstone search-field`: what searches count, and what their parameters look into (R27;
// specification 3, rules 4, 5, 8).
import { withoutUndefined } from "../../../shared/objects.ts";
import { jsonLine } from "../../process/terminal.ts";
import { type Command, command } from "../command.ts";
import { UsageError } from "../refusals.ts";
import { listCommand, numberOption, readJsonFile, showRecord, wordsOf } from "./records.ts";
import { OPERATOR, withRepository } from "./repository-context.ts";

const SOURCES_HELP =
  "Places of the metadata (subjects.text.value), or fields of an item type (30001:item_17.subitem_3)";

const FACET_OPTIONS = {
  ja: { type: "string", value: "TEXT", help: "Its name in Japanese" },
  from: { type: "string", value: "SOURCE,SOURCE", help: SOURCES_HELP },
  display: { type: "string", value: "KIND", help: "checkboxes (default) or select" },
  shown: { type: "string", value: "N", help: "Values shown before somebody asks for more (default 5)" },
  position: { type: "string", value: "N", help: "Its place among the facets, from 1" },
  folded: { type: "boolean", help: "The page shows it folded" },
  unfolded: { type: "boolean", help: "The page shows it unfolded" },
} as const;

type FacetOptions = {
  readonly [option in Exclude<keyof typeof FACET_OPTIONS, "folded" | "unfolded">]: string | undefined;
} & { readonly folded: boolean; readonly unfolded: boolean };

function facetMembers(given: FacetOptions) {
  const number = (option: "shown" | "position") =>
    given[option] === undefined ? undefined : numberOption(option, given[option]);
  return withoutUndefined({
    sources: wordsOf(given.from),
    display: given.display,
    shown: number("shown"),
    position: number("position"),
    open: given.folded ? false : given.unfolded ? true : undefined,
  });
}

const facetAdd = command({
  name: "facet add",
  summary: "Add a facet: its values are counted over every search",
  words: ["NAME"],
  options: FACET_OPTIONS,
  details: "NAME is its name in English, and the parameter of GET /api/v1/records that chooses its values.",
  examples: ["arkstone facet add Funder --ja 助成機関 --from funding.funder.names.value"],
  run: (context, given, [name = ""]) =>
    withRepository(context, async ({ admin }) => {
      const members = { name: { en: name, ja: given.ja ?? name }, ...facetMembers(given) };
      showRecord(context, await admin.facets.create(OPERATOR, members));
    }),
});

const facetSet = command({
  name: "facet set",
  summary: "Change a facet, or switch it off and on",
  words: ["ID"],
  options: {
    en: { type: "string", value: "TEXT", help: "Its name in English, which is its parameter" },
    ...FACET_OPTIONS,
    off: { type: "boolean", help: "Is neither counted nor a parameter" },
    on: { type: "boolean", help: "Is counted again" },
  },
  examples: ["arkstone facet set 7 --off", "arkstone facet set 3 --position 1"],
  run: (context, given, [id = ""]) =>
    withRepository(context, async ({ admin }) => {
      const before = await admin.facets.read(id);
      const names = withoutUndefined({ en: given.en, ja: given.ja });
      const name = Object.keys(names).length === 0 ? undefined : { ...Object(before.name), ...names };
      const active = given.off ? false : given.on ? true : undefined;
      const members = { ...facetMembers(given), ...withoutUndefined({ name, active }) };
      showRecord(context, await admin.facets.update(OPERATOR, id, members));
    }),
});

const facetRemove = command({
  name: "facet remove",
  summary: "Remove a facet",
  words: ["ID"],
  examples: ["arkstone facet remove 8"],
  run: (context, _given, [id = ""]) =>
    withRepository(context, async ({ admin }) => {
      await admin.facets.remove(OPERATOR, id);
      context.out(context.json ? jsonLine({ id: Number(id), removed: true }) : `Removed facet ${id}.\n`);
    }),
});

const facetList = listCommand(
  "facet list",
  "List the facets",
  ({ admin }) => admin.facets.list(),
  ["id", "name", "sources", "active", "position"],
  "No facet",
);

const facetShow = command({
  name: "facet show",
  summary: "Show a facet",
  words: ["ID"],
  examples: ["arkstone facet show 1 --json"],
  run: (context, _given, [id = ""]) =>
    withRepository(context, async ({ admin }) => showRecord(context, await admin.facets.read(id))),
});

const fieldList = listCommand(
  "search-field list",
  "List the free fields and the lists of choices of the search",
  async ({ admin }) =>
    (await admin.searchFields.list()).map((field) => ({
      ...field,
      values: "choices" in field ? field.choices.length : field.sources,
    })),
  ["id", "kind", "values"],
  "No search field",
);

const fieldShow = command({
  name: "search-field show",
  summary: "Show what a parameter of the search looks into, or its choices",
  words: ["NAME"],
  examples: ["arkstone search-field show text1", "arkstone search-field show license --json"],
  run: (context, _given, [name = ""]) =>
    withRepository(context, async ({ admin }) => showRecord(context, await admin.searchFields.read(name))),
});

const fieldSet = command({
  name: "search-field set",
  summary: "Set what a free field looks into, or what a list of choices offers",
  words: ["NAME"],
  options: {
    from: { type: "string", value: "SOURCE,SOURCE", help: SOURCES_HELP },
    choices: { type: "string", value: "FILE", help: "JSON: [{value, label: {en, ja}, means: [...] or null}]" },
  },
  details:
    "Free fields: text1 to text10, integer_range1 to 5, float_range1 to 5, date_range1 to 5 (--from). Lists: sbjscheme, fd_attr, id_attr, type, lang, version, license (--choices). The search index is rebuilt while the old one answers.",
  examples: [
    "arkstone search-field set text1 --from conferences.names.value",
    "arkstone search-field set license --choices licenses.json",
  ],
  run: (context, given, [name = ""]) =>
    withRepository(context, async ({ admin }) => {
      const choices = given.choices === undefined ? undefined : await readJsonFile(context, given.choices);
      const members = withoutUndefined({ sources: wordsOf(given.from), choices });
      if (Object.keys(members).length === 0) {
        throw new UsageError("--from or --choices is missing", 'See "arkstone search-field set --help"');
      }
      showRecord(context, await admin.searchFields.update(OPERATOR, name, members));
    }),
});

const fieldReset = command({
  name: "search-field reset",
  summary: "Make a search field what it was at the beginning",
  words: ["NAME"],
  examples: ["arkstone search-field reset text1"],
  run: (context, _given, [name = ""]) =>
    withRepository(context, async ({ admin }) => {
      await admin.searchFields.remove(OPERATOR, name);
      showRecord(context, await admin.searchFields.read(name));
    }),
});

export const searchSettingCommands: readonly Command[] = [
  ...[facetList, facetShow, facetAdd, facetSet, facetRemove],
  ...[fieldList, fieldShow, fieldSet, fieldReset],
];
