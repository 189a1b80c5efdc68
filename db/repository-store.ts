// The store of the repository on SQLite or PostgreSQL: src/ports/repository/store.ts put together from one file of queries per aggregate.
import type { RepositoryReader, RepositoryStore, RepositoryWriter } from "../src/ports/repository/store.ts";
import { answered, answering } from "./away.ts";
import type { Session } from "./dialect.ts";
import { accountReader, accountWriter } from "./repository/accounts.ts";
import { activityReader, activityWriter } from "./repository/activities.ts";
import { communityReader, communityWriter } from "./repository/communities.ts";
import { readEvents, recordEvents } from "./repository/events.ts";
import { indexReader, indexWriter } from "./repository/indexes.ts";
import { itemReader, itemWriter } from "./repository/items.ts";
import { jobReader, jobWriter } from "./repository/jobs.ts";
import { settingReader, settingWriter } from "./repository/settings.ts";
import { stockReader } from "./repository/stock.ts";
import { storageIdentityWriter } from "./repository/storage-identity.ts";
import { arkWriter, openSessions, type StoreOptions } from "./store.ts";

function repositoryReader(session: Session): RepositoryReader {
  return {
    accounts: answering(accountReader(session)),
    communities: answering(communityReader(session)),
    settings: answering(settingReader(session)),
    indexes: answering(indexReader(session)),
    items: answering(itemReader(session)),
    activities: answering(activityReader(session)),
    jobs: answering(jobReader(session)),
  };
}

/** Everything a transaction may do, on a session that is one. */
export function repositoryWriter(session: Session): RepositoryWriter {
  return {
    arks: arkWriter(session),
    accounts: accountWriter(session),
    communities: communityWriter(session),
    settings: settingWriter(session),
    indexes: indexWriter(session),
    items: itemWriter(session),
    activities: activityWriter(session),
    jobs: jobWriter(session),
    storage: storageIdentityWriter(session),
    audit: (viewer, at, events) => recordEvents(session, viewer, at, events),
  };
}

/** Opens the database, brings it to the newest schema and gives back the stores of both halves. `:memory:` is a fresh, empty one. */
export async function openRepositoryStore(options: StoreOptions): Promise<RepositoryStore> {
  const { store, transact, reader } = await openSessions({ role: "repository", ...options });
  return {
    ...repositoryReader(reader),
    arks: store,
    stock: answering(stockReader(reader)),
    transact: (work) => transact((session) => work(repositoryWriter(session))),
    events: (subject, limit) => answered(readEvents(reader, subject, limit)),
    ping: () => store.ping(),
    close: () => store.close(),
  };
}
