// Property paths as forms, spreadsheets and mappings write them (R4a): the place of a value in the form of an item
// type.

/**
 * A property path without any index, `a.b` for `a[0].b`: those of rows, and the one a few keys (`date[0].dateValue`)
 * carry themselves.
 */
export function pathWithoutIndices(path: string): string {
  return path.includes("[") ? path.replace(/\[\d+\]/g, "") : path;
}
