// The files that src/main/openapi/openapi.ts generates. None is in git: `up`, `build`, `check` and `bun test` write them.
import { BUNDLED_SCRIPTS } from "../pages/page-scripts.ts";

export const DOCUMENTS = [
  "openapi-minter.json",
  "openapi-resolver.json",
  "openapi.json",
  // Everything that the repository answers, pages too: the tests hold every answer to it.
  "openapi-repository.json",
  // What it serves: the interfaces for programs, with every example, for readers and generators.
  "openapi-programs.json",
] as const;
export type DocumentName = (typeof DOCUMENTS)[number];

export const assetUrl = (name: DocumentName): URL => new URL(`../../assets/${name}`, import.meta.url);

/** The modules of the client that are generated, and the descriptions that they are written from. */
export const CLIENT_MODULES = { "names.ts": "openapi.json", "repository.ts": "openapi-programs.json" } as const;
export const clientUrl = (name: string): URL => new URL(`../../../client/generated/${name}`, import.meta.url);

/** Every file that is generated. */
export const GENERATED: readonly URL[] = [
  ...DOCUMENTS.map(assetUrl),
  BUNDLED_SCRIPTS,
  ...Object.keys(CLIENT_MODULES).map((name) => clientUrl(name)),
];
