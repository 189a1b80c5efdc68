// `arkstone item-type | mapping`: forms of items as data, and how linked data becomes metadata (R4, R4a, R14).

import type { RecordOutput } from "../../../repository/administration/collection.ts";
import { withoutUndefined } from "../../../shared/objects.ts";
import { jsonText } from "../../process/terminal.ts";
import { type Command, command } from "../command.ts";
import { listCommand, numberOption, readJsonFile, showRecord } from "./records.ts";
import { OPERATOR, type RepositoryServices, withRepository } from "./repository-context.ts";

const addType = command({
  name: "item-type add",
  summary: "Add an item type from a file",
  words: ["FILE"],
  details: `FILE is a definition as "arkstone item-type show ID --definition" writes one (format arkstone-item-type-1); - reads standard input.`,
  examples: ["arkstone item-type add thesis.json"],
  run: (context, _given, [file = ""]) =>
    withRepository(context, async ({ admin }) => {
      const definition = await readJsonFile(context, file);
      const { definition: _definition, ...made } = await admin.itemTypes.create(OPERATOR, { definition });
      showRecord(context, made);
    }),
});

const setType = command({
  name: "item-type set",
  summary: "Add a new version of an item type from a file, or retire it",
  words: ["ID", "[FILE]"],
  options: {
    retire: { type: "boolean", help: "No new items under this type" },
    restore: { type: "boolean", help: "New items under this type again" },
  },
  details: `
Items keep the version they were made with. A field that holds data is not removed: the refusal states in how many items. An item type that
was changed here is left alone by newer versions of the program.`,
  examples: ["arkstone item-type set 3 thesis.json", "arkstone item-type set 3 --retire"],
  run: (context, given, [id = "", file]) =>
    withRepository(context, async ({ admin }) => {
      const deleted = given.retire ? true : given.restore ? false : undefined;
      const definition = file === undefined ? undefined : await readJsonFile(context, file);
      const members = withoutUndefined({ definition, deleted });
      const { definition: _definition, ...saved } = await admin.itemTypes.update(OPERATOR, id, members);
      showRecord(context, saved);
    }),
});

const listTypes = listCommand(
  "item-type list",
  "List the item types",
  ({ admin }) => admin.itemTypes.list(),
  ["id", "version", "name", "deleted"],
  "No item type",
);

const DEFINITION = {
  definition: { type: "boolean", help: "Print the definition alone, to be changed and sent back" },
} as const;

/** The command that shows a record with its definition, or the definition alone. */
function showCommand(
  name: string,
  summary: string,
  examples: readonly string[],
  of: (admin: RepositoryServices["admin"]) => {
    readonly read: (id: string) => Promise<RecordOutput & { readonly definition: unknown }>;
  },
): Command {
  return command({
    name,
    summary,
    words: ["ID"],
    options: DEFINITION,
    examples,
    run: (context, given, [id = ""]) =>
      withRepository(context, async ({ admin }) => {
        const { definition, ...record } = await of(admin).read(id);
        if (given.definition) context.out(jsonText(definition));
        else showRecord(context, context.json ? { ...record, definition } : record);
      }),
  });
}

const showType = showCommand(
  "item-type show",
  "Show an item type, or its definition",
  ["arkstone item-type show 1", "arkstone item-type show 1 --definition > full.json"],
  (admin) => admin.itemTypes,
);

const listCrateMappings = listCommand(
  "crate-mapping list",
  "List the item types, and which have an RO-Crate mapping",
  ({ admin }) => admin.crateMappings.list(),
  ["id", "version", "name", "mapped"],
  "No item type",
);

const showCrateMapping = command({
  name: "crate-mapping show",
  summary: "Print the RO-Crate mapping of an item type, to be changed and set again",
  words: ["ID"],
  examples: ["arkstone crate-mapping show 1 > full-crate.json"],
  run: (context, _given, [id = ""]) =>
    withRepository(context, async ({ admin }) => {
      const { mapping } = await admin.crateMappings.read(id);
      context.out(jsonText(mapping));
    }),
});

const setCrateMapping = command({
  name: "crate-mapping set",
  summary: "Give an item type an RO-Crate mapping from a file",
  words: ["ID", "FILE"],
  details: `
How items of the type look in search, detail and lists; without one they are not found there. FILE is a mapping as "arkstone crate-mapping
show" writes one; - reads standard input. Every field it names must be in the item type, of which a new version is made.`,
  examples: ["arkstone crate-mapping set 3 thesis-crate.json"],
  run: (context, _given, [id = "", file = ""]) =>
    withRepository(context, async ({ admin }) => {
      const sent = { mapping: await readJsonFile(context, file) };
      const { mapping: _mapping, ...saved } = await admin.crateMappings.update(OPERATOR, id, sent);
      showRecord(context, saved);
    }),
});

const removeCrateMapping = command({
  name: "crate-mapping remove",
  summary: "Take the RO-Crate mapping of an item type away: its items are not found by programs any more",
  words: ["ID"],
  examples: ["arkstone crate-mapping remove 3"],
  run: (context, _given, [id = ""]) =>
    withRepository(context, async ({ admin }) => {
      await admin.crateMappings.remove(OPERATOR, id);
      showRecord(context, { id: Number(id), mapped: false });
    }),
});

export const itemTypeCommands: readonly Command[] = [
  ...[addType, listTypes, showType, setType],
  ...[listCrateMappings, showCrateMapping, setCrateMapping, removeCrateMapping],
];

const addMapping = command({
  name: "mapping add",
  summary: "Add a mapping definition from a file",
  words: ["NAME", "FILE"],
  options: {
    kind: { type: "string", value: "KIND", help: "ro-crate (default) or sword" },
    "item-type": { type: "string", value: "ID", help: "Item type it fills (default 1)" },
  },
  details: `FILE is a definition as "arkstone mapping show ID --definition" writes one; every place is checked against the item type.`,
  examples: ["arkstone mapping add lab-notebook notebook.json --item-type 1"],
  run: (context, given, [name = "", file = ""]) =>
    withRepository(context, async ({ admin }) => {
      const definition = await readJsonFile(context, file);
      const item_type = numberOption("item-type", given["item-type"] ?? "1");
      const members = { name, kind: given.kind ?? "ro-crate", item_type, definition };
      const { definition: _definition, ...made } = await admin.mappings.create(OPERATOR, members);
      showRecord(context, made);
    }),
});

const setMapping = command({
  name: "mapping set",
  summary: "Change a mapping definition, or retire it",
  words: ["ID", "[FILE]"],
  options: {
    name: { type: "string", value: "TEXT", help: "Its name from now on" },
    "item-type": { type: "string", value: "ID", help: "Item type it fills from now on" },
    retire: { type: "boolean", help: "Not to be used any more; refused while a client uses it" },
    restore: { type: "boolean", help: "To be used again" },
  },
  examples: ["arkstone mapping set 3 notebook.json", "arkstone mapping set 3 --retire"],
  run: (context, given, [id = "", file]) =>
    withRepository(context, async ({ admin }) => {
      const type = given["item-type"];
      const members = withoutUndefined({
        name: given.name,
        item_type: type === undefined ? undefined : numberOption("item-type", type),
        deleted: given.retire ? true : given.restore ? false : undefined,
        definition: file === undefined ? undefined : await readJsonFile(context, file),
      });
      const { definition: _definition, ...saved } = await admin.mappings.update(OPERATOR, id, members);
      showRecord(context, saved);
    }),
});

const listMappings = listCommand(
  "mapping list",
  "List the mapping definitions",
  ({ admin }) => admin.mappings.list(),
  ["id", "name", "kind", "item_type", "deleted"],
  "No mapping",
);

const showMapping = showCommand(
  "mapping show",
  "Show a mapping definition",
  ["arkstone mapping show 1 --definition > mapping.json"],
  (admin) => admin.mappings,
);

export const mappingCommands: readonly Command[] = [addMapping, listMappings, showMapping, setMapping];
