// The settings of deposits per metadata format and per client (R17; specification 2, "Client setting record").

import { METADATA_FORMATS, type MetadataFormat } from "../../model/files/described-package.ts";
import {
  CLIENT_SETTING,
  type ClientSetting,
  FORMAT_SETTING,
  type FormatSetting,
} from "../../model/items/deposit-settings.ts";
import { takesDeposits } from "../../model/rights/workflow-rules.ts";
import { shownFrom, startOf, valuesFrom } from "../../shared/declared.ts";
import type { Instant } from "../../shared/time/instant.ts";
import { FORMAT_DEFAULTS } from "../deposit/client-settings.ts";
import type { Workflow } from "../store/settings.ts";
import type { RepositoryWriter } from "../store/store.ts";
import {
  type AdministrationNeeds,
  type Audit,
  type CollectionOf,
  change,
  invalid,
  missing,
  requireIndex,
} from "./collection.ts";
import { FORMAT_IDS, SWORD_CLIENT, SWORD_FORMAT } from "./records.ts";

const shownFormat = (setting: FormatSetting) => ({
  format: setting.format,
  ...shownFrom(FORMAT_SETTING, setting),
});

function formatNamed(id: string): MetadataFormat {
  const known: readonly (readonly [string, MetadataFormat])[] = Object.entries(FORMAT_IDS);
  const lower = id.toLowerCase();
  const found = known.find(([name, format]) => name === lower || format.toLowerCase() === lower);
  if (found === undefined) throw missing(`metadata format (there are ${Object.keys(FORMAT_IDS).join(", ")})`, id);
  return found[1];
}

export function formatCollection(needs: AdministrationNeeds): CollectionOf<typeof SWORD_FORMAT> {
  const { settings } = needs.store;
  const of = async (reader: Pick<typeof settings, "formatSetting">, format: MetadataFormat): Promise<FormatSetting> =>
    (await reader.formatSetting(format)) ?? FORMAT_DEFAULTS[format];
  return {
    list: () => Promise.all(METADATA_FORMATS.map(async (format) => shownFormat(await of(settings, format)))),
    read: async (id) => shownFormat(await of(settings, formatNamed(id))),
    update: (viewer, id, sent) =>
      change(needs, viewer, async (tx, _at, audit) => {
        const format = formatNamed(id);
        const before = await of(tx.settings, format);
        const read = SWORD_FORMAT.read(shownFrom(FORMAT_SETTING, before), sent);
        const setting = { ...before, ...valuesFrom(FORMAT_SETTING, read) };
        await requireWorkflow(tx, setting.workflow);
        await tx.settings.saveFormatSetting(setting);
        await audit("sword-format-set", `sword-format:${format}`, { ...read });
        return shownFormat(setting);
      }),
  };
}

const shownClient = (setting: ClientSetting) => ({
  client_id: setting.clientId,
  ...shownFrom(CLIENT_SETTING, setting),
});

/** Records of clients; PUT makes one where there is none. */
export function clientCollection(needs: AdministrationNeeds): CollectionOf<typeof SWORD_CLIENT> {
  const { settings } = needs.store;
  return {
    list: async () => (await settings.clientSettings()).map(shownClient),
    async read(id) {
      const setting = await settings.clientSetting(id);
      if (setting === null) throw missing("client record", id);
      return shownClient(setting);
    },
    update: (viewer, id, sent) => change(needs, viewer, (tx, at, audit) => saveClientRecordIn(tx, at, audit, id, sent)),
  };
}

/** @throws Refusal `not_found` where no token and no client has this id, `invalid` for what cannot work together */
export async function saveClientRecordIn(
  tx: RepositoryWriter,
  at: Instant,
  audit: Audit,
  clientId: string,
  sent: unknown,
) {
  if ((await tx.accounts.client(clientId)) === null) throw missing("token or client", clientId);
  const before = await tx.settings.clientSetting(clientId);
  const read = SWORD_CLIENT.read(shownFrom(CLIENT_SETTING, before ?? startOf(CLIENT_SETTING)), sent);
  // Every member was there before, or was read now.
  const setting = { clientId, ...valuesFrom(CLIENT_SETTING, read) } as ClientSetting;
  await requireFitting(tx, setting, before);
  await tx.settings.saveClientSetting(setting, at);
  await audit("sword-client-set", `client:${clientId}`, { ...read });
  return shownClient(setting);
}

async function requireFitting(
  tx: RepositoryWriter,
  setting: ClientSetting,
  before: ClientSetting | null,
): Promise<void> {
  const mapping = await tx.settings.mapping(setting.mapping);
  if (mapping === null || mapping.deleted) throw invalid(`mapping_id: mapping ${setting.mapping} does not exist`);
  await requireIndex(tx, setting.defaultIndex, "default_index", before?.defaultIndex);
  const workflow = await requireWorkflow(tx, setting.workflow);
  // A deposit would be refused with message 23; the setting is refused first.
  if (setting.registrationType === 2 && workflow !== null && workflow.itemType !== mapping.itemType) {
    const types = `${mapping.itemType}, but the workflow's is ${workflow.itemType}`;
    throw invalid(`workflow_id: the item type of the mapping is ${types}`);
  }
}

async function requireWorkflow(tx: RepositoryWriter, id: number | null): Promise<Workflow | null> {
  if (id === null) return null;
  const workflow = await tx.settings.workflow(id);
  if (workflow === null) throw invalid(`workflow_id: workflow ${id} does not exist`);
  if (!takesDeposits(workflow)) throw invalid(`workflow_id: workflow ${id} is deleted or registers no item`);
  return workflow;
}
