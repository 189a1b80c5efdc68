// Workflows as data (R16, R17).

import { actionsProblem } from "../../model/rights/workflow-rules.ts";
import type { Workflow } from "../store/settings.ts";
import type { RepositoryWriter } from "../store/store.ts";
import {
  type AdministrationNeeds,
  type CollectionOf,
  type CreatingOf,
  change,
  invalid,
  missing,
  numberOf,
  type ReadRecord,
  requireAccounts,
  requireIndex,
  requireItemType,
} from "./collection.ts";
import { NEW_WORKFLOW, WORKFLOW } from "./records.ts";

function shown({ itemType, ...workflow }: Workflow) {
  const { id, name, index, actions, approvers, delete: deletion, deleted } = workflow;
  return { id, name, item_type: itemType, index, actions, approvers, delete: deletion, deleted };
}

export function workflowCollection(
  needs: AdministrationNeeds,
): CollectionOf<typeof WORKFLOW> & CreatingOf<typeof WORKFLOW> {
  const { store } = needs;
  return {
    list: async () => (await store.settings.workflows()).map(shown),
    async read(id) {
      const workflow = await store.settings.workflow(numberOf(id, "workflow"));
      if (workflow === null) throw missing("workflow", id);
      return shown(workflow);
    },
    create: (viewer, sent) =>
      change(needs, viewer, async (tx, at, audit) => {
        const workflow = await checked(tx, null, WORKFLOW.read(NEW_WORKFLOW, sent));
        const id = await tx.settings.saveWorkflow(workflow, at);
        await audit("workflow-add", `workflow:${id}`, { name: workflow.name.en });
        return shown({ ...workflow, id });
      }),
    update: (viewer, id, sent) =>
      change(needs, viewer, async (tx, at, audit) => {
        const before = await tx.settings.workflow(numberOf(id, "workflow"));
        if (before === null) throw missing("workflow", id);
        const { id: _id, ...parts } = shown(before);
        const workflow = await checked(tx, before, WORKFLOW.read(parts, sent));
        await tx.settings.saveWorkflow(workflow, at);
        await audit("workflow-set", `workflow:${before.id}`, { name: workflow.name.en, deleted: workflow.deleted });
        return shown(workflow);
      }),
  };
}

/** A workflow that is deleted may name what is gone: it takes no deposits any more (message 22). */
async function checked(
  tx: RepositoryWriter,
  before: Workflow | null,
  read: ReadRecord<typeof WORKFLOW>,
): Promise<Workflow> {
  const { name, index, actions, approvers, deleted } = read;
  const wrong = actionsProblem(actions, "registration");
  if (wrong !== null) throw invalid(`actions: ${wrong}`);
  const wrongDeletion = read.delete === null ? null : actionsProblem(read.delete.actions, "deletion");
  if (wrongDeletion !== null) throw invalid(`delete.actions: ${wrongDeletion}`);
  if (!deleted) {
    await requireItemType(tx, read.item_type, "item_type");
    await requireIndex(tx, index, "index", before?.index);
    await requireAccounts(tx, approvers.accounts, "approvers.accounts");
  }
  const communities: string[] = [];
  for (const named of approvers.communities) {
    const found = await tx.communities.community(named);
    if (found === null && !deleted) throw invalid(`approvers.communities: community "${named}" does not exist`);
    communities.push(found?.id ?? named);
  }
  const needsApprover = actions.includes("approval") || read.delete?.actions.includes("approval") === true;
  const has = approvers.roles.length + approvers.accounts.length + communities.length > 0;
  if (needsApprover && !has) throw invalid("approvers: somebody must be able to approve");
  const workflow = {
    id: before?.id ?? 0,
    name,
    itemType: read.item_type,
    index,
    actions,
    deleted,
    delete: read.delete,
  };
  return { ...workflow, approvers: { ...approvers, communities } };
}
