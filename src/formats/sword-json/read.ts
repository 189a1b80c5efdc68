// Reads `metadata/sword.json` of a SWORD BagIt package (specification "Package content rules"; R13a, R14): the metadata
// document of SWORD 3 (`dc:` and `dcterms:` terms on one object), or a JSON-LD graph of the same kind as a crate.
import type { DescribedItem } from "../../model/files/described-package.ts";
import { DocumentError } from "../../shared/document-error.ts";
import { type JsonObject, readJsonObject } from "../../shared/json/read.ts";
import { openGraph, openSingle } from "../json-ld/graph.ts";
import { type DescribeNeeds, describeItems } from "../ro-crate/describe.ts";
import { findRoot } from "../ro-crate/read.ts";
import { CRATE_FILE_NAME } from "../ro-crate/terms.ts";

const SWORD_JSON_PATH = "metadata/sword.json";
const DESCRIPTORS = ["sword.json", CRATE_FILE_NAME];
const KNOWN_TERM = /^(?:dc|dcterms|svc|wk|jpcoar|schema):.+|^http:\/\/purl\.org\/dc\/.+/;

/** As readRoCrate(); a document without `@graph` describes one item, and names no files unless it nests them. */
export function readSwordJson(bytes: Uint8Array, needs: Omit<DescribeNeeds, "format">): readonly DescribedItem[] {
  const document = readJsonObject(bytes, SWORD_JSON_PATH);
  const own: DescribeNeeds = { ...needs, format: "sword-json" };
  if (Object.hasOwn(document, "@graph")) {
    const graph = openGraph(document, SWORD_JSON_PATH, bytes.length);
    const { root, descriptors } = findRoot(graph, DESCRIPTORS, SWORD_JSON_PATH);
    return describeItems(root, graph, own, descriptors, []);
  }
  if (!isMetadataDocument(document)) {
    throw new DocumentError(
      `Cannot read ${SWORD_JSON_PATH}: it has neither an @graph nor a term of a metadata document such as "dc:title"`,
    );
  }
  return describeItems(document, openSingle(document, bytes.length), own, [], []);
}

function isMetadataDocument(document: JsonObject): boolean {
  return document["@type"] === "Metadata" || Object.keys(document).some((key) => KNOWN_TERM.test(key));
}
