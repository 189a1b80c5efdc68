// Names and targets for the benches, from a seed: the same set in every run.

import { type ArkRecord, EMPTY_DESCRIPTION } from "../src/ark/record.ts";
import type { Store } from "../src/ark/store.ts";
import { BETANUMERICS, checkCharacter } from "../src/ark/syntax.ts";

export type Name = { readonly key: string; readonly target: string };

/**
 * `count` different names under 99999/b1 with targets of about 45 characters from three templates, every tenth
 * free-form; in no order, or in that of their keys.
 */
export function* benchNames(count: number, isInOrder = false): Generator<Name> {
  let state = 88_172_645;
  const random = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  for (let index = 0; index < count; index++) {
    // The index goes in too, so that no two names are equal.
    let blade = "";
    for (let rest = index, place = 0; place < 5; place++, rest = Math.floor(rest / 29)) {
      blade += BETANUMERICS.charAt((rest + random()) % 29);
    }
    const number = index
      .toString(29)
      .padStart(6, "0")
      .replace(/./g, (digit) => BETANUMERICS.charAt(Number.parseInt(digit, 29)));
    const zone = `99999/b1${isInOrder ? number + blade : blade + number}`;
    const key = zone + checkCharacter(zone);
    yield { key, target: target(index, key, random()) };
  }
}

function target(index: number, key: string, noise: number): string {
  const number = String(index).padStart(9, "0");
  switch (index % 10) {
    case 0:
      return `https://www.example${noise % 1000}.org/${noise.toString(36)}/${number}.html`;
    case 1:
    case 2:
    case 3:
      return `https://repository.example.org/items/${number}`;
    case 4:
    case 5:
    case 6:
      return `https://library.example.edu/view/${key.slice(6)}`;
    default:
      return `https://data.example.net/objects/${number}?view=full`;
  }
}

/** Puts names into a store as published imports, 10,000 in a transaction. */
export async function fillStore(store: Store, names: Iterable<Name>): Promise<void> {
  const at = "2026-01-01T00:00:00.000Z";
  const actor = { clientId: "bench", tier: "system", address: "" } as const;
  let rows: ArkRecord[] = [];
  const flush = async () => {
    const page = rows;
    rows = [];
    await store.transact(async (tx) => {
      await tx.insertArks(page);
      await tx.record(
        actor,
        at,
        page.map((row) => ({
          subject: "ark",
          target: row.key,
          action: "import",
          beforeUrl: "",
          afterUrl: row.url,
          fields: [],
          reason: "",
        })),
      );
    });
  };
  for (const name of names) {
    rows.push({
      ...EMPTY_DESCRIPTION,
      key: name.key,
      naan: "99999",
      shoulder: "b1",
      origin: "imported",
      organisationId: null,
      state: "published",
      url: name.target,
      createdAt: at,
      updatedAt: at,
      publishedAt: at,
      firstPublishedAt: at,
      tombstonedAt: null,
      withdrawnAt: null,
      withdrawnReason: null,
      holdUntil: null,
      holdReason: null,
    });
    if (rows.length === 10_000) await flush();
  }
  if (rows.length > 0) await flush();
}
