// Texts that were made and are asked for again, the ones used last, up to so many octets of memory.

export interface KeptTexts {
  get(key: string): string | undefined;
  set(key: string, text: string): void;
}

type Kept = { readonly text: string; readonly octets: number };

export function keptTexts(octetsAtMost: number): KeptTexts {
  // A Map keeps the order in which keys were put in: the first is the one that was not asked for longest.
  const texts = new Map<string, Kept>();
  let held = 0;
  const drop = (key: string): void => {
    held -= texts.get(key)?.octets ?? 0;
    texts.delete(key);
  };
  return {
    get(key) {
      const kept = texts.get(key);
      if (kept === undefined) return undefined;
      texts.delete(key);
      texts.set(key, kept);
      return kept.text;
    },
    set(key, text) {
      drop(key);
      const octets = octetsOf(text);
      if (octets > octetsAtMost) return;
      texts.set(key, { text, octets });
      held += octets;
      for (const oldest of texts.keys()) {
        if (held <= octetsAtMost) break;
        drop(oldest);
      }
    },
  };
}

/** A character beyond Latin-1 makes every character of its text take two octets. */
const octetsOf = (text: string): number => (/[^\0-\xff]/.test(text) ? text.length * 2 : text.length);
