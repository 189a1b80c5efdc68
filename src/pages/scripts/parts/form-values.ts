// The values of a form by the names of its controls: read, compared with what the server has, and written back with the
// entries of its groups (R42).
import { addEntry, entriesOf, removeEntry } from "./group-entries.ts";

export type Values = ReadonlyMap<string, string>;

/** Not values of the form: they are sent along. */
const SENT_ALONG = new Set(["csrf", "base", "form-key"]);

/** A form as it is sent, names repeated as its controls have them. */
export const bodyOf = (form: HTMLFormElement): string =>
  new URLSearchParams(
    [...new FormData(form)].flatMap(([name, value]): [string, string][] =>
      SENT_ALONG.has(name) || typeof value !== "string" ? [] : [[name, value]],
    ),
  ).toString();

export const valuesOf = (body: string): Values => new Map(new URLSearchParams(body));

/** What is filled in, for comparing a form with what was typed in another window. */
export const essenceOf = (body: string): string =>
  [...new URLSearchParams(body)]
    .filter(([, value]) => value.trim() !== "")
    .map(([name, value]) => `${name}=${value.replaceAll("\r\n", "\n").trim()}`)
    .sort()
    .join("\n\n");

const isIn = (name: string, group: string): boolean => name === group || name.startsWith(`${group}.`);

type Row = ReadonlyMap<string, string>;

/** The rows of a group, each with its values by what follows its number. */
function rowsOf(values: Values, group: string): readonly Row[] {
  const rows: Map<string, string>[] = [];
  for (const [name, value] of values) {
    const [, at, rest] = isIn(name, group) ? (/^\.(\d+)(.*)$/s.exec(name.slice(group.length)) ?? []) : [];
    if (at === undefined || rest === undefined) continue;
    const row = rows[Number(at)] ?? new Map();
    rows[Number(at)] = row;
    row.set(rest, value);
  }
  return rows;
}

const textOf = (row: Row | undefined): string => JSON.stringify([...(row ?? [])].filter(([, value]) => value !== ""));

const shared = (one: Row, other: Row): number =>
  [...one].filter(([name, value]) => value !== "" && other.get(name) === value).length;

/** For each row its place after a change by others: the same row, else the one with most values in common. */
function rowsAfter(before: Values, after: Values, group: string): readonly (number | null)[] {
  const [old, now] = [rowsOf(before, group), rowsOf(after, group)];
  const places = new Map<string, number[]>();
  for (const [at, row] of now.entries()) places.set(textOf(row), [...(places.get(textOf(row)) ?? []), at]);
  const same = old.map((row) => places.get(textOf(row))?.shift() ?? null);
  const free = new Set([...places.values()].flat());
  return old.map((row, index) => {
    const known = same[index] ?? null;
    if (known !== null) return known;
    const counted = [...free].map((at) => ({ at, count: shared(row, now[at] ?? new Map()) }));
    const best = counted.reduce((one, other) => (other.count > one.count ? other : one), { at: -1, count: 0 });
    free.delete(best.at);
    return best.count > 0 ? best.at : null;
  });
}

/** The name of a control after its rows have moved; null: its row is not there any more. */
function nameAfter(name: string, group: string, rows: readonly (number | null)[]): string | null {
  const [, at, rest] = /^\.(\d+)(.*)$/s.exec(name.slice(group.length)) ?? [];
  if (at === undefined) return name;
  const to = rows[Number(at)] ?? null;
  return to === null ? null : `${group}.${to}${rest}`;
}

export type Change = { readonly group: string; readonly fields: Readonly<Record<string, string>> };
/** `values`: of the group from now on. `active`: the name that the control with the focus has then. */
export type PlannedChange = { readonly group: string; readonly values: Values; readonly active: string | null };

/**
 * What a group becomes when the other side changed it: what was typed since the form was sent stays.
 *
 * @returns null where the change is in a field that is being edited
 */
export function planChange(
  { group, fields }: Change,
  { sent, now, active }: { readonly sent: Values; readonly now: Values; readonly active: string | null },
): PlannedChange | null {
  const after = new Map(Object.entries(fields));
  const rows = rowsAfter(sent, after, group);
  const values = new Map(after);
  for (const [name, value] of now) {
    const was = sent.get(name) ?? "";
    if (!isIn(name, group) || (value === was && name !== active)) continue;
    const to = nameAfter(name, group, rows);
    if (to === null || (after.get(to) ?? "") !== was) return null;
    values.set(to, value);
  }
  const own = active !== null && isIn(active, group) ? nameAfter(active, group, rows) : null;
  return { group, values, active: own };
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const isControl = (element: unknown): element is Control =>
  element instanceof HTMLInputElement || element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement;

/** The control of a field; the first one of choices has the name for its id. */
export function controlOf(form: HTMLFormElement, name: string): Control | null {
  const found = form.elements.namedItem(name);
  const first = found instanceof RadioNodeList ? document.getElementById(name) : found;
  return isControl(first) ? first : null;
}

export function writeValue(control: Control, values: readonly string[]): void {
  const [value = ""] = values;
  if (control instanceof HTMLInputElement && (control.type === "checkbox" || control.type === "radio")) {
    control.checked = values.includes(control.value);
  } else if (control.value !== value) {
    // A value that is none of the choices is shown all the same.
    if (control instanceof HTMLSelectElement && ![...control.options].some((each) => each.value === value)) {
      control.add(new Option(value, value), 0);
    }
    control.value = value;
  }
}

/** Writes the values of a group, or without one of all: entries are added and removed as they are needed. */
export function writeValues(
  form: HTMLFormElement,
  entries: Iterable<readonly [name: string, value: string]>,
  group: string | null = null,
): void {
  const all = new Map<string, string[]>();
  for (const [name, value] of entries) all.set(name, [...(all.get(name) ?? []), value]);
  const isWritten = (name: string): boolean => group === null || isIn(name, group);
  fitGroups(form, new Map([...all].map(([name]) => [name, ""])), isWritten);
  for (const element of form.elements) {
    const name = element.getAttribute("name") ?? "";
    if (!isControl(element) || element.type === "hidden" || name === "" || !isWritten(name)) continue;
    writeValue(element, all.get(name) ?? []);
    if (all.has(name) && element.value !== "") element.closest("details")?.setAttribute("open", "");
  }
}

/** As many entries as there are values for, in groups inside of entries too: they come after the group around them. */
function fitGroups(form: HTMLFormElement, values: Values, isWritten: (name: string) => boolean): void {
  const done = new Set<string>();
  for (;;) {
    const all = [...form.querySelectorAll<HTMLElement>("[data-group]")];
    const next = all.find(({ dataset: { group: name = "" } }) => isWritten(name) && !done.has(name));
    if (next === undefined) return;
    const { group: name = "" } = next.dataset;
    done.add(name);
    const wanted = Math.max(1, rowsOf(values, name).length);
    for (let count = entriesOf(next).length; count < wanted; count += 1) addEntry(next);
    for (let count = entriesOf(next).length; count > wanted; count -= 1) removeEntry(next, count - 1);
  }
}
