// The settings of the deposit door per metadata format and per client (R17; specification 2, "Client setting record").

import { CLIENT_FIELDS, FORMAT_FIELDS, FORMAT_IDS, NEW_CLIENT_SETTING } from "./records.ts";
import type { Instant } from "../../shared/instant.ts";
import { METADATA_FORMATS, type MetadataFormat } from "../model/described-package.ts";
import { changed, type Read } from "../../shared/fields.ts";
import { takesDeposits } from "../model/workflow-rules.ts";
import type { ClientSetting, FormatSetting, Workflow } from "../store/settings.ts";
import type { RepositoryWriter } from "../store/store.ts";
import { FORMAT_DEFAULTS } from "../deposit/client-settings.ts";
import {
  type AdministrationNeeds,
  type Audit,
  type Collection,
  change,
  invalid,
  missing,
  requireIndex,
} from "./collection.ts";

const FORMAT_OWN = ["format"];
const CLIENT_OWN = ["client_id", "account"];

function shownFormat({ format, active, registrationType, workflow, duplicateCheck }: FormatSetting) {
  const settings = { registration_type_id: registrationType, workflow_id: workflow, duplicate_check: duplicateCheck };
  return { format, active, ...settings };
}

function formatNamed(id: string): MetadataFormat {
  const known: readonly (readonly [string, MetadataFormat])[] = Object.entries(FORMAT_IDS);
  const lower = id.toLowerCase();
  const found = known.find(([name, format]) => name === lower || format.toLowerCase() === lower);
  if (found === undefined) throw missing(`metadata format (there are ${Object.keys(FORMAT_IDS).join(", ")})`, id);
  return found[1];
}

export function formatCollection(needs: AdministrationNeeds): Collection {
  const { settings } = needs.store;
  const of = async (reader: Pick<typeof settings, "formatSetting">, format: MetadataFormat): Promise<FormatSetting> =>
    (await reader.formatSetting(format)) ?? FORMAT_DEFAULTS[format];
  return {
    list: () => Promise.all(METADATA_FORMATS.map(async (format) => shownFormat(await of(settings, format)))),
    read: async (id) => shownFormat(await of(settings, formatNamed(id))),
    update: (viewer, id, sent) =>
      change(needs, viewer, async (tx, _at, audit) => {
        const format = formatNamed(id);
        const { format: _format, ...before } = shownFormat(await of(tx.settings, format));
        const read = changed(FORMAT_FIELDS, before, sent, FORMAT_OWN);
        await requireWorkflow(tx, read.workflow_id);
        const setting: FormatSetting = {
          format,
          active: read.active,
          registrationType: read.registration_type_id,
          workflow: read.workflow_id,
          duplicateCheck: read.duplicate_check,
        };
        await tx.settings.saveFormatSetting(setting);
        await audit("sword-format-set", `sword-format:${format}`, { ...read });
        return shownFormat(setting);
      }),
  };
}

function shownClient(setting: ClientSetting) {
  return {
    client_id: setting.clientId,
    active: setting.active,
    registration_type_id: setting.registrationType,
    mapping_id: setting.mapping,
    workflow_id: setting.workflow,
    duplicate_check: setting.duplicateCheck,
    meta_data_api: setting.metaDataApi,
    default_index: setting.defaultIndex,
    verify_digest: setting.verifyDigest,
    keep_incomplete: setting.keepIncomplete,
  };
}

/** Records of clients; PUT makes one where there is none. */
export function clientCollection(needs: AdministrationNeeds): Collection {
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

/** Throws not_found where no token and no client has this id, invalid for what cannot work together. */
export async function saveClientRecordIn(
  tx: RepositoryWriter,
  at: Instant,
  audit: Audit,
  clientId: string,
  sent: unknown,
) {
  if ((await tx.accounts.client(clientId)) === null) throw missing("token or client", clientId);
  const before = await tx.settings.clientSetting(clientId);
  const { client_id: _id, ...parts } = before === null ? { client_id: "", ...NEW_CLIENT_SETTING } : shownClient(before);
  const read = changed(CLIENT_FIELDS, parts, sent, CLIENT_OWN);
  await requireFitting(tx, read, before);
  const setting: ClientSetting = {
    clientId,
    active: read.active,
    registrationType: read.registration_type_id,
    mapping: read.mapping_id,
    workflow: read.workflow_id,
    duplicateCheck: read.duplicate_check,
    metaDataApi: read.meta_data_api,
    defaultIndex: read.default_index,
    verifyDigest: read.verify_digest,
    keepIncomplete: read.keep_incomplete,
  };
  await tx.settings.saveClientSetting(setting, at);
  await audit("sword-client-set", `client:${clientId}`, { ...read });
  return shownClient(setting);
}

async function requireFitting(
  tx: RepositoryWriter,
  read: Read<typeof CLIENT_FIELDS>,
  before: ClientSetting | null,
): Promise<void> {
  const mapping = await tx.settings.mapping(read.mapping_id);
  if (mapping === null || mapping.deleted) throw invalid(`mapping_id: there is no mapping ${read.mapping_id}`);
  await requireIndex(tx, read.default_index, "default_index", before?.defaultIndex);
  const workflow = await requireWorkflow(tx, read.workflow_id);
  // What message 23 says at a deposit is said here already.
  if (read.registration_type_id === 2 && workflow !== null && workflow.itemType !== mapping.itemType) {
    const types = `${mapping.itemType}, but the workflow's is ${workflow.itemType}`;
    throw invalid(`workflow_id: the item type of the mapping is ${types}`);
  }
}

async function requireWorkflow(tx: RepositoryWriter, id: number | null): Promise<Workflow | null> {
  if (id === null) return null;
  const workflow = await tx.settings.workflow(id);
  if (workflow === null) throw invalid(`workflow_id: there is no workflow ${id}`);
  if (!takesDeposits(workflow)) throw invalid(`workflow_id: workflow ${id} is deleted or registers no item`);
  return workflow;
}
