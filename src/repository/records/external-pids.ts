// The DOI a record received elsewhere (R38: none is made here). Clients send it among `pids`, provider `external`; it
// is kept among the identifiers of the metadata, where every other interface has it.
import { readIdentifier } from "../../formats/record/identifiers.ts";
import type { FieldError } from "../../model/input/record-refusals.ts";
import type { Json } from "../../shared/json/json.ts";
import { isJsonArray, isJsonObject, type JsonObject } from "../../shared/json/read.ts";
import { own } from "../../shared/own-entry.ts";

const SCHEME = "doi";

/** The first DOI among the identifiers that are shown. */
export function doiOf(metadata: JsonObject): string | null {
  const identifiers = own(metadata, "identifiers");
  if (!isJsonArray(identifiers)) return null;
  for (const each of identifiers) {
    if (!isJsonObject(each) || own(each, "scheme") !== SCHEME) continue;
    const identifier = own(each, "identifier");
    if (typeof identifier === "string") return identifier;
  }
  return null;
}

type WithPids = { readonly body: Json; readonly errors: readonly FieldError[] };

/**
 * The body with the DOI of its `pids` among its identifiers. Identifiers that this repository assigns are not taken
 * from a body.
 */
export function withExternalDoi(body: Json): WithPids {
  const as = { body, errors: [] };
  const pids = isJsonObject(body) ? own(body, "pids") : undefined;
  const doi = isJsonObject(pids) ? own(pids, SCHEME) : undefined;
  if (!isJsonObject(body) || !isJsonObject(doi)) return as;
  const [identifier, provider] = [own(doi, "identifier"), own(doi, "provider")];
  if (identifier === undefined || identifier === "") return as;
  const wrong = (field: string, message: string): WithPids => ({ body, errors: [{ field, messages: [message] }] });
  if (typeof identifier !== "string") return wrong("pids.doi.identifier", "Not a valid string.");
  if (provider !== undefined && provider !== "external") {
    return wrong("pids.doi.provider", "This repository does not assign DOIs: the provider must be 'external'.");
  }
  // Checked here: among the identifiers a wrong one would be reported under a place that nobody sent.
  if (readIdentifier("works", SCHEME, identifier.trim()) === "identifier") {
    return wrong("pids.doi.identifier", "Invalid DOI identifier.");
  }
  const metadata = own(body, "metadata") ?? {};
  if (!isJsonObject(metadata) || doiOf(metadata) !== null) return as;
  const before = own(metadata, "identifiers") ?? [];
  if (!isJsonArray(before)) return as;
  const identifiers = [...before, { scheme: SCHEME, identifier }];
  return { body: { ...body, metadata: { ...metadata, identifiers } }, errors: [] };
}
