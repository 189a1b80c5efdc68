// The form of a draft from an item type, and back (src/model/item-types/form-*.ts, posted-form.ts; R4, R40): both shipped
// types, whatever the metadata.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { FormValues, ItemTypeDefinition } from "../../../src/model/item-types/definition.ts";
import { recordFaults, requiredFaults } from "../../../src/model/item-types/form-faults.ts";
import { withPeople } from "../../../src/model/item-types/form-people.ts";
import { type RowsChange, treeJson, treeOf, valuesOf, withRows } from "../../../src/model/item-types/form-tree.ts";
import { type FieldEntry, type FormEntry, formView } from "../../../src/model/item-types/form-view.ts";
import { fromForm, fromFormInParts } from "../../../src/model/item-types/from-form.ts";
import { readPostedForm, readPostedFormInParts, storedTexts } from "../../../src/model/item-types/posted-form.ts";
import { readItemType } from "../../../src/model/item-types/read-definition.ts";
import { toForm, toFormInParts } from "../../../src/model/item-types/to-form.ts";
import { EMPTY_METADATA, type Metadata } from "../../../src/model/metadata/metadata.ts";
import { differencesInParts } from "../../../src/shared/json/three-way-merge.ts";
import { LIMITS } from "../../../src/shared/limits.ts";
import type { InParts } from "../../../src/shared/time/event-loop.ts";
import { cpuMs } from "../../support/cpu-time.ts";
import { ARTICLE, anyMetadata, FULL, SIMPLE } from "./support.ts";

const TYPES = [FULL, SIMPLE];

const fieldsOf = (entries: readonly FormEntry[]): readonly FieldEntry[] =>
  entries.flatMap((entry) => (entry.kind === "field" ? [entry] : entry.rows.flatMap(fieldsOf)));

/** What a browser sends of the form of this metadata. */
const posted = (metadata: Metadata, type: ItemTypeDefinition): Map<string, string> =>
  new Map(
    fieldsOf(formView(type, treeOf(toForm(metadata, type), type))).map(({ name, value, input }) => [
      name,
      input === "text" ? value.replaceAll(/\r\n|\r|\n/g, "\r\n") : value.replaceAll(/[\r\n]/g, " "),
    ]),
  );

/** The form of this metadata, sent with these changes, read over it. */
function sentBack(metadata: Metadata, type: ItemTypeDefinition, changes: Readonly<Record<string, string>> = {}) {
  const fields = posted(metadata, type);
  for (const [name, value] of Object.entries(changes)) fields.set(name, value);
  const { tree, ...read } = readPostedForm(fields, type, storedTexts(toForm(metadata, type), type));
  return { ...read, tree, metadata: fromForm(valuesOf(tree), type, metadata).metadata };
}

describe("a form that is sent", () => {
  test("P.110: without a change nothing is changed, whatever the metadata and whatever the form cannot show", () => {
    fc.assert(
      fc.property(fc.constantFrom(...TYPES), anyMetadata, (type, metadata) => {
        const { metadata: back, faults } = sentBack(metadata, type);
        expect(faults).toEqual([]);
        expect(back).toEqual(metadata);
      }),
    );
    for (const type of TYPES) expect(sentBack(ARTICLE, type).metadata).toEqual(ARTICLE);
  });

  test("P.110: values with line breaks and spaces that no field can hold come back as they are", () => {
    const odd: Metadata = {
      ...ARTICLE,
      titles: [{ value: " Two\nlines\t ", lang: "en", kind: "main" }],
      dates: [{ type: "Created", date: "1998/2001" }],
      descriptions: [{ kind: "Abstract", value: "a\r\nb", lang: "en", html: false }],
      custom: { "1:removed_field": "kept", "2:removed": { deep: [1] }, "9:other": "kept" },
    };
    for (const type of TYPES) expect(sentBack(odd, type).metadata).toEqual(odd);
  });

  test("P.111: an edited entry keeps what the form cannot show of it, and the others stay as they are", () => {
    const [creator] = ARTICLE.creators;
    if (creator === undefined) throw new Error("The article has a creator");
    const linked: Metadata = { ...ARTICLE, creators: [{ ...creator, authorId: 7, kind: "personal" }] };
    const { metadata } = sentBack(linked, SIMPLE, {
      "creator.0.names.0.name": "山田, 花子",
      "title.0.title": "日本の図書館",
    });
    const [edited] = metadata.creators;
    expect(edited).toMatchObject({ authorId: 7, kind: "personal", emails: ["taro@example.org"] });
    expect(edited?.names[0]?.full).toBe("山田, 花子");
    expect(edited?.names[1]).toEqual(creator.names[1] as never);
    expect(metadata.titles.map(({ value }) => value)).toEqual([
      "日本の図書館",
      "University libraries in Japan",
      "図書館の一年",
    ]);
    const { titles: _, creators: __, ...rest } = metadata;
    const { titles: ___, creators: ____, ...before } = linked;
    expect(rest).toEqual(before);
  });

  test("P.111: entries are added, removed and moved, also inside of entries", () => {
    const tree = treeOf(toForm(ARTICLE, SIMPLE), SIMPLE);
    const apply = (group: string, change: RowsChange) => {
      const next = withRows(tree, SIMPLE, group, change);
      return next === null ? null : fromForm(valuesOf(next), SIMPLE, ARTICLE).metadata;
    };
    const names = (metadata: Metadata | null) => metadata?.creators[0]?.names.map(({ full }) => full);
    expect(names(apply("creator.0.names", (rows) => rows.toReversed()))).toEqual(["Yamada, Taro", "山田, 太郎"]);
    expect(names(apply("creator.0.names", (rows) => rows.slice(1)))).toEqual(["Yamada, Taro"]);
    expect(apply("creator", () => [])?.creators).toEqual([]);
    // An empty row is shown and means nothing.
    const more = withRows(tree, SIMPLE, "title", (rows, blank) => [...rows, blank]);
    if (more === null) throw new Error("Titles can be added");
    const shown = fieldsOf(formView(SIMPLE, more)).filter(({ name }) => name.startsWith("title."));
    expect(shown.map(({ name, value }) => [name, value])).toContainEqual(["title.2.title", ""]);
    expect(fromForm(valuesOf(more), SIMPLE, ARTICLE).metadata).toEqual(ARTICLE);
    for (const group of ["title.0", "nothing", "resource_type", "title.0.title", "creator.x.names", "__proto__"]) {
      expect([group, apply(group, (rows) => rows)]).toEqual([group, null]);
    }
    expect(names(apply("creator.7.names", () => []))).toEqual(["山田, 太郎", "Yamada, Taro"]);
  });

  test("P.112: dates are stored in one form, and the page can show how they were understood", () => {
    const { metadata, understood, faults } = sentBack(EMPTY_METADATA, SIMPLE, {
      "date.0.type": "Issued",
      "date.0.date": "令和６年３月",
    });
    expect([metadata.dates, faults]).toEqual([[{ type: "Issued", date: "2024-03" }], []]);
    expect([...understood]).toEqual([
      ["date.0.date", { en: "Understood as March 2024 (Reiwa 6)", ja: "2024年3月（令和6年）と読み取りました" }],
    ]);
  });

  const FAULTS: readonly (readonly [string, readonly (readonly [string, string])[], string | null, string])[] = [
    ["an unknown field", [["nothing.0.title", "x"]], null, 'The form has no field "nothing.0.title"'],
    ["a group for a field", [["title.0", "x"]], null, 'The form has no field "title.0"'],
    ["a row without number", [["title.title", "x"]], null, 'The form has no field "title.title"'],
    ["a number above the limit", [["title.10000.title", "x"]], null, 'The form has no field "title.10000.title"'],
    ["a number with a zero before it", [["title.00.title", "x"]], null, 'The form has no field "title.00.title"'],
    ["a name of the language", [["__proto__", "x"]], null, 'The form has no field "__proto__"'],
    [
      "one field twice",
      [
        ["title.0.title", "x"],
        ["title.0.title", "y"],
      ],
      "title.0.title",
      "This field was sent twice",
    ],
    [
      "another encoding",
      [["title.0.title", "\uFFFD"]],
      "title.0.title",
      "Some characters could not be read. The form must be sent as UTF-8",
    ],
    [
      "half a character",
      [["title.0.title", "a\uD800"]],
      "title.0.title",
      "Some characters could not be read. The form must be sent as UTF-8",
    ],
    ["NUL", [["title.0.title", "a\u0000b"]], "title.0.title", "Control characters are not allowed"],
    ["another choice", [["title.0.lang", "klingon"]], "title.0.lang", "Choose one of the listed values"],
    [
      "a date with two readings",
      [["date.0.date", "03/04/2024"]],
      "date.0.date",
      "This can be 3 April 2024 or 4 March 2024. Write 2024-04-03 or 2024-03-04",
    ],
    [
      "a text that is too long",
      [["title.0.title", "x".repeat(1_048_577)]],
      "title.0.title",
      "At most 1048576 characters are allowed",
    ],
  ];
  for (const [what, entries, name, en] of FAULTS) {
    test(`P.113: ${what} is a fault at its field, in both languages, and what was typed stays`, () => {
      const { tree, faults } = readPostedForm(entries, SIMPLE);
      expect(faults).toEqual([{ name, words: { en, ja: expect.stringMatching(/[ぁ-ん]/) } }]);
      const shown = new Map(fieldsOf(formView(SIMPLE, tree)).map((field) => [field.name, field.value]));
      const [first] = entries;
      if (name !== null && first !== undefined) expect(shown.get(name)).toBe(first[1]);
    });
  }

  test("P.113: a whole day is needed where the item type has a day", () => {
    const type = readItemType({
      ...{ format: "arkstone-item-type-1", id: 9, version: 1, name: { en: "T", ja: "T" } },
      groups: [{ key: "day", label: { en: "Day", ja: "日" }, kind: "day", place: "degree.granted" }],
    });
    const wrong = { name: "day", words: { en: "A whole day is needed, such as 2024-03-25", ja: expect.any(String) } };
    expect(readPostedForm([["day", "2024-03"]], type).faults).toEqual([wrong]);
    expect(fromForm(valuesOf(readPostedForm([["day", "R6.3.1"]], type).tree), type).metadata.degree?.granted).toBe(
      "2024-03-01",
    );
  });

  test("P.113: 10,000 entries are read; one field more than the limit is reported; numbers left out make no rows", async () => {
    const many = Array.from({ length: 10_000 }, (_, at): [string, string] => [`subject.${at}.text`, `word ${at}`]);
    const spent = await cpuMs(() => {
      const { tree, faults } = readPostedForm(many, SIMPLE);
      expect(faults).toEqual([]);
      expect(fromForm(valuesOf(tree), SIMPLE).metadata.subjects).toHaveLength(10_000);
      expect(fieldsOf(formView(SIMPLE, tree)).length).toBeGreaterThan(20_000);
    });
    expect(spent).toBeLessThan(2_000);
    const limit = LIMITS.draftFormFields.most;
    const more = Array.from({ length: limit + 5 }, (_, at): [string, string] => [`nothing.${at}`, "x"]);
    const { faults } = readPostedForm(more, SIMPLE);
    expect(faults).toHaveLength(LIMITS.recordFaults.most);
    const sparse = readPostedForm([["subject.9999.text", "last"]], SIMPLE);
    const words = fieldsOf(formView(SIMPLE, sparse.tree)).filter(({ name }) => name.startsWith("subject."));
    expect(words.map(({ name }) => name)).toEqual(["subject.0.text", "subject.0.lang"]);
  });

  test("P.113: whatever is sent, what becomes of it is canonical metadata", () => {
    const names = fieldsOf(formView(SIMPLE, new Map())).map(({ name }) => name);
    const name = fc.oneof(fc.constantFrom(...names), fc.string());
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.string()), { maxLength: 30 }), (entries) => {
        const { tree } = readPostedForm(entries, SIMPLE, storedTexts(toForm(ARTICLE, SIMPLE), SIMPLE));
        expect(Object.keys(fromForm(valuesOf(tree), SIMPLE, ARTICLE).metadata)).toContain("titles");
      }),
    );
  });
});

test("P.115: a name with a comma is that of a person, in its parts; an edited one is read again, others stay", () => {
  const [creator] = ARTICLE.creators;
  if (creator === undefined) throw new Error("The article has a creator");
  const read = (fields: Readonly<Record<string, string>>, type: ItemTypeDefinition, previous = EMPTY_METADATA) =>
    withPeople(fromForm(fields, type, previous).metadata, previous, type).creators;
  const entered = read(
    { "creator[0].names[0].name": "佐藤、花子", "creator[1].names[0].name": "Example Society" },
    SIMPLE,
  );
  expect(entered.map(({ kind, names }) => [kind, names])).toEqual([
    ["personal", [{ full: "佐藤、花子", family: "佐藤", given: "花子" }]],
    ["organizational", [{ full: "Example Society" }]],
  ]);
  const shown = toForm(ARTICLE, SIMPLE);
  const edited = read({ ...shown, "creator[0].names[0].name": "佐藤, 花子" }, SIMPLE, ARTICLE);
  expect(edited[0]?.names[0]).toEqual({ full: "佐藤, 花子", family: "佐藤", given: "花子", lang: "ja" });
  expect(read(shown, SIMPLE, ARTICLE)).toEqual(ARTICLE.creators);
  // The full type asks for the parts.
  const parts = {
    "item_1617186419668[0].familyNames[0].familyName": "Doe",
    "item_1617186419668[0].creatorNames[0].creatorName": "A. Doe",
  };
  expect(read(parts, FULL)[0]).toMatchObject({ kind: "personal", names: [{ full: "A. Doe", family: "Doe" }] });
});

describe("what is wrong with a draft", () => {
  const namesOf = (type: ItemTypeDefinition, metadata: Metadata) =>
    requiredFaults(type, treeOf(toForm(metadata, type), type)).map(({ name }) => name);

  test("P.114: required fields that are empty are named at their control, in the words of the interface", () => {
    expect(namesOf(SIMPLE, EMPTY_METADATA)).toEqual(["title.0.title", "resource_type.label"]);
    expect(namesOf(SIMPLE, ARTICLE)).toEqual([]);
    const half: Metadata = { ...ARTICLE, titles: [{ value: "", lang: "en", kind: "main" }] };
    expect(namesOf(SIMPLE, half)).toEqual(["title.0.title"]);
    const [fault] = requiredFaults(FULL, new Map());
    expect(fault).toEqual({
      name: "item_1617186331708.0.subitem_1551255647225",
      words: { en: "Missing data for required field.", ja: "必須の項目が入力されていません。" },
    });
  });

  test("P.114: every fault of the records interface leads to the control that it is about", () => {
    const missing = ["Missing data for required field."];
    const errors = [
      { field: "metadata.resource_type", messages: missing },
      { field: "metadata.creators", messages: missing },
      { field: "metadata.title", messages: ["Shorter than minimum length 3."] },
      { field: "metadata.creators.1.person_or_org.name", messages: ["Something else."] },
      { field: "metadata.constructor", messages: missing },
      { field: "files.enabled", messages: ["Missing uploaded files. To disable files …"] },
    ];
    const found = recordFaults(errors, SIMPLE);
    expect(found.map(({ name }) => name)).toEqual([
      "resource_type.label",
      "creator.0.names.0.name",
      "title.0.title",
      "creator.1.names.0.name",
      null,
      null,
    ]);
    expect(found[2]?.words).toEqual({ en: "Shorter than minimum length 3.", ja: "3文字以上で入力してください。" });
    expect(found[3]?.words).toEqual({ en: "Something else.", ja: "Something else." });
  });
});

describe("formView()", () => {
  test("P.109: every group of both types is in it, in order, with labels in both languages", () => {
    for (const type of TYPES) {
      const view = formView(type, new Map());
      expect(view.length).toBe(type.groups.filter(({ system, key }) => !system && key !== "pubdate").length - 1);
      for (const entry of view) expect([entry.name, entry.label.en, entry.label.ja ?? ""]).not.toContain("");
    }
  });

  test("P.109: a field has its name, value, choices, help, and the language of its value", () => {
    const [title] = formView(SIMPLE, treeOf(toForm(ARTICLE, SIMPLE), SIMPLE));
    if (title?.kind !== "group") throw new Error("Titles are a group");
    expect([title.name, title.repeats, title.isRequired, title.isFilled, title.rows.length]).toEqual([
      ...["title", true, true, true, 2],
    ]);
    const [text, lang] = title.rows[1] ?? [];
    expect(text).toMatchObject({ name: "title.1.title", lang: "en", input: "line", isRequired: true });
    expect(lang).toMatchObject({ name: "title.1.lang", value: "en", input: "choice", isLanguage: true, lang: null });
    const fields = fieldsOf(formView(SIMPLE, new Map()));
    const hints = new Map(fields.map(({ name, hint }) => [name, hint?.ja ?? null]));
    expect(hints.get("date.0.date")).toContain("令和6年3月1日");
    expect(hints.get("creator.0.names.0.name")).toContain("姓, 名");
    expect(hints.get("title.0.title")).toBeNull();
  });
});

test("P.139: reading, filling in and comparing a long form pauses after each of its rows", () => {
  const rows = 2_000;
  const entries = (edit: string) =>
    Array.from(
      { length: rows },
      (_, at) => [`subject.${at}.text`, `subject ${at}${at % 5 === 0 ? edit : ""}`] as const,
    );
  const counted = <T>(work: InParts<T>): readonly [parts: number, value: T] => {
    for (let parts = 1; ; parts += 1) {
      const step = work.next();
      if (step.done === true) return [parts, step.value];
    }
  };
  const [ofReading, posted] = counted(readPostedFormInParts(entries(""), SIMPLE));
  const [ofFilling, { metadata }] = counted(fromFormInParts(valuesOf(posted.storable), SIMPLE));
  const edited = valuesOf(readPostedForm(entries(" edited"), SIMPLE).storable);
  const [ofEditing, result] = counted(fromFormInParts(edited, SIMPLE, metadata));
  const [ofShowing, shown] = counted(toFormInParts(result.metadata, SIMPLE));
  expect(Object.keys(shown).length).toBe(rows);
  const json = (values: FormValues) => treeJson(treeOf(values, SIMPLE));
  const [ofComparing, differences] = counted(differencesInParts(json(toForm(metadata, SIMPLE)), json(shown)));
  expect(differences.length).toBe(rows / 5);
  for (const parts of [ofReading, ofFilling, ofEditing, ofShowing, ofComparing]) expect(parts).toBeGreaterThan(rows);
});
