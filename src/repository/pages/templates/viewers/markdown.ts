// Markdown as a document (Q.85).
import { shownText } from "../../../../formats/view/shown-text.ts";
import { markdown, webLink } from "../../../../pages/components/markdown.ts";
import type { MarkdownContent } from "../../../viewers/markdown.ts";
import type { SiteView } from "../layout.ts";
import type { FileViewPlace, ViewBody } from "./view-body.ts";

export function markdownBody({ blocks, files }: MarkdownContent, _: FileViewPlace, { rootPath }: SiteView): ViewBody {
  const link = (address: string): string | null => {
    const file = files.get(pathIn(address));
    return file === undefined ? webLink(address) : `${rootPath}${file}`;
  };
  return { body: markdown(blocks, { link, below: 1, shown: shownText }) };
}

/** The path that an address names, as names of files are written. */
function pathIn(address: string): string {
  const path = address.replace(/^\.\//, "");
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
