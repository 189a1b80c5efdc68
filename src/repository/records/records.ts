// The use cases of the records interface (R37), one set for HTTP and for the tool servers: thin verbs over the core of items.
import type { RecordsNeeds } from "./record-needs.ts";
import { recordReading } from "./record-reading.ts";
import { recordRemoval } from "./record-removal.ts";
import { recordWriting } from "./record-writing.ts";

export const records = (needs: RecordsNeeds) => {
  const reading = recordReading(needs);
  const writing = recordWriting(needs, reading);
  return { ...reading, ...writing, ...recordRemoval(needs, reading, writing) };
};
export type Records = ReturnType<typeof records>;
