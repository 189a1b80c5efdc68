// The browser and the system behind a User-Agent header, in a few words: enough to recognise a session by, and nothing
// else is kept of it.

/** Longest header that is read. */
const READ_MAX = 500;

/** The first that fits counts: browsers name the ones before them, too. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
  [/\bcurl\//, "curl"],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:iPhone|iPad)\b/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

/** Such as `Firefox, Linux`; null where neither is known. */
export function agentWords(header: string | null): string | null {
  const read = (header ?? "").slice(0, READ_MAX);
  const found = [BROWSERS, SYSTEMS].flatMap((table) => {
    const [, name] = table.find(([pattern]) => pattern.test(read)) ?? [];
    return name === undefined ? [] : [name];
  });
  return found.length === 0 ? null : found.join(", ");
}
