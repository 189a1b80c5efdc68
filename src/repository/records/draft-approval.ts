// Drafts of pages that go through a workflow before they are published (R16): where the format JSON is set to register
// through workflows, as for personal tokens that deposit linked data (R17). Programs publish as before.
import type { Viewer } from "../../auth/account.ts";
import { recordBusy } from "../../model/input/record-refusals.ts";
import type { Draft, ItemContent } from "../../model/items/item.ts";
import { mainTitle } from "../../model/metadata/metadata.ts";
import { may } from "../../model/rights/policy.ts";
import type { ItemId } from "../../shared/ids.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { Items } from "../items/items.ts";
import type { Workflow } from "../store/settings.ts";
import type { RepositoryReader, RepositoryWriter } from "../store/store.ts";
import type { Activities } from "../workflow/activities.ts";
import { returnedActivity } from "../workflow/returned-activity.ts";
import { depositWorkflows } from "./deposit-workflows.ts";
import type { DraftForms } from "./draft-forms.ts";
import type { RecordWriting } from "./record-writing.ts";

export interface DraftApproval {
  /** Deposits go through no workflow. */
  isDirect(): Promise<boolean>;
  /** The workflow that the draft goes through; null: it is published at once. @throws Refusal `invalid` for none */
  workflowOf(viewer: Viewer, id: ItemId): Promise<Workflow | null>;
  /**
   * Begins its activity, or continues the one that was returned to its depositor. `done`: it is published already.
   *
   * @throws Refusal `precondition` where the draft was saved since or goes through no workflow, `invalid` for one that
   * cannot be published, `conflict` where it waits already
   */
  submitForApproval(
    viewer: Viewer,
    id: ItemId,
    mark: string,
  ): Promise<{ readonly activity: string; readonly done: boolean }>;
}

type ApprovalNeeds = {
  readonly store: RepositoryReader;
  readonly items: Pick<Items, "saveDraft">;
  readonly activities: Pick<Activities, "begin" | "resubmit">;
  readonly records: Pick<RecordWriting, "change" | "editable" | "requireDraftSeen" | "requireReady"> &
    Pick<DraftForms, "openForm">;
};

async function workflowFor(
  reader: Pick<RepositoryReader, "activities" | "settings">,
  { activityId, content }: Pick<Draft, "activityId" | "content">,
): Promise<Workflow | null> {
  const { settings, activities } = reader;
  const activity = activityId === null ? null : await activities.activity(activityId);
  if (activity !== null) return await settings.workflow(activity.workflow);
  const workflows = await depositWorkflows(settings);
  if (workflows === null) return null;
  const fit = workflows.filter(({ itemType }) => itemType === content.itemType);
  const found = fit.find(({ id }) => id === content.settings.workflow) ?? fit[0];
  if (found !== undefined) return found;
  throw new Refusal("invalid", `No workflow takes deposits of item type ${content.itemType}`);
}

export const draftApproval = (needs: ApprovalNeeds): DraftApproval => ({
  isDirect: async () => (await depositWorkflows(needs.store.settings)) === null,

  async workflowOf(viewer, id) {
    await needs.records.openForm(viewer, id);
    const draft = await needs.store.items.draft(id);
    return draft === null ? null : await workflowFor(needs.store, draft);
  },

  submitForApproval: (viewer, id, mark) =>
    needs.records.change(viewer, async (tx, now) => {
      const found = await needs.records.editable(tx, now, id);
      const draft = await needs.records.requireDraftSeen(tx, id, { revisions: null, mark });
      const returned = await returnedActivity(tx, now, draft);
      if (draft.activityId !== null && returned === null) throw recordBusy();
      const workflow = await workflowFor(tx, draft);
      if (workflow === null) throw new Refusal("precondition", "The draft is published without a workflow");
      await needs.records.requireReady(tx, now, { ...found, draft });
      const content = await filedContent(tx, now, draft.content, workflow);
      const more = { title: mainTitle(content.metadata), onBehalfOf: null, packageName: null, packageSha256: null };
      const isFiled = content.indexes.length > 0;
      const saveDraft = (activityId: string) =>
        needs.items.saveDraft(tx, now, id, { content, activityId, pending: true });
      if (returned !== null) {
        await saveDraft(returned.id);
        const { activity, done } = await needs.activities.resubmit(tx, now, returned.id, { ...more, isFiled });
        return { activity: activity.id, done };
      }
      const kind = found.item.content === null && found.item.versionIndex === 1 ? "registration" : "update";
      const begun = { ...more, kind, workflow, itemId: id, isFiled, saveDraft } as const;
      const { activity, done } = await needs.activities.begin(tx, now, begun);
      return { activity: activity.id, done };
    }),
});

/** In the index of the workflow where it is in none; without the note which workflow was chosen. */
async function filedContent(
  tx: RepositoryWriter,
  viewer: Viewer,
  content: ItemContent,
  { index }: Workflow,
): Promise<ItemContent> {
  const { workflow: _, ...settings } = content.settings;
  const lineage = index === null || content.indexes.length > 0 ? [] : await tx.indexes.lineage(index);
  const isOpen = index !== null && lineage.length > 0 && may(viewer, "item.file", lineage);
  return { ...content, settings, indexes: isOpen ? [index] : content.indexes };
}
