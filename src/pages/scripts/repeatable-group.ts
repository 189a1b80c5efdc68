// Adds, removes and moves the entries of a repeatable group without asking the server (src/pages/components/groups.ts
// has the markup; without this script its buttons submit the form). What was done is announced, and the focus stays
// where the work is.

const ENTRY = ":scope > .entries > .entry";
const NUMBERED = ["name", "id", "for", "value", "aria-describedby", "aria-labelledby", "data-group"] as const;

const entriesOf = (group: HTMLElement): HTMLElement[] => [...group.querySelectorAll<HTMLElement>(ENTRY)];

/** Writes the numbers of all entries again, in names, ids and words: `creator.2.family` becomes `creator.1.family`. */
function renumber(group: HTMLElement): void {
  const { group: name = "", least = "0", most = "0" } = group.dataset;
  const entries = entriesOf(group);
  entries.forEach((entry, at) => {
    const from = entry.dataset.at ?? "";
    entry.dataset.at = `${at}`;
    const marked = `${name}.${from}`;
    for (const element of elementsIn(entry)) {
      for (const attribute of NUMBERED) {
        const written = element.getAttribute(attribute);
        // What people typed stays.
        if (written === null || (attribute === "value" && element.tagName !== "BUTTON")) continue;
        element.setAttribute(attribute, withNumber(written, marked, `${name}.${at}`));
      }
    }
    const number = entry.querySelector<HTMLElement>(":scope > fieldset > legend > .entry-number");
    if (number !== null) number.textContent = `${at + 1}`;
    for (const button of entry.querySelectorAll<HTMLButtonElement>(":scope > .entry-buttons > button")) {
      const { label = "" } = button.dataset;
      button.setAttribute("aria-label", label.replace("{n}", `${at + 1}`));
      if (button.name === "move-up") button.disabled = at === 0;
      if (button.name === "move-down") button.disabled = at === entries.length - 1;
      if (button.name === "remove") button.hidden = entries.length <= Number(least);
    }
  });
  const add = addButton(group);
  if (add !== null) add.hidden = entries.length >= Number(most);
}

/** All elements, those of the patterns of inner groups too. */
function elementsIn(root: HTMLElement | DocumentFragment): Element[] {
  return [...root.querySelectorAll("*")].flatMap((each) =>
    each instanceof HTMLTemplateElement ? [each, ...elementsIn(each.content)] : [each],
  );
}

const withNumber = (written: string, from: string, to: string): string =>
  written
    .split(" ")
    .map((word) =>
      word === from || word.startsWith(`${from}.`) || word.startsWith(`${from}-`) ? to + word.slice(from.length) : word,
    )
    .join(" ");

const addButton = (group: HTMLElement): HTMLButtonElement | null =>
  group.querySelector<HTMLButtonElement>(":scope > .group-foot > button[name=add]");

function announce(group: HTMLElement, words: string | undefined, at: number): void {
  const status = group.querySelector<HTMLElement>(":scope > .group-foot > [role=status]");
  if (status !== null) status.textContent = (words ?? "").replace("{n}", `${at + 1}`);
}

const firstField = (entry: HTMLElement | undefined): HTMLElement | null =>
  entry?.querySelector<HTMLElement>("input:not([type=hidden]), select, textarea") ?? null;

function add(group: HTMLElement): void {
  const blank = group.querySelector<HTMLTemplateElement>(":scope > template");
  const list = group.querySelector<HTMLElement>(":scope > .entries");
  const entry = blank?.content.firstElementChild?.cloneNode(true);
  if (list === null || !(entry instanceof HTMLElement)) return;
  list.append(entry);
  renumber(group);
  announce(group, group.dataset.added, entriesOf(group).length - 1);
  firstField(entry)?.focus();
}

function remove(group: HTMLElement, at: number): void {
  entriesOf(group)[at]?.remove();
  renumber(group);
  announce(group, group.dataset.removed, at);
  const left = entriesOf(group);
  (firstField(left[Math.min(at, left.length - 1)]) ?? addButton(group))?.focus();
}

function move(group: HTMLElement, at: number, by: 1 | -1, button: HTMLButtonElement): void {
  const entries = entriesOf(group);
  const [entry, other] = [entries[at], entries[at + by]];
  if (entry === undefined || other === undefined) return;
  if (by < 0) other.before(entry);
  else other.after(entry);
  renumber(group);
  announce(group, group.dataset.moved, at + by);
  const next = button.disabled
    ? entry.querySelector<HTMLButtonElement>(`:scope > .entry-buttons > [name=move-${by < 0 ? "down" : "up"}]`)
    : button;
  next?.focus();
}

document.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("button") : null;
  const group = button?.closest<HTMLElement>("[data-group]");
  if (button === null || group === null || group === undefined) return;
  const at = Number(button.closest<HTMLElement>(".entry")?.dataset.at);
  if (button.name === "add") add(group);
  else if (button.name === "remove") remove(group, at);
  else if (button.name === "move-up") move(group, at, -1, button);
  else if (button.name === "move-down") move(group, at, 1, button);
  else return;
  event.preventDefault();
});
