// Import of records (R38), as a feature of the repository: one document over HTTP, files at the command line.
import { recordImportPlugin } from "../../../plugins/repository/records/import.ts";
import { recordImportCommand } from "../commands/repository/record-import.ts";
import type { Feature } from "./feature.ts";
import { draftImportOf, recordsOf } from "./record-core.ts";

export const recordImportFeature: Feature = {
  commands: { Items: [recordImportCommand] },
  endpoint: (served) => {
    const records = recordsOf(served);
    return { plugin: recordImportPlugin({ guard: served.guard, records, imports: draftImportOf(served, records) }) };
  },
};
