// Import of a record over HTTP (issue "import of a record"): `POST /api/records/import` takes one document and makes a
// draft of it.
import { Type } from "@sinclair/typebox";
import type { Viewer } from "../../../src/auth/account.ts";
import { IMPORT_FORMATS, IMPORT_TYPES, type ImportFormat } from "../../../src/formats/import/read.ts";
import type { QueryReader } from "../../../src/model/input/list-parameters.ts";
import { oneError } from "../../../src/model/input/record-refusals.ts";
import {
  DOI_QUERY,
  type DraftImport,
  ImportPreviewShape,
  ImportPreviewsShape,
  previewJson,
} from "../../../src/repository/records/draft-import.ts";
import { ImportedRecordShape } from "../../../src/repository/records/record-shape.ts";
import { ServiceError } from "../../../src/shared/errors.ts";
import { most } from "../../../src/shared/limits.ts";
import { isObject, memberOf, own } from "../../../src/shared/objects.ts";
import { Refusal } from "../../../src/shared/refusal.ts";
import { wordOf } from "../../../src/shared/shapes.ts";
import { type EndpointGuard, endpointsOf, mountEndpoints } from "../endpoint.ts";
import { recordAnswer } from "../record-dialect.ts";
import { type RecordServices, recordsGroup, tagged } from "./group.ts";

type Services = Pick<RecordServices, "guard" | "records"> & { readonly imports: DraftImport };

const documentsOf = (types: readonly string[]) =>
  Object.fromEntries(
    types.map((type) => [
      type,
      type.endsWith("json") ? Type.Object({}, { additionalProperties: true }) : Type.String(),
    ]),
  );

/** Documents of other formats than the model of this interface. */
export const OTHER_DOCUMENTS = documentsOf(
  Object.entries(IMPORT_TYPES).flatMap(([type, format]) => (format === "json" ? [] : [type])),
);

const IMPORT_QUERY: QueryReader<{ readonly format: string | null; readonly isDryRun: boolean }> = {
  parameters: [
    { name: "format", description: "Absent: by the type of the body", schema: wordOf(IMPORT_FORMATS) },
    { name: "dry_run", description: "Returns the works, stores nothing", schema: Type.Boolean() },
  ],
  read: (parameters) => ({ format: parameters.get("format"), isDryRun: parameters.get("dry_run") === "true" }),
};

const { get, post } = endpointsOf<Services>();

const IMPORT_ENDPOINTS = [
  post("/records/import", {
    id: "importRecord",
    summary: "A new draft from a document in another format",
    description:
      "DataCite JSON or XML, an answer of Crossref, CSL-JSON, BibTeX, RIS, JSON-LD of schema.org, or a record as this interface writes it; one work per document. `errors` lists what publishing would refuse, `lost` what of the document cannot be stored. A dry run takes up to 100 works.",
    scopes: ["item:create"],
    query: IMPORT_QUERY,
    content: documentsOf(Object.keys(IMPORT_TYPES)),
    answer: {
      status: 201,
      description: "The draft, and what was lost",
      schema: ImportedRecordShape,
      ...tagged,
    },
    refuses: [408, 413],
    also: { 200: { description: "Of a dry run", schema: ImportPreviewsShape } },
    async run({ guard, records, imports }, { viewer, request, query }) {
      const { format: named, isDryRun } = query();
      const format = formatNamed(named, request);
      const bytes = await guard.document(request);
      if (!isDryRun) return await imported(records, viewer, format, bytes);
      const previews = await imports.preview(viewer, { format, bytes });
      return recordAnswer({ works: await Promise.all(previews.map(previewJson)) });
    },
  }),
  get("/records/import/doi", {
    id: "previewDoi",
    summary: "The metadata of a DOI",
    description: "From Crossref or DataCite, where the settings name them. Nothing is stored.",
    scopes: ["item:create"],
    query: DOI_QUERY,
    answer: { status: 200, description: "The work", schema: ImportPreviewShape },
    refuses: [404],
    async run({ imports }, { viewer, query }) {
      const [preview] = await imports.preview(viewer, await imports.lookUp(viewer, query()));
      if (preview === undefined) throw new Refusal("not_found", "The answer holds no work");
      return await previewJson(preview);
    },
  }),
];

export const recordImportPlugin = (services: Services & { readonly guard: EndpointGuard }) =>
  mountEndpoints(recordsGroup("record-import"), IMPORT_ENDPOINTS, services, services.guard);

async function imported(
  records: RecordServices["records"],
  viewer: Viewer,
  format: ImportFormat,
  bytes: Uint8Array,
): Promise<Response> {
  const { view, lost } = await records.importRecord(viewer, format, bytes);
  const json = { ...(await records.jsonOf(view)), lost };
  return recordAnswer(json, 201, tagged.headersOf(json));
}

/**
 * Imports a document in another format that was sent as a new record, which its type names; null for a record of this
 * interface.
 */
export async function importedByType(
  { guard, records }: Pick<Services, "guard" | "records">,
  request: Request,
  viewer: Viewer,
): Promise<Response | null> {
  const format = formatOfType(request);
  if (format === undefined || format === "json") return null;
  return await imported(records, viewer, format, await guard.document(request));
}

/** The same for linked data sent as JSON, such as the description of an RO-Crate. */
export async function importedLinkedData(
  { records }: Pick<Services, "records">,
  viewer: Viewer,
  body: unknown,
): Promise<Response | null> {
  if (!isObject(body) || memberOf(body, "metadata") !== undefined) return null;
  if (memberOf(body, "@graph") === undefined && memberOf(body, "@context") === undefined) return null;
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  const limit = most("importBytes");
  if (bytes.length > limit) throw new ServiceError(1103, { limit, of: "bytes" });
  return await imported(records, viewer, "jsonld", bytes);
}

/** As `named`, else by the type of the body. */
function formatNamed(named: string | null, request: Request): ImportFormat {
  const format = named === null ? formatOfType(request) : IMPORT_FORMATS.find((each) => each === named);
  if (format !== undefined) return format;
  throw oneError(named === null ? "Content-Type" : "format", `Must be one of ${IMPORT_FORMATS.join(", ")}.`);
}

function formatOfType(request: Request): ImportFormat | undefined {
  const type = (request.headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return own(IMPORT_TYPES, type);
}
