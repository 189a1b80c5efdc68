// `bun run sizes`: how much browsers load of scripts and style, in bytes after gzip (P.3).
import process from "node:process";
import { STATIC_FILES } from "../../src/pages/static-files.ts";
import { gzipBytes } from "../support/page-sizes.ts";

const line = (bytes: number, what: string): string => `${String(bytes).padStart(7)}  ${what}\n`;

for (const file of STATIC_FILES) process.stdout.write(line(gzipBytes(file), file.name));
process.stdout.write(
  line(
    STATIC_FILES.reduce((sum, file) => sum + gzipBytes(file), 0),
    "all of them",
  ),
);
