// The use cases of the records interface (R37), one set for HTTP and for the tool servers: thin functions over the core
// of items.

import { type DepositTypes, depositTypes } from "./deposit-types.ts";
import { type DraftForms, draftForms } from "./draft-forms.ts";
import { type DraftRevisions, draftRevisions } from "./draft-revisions.ts";
import { type RecordImport, recordImport } from "./record-import.ts";
import { type RecordLinks, recordLinks } from "./record-links.ts";
import { type RecordReading, type RecordsNeeds, recordReading } from "./record-reading.ts";
import { type RecordRemoval, recordRemoval } from "./record-removal.ts";
import { type RecordRevisions, recordRevisions } from "./record-revisions.ts";
import { type RecordSharing, recordSharing } from "./record-sharing.ts";
import { type RecordWriting, recordWriting } from "./record-writing.ts";

export type Records = RecordReading &
  RecordWriting &
  RecordImport &
  RecordRemoval &
  RecordRevisions &
  DraftRevisions &
  DraftForms &
  RecordLinks &
  DepositTypes &
  RecordSharing;

export const records = (needs: RecordsNeeds): Records => {
  const reading = recordReading(needs);
  const writing = recordWriting(needs, reading);
  return {
    ...reading,
    ...writing,
    ...recordImport(writing),
    ...recordRemoval(needs, reading, writing),
    ...recordRevisions(needs),
    ...draftRevisions(needs, reading, writing),
    ...draftForms(needs, writing),
    ...depositTypes(needs),
    ...recordSharing(needs, writing),
    ...recordLinks(needs, writing),
  };
};
