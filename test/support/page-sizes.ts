// How much browsers load with a page (P.3): its scripts and its style, as they travel.
import { gzipSync } from "node:zlib";
import { STATIC_FILES, type StaticFile } from "../../src/pages/static-files.ts";

export const SCRIPT_BYTES_MAX = 20 * 1024;
export const PAGE_BYTES_MAX = 60 * 1024;

export const gzipBytes = ({ body }: Pick<StaticFile, "body">): number => gzipSync(body, { level: 9 }).length;

/** What a page of HTML asks for, in its order. Throws a TypeError for a script or style from elsewhere. */
export function filesOfPage(text: string): readonly StaticFile[] {
  const sources = text.matchAll(/<script [^>]*src="([^"]*)"|<link rel="stylesheet" href="([^"]*)"/g);
  return [...sources].map(([, script, style]) => {
    const address = script ?? style ?? "";
    const file = STATIC_FILES.find(({ path }) => address.endsWith(path));
    if (file === undefined) throw new TypeError(`The page asks for "${address}", which is not one of our files`);
    return file;
  });
}
