// Suggestions in the form of a draft (R42, P.142, P.143): the buttons "Look up" and "Fill in" without script, and what the
// script asks to fill in fields. Both ask before a value is replaced.
import { Type } from "@sinclair/typebox";
import type { ItemTypeDefinition } from "../../../src/model/item-types/definition.ts";
import {
  type FillChange,
  type Filling,
  type FillMode,
  fillForm,
  typedIn,
} from "../../../src/model/item-types/form-filling.ts";
import type { FormTree } from "../../../src/model/item-types/form-tree.ts";
import { readPostedForm } from "../../../src/model/item-types/posted-form.ts";
import {
  type FillLine,
  fillQuestion,
  type SuggestionView,
} from "../../../src/repository/pages/templates/deposit-suggestions.ts";
import type { SiteView } from "../../../src/repository/pages/templates/layout.ts";
import type { Records } from "../../../src/repository/records/records.ts";
import type { FieldSuggestions } from "../../../src/repository/suggestions/field-suggestions.ts";
import { isRefusal, Refusal } from "../../../src/shared/refusal.ts";
import { pathParameter, response } from "../../http/document-parts.ts";
import { routesOf } from "../../http/routes.ts";
import type { RepositoryGuard } from "../guard.ts";
import { recordIdOf } from "../record-dialect.ts";
import { openPage, type PageNeeds, type Reader } from "./answers.ts";
import { requireFormToken } from "./cookies.ts";
import { isPlaceField, sentType } from "./deposit-place.ts";
import { FORBIDDEN, FORM_REFUSALS, form, GONE, mountPages, NOT_FOUND } from "./page-routes.ts";

export type DepositSuggestionsNeeds = PageNeeds & {
  readonly guard: Pick<RepositoryGuard, "draftForm" | "reader">;
  readonly records: Pick<Records, "blankForm" | "openForm">;
  readonly fields: FieldSuggestions;
};

/** Members of a form that are about suggestions. */
export const SUGGESTION_MEMBERS = ["look-up", "choose", "choosing", "chosen", "fill", "fill-empty", "offered"] as const;

/** How many are offered. */
const SIZE = 10;

type Own = Pick<ReadonlyMap<string, string>, "get">;

/** The button of a field that a form was sent with. */
type Press =
  | { readonly kind: "look-up"; readonly field: string }
  /** `mode` null: as long as no value is replaced. */
  | { readonly kind: "take"; readonly field: string; readonly id: string; readonly mode: FillMode | null };

function pressIn(own: Own): Press | null {
  const lookUp = own.get("look-up");
  if (lookUp !== undefined) return { kind: "look-up", field: lookUp };
  const offered = own.get("offered") ?? "";
  for (const [name, mode] of [
    ["fill", "all"],
    ["fill-empty", "empty"],
  ] as const) {
    const field = own.get(name);
    if (field !== undefined && offered !== "") return { kind: "take", field, id: offered, mode };
  }
  const [chosen = "", field] = [own.get("chosen"), own.get("choose") ?? own.get("choosing")];
  return chosen === "" || field === undefined ? null : { kind: "take", field, id: chosen, mode: null };
}

/** What a press of a button does while the form is saved, and what the page then shows. */
export type SuggestionWork = {
  readonly fill: ((tree: FormTree, definition: ItemTypeDefinition) => FormTree) | undefined;
  readonly shown: (saved: {
    readonly tree: FormTree;
    readonly definition: ItemTypeDefinition;
  }) => Promise<SuggestionView | null>;
};

const NOTHING_PRESSED: SuggestionWork = { fill: undefined, shown: async () => null };

type Asking = Pick<Reader, "viewer" | "site">;
type FillNeeds = Pick<DepositSuggestionsNeeds, "records" | "fields">;

const askedBy = ({ viewer, site }: Asking) => ({ viewer, language: site.texts.tag });

/** Read before the form is saved. */
export async function suggestionWork(
  needs: FillNeeds,
  reader: Asking,
  draft: number | null,
  own: Own,
): Promise<SuggestionWork> {
  const press = pressIn(own);
  if (press === null) return NOTHING_PRESSED;
  const { field } = press;
  if (press.kind === "look-up") {
    return {
      fill: undefined,
      async shown({ tree, definition }) {
        const typed = typedIn(tree, definition, field);
        if (typed === null) return null;
        const found = await needs.fields.find(typed.source, typed.text, SIZE, askedBy(reader));
        return { kind: "found", field, found };
      },
    };
  }
  const values = await valuesOf(needs, reader, await definitionOf(needs, reader, draft, null), press);
  if (values === null) return { fill: undefined, shown: async () => ({ kind: "gone", field }) };
  let last: Filling | null = null;
  return {
    fill(tree, definition) {
      last = fillForm(tree, definition, field, values, press.mode ?? "all");
      return last === null || (press.mode === null && last.replaces) ? tree : last.tree;
    },
    async shown() {
      if (last === null) return null;
      return press.mode === null && last.replaces ? questionOf(press, last, reader.site) : { kind: "filled", field };
    },
  };
}

/** `type`: of a new draft; null: that of the setting. */
const definitionOf = async ({ records }: FillNeeds, { viewer }: Asking, draft: number | null, type: number | null) =>
  draft === null ? await records.blankForm(viewer, type) : (await records.openForm(viewer, draft)).definition;

/** Null: the field has no suggestions, or this one does not exist any more. */
async function valuesOf(
  { fields }: FillNeeds,
  reader: Asking,
  definition: ItemTypeDefinition,
  { field, id }: { readonly field: string; readonly id: string },
): Promise<readonly unknown[] | null> {
  const typed = typedIn(new Map(), definition, field);
  if (typed === null) return null;
  try {
    return await fields.values(typed.source, id, askedBy(reader));
  } catch (error) {
    if (isRefusal(error, "not_found")) return null;
    throw error;
  }
}

function questionOf(
  { field, id }: { readonly field: string; readonly id: string },
  { changes, text }: Filling,
  site: SiteView,
): Extract<SuggestionView, { readonly kind: "question" }> {
  return {
    kind: "question",
    field,
    id,
    text: text || (changes[0]?.after ?? ""),
    lines: changes.map((change) => lineOf(change, site)),
  };
}

/** The labels below the entry: "Name 1: Language". */
function lineOf({ labels, before, after }: FillChange, { texts }: SiteView): FillLine {
  const words = labels.map(({ label, row }) => {
    const name = texts.tag === "ja" ? (label.ja ?? label.en) : label.en;
    return row === null ? name : `${name} ${row}`;
  });
  return { label: words.join(texts.tag === "ja" ? "：" : ": "), before, after };
}

// --- what the script asks

const FillEntries = Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), {
  description: "Names and new values of fields",
});
const FillShape = Type.Object(
  {
    all: FillEntries,
    empty: Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), {
      description: "The same, where only empty fields are filled in",
    }),
    question: Type.Union([Type.String(), Type.Null()], {
      description: "The question to ask first, as HTML; null: no value is replaced",
    }),
  },
  { $id: "FormFilling" },
);
const FIELDS = form({ field: "The field in which was typed", id: "The suggestion" }, "The fields of the item type");
const ANSWERS = {
  200: response("What is filled in", FillShape),
  ...FORBIDDEN,
  ...FORM_REFUSALS,
  ...NOT_FOUND,
};

const { post } = routesOf<DepositSuggestionsNeeds>();

const ROUTES = [
  post("/deposit/fill", {
    id: "fillNewDraft",
    summary: "What a suggestion fills in in the form of a new record; nothing is saved",
    content: FIELDS,
    answers: ANSWERS,
    run: (needs, request) => filling(needs, request, null),
  }),
  post("/deposit/:id/fill", {
    id: "fillDraft",
    summary: "What a suggestion fills in in the form of a draft; nothing is saved",
    parameters: [pathParameter("id", "Number of the record")],
    content: FIELDS,
    answers: { ...ANSWERS, ...GONE },
    run: (needs, request, { id }) => filling(needs, request, recordIdOf(id)),
  }),
];

export const depositSuggestions = (needs: DepositSuggestionsNeeds) =>
  mountPages("deposit-suggestions", ROUTES, needs, "session");

const OWN: ReadonlySet<string> = new Set([
  ...["csrf", "base", "item-type", "field", "id", "no-files"],
  ...SUGGESTION_MEMBERS,
]);

async function filling(needs: DepositSuggestionsNeeds, request: Request, draft: number | null): Promise<Response> {
  const reader = await openPage(needs, request, "account");
  if (reader.signedIn === null) throw new Refusal("unauthenticated", "Sign in first");
  const sent = await needs.guard.draftForm(request);
  const own = new Map(sent.filter(([name]) => OWN.has(name)));
  requireFormToken(own.get("csrf"), reader.signedIn.csrf);
  const press = { field: own.get("field") ?? "", id: own.get("id") ?? "" };
  const definition = await definitionOf(needs, reader, draft, sentType(own));
  const values = await valuesOf(needs, reader, definition, press);
  if (values === null) throw new Refusal("not_found", "There is no such suggestion");
  const { tree } = readPostedForm(
    sent.filter(([name]) => !OWN.has(name) && !isPlaceField(name)),
    definition,
  );
  const [all, empty] = (["all", "empty"] as const).map((mode) => fillForm(tree, definition, press.field, values, mode));
  const entriesOf = (filled: Filling | null | undefined) =>
    (filled?.changes ?? []).map(({ name, after }) => ({ name, value: after }));
  const question =
    all?.replaces === true ? fillQuestion(questionOf(press, all, reader.site), reader.site).markup : null;
  const headers = { "cache-control": "private, no-store", "x-content-type-options": "nosniff" };
  return Response.json({ all: entriesOf(all), empty: entriesOf(empty), question }, { headers });
}
