// The use cases of the records interface (R37), one set for HTTP and for the tool servers: thin verbs over the core of items.

import { recordImport } from "./record-import.ts";
import { inTurns } from "../../shared/in-parts.ts";
import { type RecordJson, recordJsonInParts } from "./record-json.ts";
import type { RecordsNeeds } from "./record-needs.ts";
import { recordReading } from "./record-reading.ts";
import { recordRemoval } from "./record-removal.ts";
import { recordRevisions } from "./record-revisions.ts";
import { recordSharing } from "./record-sharing.ts";
import { recordTexts } from "./record-texts.ts";
import type { RecordView } from "./record-view.ts";
import { recordWriting } from "./record-writing.ts";

export const records = (needs: RecordsNeeds) => {
  const reading = recordReading(needs);
  const writing = recordWriting(needs, reading);
  return {
    ...reading,
    /** What guests may read of it, and whoever asks. */
    readText: recordTexts(needs, reading),
    /** A record as this interface writes it. */
    jsonOf: (view: RecordView): Promise<RecordJson> => inTurns(recordJsonInParts(view, needs.written)),
    ...writing,
    ...recordImport(writing),
    ...recordRemoval(needs, reading, writing),
    ...recordRevisions(needs),
    ...recordSharing(needs, writing),
  };
};
export type Records = ReturnType<typeof records>;
