// Step 10 of a deposit: how it is registered, by the settings of the client and of the format (R16, R16a, R17; messages
// 15, 21, 22, 23).

import type { Viewer } from "../../auth/account.ts";
import { formatOf, type MetadataFormat, type PackageKind } from "../../model/files/described-package.ts";
import { CLIENT_SETTING, type ClientSetting, type FormatSetting } from "../../model/items/deposit-settings.ts";
import { takesDeposits } from "../../model/rights/workflow-rules.ts";
import { startOf } from "../../shared/declared.ts";
import type { Lineages } from "../store/indexes.ts";
import type { SettingReader, SettingsOfDeposit, Workflow } from "../store/settings.ts";
import type { RepositoryReader } from "../store/store.ts";
import { requireDepositScopes, WORKFLOW_SCOPE } from "./admission.ts";
import { SwordError, swordRefusals } from "./messages.ts";

/** The settings that apply to one deposit. */
export type DepositSettings = {
  readonly format: MetadataFormat;
  /** The record of the token's client; null where it has none, or none that is active. */
  readonly client: ClientSetting | null;
  /** From the default record, where a personal token without a record deposits linked data (R6e); else null. */
  readonly byDefault: Pick<ClientSetting, "mapping" | "defaultIndex"> | null;
  readonly formatSetting: FormatSetting;
  /** As the client's record names them, or the default one. */
  readonly mapping: SettingsOfDeposit["mapping"];
  readonly itemType: SettingsOfDeposit["itemType"];
};

/** What holds for a format nobody has set (R17). */
export const FORMAT_DEFAULTS: Readonly<Record<MetadataFormat, FormatSetting>> = {
  "TSV/CSV": { format: "TSV/CSV", active: true, registrationType: 1, workflow: null, duplicateCheck: false },
  XML: { format: "XML", active: true, registrationType: 2, workflow: null, duplicateCheck: false },
  JSON: { format: "JSON", active: true, registrationType: 1, workflow: null, duplicateCheck: false },
};

/** The record of the client a viewer's token belongs to; null where it has none, and for sessions. */
export async function clientSettingOf(settings: SettingReader, { clientId }: Viewer): Promise<ClientSetting | null> {
  return clientId === "" ? null : await settings.clientSetting(clientId);
}

/**
 * A personal token without a record deposits linked data by the settings of its format and the mapping of the default
 * record (R6e).
 *
 * @throws SwordError message 21 for a JSON-LD package whose client has a record that was switched off, or is a program
 * without one.
 */
export async function depositSettings(
  reader: Pick<RepositoryReader, "settings" | "indexes">,
  viewer: Viewer,
  kind: PackageKind,
): Promise<DepositSettings> {
  const { settings } = reader;
  const format = formatOf(kind);
  const { client: record, mapping, itemType, ...found } = await settings.ofDeposit(viewer.clientId, format);
  const client = record?.active === true ? record : null;
  const formatSetting = found.format ?? FORMAT_DEFAULTS[format];
  if (format !== "JSON" || client !== null)
    return { format, client, byDefault: null, formatSetting, mapping, itemType };
  const isPersonal = viewer.proof?.kind === "secret";
  const byDefault = record === null && isPersonal ? await directClientSetting(reader, viewer.clientId) : null;
  const usual = byDefault === null ? null : await settings.mapping(byDefault.mapping);
  if (usual === null) throw swordRefusals.noClientSetting();
  const ofUsual = await settings.itemType(usual.itemType);
  return { format, client, byDefault, formatSetting, mapping: usual, itemType: ofUsual };
}

/** What is set for a format, or what holds where nothing is. */
export async function formatSetting(settings: SettingReader, format: MetadataFormat): Promise<FormatSetting> {
  return (await settings.formatSetting(format)) ?? FORMAT_DEFAULTS[format];
}

/** Null: registered directly. */
export type Method = {
  readonly workflow: Workflow | null;
  readonly duplicateCheck: boolean;
  readonly keepIncomplete: boolean;
};

const XML_DIRECT = "Direct registration is not allowed for XML metadata yet.";

/**
 * `itemType`: of the mapping or of the document; null for XML, which takes that of its workflow.
 *
 * @throws SwordError messages 22, 23, MetadataFormatNotAcceptable for XML without a workflow, Forbidden without
 * `user:activity`.
 */
export async function registrationMethod(
  settings: SettingReader,
  viewer: Viewer,
  { format, client, formatSetting }: DepositSettings,
  itemType: number | null,
): Promise<Method> {
  const registrationType = client?.registrationType ?? formatSetting.registrationType;
  const duplicateCheck = client?.duplicateCheck ?? formatSetting.duplicateCheck;
  const keepIncomplete = client?.keepIncomplete ?? false;
  if (registrationType === 1) {
    if (format === "XML") throw new SwordError("MetadataFormatNotAcceptable", XML_DIRECT);
    return { workflow: null, duplicateCheck, keepIncomplete };
  }
  const named = client?.workflow ?? formatSetting.workflow;
  const workflow = named === null ? await firstWorkflow(settings, itemType) : await settings.workflow(named);
  if (workflow === null || !takesDeposits(workflow)) throw swordRefusals.workflowUnfit();
  if (itemType !== null && workflow.itemType !== itemType)
    throw swordRefusals.itemTypesDiffer(itemType, workflow.itemType);
  requireDepositScopes(viewer, [WORKFLOW_SCOPE]);
  return { workflow, duplicateCheck, keepIncomplete };
}

/**
 * The index of a deposit that names none: the first of the defaults that is there. One that was deleted counts as not
 * set (R16a).
 */
export function defaultIndexOf(live: Lineages, defaults: readonly number[]): number | null {
  return defaults.find((id) => live.has(id)) ?? null;
}

/** Where no workflow is named, the first of the item type that takes deposits. */
export async function firstWorkflow(settings: SettingReader, itemType: number | null): Promise<Workflow | null> {
  const fit = (await settings.workflows()).filter(takesDeposits);
  return fit.find((workflow) => itemType === null || workflow.itemType === itemType) ?? null;
}

// The client record with which linked data can be deposited at once (R6e, R16a, R17): what a new token begins with, and
// what personal tokens without a record use.

/** The index every repository has from its start (R24). */
export const FIRST_INDEX = 1;
/** The shipped mapping for RO-Crates (R14). */
export const RO_CRATE_MAPPING = "ro-crate-default";

/**
 * The record of a client that deposits linked data directly (R17), so that JSON-LD needs no configuration. Null after
 * the shipped mapping was deleted.
 */
export async function directClientSetting(
  { settings, indexes }: Pick<RepositoryReader, "settings" | "indexes">,
  clientId: string,
): Promise<ClientSetting | null> {
  const mapping = (await settings.mappings()).find(({ name, deleted }) => name === RO_CRATE_MAPPING && !deleted);
  if (mapping === undefined) return null;
  return {
    ...startOf(CLIENT_SETTING),
    clientId,
    mapping: mapping.id,
    // An administrator may have deleted the index: then there is not a default (R16a).
    defaultIndex: (await indexes.lineage(FIRST_INDEX)).length > 0 ? FIRST_INDEX : null,
  };
}
