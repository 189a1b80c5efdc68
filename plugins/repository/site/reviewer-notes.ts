// Which control of the form of a draft each comment of a reviewer leads to (R44).

import { commentedControl } from "../../../src/model/item-types/form-faults.ts";
import type { FormEntry } from "../../../src/model/item-types/form-view.ts";
import type { ReviewerNote } from "../../../src/repository/pages/templates/reviewer-notes.ts";
import type { DraftForm } from "../../../src/repository/records/draft-forms.ts";
import type { FieldNote } from "../../../src/repository/requests/field-comments.ts";

export function notesAt(
  notes: readonly FieldNote[],
  { definition }: Pick<DraftForm, "definition">,
  entries: readonly FormEntry[],
): readonly ReviewerNote[] {
  if (notes.length === 0) return [];
  const controls: string[] = [];
  const collect = (all: readonly FormEntry[]): void => {
    for (const each of all) {
      if (each.kind === "field") controls.push(each.name);
      else each.rows.forEach(collect);
    }
  };
  collect(entries);
  const known = new Set(controls);
  return notes.map((note) => {
    const name = commentedControl(note.field, definition);
    if (name !== null && known.has(name)) return { ...note, at: name };
    // A value that is not there any more: the first of its group.
    const group = name === null ? null : `${name.slice(0, name.search(/\.|$/))}.`;
    return { ...note, at: group === null ? null : (controls.find((each) => each.startsWith(group)) ?? null) };
  });
}
