// Files made to harm the reader of their words (R35), before the reader that the server has on this runtime: each is
// marked with what it is, in time, and the next file is read as if nothing had been.
import { afterAll, describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { selfCommand } from "../../src/main/child-process.ts";
import { frameHead, READ_TEXTS } from "../../src/main/text-messages.ts";
import { type StartedReader, startTextReader, type TextReaderLimits } from "../../src/main/text-process.ts";
import { FileTextReader } from "../../src/main/text-reader.ts";
import type { TextOutcome } from "../../src/repository/store/text-reading.ts";
import { streamOf } from "../../src/shared/bytes/byte-streams.ts";
import { inSlowRing } from "../support/slow-ring.ts";
import { contentPdf, docx, japanesePdf, latinPdf, manyPagesPdf, nestedPdf, scannedPdf } from "../support/text-files.ts";
import { zip } from "../support/zip-writer.ts";

const TIMEOUT_MS = 120_000;
const MIB = 1024 * 1024;
const GOOD = latinPdf(["Good words"]);
/** Operators without a word between them: a minute of work and more. */
const BUSY = "/X Do ".repeat(10_000_000);
const none = new AbortController().signal;

function readerWith(limits: Partial<TextReaderLimits>, begin = startTextReader) {
  const warned: string[] = [];
  const started: StartedReader[] = [];
  const reader = new FileTextReader({
    limits: { seconds: 60, memoryMib: 512, ...limits },
    start: (asked) => {
      const thread = begin(asked);
      started.push(thread);
      return thread;
    },
    log: { warn: (event) => void warned.push(event) },
    elapsedMs: () => performance.now(),
  });
  const read = (bytes: Uint8Array): Promise<TextOutcome> =>
    reader.read(
      { name: "file", mediaType: "", sizeBytes: bytes.length, characters: 1_000_000, isCut: false },
      () => streamOf(bytes),
      none,
    );
  const readAny: typeof reader.read = (order, bytes, signal) => reader.read(order, bytes, signal);
  return { read, readAny, started, warned, gauges: reader.gauges, close: () => reader.close() };
}

const patient = readerWith({});
/** On Deno the memory of the whole process counts, in which the other readers of this file start and end. */
const NARROW_MIB = "Deno" in globalThis ? 384 : 256;
const narrow = readerWith({ memoryMib: NARROW_MIB });
const hasty = readerWith({ seconds: 3 });
const brief = readerWith({ seconds: 4 });
afterAll(() => {
  for (const each of [patient, narrow, hasty, brief]) each.close();
});

const isFine = async ({ read }: ReturnType<typeof readerWith>): Promise<void> =>
  expect(await read(GOOD)).toEqual({ state: "done", reason: "", text: "Good words" });

/** What reads them is the same on Deno. */
const isShort = "Deno" in globalThis && !inSlowRing;

describe("R35 R9a hostile files", () => {
  test(
    "R35 R9a damaged PDFs come to an outcome, never to an error, and what was read is kept",
    async () => {
      const samples = [
        latinPdf(["One line", "and another"], ["A second page"]),
        japanesePdf(["図書館の目", "録を調べる"], "Research data"),
      ];
      const damage = fc.record({
        sample: fc.constantFrom(...samples),
        changes: fc.array(fc.record({ at: fc.nat(), to: fc.nat({ max: 255 }) }), { maxLength: 20 }),
        cut: fc.option(fc.nat()),
      });
      await fc.assert(
        fc.asyncProperty(damage, async ({ sample, changes, cut }) => {
          const bytes = sample.slice(0, cut === null ? sample.length : cut % sample.length);
          for (const { at, to } of changes) if (bytes.length > 0) bytes[at % bytes.length] = to;
          const { state, text } = await patient.read(bytes);
          expect([text !== "", text.isWellFormed(), text.includes("\0")]).toEqual([state === "done", true, false]);
        }),
        { numRuns: 150 },
      );
      await isFine(patient);
    },
    TIMEOUT_MS,
  );

  test(
    "R35 a PDF that keeps its reader busy for ever is ended at its deadline, whatever it is at",
    async () => {
      await isFine(hasty);
      const outcome = await hasty.read(contentPdf(BUSY));
      expect(outcome).toEqual({ state: "timed-out", reason: "Reading it took longer than 3 s", text: "" });
      await isFine(hasty);
      expect(hasty.started.length).toBe(2);
    },
    TIMEOUT_MS,
  );

  test(
    "R35 a PDF that becomes more than the memory of its reader ends that one, and nobody else",
    async () => {
      await isFine(narrow);
      const outcome = await narrow.read(contentPdf(new Uint8Array(450 * MIB).fill(0x20)));
      expect(outcome).toEqual({
        state: "too-large",
        reason: `Reading it took more than ${NARROW_MIB} MiB of memory`,
        text: "",
      });
      await isFine(narrow);
    },
    TIMEOUT_MS,
  );

  test.skipIf(!inSlowRing)(
    "R35 forms that show each other twice, forty deep: what was read in time is kept",
    async () => {
      const { state, text } = await brief.read(nestedPdf(40));
      expect([state, /^a+$/.test(text.replaceAll("\n", ""))]).toEqual(["done", true]);
      await isFine(brief);
    },
    TIMEOUT_MS,
  );

  test.skipIf(isShort)(
    "R35 of a hundred thousand pages as many are read as there is time for and room, and the reason gives the limit",
    async () => {
      const { reason } = await brief.read(manyPagesPdf(100_000, "The same words on every page"));
      expect(reason).toMatch(/in time up to page \d+ of 100000|longer than 4 s|more than 512 MiB of memory/);
      await isFine(brief);
    },
    TIMEOUT_MS,
  );

  test.skipIf(isShort)(
    "R35 a scan of ninety megabytes with a text layer is read within the memory that there is",
    async () => {
      const bytes = scannedPdf(9, 10_000_000);
      async function* pieces(): AsyncGenerator<Uint8Array> {
        for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
      }
      const order = { name: "scan", mediaType: "", sizeBytes: bytes.length, characters: 1_000, isCut: false };
      const { state, text } = await patient.readAny(order, pieces, none);
      expect([state, text]).toEqual(["done", Array.from({ length: 9 }, (_, at) => `Page ${at + 1}`).join("\f\n")]);
    },
    TIMEOUT_MS,
  );

  test("R35 an archive that claims to inflate to more than there may be is not inflated", async () => {
    const bomb = zip([{ name: "word/document.xml", bytes: "x", deflate: true, both: { sizeBytes: 3 * 1024 * MIB } }]);
    const { state, reason } = await patient.read(bomb);
    expect([state, reason.includes("inflates to")]).toEqual(["too-large", true]);
  });

  test.skipIf(isShort)(
    "R35 of a part that inflates to hundreds of megabytes the beginning is read",
    async () => {
      const words = "<w:document><w:p><w:t>words before</w:t></w:p>";
      const packed = deflateRawSync(Buffer.concat([Buffer.from(words), Buffer.alloc(300 * MIB, 0x20)]));
      const bomb = zip([
        {
          name: "word/document.xml",
          bytes: "",
          packed,
          both: { method: 8, sizeBytes: words.length + 300 * MIB, compressedBytes: packed.length },
        },
      ]);
      expect(await patient.read(bomb)).toEqual({ state: "done", reason: "", text: "words before" });
    },
    TIMEOUT_MS,
  );

  const repeated = (text: string, before = "", after = ""): Uint8Array =>
    new TextEncoder().encode(before + text.repeat((8 * MIB) / text.length) + after);
  const LONG = [
    ["quotes that never end", repeated('<a "> ', "<html>")],
    ["tags that never end", repeated("<a ", "<html>")],
    ["comments that never end", repeated("<!-- ", "<html>")],
    ["elements inside each other", repeated("<a>", "<?xml version='1.0'?>")],
    ["sections and declarations", repeated("<![CDATA[<!a [", "<?xml version='1.0'?>")],
    ["references", repeated("&#1;&a;&", "<html>")],
    ["scripts that never end", repeated("<script><p>", "<html>")],
    ["spaces and line ends", repeated(" \n\t \u3000")],
    ["lines of Japanese", repeated("漢 \n")],
    ["attributes", repeated('a="b" ', "<html><p ", ">")],
  ] as const;
  test.each(isShort ? LONG.slice(0, 3) : LONG)(
    "R35 R9a eight megabytes of %s are read in seconds",
    async (_name, bytes) => {
      const { state } = await patient.read(bytes);
      expect(["done", "empty"]).toContain(state);
    },
    TIMEOUT_MS,
  );

  test("R35 a reader that dies by a hand from outside is replaced, and the file is read all the same", async () => {
    const own = readerWith({});
    await isFine(own);
    const reading = own.read(await docx("<w:p><w:t>words</w:t></w:p>"));
    await Promise.resolve();
    own.started[0]?.end();
    expect(await reading).toEqual({ state: "done", reason: "", text: "words" });
    own.close();
  });

  test("R35 where no reader can be started, the file is not marked: the job is tried again later", async () => {
    const own = readerWith({ memoryMib: 512 }, (limits) => {
      const thread = startTextReader(limits);
      thread.end();
      return thread;
    });
    expect(await own.read(GOOD).catch(String)).toContain("No reader of files can be started");
    own.close();
  });

  test("R35 bytes that fail are reported as their own error; a stop returns at once, and the next file is read", async () => {
    const own = readerWith({});
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield GOOD.subarray(0, 100);
      throw new RangeError("The disk is broken");
    }
    const order = { name: "file", mediaType: "", sizeBytes: GOOD.length, characters: 100, isCut: false };
    expect(await own.readAny(order, failing, none).catch(String)).toBe("RangeError: The disk is broken");
    const stop = new AbortController();
    async function* slow(): AsyncGenerator<Uint8Array> {
      yield GOOD.subarray(0, 100);
      stop.abort(new RangeError("Stopping"));
      await new Promise(() => {});
    }
    expect(await own.readAny(order, slow, stop.signal).catch(String)).toBe("RangeError: Stopping");
    await isFine(own);
    own.close();
  });

  test.skipIf("Deno" in globalThis)(
    "R35 a process that reads for ever ends itself, though the server that started it is gone",
    async () => {
      const [program, ...args] = selfCommand([READ_TEXTS, "1", "512"]);
      const child = spawn(program, args, { env: {}, stdio: ["pipe", "pipe", "ignore"] });
      const ended = new Promise<NodeJS.Signals | null>((resolve) => child.once("exit", (_, signal) => resolve(signal)));
      const bytes = contentPdf(BUSY);
      const order = { name: "file", mediaType: "", sizeBytes: bytes.length, characters: 100, isCut: false };
      let output = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
      child.stdin.write(frameHead(order));
      child.stdin.write(bytes);
      child.stdin.end();
      expect(await ended).toBe("SIGKILL");
      expect(output).toContain('{"died":"time"}');
    },
    TIMEOUT_MS,
  );
});
