// A store of the S3 kind in this process, for tests: it verifies signatures on its own (Signature Version 4, header and
// query), keeps objects and uploads in parts, and fails where a test asks it to.
import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

export const FAKE_ACCOUNT = { accessKeyId: "AKIDTEST", secretAccessKey: "not+a/real=secret", region: "eu-test-1" };

export type Fault = {
  /** Which requests: of this method and with this in their target. */
  readonly method: string;
  readonly holds?: string;
  /**
   * A status; no answer at all; the connection ended after a number of bytes of the body; 200 with an error in its
   * text; a redirect.
   */
  readonly does: 500 | 501 | 505 | 503 | 403 | "hang" | "late-error" | "redirect" | { readonly cutAfter: number };
  /** How often. */
  times: number;
};

type FakeObject = { readonly bytes: Uint8Array; readonly etag: string; modified: Date };
type Upload = { readonly key: string; readonly initiated: Date; readonly parts: Map<number, FakeObject> };
type Call = {
  readonly method: string;
  readonly path: string;
  /** As sent. */
  readonly query: string;
  readonly parameters: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
};
type Answer = {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: Uint8Array | string;
};

const hex = (kind: string, data: string | Uint8Array): string => createHash(kind).update(data).digest("hex");
const failure = (status: number, code: string): Answer => ({ status, body: `<Error><Code>${code}</Code></Error>` });
const xmlSafe = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

/** Starts it on a free port with one bucket named `bucket`. `pageSize`: how many entries one page of a list has. */
export async function startFakeS3({ pageSize = 2 } = {}) {
  const objects = new Map<string, FakeObject>();
  const uploads = new Map<string, Upload>();
  const faults: Fault[] = [];
  const calls: string[] = [];
  const state = { objects, uploads, pageSize, clock: () => new Date() };

  const server = createServer(async (request, response) => {
    const call = await callOf(request);
    calls.push(`${call.method} ${call.path}${call.query === "" ? "" : `?${call.query}`}`);
    const fault = faults.find((each) => {
      return each.times > 0 && each.method === call.method && `${call.path}?${call.query}`.includes(each.holds ?? "");
    });
    if (fault !== undefined) fault.times -= 1;
    if (fault?.does === "hang") return;
    if (fault?.does === "redirect") return send(response, { status: 307, headers: { location: "http://192.0.2.1/" } });
    if (typeof fault?.does === "number") return send(response, failure(fault.does, "Injected"));
    if (fault?.does === "late-error") return send(response, failure(200, "InternalError"));
    const refused = verify(call, state.clock());
    const answer = refused === null ? perform(state, call) : failure(403, refused);
    send(response, answer, typeof fault?.does === "object" ? fault.does.cutAfter : null, call.method === "HEAD");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    objects,
    uploads,
    faults,
    calls,
    setClock: (clock: () => Date) => {
      state.clock = clock;
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function callOf(request: IncomingMessage): Promise<Call> {
  const pieces: Uint8Array[] = [];
  for await (const piece of request) pieces.push(piece);
  const [path = "", query = ""] = (request.url ?? "").split("?");
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const parameters = new URLSearchParams(query.replaceAll("+", "%2B"));
  return { method: request.method ?? "", path, query, parameters, headers, body: Buffer.concat(pieces) };
}

function send(response: ServerResponse, answer: Answer, cutAfter: number | null = null, isHead = false): void {
  const body =
    typeof answer.body === "string" ? new TextEncoder().encode(answer.body) : (answer.body ?? new Uint8Array(0));
  const length = answer.headers?.["content-length"] ?? String(body.length);
  response.writeHead(answer.status, {
    ...answer.headers,
    ...(answer.status === 204 ? {} : { "content-length": length }),
  });
  if (cutAfter !== null) {
    response.write(body.subarray(0, cutAfter), () => setTimeout(() => response.destroy(), 20));
  } else response.end(isHead || answer.status === 204 ? undefined : body);
}

/**
 * Null when the signature is right, else the code of the refusal. Written from the server's side, on what was received.
 */
function verify(call: Call, now: Date): string | null {
  const isPresigned = call.parameters.has("X-Amz-Signature");
  const authorization = /^AWS4-HMAC-SHA256 Credential=([^,]+),\s*SignedHeaders=([^,]+),\s*Signature=(\w+)$/.exec(
    call.headers.authorization ?? "",
  );
  if (!isPresigned && authorization === null) return "AccessDenied";
  const [credential, names, signature] = isPresigned
    ? ["X-Amz-Credential", "X-Amz-SignedHeaders", "X-Amz-Signature"].map((name) => call.parameters.get(name) ?? "")
    : (authorization ?? []).slice(1);
  const [keyId, day, region, service, end] = (credential ?? "").split("/");
  if (keyId !== FAKE_ACCOUNT.accessKeyId) return "InvalidAccessKeyId";
  if (region !== FAKE_ACCOUNT.region || service !== "s3" || end !== "aws4_request")
    return "AuthorizationHeaderMalformed";
  const date = (isPresigned ? call.parameters.get("X-Amz-Date") : call.headers["x-amz-date"]) ?? "";
  if (!date.startsWith(day ?? "-")) return "AccessDenied";
  const signedAt = Date.parse(date.replace(/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/, "$1-$2-$3T$4:$5:$6Z"));
  const lifeMs = Number(isPresigned ? call.parameters.get("X-Amz-Expires") : 900) * 1000;
  if (!(now.getTime() < signedAt + lifeMs && now.getTime() > signedAt - 900_000))
    return isPresigned ? "AccessDenied" : "RequestTimeTooSkewed";
  const payload = isPresigned ? "UNSIGNED-PAYLOAD" : (call.headers["x-amz-content-sha256"] ?? "");
  if (payload !== "UNSIGNED-PAYLOAD" && payload !== hex("sha256", call.body)) return "XAmzContentSHA256Mismatch";
  const query = call.query.split("&").filter((pair) => pair !== "" && !pair.startsWith("X-Amz-Signature="));
  const headers = (names ?? "").split(";");
  if (!headers.includes("host")) return "AccessDenied";
  const canonical = [
    call.method,
    call.path,
    query
      .map((pair) => (pair.includes("=") ? pair : `${pair}=`))
      .sort()
      .join("&"),
  ]
    .concat(
      headers.map((name) => `${name}:${call.headers[name] ?? ""}`),
      "",
      headers.join(";"),
      payload,
    )
    .join("\n");
  const text = `AWS4-HMAC-SHA256\n${date}\n${day}/${region}/s3/aws4_request\n${hex("sha256", canonical)}`;
  const key = [day ?? "", region, "s3", "aws4_request"].reduce<string | Uint8Array>(
    (secret, part) => createHmac("sha256", secret).update(part).digest(),
    `AWS4${FAKE_ACCOUNT.secretAccessKey}`,
  );
  return createHmac("sha256", key).update(text).digest("hex") === signature ? null : "SignatureDoesNotMatch";
}

type State = {
  readonly objects: Map<string, FakeObject>;
  readonly uploads: Map<string, Upload>;
  readonly pageSize: number;
  clock: () => Date;
};

function perform(state: State, call: Call): Answer {
  const [, bucket, ...rest] = call.path.split("/").map(decodeURIComponent);
  if (bucket !== "bucket") return failure(404, "NoSuchBucket");
  const key = rest.join("/");
  if (key === "") return call.parameters.has("uploads") ? listUploads(state, call) : listObjects(state, call);
  if (call.parameters.has("uploads") || call.parameters.has("uploadId")) return upload(state, call, key);
  if (call.method === "PUT") return put(state, call, key);
  const found = state.objects.get(key);
  if (call.method === "DELETE") {
    state.objects.delete(key);
    return { status: 204 };
  }
  return found === undefined ? failure(404, "NoSuchKey") : get(found, call);
}

function put(state: State, call: Call, key: string): Answer {
  const etag = `"${hex("md5", call.body)}"`;
  state.objects.set(key, { bytes: call.body, etag, modified: state.clock() });
  return { status: 200, headers: { etag } };
}

function get({ bytes, etag, modified }: FakeObject, { headers, parameters }: Call): Answer {
  if (headers["if-match"] !== undefined && headers["if-match"] !== etag) return failure(412, "PreconditionFailed");
  const shown: Record<string, string> = { etag, "last-modified": modified.toUTCString() };
  for (const name of ["content-type", "content-disposition"]) {
    const value = parameters.get(`response-${name}`);
    if (value !== null) shown[name] = value;
  }
  const range = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "");
  if (range === null) return { status: 200, headers: shown, body: bytes };
  const [first, last] = [Number(range[1]), Math.min(Number(range[2]), bytes.length - 1)];
  if (first >= bytes.length) return failure(416, "InvalidRange");
  const part = bytes.subarray(first, last + 1);
  return { status: 206, headers: { ...shown, "content-range": `bytes ${first}-${last}/${bytes.length}` }, body: part };
}

/** One page of a list, and what leads to the next: the last one given. */
function page<T>(entries: readonly (readonly [string, T])[], after: string, size: number) {
  const sorted = entries.filter(([name]) => name > after).sort(([one], [other]) => (one < other ? -1 : 1));
  const shown = sorted.slice(0, size);
  return { shown, isTruncated: sorted.length > size, last: shown.at(-1)?.[0] ?? "" };
}

function listObjects({ objects, pageSize }: State, { parameters }: Call): Answer {
  const prefix = parameters.get("prefix") ?? "";
  const all = [...objects].filter(([key]) => key.startsWith(prefix));
  const { shown, isTruncated, last } = page(all, atob(parameters.get("continuation-token") ?? ""), pageSize);
  const contents = shown.map(([key, { bytes, etag, modified }]) => {
    return `<Contents><Key>${xmlSafe(key)}</Key><LastModified>${modified.toISOString()}</LastModified><ETag>${xmlSafe(etag)}</ETag><Size>${bytes.length}</Size></Contents>`;
  });
  const next = isTruncated ? `<NextContinuationToken>${btoa(last)}</NextContinuationToken>` : "";
  return {
    status: 200,
    body: `<?xml version="1.0"?><ListBucketResult xmlns="urn:s3"><IsTruncated>${isTruncated}</IsTruncated>${contents.join("")}${next}</ListBucketResult>`,
  };
}

function listUploads({ uploads, pageSize }: State, { parameters }: Call): Answer {
  const all = [...uploads].map(([id, each]) => [`${each.key}\n${id}`, { id, ...each }] as const);
  const after = parameters.has("key-marker")
    ? `${parameters.get("key-marker")}\n${parameters.get("upload-id-marker")}`
    : "";
  const { shown, isTruncated, last } = page(all, after, pageSize);
  const [lastKey = "", lastId = ""] = last.split("\n");
  const entries = shown.map(([, { id, key, initiated }]) => {
    return `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${initiated.toISOString()}</Initiated></Upload>`;
  });
  const next = isTruncated
    ? `<NextKeyMarker>${lastKey}</NextKeyMarker><NextUploadIdMarker>${lastId}</NextUploadIdMarker>`
    : "";
  return {
    status: 200,
    body: `<ListMultipartUploadsResult><IsTruncated>${isTruncated}</IsTruncated>${next}${entries.join("")}</ListMultipartUploadsResult>`,
  };
}

function upload(state: State, call: Call, key: string): Answer {
  if (call.method === "POST" && call.parameters.has("uploads")) {
    const id = hex("sha256", `${state.uploads.size}${key}${Math.random()}`).slice(0, 24);
    state.uploads.set(id, { key, initiated: state.clock(), parts: new Map() });
    return {
      status: 200,
      body: `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
    };
  }
  const id = call.parameters.get("uploadId") ?? "";
  const found = state.uploads.get(id);
  if (found?.key !== key) return failure(404, "NoSuchUpload");
  if (call.method === "PUT") {
    const etag = `"${hex("md5", call.body)}"`;
    found.parts.set(Number(call.parameters.get("partNumber")), { bytes: call.body, etag, modified: state.clock() });
    return { status: 200, headers: { etag } };
  }
  if (call.method === "GET") return listParts(state, found, call);
  state.uploads.delete(id);
  return call.method === "DELETE" ? { status: 204 } : join(state, found, call);
}

function listParts({ pageSize }: State, { parts }: Upload, { parameters }: Call): Answer {
  const all = [...parts].map(([number, part]) => [String(number).padStart(5, "0"), part] as const);
  const after = (parameters.get("part-number-marker") ?? "").padStart(5, "0");
  const { shown, isTruncated, last } = page(all, after, pageSize);
  const entries = shown.map(([number, { bytes, etag }]) => {
    return `<Part><PartNumber>${Number(number)}</PartNumber><ETag>${xmlSafe(etag)}</ETag><Size>${bytes.length}</Size></Part>`;
  });
  const next = `<NextPartNumberMarker>${Number(last)}</NextPartNumberMarker>`;
  return {
    status: 200,
    body: `<ListPartsResult><IsTruncated>${isTruncated}</IsTruncated>${next}${entries.join("")}</ListPartsResult>`,
  };
}

function join(state: State, { key, parts }: Upload, { body }: Call): Answer {
  const named = [...new TextDecoder().decode(body).matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>(.*?)<\/ETag>/g)];
  const chosen = named.map(([, number]) => parts.get(Number(number)));
  const agree = named.every(([, , etag], index) => chosen[index]?.etag === etag?.replaceAll("&#34;", '"'));
  const whole = chosen.filter((part) => part !== undefined);
  if (!agree || whole.length === 0) return failure(400, "InvalidPart");
  const etag = `"${hex("md5", Buffer.concat(whole.map((part) => Buffer.from(part.etag.slice(1, -1), "hex"))))}-${whole.length}"`;
  state.objects.set(key, { bytes: Buffer.concat(whole.map((part) => part.bytes)), etag, modified: state.clock() });
  return {
    status: 200,
    body: `<CompleteMultipartUploadResult><ETag>${xmlSafe(etag)}</ETag></CompleteMultipartUploadResult>`,
  };
}
