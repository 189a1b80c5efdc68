// The oracle of the search engines, held against an example that was counted by hand (R27, R28, R34).
import { expect, test } from "bun:test";
import { IndexUnavailable } from "../../../src/repository/search/index/index-port.ts";
import { openNaiveIndex } from "../../support/naive-index.ts";
import { indexDocument, SMALL_SCHEMA } from "../../support/search-documents.ts";

const POSITION = { epoch: "e1", horizon: "5" };
const ALL = { kind: "and", of: [] } as const;

test("R28: facets are counted before they are chosen; ties go by key, hits by sort and then by number, descending", async () => {
  const index = await openNaiveIndex(SMALL_SCHEMA);
  const building = await index.build();
  await building.add([
    indexDocument({
      id: 1,
      texts: { all: "図書 書館" },
      keys: { subject: ["b", "a"] },
      sorts: { updated: 3, title: "0a" },
    }),
    indexDocument({ id: 2, texts: { all: "図書" }, keys: { subject: ["a"] }, sorts: { updated: 3, title: "00" } }),
    indexDocument({ id: 3, texts: { all: "書館" }, keys: { subject: ["b"] }, sorts: { updated: 1, title: "" } }),
  ]);
  await expect(index.position()).resolves.toBeNull();
  await building.finish(POSITION);

  const query = { where: ALL, sort: [{ field: "updated", descending: true }], after: null, offset: 0, limit: 2 };
  const facets = [{ field: "subject", size: 5 }];
  const chosen = { kind: "key", field: "subject", anyOf: ["a"] } as const;
  expect(await index.query({ ...query, chosen, facets })).toEqual({
    total: 2,
    hits: [
      { sort: [3], id: 2 },
      { sort: [3], id: 1 },
    ],
    facets: [
      [
        { key: "a", label: "Label of a", count: 2 },
        { key: "b", label: "Label of b", count: 2 },
      ],
    ],
  });
  const behind = await index.query({ ...query, chosen: null, after: { sort: [3], id: 2 }, facets: [] });
  expect(behind).toEqual({
    total: 3,
    hits: [
      { sort: [3], id: 1 },
      { sort: [1], id: 3 },
    ],
    facets: [],
  });
});

test("R34: all documents of a parent are replaced together; what is not built cannot be asked", async () => {
  const index = await openNaiveIndex(SMALL_SCHEMA);
  const everything = { where: ALL, chosen: null, sort: [], after: null, offset: 0, limit: 9, facets: [] };
  await expect(index.query(everything)).rejects.toBeInstanceOf(IndexUnavailable);
  const building = await index.build();
  await building.add([
    indexDocument({ id: 1, parentId: 7 }),
    indexDocument({ id: 2, parentId: 7 }),
    indexDocument({ id: 3 }),
  ]);
  await building.finish(POSITION);
  await index.apply({ parents: [7], documents: [indexDocument({ id: 4, parentId: 7 })], position: null });
  expect((await index.query(everything)).hits.map(({ id }) => id)).toEqual([4, 3]);
  await expect(index.position()).resolves.toEqual(POSITION);
});
