// The tables of the repository as Kysely sees them (R1 to R8a), with the brands of ids, days and moments. The DDL is in
// migrations/0003-repository.ts.
import type { Generated } from "kysely";
import type { INDEX_FIELDS } from "../../src/model/indexes/index-fields.ts";
import type { CLIENT_SETTING, FORMAT_SETTING } from "../../src/model/items/deposit-settings.ts";
import type { Second } from "../../src/repository/store/harvest.ts";
import type { OutgoingChannel, OutgoingState } from "../../src/repository/store/outgoing.ts";
import type { Declaration, ValuesOf } from "../../src/shared/declared.ts";
import type { AccountId, AuthorId, IndexId, ItemId, ParentId } from "../../src/shared/ids.ts";
import type { Day } from "../../src/shared/time/day.ts";
import type { Instant } from "../../src/shared/time/instant.ts";

type Snake<Name extends string> = Name extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${Snake<Tail>}`
  : Name;
/** The column of a member of a declared record: called as it is sent. */
export type ColumnName<D extends Declaration, Name extends keyof D & string> = D[Name] extends {
  readonly sent: infer Sent extends string;
}
  ? Sent
  : Snake<Name>;
/** Booleans are 0 and 1, lists are text. */
type CellOf<T> = T extends boolean | number ? number : T extends null ? null : string;
/** A declared record as a row of its table. */
type ColumnsOf<D extends Declaration> = {
  [Name in keyof D & string as ColumnName<D, Name>]: CellOf<ValuesOf<D>[Name]>;
};

export interface AccountTable {
  id: Generated<AccountId>;
  mail: string | null;
  eppn: string | null;
  name: string;
  roles: string;
  active: number;
  created_at: Instant;
  updated_at: Instant;
}

interface LoginLinkTable {
  hash: string;
  account_id: AccountId;
  created_at: Instant;
  expires_at: Instant;
  used_at: Instant | null;
}

export interface LoginSessionTable {
  hash: string;
  account_id: AccountId;
  csrf: string;
  created_at: Instant;
  expires_at: Instant;
  way: string | null;
  client_id: string | null;
  last_used_at: Instant | null;
  agent: string | null;
}

export interface AccountProfileTable {
  account_id: AccountId;
  orcid: string | null;
  orcid_source: string | null;
  orcid_at: Instant | null;
  closed_at: Instant | null;
}

export interface RegistrationTable {
  id: Generated<number>;
  kind: string;
  mail: string;
  name: string;
  language: string | null;
  roles: string;
  invited_by: AccountId | null;
  hash: string | null;
  created_at: Instant;
  expires_at: Instant;
  used_at: Instant | null;
}

export interface AccountClientTable {
  client_id: string;
  account_id: AccountId;
  kind: string;
  name: string;
  scopes: string;
  active: number;
  created_at: Instant;
  expires_at: Instant | null;
  made_with: string | null;
}

export interface AccountSecretTable {
  id: string;
  client_id: string;
  hash: string;
  created_at: Instant;
  expires_at: Instant | null;
  revoked_at: Instant | null;
  last_used_on: Day | null;
}

interface AccountGroupTable {
  id: Generated<number>;
  name: string;
  created_at: Instant;
}

interface AccountGroupMemberTable {
  group_id: number;
  account_id: AccountId;
}

export interface CommunityTable {
  id: string;
  slug: string;
  title_en: string;
  title_ja: string;
  type: string;
  visibility: string;
  review_policy: string;
  root_index: IndexId | null;
  created_at: Instant;
  updated_at: Instant;
  deleted_at: Instant | null;
  revision: Generated<number>;
  direct_members: Generated<number>;
  submission_policy: Generated<string>;
  members_visibility: Generated<string>;
  member_policy: Generated<string>;
  details: Generated<string>;
  searched: Generated<string>;
}

export interface CommunityMemberTable {
  community_id: string;
  account_id: AccountId;
  role: string;
  visible: Generated<number>;
  created_at: Generated<Instant>;
  updated_at: Generated<Instant>;
}

export interface CommunityLogoTable {
  community_id: string;
  media_type: string;
  sha256: string;
  size_bytes: number;
  /** Base64. */
  content: string;
  created_at: Instant;
  updated_at: Instant;
}

export interface RequestTable {
  id: Generated<number>;
  uuid: string;
  type: string;
  status: string;
  title: string;
  searched: string;
  community_id: string;
  topic_item: ItemId | null;
  topic_parent: ParentId | null;
  account_id: AccountId;
  receiver_account: AccountId | null;
  role: string | null;
  linked: number;
  revision: number;
  events: number;
  created_at: Instant;
  updated_at: Instant;
  submitted_at: Instant | null;
  asks_to_join: Generated<number>;
  holder_account: AccountId | null;
}

export interface RequestEventTable {
  request_id: number;
  position: number;
  uuid: string;
  type: string;
  account_id: AccountId | null;
  event: string;
  content: string;
  revision: number;
  created_at: Instant;
  updated_at: Instant;
  field: Generated<string>;
  about_account: AccountId | null;
}

export interface VocabularyTable {
  type: string;
  id: string;
  title_en: string;
  title_ja: string;
  props: string;
  position: number;
  /** Null: what the entry is found by was not made yet. */
  title_key: string | null;
  search_text: string;
  revision: number;
  created_at: Instant;
  updated_at: Instant;
}

interface UsageCountColumns {
  views: number;
  unique_views: number;
  downloads: number;
  unique_downloads: number;
  data_volume: number;
}

interface UsageDayTable extends UsageCountColumns {
  day: Day;
  subject: string;
  id: number;
  file: string;
}

interface UsageTotalTable extends UsageCountColumns {
  subject: string;
  id: number;
  used_on: Day;
}

interface UsageMonthTable {
  subject: string;
  ref: string;
  month: string;
  views: number;
  downloads: number;
  data_volume: number;
}

interface VocabularyWordTable {
  type: string;
  word: string;
  id: string;
}

export interface ItemTypeTable {
  id: Generated<number>;
  name_en: string;
  name_ja: string;
  version: number;
  deleted: number;
  created_at: Instant;
  updated_at: Instant;
}

export interface ItemTypeVersionTable {
  item_type_id: number;
  version: number;
  definition: string;
  created_at: Instant;
}

export interface MappingTable {
  id: Generated<number>;
  name: string;
  kind: string;
  item_type_id: number;
  definition: string;
  deleted: number;
  created_at: Instant;
  updated_at: Instant;
}

export interface WorkflowTable {
  id: Generated<number>;
  name_en: string;
  name_ja: string;
  item_type_id: number;
  index_id: IndexId | null;
  actions: string;
  approvers: string;
  delete_flow: string | null;
  deleted: number;
  created_at: Instant;
  updated_at: Instant;
}

export interface SwordFormatTable extends ColumnsOf<typeof FORMAT_SETTING> {
  format: string;
}

export interface SwordClientTable extends ColumnsOf<typeof CLIENT_SETTING> {
  client_id: string;
  updated_at: Instant;
}

export interface IndexNodeTable extends ColumnsOf<typeof INDEX_FIELDS> {
  id: IndexId;
  parent: IndexId;
  position: number;
  owner_account_id: AccountId | null;
  created_at: Instant;
  updated_at: Instant;
  deleted_at: Instant | null;
}

interface RepositoryStateTable {
  key: string;
  value: number;
}

interface ResourceTable {
  id: Generated<number>;
  kind: string;
}

export interface ItemParentTable {
  id: ParentId;
  owner_account_id: AccountId;
  latest_item_id: ItemId | null;
  created_at: Instant;
  default_community: string | null;
  access_settings: Generated<string>;
}

interface ItemShareTable {
  parent_id: ParentId;
  account_id: AccountId;
}

interface ItemGrantTable {
  parent_id: ParentId;
  subject: "user" | "role";
  subject_id: number;
  permission: "view" | "preview" | "edit" | "manage";
}

export interface RecordTransferTable {
  id: string;
  parent_id: ParentId;
  item_id: ItemId;
  status: "submitted" | "accepted" | "declined" | "cancelled";
  title: string;
  message: string;
  account_id: AccountId;
  receiver_account: AccountId;
  created_at: Instant;
  updated_at: Instant;
}

export interface AccessRequestTable {
  id: string;
  type: "user-access-request" | "guest-access-request";
  status: "created" | "submitted" | "accepted" | "declined" | "cancelled" | "expired";
  parent_id: ParentId;
  item_id: ItemId;
  title: string;
  message: string;
  answer: string;
  account_id: AccountId | null;
  mail: string;
  name: string;
  language: string;
  consent: number;
  token_hash: string | null;
  decided_by: AccountId | null;
  ends_on: Day | null;
  revoked_at: Instant | null;
  ended_because: string;
  created_at: Instant;
  updated_at: Instant;
}

export interface StaticPageTable {
  slug: string;
  revision: number;
  at: Instant;
  account_id: AccountId | null;
  message: string;
  title_en: string;
  content_en: string;
  title_ja: string;
  content_ja: string;
  footer: number | null;
  deleted: number;
  newest: number;
}

export interface SavedSearchTable {
  id: string;
  account_id: AccountId;
  position: number;
  name: string;
  query: string;
  frequency: "never" | "daily" | "weekly";
  feed_hash: string | null;
  since: Instant;
  next_run_at: Instant | null;
  created_at: Instant;
  updated_at: Instant;
}

interface SavedSearchItemTable {
  search_id: string;
  item_id: ItemId;
  published_at: Instant;
}

export interface AccessLinkTable {
  id: string;
  parent_id: ParentId;
  permission: "view" | "preview" | "edit" | "manage";
  token_hash: string;
  description: string;
  account_id: AccountId;
  created_at: Instant;
  expires_at: Instant | null;
  request_id: string | null;
  uses: Generated<number>;
  last_used: Day | null;
}

interface ItemCommunityTable {
  parent_id: ParentId;
  community_id: string;
}

interface FileSetTable {
  id: Generated<number>;
  created_at: Instant;
}

export interface FileSetEntryTable {
  file_set_id: number;
  position: number;
  name: string;
  storage_key: string | null;
  sha256: string;
  md5: string | null;
  size_bytes: number;
  media_type: string;
  access: string;
  access_date: Day | null;
  properties: string;
  erased_at: Instant | null;
}

export interface ItemTable {
  id: ItemId;
  parent_id: ParentId;
  version_index: number;
  state: string;
  revision: number;
  item_type_id: number | null;
  item_type_version: number | null;
  record_access: string | null;
  open_date: Day | null;
  files_access: string | null;
  embargo_until: Day | null;
  embargo_reason: string | null;
  file_set_id: number | null;
  ark: string | null;
  deposited_by: AccountId | null;
  deposited_on_behalf_of: AccountId | null;
  created_at: Instant;
  updated_at: Instant;
  published_at: Instant | null;
  deleted_at: Instant | null;
  title: string;
  metadata: string | null;
  settings: string | null;
  file_options: string | null;
}

export interface ItemRevisionTable {
  item_id: ItemId;
  revision: number;
  action: string;
  at: Instant;
  account_id: AccountId | null;
  on_behalf_of: AccountId | null;
  item_type_id: number;
  item_type_version: number;
  content: string;
  file_set_id: number;
  package_name: string | null;
  package_sha256: string | null;
  erased_at: Instant | null;
}

interface ItemSummaryTable {
  item_id: ItemId;
  revision: number;
  content: string;
}

interface ItemDraftTable {
  item_id: ItemId;
  counter: number;
  item_type_id: number;
  item_type_version: number;
  content: string;
  file_set_id: number;
  editor_account_id: AccountId;
  activity_id: string | null;
  saved_at: Instant;
  began_at: Instant | null;
}

export interface DraftRevisionTable {
  item_id: ItemId;
  counter: number;
  saved_at: Instant;
  account_id: AccountId;
  characters: number;
  content: string;
}

export interface RemovedFileTable {
  id: string;
  item_id: ItemId;
  storage_key: string;
  removed_at: Instant;
  entry: string;
}

export interface DraftFileTable {
  item_id: ItemId;
  key: string;
  id: string;
  transfer: string;
  state: string;
  metadata: string | null;
  size_bytes: number | null;
  storage_key: string | null;
  sha256: string;
  md5: string | null;
  details: string;
  account_id: AccountId;
  created_at: Instant;
  updated_at: Instant;
}

interface ItemDraftPlaceTable {
  index_id: IndexId;
  item_id: ItemId;
}

/** The feed of the repository (R34); written by triggers. On PostgreSQL also `xid`. */
export interface FileTextTable {
  sha256: string;
  state: string;
  reason: string;
  characters: number;
  reader: number;
  at: Instant;
  text: string;
}

interface ItemChangeTable {
  id: Generated<number>;
  at: Instant;
  subject: string;
  target: string;
}

interface ItemPlaceTable {
  index_id: IndexId;
  item_id: ItemId;
  position: number;
}

export interface TombstoneTable {
  item_id: ItemId;
  reason: string | null;
  note: string;
  account_id: AccountId | null;
  at: Instant;
  citation: string;
  is_visible: number;
}

interface DuplicateKeyTable {
  kind: string;
  digest: string;
  item_id: ItemId;
}

export interface ItemLockTable {
  item_id: ItemId;
  purpose: string;
  owner: string;
  taken_at: Instant;
  expires_at: Instant;
}

export interface ActivityTable {
  id: string;
  workflow_id: number;
  kind: string;
  item_id: ItemId | null;
  state: string;
  step: number;
  action: string;
  actions: string;
  title: string;
  account_id: AccountId;
  on_behalf_of: AccountId | null;
  client_id: string | null;
  package_name: string | null;
  package_sha256: string | null;
  note: string;
  created_at: Instant;
  updated_at: Instant;
  holder_account: AccountId | null;
}

export interface ActivityStepTable {
  activity_id: string;
  number: number;
  action: string;
  state: string;
  account_id: AccountId | null;
  comment: string;
  at: Instant;
  event: Generated<string>;
  field: Generated<string>;
  about_account: AccountId | null;
}

interface ActivityNumberTable {
  kind: string;
  day: Day;
  last: number;
}

export interface DepositReceiptTable {
  account_id: AccountId;
  idempotency_key: string;
  target: string;
  package_sha256: string;
  status: number | null;
  answer: string | null;
  owner: string;
  created_at: Instant;
  expires_at: Instant;
}

export interface JobTable {
  id: Generated<number>;
  kind: string;
  subject: string;
  payload: string;
  state: string;
  attempts: number;
  wished_again: number;
  run_at: Instant;
  lease_owner: string | null;
  lease_until: Instant | null;
  last_error: string;
  created_at: Instant;
  done_at: Instant | null;
  progress: string;
}

export interface OutgoingTable {
  id: Generated<number>;
  channel: OutgoingChannel;
  subject: string;
  account_id: AccountId | null;
  payload: string;
  state: OutgoingState;
  attempts: number;
  run_at: Instant;
  last_error: string;
  created_at: Instant;
  ended_at: Instant | null;
}

export interface NoticeSettingTable {
  account_id: AccountId;
  language: string | null;
  choices: string;
  stop_key: string;
  feed_hash: string | null;
}

export interface RepositoryEventTable {
  id: Generated<number>;
  at: Instant;
  account_id: AccountId | null;
  client_id: string;
  address: string;
  action: string;
  subject: string;
  detail: string;
}

export interface LoginAttemptTable {
  state: string;
  verifier: string;
  nonce: string;
  return_to: string;
  expires_at: Instant;
}

interface SearchWriterTable {
  only_one: number;
  owner: string;
  until: Instant;
}

interface SearchCollectionTable {
  name: string;
  state: string;
  schema: string;
  least: number;
  most: number | null;
  labels: number;
  written: number;
  seal: number | null;
}

interface StorageIdentityTable {
  only_one: number;
  id: string;
  /** JSON list of texts, the newest last. */
  turns: string;
}

export interface AuthorTable {
  id: Generated<AuthorId>;
  uuid: string;
  content: string;
  merged_into: AuthorId | null;
  created_at: Instant;
  updated_at: Instant;
  deleted_at: Instant | null;
}

interface AuthorKeyTable {
  kind: string;
  key: string;
  author_id: AuthorId;
}

interface AuthorNumberTable {
  number: number;
  author_id: AuthorId;
}

interface AuthorCommunityTable {
  community_id: string;
  author_id: AuthorId;
}

export interface AuthorChoiceTable {
  kind: string;
  id: string;
  url: string;
  form: string;
  position: number;
}

interface ItemAuthorTable {
  author_id: AuthorId;
  item_id: ItemId;
  postponed: number;
}

export interface AuthorPropagationTable {
  author_id: AuthorId;
  turn: number;
  behind: number;
  done: number;
  total: number;
  with_names: number;
  dropped: string;
}

interface SearchSettingTable {
  name: string;
  value: string;
  updated_at: Instant;
}

export interface OaiRecordTable {
  parent_id: ParentId;
  number: number;
  datestamp: Second;
  state: string;
  item_id: ItemId;
  revision: number;
  ark: string | null;
  access_status: string;
  content: string;
  /** Separated by spaces. */
  sets: string;
}

interface OaiRecordSetTable {
  spec: string;
  datestamp: Second;
  number: number;
}

interface OaiDueTable {
  parent_id: ParentId;
  content: number;
  again: number;
}

export interface OaiStateTable {
  only_one: number;
  epoch: string;
  horizon: string;
  closed: Second;
  day: Day;
  ready: number;
  secret: string;
}

export interface OauthClientTable {
  id: string;
  kind: string;
  name: string;
  uri: string | null;
  redirect_uris: string;
  created_at: Instant;
  used_at: Instant | null;
}

export interface OauthGrantTable {
  id: string;
  account_id: AccountId;
  client_id: string;
  client_name: string;
  resource: string;
  scopes: string;
  made_with: string | null;
  created_at: Instant;
  last_used_at: Instant | null;
  ended_at: Instant | null;
}

export interface GrantSecretTable {
  id: string;
  grant_id: string;
  kind: string;
  hash: string;
  scopes: string;
  created_at: Instant;
  expires_at: Instant;
  used_at: Instant | null;
  redirect_uri: string | null;
  challenge: string | null;
}

export interface RepositoryTables {
  account: AccountTable;
  login_link: LoginLinkTable;
  login_session: LoginSessionTable;
  account_profile: AccountProfileTable;
  registration: RegistrationTable;
  account_client: AccountClientTable;
  account_secret: AccountSecretTable;
  oauth_client: OauthClientTable;
  oauth_grant: OauthGrantTable;
  grant_secret: GrantSecretTable;
  account_group: AccountGroupTable;
  account_group_member: AccountGroupMemberTable;
  community: CommunityTable;
  community_member: CommunityMemberTable;
  community_logo: CommunityLogoTable;
  request: RequestTable;
  request_event: RequestEventTable;
  vocabulary: VocabularyTable;
  vocabulary_word: VocabularyWordTable;
  usage_day: UsageDayTable;
  usage_total: UsageTotalTable;
  usage_month: UsageMonthTable;
  item_type: ItemTypeTable;
  item_type_version: ItemTypeVersionTable;
  mapping: MappingTable;
  workflow: WorkflowTable;
  sword_format: SwordFormatTable;
  sword_client: SwordClientTable;
  search_setting: SearchSettingTable;
  index_node: IndexNodeTable;
  repository_state: RepositoryStateTable;
  resource: ResourceTable;
  item_parent: ItemParentTable;
  item_share: ItemShareTable;
  item_grant: ItemGrantTable;
  access_link: AccessLinkTable;
  access_request: AccessRequestTable;
  record_transfer: RecordTransferTable;
  static_page: StaticPageTable;
  saved_search: SavedSearchTable;
  saved_search_item: SavedSearchItemTable;
  item_community: ItemCommunityTable;
  file_set: FileSetTable;
  file_set_entry: FileSetEntryTable;
  item: ItemTable;
  item_revision: ItemRevisionTable;
  item_summary: ItemSummaryTable;
  item_draft: ItemDraftTable;
  draft_file: DraftFileTable;
  draft_revision: DraftRevisionTable;
  removed_file: RemovedFileTable;
  item_draft_place: ItemDraftPlaceTable;
  item_place: ItemPlaceTable;
  tombstone: TombstoneTable;
  duplicate_key: DuplicateKeyTable;
  item_lock: ItemLockTable;
  activity: ActivityTable;
  activity_step: ActivityStepTable;
  activity_number: ActivityNumberTable;
  deposit_receipt: DepositReceiptTable;
  job: JobTable;
  outgoing: OutgoingTable;
  notice_setting: NoticeSettingTable;
  repository_event: RepositoryEventTable;
  login_attempt: LoginAttemptTable;
  storage_identity: StorageIdentityTable;
  search_writer: SearchWriterTable;
  search_collection: SearchCollectionTable;
  item_change: ItemChangeTable;
  author: AuthorTable;
  author_key: AuthorKeyTable;
  author_number: AuthorNumberTable;
  author_community: AuthorCommunityTable;
  author_choice: AuthorChoiceTable;
  item_author: ItemAuthorTable;
  author_propagation: AuthorPropagationTable;
  file_text: FileTextTable;
  oai_record: OaiRecordTable;
  oai_record_set: OaiRecordSetTable;
  oai_due: OaiDueTable;
  oai_state: OaiStateTable;
}
