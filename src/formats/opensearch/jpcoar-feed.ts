// Search results as full JPCOAR 2.0 records (specification 3, "OpenSearch documents", JPCOAR; R29): an RDF document, in
// which each record is of the schema.
import type { AccessRights } from "../../model/metadata/metadata.ts";
import { PREFIXES as JPCOAR_PREFIXES, SCHEMA_LOCATION } from "../jpcoar/schema.ts";
import { type JpcoarFile, jpcoarRecord } from "../jpcoar/write.ts";
import type { FeedItem, FeedWriter } from "./feed.ts";
import { counters, element, NAMESPACES, opened, prefixes, printed } from "./xml.ts";

/** What a whole record has in addition to the fields of every feed. */
export type RecordItem = FeedItem & {
  readonly described: readonly JpcoarFile[];
  readonly ark: string | null;
  readonly accessRights: AccessRights;
};

const PREFIXES = { ...JPCOAR_PREFIXES, ...prefixes(["rdf", "opensearch", "xsi"]) };
const ITEMS = { opened: "  <items>\n", closed: "  </items>\n" };

function description({ metadata, described, landingPage, ark, accessRights }: RecordItem) {
  const { record } = jpcoarRecord({ metadata, files: described, landingPage, ark, accessRights });
  const location = { namespace: NAMESPACES.xsi, name: "schemaLocation", value: SCHEMA_LOCATION };
  const placed = { ...record, attributes: [...record.attributes, location] };
  return element("rdf:Description", { "rdf:about": landingPage }, [placed]);
}

export const jpcoarWriter: Omit<FeedWriter, "item"> & { readonly item: (item: RecordItem) => string } = {
  mediaType: "application/xml; charset=utf-8",
  begin: (feed) =>
    opened(element("rdf:RDF", {}, [element("none:header", {}, counters(feed))]), PREFIXES) + ITEMS.opened,
  item: (one) => printed(description(one), PREFIXES),
  end: () => `${ITEMS.closed}</rdf:RDF>\n`,
};
