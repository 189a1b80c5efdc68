// OAI-PMH, list by list: each answer of a verb, until the repository names no further one.
import type { RepositoryClient } from "./calls.ts";
import type { Operations } from "./generated/repository.ts";
import { type CallOptions, textUpTo } from "./transport.ts";

export type HarvestInput = Operations["oaiPmh"]["query"];

const ANSWER_BYTES = 256 * 1024 * 1024;
const TOKEN = /<resumptionToken[^>]*>([^<]+)<\/resumptionToken>/;

/** The XML of each answer. */
export async function* harvest(
  client: RepositoryClient,
  input: HarvestInput,
  options?: CallOptions,
): AsyncGenerator<string, void> {
  let query: HarvestInput | null = input;
  while (query !== null) {
    const xml = await textUpTo(await client.fetch("oaiPmh", { query }, options), ANSWER_BYTES);
    yield xml;
    const token = TOKEN.exec(xml)?.[1];
    query = token === undefined ? null : { verb: input.verb, resumptionToken: unescaped(token) };
  }
}

const unescaped = (text: string): string =>
  text.replace(/&(lt|gt|quot|apos|amp);/g, (_whole, name: string) => ENTITIES[name] ?? "");
const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
