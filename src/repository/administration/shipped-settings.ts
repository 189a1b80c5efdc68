// Settings that the product ships for a repository (R4, R6a, R14, R17): item types, vocabularies, mappings, a workflow
// and the defaults of deposits. Missing settings are written; settings that an administrator changed stay as they are.

import { REPOSITORY_OPERATOR, ROLES } from "../../auth/account.ts";
import { METADATA_FORMATS } from "../../model/files/described-package.ts";
import { readItemType } from "../../model/item-types/read-definition.ts";
import type { Json } from "../../shared/json/json.ts";
import { isJsonObject, type JsonObject } from "../../shared/json/read.ts";
import type { Instant } from "../../shared/time/instant.ts";
import { FIRST_INDEX, FORMAT_DEFAULTS } from "../deposit/client-settings.ts";
import type { RepositoryEvent } from "../store/audit.ts";
import type { StoredMapping, Workflow } from "../store/settings.ts";
import type { RepositoryWriter, SetupStep } from "../store/store.ts";
import type { VocabularyEntry } from "../store/vocabularies.ts";

/** Item types the product brings along, by their ids. */
const FULL_ITEM_TYPE = 1;

/** Member of a stored definition that marks it as shipped. An administrator who writes a definition leaves it out. */
export const SHIPPED_MARK = "shipped";

type ShippedSettings = {
  /** Undecided JSON, checked where it is read. */
  readonly itemTypes: readonly unknown[];
  readonly vocabularies: ShippedVocabularies;
  readonly mappings: readonly { readonly name: string; readonly kind: string; readonly definition: unknown }[];
};

/** Another edition is looked through once, at the first start of the program that brings it. */
type ShippedVocabularies = {
  readonly edition: number;
  readonly types: readonly string[];
  readonly entries: (type: string) => readonly VocabularyEntry[];
};

const INDEXED_TOGETHER = 1_000;

/**
 * In this order: each may refer to what those before it wrote. A separate step creates the first index
 * (src/repository/index-tree/index-tree.ts).
 */
export function shippedSettings(shipped: ShippedSettings): readonly SetupStep[] {
  return [
    (tx, at) => itemTypesStep(tx, at, shipped.itemTypes),
    (tx, at) => vocabulariesStep(tx, at, shipped.vocabularies),
    (tx, at) => mappingsStep(tx, at, shipped.mappings),
    workflowStep,
    formatsStep,
  ];
}

/** A copy of what is JSON already, as our type for it. */
function jsonObject(value: unknown): JsonObject {
  // JSON.parse gives JSON and nothing else.
  const copy = JSON.parse(JSON.stringify(value)) as Json;
  if (!isJsonObject(copy)) throw new TypeError("What is shipped is not a JSON object");
  return copy;
}

const auditChange = (tx: RepositoryWriter, at: Instant, event: RepositoryEvent): Promise<void> =>
  tx.audit(REPOSITORY_OPERATOR, at, [event]);

async function itemTypesStep(tx: RepositoryWriter, at: Instant, itemTypes: readonly unknown[]): Promise<void> {
  for (const each of itemTypes) {
    const { id, version, name } = readItemType(each);
    const stored = await tx.settings.itemType(id);
    if (stored !== null && !isOlderShipped(stored.definition, version)) continue;
    const definition = { ...jsonObject(each), [SHIPPED_MARK]: version };
    const saved = await tx.settings.saveItemType({ id, name, deleted: stored?.deleted ?? false, definition }, at);
    const detail = { version: saved.version, shipped: version };
    await auditChange(tx, at, { action: "item-type-save", subject: `item-type:${id}`, detail });
  }
}

function isOlderShipped(definition: Json, version: number): boolean {
  const mark = isJsonObject(definition) ? definition[SHIPPED_MARK] : undefined;
  return typeof mark === "number" && mark < version;
}

/**
 * Entries that are missing are added at the place they have in our list. Of those that are there the titles stay as
 * they are; one that is called as we call it also gets what we know of it.
 */
async function vocabulariesStep(tx: RepositoryWriter, at: Instant, shipped: ShippedVocabularies): Promise<void> {
  // The search does not find entries yet that an earlier version wrote, even one that still runs.
  const isNewer = (await tx.communities.vocabularyEdition()) < shipped.edition;
  if (isNewer) await tx.communities.forgetVocabularyKeys();
  while ((await tx.communities.indexVocabulary(INDEXED_TOGETHER, at)) > 0);
  if (!isNewer) return;
  for (const type of shipped.types) {
    const ours = shipped.entries(type);
    const known = new Map((await tx.communities.vocabulary(type)).map((entry) => [entry.id, entry]));
    const ids = new Set(ours.map(({ id }) => id));
    const others = [...known.values()].filter(({ id }) => !ids.has(id));
    const all = [...ours.map((entry) => unitedEntry(entry, known.get(entry.id))), ...others];
    await tx.communities.saveVocabulary(all, at);
    const added = ids.size + others.length - known.size;
    if (added > 0)
      await auditChange(tx, at, { action: "vocabulary-save", subject: `vocabulary:${type}`, detail: { added } });
  }
  await tx.communities.setVocabularyEdition(shipped.edition);
}

function unitedEntry(ours: VocabularyEntry, stored: VocabularyEntry | undefined): VocabularyEntry {
  if (stored === undefined) return ours;
  const isOurs = stored.title.en === ours.title.en && stored.title.ja === ours.title.ja;
  return isOurs ? { ...stored, props: { ...stored.props, ...ours.props } } : stored;
}

async function mappingsStep(tx: RepositoryWriter, at: Instant, shipped: ShippedSettings["mappings"]): Promise<void> {
  const known = await tx.settings.mappings();
  for (const { name, kind, definition } of shipped) {
    const stored = known.find((mapping) => mapping.name === name);
    const marked = { ...jsonObject(definition), [SHIPPED_MARK]: true };
    if (stored !== undefined && !isOlderMapping(stored, marked)) continue;
    const mapping: StoredMapping = {
      id: stored?.id ?? 0,
      name,
      kind: kind === "sword" ? "sword" : "ro-crate",
      itemType: stored?.itemType ?? FULL_ITEM_TYPE,
      definition: marked,
      deleted: stored?.deleted ?? false,
    };
    const id = await tx.settings.saveMapping(mapping, at);
    await auditChange(tx, at, { action: "mapping-save", subject: `mapping:${id}`, detail: { name } });
  }
}

function isOlderMapping({ definition }: StoredMapping, ours: JsonObject): boolean {
  const isOurs = isJsonObject(definition) && definition[SHIPPED_MARK] === true;
  return isOurs && JSON.stringify(definition) !== JSON.stringify(ours);
}

/** What a repository without any workflow gets (R17). */
const FIRST_WORKFLOW: Omit<Workflow, "index"> = {
  id: 0,
  name: { en: "Deposit with approval", ja: "承認付きデポジット" },
  itemType: FULL_ITEM_TYPE,
  actions: ["start", "item_registration", "approval", "end"],
  approvers: { roles: [ROLES.systemAdministrator, ROLES.repositoryAdministrator], accounts: [], communities: [] },
  delete: { actions: ["start", "approval", "end"] },
  deleted: false,
};

const workflowStep: SetupStep = async (tx, at) => {
  if ((await tx.settings.workflows()).length > 0) return;
  const index = (await tx.indexes.lineage(FIRST_INDEX)).length > 0 ? FIRST_INDEX : null;
  const id = await tx.settings.saveWorkflow({ ...FIRST_WORKFLOW, index }, at);
  const detail = { name: FIRST_WORKFLOW.name.en };
  await auditChange(tx, at, { action: "workflow-save", subject: `workflow:${id}`, detail });
};

/** XML goes through the workflow, for it cannot be registered directly (R17). */
const formatsStep: SetupStep = async (tx, at) => {
  for (const format of METADATA_FORMATS) {
    if ((await tx.settings.formatSetting(format)) !== null) continue;
    const [first] = (await tx.settings.workflows()).filter(({ deleted }) => !deleted);
    const defaults = FORMAT_DEFAULTS[format];
    const workflow = defaults.registrationType === 2 ? (first?.id ?? null) : null;
    await tx.settings.saveFormatSetting({ ...defaults, workflow });
    await auditChange(tx, at, { action: "sword-format-save", subject: `sword-format:${format}`, detail: {} });
  }
};
