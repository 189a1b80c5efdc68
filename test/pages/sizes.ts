// `bun run sizes`: how much browsers load of scripts and style, by file and by page, in bytes after gzip (P.3).
import process from "node:process";
import { STATIC_FILES } from "../../src/pages/static-files.ts";
import { filesOfPage, gzipBytes } from "../support/page-sizes.ts";
import { EVERY_PAGE, everyPage } from "../support/world/all-pages.ts";
import { pagesWorld } from "../support/world/pages.ts";

const write = (bytes: number, what: string): void =>
  void process.stdout.write(`${String(bytes).padStart(7)}  ${what}\n`);

for (const file of STATIC_FILES) write(gzipBytes(file), file.name);

const world = await pagesWorld(EVERY_PAGE);
const paths: Readonly<Record<string, string>> = await everyPage(world);
const admin = world.visitor();
await admin.signIn(await world.token(world.admin));
for (const [name, path] of Object.entries(paths)) {
  const { status, text } = await admin.get(path, { accept: "text/html" });
  if (status === 303) continue;
  const files = filesOfPage(text);
  write(
    files.reduce((sum, file) => sum + gzipBytes(file), 0),
    `${name} (${path.slice(0, 60)})`,
  );
}
// Jobs and threads of the world go on by themselves.
process.exit(0);
