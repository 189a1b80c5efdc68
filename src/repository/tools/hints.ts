// The call that helps after a refusal that does not name it itself (R30; reference 1.4): always the tool and the
// argument. Tests hold every tool named here against the table.
import type { Refusal } from "../../shared/refusal.ts";

const COMMUNITY = {
  404: "search_communities (query) finds communities",
  410: "the community was deleted: search_communities (query) finds others",
};
const REQUEST = { 404: "list_requests (query, status) lists the requests you may see" };

/** By the tool that was called, then for all, by the status of the refusal. */
const HINTS: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  get_record: {
    404: "get_record (recid, draft=true) shows a draft of yours, without draft what is published; search_records (query) finds records",
  },
  list_revisions: { 403: "its owner, curators of its communities and administrators see the history of a record" },
  export_record: {
    404: "what is published is exported, drafts are not: publish_record (recid); search_records (query) finds records",
  },
  delete_draft: {
    400: "list_requests (status=submitted) finds the request that is open about it; request_action (request_id, action=cancel) ends it",
    404: "it has no draft that is yours: my_records lists yours",
  },
  start_multipart_upload: { 413: "the repository takes no file of that size" },
  create_record: {
    400: "list_vocabulary (vocab_type) has the ids; create again, or update_record mends a draft that was kept",
  },
  update_record: {
    400: "list_vocabulary (vocab_type) has the ids",
    409: "wait until the other work on the record has ended",
  },
  publish_record: { 404: "get_record (recid, draft=true) shows a draft; search_records finds records" },
  new_version: { 404: "new_version works on published records: publish_record (recid) publishes a draft first" },
  delete_record: {
    400: "reason_id is an id of the vocabulary removalreasons; list_vocabulary (vocab_type=removalreasons) has them; get_record (recid) shows whether it is removed already",
    404: "delete_draft (recid) discards a draft that was never published; search_records (query) finds records",
    403: "only administrators remove published records",
  },
  restore_record: {
    400: "get_record (recid) shows whether it is removed",
    403: "only administrators restore removed records",
  },
  search_communities: { 400: "query takes words; page times size reaches to 10000" },
  get_community: COMMUNITY,
  list_community_records: COMMUNITY,
  list_requests: {
    400: "get_request (request_id) reads one; query takes words or filters such as type:community-submission",
  },
  get_request: REQUEST,
  comment_on_request: { ...REQUEST, 400: "comment takes 1 to 10000 characters, plain or with simple HTML" },
  submit_to_community: {
    400: "get_record (recid, draft=true) shows the draft and its errors; search_communities (query) finds communities",
    403: "get_community (community) shows who may submit",
  },
  request_action: {
    400: "get_request (request_id) shows its status and the actions that are open",
    403: "get_request (request_id) shows the actions you may take",
    ...REQUEST,
  },
  create_community: { 400: "list_vocabulary (vocab_type=communitytypes) has the types" },
  list_files: {
    404: "list_files (recid, draft=true) lists files of a draft of yours, draft=false those of what is published; search_records (query) finds records",
  },
  download_file: { 404: "list_files (recid) has the names, with draft=true those of a draft" },
  delete_file: { 404: "list_files (recid, draft=true) has the names" },
  complete_multipart_upload: { 404: "start_multipart_upload (recid, filename, size) begins one" },
  abort_multipart_upload: { 404: "list_files (recid, draft=true) shows which uploads are under way" },
};

const COMMON: Readonly<Record<number, string>> = {
  403: "this account or its token may not do this; whoami shows which account, roles and scopes you have",
  404: "search_records (query) finds records; my_records (query) finds your drafts",
  409: "somebody else works on it: try again when that has ended",
  410: "it was removed: error.tombstone states why; restore_record (recid) undoes it for administrators",
  412: "it was changed meanwhile: get_record (recid) shows it as it is now",
  429: "wait as long as Retry-After states",
  503: "try again later",
};

export function hintFor(tool: string, { status }: Refusal): string | undefined {
  const own = Object.hasOwn(HINTS, tool) ? HINTS[tool]?.[status] : undefined;
  return own ?? COMMON[status];
}

/** All of them, for the test that holds them against the table of tools. */
export const ALL_HINTS: readonly string[] = [
  ...Object.values(HINTS).flatMap((each) => Object.values(each)),
  ...Object.values(COMMON),
];
