// Lists records that may describe the same work while a title or an identifier is typed: after a pause, never while an
// input method composes, and announced politely. Without this script the list is that of the last save.

type Found = {
  readonly title: string;
  readonly authors: readonly string[];
  readonly year: number | null;
  readonly is_draft: boolean;
  readonly reason: "identifier" | "title";
  readonly id: string;
};
type Words = Readonly<Record<"intro" | "draft" | "untitled" | Found["reason"], string>>;

const PAUSE_MS = 700;
const SHORTEST = 6;

const box = document.querySelector<HTMLElement>("#duplicates[data-words]");
const form = box?.closest("main")?.querySelector<HTMLFormElement>("form[method=post]:has([name=csrf])") ?? null;
const data = box?.dataset ?? {};
const patternsOf = (names = ""): RegExp[] =>
  names
    .split(" ")
    .filter((name) => name !== "")
    .map((name) => new RegExp(`^${name.replaceAll(".", "\\.").replaceAll("*", "\\d+")}$`));
const watched = { title: patternsOf(data.titles), identifier: patternsOf(data.identifiers) };

/** What a field is asked for as; null: it is not watched. */
const kindOf = (name: string): keyof typeof watched | null =>
  watched.title.some((each) => each.test(name))
    ? "title"
    : watched.identifier.some((each) => each.test(name))
      ? "identifier"
      : null;

let asking = new AbortController();
let waiting: ReturnType<typeof setTimeout> | undefined;
let shown = "";

async function ask(kind: keyof typeof watched, value: string): Promise<void> {
  asking.abort();
  asking = new AbortController();
  const query = new URLSearchParams({ [kind]: value });
  // The draft may have been made since the page was opened.
  const record = /\/deposit\/(\d+)$/.exec(form?.getAttribute("action") ?? "")?.[1];
  if (record !== undefined) query.set("record", record);
  const token = form?.elements.namedItem("csrf");
  try {
    const answer = await fetch(`${data.root ?? ""}/api/records/duplicates?${query}`, {
      headers: { "X-CSRFToken": token instanceof HTMLInputElement ? token.value : "" },
      signal: asking.signal,
    });
    if (!answer.ok) return;
    const { hits } = (await answer.json()) as { readonly hits: readonly Found[] };
    show(hits);
  } catch {
    // The list of the last save stays.
  }
}

function show(hits: readonly Found[]): void {
  if (box === null) return;
  // What is the same is not announced again.
  const text = JSON.stringify(hits);
  if (text === shown) return;
  shown = text;
  box.classList.toggle("note", hits.length > 0);
  const words: Words = JSON.parse(data.words ?? "{}");
  const lines = hits.map(({ id, title, authors, year, reason, is_draft: isDraft }) => {
    const link = document.createElement("a");
    link.href = `${data.root ?? ""}/records/${id}`;
    link.textContent = title === "" ? words.untitled : title;
    const facts = [...authors, ...(year === null ? [] : [`${year}`]), words[reason], ...(isDraft ? [words.draft] : [])];
    const line = document.createElement("li");
    line.append(link, ` (${facts.join(", ")})`);
    return line;
  });
  const intro = document.createElement("p");
  intro.textContent = words.intro;
  const list = document.createElement("ul");
  list.append(...lines);
  box.replaceChildren(...(hits.length === 0 ? [] : [intro, list]));
}

function note(event: Event): void {
  const { target } = event;
  if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return;
  const kind = kindOf(target.name);
  if (kind === null) return;
  clearTimeout(waiting);
  if (event instanceof InputEvent && event.isComposing) return;
  const value = target.value.trim();
  if (value.length >= SHORTEST) waiting = setTimeout(() => void ask(kind, value), PAUSE_MS);
}

form?.addEventListener("input", note);
form?.addEventListener("compositionend", note);
