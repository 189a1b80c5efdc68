// Item types, mappings, workflows, and the settings of deposits per format and per client (R4a, R14, R16, R17).
import type { Selectable } from "kysely";
import {
  CLIENT_SETTING,
  type ClientSetting,
  FORMAT_SETTING,
  type FormatSetting,
} from "../../../src/model/items/deposit-settings.ts";
import type {
  SettingReader,
  SettingsOfDeposit,
  SettingWriter,
  StoredItemType,
  StoredMapping,
  Workflow,
} from "../../../src/repository/store/settings.ts";
import type { Json } from "../../../src/shared/json/json.ts";
import type { Instant } from "../../../src/shared/time/instant.ts";
import { rowsOf, run, type Session, statement } from "../../engine/dialect.ts";
import { allRows, flag, json, membersOf, oneRow, rowsAs, rowsIn } from "../../engine/record.ts";
import type {
  ItemTypeTable,
  ItemTypeVersionTable,
  MappingTable,
  SwordClientTable,
  SwordFormatTable,
  WorkflowTable,
} from "../../engine/repository-schema.ts";

const ITEM_TYPE = "t.id, t.name_en, t.name_ja, t.deleted, v.version, v.definition";
const ITEM_TYPE_AT = statement(
  () => `select ${ITEM_TYPE} from item_type t join item_type_version v on v.item_type_id = t.id
    where t.id = $1 and v.version = coalesce($2, t.version)`,
);
const ITEM_TYPES = statement(
  () => `select ${ITEM_TYPE} from item_type t
    join item_type_version v on v.item_type_id = t.id and v.version = t.version order by t.id`,
);
const MAPPING = "id, name, kind, item_type_id, definition, deleted";
const MAPPING_BY_ID = statement(() => `select ${MAPPING} from mapping where id = $1`);
const MAPPINGS = statement(() => `select ${MAPPING} from mapping order by id`);
const WORKFLOW = rowsAs<
  Omit<WorkflowTable, "name_en" | "name_ja" | "created_at" | "updated_at">,
  Omit<Workflow, "name">
>({
  id: "id",
  itemType: "item_type_id",
  index: "index_id",
  actions: json("actions"),
  approvers: json("approvers"),
  delete: json("delete_flow"),
  deleted: flag("deleted"),
});
const WORKFLOW_BY_ID = statement(() => `select ${WORKFLOW.list}, name_en, name_ja from workflow where id = $1`);
const WORKFLOWS = statement(() => `select ${WORKFLOW.list}, name_en, name_ja from workflow order by id`);
const FORMAT = rowsAs<SwordFormatTable, FormatSetting>({ format: "format", ...membersOf(FORMAT_SETTING) });
const FORMAT_BY_NAME = statement(() => `select ${FORMAT.list} from sword_format where format = $1`);
const CLIENT = rowsAs<Omit<SwordClientTable, "updated_at">, ClientSetting>({
  clientId: "client_id",
  ...membersOf(CLIENT_SETTING),
});
const CLIENT_BY_ID = statement(() => `select ${CLIENT.list} from sword_client where client_id = $1`);
const CLIENTS = statement(() => `select ${CLIENT.list} from sword_client order by client_id`);
const OF_DEPOSIT = statement(
  ({
    jsonRows,
  }) => `select ${jsonRows(CLIENT.names, `select ${CLIENT.list} from sword_client where client_id = $1`)} as client,
      ${jsonRows(FORMAT.names, `select ${FORMAT.list} from sword_format where format = $2`)} as setting,
      m.id, m.name, m.kind, m.item_type_id, m.definition, m.deleted, t.version as type_version, t.deleted as type_deleted
    from (select 1 as one) always
    left join mapping m on m.id = (select s.mapping_id from sword_client s where s.client_id = $1)
    left join item_type t on t.id = m.item_type_id`,
);
const SEARCH_SETTINGS = statement(() => "select name, value from search_setting");
const COUNT_OF_TYPE = statement(
  () => `select count(*) as items from (
    select item_id from item_revision where item_type_id = $1 union select item_id from item_draft where item_type_id = $1
  ) used`,
);

type ItemTypeRow = Pick<Selectable<ItemTypeTable>, "id" | "name_en" | "name_ja" | "deleted"> &
  Pick<ItemTypeVersionTable, "version" | "definition">;
type MappingRow = Selectable<MappingTable>;
type WorkflowRow = Selectable<WorkflowTable>;

/**
 * Definitions read last, by kind and number: the full item type has a hundred kilobytes, and every deposit asks for it.
 * Never changed by anybody.
 */
const parsed = new Map<string, { readonly text: string; readonly value: Json }>();
const PARSED_MAX = 100;

function parsedOnce(key: string, text: string): Json {
  const known = parsed.get(key);
  if (known?.text === text) return known.value;
  const value = JSON.parse(text) as Json;
  if (parsed.size >= PARSED_MAX) parsed.clear();
  parsed.set(key, { text, value });
  return value;
}

function toItemType(row: ItemTypeRow): StoredItemType {
  return {
    id: Number(row.id),
    version: Number(row.version),
    name: { en: row.name_en, ja: row.name_ja },
    deleted: row.deleted === 1,
    definition: parsedOnce(`item type ${row.id}.${row.version}`, row.definition),
  };
}

function toMapping(row: MappingRow): StoredMapping {
  return {
    id: Number(row.id),
    name: row.name,
    kind: row.kind === "sword" ? "sword" : "ro-crate",
    itemType: Number(row.item_type_id),
    definition: parsedOnce(`mapping ${row.id}`, row.definition),
    deleted: row.deleted === 1,
  };
}

const toWorkflow = (row: WorkflowRow): Workflow => ({
  ...WORKFLOW.read(row),
  name: { en: row.name_en, ja: row.name_ja },
});

type OfDepositRow = Omit<MappingRow, "id"> & {
  id: number | null;
  client: string;
  setting: string;
  type_version: number | null;
  type_deleted: number | null;
};

async function readOfDeposit(session: Session, clientId: string, format: string): Promise<SettingsOfDeposit> {
  const [row] = await rowsOf<OfDepositRow>(session, OF_DEPOSIT, [clientId, format]);
  if (row === undefined) throw new RangeError("A question about settings was left without an answer");
  const [client] = rowsIn<object>(CLIENT.names, row.client);
  const [setting] = rowsIn<object>(FORMAT.names, row.setting);
  return {
    client: client === undefined ? null : CLIENT.read(client),
    format: setting === undefined ? null : FORMAT.read(setting),
    mapping: row.id === null ? null : toMapping({ ...row, id: row.id }),
    itemType:
      row.type_version === null
        ? null
        : { id: Number(row.item_type_id), version: Number(row.type_version), deleted: row.type_deleted === 1 },
  };
}

export function settingReader(session: Session): SettingReader {
  return {
    itemType: (id, version) => oneRow(session, ITEM_TYPE_AT, [id, version ?? null], toItemType),
    itemTypes: () => allRows(session, ITEM_TYPES, [], toItemType),
    mapping: (id) => oneRow(session, MAPPING_BY_ID, [id], toMapping),
    mappings: () => allRows(session, MAPPINGS, [], toMapping),
    workflow: (id) => oneRow(session, WORKFLOW_BY_ID, [id], toWorkflow),
    workflows: () => allRows(session, WORKFLOWS, [], toWorkflow),
    formatSetting: (format) => oneRow(session, FORMAT_BY_NAME, [format], FORMAT.read),
    clientSetting: (clientId) => oneRow(session, CLIENT_BY_ID, [clientId], CLIENT.read),
    ofDeposit: (clientId, format) => readOfDeposit(session, clientId, format),
    clientSettings: () => allRows(session, CLIENTS, [], CLIENT.read),
    async searchSettings() {
      const rows = await rowsOf<{ name: string; value: string }>(session, SEARCH_SETTINGS);
      // What is written there was JSON when it was written.
      return Object.fromEntries(rows.map(({ name, value }) => [name, JSON.parse(value) as Json]));
    },
    async countItemsOfType(itemType) {
      const [row] = await rowsOf<{ items: number }>(session, COUNT_OF_TYPE, [itemType]);
      return Number(row?.items ?? 0);
    },
  };
}

const NEXT_TYPE = statement(
  () => "select setval(pg_get_serial_sequence('item_type', 'id'), (select max(id) from item_type))",
);

/** PostgreSQL does not count ids that were set by hand: it would assign the next one twice. */
async function afterGivenId<Row>(session: Session, id: number, row: Row): Promise<Row> {
  if (id !== 0 && session.dialect === "postgres") await run(session, NEXT_TYPE);
  return row;
}

async function saveItemType(session: Session, itemType: Omit<StoredItemType, "version">, at: Instant) {
  const { db } = session;
  const { id, name, deleted, definition } = itemType;
  const values = { name_en: name.en, name_ja: name.ja, deleted: deleted ? 1 : 0, updated_at: at };
  const known = await db.selectFrom("item_type").select("version").where("id", "=", id).executeTakeFirst();
  const version = Number(known?.version ?? 0) + 1;
  const saved =
    known === undefined
      ? await db
          .insertInto("item_type")
          .values({ ...(id === 0 ? {} : { id }), ...values, version, created_at: at })
          .returning("id")
          .executeTakeFirstOrThrow()
          .then((row) => afterGivenId(session, id, row))
      : await db
          .updateTable("item_type")
          .set({ ...values, version })
          .where("id", "=", id)
          .returning("id")
          .executeTakeFirstOrThrow();
  const row = { item_type_id: Number(saved.id), version, definition: JSON.stringify(definition), created_at: at };
  await db.insertInto("item_type_version").values(row).execute();
  return { id: Number(saved.id), version };
}

async function saveMapping({ db }: Session, mapping: StoredMapping, at: Instant): Promise<number> {
  const { id, name, kind, itemType, definition, deleted } = mapping;
  const kept = { name, kind, item_type_id: itemType, definition: JSON.stringify(definition), deleted: deleted ? 1 : 0 };
  const values = { ...kept, updated_at: at };
  if (id === 0) {
    const made = db.insertInto("mapping").values({ ...values, created_at: at });
    return (await made.returning("id").executeTakeFirstOrThrow()).id;
  }
  const saved = await db.updateTable("mapping").set(values).where("id", "=", id).returning("id").execute();
  if (saved.length === 0) throw new RangeError(`Cannot save mapping ${id}: there is none`);
  return id;
}

async function saveWorkflow({ db }: Session, workflow: Workflow, at: Instant): Promise<number> {
  const { id, ...kept } = WORKFLOW.write(workflow);
  const values = { ...kept, name_en: workflow.name.en, name_ja: workflow.name.ja, updated_at: at };
  if (id === 0) {
    const made = db.insertInto("workflow").values({ ...values, created_at: at });
    return (await made.returning("id").executeTakeFirstOrThrow()).id;
  }
  const saved = await db.updateTable("workflow").set(values).where("id", "=", id).returning("id").execute();
  if (saved.length === 0) throw new RangeError(`Cannot save workflow ${id}: there is none`);
  return id;
}

export function settingWriter(session: Session): SettingWriter {
  const { db } = session;
  return {
    ...settingReader(session),
    saveItemType: (itemType, at) => saveItemType(session, itemType, at),
    saveMapping: (mapping, at) => saveMapping(session, mapping, at),
    saveWorkflow: (workflow, at) => saveWorkflow(session, workflow, at),
    async saveFormatSetting(setting) {
      const { format, ...values } = FORMAT.write(setting);
      await db
        .insertInto("sword_format")
        .values({ format, ...values })
        .onConflict((conflict) => conflict.column("format").doUpdateSet(values))
        .execute();
    },
    async saveSearchSetting(name, value, at) {
      if (value === null) {
        await db.deleteFrom("search_setting").where("name", "=", name).execute();
        return;
      }
      const values = { value: JSON.stringify(value), updated_at: at };
      await db
        .insertInto("search_setting")
        .values({ name, ...values })
        .onConflict((conflict) => conflict.column("name").doUpdateSet(values))
        .execute();
    },
    async saveClientSetting(setting, at) {
      const { client_id, ...written } = CLIENT.write(setting);
      const values = { ...written, updated_at: at };
      await db
        .insertInto("sword_client")
        .values({ client_id, ...values })
        .onConflict((conflict) => conflict.column("client_id").doUpdateSet(values))
        .execute();
    },
  };
}
