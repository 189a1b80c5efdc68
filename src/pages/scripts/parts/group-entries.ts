// The entries of a repeatable group in the page (src/pages/components/groups.ts has the markup): added, removed, moved,
// and numbered again in names, ids and words. Callers announce what was done.
import { wordsIn } from "../../languages/index.ts";

const ENTRY = ":scope > .entries > .entry";
const NUMBERED = ["name", "id", "for", "value", "aria-describedby", "aria-labelledby", "data-group"] as const;

/** The words of the page, with the name of one entry of a group. */
export const wordsOfPage = wordsIn({ tag: document.documentElement.lang });

export const entriesOf = (group: HTMLElement): HTMLElement[] => [...group.querySelectorAll<HTMLElement>(ENTRY)];

export const addButton = (group: HTMLElement): HTMLButtonElement | null =>
  group.querySelector<HTMLButtonElement>(":scope > .group-foot > button[name=add]");

/** Writes the numbers of all entries again, in names, ids and words: `creator.2.family` becomes `creator.1.family`. */
function renumber(group: HTMLElement): void {
  const { group: name = "", least = "0", most = "Infinity" } = group.dataset;
  const entries = entriesOf(group);
  entries.forEach((entry, at) => {
    const marked = `${name}.${entry.dataset.at ?? ""}`;
    entry.dataset.at = `${at}`;
    for (const element of marked === `${name}.${at}` ? [] : elementsIn(entry)) {
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
      button.setAttribute("aria-label", labelOf(button.name, group, at));
      if (button.name === "move-up") button.disabled = at === 0;
      if (button.name === "move-down") button.disabled = at === entries.length - 1;
      if (button.name === "remove") button.hidden = entries.length <= Number(least);
    }
  });
  const add = addButton(group);
  if (add !== null) add.hidden = entries.length >= Number(most);
}

/** What one entry of a group is called: as the group, where nothing else is stated. */
export const entryName = (group: HTMLElement): string =>
  group.dataset.entry ?? group.querySelector(":scope > legend")?.textContent ?? "";

function labelOf(action: string, group: HTMLElement, at: number): string {
  const name = entryName(group);
  const { upEntry, downEntry, removeEntry } = wordsOfPage;
  const label = action === "move-up" ? upEntry(name) : action === "move-down" ? downEntry(name) : removeEntry(name);
  return label.replace("{n}", `${at + 1}`);
}

/** All elements, those of the templates of inner groups too. */
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

/** A new entry: the template of the group, or its first entry without what was typed. */
function blankEntry(group: HTMLElement): HTMLElement | null {
  const template = group.querySelector<HTMLTemplateElement>(":scope > template");
  const found = template?.content.firstElementChild ?? entriesOf(group)[0];
  const entry = found?.cloneNode(true);
  if (!(entry instanceof HTMLElement)) return null;
  if (template === null) clearEntry(entry);
  return entry;
}

function clearEntry(entry: HTMLElement): void {
  for (const inner of entry.querySelectorAll<HTMLElement>("[data-group]")) {
    for (const further of entriesOf(inner).slice(1)) further.remove();
    renumber(inner);
  }
  for (const fault of entry.querySelectorAll(".wrong, .ask, .suggested")) fault.remove();
  for (const marked of entry.querySelectorAll(".has-error")) marked.classList.remove("has-error");
  for (const control of entry.querySelectorAll("input, select, textarea")) {
    control.removeAttribute("aria-invalid");
    control.removeAttribute("lang");
    if (control instanceof HTMLInputElement) {
      control.checked = false;
      if (control.type !== "checkbox" && control.type !== "radio") control.value = "";
    } else if (control instanceof HTMLSelectElement) control.selectedIndex = 0;
    else if (control instanceof HTMLTextAreaElement) control.value = "";
  }
}

/** For scripts that save: as a change of a field. */
const changed = (group: HTMLElement): boolean => group.dispatchEvent(new Event("change", { bubbles: true }));

export function addEntry(group: HTMLElement): HTMLElement | null {
  const list = group.querySelector<HTMLElement>(":scope > .entries");
  const entry = blankEntry(group);
  if (list === null || entry === null) return null;
  list.append(entry);
  renumber(group);
  changed(group);
  return entry;
}

/** The only entry of a group without template stays, empty. */
export function removeEntry(group: HTMLElement, at: number): void {
  const entries = entriesOf(group);
  const blank = entries.length === 1 && group.querySelector(":scope > template") === null ? blankEntry(group) : null;
  if (blank === null) entries[at]?.remove();
  else entries[at]?.replaceWith(blank);
  renumber(group);
  changed(group);
}

/** Moves an entry by one place. @returns it, where there is a place to move to */
export function moveEntry(group: HTMLElement, at: number, by: 1 | -1): HTMLElement | null {
  const entries = entriesOf(group);
  const [entry, other] = [entries[at], entries[at + by]];
  if (entry === undefined || other === undefined) return null;
  if (by < 0) other.before(entry);
  else other.after(entry);
  renumber(group);
  changed(group);
  return entry;
}
