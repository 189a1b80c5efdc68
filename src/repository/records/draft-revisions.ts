// Earlier states of a draft (R42): listed, compared field by field, and restored, by those who may edit the draft. Files
// are not among them: they stay as they are.
import { type Static, Type } from "@sinclair/typebox";
import type { Viewer } from "../../auth/account.ts";
import { CustomFieldsShape, MetadataShape } from "../../formats/record/record-schema.ts";
import { invalidQuery, type QueryReader } from "../../model/input/list-parameters.ts";
import { RECORD_SENTENCES, unknownRecord } from "../../model/input/record-refusals.ts";
import { type DraftRevisionLine, surplusRevisions } from "../../model/items/draft-history.ts";
import type { Draft, ItemContent } from "../../model/items/item.ts";
import type { ItemId } from "../../shared/ids.ts";
import type { Json } from "../../shared/json/json.ts";
import { differencesInParts } from "../../shared/json/three-way-merge.ts";
import { most } from "../../shared/limits.ts";
import { withoutUndefined } from "../../shared/objects.ts";
import { Refusal } from "../../shared/refusal.ts";
import { MomentShape, manyOf, wordOf } from "../../shared/shapes.ts";
import { inTurns } from "../../shared/time/event-loop.ts";
import type { RepositoryReader } from "../store/store.ts";
import type { RecordView } from "./record-json.ts";
import { goneIn, mayEditRecord, type RecordReading, type RecordsNeeds } from "./record-reading.ts";
import { describedJson } from "./record-revisions.ts";
import { SectionShape } from "./record-shape.ts";
import type { ReadRevisions, RecordWriting } from "./record-writing.ts";

const LineShape = {
  revision_id: Type.Integer(),
  created: MomentShape,
  by: Type.Object({ user: Type.String({ description: "Number of the account that saved it" }) }),
  is_current: Type.Boolean({ description: "It is the present state of the draft" }),
};

export const DraftRevisionLineShape = Type.Object(LineShape, { $id: "DraftRevisionLine" });

const AnyValue = Type.Optional(Type.Unsafe<Json>(Type.Unknown()));
const DifferenceShape = Type.Object(
  {
    field: Type.String({ description: "Its path" }),
    kind: wordOf(["added", "removed", "changed", "moved"]),
    before: AnyValue,
    after: AnyValue,
  },
  { $id: "FieldDifference" },
);

export const DraftRevisionShape = Type.Object(
  {
    ...LineShape,
    json: Type.Object({ metadata: MetadataShape, custom_fields: CustomFieldsShape, access: SectionShape }),
    compared_to: Type.Union([Type.Integer(), Type.Null()], { description: "Revision that `differences` begin from" }),
    differences: manyOf(DifferenceShape),
  },
  { $id: "DraftRevision", description: "A state of a draft, and how it differs from another one" },
);
type DraftRevisionJson = Static<typeof DraftRevisionShape>;

const REVISION = /^[1-9]\d{0,8}$/;

/** The revision to compare with; null: the one before. */
export const COMPARE_QUERY: QueryReader<number | null> = {
  parameters: [
    {
      name: "compare",
      description: "Number of the revision that `differences` begin from; absent: the one before",
      schema: Type.Integer({ minimum: 1 }),
    },
  ],
  read(parameters) {
    const sent = parameters.get("compare");
    if (sent === null) return null;
    if (REVISION.test(sent)) return Number(sent);
    throw invalidQuery([{ field: "compare", messages: ["Must be the number of a revision."] }]);
  },
};

type State = { readonly line: DraftRevisionLine; readonly content: Pick<ItemContent, "metadata" | "access"> };

export interface DraftRevisions {
  /** Newest first; the first is the present state. */
  draftRevisions(viewer: Viewer, id: ItemId): Promise<Static<typeof DraftRevisionLineShape>[]>;
  draftRevision(viewer: Viewer, id: ItemId, revision: number, compare: number | null): Promise<DraftRevisionJson>;
  /** Makes its metadata and access those of the draft, which is saved as a new revision. */
  restoreDraft(viewer: Viewer, id: ItemId, revision: number, seen: ReadRevisions): Promise<RecordView>;
}

export const draftRevisions = (
  { store, clock, items }: RecordsNeeds,
  reading: Pick<RecordReading, "draftViewOf">,
  { change, editable, requireDraftSeen }: Pick<RecordWriting, "change" | "editable" | "requireDraftSeen">,
): DraftRevisions => {
  /** @throws Refusal `not_found` for drafts that the viewer may not change, also if they may read them */
  async function admitted(viewer: Viewer, id: ItemId): Promise<Draft> {
    const found = await store.items.outline(id);
    if (found === null || !mayEditRecord(viewer, found.parent)) throw unknownRecord();
    if (found.item.state === "deleted") throw await goneIn(store, viewer, id);
    const draft = await store.items.draft(id);
    if (draft === null) throw new Refusal("not_found", RECORD_SENTENCES.notFound);
    return draft;
  }

  /** Oldest first. */
  async function linesOf(draft: Draft): Promise<readonly DraftRevisionLine[]> {
    const earlier = await store.draftRevisions.draftRevisions(draft.itemId, most("draftRevisions"));
    const lines = [...earlier.filter(({ counter }) => counter < draft.counter), lineOf(draft)];
    const surplus = surplusRevisions(lines, clock.now());
    return lines.filter(({ counter }) => !surplus.has(counter));
  }

  async function stateOf(reader: RepositoryReader, draft: Draft, revision: number): Promise<State> {
    if (revision === draft.counter) return { line: lineOf(draft), content: draft.content };
    const kept = revision > draft.counter ? null : await reader.draftRevisions.draftRevision(draft.itemId, revision);
    if (kept === null) throw new Refusal("not_found", RECORD_SENTENCES.notFound);
    return { line: kept, content: kept.content };
  }

  return {
    async draftRevisions(viewer, id) {
      const draft = await admitted(viewer, id);
      const lines = await linesOf(draft);
      return lines.toReversed().map((line) => lineJson(line, draft));
    },

    async draftRevision(viewer, id, revision, compare) {
      const draft = await admitted(viewer, id);
      const { line, content } = await stateOf(store, draft, revision);
      const before = (await linesOf(draft)).findLast(({ counter }) => counter < revision)?.counter ?? null;
      const comparedTo = compare ?? before;
      const json = await describedJson(content);
      const other = comparedTo === null ? json : await describedJson((await stateOf(store, draft, comparedTo)).content);
      const differences = await inTurns(differencesInParts(other, json));
      return {
        ...lineJson(line, draft),
        json,
        compared_to: comparedTo,
        differences: differences.map(({ path, kind, before: was, after }) =>
          withoutUndefined({ field: path.join("."), kind, before: was, after }),
        ),
      };
    },

    restoreDraft: (viewer, id, revision, seen) =>
      change(viewer, async (tx, now) => {
        const found = await editable(tx, now, id);
        const before = await requireDraftSeen(tx, id, seen);
        const { content } = await stateOf(tx, before, revision);
        const { metadata, access } = content;
        const restored = { ...before.content, metadata, access };
        const { draft } = await items.saveDraft(tx, now, id, { content: restored, held: { ...found, draft: before } });
        return await reading.draftViewOf(tx, now, found, draft);
      }),
  };
};

/** The present state of a draft is never dropped, however long it is. */
const lineOf = ({ counter, savedAt, editor }: Draft): DraftRevisionLine => {
  return { counter, savedAt, by: editor, characters: 0 };
};

const lineJson = ({ counter, savedAt, by }: DraftRevisionLine, draft: Draft) => ({
  revision_id: counter,
  created: savedAt,
  by: { user: String(by) },
  is_current: counter === draft.counter,
});
