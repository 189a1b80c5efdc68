// Deposits as clients send them: packages of all four formats, and requests with a form or with the ZIP as the body.
import {
  type Bytes,
  bagPieces,
  type Column,
  crateOf,
  hashOf,
  jpcoarOf,
  type Payload,
  SMALL_FILE,
  swordJsonOf,
  tableColumns,
  tableOf,
} from "./package-builder.ts";
import { join, type Piece, utf8Bytes, zip } from "./zip-writer.ts";

export const SIMPLE_ZIP = "http://purl.org/net/sword/3.0/package/SimpleZip";
export const SWORD_BAGIT = "http://purl.org/net/sword/3.0/package/SWORDBagIt";

/** A package and how it is announced. */
export type Package = { readonly bytes: Uint8Array; readonly packaging: string; readonly name: string };

type Fields = Readonly<Record<string, unknown>>;
let made = 0;
/** A title no other package of this process has. */
export const freshTitle = (): string => {
  made += 1;
  return `Tides at Naha ${made}`;
};

const packed = (pieces: readonly Piece[], packaging = SIMPLE_ZIP): Package => ({
  bytes: zip(pieces),
  packaging,
  name: "package.zip",
});

/** A RO-Crate bag; `root` changes members of the root entity (undefined takes one away), `more` adds entities. */
export function cratePackage(
  root: Fields = {},
  payload: readonly Payload[] = [SMALL_FILE],
  more: readonly Fields[] = [],
): Package {
  const crate = crateOf(
    payload.map(({ path }) => path),
    { name: freshTitle(), ...root },
    more,
  );
  return packed(bagPieces({ payload, crate }));
}

/** A paper and its evidence in one crate (svc:isSplited), `paper.pdf` in the one and `data.csv` in the other. */
export function splitPackage(root: Fields = {}, paper: Fields = {}, evidence: Fields = {}): Package {
  const creator = { "@id": "#someone" };
  const of = (id: string, fields: Fields, file: string): Fields => ({
    "@id": id,
    "@type": "Dataset",
    name: freshTitle(),
    datePublished: "2026-01-01",
    creator,
    hasPart: [{ "@id": file }],
    ...fields,
  });
  const parts = [of("_:paper", paper, "paper.pdf"), of("_:evidence", evidence, "data.csv")];
  const payload = [
    { path: "paper.pdf", bytes: "%PDF-1.7 paper" },
    { path: "data.csv", bytes: "a,b\n1,2\n" },
  ];
  const hasPart = [{ "@id": "_:paper" }, { "@id": "_:evidence" }];
  return cratePackage({ "svc:isSplited": true, hasPart, ...root }, payload, parts);
}

/** A SWORD BagIt package with a metadata document. */
export function swordPackage(fields: Fields = {}, payload: readonly Payload[] = [SMALL_FILE]): Package {
  const swordJson = swordJsonOf({ "dc:title": freshTitle(), ...fields });
  return packed(bagPieces({ payload, crate: null, swordJson }), SWORD_BAGIT);
}

/** The columns of a table, some of them with other values; null leaves a column out, unknown ones are added. */
function columnsWith(changes: Readonly<Record<string, string | null>>, file?: string): Column[] {
  const usual = tableColumns(freshTitle(), file);
  const known = new Set(usual.map(([path]) => path));
  const kept = usual.flatMap(([path, value]): Column[] => {
    const change = changes[path];
    return change === null ? [] : [[path, change ?? value]];
  });
  const added = Object.entries(changes).flatMap(([path, value]): Column[] =>
    known.has(path) || value === null ? [] : [[path, value]],
  );
  return [...kept, ...added];
}

/** A table of the full item type with one file; `.csv` takes commas. */
export function tablePackage(
  changes: Readonly<Record<string, string | null>> = {},
  { name = "data/items.tsv", file = SMALL_FILE }: { readonly name?: string; readonly file?: Payload } = {},
): Package {
  const table = tableOf(columnsWith(changes, file.path), name.toLowerCase().endsWith(".csv") ? "," : "\t");
  return packed([
    { name, bytes: table },
    { name: `data/${file.path}`, bytes: file.bytes },
  ]);
}

/** A JPCOAR document and files. */
export function xmlPackage(xml: Bytes = jpcoarOf(undefined, freshTitle()), payload = [SMALL_FILE]): Package {
  const files = payload.map(({ path, bytes }) => ({ name: `data/${path}`, bytes }));
  return packed([{ name: "data/item.xml", bytes: xml }, ...files]);
}

export const plainPackage = (pieces: readonly Piece[], packaging = SIMPLE_ZIP): Package => packed(pieces, packaging);

type Part = {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly filename?: string;
  readonly contentType?: string;
};
type Form = { readonly body: Uint8Array<ArrayBuffer>; readonly contentType: string };

/** A multipart form, its parts in this order. */
export function multipart(parts: readonly Part[], boundary = "----arkstone-test-boundary"): Form {
  const pieces = parts.flatMap(({ name, bytes, filename, contentType }) => [
    utf8Bytes(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"`),
    utf8Bytes(filename === undefined ? "" : `; filename="${filename}"`),
    utf8Bytes(contentType === undefined ? "" : `\r\nContent-Type: ${contentType}`),
    utf8Bytes("\r\n\r\n"),
    bytes,
    utf8Bytes("\r\n"),
  ]);
  const body = join(...pieces, utf8Bytes(`--${boundary}--\r\n`));
  return { body: new Uint8Array(body), contentType: `multipart/form-data; boundary=${boundary}` };
}

/** What a test changes in an upload that is right otherwise. */
export type Upload = {
  /** Null takes one away. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Instead of the one `file` part. */
  readonly parts?: readonly Part[];
  /** The ZIP itself as the body. */
  readonly raw?: boolean;
  readonly filename?: string;
  /** Without Content-Length, in pieces. */
  readonly chunked?: boolean;
};

/** The part of the form that carries a package. */
export const partOf = ({ bytes, name }: Package, filename = name): Part => ({
  name: "file",
  bytes,
  filename,
  contentType: "application/zip",
});

type UploadRequest = { readonly headers: Record<string, string>; readonly body: BodyInit };

/** Headers and body of a POST or PUT with this package. */
export function uploadOf(pkg: Package, upload: Upload = {}): UploadRequest {
  const filename = upload.filename ?? pkg.name;
  const form =
    upload.raw === true
      ? { body: new Uint8Array(pkg.bytes), contentType: "application/zip" }
      : multipart(upload.parts ?? [partOf(pkg, filename)]);
  const headers: Record<string, string> = {
    "content-type": form.contentType,
    "content-disposition": `attachment; filename=${filename}`,
    packaging: pkg.packaging,
    ...(upload.chunked === true ? {} : { "content-length": String(form.body.length) }),
  };
  for (const [name, value] of Object.entries(upload.headers ?? {})) {
    if (value === null) delete headers[name.toLowerCase()];
    else headers[name.toLowerCase()] = value;
  }
  return { headers, body: upload.chunked === true ? streamOf(form.body) : form.body };
}

const CHUNK = 1_000;

function streamOf(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes.slice(at, at + CHUNK));
      at += CHUNK;
      if (at >= bytes.length) controller.close();
    },
  });
}

/** The value of a Digest header: `SHA-256=` and the hash in lower case hex. */
export const digestOf = ({ bytes }: Package): string => `SHA-256=${hashOf(bytes)}`;
