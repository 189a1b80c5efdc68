// Form values out of canonical metadata and back, and what an item type asks of an item (R4a).
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { SHIPPED_ITEM_TYPES } from "../../../src/assets/item-types/index.ts";
import { lostFields, lostValues, missingRequired, validateItem } from "../../../src/model/item-types/checks.ts";
import { type Field, holdsValue, ownValues } from "../../../src/model/item-types/definition.ts";
import { fromForm } from "../../../src/model/item-types/from-form.ts";
import { pathWithoutIndices } from "../../../src/model/item-types/metadata-path.ts";
import { readItemType } from "../../../src/model/item-types/read-definition.ts";
import { toForm } from "../../../src/model/item-types/to-form.ts";
import { EMPTY_METADATA, type Metadata } from "../../../src/model/metadata/metadata.ts";
import { isMetadata, METADATA_MEMBERS, memberProblem } from "../../../src/model/metadata/metadata-schema.ts";
import { ARTICLE, anyMetadata, FILES, FULL, SIMPLE } from "./support.ts";

const TITLE = "item_1617186331708";
const CREATOR = "item_1617186419668";

/** Every path of a group with a value, rows 0 and 1 of what repeats. */
function pathsOf(field: Field, around: string): readonly (readonly [string, Field])[] {
  const path = `${around}${field.key ?? ""}`;
  if (field.kind !== null) return holdsValue(field) ? [[path, field]] : [];
  const rows = field.repeatable ? ["[0]", "[1]"] : [""];
  return rows.flatMap((row) => field.fields.flatMap((each) => pathsOf(each, `${path}${row}.`)));
}

describe("toForm() and fromForm()", () => {
  test("R4 an article comes back whole from the full type's form, with its files and its day", () => {
    const back = fromForm(toForm(ARTICLE, FULL, FILES, "2024-04-01"), FULL);
    expect(back).toEqual({ metadata: ARTICLE, files: FILES, openDate: "2024-04-01", notes: [] });
    expect(lostValues(ARTICLE, FULL, FILES)).toEqual([]);
  });

  test("R4 a value is under the key of its field, by row", () => {
    const values = toForm(ARTICLE, FULL);
    expect(values[`${TITLE}[1].subitem_1551255647225`]).toBe("University libraries in Japan");
    expect(values[`${CREATOR}[0].familyNames[1].familyName`]).toBe("Yamada");
    expect(values["item_1617258105262.resourcetype"]).toBe("journal article");
  });

  test("R3 a second title in another language is a translated title, one in the same language is not", () => {
    const titles = fromForm(
      {
        [`${TITLE}[0].subitem_1551255647225`]: "A",
        [`${TITLE}[1].subitem_1551255647225`]: "B",
        [`${TITLE}[1].subitem_1551255648112`]: "ja",
      },
      FULL,
    ).metadata.titles;
    expect(titles).toEqual([
      { kind: "main", value: "A" },
      { kind: "translated", value: "B", lang: "ja" },
    ]);
  });

  test("R4 names, family names and given names of one language are one name, wherever their rows are", () => {
    const { creators } = fromForm(
      {
        [`${CREATOR}[0].creatorNames[0].creatorName`]: "山田太郎",
        [`${CREATOR}[0].creatorNames[0].creatorNameLang`]: "ja",
        [`${CREATOR}[0].creatorNames[1].creatorName`]: "Yamada Taro",
        [`${CREATOR}[0].creatorNames[1].creatorNameLang`]: "en",
        [`${CREATOR}[0].familyNames[0].familyName`]: "Yamada",
        [`${CREATOR}[0].familyNames[0].familyNameLang`]: "en",
        // A row whose element is of another language keeps that element; what has no language goes to it.
        [`${CREATOR}[1].creatorNames[0].creatorName`]: "鈴木花子",
        [`${CREATOR}[1].creatorNames[0].creatorNameLang`]: "ja",
        [`${CREATOR}[1].familyNames[0].familyName`]: "Suzuki",
        [`${CREATOR}[1].familyNames[0].familyNameLang`]: "en",
        [`${CREATOR}[1].givenNames[0].givenName`]: "花子",
      },
      FULL,
    ).metadata;
    expect(creators.map(({ names }) => names)).toEqual([
      [
        { full: "山田太郎", lang: "ja" },
        { full: "Yamada Taro", lang: "en", family: "Yamada" },
      ],
      [
        { full: "鈴木花子", lang: "ja", given: "花子" },
        { family: "Suzuki", lang: "en" },
      ],
    ]);
  });

  test("R4a groups 24 to 29 and group 30 are in containers that remember which they came from", () => {
    const { containers } = fromForm(
      { "item_1617186959569.subitem_1551256328147": "1", "item_1617187056579.bibliographicVolumeNumber": "2" },
      FULL,
    ).metadata;
    expect(containers.map(({ place, volume }) => ({ place, volume }))).toEqual([
      { place: "flat", volume: "1" },
      { place: "grouped", volume: "2" },
    ]);
  });

  test("R4a a property without a metadata path is kept in custom, under the type's id and the property path", () => {
    const values = { "note[0].text": "on the shelf", "note[1].internal": "Z 12" };
    const { metadata } = fromForm(values, SIMPLE);
    expect(metadata.custom).toEqual({ "2:note[0].text": "on the shelf", "2:note[1].internal": "Z 12" });
    expect(toForm(metadata, SIMPLE)).toEqual(values);
    expect(toForm(metadata, FULL)).toEqual({});
  });

  test("R4a a group of a point that holds such a value alone makes no point", () => {
    const label = { en: "Here", ja: "ここ" };
    const note = { key: "note", label, kind: "text" };
    const latitude = { key: "latitude", label, kind: "text", place: "latitude" };
    const here = readItemType({
      ...{ format: "arkstone-item-type-1", id: 3, version: 1, name: label },
      groups: [
        {
          ...{ key: "place", label, repeatable: true, place: "locations" },
          fields: [{ key: "point", label, place: "point", fields: [latitude, note] }],
        },
      ],
    });
    const made = (values: Readonly<Record<string, string>>) => fromForm(values, here).metadata;
    expect(made({ "place[0].point.note": "by the sea" })).toEqual({
      ...EMPTY_METADATA,
      custom: { "3:place[0].point.note": "by the sea" },
    });
    expect(made({ "place[0].point.latitude": "35" }).locations).toMatchObject([
      { point: { latitude: "35", longitude: "" } },
    ]);
  });

  test("R4a such values come with the labels they are shown under; those of another type or of no field do not", () => {
    const custom = {
      "2:note[1].internal": "Z 12",
      "1:note[0].text": "x",
      "2:note[0].gone": "y",
      "2:title[0].title": "z",
    };
    expect(ownValues({ ...EMPTY_METADATA, custom }, SIMPLE)).toEqual([
      {
        path: "note[1].internal",
        group: { en: "Note", ja: "備考" },
        field: { en: "Shelf mark", ja: "請求記号" },
        row: 1,
        value: "Z 12",
      },
    ]);
  });

  test("R2d access roles of files are read as access facts; open_restricted reads as closed", () => {
    const roles = ["open_access", "open_date", "open_login", "open_no", "open_restricted"];
    const values = Object.fromEntries(
      roles.flatMap((role, index) => [
        [`item_1617605131499[${index}].filename`, `${role}.pdf`],
        [`item_1617605131499[${index}].accessrole`, role],
      ]),
    );
    expect(fromForm(values, FULL).files.map((file) => file.access)).toEqual([
      "open",
      "date",
      "login",
      "closed",
      "closed",
    ]);
  });

  test("R4 choices marked as out of use are read and written as what they mean", () => {
    const { metadata } = fromForm(
      {
        "item_1617186819068.subitem_identifier_reg_type": "PMID【現在不使用】",
        "item_1617186819068.subitem_identifier_reg_text": "1",
      },
      FULL,
    );
    expect(metadata.registration).toEqual({ scheme: "PMID", value: "1" });
    expect(toForm(metadata, FULL)["item_1617186819068.subitem_identifier_reg_type"]).toBe("PMID【現在不使用】");
  });

  test("R4 what has no meaning by itself, is not a choice or has no field is left out and reported", () => {
    const { metadata, notes } = fromForm(
      {
        [`${TITLE}[0].subitem_1551255648112`]: "ja",
        "item_1617186702042[0].subitem_1551255818386": "klingon",
        "item_9[0].x": "y",
        [`${TITLE}[0]`]: "a group",
      },
      FULL,
    );
    expect(metadata).toEqual(EMPTY_METADATA);
    expect(notes).toEqual([
      'item_9[0].x is not a field of this item type: "y" was left out',
      `${TITLE}[0] is not a field of this item type: "a group" was left out`,
      'item_1617186702042[0].subitem_1551255818386 "klingon" is not one of its choices and was left out',
      'titles: {"lang":"ja"} has no meaning by itself and was left out',
    ]);
  });

  test("R4a property: whatever the metadata, every value a form shows comes back, and nothing is noted", () => {
    for (const type of [FULL, SIMPLE]) {
      fc.assert(
        fc.property(anyMetadata, (metadata) => {
          const values = toForm(metadata, type, FILES, "2024-01-01");
          const back = fromForm(values, type);
          expect(toForm(back.metadata, type, back.files, back.openDate)).toEqual(values);
          expect(back.notes).toEqual([]);
        }),
        { numRuns: 100 },
      );
    }
  });

  test("R4 property: whatever a form holds, what comes of it is canonical metadata", () => {
    for (const type of [FULL, SIMPLE]) {
      const fields = type.groups.filter((group) => !group.system).flatMap((group) => pathsOf(group, ""));
      const entry = fc.constantFrom(...fields).chain(([path, field]) => {
        const value =
          field.choices.length > 0 ? fc.constantFrom(...field.choices.map((choice) => choice.value)) : fc.string();
        return fc.tuple(
          fc.constant(path),
          fc.oneof({ weight: 4, arbitrary: value }, { weight: 1, arbitrary: fc.string() }),
        );
      });
      fc.assert(
        fc.property(fc.array(entry, { maxLength: 60 }), (entries) => {
          const { metadata } = fromForm(Object.fromEntries(entries), type);
          for (const name of METADATA_MEMBERS) {
            const value = metadata[name];
            expect(value === undefined ? null : memberProblem(name, value)).toBe(null);
          }
          expect(isMetadata(metadata)).toBe(true);
        }),
        { numRuns: 100 },
      );
    }
  });

  test("R3 property: a form that was not changed changes nothing of the metadata, shown or not", () => {
    for (const type of [FULL, SIMPLE]) {
      fc.assert(
        fc.property(anyMetadata, (metadata) => {
          expect(fromForm(toForm(metadata, type), type, metadata).metadata).toEqual(metadata);
        }),
        { numRuns: 50 },
      );
    }
  });

  test("R3 with what was there before, a changed title leaves everything the form cannot show", () => {
    const linked: Metadata = {
      ...ARTICLE,
      creators: ARTICLE.creators.map((creator) => ({ ...creator, authorId: 7 })),
      copyright: "© 2024",
      sizes: [{ value: "3 boxes" }],
      custom: { ...ARTICLE.custom, "svc:names": ["x"] },
    };
    const values = { ...toForm(linked, FULL), [`${TITLE}[0].subitem_1551255647225`]: "新しい題" };
    const { metadata } = fromForm(values, FULL, linked);
    expect(metadata.titles[0]?.value).toBe("新しい題");
    expect({ ...metadata, titles: [] }).toEqual({ ...linked, titles: [] });
  });

  test("R4a without it the form decides everything: what it cannot show is gone, and lostValues() lists it", () => {
    const rich: Metadata = {
      ...ARTICLE,
      languages: ["jpn", "deu"],
      sizes: [{ value: "3 boxes" }],
      identifiers: [...ARTICLE.identifiers, { scheme: "ISBN", value: "978-4-00-000000-0" }],
    };
    expect(lostValues(rich, FULL)).toEqual([
      { path: "languages[1]", value: "deu" },
      { path: "identifiers[1].scheme", value: "ISBN" },
      { path: "identifiers[1].value", value: "978-4-00-000000-0" },
      { path: "sizes[0].value", value: "3 boxes" },
    ]);
    expect(fromForm(toForm(rich, FULL), FULL).metadata.identifiers).toEqual(ARTICLE.identifiers);
  });

  test("R3 a record of the tools, with the id of a type and a publication date alone, shows a label and the date Issued", () => {
    const record: Metadata = {
      ...EMPTY_METADATA,
      type: { id: "dataset" },
      titles: [{ kind: "main", value: "Numbers" }],
      publicationDate: "2024-05",
    };
    const values = toForm(record, FULL);
    expect(values["item_1617258105262.resourcetype"]).toBe("dataset");
    expect(values["item_1617186660861[0].subitem_1522300722591"]).toBe("2024-05");
    expect(missingRequired(record, FULL)).toEqual([]);
    expect(lostValues(record, FULL)).toEqual([]);
  });
});

describe("a resource type whose label the item type does not offer", () => {
  const shown = (type: Metadata["type"]): unknown => {
    const values = toForm({ ...EMPTY_METADATA, type }, FULL);
    return [values["item_1617258105262.resourcetype"], values["item_1617258105262.resourceuri"]];
  };

  test("R4 is shown under the label that has its address, else its id", () => {
    expect(shown({ id: "publication-other", label: "conference output" })).toEqual([
      "conference object",
      "http://purl.org/coar/resource_type/c_c94f",
    ]);
    expect(shown({ id: "publication-journal", label: "journal" })).toEqual([
      "periodical",
      "http://purl.org/coar/resource_type/c_2659",
    ]);
    // Two of unknown kinds are not of the same kind.
    expect(shown({ id: "other", label: "poem" })).toEqual([undefined, undefined]);
  });

  test("R4a its own label counts as lost then", () => {
    const journal: Metadata = { ...ARTICLE, type: { id: "publication-journal", label: "journal" } };
    expect(lostValues(journal, FULL)).toEqual([{ path: "type.label", value: "journal" }]);
  });
});

describe("checks", () => {
  test("message 11 names the required fields that are empty; the day only when it is asked for", () => {
    expect(missingRequired(EMPTY_METADATA, FULL)).toEqual(["Title", "Resource Type"]);
    expect(missingRequired(EMPTY_METADATA, FULL, [], null)).toEqual(["PubDate", "Title", "Resource Type"]);
    expect(missingRequired(ARTICLE, FULL, FILES, "2024-04-01")).toEqual([]);
    const named = { ...ARTICLE, type: { id: "other", uri: "http://purl.org/coar/resource_type/c_1843" } };
    expect(missingRequired(named, SIMPLE)).toEqual([]);
  });

  test("message 11 a required field is filled by a value outside its choices too: choices are another question", () => {
    expect(missingRequired({ ...ARTICLE, type: { id: "publication-journal", label: "journal" } }, FULL)).toEqual([]);
  });

  test("message 11 values that are not a choice or a day are named with their field", () => {
    const problems = validateItem(
      {
        pubdate: "2024-02-30",
        [`${TITLE}[0].subitem_1551255648112`]: "jp",
        "item_1617187056579.bibliographicIssueDates.bibliographicIssueDateType": "Created",
        "item_1617605131499[0].accessrole": "open_restricted",
      },
      FULL,
    );
    expect(problems.map(({ path, value }) => [path, value])).toEqual([
      ["pubdate", "2024-02-30"],
      [`${TITLE}[0].subitem_1551255648112`, "jp"],
      ["item_1617187056579.bibliographicIssueDates.bibliographicIssueDateType", "Created"],
    ]);
    expect(problems[1]?.problem).toContain("is not one of the choices (ja, ja-Kana,");
  });

  test("R4a lostFields() lists the fields a new version would take away, by their paths and labels", () => {
    const copy = structuredClone(SHIPPED_ITEM_TYPES[1]) as { groups: { key: string }[]; roCrate?: object };
    delete copy.roCrate;
    copy.groups = copy.groups.filter((group) => group.key !== "funding" && group.key !== "note");
    const after = readItemType(copy);
    const gone = lostFields(SIMPLE, after);
    expect(gone.map(({ path }) => path)).toEqual([
      "funding.names.name",
      "funding.names.lang",
      "funding.award",
      "note.text",
      "note.internal",
    ]);
    const held = new Set(Object.keys(toForm(ARTICLE, SIMPLE)).map(pathWithoutIndices));
    expect(gone.flatMap(({ path, label }) => (held.has(path) ? [label] : []))).toEqual([
      "Funding.Funder.Funder",
      "Funding.Funder.Language",
      "Funding.Award number",
    ]);
    expect(lostFields(after, SIMPLE)).toEqual([]);
  });

  test("R4a a lost field whose key has its own index is known by the values of forms", () => {
    const nothing = { ...SIMPLE, groups: [] };
    const lost = new Set(lostFields(SIMPLE, nothing).map(({ path }) => path));
    const held = Object.keys(toForm(ARTICLE, SIMPLE, FILES)).filter((path) => path.includes("date[0].dateValue"));
    expect(held).toHaveLength(1);
    expect(held.every((path) => lost.has(pathWithoutIndices(path)))).toBe(true);
  });
});
