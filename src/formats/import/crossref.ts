// An answer of Crossref's REST interface (`GET /works/{doi}`) read as a record: what it holds of a work, its DOI, and
// what of it has no place.
import { DocumentError } from "../../shared/document-error.ts";
import type { Json } from "../../shared/json/json.ts";
import { readCrossref } from "../completion/crossref.ts";
import { member, text } from "../completion/foreign-json.ts";
import { trackReads } from "./read-tracker.ts";
import { type ImportedWork, wholeOf } from "./works.ts";

/** In every answer, and not about the work: registration, counts, links, lists of other works. */
const AROUND: ReadonlySet<string> = new Set(
  (
    "DOI URL accepted alternative-id archive assertion content-created content-domain content-updated created deposited indexed " +
    "is-referenced-by-count issued journal-issue license link member prefix published-online published-other published-print " +
    "reference-count references-count resource score short-container-title source subtype update-policy"
  ).split(" "),
);

export function importCrossref(document: Json): ImportedWork {
  const watch = trackReads(document);
  const found = readCrossref(watch.document);
  const doi = text(member(watch.document, "message", "DOI"));
  if (doi === undefined && (found.titles ?? []).length === 0) throw new DocumentError("The document holds no work");
  const lost = watch.unread().filter((path) => path.startsWith("message.") && !AROUND.has(path.split(".")[1] ?? ""));
  const identifiers = doi === undefined ? [] : [{ scheme: "DOI", value: doi }];
  return { metadata: wholeOf({ ...found, identifiers }), lost, line: 1 };
}
