// Streams from the public corpora of other HTTP readers (llhttp, gunicorn, h1spec, smuggler), through the fast lane and
// straight into the runtime's server: the answers must be the same bytes (docs/fast-lane.md). Nothing of them is kept in
// this repository. `bun test/fuzz/corpora.ts` fetches them; `--folder FOLDER` reads them from FOLDER/owner/repository.
// States how many streams each corpus gave and how many differed; ends with 1 when any did.
import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { type Rng, rng } from "../hostile/generate.ts";
import { temporaryFolder } from "../support/processes.ts";
import { type LaneWorld, laneWorld } from "../support/world/lane.ts";
import { compareStream } from "./lane.ts";

type Corpus = {
  readonly repository: string;
  /** The files, below the folder of the repository. */
  readonly files: string;
  /** What is sent, each in latin-1, that one file holds. */
  readonly read: (text: string) => readonly string[];
};

const CORPORA: readonly Corpus[] = [
  { repository: "nodejs/llhttp", files: "test/request/*.md", read: readMarkdown },
  { repository: "benoitc/gunicorn", files: "tests/requests/{valid,invalid}/*.http", read: (text) => [readHttp(text)] },
  { repository: "uNetworking/h1spec", files: "http_test.ts", read: readCases },
  { repository: "defparam/smuggler", files: "configs/*.py", read: readMutations },
];

const PLAIN = "GET /ark:99999/b1a HTTP/1.1\r\nHost: a\r\n\r\n";
/** What a smuggler wants to be taken for a separate request, in a body that ends at either of two places. */
const BODIES = [
  { body: `0\r\n\r\n${PLAIN}`, length: 5 + PLAIN.length },
  { body: `5\r\nabcde\r\n0\r\n\r\n${PLAIN}`, length: 3 },
];
const AT_ONCE = 16;

/** Blocks of requests, written with escapes; a line ends in CR LF. */
export function readMarkdown(text: string): string[] {
  return [...text.matchAll(/^```http\n([\s\S]*?)\n?^```/gm)].map(([, block = ""]) =>
    unescaped(block.replace(/\\\n/g, "").replace(/\n/g, "\r\n")),
  );
}

/** Only escapes end lines. */
export function readHttp(text: string): string {
  return unescaped(text.replaceAll("\n", ""));
}

export function readCases(text: string): string[] {
  return [...text.matchAll(/^\s*request: "((?:[^"\\]|\\.)*)",/gm)].map(([, request = ""]) => unescaped(request));
}

/** One field each, in loops over bytes: `for i in range(…)`, or a list. */
export function readMutations(text: string): string[] {
  let bytes: readonly number[] = [0];
  const fields: string[] = [];
  for (const line of text.split("\n")) {
    const [, from, to] = /^for i in range\((\w+),\s*(\w+)\):/.exec(line) ?? [];
    const [, list] = /^for i in \[([^\]]*)\]:/.exec(line) ?? [];
    if (from !== undefined)
      bytes = Array.from({ length: Number(to) - Number(from) }, (_, index) => Number(from) + index);
    else if (list !== undefined) bytes = list.split(",").map(Number);
    else if (/^\S/.test(line)) bytes = [0];
    const [, field] = /^\s*mutations\[.*\] = render_template\("((?:[^"\\]|\\.)*)"/.exec(line) ?? [];
    if (field === undefined) continue;
    for (const byte of bytes) fields.push(unescaped(field).replaceAll("%c", String.fromCharCode(byte)));
  }
  return fields.flatMap((field) =>
    BODIES.map(
      ({ body, length }) =>
        `POST /ark:99999/b1a HTTP/1.1\r\n${field}\r\nHost: a\r\nContent-type: text/plain\r\nContent-Length: ${length}\r\n\r\n${body}`,
    ),
  );
}

const LETTERS: Readonly<Record<string, string>> = { r: "\r", n: "\n", t: "\t", f: "\f", v: "\v", "0": "\0" };
/** Characters beyond a byte become those of UTF-8. */
function unescaped(text: string): string {
  const plain = text.replace(/\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|(.))/gi, (_, byte, unit, letter) =>
    letter === undefined ? String.fromCharCode(Number.parseInt(byte ?? unit, 16)) : (LETTERS[letter] ?? letter),
  );
  return plain.replace(/[^\0-\xff]/g, (character) => Buffer.from(character, "utf8").toString("latin1"));
}

/** Whole, in two halves, at some bytes with plain redirects around it, and at every byte where it is short. */
function* cuts(payload: string, random: Rng): Generator<readonly string[]> {
  const around = PLAIN + payload + PLAIN;
  const half = payload.length >> 1;
  yield [payload + PLAIN];
  yield [payload.slice(0, half), payload.slice(half)];
  const places = Array.from({ length: 3 }, () => random.int(around.length)).sort((one, other) => one - other);
  yield [0, ...places].map((from, index) => around.slice(from, places[index]));
  if (payload.length < 300) yield [...payload];
}

export type CorpusFigures = {
  readonly repository: string;
  readonly payloads: number;
  readonly streams: number;
  readonly differences: readonly string[];
};

/** The corpora that the folder has; the others give nothing. */
export async function compareCorpora(world: LaneWorld, folder: string): Promise<CorpusFigures[]> {
  const figures: CorpusFigures[] = [];
  for (const { repository, files, read } of CORPORA) {
    const paths = globSync(join(folder, repository, files)).sort();
    const payloads = [...new Set(paths.flatMap((path) => read(readFileSync(path, "utf8"))))];
    const random = rng(1);
    const streams = payloads.flatMap((payload) => [...cuts(payload, random)]);
    const differences: string[] = [];
    let next = 0;
    const worker = async (): Promise<void> => {
      for (let parts = streams[next++]; parts !== undefined; parts = streams[next++]) {
        const { isSame, heard } = await compareStream(world, parts);
        if (!isSame) differences.push(JSON.stringify({ parts, heard }));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    figures.push({ repository, payloads: payloads.length, streams: streams.length, differences });
  }
  return figures;
}

/** Unpacks the newest version of each repository below the folder. */
async function fetchCorpora(folder: string): Promise<void> {
  for (const { repository } of CORPORA) {
    const answer = await fetch(`https://codeload.github.com/${repository}/tar.gz/HEAD`);
    if (!answer.ok) throw new Error(`${repository} was not fetched: ${answer.status}`);
    const own = join(folder, repository);
    const archive = join(folder, "archive.tar.gz");
    mkdirSync(own, { recursive: true });
    writeFileSync(archive, new Uint8Array(await answer.arrayBuffer()));
    const { status, stderr } = spawnSync("tar", ["xzf", archive, "-C", own, "--strip-components=1"]);
    if (status !== 0) throw new Error(`${repository} was not unpacked: ${stderr}`);
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { folder: { type: "string" } } });
  if (values.folder !== undefined && !existsSync(values.folder)) throw new Error(`No folder ${values.folder}`);
  const fetched = values.folder === undefined ? temporaryFolder("corpora") : null;
  if (fetched !== null) await fetchCorpora(fetched.path);
  const world = await laneWorld();
  for (const { repository, payloads, streams, differences } of await compareCorpora(
    world,
    values.folder ?? fetched?.path ?? "",
  )) {
    console.log(`${repository}: ${payloads} payloads, ${streams} streams, ${differences.length} differences`);
    for (const difference of differences.slice(0, 10)) console.log(difference);
    if (differences.length > 0) process.exitCode = 1;
  }
  console.log(`answered by the lane: ${world.counts.fast}, handed on: ${world.counts.handled}`);
  await world.stop();
  fetched?.remove();
}
