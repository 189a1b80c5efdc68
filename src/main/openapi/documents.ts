// The interface descriptions that src/main/openapi/openapi.ts generates, as texts: they are served byte by byte. They
// are not in git: `up`, `build`, `check` and `bun test` generate them. Each is loaded when it is first requested.
import { Refusal } from "../../shared/refusal.ts";

type TextModule = { readonly default: unknown };

/** The import attribute makes a text of the file; the compiler goes by its name. */
async function textOf(module: Promise<TextModule>): Promise<string> {
  const { default: text } = await module.catch((cause: unknown) => {
    throw new Refusal("unavailable", "The interface description was not generated; run: bun run openapi", { cause });
  });
  return String(text);
}

export const minterDocument = (): Promise<string> =>
  textOf(import("../../assets/openapi-minter.json", { with: { type: "text" } }));
export const resolverDocument = (): Promise<string> =>
  textOf(import("../../assets/openapi-resolver.json", { with: { type: "text" } }));
export const repositoryDocument = (): Promise<string> =>
  textOf(import("../../assets/openapi-programs.json", { with: { type: "text" } }));
