// Agents of an item are linked to the author database in the transaction that publishes them (R6a, R23): by the link they carry, by a number of
// the repository's own scheme, by any other identifier that one author alone has.

import { type AgentLinks, allLinks, linkedAuthors, mapAgents, withLink } from "../../model/agents/author-links.ts";
import type { ItemContent } from "../../model/items/item.ts";
import type { LinkedAuthors } from "../store/authors.ts";
import type { RepositoryWriter } from "../store/store.ts";

/** What a revision is called that only follows an author's record: no change of an author has to come by again because of it. */
export const FOLLOWS_AUTHOR = "author";

/** The content with every agent linked to whom it means, and to nobody where that is nobody or not clear. */
export async function linkedIn(tx: RepositoryWriter, content: ItemContent): Promise<ItemContent> {
  const { ofAgents, ...sought } = allLinks(content.metadata);
  if (sought.authors.length + sought.numbers.length + sought.keys.length === 0) return content;
  const found = await tx.authors.findLinks(sought);
  const metadata = mapAgents(content.metadata, (agent) => {
    const links = ofAgents.get(agent);
    return links === undefined ? agent : withLink(agent, meant(links, found));
  });
  return metadata === content.metadata ? content : { ...content, metadata };
}

/** The plainest identification counts; identifiers of several persons identify nobody. */
function meant({ author, number, keys }: AgentLinks, found: LinkedAuthors): number | null {
  const named = (author === null ? undefined : found.authors.get(author)) ?? found.numbers.get(number ?? 0);
  if (named !== undefined) return named;
  const [first, ...others] = new Set(keys.flatMap((key) => found.keys.get(key) ?? []));
  return first === undefined || others.length > 0 ? null : first;
}

/** Applies the present authors to a written item, also where the job of a changed author has passed it already. */
export async function passAgainIn(
  tx: RepositoryWriter,
  itemId: number,
  { metadata }: ItemContent,
  action: string,
): Promise<void> {
  if (action === FOLLOWS_AUTHOR) return;
  const authors = linkedAuthors(metadata);
  if (authors.length > 0) await tx.authors.passAgain(authors, itemId);
}
