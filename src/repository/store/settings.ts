// Item types, mappings, workflows, settings of deposits (R4, R14, R16, R17).

import type { RoleId } from "../../auth/account.ts";
import type { MetadataFormat } from "../../model/files/described-package.ts";
import type { ClientSetting, FormatSetting } from "../../model/items/deposit-settings.ts";
import type { Action } from "../../model/rights/workflow-rules.ts";
import type { AccountId, IndexId } from "../../shared/ids.ts";
import type { Json } from "../../shared/json/json.ts";
import type { Instant } from "../../shared/time/instant.ts";

export type StoredItemType = {
  readonly id: number;
  readonly version: number;
  readonly name: { readonly en: string; readonly ja: string };
  readonly deleted: boolean;
  /** As src/model/item-types writes and checks it. */
  readonly definition: Json;
};

export type StoredMapping = {
  readonly id: number;
  readonly name: string;
  readonly kind: "sword" | "ro-crate";
  readonly itemType: number;
  readonly definition: Json;
  readonly deleted: boolean;
};

export type WorkflowAction = Action;
export type Workflow = {
  readonly id: number;
  readonly name: { readonly en: string; readonly ja: string };
  readonly itemType: number;
  readonly index: IndexId | null;
  readonly actions: readonly WorkflowAction[];
  readonly approvers: {
    readonly roles: readonly RoleId[];
    readonly accounts: readonly AccountId[];
    readonly communities: readonly string[];
  };
  readonly delete: { readonly actions: readonly WorkflowAction[] } | null;
  readonly deleted: boolean;
};

/** The settings that apply to a deposit by a client in a format, read together. */
export type SettingsOfDeposit = {
  readonly client: ClientSetting | null;
  readonly format: FormatSetting | null;
  /** The mapping that the client's record names. */
  readonly mapping: StoredMapping | null;
  /**
   * Of the mapping: its newest version, and whether it is still there. What it defines is read apart, once for each
   * version.
   */
  readonly itemType: Pick<StoredItemType, "id" | "version" | "deleted"> | null;
};

export interface SettingReader {
  /** The newest version, or the one asked for. */
  itemType(id: number, version?: number): Promise<StoredItemType | null>;
  itemTypes(): Promise<readonly StoredItemType[]>;
  mapping(id: number): Promise<StoredMapping | null>;
  mappings(): Promise<readonly StoredMapping[]>;
  workflow(id: number): Promise<Workflow | null>;
  workflows(): Promise<readonly Workflow[]>;
  formatSetting(format: MetadataFormat): Promise<FormatSetting | null>;
  clientSetting(clientId: string): Promise<ClientSetting | null>;
  ofDeposit(clientId: string, format: MetadataFormat): Promise<SettingsOfDeposit>;
  clientSettings(): Promise<readonly ClientSetting[]>;
  /**
   * What was set of searching, by name; what has no entry is as it is shipped
   * (src/repository/search/settings/settings.ts).
   */
  searchSettings(): Promise<Readonly<Record<string, Json>>>;
  /** Items (any revision or draft) of an item type. */
  countItemsOfType(itemType: number): Promise<number>;
}

export interface SettingWriter extends SettingReader {
  /** Inserts (id 0) or adds a version. Returns the id and the version. */
  saveItemType(
    itemType: Omit<StoredItemType, "version">,
    at: Instant,
  ): Promise<{ readonly id: number; readonly version: number }>;
  /** Inserts (id 0) or replaces. Returns the id. */
  saveMapping(mapping: StoredMapping, at: Instant): Promise<number>;
  saveWorkflow(workflow: Workflow, at: Instant): Promise<number>;
  saveFormatSetting(setting: FormatSetting): Promise<void>;
  saveClientSetting(setting: ClientSetting, at: Instant): Promise<void>;
  /** Null: as it is shipped again. */
  saveSearchSetting(name: string, value: Json | null, at: Instant): Promise<void>;
}
