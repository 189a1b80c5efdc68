// `arkstone record import` (issue "import of a record"): files in other formats become drafts, with file and line of
// what was not taken.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { arkstone } from "../support/command-line.ts";
import { temporaryFolder } from "../support/processes.ts";

const folder = temporaryFolder("record-import");
afterAll(() => folder.remove());
const env = { SVC_DATA_DIR: folder.path, SVC_LOG_LEVEL: "warn", SVC_BASE_URL: "https://repo.example.org" };
const file = (name: string, text: string): string => {
  const path = join(folder.path, name);
  writeFileSync(path, text);
  return path;
};
const run = (...args: string[]) => arkstone(env, args);
const BIB = file(
  "library.bib",
  "@article{a, title = {On tides}, author = {Doe, Ann}, year = 2020, journal = {Sea}, file = {a.pdf}}\n\n@misc{b, title = {Untold}}\n",
);
const BROKEN = file("broken.bib", "@misc{a, title = {Read}}\n@misc{b, title = {never");

beforeAll(async () => {
  expect((await run("user", "add", "ada@example.org", "--role", "registered")).code).toBe(0);
}, 60_000);

test("S3.6.79: a dry run tells what would be made, what is not taken and what is missing, and writes nothing", async () => {
  const { code, out, err } = await run("record", "import", BIB, "--dry-run");
  expect([code, out]).toEqual([0, `${BIB}:1  On tides\n${BIB}:3  Untold\nRead 2 works; nothing was written.\n`]);
  expect(err).toContain(`${BIB}:1: not taken: file: a.pdf\n`);
  expect(err).toContain(`${BIB}:3: metadata.creators: Missing data for required field.\n`);
  expect((await run("item", "list", "--json")).out).not.toContain("On tides");
});

test("S3.6.79: every work becomes a draft of the account; a file that is broken is reported, and the others are read", async () => {
  const { code, out, err } = await run("record", "import", BROKEN, BIB, "--user", "ada@example.org");
  expect(code).toBe(1);
  expect(err).toContain(`${BROKEN}: Line 2: a brace is never closed\n`);
  expect(out).toContain("Made 2 drafts; 1 file could not be read to the end.\n");
  const id = /draft (\d+) {2}On tides/.exec(out)?.[1] ?? "";
  const shown = JSON.parse((await run("item", "show", id, "--json")).out);
  expect(shown).toMatchObject({ state: "draft", title: "On tides" });
});

test("S3.6.79: without an account nothing is written, and a file whose format nobody names is reported", async () => {
  expect((await run("record", "import", BIB)).code).toBe(2);
  const unknown = await run("record", "import", file("works.json", "[]"), "--dry-run");
  expect([unknown.code, unknown.err.includes("Its format is not known")]).toEqual([1, true]);
  const csl = await run(
    "record",
    "import",
    file("works.csl", '[{"type":"book","title":"A book"}]'),
    "--dry-run",
    "--format",
    "csl",
    "--json",
  );
  expect(JSON.parse(csl.out.split("\n")[0] ?? "")).toMatchObject({ title: "A book", id: null, lost: [] });
});
