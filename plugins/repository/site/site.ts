// Everything people see of the repository, as one plugin (R32): front page, records and files, indexes, activities,
// accounts, site maps.
import { type AnyElysia, Elysia } from "elysia";
import { pdfFrameFiles } from "../../http/pdf-frame.ts";
import { staticFiles } from "../../http/static-files.ts";
import { type AccessPagesNeeds, accessPages } from "./access-pages.ts";
import { type AccountPagesNeeds, accountPages } from "./account-pages.ts";
import { type ActivityPagesNeeds, activityPages } from "./activity-pages.ts";
import { type CommunityLogoPagesNeeds, communityLogoPages } from "./community-logo-pages.ts";
import { type CommunityManagePagesNeeds, communityManagePages } from "./community-manage-pages.ts";
import { type CommunityMemberPagesNeeds, communityMemberPages } from "./community-member-pages.ts";
import { type CommunityPagesNeeds, communityPages } from "./community-pages.ts";
import { type ComponentPagesNeeds, componentPages } from "./component-pages.ts";
import { type ConsentPagesNeeds, consentPages } from "./consent-pages.ts";
import { type DepositFilesNeeds, depositFilesPages } from "./deposit-files.ts";
import { type DepositPagesNeeds, depositPages } from "./deposit-pages.ts";
import { type DepositPreviewNeeds, depositPreview } from "./deposit-preview.ts";
import { type DepositSuggestionsNeeds, depositSuggestions } from "./deposit-suggestions.ts";
import { type FigurePagesNeeds, figurePages } from "./figure-pages.ts";
import { type FiledPagesNeeds, filedPages } from "./filed-pages.ts";
import { type FrontPagesNeeds, frontPages } from "./front-pages.ts";
import { type ImportPagesNeeds, importPages } from "./import-pages.ts";
import { type IndexPagesNeeds, indexPages } from "./index-pages.ts";
import { type JoinPagesNeeds, joinPages } from "./join-pages.ts";
import { type MachinePagesNeeds, machinePages } from "./machine-pages.ts";
import { type ManagePagesNeeds, managePages } from "./manage-pages.ts";
import { type NoticePagesNeeds, noticePages } from "./notice-pages.ts";
import { type OwnAccountPagesNeeds, ownAccountPages } from "./own-account-pages.ts";
import { type PersonPagesNeeds, personPages } from "./person-pages.ts";
import { type RecordPagesNeeds, recordPages } from "./record-pages.ts";
import { type RegistrationPagesNeeds, registrationPages } from "./registration-pages.ts";
import { type ReviewPagesNeeds, reviewPages } from "./review-pages.ts";
import { type SavedSearchPagesNeeds, savedSearchPages } from "./saved-search-pages.ts";
import { type SearchFilesNeeds, searchFiles } from "./search-files.ts";
import { type SearchPagesNeeds, searchPages } from "./search-pages.ts";
import { type StaticPagesNeeds, staticPageViews } from "./static-pages.ts";
import { type TaskPagesNeeds, taskPages } from "./task-pages.ts";
import { type TransferPagesNeeds, transferPages } from "./transfer-pages.ts";
import { type VersionPagesNeeds, versionPages } from "./version-pages.ts";
import { type ViewerPagesNeeds, viewerPages } from "./viewer-pages.ts";
import { type WorkPagesNeeds, workPages } from "./work-pages.ts";
import { type ZipEntriesNeeds, zipEntries } from "./zip-entries.ts";

type SiteNeeds = RecordPagesNeeds &
  FrontPagesNeeds &
  IndexPagesNeeds &
  AccountPagesNeeds &
  OwnAccountPagesNeeds &
  RegistrationPagesNeeds &
  ConsentPagesNeeds &
  CommunityPagesNeeds &
  CommunityManagePagesNeeds &
  CommunityLogoPagesNeeds &
  CommunityMemberPagesNeeds &
  ComponentPagesNeeds &
  DepositPagesNeeds &
  DepositFilesNeeds &
  DepositPreviewNeeds &
  DepositSuggestionsNeeds &
  FiledPagesNeeds &
  FigurePagesNeeds &
  ImportPagesNeeds &
  ActivityPagesNeeds &
  MachinePagesNeeds &
  ManagePagesNeeds &
  SearchPagesNeeds &
  SearchFilesNeeds &
  SavedSearchPagesNeeds &
  PersonPagesNeeds &
  NoticePagesNeeds &
  ReviewPagesNeeds &
  StaticPagesNeeds &
  TransferPagesNeeds &
  AccessPagesNeeds &
  JoinPagesNeeds &
  TaskPagesNeeds &
  ViewerPagesNeeds &
  VersionPagesNeeds &
  WorkPagesNeeds &
  ZipEntriesNeeds;

const PLUGINS: readonly ((needs: SiteNeeds) => AnyElysia)[] = [
  pdfFrameFiles,
  recordPages,
  frontPages,
  accessPages,
  indexPages,
  activityPages,
  accountPages,
  ownAccountPages,
  registrationPages,
  consentPages,
  depositPages,
  depositFilesPages,
  depositPreview,
  depositSuggestions,
  filedPages,
  figurePages,
  importPages,
  machinePages,
  managePages,
  communityPages,
  communityManagePages,
  communityLogoPages,
  communityMemberPages,
  componentPages,
  searchPages,
  searchFiles,
  savedSearchPages,
  personPages,
  noticePages,
  reviewPages,
  staticPageViews,
  joinPages,
  taskPages,
  viewerPages,
  transferPages,
  versionPages,
  workPages,
  zipEntries,
];

/** Each is mounted by itself: the type of a chain of all of them is too deep for the compiler. */
export function site(needs: SiteNeeds): AnyElysia {
  const app: AnyElysia = new Elysia({ name: "site" }).use(staticFiles(needs.settings.look));
  for (const plugin of PLUGINS) app.use(plugin(needs));
  return app;
}
