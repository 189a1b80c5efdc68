// Licences by their addresses (R3: an id when the URI is in the vocabulary, else free text). Ids are those of the
// vocabulary licenses: SPDX ids in lower case.
import { shippedProps, shippedVocabulary } from "../../assets/vocabularies/index.ts";

/**
 * Addresses under which a licence is found that the vocabulary names by another one, and those that several licences
 * share: the plain one is meant.
 */
const ADDRESSES: Readonly<Record<string, string>> = {
  "agpl-3.0-only": "https://www.gnu.org/licenses/agpl-3.0",
  "gpl-2.0-only": "https://www.gnu.org/licenses/old-licenses/gpl-2.0",
  "gpl-3.0-only": "https://www.gnu.org/licenses/gpl-3.0",
  "lgpl-3.0-only": "https://www.gnu.org/licenses/lgpl-3.0",
  "mpl-2.0": "https://www.mozilla.org/MPL/2.0",
};

/** The international licences; a ported one (`…/2.1/jp/`) is another licence and stays free text. */
const CREATIVE_COMMONS =
  /^https?:\/\/(?:www\.)?creativecommons\.org\/licenses\/(by(?:-nc)?(?:-nd|-sa)?)\/(\d\.\d)(?:\/(?:deed|legalcode)[\w.-]*)?\/?$/i;
const PUBLIC_DOMAIN =
  /^https?:\/\/(?:www\.)?creativecommons\.org\/publicdomain\/(zero|mark)\/1\.0(?:\/(?:deed|legalcode)[\w.-]*)?\/?$/i;
const CREATIVE_COMMONS_ID = /^cc-(by(?:-nc)?(?:-nd|-sa)?)-(\d\.\d)$/;

const plain = (address: string): string =>
  address
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\/(?:www\.)?/, "")
    .replace(/(?:\.html|\.txt|-license\.php)?\/?$/, "");
const byAddress = new Map([
  ...onlyAddresses(),
  ...Object.entries(ADDRESSES).map(([id, url]) => [plain(url), id] as const),
]);

/** Addresses of the vocabulary that belong to one licence only; a licence that is out of use yields to the others. */
function* onlyAddresses(): Generator<readonly [string, string]> {
  const shared = Map.groupBy(shippedVocabulary("licenses"), ({ props }) => plain(props.url ?? ""));
  for (const [url, entries] of shared) {
    const [only, ...others] = entries.filter(({ props }) => props.deprecated === undefined);
    if (only !== undefined && others.length === 0) yield [url, only.id];
  }
}

/** The licence of an address, as an id of the vocabulary; null for every other address. */
export function licenseIdOf(address: string): string | null {
  const commons = CREATIVE_COMMONS.exec(address.trim());
  if (commons?.[1] !== undefined) return `cc-${commons[1].toLowerCase()}-${commons[2]}`;
  const domain = PUBLIC_DOMAIN.exec(address.trim());
  if (domain?.[1] !== undefined) return domain[1].toLowerCase() === "zero" ? "cc0-1.0" : "cc-pdm-1.0";
  return byAddress.get(plain(address)) ?? null;
}

/** The address of a licence of the vocabulary; null for an unknown id. */
export function licenseAddress(id: string): string | null {
  const commons = CREATIVE_COMMONS_ID.exec(id);
  if (commons !== null) return `https://creativecommons.org/licenses/${commons[1]}/${commons[2]}/`;
  return shippedProps("licenses", id)?.url ?? null;
}

/** Where the licence of a right is: the address that it states, else that of its id; null without either. */
export function rightAddress({ id, uri }: { readonly id?: string; readonly uri?: string }): string | null {
  return uri ?? (id === undefined ? null : licenseAddress(id));
}
