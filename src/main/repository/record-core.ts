// The use cases of records, made from what the repository is (R1, R37): for its endpoints, its exports, its tools and
// its commands.
import { sentRecord } from "../../model/input/record-refusals.ts";
import { type RecordLists, recordLists } from "../../repository/record-lists/record-lists.ts";
import { type DraftImport, draftImport } from "../../repository/records/draft-import.ts";
import { recordEntries } from "../../repository/records/record-reading.ts";
import { type Records, records } from "../../repository/records/records.ts";
import { draftCommunities } from "../../repository/requests/draft-communities.ts";
import { REVIEW, reviewSetting } from "../../repository/requests/reviews.ts";
import type { Core } from "./core.ts";
import { doiSources } from "./doi-sources.ts";
import type { Runtime } from "./feature.ts";

/** Memory for records as guests read them; only the endpoint that answers with them fills it. */
const KEPT_BYTES = 32 * 1024 * 1024;

export const recordsOf = ({ store, clock, random, items, config, addresses }: Core): Records => {
  const setReview = reviewSetting({ clock, random });
  return records({
    store,
    clock,
    random,
    items,
    itemType: config.toolItemType,
    communities: draftCommunities({ clock, random }),
    keptBytes: KEPT_BYTES,
    written: addresses,
    entriesOf: recordEntries({ clock }),
    review: (tx, viewer, topic, review) =>
      setReview(tx, viewer, topic, sentRecord(REVIEW, review)().receiver.community),
  });
};

/** Drafts filled in from documents and DOIs, over the same use cases. */
export const draftImportOf = ({ items, config }: Core, records: Records): DraftImport =>
  draftImport({ records, items, lookUps: doiSources(config) });

/** Lists of records, over the same use cases. */
export const recordListsOf = (runtime: Runtime, records: Records): RecordLists => {
  const { store, finder, clock, items } = runtime;
  return recordLists({ store, finder, records, entriesOf: recordEntries({ clock }), today: () => items.today() });
};
