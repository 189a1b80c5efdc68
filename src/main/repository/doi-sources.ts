// Services that know the metadata of DOIs, as far as the settings name them (R14).
import { completionSource } from "../../adapters/metadata-completion.ts";
import type { Config } from "../../config.ts";
import type { CompletionName, CompletionSource } from "../../repository/deposit/metadata-completion.ts";
import { USER_AGENT } from "../version.ts";

export function doiSources(config: Config): readonly CompletionSource[] {
  const named: readonly (readonly [CompletionName, string | null])[] = [
    ["Crossref", config.completionCrossrefUrl],
    ["DataCite", config.completionDataciteUrl],
  ];
  return named.flatMap(([name, baseUrl]) =>
    baseUrl === null ? [] : [completionSource({ name, baseUrl, userAgent: USER_AGENT })],
  );
}
