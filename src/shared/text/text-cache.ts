// Texts that were made and are asked for again, the ones used last, up to a limit of memory. A cache that nobody uses
// for a while is emptied: a process at rest keeps no texts.

export interface TextCache {
  get(key: string): string | undefined;
  set(key: string, text: string): void;
}

type CachedText = { readonly text: string; readonly bytes: number };

/** A cache without use is emptied after this time, or after up to twice of it. */
const IDLE_MS = 10_000;

export function keptTexts(bytesAtMost: number, idleMs: number = IDLE_MS): TextCache {
  // A Map keeps the order in which keys were put in: the first is the one that was not asked for longest.
  const texts = new Map<string, CachedText>();
  let held = 0;
  let timer: ReturnType<typeof setInterval> | null = null;
  let isUsed = false;
  const emptyWhenIdle = (): void => {
    if (!isUsed) {
      texts.clear();
      held = 0;
      if (timer !== null) clearInterval(timer);
      timer = null;
    }
    isUsed = false;
  };
  const drop = (key: string): void => {
    held -= texts.get(key)?.bytes ?? 0;
    texts.delete(key);
  };
  return {
    get(key) {
      isUsed = true;
      const kept = texts.get(key);
      if (kept === undefined) return undefined;
      texts.delete(key);
      texts.set(key, kept);
      return kept.text;
    },
    set(key, text) {
      isUsed = true;
      drop(key);
      const bytes = bytesOf(text);
      if (bytes > bytesAtMost) return;
      texts.set(key, { text, bytes });
      held += bytes;
      if (timer === null) {
        timer = setInterval(emptyWhenIdle, idleMs);
        // A process that has nothing else to do may end.
        timer.unref();
      }
      for (const oldest of texts.keys()) {
        if (held <= bytesAtMost) break;
        drop(oldest);
      }
    },
  };
}

/** A character beyond Latin-1 makes every character of its text take two bytes. */
const bytesOf = (text: string): number => (/[^\0-\xff]/.test(text) ? text.length * 2 : text.length);
