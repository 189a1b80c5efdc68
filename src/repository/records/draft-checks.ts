// The checks of a draft (R44): what publication would refuse, at the fields of its form, and what else may be wrong. One
// function for those who submit it and those who review it.
import type { Viewer } from "../../auth/account.ts";
import { type FieldError, unknownRecord } from "../../model/input/record-refusals.ts";
import type { ItemTypeDefinition } from "../../model/item-types/definition.ts";
import { recordFaults, requiredFaults } from "../../model/item-types/form-faults.ts";
import { enteredGroups, type FormTree } from "../../model/item-types/form-tree.ts";
import type { Bilingual, FormFault } from "../../model/item-types/posted-form.ts";
import { draftWarnings } from "../../model/items/draft-warnings.ts";
import type { Draft, WithParent } from "../../model/items/item.ts";
import { may } from "../../model/rights/policy.ts";
import type { ItemId } from "../../shared/ids.ts";
import type { Conflict } from "../../shared/json/three-way-merge.ts";
import type { RepositoryReader, RepositoryStore } from "../store/store.ts";
import { approvalFacts } from "../workflow/activities.ts";
import { filingFaults, PLACE_FIELDS } from "./draft-place.ts";
import type { RecordDois } from "./record-dois.ts";
import type { RecordsNeeds } from "./record-reading.ts";
import { newDoisOf, publishFaults } from "./record-writing.ts";

export type DraftChecks = {
  readonly faults: readonly { readonly label: Bilingual | null; readonly words: Bilingual }[];
  readonly warnings: readonly Bilingual[];
};

/** A draft with its form. */
type CheckedForm = {
  readonly found: WithParent;
  readonly draft: Draft;
  readonly form: { readonly definition: ItemTypeDefinition; readonly tree: FormTree };
};

type Checking = Pick<RecordsNeeds, "communities"> & { readonly store: RepositoryStore; readonly dois: RecordDois };

/** For those who edit, preview or decide about it. @throws Refusal `not_found` */
export async function checkedDraft(reader: RepositoryReader, viewer: Viewer, id: ItemId): Promise<WithParent> {
  const found = await reader.items.withParent(id);
  if (found === null || !(await mayCheckDraft(reader, viewer, found))) throw unknownRecord();
  return found;
}

export async function mayCheckDraft(reader: RepositoryReader, viewer: Viewer, { item, parent }: WithParent) {
  if (may(viewer, "item.preview", parent)) return true;
  const activity = await reader.activities.openActivity(item.id);
  const facts = activity === null ? null : await approvalFacts(reader, activity.id);
  return facts !== null && may(viewer, "activity.see", facts);
}

/** What publication would refuse. */
export async function faultsOfDraft(
  { store, dois, communities }: Checking,
  viewer: Viewer,
  { found, draft, form: { definition, tree } }: CheckedForm,
): Promise<readonly FormFault[]> {
  const errors = [
    ...(await publishFaults(store, found, draft.content)),
    ...(await dois.doiFaults(store, viewer, await newDoisOf(store, found, draft.content))),
  ];
  const required = requiredFaults(definition, tree);
  const named = new Set(required.map(({ name }) => name));
  const others = recordFaults(errors, definition).filter(({ name }) => name === null || !named.has(name));
  const filing = (await filingFaults(store, viewer, found, draft.content)).map(filingFault);
  const ofCommunities =
    found.item.content === null ? await communities.faults(store, found.parent, draft.content.access) : [];
  return [...required, ...others, ...filing, ...ofCommunities];
}

const filingFault = ({ messages: [en = ""] }: FieldError): FormFault => ({
  name: PLACE_FIELDS.indexes,
  words: { en, ja: "登録する権限がないインデックスが選ばれています" },
});

export async function checksOfDraft(checking: Checking, viewer: Viewer, read: CheckedForm): Promise<DraftChecks> {
  const faults = await faultsOfDraft(checking, viewer, read);
  return {
    faults: faults.map(({ name, words }) => ({ label: shownLabel(read.form.definition, name), words })),
    warnings: draftWarnings(read.draft.content),
  };
}

/** The label of a fault's control; null where it is about the whole draft. */
function shownLabel(definition: ItemTypeDefinition, name: string | null): Bilingual | null {
  if (name === null) return null;
  const label = labelAt(
    definition,
    name.split(".").map((step) => (/^\d+$/.test(step) ? Number(step) : step)),
  );
  return label.en === "" ? null : label;
}

/** The labels on the way to a field: "Creator 2: Name 1: Full name". */
export function labelAt(definition: ItemTypeDefinition, path: Conflict["path"]): Bilingual {
  const labels: { en: string; ja: string }[] = [];
  let fields = enteredGroups(definition);
  for (const step of path) {
    const last = labels.at(-1);
    if (typeof step === "number") {
      if (last !== undefined)
        labels[labels.length - 1] = { en: `${last.en} ${step + 1}`, ja: `${last.ja} ${step + 1}` };
      continue;
    }
    const field = fields.find(({ key }) => key === step);
    if (field === undefined) break;
    labels.push({ en: field.label.en, ja: field.label.ja ?? field.label.en });
    fields = field.fields;
  }
  return { en: labels.map(({ en }) => en).join(": "), ja: labels.map(({ ja }) => ja).join("：") };
}
