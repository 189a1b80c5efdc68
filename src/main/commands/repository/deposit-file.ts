// `arkstone deposit --draft`: a file is added as it is to a draft that exists (R43), in parts; the same command goes on
// with an upload that was interrupted, also one of a browser.
import { openAsBlob } from "node:fs";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { repositoryClient } from "../../../../client/calls.ts";
import { ConnectionError, RefusalError } from "../../../../client/errors.ts";
import { uploadFile } from "../../../../client/uploads.ts";
import { fingerprintOf, partsFor } from "../../../pages/scripts/parts/upload-plan.ts";
import { errorMessage } from "../../../shared/error-message.ts";
import { normalForm } from "../../../shared/text/text.ts";
import { jsonText, type Progress } from "../../process/terminal.ts";
import type { Context } from "../context.ts";
import { CommandRefusal } from "../refusals.ts";

export type DraftTarget = {
  /** Address of the repository. */
  readonly url: string;
  readonly token: string;
  readonly draft: string;
  readonly attempts: number;
};

/** @throws CommandRefusal with the reason of the repository */
export async function addToDraft(context: Context, progress: Progress, path: string, target: DraftTarget) {
  const { url, token, draft, attempts } = target;
  const found = await stat(path).catch((error: unknown) => {
    throw new CommandRefusal(`Cannot read ${path}: ${errorMessage(error)}`);
  });
  if (!found.isFile()) throw new CommandRefusal(`${path} is not a file`);
  const file = await openAsBlob(path);
  const key = normalForm(basename(path), "NFC");
  const fingerprint = await fingerprintOf(file, Math.floor(found.mtimeMs));
  const percent = new Intl.NumberFormat("en", { style: "percent" });
  let shown = -1;
  try {
    const { size, checksum = "" } = await uploadFile(repositoryClient({ url, token, attempts }), {
      ...{ id: draft, key, file, fingerprint, ...partsFor(file.size) },
      onProgress({ sentBytes, totalBytes }) {
        const tenth = totalBytes === 0 ? 10 : Math.floor((sentBytes * 10) / totalBytes);
        if (!context.isInteractive && tenth === shown) return;
        shown = tenth;
        progress.step(`Sent ${percent.format(totalBytes === 0 ? 1 : sentBytes / totalBytes)} of ${key}`);
      },
    }).done;
    progress.end();
    const done = { id: draft, key, size, checksum };
    context.out(context.json ? jsonText(done) : `Added ${key} to the draft ${draft}: ${checksum}\n`);
    return 0;
  } catch (error) {
    progress.end();
    const hint = "The same command goes on where this one ended";
    if (error instanceof RefusalError) throw new CommandRefusal(`Refused: ${error.message} (${error.status})`);
    if (error instanceof ConnectionError) throw new CommandRefusal(`Not sent: ${errorMessage(error)}`, hint);
    if (error instanceof DOMException) throw new CommandRefusal(`${path} changed while it was read`);
    throw error;
  }
}
