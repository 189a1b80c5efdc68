// How much browsers load with a page (P.3): its scripts and its style, as they travel.
import { gzipSync } from "node:zlib";
import type { StaticFile } from "../../src/pages/static-files.ts";

export const SCRIPT_BYTES_MAX = 20 * 1024;
export const PAGE_BYTES_MAX = 60 * 1024;

export const gzipBytes = ({ body }: Pick<StaticFile, "body">): number => gzipSync(body, { level: 9 }).length;
