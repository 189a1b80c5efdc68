// Texts that were made and are asked for again, the ones used last, up to a limit of memory.

export interface KeptTexts {
  get(key: string): string | undefined;
  set(key: string, text: string): void;
}

type CachedText = { readonly text: string; readonly bytes: number };

export function keptTexts(octetsAtMost: number): KeptTexts {
  // A Map keeps the order in which keys were put in: the first is the one that was not asked for longest.
  const texts = new Map<string, CachedText>();
  let held = 0;
  const drop = (key: string): void => {
    held -= texts.get(key)?.bytes ?? 0;
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
      const bytes = octetsOf(text);
      if (bytes > octetsAtMost) return;
      texts.set(key, { text, bytes });
      held += bytes;
      for (const oldest of texts.keys()) {
        if (held <= octetsAtMost) break;
        drop(oldest);
      }
    },
  };
}

/** A character beyond Latin-1 makes every character of its text take two bytes. */
const octetsOf = (text: string): number => (/[^\0-\xff]/.test(text) ? text.length * 2 : text.length);
