// Links of a deposit to other items (R14, `svc:itemLinks`; specification 2, step 9): relations of its metadata, to an item of this repository by its
// landing page, to anything else by its address.

import type { DescribedItem } from "../../model/files/described-package.ts";
import type { Ident } from "../../model/metadata/metadata.ts";
import type { ItemReader } from "../store/items.ts";
import { swordRefusals } from "./messages.ts";

const ITEM_ID = /^\d{1,15}$/;

type LinkingNeeds = {
  readonly items: Pick<ItemReader, "kindOf">;
  readonly landingPage: (itemId: number) => string;
  /** Local names of the items of this package: links between them are made once they have ids. */
  readonly localIds: ReadonlySet<string>;
};

/** The item with a relation for each of its links. @throws SwordError message 11 for an item that was never there. */
export async function withItemLinks(item: DescribedItem, needs: LinkingNeeds): Promise<DescribedItem> {
  const links = (item.instructions.itemLinks ?? []).filter(({ identifier }) => !needs.localIds.has(identifier));
  if (links.length === 0) return item;
  const relations = [...item.metadata.relations];
  for (const { identifier, value: type } of links) {
    relations.push({ type, ident: await identOf(identifier.trim(), needs), titles: [] });
  }
  return { ...item, metadata: { ...item.metadata, relations } };
}

async function identOf(identifier: string, { items, landingPage }: LinkingNeeds): Promise<Ident> {
  if (!ITEM_ID.test(identifier)) return { scheme: "URI", value: identifier };
  if ((await items.kindOf(Number(identifier))) === null) {
    throw swordRefusals.itemCheck(`svc:itemLinks names item ${identifier}, which does not exist`);
  }
  return { scheme: "URI", value: landingPage(Number(identifier)) };
}
