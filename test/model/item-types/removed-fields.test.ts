// What a new version of an item type loses (R4a).
import { describe, expect, test } from "bun:test";
import { SHIPPED_ITEM_TYPES } from "../../../src/assets/item-types/index.ts";
import { lostFields } from "../../../src/model/item-types/checks.ts";
import { pathWithoutIndices } from "../../../src/model/item-types/metadata-path.ts";
import { readItemType } from "../../../src/model/item-types/read-definition.ts";

describe("fields an item type loses (R4a)", () => {
  const [full] = SHIPPED_ITEM_TYPES;
  const json = Object(full);
  const version = (change: object) => readItemType({ ...json, roCrate: undefined, ...change }, { id: 1, version: 2 });
  const before = version({});
  const [title] = before.groups.filter(({ label }) => label.en === "Title");

  test("R4a none when labels, choices and order change", () => {
    const renamed = json.groups.toReversed().map((group: object) => ({ ...group, label: { en: "Other", ja: "他" } }));
    expect(lostFields(before, version({ groups: renamed }))).toEqual([]);
  });

  test("R4a all of a group that goes, and a field whose values lie elsewhere from now on", () => {
    const groups = json.groups.filter((group: { key: string }) => group.key !== title?.key);
    expect(lostFields(before, version({ groups })).map(({ label }) => label)).toEqual([
      "Title.Title",
      "Title.Language",
    ]);
    const moved = json.groups.map((group: { key: string; place?: string }) =>
      group.key === title?.key ? { ...group, place: "titles[kind=alternative]" } : group,
    );
    expect(lostFields(before, version({ groups: moved })).length).toBe(2);
  });

  test("a path of a form value is compared without its indices", () => {
    expect(pathWithoutIndices("a[0].b[12].c")).toBe("a.b.c");
  });
});
