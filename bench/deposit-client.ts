// A client of the deposit bench in a separate process: makes a RO-Crate bag of any size while it streams it as a form.
// Entries repeat one block, so making the bytes costs next to nothing while the clock runs. Order as JSON on stdin,
// outcome as JSON on stdout.
import { createHash } from "node:crypto";
import { connect, type Socket } from "node:net";
import { crc32, deflateRawSync, constants as zlib } from "node:zlib";

export type PackageOrder = {
  readonly port: number;
  readonly path: string;
  readonly token: string;
  readonly kind: "stored" | "deflated";
  /** Payload files, and how many blocks of 8 MiB each has. */
  readonly files: number;
  readonly blocks: number;
};

/** Small bags, each different, for a number of seconds over several connections. */
export type SmallOrder = {
  readonly port: number;
  readonly path: string;
  readonly token: string;
  readonly connections: number;
  readonly seconds: number;
  /** Number of the first, so that no two runs send the same. */
  readonly from: number;
  readonly bytes: number;
};

export type SmallOutcome = {
  readonly seconds: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly latenciesMs: readonly number[];
  /** One answer that was no 201, for the message. */
  readonly odd: string;
};

export type PackageOutcome = {
  readonly status: number;
  readonly body: string;
  readonly seconds: number;
  /** Of the whole form, of the payload when inflated. */
  readonly bodyBytes: number;
  readonly payloadBytes: number;
};

const BLOCK_BYTES = 8 * 1024 * 1024;
const BOUNDARY = "bench-of-deposits";

type Block = { readonly plain: Buffer; readonly packed: Buffer };
type Entry = {
  readonly name: Buffer;
  /** What is sent, in order. */
  readonly pieces: readonly Buffer[];
  readonly method: 0 | 8;
  readonly crc: number;
  readonly packedBytes: number;
  readonly plainBytes: number;
  readonly sha256: string;
};

/** Words that deflate to about two fifths, as texts do; or bytes as they come. */
function blockOf(kind: PackageOrder["kind"]): Block {
  const plain = Buffer.alloc(BLOCK_BYTES);
  let state = 12_345;
  const next = (): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state >>> 8;
  };
  if (kind === "stored") {
    for (let at = 0; at < plain.length; at += 4) plain.writeUInt32LE((next() * 257) >>> 0, at);
    return { plain, packed: plain };
  }
  const words = Array.from({ length: 4000 }, () => (next() % 0xffffff).toString(36).slice(0, 2 + (next() % 6)));
  let text = "";
  while (text.length < plain.length) text += `${words[next() % words.length]}${next() % 12 === 0 ? "\n" : " "}`;
  plain.write(text.slice(0, plain.length), "latin1");
  // Ends on a byte boundary and refers to nothing before itself: blocks may follow one another.
  return { plain, packed: deflateRawSync(plain, { level: 6, finishFlush: zlib.Z_FULL_FLUSH }) };
}

/** Ends a deflate stream. */
const LAST_BLOCK = Buffer.from([3, 0]);

function bigEntry(name: string, kind: PackageOrder["kind"], block: Block, blocks: number): Entry {
  // No two files are the same.
  const first = Buffer.from(`${name}\n`);
  const head = kind === "stored" ? first : deflateRawSync(first, { finishFlush: zlib.Z_FULL_FLUSH });
  const pieces = [
    head,
    ...Array.from({ length: blocks }, () => block.packed),
    ...(kind === "stored" ? [] : [LAST_BLOCK]),
  ];
  const hash = createHash("sha256").update(first);
  let crc = crc32(first);
  for (let each = 0; each < blocks; each++) {
    hash.update(block.plain);
    crc = crc32(block.plain, crc);
  }
  return {
    name: Buffer.from(`data/${name}`),
    pieces,
    method: kind === "stored" ? 0 : 8,
    crc,
    packedBytes: pieces.reduce((sum, piece) => sum + piece.length, 0),
    plainBytes: first.length + blocks * block.plain.length,
    sha256: hash.digest("hex"),
  };
}

function smallEntry(name: string, text: string): Entry {
  const bytes = Buffer.from(text);
  return {
    name: Buffer.from(name),
    pieces: [bytes],
    method: 0,
    crc: crc32(bytes),
    packedBytes: bytes.length,
    plainBytes: bytes.length,
    sha256: createHash("sha256").update(bytes).digest("hex"),
  };
}

/** A bag of these files with a minimal crate. */
export function bagEntries(files: readonly Entry[], title: string): readonly Entry[] {
  const paths = files.map(({ name }) => name.toString().replace(/^data\//, ""));
  const crate = smallEntry(
    "data/ro-crate-metadata.json",
    JSON.stringify({
      "@context": "https://w3id.org/ro/crate/1.1/context",
      "@graph": [
        {
          "@id": "ro-crate-metadata.json",
          "@type": "CreativeWork",
          conformsTo: { "@id": "https://w3id.org/ro/crate/1.1" },
          about: { "@id": "./" },
        },
        {
          "@id": "./",
          "@type": "Dataset",
          name: title,
          datePublished: "2026-01-01",
          creator: { "@id": "#someone" },
          hasPart: paths.map((path) => ({ "@id": path })),
        },
        { "@id": "#someone", "@type": "Person", name: "Yamada, Hanako" },
        ...paths.map((path) => ({ "@id": path, "@type": "File", name: path })),
      ],
    }),
  );
  const payload = [crate, ...files];
  const manifest = payload.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join("");
  return [
    smallEntry("bagit.txt", "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"),
    smallEntry("manifest-sha256.txt", manifest),
    ...payload,
  ];
}

const CAP32 = 0xffffffff;

function records(entry: Entry, offset: number): { readonly local: Buffer; readonly central: Buffer } {
  const { name, method, crc, packedBytes, plainBytes } = entry;
  const fields = (large: boolean): Buffer => {
    const part = Buffer.alloc(26);
    part.writeUInt16LE(large ? 45 : 20, 0);
    part.writeUInt16LE(method, 4);
    part.writeUInt16LE(0x21, 8);
    part.writeUInt32LE(crc, 10);
    part.writeUInt32LE(Math.min(packedBytes, CAP32), 14);
    part.writeUInt32LE(Math.min(plainBytes, CAP32), 18);
    part.writeUInt16LE(name.length, 22);
    return part;
  };
  const sizes = [plainBytes, packedBytes].some((size) => size >= CAP32) ? [plainBytes, packedBytes] : [];
  const inLocal = extraOf(sizes);
  const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), fields(sizes.length > 0), name, inLocal]);
  local.writeUInt16LE(inLocal.length, 28);
  // The ZIP64 fields have only the values that do not fit into the directory.
  const far = [
    ...(plainBytes >= CAP32 ? [plainBytes] : []),
    ...(packedBytes >= CAP32 ? [packedBytes] : []),
    ...(offset >= CAP32 ? [offset] : []),
  ];
  const inCentral = extraOf(far);
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(Math.min(offset, CAP32), 10);
  const central = Buffer.concat([
    Buffer.from("PK\u0001\u0002\u0014\u0003"),
    fields(far.length > 0),
    rest,
    name,
    inCentral,
  ]);
  central.writeUInt16LE(inCentral.length, 30);
  return { local, central };
}

function extraOf(numbers: readonly number[]): Buffer {
  if (numbers.length === 0) return Buffer.alloc(0);
  const extra = Buffer.alloc(4 + numbers.length * 8);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(numbers.length * 8, 2);
  for (const [at, number] of numbers.entries()) extra.writeBigUInt64LE(BigInt(number), 4 + at * 8);
  return extra;
}

/** The pieces of an archive, in order. */
export function archivePieces(entries: readonly Entry[]): readonly Buffer[] {
  const pieces: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const { local, central } = records(entry, offset);
    pieces.push(local, ...entry.pieces);
    directory.push(central);
    offset += local.length + entry.packedBytes;
  }
  const bytes = directory.reduce((sum, each) => sum + each.length, 0);
  pieces.push(...directory);
  if (offset >= CAP32) {
    const end = Buffer.alloc(56 + 20);
    end.write("PK\u0006\u0006", 0, "latin1");
    end.writeBigUInt64LE(44n, 4);
    end.writeUInt16LE(45, 12);
    end.writeUInt16LE(45, 14);
    end.writeBigUInt64LE(BigInt(entries.length), 24);
    end.writeBigUInt64LE(BigInt(entries.length), 32);
    end.writeBigUInt64LE(BigInt(bytes), 40);
    end.writeBigUInt64LE(BigInt(offset), 48);
    end.write("PK\u0006\u0007", 56, "latin1");
    end.writeBigUInt64LE(BigInt(offset + bytes), 64);
    end.writeUInt32LE(1, 72);
    pieces.push(end);
  }
  const last = Buffer.alloc(22);
  last.write("PK\u0005\u0006", 0, "latin1");
  last.writeUInt16LE(entries.length, 8);
  last.writeUInt16LE(entries.length, 10);
  last.writeUInt32LE(bytes, 12);
  last.writeUInt32LE(Math.min(offset, CAP32), 16);
  pieces.push(last);
  return pieces;
}

/** A form with these bytes as its one file. */
export function formPieces(archive: readonly Buffer[]): readonly Buffer[] {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="package.zip"\r\nContent-Type: application/zip\r\n\r\n`;
  return [Buffer.from(head), ...archive, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)];
}

export function formHead(path: string, token: string, bodyBytes: number): string {
  return [
    `POST ${path} HTTP/1.1`,
    "Host: 127.0.0.1",
    `Authorization: Bearer ${token}`,
    `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
    "Content-Disposition: attachment; filename=package.zip",
    "Packaging: http://purl.org/net/sword/3.0/package/SimpleZip",
    `Content-Length: ${bodyBytes}`,
    "\r\n",
  ].join("\r\n");
}

/** A bag of one small text, all of it about this many bytes; another one for each number. */
export function smallBag(number: number, bytes: number): readonly Buffer[] {
  const text = `${number}\n`.padEnd(Math.max(1, bytes - 2_600), "tides and times ");
  return archivePieces(bagEntries([smallEntry("data/a.txt", text)], `Small deposit ${number}`));
}

const WRITE_BYTES = 1024 * 1024;

async function send(order: PackageOrder): Promise<PackageOutcome> {
  const block = blockOf(order.kind);
  const files = Array.from({ length: order.files }, (_, at) =>
    bigEntry(`file-${at}.bin`, order.kind, block, order.blocks),
  );
  const pieces = formPieces(archivePieces(bagEntries(files, "A large package")));
  const bodyBytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const payloadBytes = files.reduce((sum, { plainBytes }) => sum + plainBytes, 0);
  const socket: Socket = connect(order.port, "127.0.0.1");
  let received = "";
  const answered = new Promise<void>((resolve, reject) => {
    socket.on("data", (bytes: Buffer) => {
      received += bytes.toString();
      const length = /content-length: (\d+)/i.exec(received)?.[1];
      const body = received.indexOf("\r\n\r\n") + 4;
      if (length !== undefined && body > 3 && Buffer.byteLength(received.slice(body)) >= Number(length)) resolve();
    });
    socket.once("error", reject);
    socket.once("close", () => resolve());
  });
  await new Promise<void>((resolve) => socket.once("connect", () => resolve()));
  const began = performance.now();
  socket.write(formHead(order.path, order.token, bodyBytes));
  for (const piece of pieces) {
    for (let at = 0; at < piece.length && !socket.destroyed; at += WRITE_BYTES) {
      if (!socket.write(piece.subarray(at, at + WRITE_BYTES))) {
        await Promise.race([new Promise<void>((resolve) => socket.once("drain", () => resolve())), answered]);
      }
    }
  }
  await answered;
  const seconds = (performance.now() - began) / 1000;
  socket.destroy();
  return {
    status: Number(received.slice(9, 12)),
    body: received.slice(received.indexOf("\r\n\r\n") + 4),
    seconds,
    bodyBytes,
    payloadBytes,
  };
}

/** One connection's answers, one after the other. */
async function* answersOn(socket: Socket): AsyncGenerator<{ readonly status: string; readonly body: string }> {
  let received = Buffer.alloc(0);
  for await (const bytes of socket) {
    received = Buffer.concat([received, bytes]);
    const head = received.indexOf("\r\n\r\n");
    if (head < 0) continue;
    const text = received.subarray(0, head).toString();
    const end = head + 4 + Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
    if (received.length < end) continue;
    yield { status: text.slice(9, 12), body: received.subarray(head + 4, end).toString() };
    received = received.subarray(end);
  }
}

async function sendSmall(order: SmallOrder): Promise<SmallOutcome> {
  const statuses: Record<string, number> = {};
  const latenciesMs: number[] = [];
  let odd = "";
  let next = order.from;
  const began = performance.now();
  const until = began + order.seconds * 1000;
  const work = async (): Promise<void> => {
    const socket = connect(order.port, "127.0.0.1");
    const answers = answersOn(socket);
    while (performance.now() < until) {
      const pieces = formPieces(smallBag(next++, order.bytes));
      const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
      const startedAt = performance.now();
      socket.write(Buffer.concat([Buffer.from(formHead(order.path, order.token, length)), ...pieces]));
      const { value } = await answers.next();
      if (value === undefined) throw new Error("The server closed the connection");
      latenciesMs.push(performance.now() - startedAt);
      statuses[value.status] = (statuses[value.status] ?? 0) + 1;
      if (value.status !== "201") odd = value.body;
    }
    socket.destroy();
  };
  await Promise.all(Array.from({ length: order.connections }, work));
  return { seconds: (performance.now() - began) / 1000, statuses, latenciesMs, odd };
}

async function main(): Promise<PackageOutcome | SmallOutcome> {
  const order: PackageOrder | SmallOrder = JSON.parse(await Bun.stdin.text());
  return "kind" in order ? await send(order) : await sendSmall(order);
}

if (import.meta.main) process.stdout.write(JSON.stringify(await main()));
