// The line of one upload on the page: name, progress, state, and its two buttons.
import type { Upload } from "../../../../client/client.ts";

/** Words of the page, in its language; `{…}` are replaced. */
export type Words = Readonly<
  Record<
    | ("drop" | "sent" | "left" | "pause" | "resume" | "cancel" | "again" | "done" | "paused" | "waiting")
    | ("failed" | "changed" | "replaced" | "tooLarge" | "tooMany" | "taken" | "name" | "ended" | "announced"),
    string
  >
>;

export const written = (words: string, values: Readonly<Record<string, string>>): string =>
  words.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);

/** A file that people chose. */
export type Line = {
  readonly file: File;
  readonly key: string;
  readonly item: HTMLElement;
  readonly bar: HTMLProgressElement;
  readonly state: HTMLElement;
  readonly buttons: Readonly<Record<"toggle" | "cancel", HTMLButtonElement>>;
  readonly samples: [ms: number, bytes: number][];
  status: "waiting" | "sending" | "paused" | "failed" | "done" | "cancelled" | "refused";
  upload: Upload | null;
  stop: AbortController;
  /** What the server has under this name was registered by this line, as far as is known. */
  isOwn: boolean;
  /** The last tenth that was announced. */
  announced: number;
};

function label(button: HTMLButtonElement, text: string, key: string): void {
  button.textContent = text;
  button.setAttribute("aria-label", `${text}: ${key}`);
}

export function newLine(
  file: File,
  key: string,
  words: Words,
  acts: Readonly<Record<"toggle" | "cancel", () => void>>,
): Line {
  const item = document.createElement("li");
  const name = document.createElement("bdi");
  name.className = "name";
  name.textContent = key;
  const bar = document.createElement("progress");
  bar.max = Math.max(1, file.size);
  bar.value = 0;
  bar.setAttribute("aria-label", key);
  const state = document.createElement("p");
  const row = document.createElement("div");
  row.className = "buttons";
  const button = (text: string, act: () => void): HTMLButtonElement => {
    const made = document.createElement("button");
    made.type = "button";
    made.className = "small";
    label(made, text, key);
    made.addEventListener("click", act);
    row.append(made);
    return made;
  };
  const buttons = { toggle: button(words.pause, acts.toggle), cancel: button(words.cancel, acts.cancel) };
  item.append(name, bar, state, row);
  const stop = new AbortController();
  return {
    ...{ file, key, item, bar, state, buttons },
    ...{ samples: [], status: "waiting", upload: null, stop, isOwn: false, announced: 0 },
  };
}

/** The state of a line in words, and which buttons it has. */
export function show({ status, state, buttons, key }: Line, words: Words, text: string): void {
  state.textContent = text;
  const isOver = status === "done" || status === "cancelled" || status === "refused";
  buttons.toggle.hidden = isOver || status === "waiting";
  buttons.cancel.hidden = isOver;
  label(buttons.toggle, status === "paused" ? words.resume : status === "failed" ? words.again : words.pause, key);
}
