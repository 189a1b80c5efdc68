// The part of n3 that tests use; the package brings no types. Its store is the data set that validators take.
declare module "n3" {
  import type { DatasetCore, Quad } from "@rdfjs/types";

  export class Parser {
    parse(text: string): Quad[];
  }

  export interface Store extends DatasetCore {}
  export class Store {
    constructor(quads?: readonly Quad[]);
    addQuad(quad: Quad): void;
    getQuads(subject: string | null, predicate: string | null, object: string | null, graph: null): Quad[];
  }
}
