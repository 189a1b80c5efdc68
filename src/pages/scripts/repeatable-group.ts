// Adds, removes and moves the entries of a repeatable group without asking the server (src/pages/components/groups.ts
// has the markup; without this script its buttons submit the form). What was done is announced, and the focus stays
// where the work is.
import {
  addButton,
  addEntry,
  entriesOf,
  entryName,
  moveEntry,
  removeEntry,
  wordsOfPage,
} from "./parts/group-entries.ts";

function announce(group: HTMLElement, words: (entry: string) => string, at: number): void {
  const status = group.querySelector<HTMLElement>(":scope > .group-foot > [role=status]");
  if (status !== null) status.textContent = words(entryName(group)).replace("{n}", `${at + 1}`);
}

const firstField = (entry: HTMLElement | null | undefined): HTMLElement | null =>
  entry?.querySelector<HTMLElement>("input:not([type=hidden]), select, textarea") ?? null;

function add(group: HTMLElement): void {
  const entry = addEntry(group);
  if (entry === null) return;
  announce(group, wordsOfPage.added, entriesOf(group).length - 1);
  firstField(entry)?.focus();
}

function remove(group: HTMLElement, at: number): void {
  removeEntry(group, at);
  announce(group, wordsOfPage.removed, at);
  const left = entriesOf(group);
  (firstField(left[Math.min(at, left.length - 1)]) ?? addButton(group))?.focus();
}

function move(group: HTMLElement, at: number, by: 1 | -1, button: HTMLButtonElement): void {
  const entry = moveEntry(group, at, by);
  if (entry === null) return;
  announce(group, wordsOfPage.moved, at + by);
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
