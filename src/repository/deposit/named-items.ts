// The items that a package names, and links to. Which items of this repository it is about (R13a, R13c; messages 12 and
// 400): it may name one by its number, its landing page or its ARK, the latter as it is or as an address where some
// resolver has it, in `.id`, `identifier`, `uri`, `svc:ark` or among its identifiers.

import { afterLabel, arkOf, splitNaan } from "../../ark/syntax.ts";
import type { DescribedItem } from "../../model/files/described-package.ts";
import type { Ident, Metadata } from "../../model/metadata/metadata.ts";
import type { ItemId } from "../../shared/ids.ts";
import type { ItemReader } from "../store/items.ts";
import { swordRefusals } from "./messages.ts";

type NamingNeeds = {
  readonly items: Pick<ItemReader, "itemsByArk">;
  readonly landingPage: (itemId: ItemId) => string;
};

export type NamedItems = {
  /** In the order in which they were found, each once. */
  readonly ids: readonly ItemId[];
  /** The texts that named them. */
  readonly texts: ReadonlySet<string>;
  /** Notes about addresses outside this repository, which are ignored. */
  readonly notes: readonly string[];
};

/** A longer text cannot name an item. */
const NAME_MAX = 2_000;
const ADDRESS_SHOWN = 200;

/** @throws SwordError message 11 for a number that is none. */
export async function namedItems(described: DescribedItem, needs: NamingNeeds): Promise<NamedItems> {
  const { id, uri, names = [] } = described.existing;
  const ids: ItemId[] = [];
  if (id !== null && id.trim() !== "") {
    if (!ITEM_NUMBER.test(id.trim())) throw swordRefusals.itemCheck(`"${id}" is not an item id`);
    ids.push(Number(id.trim()));
  }
  const written = [...(uri === null ? [] : [uri]), ...names, ...described.metadata.identifiers.flatMap(textsOf)];
  const candidates = [...new Set(written)].filter((text) => text.length <= NAME_MAX);
  const keys = new Map(candidates.flatMap((text) => withValue(text, arkKey(text))));
  const byArk = keys.size === 0 ? new Map<string, number>() : await needs.items.itemsByArk([...new Set(keys.values())]);
  const texts = new Set<string>();
  for (const text of candidates) {
    const found = itemAt(text, needs.landingPage, text === uri) ?? byArk.get(keys.get(text) ?? "");
    if (found === undefined) continue;
    texts.add(text);
    ids.push(found);
  }
  return { ids: [...new Set(ids)], texts, notes: id === null ? foreignAddress(uri, texts) : [] };
}

/** Metadata without identifiers that only name the item: the depositor did not give them as identifiers of the work. */
export function withoutNames(metadata: Metadata, { texts }: NamedItems): Metadata {
  const identifiers = metadata.identifiers.filter((ident) => !textsOf(ident).some((text) => texts.has(text)));
  return { ...metadata, identifiers };
}

function foreignAddress(uri: string | null, texts: ReadonlySet<string>): readonly string[] {
  if (uri === null || uri.trim() === "" || texts.has(uri)) return [];
  return [`The address "${uri.slice(0, ADDRESS_SHOWN)}" names no item of this repository: it was passed over.`];
}

/** An identifier as it may name an item: an ARK may lack its label where the scheme states that it is an ARK. */
function textsOf({ scheme, value, uri }: Ident): readonly string[] {
  const isBare = scheme.trim().toLowerCase() === "ark" && afterLabel(value.trim()) === null;
  return [value, ...(isBare ? [`ark:${value.trim()}`] : []), ...(uri === undefined ? [] : [uri])];
}

function withValue<T>(text: string, value: T | null): readonly (readonly [string, T])[] {
  return value === null ? [] : [[text, value]];
}

/** The key of the ARK that a text is, whatever resolver its address names; null where it is none. */
function arkKey(text: string): string | null {
  const [labelled = null] = (afterLabel(text.trim()) ?? "").split(/[?#]/);
  if (labelled === null || labelled === "" || labelled.length > ARK_MAX) return null;
  const { naan, name } = splitNaan(labelled);
  return name === null || /%(?![0-9A-Fa-f]{2})/.test(name) ? null : (arkOf(naan, name)?.key ?? null);
}

/** ARKs that the minter assigns to items are far shorter; a longer text cannot be one of them. */
const ARK_MAX = 255;
const ITEM_NUMBER = /^\d{1,15}$/;

/** A landing page, by its path; the address before the path shows whose it is. */
const LANDING_PAGE = /\/records\/(\d{1,15})\/?(?:[?#].*)?$/s;

/**
 * The item whose landing page an address is, or, where `mayBePath`, a path; undefined for what is none of this
 * repository's.
 */
function itemAt(address: string, landingPage: NamingNeeds["landingPage"], mayBePath: boolean): number | undefined {
  const [path, id] = LANDING_PAGE.exec(address.trim()) ?? [];
  if (path === undefined || id === undefined) return undefined;
  const withoutScheme = (text: string): string => text.replace(/^https?:/i, "").toLowerCase();
  const before = withoutScheme(address.trim().slice(0, -path.length));
  const own = withoutScheme(landingPage(Number(id)));
  return (mayBePath && before === "") || `${before}/records/${Number(id)}` === own ? Number(id) : undefined;
}

// Links of a deposit to other items (R14, `svc:itemLinks`; specification 2, step 9): relations of its metadata, to an
// item of this repository by its landing page, to anything else by its address.

type LinkingNeeds = {
  readonly items: Pick<ItemReader, "kindOf">;
  readonly landingPage: (itemId: ItemId) => string;
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
  if (!ITEM_NUMBER.test(identifier)) return { scheme: "URI", value: identifier };
  if ((await items.kindOf(Number(identifier))) === null) {
    throw swordRefusals.itemCheck(`svc:itemLinks names item ${identifier}, which does not exist`);
  }
  return { scheme: "URI", value: landingPage(Number(identifier)) };
}
