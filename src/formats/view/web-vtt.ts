// Captions in WebVTT (W3C WebVTT, sections 4 and 6), read and rewritten (R49): a player gets cues that this program
// wrote, with the tags it knows; styles, regions, comments and every other tag are left out.

/** A longer file is not read. */
export const CAPTION_BYTES = 2 * 1024 * 1024;
/** Further cues are left out; an hour of speech has about 1,000. */
export const CUES_MAX = 10_000;
/** Characters that are kept of one cue. */
const CUE_CHARACTERS = 2_000;
const LINES_MAX = 200_000;
const DEPTH_MAX = 16;

export type Cue = {
  readonly startMs: number;
  readonly endMs: number;
  /** Positions on the picture, as they are written after the times. */
  readonly settings: string;
  /** With the tags that are known, escaped. */
  readonly markup: string;
  /** Without tags. */
  readonly text: string;
  /** Who speaks; empty where it is not stated. */
  readonly voice: string;
};

export type Captions = { readonly cues: readonly Cue[]; readonly isCut: boolean };

/** The cues of a file; null where it is not WebVTT. What cannot be read of it is left out. */
export function readCaptions(bytes: Uint8Array): Captions | null {
  // The decoder drops a byte order mark and replaces what is not UTF-8, as players do.
  const text = new TextDecoder().decode(bytes.subarray(0, CAPTION_BYTES)).replaceAll("\0", "\uFFFD");
  if (!/^WEBVTT(?:[ \t\r\n]|$)/.test(text.slice(0, 10))) return null;
  const lines = text.replace(/\r\n?/g, "\n").split("\n", LINES_MAX);
  const cues: Cue[] = [];
  let at = 1;
  while (at < lines.length && cues.length < CUES_MAX) {
    const times = timesIn(lines[at] ?? "");
    at += 1;
    if (times === null) continue;
    const payload: string[] = [];
    for (; at < lines.length; at += 1) {
      const line = lines[at] ?? "";
      if (line === "" || line.includes("-->")) break;
      payload.push(line);
    }
    const read = readPayload(payload.join("\n").slice(0, CUE_CHARACTERS));
    if (read.text !== "") cues.push({ ...times, ...read });
  }
  const isCut = bytes.length > CAPTION_BYTES || lines.length === LINES_MAX || at < lines.length;
  return { cues, isCut };
}

const TIME = "(?:(\\d{2,4}):)?([0-5]\\d):([0-5]\\d)\\.(\\d{3})";
const TIMES = new RegExp(`^[ \\t]{0,20}${TIME}[ \\t]{0,20}-->[ \\t]{0,20}${TIME}(?:[ \\t](.{0,300}))?$`);

function timesIn(line: string): Pick<Cue, "startMs" | "endMs" | "settings"> | null {
  if (line.length > 400) return null;
  const found = TIMES.exec(line);
  if (found === null) return null;
  const [startMs, endMs] = [milliseconds(found, 1), milliseconds(found, 5)];
  return endMs < startMs ? null : { startMs, endMs, settings: settingsIn(found[9] ?? "") };
}

function milliseconds(found: RegExpExecArray, from: number): number {
  const [hours, minutes, seconds, rest] = [0, 1, 2, 3].map((each) => Number(found[from + each] ?? 0));
  return (((hours ?? 0) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0)) * 1000 + (rest ?? 0);
}

const PERCENT = "(?:100|\\d{1,2})(?:\\.\\d{1,6})?%";
const SETTING = new RegExp(
  `^(?:vertical:(?:rl|lr)|line:(?:-?\\d{1,4}|${PERCENT})(?:,(?:start|center|end))?` +
    `|position:${PERCENT}(?:,(?:line-left|center|line-right))?|size:${PERCENT}|align:(?:start|center|end|left|right))$`,
);

const settingsIn = (text: string): string =>
  text
    .split(/[ \t]/, 20)
    .filter((each) => SETTING.test(each))
    .join(" ");

/** Tags that are kept; a voice and a language keep what they name. */
const TAGS: ReadonlySet<string> = new Set(["c", "i", "b", "u", "ruby", "rt", "v", "lang"]);
const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&lrm;": "\u200E",
  "&rlm;": "\u200F",
  "&nbsp;": "\u00A0",
};

const unescaped = (text: string): string =>
  text.replace(/&(?:amp|lt|gt|lrm|rlm|nbsp);/g, (each) => ENTITIES[each] ?? "");
const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

function readPayload(payload: string): Pick<Cue, "markup" | "text" | "voice"> {
  const open: string[] = [];
  let markup = "";
  let text = "";
  let voice = "";
  let at = 0;
  while (at < payload.length) {
    const start = payload.indexOf("<", at);
    const plain = unescaped(payload.slice(at, start === -1 ? payload.length : start));
    text += plain;
    markup += escaped(plain);
    if (start === -1) break;
    const end = payload.indexOf(">", start);
    const tag = payload.slice(start + 1, end === -1 ? payload.length : end);
    at = end === -1 ? payload.length : end + 1;
    if (tag.startsWith("/")) {
      if (open.at(-1) === tag.slice(1)) markup += `</${open.pop()}>`;
      continue;
    }
    const [, name = "", named = ""] = /^([a-z]{1,4})(?:\.[^ \t\n]*)?(?:[ \t\n]([\s\S]*))?$/.exec(tag) ?? [];
    if (!TAGS.has(name) || open.length >= DEPTH_MAX) continue;
    const annotation = unescaped(named).replace(/\s+/g, " ").trim().slice(0, 100);
    if (name === "v" && voice === "") voice = annotation;
    const kept = name === "lang" && !/^[A-Za-z0-9-]{2,35}$/.test(annotation) ? "c" : name;
    markup += kept === "v" || kept === "lang" ? `<${kept} ${escaped(annotation)}>` : `<${kept}>`;
    open.push(kept);
  }
  while (open.length > 0) markup += `</${open.pop()}>`;
  return { markup, text: text.trim(), voice };
}

/** `01:02:03.004`. */
function captionTime(ms: number): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  const seconds = Math.floor(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${two(hours)}:${two(minutes)}:${two(seconds % 60)}.${String(ms % 1000).padStart(3, "0")}`;
}

/** The cues as a file. No line of a cue is empty, none has an arrow: it cannot begin another cue. */
export function writeCaptions({ cues }: Captions): string {
  const blocks = cues.map(({ startMs, endMs, settings, markup }) => {
    const lines = markup.split("\n").filter((line) => line.trim() !== "");
    return `${captionTime(startMs)} --> ${captionTime(endMs)}${settings === "" ? "" : ` ${settings}`}\n${lines.join("\n")}\n`;
  });
  return `WEBVTT\n\n${blocks.join("\n")}`;
}

const LANGUAGE = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/;

/**
 * Files of captions for a file: in the same folder, with the same name before its end, then perhaps a language, then
 * `.vtt`. By name; `lang` null where the name states none.
 */
export function captionFiles(
  name: string,
  all: readonly string[],
): readonly { readonly name: string; readonly lang: string | null }[] {
  const base = name.replace(/\.[^./]{1,10}$/, "");
  const found: { readonly name: string; readonly lang: string | null }[] = [];
  for (const each of all) {
    if (!each.startsWith(base) || !/\.vtt$/i.test(each)) continue;
    const between = each.slice(base.length, -".vtt".length);
    if (between === "") found.push({ name: each, lang: null });
    else if (between.startsWith(".") && LANGUAGE.test(between.slice(1))) {
      found.push({ name: each, lang: between.slice(1) });
    }
  }
  return found.sort((one, other) => (one.name < other.name ? -1 : 1));
}
