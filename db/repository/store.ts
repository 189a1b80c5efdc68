// The store of the repository on SQLite or PostgreSQL: src/repository/store/store.ts put together from one file of
// queries per aggregate.
import { noticeEntry, noticesOf } from "../../src/model/notices/notice-rules.ts";
import type { RepositoryReader, RepositoryStore, RepositoryWriter } from "../../src/repository/store/store.ts";
import { arkWriter, openSessions, type StoreOptions } from "../ark/store.ts";
import { accountReader, accountWriter } from "../auth/accounts.ts";
import { personalDataReader, personalDataWriter } from "../auth/personal-data.ts";
import { profileReader, profileWriter } from "../auth/profiles.ts";
import { answering, lazyMembers, type Session } from "../engine/dialect.ts";
import { itemFeed } from "../feed/item-feed.ts";
import { jobReader, jobWriter } from "../jobs/jobs.ts";
import { settingReader, settingWriter } from "./administration/settings.ts";
import { staticPageReader, staticPageWriter } from "./administration/static-pages.ts";
import { auditReader, recordEvents } from "./audit-events.ts";
import { grantReader, grantWriter } from "./authorization/grants.ts";
import { authorReader, authorWriter } from "./authors/authors.ts";
import { communityReader, communityWriter } from "./communities/communities.ts";
import { countReader } from "./counts.ts";
import { fullTextReader, fullTextWriter } from "./full-text/full-text.ts";
import { indexReader, indexWriter } from "./index-tree/indexes.ts";
import { accessLinkReader, accessLinkWriter } from "./items/access-links.ts";
import { accessRequestReader, accessRequestWriter } from "./items/access-requests.ts";
import { draftRevisionReader, draftRevisionWriter } from "./items/draft-revisions.ts";
import { itemReader, itemWriter } from "./items/items.ts";
import { storageIdentityWriter } from "./items/storage-identity.ts";
import { transferReader, transferWriter } from "./items/transfers.ts";
import { outgoingReader, outgoingWriter } from "./notices/outgoing.ts";
import { savedSearchReader, savedSearchWriter } from "./notices/saved-searches.ts";
import { harvestReader, harvestWriter } from "./oai/harvest.ts";
import { draftFileReader, draftFileWriter } from "./record-files/draft-files.ts";
import { requestReader, requestWriter } from "./requests/requests.ts";
import { searchCollectionReader, searchWriter } from "./search-writer.ts";
import { usageReader, usageWriter } from "./statistics/usage.ts";
import { activityReader, activityWriter } from "./workflow/activities.ts";

function repositoryReader(session: Session): RepositoryReader {
  return {
    accounts: answering(accountReader(session)),
    profiles: answering(profileReader(session)),
    personalData: answering(personalDataReader(session)),
    grants: answering(grantReader(session)),
    communities: answering(communityReader(session)),
    requests: answering(requestReader(session)),
    authors: answering(authorReader(session)),
    settings: answering(settingReader(session)),
    indexes: answering(indexReader(session)),
    items: answering(itemReader(session)),
    transfers: answering(transferReader(session)),
    accessRequests: answering(accessRequestReader(session)),
    staticPages: answering(staticPageReader(session)),
    accessLinks: answering(accessLinkReader(session)),
    draftFiles: answering(draftFileReader(session)),
    draftRevisions: answering(draftRevisionReader(session)),
    activities: answering(activityReader(session)),
    jobs: answering(jobReader(session)),
    fullText: answering(fullTextReader(session)),
    harvest: answering(harvestReader(session)),
    usage: answering(usageReader(session)),
    outgoing: answering(outgoingReader(session)),
    savedSearches: answering(savedSearchReader(session)),
  };
}

/** Everything a transaction may do, on a session that is one. */
const repositoryWriter = lazyMembers<RepositoryWriter>({
  arks: arkWriter,
  accounts: accountWriter,
  profiles: profileWriter,
  personalData: personalDataWriter,
  grants: grantWriter,
  communities: communityWriter,
  requests: requestWriter,
  authors: authorWriter,
  settings: settingWriter,
  indexes: indexWriter,
  items: itemWriter,
  transfers: transferWriter,
  accessRequests: accessRequestWriter,
  staticPages: staticPageWriter,
  accessLinks: accessLinkWriter,
  draftFiles: draftFileWriter,
  draftRevisions: draftRevisionWriter,
  activities: activityWriter,
  jobs: jobWriter,
  fullText: fullTextWriter,
  harvest: harvestWriter,
  usage: usageWriter,
  outgoing: outgoingWriter,
  savedSearches: savedSearchWriter,
  storage: storageIdentityWriter,
  searchWriting: searchWriter,
  // Events cause their notices in the same transaction: none is lost, and none is sent of what was rolled back.
  audit: (session) => async (viewer, at, events) => {
    await recordEvents(session, viewer, at, events);
    const notices = noticesOf(viewer.account?.id ?? null, events);
    if (notices.length === 0) return;
    await outgoingWriter(session).addOutgoing(
      notices.map((notice) => noticeEntry(notice, at)),
      at,
    );
    await outgoingWriter(session).hastenOutgoing(at);
  },
});

/**
 * Opens the database, brings it to the newest schema and returns the stores of both halves. `:memory:` is a new, empty
 * one.
 */
export async function openRepositoryStore(options: StoreOptions): Promise<RepositoryStore> {
  const { store, transact, reader } = await openSessions({ role: "repository", ...options });
  return {
    ...repositoryReader(reader),
    ...answering(auditReader(reader)),
    arks: store,
    counts: answering(countReader(reader)),
    searching: answering(searchCollectionReader(reader)),
    changes: answering(itemFeed(reader, transact)),
    transact: (work, size) => transact((session) => work(repositoryWriter(session)), size),
    ping: () => store.ping(),
    close: () => store.close(),
  };
}
