// Reads the crate of a package, `data/ro-crate-metadata.json` (specification "Package content rules"; RO-Crate 1.1;
// R13a, R14).
import type { DescribedItem } from "../../model/files/described-package.ts";
import { DocumentError } from "../../shared/document-error.ts";
import { isJsonObject, type JsonObject, readJsonObject } from "../../shared/json/read.ts";
import { asList, type Graph, openGraph } from "../json-ld/graph.ts";
import { type DescribeNeeds, describeItems } from "./describe.ts";
import { CRATE_FILE_NAME, CRATE_PATH, ROOT_ID } from "./terms.ts";

const CRATE_CONTEXT = /^https?:\/\/w3id\.org\/ro\/crate\/1\.\d+(?:-DRAFT)?\/context$/i;

/**
 * What a crate describes: one item, or the two parts of a split one, evidence first. `payload` holds the paths below
 * `data/`. Nothing the document names is fetched.
 *
 * @throws DocumentError for a document that is not a crate, has no root, or names a file that the package does not
 * contain.
 */
export function readRoCrate(bytes: Uint8Array, needs: Omit<DescribeNeeds, "format">): readonly DescribedItem[] {
  const document = readJsonObject(bytes, CRATE_PATH);
  const graph = openGraph(document, CRATE_PATH, bytes.length);
  const { root, descriptors } = findRoot(graph, [CRATE_FILE_NAME], CRATE_PATH);
  const notes = asList(document["@context"]).some((each) => typeof each === "string" && CRATE_CONTEXT.test(each))
    ? []
    : ["The @context is not that of RO-Crate 1.1: its terms were read as if it were"];
  return describeItems(root, graph, { ...needs, format: "ro-crate" }, descriptors, notes);
}

/** The root entity: what the entity that describes the document is about, else `./`. */
export function findRoot(
  graph: Graph,
  names: readonly string[],
  document: string,
): { readonly root: JsonObject; readonly descriptors: readonly JsonObject[] } {
  const descriptor = [...graph.entities].find(([id]) =>
    names.some((name) => id === name || id.endsWith(`/${name}`)),
  )?.[1];
  const [about] = descriptor === undefined ? [] : graph.values(descriptor, "about");
  const root = about === undefined ? graph.entities.get(ROOT_ID) : about;
  const isKnown = isJsonObject(root) && (root["@id"] === undefined || Object.keys(root).length > 1);
  if (!isKnown || root === descriptor) {
    const shown =
      about === undefined ? `neither ${names[0]} nor ${ROOT_ID} leads to one` : JSON.stringify(about).slice(0, 100);
    throw new DocumentError(`Cannot read ${document}: it has no root entity (${shown})`);
  }
  return { root, descriptors: descriptor === undefined ? [] : [descriptor] };
}
