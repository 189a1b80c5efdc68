// What a document contains and no mapping reads (specification, processing step 9: unmapped metadata goes to a text
// area; R4a `extra`).
import type { Extra } from "../../model/metadata/metadata.ts";
import type { Json } from "../../shared/json/json.ts";
import type { JsonObject } from "../../shared/json/read.ts";
import type { Graph } from "../json-ld/graph.ts";

/** At most this many terms of one document are kept; the rest is counted in a note. */
export const MAX_EXTRA = 1_000;

type UnreadTerms = {
  readonly extra: readonly Extra[];
  readonly notes: readonly string[];
};

/** Unread terms of an entity and of everything its read terms lead to. Paths begin with the @id where there is one. */
export function unreadTerms(entity: JsonObject, graph: Graph, format: string): UnreadTerms {
  const extra: Extra[] = [];
  const reached = new Set<JsonObject>([entity]);
  const waiting: { readonly object: JsonObject; readonly path: string }[] = [{ object: entity, path: "" }];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const { object, path } = at;
    for (const [term, value] of graph.unread(object)) extra.push({ format, path: path + term, value });
    graph.markWhole(object);
    for (const link of graph.readLinks(object).toReversed()) {
      if (reached.has(link.object)) continue;
      reached.add(link.object);
      const id = link.object["@id"];
      const pathInCrate = typeof id === "string" ? `${id} ` : `${path}${link.term}[${link.index}].`;
      waiting.push({ object: link.object, path: pathInCrate });
    }
  }
  return limitTerms(extra);
}

/**
 * Entities of the graph that nothing led to, and unread terms of the root, which is not an item when the package is
 * split. `known` are entities that need not be kept. Called after unreadTerms(), which marks what it keeps.
 */
export function unreached(graph: Graph, format: string, known: ReadonlySet<Json>, root: JsonObject): UnreadTerms {
  const extra: Extra[] = graph.unread(root).map(([term, value]) => ({ format, path: `./ ${term}`, value }));
  for (const [id, entity] of graph.entities) {
    if (!graph.wasVisited(entity) && !known.has(entity)) extra.push({ format, path: `@graph ${id}`, value: entity });
  }
  return limitTerms(extra);
}

function limitTerms(extra: readonly Extra[]): UnreadTerms {
  const kept = extra.slice(0, MAX_EXTRA);
  const unknown = kept.filter(({ path }) => /(?:^|[ .])svc:[^ .]+$/.test(path)).map(({ path }) => path);
  const notes: string[] = [];
  if (unknown.length > 0) notes.push(`Unknown and kept as written: ${shownList(unknown)}`);
  const others = kept.map(({ path }) => path).filter((path) => !unknown.includes(path));
  if (others.length > 0) notes.push(`Kept as written, without a place in the metadata: ${shownList(others)}`);
  if (extra.length > kept.length) {
    notes.push(`Left out: ${extra.length - kept.length} further terms without a place in the metadata`);
  }
  return { extra: kept, notes };
}

const SHOWN = 20;

function shownList(paths: readonly string[]): string {
  const shown = paths.slice(0, SHOWN).map((path) => path.slice(0, 100));
  return paths.length > SHOWN ? `${shown.join(", ")} and ${paths.length - SHOWN} more` : shown.join(", ");
}
