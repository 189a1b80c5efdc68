// The use cases of the records interface (R37), one set for HTTP and for the tool servers: thin functions over the core of items.

import type { Viewer } from "../../auth/account.ts";
import { inTurns } from "../../shared/bytes/in-parts.ts";
import { type RecordImport, recordImport } from "./record-import.ts";
import { type RecordJson, recordJsonInParts } from "./record-json.ts";
import type { RecordsNeeds } from "./record-needs.ts";
import { type RecordReading, recordReading } from "./record-reading.ts";
import { type RecordRemoval, recordRemoval } from "./record-removal.ts";
import { type RecordRevisions, recordRevisions } from "./record-revisions.ts";
import { type RecordSharing, recordSharing } from "./record-sharing.ts";
import { type RecordText, recordTexts } from "./record-texts.ts";
import type { RecordView } from "./record-view.ts";
import { type RecordWriting, recordWriting } from "./record-writing.ts";

export type Records = RecordReading &
  RecordWriting &
  RecordImport &
  RecordRemoval &
  RecordRevisions &
  RecordSharing & {
    /** The texts of a record: what guests may read of it, and what the viewer may. */
    readText(viewer: Viewer, id: number): Promise<RecordText>;
    /** A record as this interface writes it. */
    jsonOf(view: RecordView): Promise<RecordJson>;
  };

export const records = (needs: RecordsNeeds): Records => {
  const reading = recordReading(needs);
  const writing = recordWriting(needs, reading);
  return {
    ...reading,
    readText: recordTexts(needs, reading),
    jsonOf: (view) => inTurns(recordJsonInParts(view, needs.written)),
    ...writing,
    ...recordImport(writing),
    ...recordRemoval(needs, reading, writing),
    ...recordRevisions(needs),
    ...recordSharing(needs, writing),
  };
};
