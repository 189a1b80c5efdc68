// Checks RDF/XML by the shapes of DCAT-AP (R38): each document is read by a streaming parser and held against all
// shapes that are given.
import { readFileSync } from "node:fs";
import { Parser, Store } from "n3";
import SHACLValidator from "rdf-validate-shacl";
import { RdfXmlParser } from "rdfxml-streaming-parser";
import { exportVector } from "./export-judges.ts";

/** The statements of a document. Throws the error of the parser for other texts. */
export function readRdf(document: string): Promise<Store> {
  return new Promise((resolve, reject) => {
    const store = new Store();
    const parser = new RdfXmlParser({ baseIRI: "https://base.example.org/" });
    parser.on("data", (quad) => store.addQuad(quad));
    parser.on("error", reject);
    parser.on("end", () => resolve(store));
    parser.write(document);
    parser.end();
  });
}

const shapesOf = (...files: readonly string[]): Store =>
  new Store(files.flatMap((file) => new Parser().parse(readFileSync(file, "utf8"))));

/** A judge by the shapes of DCAT-AP 3 and the classes it asks for; nothing wrong is []. */
export function dcatJudge(files = ["dcat-ap-3-shapes.ttl", "dcat-ap-3-range.ttl"].map(exportVector)) {
  const validator = new SHACLValidator(shapesOf(...files));
  return async (document: string): Promise<readonly string[]> => {
    const report = await validator.validate(await readRdf(document));
    return report.results.map(
      ({ path, focusNode, message, value }) =>
        `${focusNode?.value} ${path?.value}: ${message.map((each) => each.value).join("; ")} (${value?.value})`,
    );
  };
}
