// What a row of a newer list tells of a name that a restored backup does not know (A11, A51).
import { describe, expect, test } from "bun:test";
import { newerName } from "../../src/operating/newer-names-list.ts";

const BACKUP = "2026-03-01T00:00:00.000Z";
const EARLIER = "2026-02-01T00:00:00.000Z";
const publishedAt = (fields: { readonly [field: string]: unknown }) =>
  newerName({ ark: "ark:99999/b1x", ...fields }, BACKUP).firstPublishedAt;

describe("a newer list", () => {
  test("A11 a name alone was public since the backup, a reserved one never", () => {
    expect(publishedAt({})).toBe(BACKUP);
    expect(publishedAt({ state: "reserved" })).toBeNull();
    expect(publishedAt({ state: "published", published_at: EARLIER })).toBe(EARLIER);
    expect(publishedAt({ state: "published", published_at: "nonsense" })).toBe(BACKUP);
  });

  test("A51 A31a of an operator's export the first publication counts, whatever became of the name", () => {
    for (const state of ["unpublished", "tombstoned", "deleted", "purged"]) {
      expect(publishedAt({ state, published_at: null, first_published_at: EARLIER })).toBe(EARLIER);
      expect(publishedAt({ state, published_at: null, first_published_at: null })).toBeNull();
    }
  });
});
