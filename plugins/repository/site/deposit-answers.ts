// What the script that saves deposit forms by itself is answered (R42): the same form, sent and saved as by its buttons,
// but JSON of what the page has to show.
import { type Static, Type } from "@sinclair/typebox";
import type { FormEntry } from "../../../src/model/item-types/form-view.ts";
import { MomentShape, manyOf, membersOf } from "../../../src/shared/shapes.ts";
import { response } from "../../http/document-parts.ts";
import { html } from "./page-routes.ts";

const Control = Type.Union([Type.String(), Type.Null()], { description: "Name of the control; null: of none" });
const FieldText = Type.Object({ field: Control, text: Type.String() });
const FieldConflict = Type.Object({
  field: Control,
  theirs: Type.Union([Type.String(), Type.Null()], { description: "The stored text; null: it is not a single text" }),
});
const ChangedGroup = Type.Object({
  group: Type.String(),
  fields: membersOf(Type.String()),
});

const SavedFormShape = Type.Object(
  {
    id: Type.Integer({ description: "Of the record" }),
    base: Type.String({ description: "The state that the form shows with this answer" }),
    saved_at: MomentShape,
    is_saved: Type.Boolean({ description: "False: fields were changed on both sides, and nothing was saved" }),
    files_enabled: Type.Boolean(),
    problems: manyOf(FieldText),
    understood: manyOf(FieldText),
    conflicts: manyOf(FieldConflict),
    changed: manyOf(ChangedGroup),
    communities: manyOf(Type.String({ description: "Those that are chosen now" })),
    place: Type.Optional(Type.String({ description: "HTML of the place, where the other side changed it" })),
    links: Type.Optional(Type.String({ description: "Of a new draft: HTML of what can be done with it" })),
  },
  {
    $id: "SavedForm",
    description:
      "`problems`: wrong values, which were left out, and fields in conflict; `understood`: how dates were understood; `changed`: groups that the other side changed, as they are now",
  },
);
export type SavedFormAnswer = Static<typeof SavedFormShape>;

/** A page, or for the script that saves by itself what changed on it. */
export const pageOrJson = (description: string) => {
  const page = html(description);
  const json = response(description, SavedFormShape);
  return { ...page, content: { ...page.content, ...json.content } };
};

/** The script of the form asks for JSON alone; browsers that send a form never do. */
export const isFromScript = ({ headers }: Request): boolean => headers.get("accept") === "application/json";

export const savedForm = (answer: SavedFormAnswer): Response =>
  Response.json(answer, { status: answer.is_saved ? 200 : 409, headers: { "cache-control": "no-store" } });

/** Names and values of the controls of a group, in order. */
export const fieldsIn = (entry: FormEntry): readonly (readonly [name: string, value: string])[] =>
  entry.kind === "field" ? [[entry.name, entry.value]] : entry.rows.flat().flatMap(fieldsIn);
