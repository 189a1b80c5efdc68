// A stream of names in key order for the bench of the table, from a seed: none is kept, so ten million cost nothing.
import { BETANUMERICS, checkCharacter } from "../src/ark/syntax.ts";
import type { TableRow } from "../src/resolver/replica.ts";

const SHOULDERS: readonly string[] = ["12345/fk4", "12345/x5", "99152/b1", "99999/z9"];
const BLADE_LENGTH = 8;
const BLADES = BETANUMERICS.length ** BLADE_LENGTH;
/** Every so-many-th name has a part below it. */
const PART_EVERY = 20;
const AT = "2026-01-01T00:00:00.000Z";

function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

function bladeOf(value: number): string {
  let blade = "";
  for (let rest = value, place = 0; place < BLADE_LENGTH; place++, rest = Math.floor(rest / BETANUMERICS.length)) {
    blade = BETANUMERICS.charAt(rest % BETANUMERICS.length) + blade;
  }
  return blade;
}

/**
 * Distinct targets of about 45 characters: three templates (a number, the name, ten random characters), every tenth
 * free-form.
 */
function targetOf(key: string, index: number, random: () => number): string {
  const kind = random() % 10;
  if (kind === 0) {
    const host = (random() % 46_656).toString(36);
    return `https://${host}.example.org/${random().toString(36)}/${random().toString(36)}${index}.html`;
  }
  if (kind <= 3) return `https://repository.example.ac.jp/items/${10_000_000 + ((index * 7_919) % 89_999_999)}`;
  if (kind <= 6) return `https://library.example.edu/view/${key.slice(6)}`;
  return `https://data.example.net/objects/${random().toString(36).padStart(7, "0")}${index.toString(36).padStart(5, "0")}`;
}

/** `count` names of four shoulders, in byte order. */
export function* tableNames(count: number): Generator<TableRow> {
  const random = generator(88_172_645);
  const perShoulder = Math.ceil(count / SHOULDERS.length);
  const step = Math.floor(BLADES / (perShoulder + 1));
  let made = 0;
  for (const shoulder of SHOULDERS) {
    for (let index = 0; index < perShoulder && made < count; index++) {
      const zone = shoulder + bladeOf(index * step + Math.floor((random() / 0x1_0000_0000) * step));
      const isPart = index % PART_EVERY === PART_EVERY - 1;
      const name = zone + checkCharacter(zone);
      yield rowOf(name, targetOf(name, made++, random));
      if (isPart && made < count) {
        index++;
        yield rowOf(`${name}/v2.pdf`, targetOf(`${name}/v2.pdf`, made++, random));
      }
    }
  }
}

function rowOf(key: string, url: string): TableRow {
  return { key, state: "published", url, publishedAt: AT, firstPublishedAt: AT, holdUntil: null };
}
