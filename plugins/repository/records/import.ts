// Import of a record over HTTP (issue "import of a record"): `POST /api/records/import` takes one document and makes a draft of it.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { IMPORT_FORMATS, IMPORT_TYPES, type ImportFormat } from "../../../src/formats/import/read.ts";
import { oneError } from "../../../src/repository/model/record-refusals.ts";
import { own } from "../../../src/shared/own-entry.ts";
import { queryParameter, response } from "../../http/document-parts.ts";
import { errors } from "../../http/errors.ts";
import { recordAnswer, recordDialect } from "../record-dialect.ts";
import { RecordOut, recordOperation } from "./document.ts";
import { GROUP, type RecordPluginNeeds } from "./needs.ts";

const FORMAT = queryParameter("format", `${IMPORT_FORMATS.join(", ")}; left out: as Content-Type says`, Type.String());

const ImportedOut = Type.Object(
  {
    ...RecordOut.properties,
    lost: Type.Array(Type.String(), { description: "What the document says and the draft does not, by its path" }),
  },
  { additionalProperties: true },
);

const IMPORT = recordOperation({
  id: "importRecord",
  summary: "A new draft from a document in another format",
  description:
    "DataCite JSON, CSL-JSON, BibTeX, JSON-LD of schema.org, or a record as this interface writes it; one work a document. `errors` says what publishing would refuse, `lost` what of the document has no place.",
  scope: "item:create",
  parameters: [FORMAT],
  answers: { 201: response("The draft, and what was lost", ImportedOut) },
});

type Needs = RecordPluginNeeds & {
  readonly guard: { readonly document: (request: Request) => Promise<Uint8Array> };
};

export const recordImportPlugin = ({ guard, records }: Needs) =>
  new Elysia({ name: "record-import", prefix: "/api" }).use(errors(recordDialect)).post(
    "/records/import",
    async ({ request }) => {
      const viewer = await guard.viewer(request, GROUP, ["item:create"]);
      const format = formatOf(request);
      const { view, lost } = await records.importRecord(viewer, format, await guard.document(request));
      return recordAnswer({ ...records.jsonOf(view), lost }, 201, { etag: `"${view.draft?.counter ?? 0}"` });
    },
    { parse: "none", detail: IMPORT },
  );

/** As `format` names it, else by the type of the body. */
function formatOf(request: Request): ImportFormat {
  const named = new URL(request.url).searchParams.get("format");
  const type = (request.headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const format = named === null ? own(IMPORT_TYPES, type) : IMPORT_FORMATS.find((each) => each === named);
  if (format !== undefined) return format;
  throw oneError(named === null ? "Content-Type" : "format", `Must be one of ${IMPORT_FORMATS.join(", ")}.`);
}
