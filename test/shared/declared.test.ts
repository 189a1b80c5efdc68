// Records that are declared once: what is sent, shown, kept and typed follows from the declaration (R17, R24).
import { describe, expect, test } from "bun:test";
import { membersOf, rowsAs } from "../../db/engine/record.ts";
import type { IndexNodeTable, SwordClientTable } from "../../db/engine/repository-schema.ts";
import { UsageError } from "../../src/main/commands/refusals.ts";
import { membersFrom, optionsOf } from "../../src/main/commands/repository/typed.ts";
import { INDEX_FIELDS, type IndexSettings } from "../../src/model/indexes/index-fields.ts";
import { CLIENT_SETTING, type ClientSetting } from "../../src/model/items/deposit-settings.ts";
import { EMPTY_METADATA, type Metadata } from "../../src/model/metadata/metadata.ts";
import { isMetadata, METADATA_MEMBERS, memberLabels, PLAIN_MEMBERS } from "../../src/model/metadata/metadata-schema.ts";
import { SHOWN_FIELDS, shownRow } from "../../src/repository/pages/metadata-rows.ts";
import { fieldsOf, shownFrom, startOf, valuesFrom } from "../../src/shared/declared.ts";

const CLIENT = { ...startOf(CLIENT_SETTING), mapping: 3, metaDataApi: ["DataCite"], verifyDigest: null } as const;

describe("a declared record", () => {
  test("R17 is sent under the names of its declaration, and read back by them", () => {
    const shown = shownFrom(CLIENT_SETTING, CLIENT);
    expect(Object.keys(shown)).toEqual(Object.keys(fieldsOf(CLIENT_SETTING)));
    expect(shown).toMatchObject({ registration_type_id: 1, mapping_id: 3, meta_data_api: ["DataCite"] });
    expect(valuesFrom(CLIENT_SETTING, shown)).toEqual(CLIENT);
    expect(valuesFrom(CLIENT_SETTING, { keep_incomplete: true, stranger: 1 })).toEqual({ keepIncomplete: true });
  });

  test("R17 R24 what its table keeps is what it was", () => {
    const client = rowsAs<SwordClientTable, Omit<ClientSetting, "clientId">>(membersOf(CLIENT_SETTING));
    expect(client.write(CLIENT)).toMatchObject({
      active: 1,
      mapping_id: 3,
      workflow_id: null,
      meta_data_api: '["DataCite"]',
    });
    expect(client.read(client.write(CLIENT))).toEqual(CLIENT);
    const index = rowsAs<IndexNodeTable, IndexSettings>(membersOf(INDEX_FIELDS));
    const settings = { ...startOf(INDEX_FIELDS), browsingGroup: [4, 2], publicDate: "2026-11-22", publicState: true };
    expect(index.write(settings)).toMatchObject({
      browsing_group: "4,2",
      public_date: "2026-11-22",
      public_state: 1,
    });
    expect(index.read(index.write(settings))).toEqual(settings);
    expect(index.list.split(", ")).toEqual(Object.keys(fieldsOf(INDEX_FIELDS)));
  });

  test("R17 options are taken as what is sent; a word that is none of an option's is refused", () => {
    expect(Object.keys(optionsOf(CLIENT_SETTING))).toContain("verify-digest");
    const given = { registration: "workflow", workflow: "none", active: "no", "meta-data-api": "DataCite,Crossref" };
    expect(membersFrom(CLIENT_SETTING, { ...given, "default-index": undefined })).toEqual({
      registration_type_id: 2,
      workflow_id: null,
      active: false,
      meta_data_api: ["DataCite", "Crossref"],
    });
    expect(() => membersFrom(CLIENT_SETTING, { registration: "directly" })).toThrow(UsageError);
    expect(() => membersFrom(CLIENT_SETTING, { active: "none" })).toThrow("--active must be yes or no");
  });
});

describe("members of the metadata", () => {
  test("R3 nothing stated is metadata, and every required member is there", () => {
    expect(isMetadata(EMPTY_METADATA)).toBe(true);
    expect(EMPTY_METADATA).toMatchObject({ type: null, titles: [], custom: {} });
  });

  test("R3 R19a every member with a label is a row that can be shown", () => {
    const labelled = METADATA_MEMBERS.filter((name) => Object.hasOwn(memberLabels("en"), name));
    expect(labelled.length).toBeGreaterThan(30);
    expect(Object.keys(memberLabels("ja"))).toEqual(Object.keys(memberLabels("en")));
    const reading = { tag: "en", above: { title: "", abstract: null }, part: { from: 0, most: 5 } };
    for (const name of labelled) {
      expect(SHOWN_FIELDS).toContain(name);
      expect(shownRow(EMPTY_METADATA, name, reading).values).toEqual([]);
    }
    for (const { name, kind } of PLAIN_MEMBERS.filter(({ annotations }) => annotations.label !== undefined)) {
      const value = { word: "A", texts: [{ value: "A" }], codes: ["A"], flag: true }[kind];
      const metadata: Metadata = { ...EMPTY_METADATA, [name]: value };
      expect(shownRow(metadata, name, reading).values[0]?.text).toBe(kind === "flag" ? "true" : "A");
    }
  });
});
