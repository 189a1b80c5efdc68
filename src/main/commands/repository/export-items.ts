// `arkstone export items`: every published item as a RO-Crate bag that can be imported again (R19b).
import { createWriteStream } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { compileMapping } from "../../../formats/mapping/compile.ts";
import { shownFileName } from "../../../model/files/file-names.ts";
import type { Item, ItemFile } from "../../../model/items/item.ts";
import { RO_CRATE_MAPPING } from "../../../repository/deposit/client-settings.ts";
import { type ItemPackage, itemPackage } from "../../../repository/items/item-packages.ts";
import type { ItemFilter } from "../../../repository/store/items.ts";
import { streamOf } from "../../../shared/bytes/byte-streams.ts";
import type { ItemId } from "../../../shared/ids.ts";
import type { ZipPart } from "../../../shared/zip/writing.ts";
import type { Storage } from "../../../storage/storage.ts";
import { jsonLine, plural, printable, progressOn } from "../../process/terminal.ts";
import { openStorage } from "../../storage.ts";
import { command } from "../command.ts";
import { isThere, verifiedBytes } from "../input-file.ts";
import { CommandRefusal } from "../refusals.ts";
import { writeZip } from "../zip-writing.ts";
import { numberOption } from "./records.ts";
import { type RepositoryServices, withRepository } from "./repository-context.ts";

const PAGE = 100;

export const exportItemsCommand = command({
  name: "export items",
  summary: "Write every published item with its files as a RO-Crate bag, ready to be imported again",
  words: ["DIR"],
  options: {
    zip: { type: "boolean", help: "One ZIP for each item instead of a folder" },
    latest: { type: "boolean", help: "The latest version of each thing only" },
    index: { type: "string", value: "ID", help: "Items of this index itself only" },
  },
  details: `
Each item becomes DIR/<id>-r<revision>; what is there already is left alone, so the command can be run again and again. Items that are
private are written too, with their private settings: guard the folder. A folder is made a ZIP by "arkstone pack", and either is imported
by "arkstone deposit". A file that is damaged or missing is reported, and its item is left out: the exit code is 1 then.`,
  examples: ["arkstone export items /backup/items", "arkstone export items theses --index 1 --zip"],
  run: (context, given, [folder = ""]) => {
    const filter: ItemFilter = {
      state: "published",
      ...(given.latest ? { latestOnly: true } : {}),
      ...(given.index === undefined ? {} : { index: numberOption("index", given.index) }),
    };
    return withRepository(context, async (services) => {
      const write = await writerOf(services, folder, given.zip);
      const progress = progressOn(context);
      const counts = { written: 0, unchanged: 0, failed: 0 };
      for await (const item of itemsOf(services, filter)) {
        if (await context.interrupted()) return 130;
        try {
          counts[(await write(item)) ? "written" : "unchanged"] += 1;
        } catch (error) {
          if (!(error instanceof DamagedFile)) throw error;
          counts.failed += 1;
          context.err(`Item ${item.id}: ${printable(error.message)}\n`);
        }
        if (context.isInteractive) progress.step(`${plural(counts.written, "item")} written`);
      }
      progress.end();
      const words = `Wrote ${plural(counts.written, "item")} to ${folder}, ${counts.unchanged} were there already`;
      const failed = counts.failed === 0 ? "" : `; ${counts.failed} could not be written`;
      context.out(context.json ? jsonLine(counts) : `${words}${failed}.\n`);
      return counts.failed === 0 ? 0 : 1;
    });
  },
});

async function* itemsOf({ store }: RepositoryServices, filter: ItemFilter): AsyncGenerator<Item> {
  for (let before: ItemId | null = null; ; ) {
    const page: readonly Item[] = await store.items.listItems(filter, before, PAGE);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    before = last.id;
  }
}

/** The bytes of a file differ from its row. */
class DamagedFile extends Error {
  override readonly name = "DamagedFile";
}

async function* verified(storage: Storage, { name, storageKey, sha256 }: ItemFile): AsyncGenerator<Uint8Array> {
  if (sha256 === "")
    throw new DamagedFile(`a job has not yet hashed ${shownFileName(name)}: see arkstone jobs, and try again`);
  const read = await storage.read(storageKey);
  if (read === null) throw new DamagedFile(`the bytes of ${shownFileName(name)} are not in the storage`);
  const other = `the bytes of ${shownFileName(name)} are not those that were deposited`;
  yield* verifiedBytes(read.stream, sha256, () => new DamagedFile(other));
}

/** Writes one item; false when it is there already. */
async function writerOf(services: RepositoryServices, folder: string, isZip: boolean) {
  const { config, store, addresses: at } = services;
  const { storage } = await openStorage(config, "command");
  const stored = (await store.settings.mappings()).find(({ name }) => name === RO_CRATE_MAPPING);
  if (stored === undefined)
    throw new CommandRefusal(`There is no mapping ${RO_CRATE_MAPPING}`, 'Add it with "arkstone mapping add"');
  const mapping = compileMapping(stored.definition);
  await mkdir(folder, { recursive: true });
  return async (item: Item): Promise<boolean> => {
    if (item.content === null) return false;
    const out = join(folder, `${item.id}-r${item.revision}${isZip ? ".zip" : ""}`);
    if (await isThere(out)) return false;
    const addresses = { landingPage: at.landingPage(item.id), ark: item.ark === null ? null : at.arkUrl(item.ark) };
    const made = await itemPackage(item, item.content, addresses, mapping);
    if (isZip) await writeZip(out, partsOf(storage, made));
    else await writeFolder(out, storage, made);
    return true;
  };
}

function partsOf(storage: Storage, { small, payload }: ItemPackage): readonly ZipPart[] {
  return [
    ...small.map(({ path, bytes }) => ({ path, sizeBytes: bytes.length, open: () => streamOf(bytes) })),
    ...payload.map(({ path, file }) => ({ path, sizeBytes: file.sizeBytes, open: () => verified(storage, file) })),
  ];
}

/** Whole or not at all: it gets its name when everything is in it. */
async function writeFolder(out: string, storage: Storage, { small, payload }: ItemPackage): Promise<void> {
  const unfinished = `${out}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  try {
    for (const { path, bytes } of small) await writeFile(await pathFor(unfinished, path), bytes);
    for (const { path, file } of payload) {
      await pipeline(verified(storage, file), createWriteStream(await pathFor(unfinished, path), { flags: "wx" }));
    }
    await rename(unfinished, out);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

async function pathFor(folder: string, path: string): Promise<string> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  return file;
}
