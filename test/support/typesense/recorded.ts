// The recorded exchanges of a real Typesense 29.0 server outside the project, in an order in which they can be run
// again.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

export const RECORDED = join(
  process.env.ARKSTONE_SHARED ?? join(import.meta.dirname, "..", "..", "..", "..", "shared"),
  "data",
  "typesense",
  "v29",
);
export const isRecorded = existsSync(RECORDED);

export type Exchange = {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly search: string;
    readonly headers: { readonly [name: string]: string };
    readonly auth: boolean;
    readonly body: unknown;
  };
  readonly response: {
    readonly status: number;
    readonly headers?: { readonly [name: string]: string };
    readonly text: string;
  };
};

/**
 * Where the index names two exchanges the wrong way round: the answers show that the second was run before the first.
 */
const RUN_BEFORE: readonly (readonly [later: string, earlier: string])[] = [
  ["document.delete-weird-id", "document.get-weird-id"],
  ["delete.one-missing.404", "delete.one"],
  ["alias.get", "alias.upsert"],
  ["alias.delete-missing.404", "alias.delete"],
  ["key.list", "key.create-search-only"],
];

export function recordedExchanges(): Exchange[] {
  const index: readonly { readonly name: string }[] = JSON.parse(readFileSync(join(RECORDED, "index.json"), "utf8"));
  const names = index.map(({ name }) => name);
  for (const [later, earlier] of RUN_BEFORE) {
    names.splice(names.indexOf(earlier), 1);
    names.splice(names.indexOf(later), 0, earlier);
  }
  return names.map((name) => JSON.parse(readFileSync(join(RECORDED, `${name}.json`), "utf8")));
}
