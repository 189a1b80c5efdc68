// `arkstone deposit`: sends a package to a repository, here or elsewhere, and sends it again until it is there (R6b,
// R13, R15).

import { createHash, randomBytes } from "node:crypto";
import { stat } from "node:fs/promises";
import { connect } from "node:net";
import { basename } from "node:path";
import process from "node:process";
import { ConnectionError, jsonIn, RefusalError } from "../../../../client/errors.ts";
import { isTryAgain, type Retry, send, textUpTo } from "../../../../client/transport.ts";
import { openFileBytes } from "../../../adapters/files.ts";
import { unpacking } from "../../../adapters/unpacking.ts";
import { PACKAGING_NS } from "../../../repository/deposit/documents.ts";
import {
  depositUrl,
  isInClear,
  type Outcome,
  outcomeOf,
  PATIENCE_SECONDS,
  plainFileName,
  SEND_ATTEMPTS,
} from "../../../repository/deposit/sending.ts";
import { openZip } from "../../../repository/deposit/zip-archive.ts";
import { writeByteSize } from "../../../shared/bytes/byte-size.ts";
import { byteStream } from "../../../shared/bytes/byte-streams.ts";
import { errorMessage } from "../../../shared/error-message.ts";
import { fileForm } from "../../../shared/multipart/parser.ts";
import { withoutUndefined } from "../../../shared/objects.ts";
import { jsonLine, jsonText, type Progress, printable, progressOn } from "../../process/terminal.ts";
import { type Command, command } from "../command.ts";
import type { Context } from "../context.ts";
import { bytesOf } from "../input-file.ts";
import { CommandRefusal, UsageError } from "../refusals.ts";
import { numberOption } from "./records.ts";

/** Not delivered, though everything was in order: the same command may work later (EX_TEMPFAIL). */
const NOT_DELIVERED = 75;
const ANSWER_MAX_BYTES = 1024 * 1024;
/** The end of the address of the service document. */
const SERVICE_PATH = "/sword/service-document";
const NO_CLIENT_RECORD = "No SWORD API setting found";

type Parcel = {
  readonly path: string;
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly packaging: string;
};

type Target = {
  readonly method: "POST" | "PUT";
  readonly url: string;
  readonly token: string;
  readonly onBehalfOf: string | undefined;
  readonly ifMatch: string | undefined;
  readonly attempts: number;
  /** How long it is tried while the repository was never reached. */
  readonly patienceMs: number;
};

const deposit = command({
  name: "deposit",
  summary: "Send a package to a repository and print its address",
  words: ["FILE"],
  options: {
    url: { type: "string", value: "URL", help: "Address of the repository, or of its service document (ARKSTONE_URL)" },
    token: { type: "string", value: "TOKEN", help: "Access token; better in ARKSTONE_TOKEN, where nobody sees it" },
    packaging: {
      type: "string",
      value: "NAME",
      help: "SimpleZip or SWORDBagIt, or a whole URI; left out: seen from the package",
    },
    "on-behalf-of": {
      type: "string",
      value: "WHOM",
      help: "Deposit for somebody else: e-mail, personal token or ePPN",
    },
    draft: { type: "string", value: "ID", help: "Add FILE as it is to this draft, in parts, instead of a package" },
    put: { type: "string", value: "ID", help: "Replace this item instead of making a new one" },
    "if-match": { type: "string", value: "ETAG", help: "With --put: only while the item is at this revision" },
    attempts: { type: "string", value: "N", help: `Send it at most this often (default ${SEND_ATTEMPTS})` },
    patience: {
      type: "string",
      value: "SECONDS",
      help: `Try this long while nothing answers at the address (default ${PATIENCE_SECONDS})`,
    },
  },
  details: `
FILE is a ZIP: a bag with RO-Crate or SWORD metadata ("arkstone pack" makes one), or a table or JPCOAR XML with its files. It is read twice,
once for its SHA-256 and once to send it, and never held in memory. When the connection breaks or the repository is busy (503, 429), it is
sent again with the same Idempotency-Key, so it is registered once. An address where nothing answers is given up after ${PATIENCE_SECONDS} s, or --patience.
With --draft any file is added to a draft of the records interface; interrupted, the same command goes on, also with an upload that a
browser began.
Exit codes: 0 registered, or waiting for approval; 1 refused; 75 not delivered, the same command may work later.`,
  examples: [
    "ARKSTONE_TOKEN=svc_... arkstone deposit survey.zip --url https://repository.example.org",
    "arkstone deposit survey.nc --url https://repository.example.org --draft 12",
    "arkstone deposit survey.zip --url http://127.0.0.1:8002 --token svc_... --put 12",
  ],
  async run(context, given, [file = ""]) {
    const base = given.url ?? context.env.ARKSTONE_URL;
    const token = given.token ?? context.env.ARKSTONE_TOKEN;
    if (base === undefined) throw new UsageError("--url is missing", "Name the repository, or set ARKSTONE_URL");
    if (token === undefined || token === "") {
      throw new UsageError("--token is missing", 'Set ARKSTONE_TOKEN; "arkstone token add" makes one on the server');
    }
    if (!/^[\x21-\x7e]+$/.test(token)) throw new UsageError("--token holds a character no token has", "");
    const url = depositUrl(base, given.put ?? null);
    if (url === null) throw new UsageError(`--url must be an http or https address, not "${base}"`, "");
    if (given.put !== undefined && given.draft !== undefined)
      throw new UsageError("--put and --draft exclude each other", "");
    if (isInClear(url)) context.err("Warning: the token and the package go over the network in clear; use https\n");
    const attempts = numberOption("attempts", given.attempts ?? String(SEND_ATTEMPTS));
    if (attempts < 1) throw new UsageError("--attempts must be at least 1", "");
    const patienceMs = numberOption("patience", given.patience ?? String(PATIENCE_SECONDS)) * 1000;
    const progress = progressOn(context);
    if (given.draft !== undefined) {
      const draft = { url: url.slice(0, -SERVICE_PATH.length), token, draft: given.draft, attempts };
      // Its client is generated from the descriptions, which are made by a program that imports all commands.
      const { addToDraft } = await import("./deposit-file.ts");
      return await addToDraft(context, progress, file, draft);
    }
    const parcel = await prepare(context, progress, file, given.packaging);
    const target: Target = {
      method: given.put === undefined ? "POST" : "PUT",
      url,
      token,
      attempts,
      patienceMs,
      onBehalfOf: given["on-behalf-of"],
      ifMatch: given["if-match"],
    };
    return tell(context, parcel, await deliver(context, progress, parcel, target));
  },
});

async function prepare(context: Context, progress: Progress, path: string, asked: string | undefined): Promise<Parcel> {
  const found = await stat(path).catch((error: unknown) => {
    throw new CommandRefusal(`Cannot read ${path}: ${errorMessage(error)}`);
  });
  if (found.isDirectory())
    throw new CommandRefusal(`${path} is a folder`, `Make a package of it first: "arkstone pack ${path}"`);
  if (!found.isFile() || found.size === 0) throw new CommandRefusal(`${path} is not a file, or is empty`);
  const packaging = asked === undefined ? await packagingOf(path) : packagingNamed(asked);
  const sha256 = createHash("sha256");
  let read = 0;
  for await (const piece of bytesOf(path)) {
    sha256.update(piece);
    read += piece.length;
    if (context.isInteractive) progress.step(`Reading ${share(read, found.size)}`);
  }
  if (!context.isInteractive) progress.step(`Read ${basename(path)}: ${writeByteSize(found.size)}`);
  const fileName = plainFileName(basename(path));
  return { path, fileName, sizeBytes: found.size, sha256: sha256.digest("hex"), packaging };
}

function packagingNamed(name: string): string {
  return /^https?:\/\//.test(name) ? name : `${PACKAGING_NS}${name}`;
}

/**
 * SWORDBagIt has metadata/sword.json, everything else is a SimpleZip. @throws CommandRefusal for a file that is not a
 * ZIP.
 */
async function packagingOf(path: string): Promise<string> {
  const bytes = await openFileBytes(path);
  try {
    const { entries } = await openZip(bytes, unpacking());
    const isSword = entries.some(({ path: name }) => name === "metadata/sword.json");
    return packagingNamed(isSword ? "SWORDBagIt" : "SimpleZip");
  } catch (error) {
    throw new CommandRefusal(`Cannot send ${path}: ${errorMessage(error)}`, "A package is a ZIP file");
  } finally {
    await bytes[Symbol.asyncDispose]();
  }
}

function share(done: number, all: number): string {
  return `${Math.floor((done / all) * 100)} % of ${writeByteSize(all)}`;
}

/** The answer, or why there is none. */
type Delivery = { readonly outcome: Outcome } | { readonly lost: string; readonly hint: string };

/** No connection can be made. */
class Unreached extends Error {
  override readonly name = "Unreached";
}

async function deliver(context: Context, progress: Progress, parcel: Parcel, target: Target): Promise<Delivery> {
  const boundary = `arkstone-${randomBytes(18).toString("hex")}`;
  const form = fileForm({ boundary, field: "file", fileName: parcel.fileName, mediaType: "application/zip" });
  const headers = new Headers({
    authorization: `Bearer ${target.token}`,
    "content-type": `multipart/form-data; boundary=${boundary}`,
    "content-disposition": `attachment; filename=${parcel.fileName}`,
    packaging: parcel.packaging,
    digest: `SHA-256=${parcel.sha256}`,
    "idempotency-key": randomBytes(24).toString("base64url"),
    ...withoutUndefined({ "on-behalf-of": target.onBehalfOf, "if-match": target.ifMatch }),
  });
  const onProgress = (sent: number): void => {
    if (context.isInteractive) progress.step(`Sending ${share(sent, parcel.sizeBytes)}`);
  };
  const { method, url, attempts } = target;
  const body = () => bodyOf(parcel, form, onProgress);
  const request = { operation: "deposit", method, url: new URL(url), headers, body };
  const patience = patient(context, progress, target);
  try {
    // A redirect would take the token elsewhere.
    const options = { timeoutMs: 0, attempts, redirect: "manual", ...patience } as const;
    return await send(request, options, async (response) => ({
      outcome: answerOf(response, await textUpTo(response, ANSWER_MAX_BYTES)),
    }));
  } catch (error) {
    return deliveryOf(error, url);
  } finally {
    progress.end();
  }
}

/** Sends only where a connection can be made, and ends the attempts where none could within the patience. */
function patient(context: Context, progress: Progress, { url, patienceMs }: Target) {
  const startedAt = performance.now();
  let isReached = false;
  return {
    async fetch(to: string, init: RequestInit): Promise<Response> {
      if (!context.isInteractive) progress.step(`Sending to ${to}`);
      const problem = await reachProblem(to);
      if (problem !== null) throw new Unreached(problem);
      isReached = true;
      return await fetch(to, init);
    },
    async onRetry({ error, waitMs }: Retry): Promise<boolean> {
      if (!isReached && performance.now() - startedAt + waitMs > patienceMs) return false;
      const delivery = deliveryOf(error, url);
      const why = "lost" in delivery ? delivery.lost : `${delivery.outcome.status} ${delivery.outcome.words}`;
      progress.step(`${printable(why)}; sending it again in ${Math.ceil(waitMs / 1000)} s`);
      return !(await context.interrupted());
    },
  };
}

/** @throws what is neither a refusal nor of the connection */
function deliveryOf(error: unknown, url: string): Delivery {
  if (error instanceof RefusalError) return { outcome: outcomeOf(error.status, error.body) };
  if (!(error instanceof ConnectionError)) throw error;
  if (error.cause instanceof Unreached) return unreached(url, error.cause.message);
  return { lost: `The connection to ${url} broke: ${errorMessage(error.cause)}`, hint: "" };
}

/** Longest that a connection may take to be made. */
const CONNECT_MS = 5_000;

const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ENOTFOUND: "no host has this name",
  EAI_AGAIN: "the name of the host cannot be looked up",
  EHOSTUNREACH: "no network leads there",
  ENETUNREACH: "no network leads there",
  ETIMEDOUT: "nothing answers there",
};

/** Why no connection can be made to the host of an address; null where one can, or where a proxy makes it. */
async function reachProblem(url: string): Promise<string | null> {
  const { protocol, hostname, port } = new URL(url);
  if (["http_proxy", "https_proxy"].some((name) => process.env[name] || process.env[name.toUpperCase()])) return null;
  const address = {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port) || (protocol === "https:" ? 443 : 80),
  };
  return await new Promise((resolve) => {
    const socket = connect(address);
    const end = (problem: string | null): void => {
      socket.destroy();
      resolve(problem);
    };
    socket.setTimeout(CONNECT_MS, () => end(`nothing answers there within ${CONNECT_MS / 1000} s`));
    socket.once("connect", () => end(null));
    socket.once("error", (error: Error & { readonly code?: string }) =>
      end(UNREACHABLE[error.code ?? ""] ?? errorMessage(error)),
    );
  });
}

const unreached = (url: string, why: string): Delivery => ({
  lost: `Cannot reach the repository at ${new URL(url).origin}: ${why}`,
  hint: "Check the address (--url or ARKSTONE_URL), whether the repository runs there and whether a firewall lets you through; --patience SECONDS tries for longer",
});

function answerOf({ status, headers }: Response, text: string): Outcome {
  const outcome = outcomeOf(status, jsonIn(text));
  const to = headers.get("location");
  if (status < 300 || to === null) return outcome;
  return { ...outcome, words: `It answers with a redirect to ${to}: send it there, if that is right` };
}

function bodyOf(parcel: Parcel, form: { head: Uint8Array; tail: Uint8Array }, onProgress: (sent: number) => void) {
  async function* pieces(): AsyncGenerator<Uint8Array> {
    yield form.head;
    let sent = 0;
    for await (const piece of bytesOf(parcel.path)) {
      sent += piece.length;
      // Another size would be refused by the repository too, after all of it had been sent.
      if (sent > parcel.sizeBytes) throw new Error(`${parcel.path} changed while it was sent`);
      yield piece;
      onProgress(sent);
    }
    yield form.tail;
  }
  return byteStream(pieces());
}

function tell(context: Context, parcel: Parcel, delivered: Delivery): number {
  if ("lost" in delivered) {
    fail(context, "not_delivered", `Not delivered: ${delivered.lost}`, delivered.hint);
    return NOT_DELIVERED;
  }
  const { outcome } = delivered;
  const { status, statusUrl, pages, eTag, words } = outcome;
  if (status >= 200 && status < 300) {
    const out = { status, id: statusUrl?.split("/").at(-1) ?? null, status_url: statusUrl, pages, e_tag: eTag, words };
    if (context.json) context.out(jsonText({ ...out, sha256: parcel.sha256 }));
    else tellDone(context, outcome);
    return 0;
  }
  const isLater = isTryAgain(status);
  const hint = words.includes(NO_CLIENT_RECORD)
    ? 'The token has no active client record: on the server, "arkstone token list" shows it and "arkstone sword-client set CLIENT_ID --active yes" mends it'
    : "";
  const message = `${isLater ? "Not taken now" : "Refused"}: ${words === "" ? "no reason given" : words} (${status})`;
  fail(context, isLater ? "not_delivered" : "refused", message, hint, { status });
  return isLater ? NOT_DELIVERED : 1;
}

/** As every command reports an error (command-line.ts). */
function fail(context: Context, code: string, message: string, hint: string, more: object = {}): void {
  if (context.json) context.err(jsonLine({ code, message, hint, ...more }));
  else context.err(`arkstone: ${printable(message)}\n${hint === "" ? "" : `${hint}\n`}`);
}

const DONE: Readonly<Record<number, string>> = {
  200: "Replaced",
  201: "Registered",
  202: "Waiting for approval",
};

function tellDone(context: Context, { status, statusUrl, pages, words }: Outcome): void {
  context.out(`${DONE[status] ?? `Answered ${status}`}: ${printable(pages[0] ?? statusUrl ?? "")}\n`);
  for (const page of pages.slice(1)) context.out(`  ${printable(page)}\n`);
  if (statusUrl !== null) context.err(`Status document: ${printable(statusUrl)}\n`);
  if (words !== "") context.err(`${printable(words)}\n`);
}

export const depositCommands: readonly Command[] = [deposit];
