// The draft of a blank form (R42): one for each form, however often it is sent, because its answer was lost or a button
// was pressed twice.
import type { Viewer } from "../../auth/account.ts";
import { unknownRecord } from "../../model/input/record-refusals.ts";
import { draftMark } from "../../model/items/draft-history.ts";
import type { ItemId } from "../../shared/ids.ts";
import { creationReceipt, MadeBefore } from "./creation-receipt.ts";
import type { RecordsNeeds } from "./record-reading.ts";
import type { RecordKind, RecordWriting } from "./record-writing.ts";

/** `key`: of the form; null: it has none. */
export type BlankForm = { readonly key: string | null; readonly kind: RecordKind };
/** `base`: of the form as it is saved then. */
export type DraftOfForm = { readonly id: ItemId; readonly base: string | null };

/** Keys of forms, as the pages make them. */
const FORM_KEY = /^[A-Za-z0-9_-]{20,64}$/;

export async function makeDraft(
  { store, clock }: Pick<RecordsNeeds, "store" | "clock">,
  create: RecordWriting["create"],
  viewer: Viewer,
  { key, kind }: BlankForm,
): Promise<DraftOfForm> {
  const own = { key: `form ${key}`, target: "form of a new record", packageSha256: "", owner: `form ${key}` };
  const request = { ...own, accountId: viewer.account?.id ?? 0, at: clock.now() };
  const receipt = key !== null && FORM_KEY.test(key) ? creationReceipt(request, unknownRecord) : undefined;
  try {
    return { id: (await create(viewer, () => ({}), undefined, receipt, kind)).item.id, base: null };
  } catch (error) {
    if (!(error instanceof MadeBefore)) throw error;
    const draft = await store.items.draft(error.id);
    // What was saved since is merged, as if this form had shown the empty draft.
    return { id: error.id, base: draft === null ? null : draftMark({ ...draft, counter: 1 }) };
  }
}
