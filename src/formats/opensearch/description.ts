// The OpenSearch description document (specification 3, "OpenSearch documents"): how a program asks, and how a browser
// does.
import { printXml } from "../../shared/xml/print.ts";
import { element, NAMESPACES, words } from "./xml.ts";

export type SearchDescription = {
  readonly shortName: string;
  readonly description: string;
  /** Address of the icon. */
  readonly image: string;
  /** Address of the search for programs. */
  readonly search: string;
  /** The address of suggestions for what is being typed. */
  readonly suggestions: string;
  /** The address of the search page; null: the document has only what the specification lists. */
  readonly page: string | null;
};

/** The type of OpenSearch Suggestions 1.0. */
export const SUGGESTIONS = "application/x-suggestions+json";
const ATOM = "application/atom+xml";

export function writeDescription({
  shortName,
  description,
  image,
  search,
  suggestions,
  page,
}: SearchDescription): string {
  const url = (type: string, template: string) => element("opensearch:Url", { type, template }, []);
  const root = element("opensearch:OpenSearchDescription", {}, [
    words("opensearch:ShortName", shortName),
    words("opensearch:Description", description),
    element("opensearch:Image", { height: "16", width: "16", type: "image/x-icon" }, [image]),
    ...(page === null
      ? []
      : [url("text/html", `${page}?q={searchTerms}`), url(SUGGESTIONS, `${suggestions}?q={searchTerms}`)]),
    url(ATOM, `${search}?q={searchTerms}`),
    url(ATOM, `${search}?q={searchTerms}&format=atom`),
  ]);
  return printXml(root, { prefixes: { [NAMESPACES.opensearch]: "" }, declaration: true });
}
