// Texts that were made and are asked for again, the ones used last, up to so many characters.

export interface KeptTexts {
  get(key: string): string | undefined;
  set(key: string, text: string): void;
}

export function keptTexts(characters: number): KeptTexts {
  // A Map keeps the order in which keys were put in: the first is the one that was not asked for longest.
  const texts = new Map<string, string>();
  let held = 0;
  const drop = (key: string): void => {
    held -= texts.get(key)?.length ?? 0;
    texts.delete(key);
  };
  return {
    get(key) {
      const text = texts.get(key);
      if (text === undefined) return undefined;
      texts.delete(key);
      texts.set(key, text);
      return text;
    },
    set(key, text) {
      drop(key);
      if (text.length > characters) return;
      texts.set(key, text);
      held += text.length;
      for (const oldest of texts.keys()) {
        if (held <= characters) break;
        drop(oldest);
      }
    },
  };
}
