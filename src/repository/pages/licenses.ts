// Licences by the names this repository's vocabulary gives them (R6a, R19a): shipped ones, reworded ones and those of the house.
import type { ItemContent } from "../model/item.ts";
import { licenseAddress, licenseIdOf } from "../model/licenses.ts";
import type { VocabularyEntry } from "../store/communities.ts";
import type { RepositoryStore } from "../store/store.ts";

type NamedLicense = {
  readonly names: { readonly en: string; readonly ja: string };
  /** Where the licence is to be read; null where nothing says it. */
  readonly href: string | null;
};

/** The licence that an id or an address stands for; null for any other text. */
export type Licenses = (written: string | undefined) => NamedLicense | null;

const plain = (address: string): string => address.trim().toLowerCase().replace(/\/$/, "");

/** What an item says of licences, as the vocabulary has it; the vocabulary is not read for an item that names none. */
export async function licensesOf(
  { communities }: RepositoryStore,
  { metadata, files }: ItemContent,
): Promise<Licenses> {
  const isNamed =
    metadata.rights.some(({ id, uri }) => id !== undefined || uri !== undefined) ||
    files.some(({ license }) => license !== undefined);
  return isNamed ? licensesIn(await communities.vocabulary("licenses")) : () => null;
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
