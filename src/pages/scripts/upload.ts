// Uploads of a draft's files (R43): several at once, in parts, with pause, resume and cancel; an interrupted one goes on
// when the same file is chosen again. Without this script the form sends one file as it is.
import { RefusalError, type RepositoryClient, repositoryClient, uploadFile } from "../../../client/client.ts";
import { type Line, newLine, show, type Words, written } from "./parts/upload-lines.ts";
import { fingerprintOf, isKey, partsFor, rateOf, secondsLeft, tenthReached } from "./parts/upload-plan.ts";

const FILES_AT_ONCE = 2;
const ATTEMPTS = 8;
const SAMPLE_MS = 10_000;
const MIB = 1024 * 1024;

/** The uploads of one form. */
class Uploads {
  readonly #form: HTMLFormElement;
  readonly #record: string;
  readonly #words: Words;
  readonly #taken: ReadonlySet<string>;
  readonly #client: RepositoryClient;
  readonly #list = document.createElement("ul");
  readonly #status = document.createElement("p");
  readonly #lines: Line[] = [];

  constructor(form: HTMLFormElement) {
    const { record = "", root = "", words = "{}", names = "[]" } = form.dataset;
    this.#form = form;
    this.#record = record;
    this.#words = JSON.parse(words) as Words;
    this.#taken = new Set(JSON.parse(names) as string[]);
    const csrf = form.querySelector<HTMLInputElement>("input[name=csrf]")?.value ?? "";
    const headers = { "x-csrftoken": csrf };
    this.#client = repositoryClient({ url: `${location.origin}${root}`, headers, attempts: ATTEMPTS });
  }

  start(): void {
    const input = this.#form.querySelector<HTMLInputElement>("input[type=file]");
    if (input === null) return;
    this.#list.className = "uploads bare";
    this.#status.setAttribute("role", "status");
    this.#form.after(this.#list, this.#status);
    this.#form.classList.add("drop-zone");
    input.multiple = true;
    input.required = false;
    const hint = document.createElement("p");
    hint.className = "hint";
    hint.textContent = this.#words.drop;
    input.after(hint);
    for (const button of this.#form.querySelectorAll<HTMLButtonElement>("button")) button.hidden = true;
    input.addEventListener("change", () => {
      this.#add([...(input.files ?? [])]);
      input.value = "";
    });
    this.#form.addEventListener("submit", (event) => event.preventDefault());
    this.#form.addEventListener("dragover", (event) => event.preventDefault());
    this.#form.addEventListener("drop", (event) => {
      event.preventDefault();
      void droppedFiles(event.dataTransfer).then((files) => this.#add(files));
    });
    addEventListener("beforeunload", (event) => {
      if (this.#lines.some(({ status }) => status === "waiting" || status === "sending")) event.preventDefault();
    });
  }

  get #lang(): string {
    return this.#form.dataset.lang ?? "en";
  }

  #sizeText(bytes: number): string {
    const number = new Intl.NumberFormat(this.#lang, { maximumFractionDigits: 1 });
    return bytes < MIB ? `${number.format(bytes / 1024)} KiB` : `${number.format(bytes / MIB)} MiB`;
  }

  #timeText(seconds: number): string {
    const [unit, value] =
      seconds < 90 ? (["second", seconds] as const) : (["minute", Math.round(seconds / 60)] as const);
    return new Intl.NumberFormat(this.#lang, { style: "unit", unit }).format(value);
  }

  #add(files: readonly File[]): void {
    for (const file of files) {
      const key = (file.webkitRelativePath || file.name).normalize("NFC");
      const refusal = this.#refusalOf(file, key);
      const line: Line = newLine(file, key, this.#words, {
        toggle: () => this.#toggle(line),
        cancel: () => this.#cancel(line),
      });
      this.#list.append(line.item);
      if (refusal !== null) line.status = "refused";
      this.#lines.push(line);
      show(line, this.#words, refusal ?? this.#words.waiting);
      if (refusal !== null) line.state.className = "wrong";
    }
    this.#next();
  }

  /** Limits that are known are answered before the first byte. */
  #refusalOf(file: File, key: string): string | null {
    const { maxBytes = "0", maxFiles = "0" } = this.#form.dataset;
    if (file.size > Number(maxBytes)) {
      return written(this.#words.tooLarge, { size: this.#sizeText(Number(maxBytes)) });
    }
    if (!isKey(key)) return this.#words.name;
    const living = this.#lines.filter(({ status }) => status !== "cancelled" && status !== "refused");
    if (this.#taken.has(key) || living.some((line) => line.key === key)) return this.#words.taken;
    const isFull = this.#taken.size + living.length >= Number(maxFiles);
    return isFull ? written(this.#words.tooMany, { count: maxFiles }) : null;
  }

  #next(): void {
    const sending = this.#lines.filter(({ status }) => status === "sending").length;
    const waiting = this.#lines.filter(({ status }) => status === "waiting");
    for (const line of waiting.slice(0, Math.max(0, FILES_AT_ONCE - sending))) void this.#send(line);
    const isOver = this.#lines.every(({ status }) => status === "done" || status === "cancelled");
    // The server's list has what was uploaded.
    if (isOver && this.#lines.some(({ status }) => status === "done")) location.reload();
  }

  async #send(line: Line): Promise<void> {
    const { file, key } = line;
    const words = this.#words;
    line.status = "sending";
    line.stop = new AbortController();
    line.upload = null;
    const wasOwn = line.isOwn;
    let isRegistered = false;
    show(line, words, "");
    try {
      const fingerprint = await fingerprintOf(file, file.lastModified);
      await this.#removeOther(line, fingerprint);
      line.stop.signal.throwIfAborted();
      line.isOwn = true;
      line.upload = uploadFile(this.#client, {
        ...{ id: this.#record, key, file, fingerprint, ...partsFor(file.size) },
        signal: line.stop.signal,
        onProgress: ({ sentBytes }) => {
          isRegistered = true;
          this.#progressed(line, sentBytes);
        },
      });
      if (isPaused(line)) line.upload.pause();
      await line.upload.done;
      line.status = "done";
      show(line, words, words.done);
    } catch (error) {
      if (line.stop.signal.aborted) return;
      line.status = "failed";
      if (!isRegistered && error instanceof RefusalError) line.isOwn = wasOwn;
      show(line, words, await this.#reasonOf(error, file));
      line.state.className = "wrong";
    }
    this.#next();
  }

  async #reasonOf(error: unknown, file: File): Promise<string> {
    const words = this.#words;
    const isReadable = await file
      .slice(0, 1)
      .arrayBuffer()
      .then(
        () => true,
        () => false,
      );
    if (!isReadable) return words.changed;
    if (!(error instanceof RefusalError)) return words.failed;
    if (error.status === 401 || error.status === 403) return words.ended;
    return error.status === 404 ? words.replaced : `${words.failed} ${error.message}`;
  }

  /** What an earlier upload of another file with this name has sent is removed: its parts do not belong to this one. */
  async #removeOther({ key, file }: Line, fingerprint: string): Promise<void> {
    const path = { id: this.#record, key };
    const left = await this.#client.readDraftFile({ path }).catch((error: unknown) => {
      if (error instanceof RefusalError && error.status === 404) return null;
      throw error;
    });
    // A whole file of this name, from another window, is not ours to remove: the upload is refused then.
    if (left === null || left.status === "completed") return;
    const isSame =
      left.transfer.type === "M"
        ? left.transfer.fingerprint === fingerprint && left.transfer.part_size === partsFor(file.size).partBytes
        : left.size === undefined || left.size === file.size;
    if (!isSame || left.status === "failed") await this.#client.removeDraftFile({ path });
  }

  #progressed(line: Line, sent: number): void {
    const { samples, file, bar } = line;
    const words = this.#words;
    const now = performance.now();
    samples.push([now, sent]);
    while (samples.length > 2 && now - (samples[0]?.[0] ?? now) > SAMPLE_MS) samples.shift();
    bar.value = sent;
    const rate = rateOf(samples);
    const seconds = secondsLeft(file.size - sent, rate);
    const whole = written(words.sent, { sent: this.#sizeText(sent), total: this.#sizeText(file.size) });
    const values = seconds === null ? null : { time: this.#timeText(seconds), rate: `${this.#sizeText(rate)}/s` };
    if (line.status === "sending") {
      show(line, words, values === null ? whole : `${whole}, ${written(words.left, values)}`);
    }
    const tenth = tenthReached(sent, file.size, line.announced);
    if (tenth === null) return;
    line.announced = tenth;
    const percent = new Intl.NumberFormat(this.#lang, { style: "percent" }).format(tenth / 10);
    this.#status.textContent = written(words.announced, { name: line.key, percent });
  }

  #toggle(line: Line): void {
    if (line.status === "failed") {
      line.state.className = "";
      line.status = "waiting";
      this.#next();
    } else if (line.status === "paused") {
      line.status = "sending";
      line.upload?.resume();
      show(line, this.#words, "");
    } else if (line.status === "sending") {
      line.status = "paused";
      line.upload?.pause();
      show(line, this.#words, this.#words.paused);
    }
  }

  #cancel(line: Line): void {
    line.stop.abort();
    line.status = "cancelled";
    line.item.remove();
    if (line.isOwn) {
      void this.#removePending(line.key).catch(() => {});
    }
    this.#next();
  }

  /** What was sent of a file is not kept; a whole one stays, which can be from another window. */
  async #removePending(key: string): Promise<void> {
    const path = { id: this.#record, key };
    const { status } = await this.#client.readDraftFile({ path });
    if (status === "pending") await this.#client.removeDraftFile({ path });
  }
}

/** Also asked where the status was set before something was awaited. */
const isPaused = ({ status }: Line): boolean => status === "paused";

/** Files, and those in folders that were dropped, with their paths. */
async function droppedFiles(data: DataTransfer | null): Promise<readonly File[]> {
  const entries = [...(data?.items ?? [])].flatMap((item) => item.webkitGetAsEntry() ?? []);
  if (entries.length === 0) return [...(data?.files ?? [])];
  return (await Promise.all(entries.map(filesIn))).flat();
}

async function filesIn(entry: FileSystemEntry): Promise<readonly File[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    // The path as a chosen folder would give it.
    Object.defineProperty(file, "webkitRelativePath", { value: entry.fullPath.replace(/^\//, "") });
    return [file];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const all: File[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    for (const each of some) all.push(...(await filesIn(each)));
  }
}

for (const form of document.querySelectorAll<HTMLFormElement>("form[data-upload]")) new Uploads(form).start();
