// The bytes of files that belong to a backup (R19b): copied to a folder laid out like the storage itself, and put back
// from it.

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { openDatabase } from "../../../../db/engine/open.ts";
import { itemReader } from "../../../../db/repository/items/items.ts";
import { openLocalStorage } from "../../../adapters/storage-local.ts";
import type { Config } from "../../../config.ts";
import { copyFiles, type FilesCopied, type WantedFile } from "../../../repository/items/file-copying.ts";
import { writeByteSize } from "../../../shared/bytes/byte-size.ts";
import { errorMessage } from "../../../shared/error-message.ts";
import { plural, printable, progressOn } from "../../process/terminal.ts";
import { filesLocation, openStorage } from "../../storage.ts";
import type { Context } from "../context.ts";
import { CommandRefusal } from "../refusals.ts";

export type FilesReport = FilesCopied & { readonly folder: string };

/** Ctrl-C between two steps; `message` states what was reached, where that is not the usual. */
export class Interrupted extends Error {}

const PAGE_FILES = 1000;
/** Files between two lines of progress. */
const STEP_FILES = 100;
const LATEST = "9999-12-31T23:59:59.999Z";

/**
 * Before anything is written: whether files can be copied between the storage and this folder.
 *
 * @throws CommandRefusal for a bucket (its keys are random: the files have other names in a folder), the storage's own
 * folder, and one without files.
 */
export function requireFolder(config: Config, doing: "backup" | "restore", folder: string): void {
  const { kind, where } = filesLocation(config);
  if (kind === "bucket") {
    const what = doing === "backup" ? "Cannot copy files out of" : "Cannot put files into";
    throw new CommandRefusal(
      `${what} the bucket ${where}`,
      "Copy the bucket with the tools of its store; leave --files out",
    );
  }
  if (resolve(folder) === resolve(where)) {
    throw new CommandRefusal(`${folder} is where the files themselves lie`, "Name another folder");
  }
  if (doing === "restore" && !existsSync(join(folder, "objects"))) {
    throw new CommandRefusal(
      `${folder} holds no files of a backup`,
      "Name the folder that `arkstone backup --files` copied them to",
    );
  }
}

export async function backUpFiles(context: Context, config: Config, folder: string): Promise<FilesReport> {
  const { storage: from } = await openStorage(config, "command");
  const to = await folderStorage(folder);
  const database = await openDatabase({ url: config.databaseUrl, readOnly: true });
  try {
    const { filesAfter } = itemReader({ dialect: database.dialect, db: database.reader });
    async function* wanted(): AsyncGenerator<WantedFile> {
      for (let after = ""; ; ) {
        const page = await filesAfter(after, PAGE_FILES);
        for (const { storageKey: key, sizeBytes } of page) yield { key, sizeBytes };
        const last = page.at(-1);
        if (last === undefined) return;
        after = last.storageKey;
      }
    }
    return {
      folder,
      ...(await copyFiles(
        {
          from,
          to,
          ...progressOf(
            context,
            "Copied",
            "the backup is complete, its copy of the files is not: run it again, files already copied are skipped",
          ),
        },
        wanted(),
      )),
    };
  } finally {
    await database.close();
  }
}

export async function putBackFiles(context: Context, config: Config, folder: string): Promise<FilesReport> {
  const from = await folderStorage(folder);
  const { storage: to } = await openStorage(config, "command");
  async function* wanted(): AsyncGenerator<WantedFile> {
    for await (const { key } of from.keys(LATEST)) {
      const found = await from.stat(key);
      if (found !== null) yield { key, sizeBytes: found.sizeBytes };
    }
  }
  return {
    folder,
    ...(await copyFiles(
      { from, to, ...progressOf(context, "Put back", "nothing was restored; files that were put back stay") },
      wanted(),
    )),
  };
}

async function folderStorage(folder: string) {
  try {
    return (await openLocalStorage({ folder })).storage;
  } catch (error) {
    throw new CommandRefusal(`Cannot open the folder ${folder}: ${errorMessage(error)}`);
  }
}

function progressOf(context: Context, title: string, whenStopped: string) {
  const progress = progressOn(context);
  return {
    async onProgress({ files, bytes, missing }: FilesCopied): Promise<void> {
      if (await context.interrupted()) {
        progress.end();
        throw new Interrupted(whenStopped);
      }
      const seen = files + missing;
      if (seen === 0 || seen % STEP_FILES !== 0) return;
      progress.step(`${title} ${plural(files, "file")} of ${writeByteSize(bytes)}`);
    },
    onMissing(key: string, detail: string): void {
      context.err(`Not copied: ${key}: ${printable(detail)}\n`);
    },
  };
}

/** One line for a person. */
export function filesLine({ folder, files, bytes, copied, missing }: FilesReport): string {
  const lacking = missing === 0 ? "" : ` ${plural(missing, "file")} could not be copied.`;
  return `${folder}: ${plural(files, "file")} of ${writeByteSize(bytes)}, ${copied} of them copied now.${lacking}\n`;
}
