// A group of entries that can be added, removed and moved (R40). Without script its buttons submit the form: the server
// reads which one it was and shows the form again; with `repeatable-group.ts` the entries change in the page.
// What is added there is a copy of the group's template, or of its first entry without its values.
import { attributes, type Html, html, NOTHING } from "../html.ts";
import { type InLanguage, wordsIn } from "../languages/index.ts";

/** The place of an entry in its group; `new` in the pattern that a script copies. */
export type EntryPlace = number | "new";

type RepeatableView = {
  /** Names and ids of an entry's fields begin with `NAME.PLACE`: `creator.0.family`. */
  readonly name: string;
  readonly legend: string;
  readonly hint?: string;
  /** What one entry is called: "Creator". */
  readonly entry: string;
  readonly count: number;
  readonly least?: number;
  /** Absent: the server alone limits it. */
  readonly most?: number;
  /** An entry of one field: its label is heard only, for the group has the same. */
  readonly isOneField?: boolean;
  /**
   * It always has an entry, from which new ones are copied: there is no template. For forms of many groups, which browsers
   * do not validate (`novalidate`).
   */
  readonly copiesFirst?: boolean;
};

/** `content`: the fields of an entry. */
export function repeatableGroup(view: RepeatableView, texts: InLanguage, content: (at: EntryPlace) => Html): Html {
  const { name, legend, hint, entry, count, least = 0, most = Infinity, copiesFirst = false } = view;
  const words = wordsIn(texts);
  const data = attributes({
    "data-group": name,
    "data-least": least === 0 ? null : least,
    "data-most": most === Infinity ? null : most,
    "data-entry": entry === legend ? null : entry,
    "aria-describedby": hint === undefined ? null : `${name}-hint`,
  });
  const entries = Array.from({ length: count }, (_, at) => entryOf(view, texts, at, content));
  const add = html`<button class="go quiet" name="add" value="${name}"${attributes({ formnovalidate: !copiesFirst, hidden: count >= most })}>${words.add(entry)}</button>`;
  return html`<fieldset class="group"${data}><legend>${legend}</legend>${hint === undefined ? NOTHING : html`<p class="hint" id="${name}-hint">${hint}</p>`}
<ol class="entries">${entries}</ol>
${copiesFirst ? NOTHING : html`<template>${entryOf(view, texts, "new", content)}</template>\n`}<div class="group-foot">${add}<p role="status"></p></div></fieldset>
`;
}

function entryOf(view: RepeatableView, texts: InLanguage, at: EntryPlace, content: (at: EntryPlace) => Html): Html {
  const { entry, isOneField = false } = view;
  const fields = content(at);
  const number = at === "new" ? "" : at + 1;
  const body = isOneField
    ? fields
    : html`<fieldset><legend>${entry} <span class="entry-number">${number}</span></legend>${fields}</fieldset>`;
  return html`<li class="entry${isOneField ? " one" : ""}" data-at="${at}">${body}${buttonsOf(view, texts, at)}</li>
`;
}

function buttonsOf(
  { name, entry, count, least = 0, copiesFirst = false }: RepeatableView,
  texts: InLanguage,
  at: EntryPlace,
): Html {
  const words = wordsIn(texts);
  const button = (action: string, text: string, label: string, isOff: boolean, isHidden = false): Html =>
    html`<button class="small${action === "remove" ? " danger" : ""}" name="${action}" value="${name}.${at}"${attributes(
      {
        formnovalidate: !copiesFirst,
        "aria-label": label.replace("{n}", at === "new" ? "" : `${at + 1}`),
        disabled: isOff,
        hidden: isHidden,
      },
    )}>${text}</button>`;
  const up = button("move-up", words.up, words.upEntry(entry), at === 0);
  const down = button("move-down", words.down, words.downEntry(entry), at === count - 1);
  const remove = button("remove", words.remove, words.removeEntry(entry), false, count <= least);
  return html`<div class="entry-buttons">${up}${down}${remove}</div>`;
}

/** The button of a group that a form was sent with. */
export type GroupChange =
  | { readonly action: "add"; readonly group: string }
  | { readonly action: "remove" | "move-up" | "move-down"; readonly group: string; readonly at: number };

const ENTRY = /^(.{1,500})\.(0|[1-9]\d{0,5})$/s;

/** Which button of a group a form was sent with; null: with another one. */
export function groupChange(fields: Pick<ReadonlyMap<string, string>, "get">): GroupChange | null {
  const added = fields.get("add");
  if (added !== undefined) return { action: "add", group: added };
  for (const action of ["remove", "move-up", "move-down"] as const) {
    const [, group, at] = ENTRY.exec(fields.get(action) ?? "") ?? [];
    if (group !== undefined) return { action, group, at: Number(at) };
  }
  return null;
}

/** The entries after a change; the same where there is nothing to change. */
export function rearranged<T>(entries: readonly T[], change: GroupChange, blank: T): readonly T[] {
  if (change.action === "add") return [...entries, blank];
  const { at } = change;
  if (change.action === "remove") return entries.filter((_, each) => each !== at);
  const first = change.action === "move-up" ? at - 1 : at;
  const [one, other] = [entries[first], entries[first + 1]];
  if (first < 0 || one === undefined || other === undefined) return entries;
  return entries.with(first, other).with(first + 1, one);
}
