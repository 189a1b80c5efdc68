// The shipped vocabularies: complete, without doubles, and of one mind with the tables of the domain and the shipped
// item types (R6a).
import { describe, expect, test } from "bun:test";
import { SHIPPED_TYPES, shippedVocabulary } from "../../../src/assets/vocabularies/index.ts";
import { type Field, valueFields } from "../../../src/model/item-types/definition.ts";
import { licenseAddress, licenseIdOf } from "../../../src/model/metadata/licenses.ts";
import { RESOURCE_TYPE_IDS } from "../../../src/model/metadata/resource-types.ts";
import { FULL, SIMPLE } from "./support.ts";

const entries = shippedVocabulary;
const ids = (type: string): readonly string[] => entries(type).map((entry) => entry.id);
const choicesOf = (paths: readonly string[]): readonly string[] =>
  [FULL, SIMPLE]
    .flatMap((type) => type.groups.flatMap(valueFields))
    .filter((field: Field) => paths.includes(field.path))
    .flatMap((field) => field.choices.map((choice) => choice.means));

describe("the shipped vocabularies", () => {
  test("R6a have the types the interfaces name, each id once, and titles in both languages", () => {
    expect(SHIPPED_TYPES).toEqual([
      "communitytypes",
      "contributorsroles",
      "creatorsroles",
      "datetypes",
      "descriptiontypes",
      "identifierschemes",
      "languages",
      "licenses",
      "relationtypes",
      "removalreasons",
      "resourcetypes",
      "titletypes",
    ]);
    for (const type of SHIPPED_TYPES) {
      expect(new Set(ids(type)).size).toBe(ids(type).length);
      for (const { id, title } of entries(type)) {
        const inJapanese = ["languages", "licenses"].includes(type) || title.ja.trim() !== "";
        expect([id, title.en.trim() !== "", inJapanese]).toEqual([id, true, true]);
      }
    }
  });

  test("R6a removal reasons and community types are those of the specification", () => {
    expect(ids("removalreasons").join(", ")).toBe(
      "out-of-scope, copyright, disputed-authorship, duplicate, fraud, misconduct, personal-data, retracted, spam, replaced, take-down-request, test-record",
    );
    expect(ids("communitytypes").join(", ")).toBe("organization, event, topic, project");
  });

  test("R3 every resource type a label can mean is in the vocabulary", () => {
    for (const id of RESOURCE_TYPE_IDS) expect(ids("resourcetypes")).toContain(id);
  });

  test("R3 licences have the address the domain knows them by", () => {
    const found = entries("licenses").filter(({ id, props }) => {
      expect(licenseAddress(id)).toBe(props.url ?? "");
      const read = licenseIdOf(props.url ?? "");
      // An address that several licences share is read as the plain one of them, or as none.
      expect(read === null || licenseAddress(read) !== null).toBe(true);
      return read === id;
    });
    expect(found.length).toBeGreaterThan(630);
  });

  test("R4 languages and schemes that item types offer are in the vocabularies", () => {
    expect(ids("languages").length).toBeGreaterThan(200);
    for (const id of ids("languages")) expect(id).toMatch(/^[a-z]{3}$/);
    for (const id of choicesOf(["item_1617186702042.subitem_1551255818386", "language.code"])) {
      expect(ids("languages")).toContain(id);
    }
    const relation = "item_1617353299429.subitem_1522306287251.subitem_1522306382014";
    for (const id of choicesOf([relation, "related.identifier.scheme", "item_1617186920753.subitem_1522646500366"])) {
      expect(ids("identifierschemes")).toContain(id);
    }
  });

  test("R3 contributor types, date types, description types and relation types of the full type have an entry", () => {
    const jpcoar = (type: string): readonly string[] => entries(type).flatMap(({ props }) => props.jpcoar ?? []);
    const all = [
      [["item_1617349709064.contributorType"], "contributorsroles"],
      [["item_1617186660861.subitem_1522300695726"], "datetypes"],
      [["item_1617186626617.subitem_description_type"], "descriptiontypes"],
      [["item_1617353299429.subitem_1522306207484"], "relationtypes"],
    ] as const;
    for (const [paths, type] of all) for (const choice of choicesOf(paths)) expect(jpcoar(type)).toContain(choice);
  });

  test("R4 licence codes of existing repositories are read as entries of the vocabulary", () => {
    const licence = FULL.groups.flatMap(valueFields).find((field) => field.path.endsWith(".licensetype"));
    const codes = Object.entries(licence?.aliases ?? {});
    expect(codes.length).toBe(13);
    expect(codes[0]).toEqual(["license_0", "cc-by-4.0"]);
    for (const [, id] of codes) expect(ids("licenses")).toContain(id);
  });
});
