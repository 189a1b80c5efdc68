// Import of a record over HTTP (issue "import of a record"): `POST /api/records/import` takes one document and makes a
// draft of it.
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Viewer } from "../../../src/auth/account.ts";
import { IMPORT_FORMATS, IMPORT_TYPES, type ImportFormat } from "../../../src/formats/import/read.ts";
import { oneError } from "../../../src/model/input/record-refusals.ts";
import { ServiceError } from "../../../src/shared/errors.ts";
import { isObject, memberOf, own } from "../../../src/shared/fields.ts";
import { most } from "../../../src/shared/limits.ts";
import { queryParameter, response } from "../../http/document-parts.ts";
import { errors } from "../../http/errors.ts";
import { recordAnswer, recordDialect } from "../record-dialect.ts";
import { RecordOut, recordOperation } from "./document.ts";
import { GROUP, type RecordPluginNeeds } from "./needs.ts";

const FORMAT = queryParameter("format", `${IMPORT_FORMATS.join(", ")}; if omitted: by Content-Type`, Type.String());

const ImportedOut = Type.Object(
  {
    ...RecordOut.properties,
    lost: Type.Array(Type.String(), { description: "What the draft does not contain of the document, by its path" }),
  },
  { additionalProperties: true },
);

const IMPORT = recordOperation({
  id: "importRecord",
  summary: "A new draft from a document in another format",
  description:
    "DataCite JSON, CSL-JSON, BibTeX, JSON-LD of schema.org, or a record as this interface writes it; one work per document. `errors` lists what publishing would refuse, `lost` what of the document cannot be stored.",
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
      return await imported(records, viewer, format, await guard.document(request));
    },
    { parse: "none", detail: IMPORT },
  );

type Imports = Pick<RecordPluginNeeds["records"], "importRecord" | "jsonOf">;

async function imported(records: Imports, viewer: Viewer, format: ImportFormat, bytes: Uint8Array): Promise<Response> {
  const { view, lost } = await records.importRecord(viewer, format, bytes);
  return recordAnswer({ ...(await records.jsonOf(view)), lost }, 201, { etag: `"${view.draft?.counter ?? 0}"` });
}

/**
 * Imports a document in another format that was sent as a new record, which its type names; null for a record of this
 * interface.
 */
export async function importedByType(
  { guard, records }: Needs,
  request: Request,
  viewer: Viewer,
): Promise<Response | null> {
  const format = formatOfType(request);
  if (format === undefined || format === "json") return null;
  return await imported(records, viewer, format, await guard.document(request));
}

/** The same for linked data sent as JSON, such as the description of an RO-Crate. */
export async function importedLinkedData({ records }: Needs, viewer: Viewer, body: unknown): Promise<Response | null> {
  if (!isObject(body) || memberOf(body, "metadata") !== undefined) return null;
  if (memberOf(body, "@graph") === undefined && memberOf(body, "@context") === undefined) return null;
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  const limit = most("importBytes");
  if (bytes.length > limit) throw new ServiceError(1103, { limit, of: "bytes" });
  return await imported(records, viewer, "jsonld", bytes);
}

/** As `format` names it, else by the type of the body. */
function formatOf(request: Request): ImportFormat {
  const named = new URL(request.url).searchParams.get("format");
  const format = named === null ? formatOfType(request) : IMPORT_FORMATS.find((each) => each === named);
  if (format !== undefined) return format;
  throw oneError(named === null ? "Content-Type" : "format", `Must be one of ${IMPORT_FORMATS.join(", ")}.`);
}

function formatOfType(request: Request): ImportFormat | undefined {
  const type = (request.headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return own(IMPORT_TYPES, type);
}
