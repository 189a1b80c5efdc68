// Licences by the names this repository's vocabulary gives them (R6a, R19a): shipped, reworded and local ones.
import type { ItemContent } from "../../model/items/item.ts";
import { licenseAddress, licenseIdOf } from "../../model/metadata/licenses.ts";
import type { RepositoryStore } from "../store/store.ts";
import type { VocabularyEntry } from "../store/vocabularies.ts";

type NamedLicense = {
  readonly names: { readonly en: string; readonly ja: string };
  /** The address of the licence's text; null if unknown. */
  readonly href: string | null;
};

/** The licence with this id or address; null for any other text. */
export type Licenses = (written: string | undefined) => NamedLicense | null;

const plain = (address: string): string => address.trim().toLowerCase().replace(/\/$/, "");

/** The licences of an item, as the vocabulary has them; only those that it names are read. */
export async function licensesOf(
  { communities }: RepositoryStore,
  { metadata, files }: ItemContent,
): Promise<Licenses> {
  const written = [
    ...metadata.rights.flatMap(({ id, uri }) => [id ?? [], uri ?? []].flat()),
    ...files.flatMap(({ license }) => license ?? []),
  ];
  const ids = new Set(written.map((each) => licenseIdOf(each) ?? each));
  const addresses = [...new Set(written)].filter((each) => /^https?:/i.test(each) && licenseIdOf(each) === null);
  if (ids.size === 0) return () => null;
  const [named, found] = await Promise.all([
    communities.vocabularyEntries([...ids].map((id) => ({ type: "licenses", id }))),
    communities.licensesAt(addresses),
  ]);
  return licensesIn([...named, ...found]);
}

function licensesIn(entries: readonly VocabularyEntry[]): Licenses {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const byAddress = new Map(
    entries.flatMap((entry) => (entry.props.url === undefined ? [] : [[plain(entry.props.url), entry]])),
  );
  return (written) => {
    if (written === undefined) return null;
    const found = byId.get(written) ?? byId.get(licenseIdOf(written) ?? "") ?? byAddress.get(plain(written));
    if (found === undefined) return null;
    return { names: found.title, href: found.props.url ?? licenseAddress(found.id) };
  };
}
