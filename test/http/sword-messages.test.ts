// The 27 messages of the deposit interfaces, each as a client meets it: exact text, `@type` and status (specification
// 2, "Deposit messages", "Deposit error types"; R11, R13b).
import { describe, expect, test } from "bun:test";
import { refusalOf } from "../../plugins/http/errors.ts";
import { swordDialect } from "../../plugins/repository/sword/errors.ts";
import { SWORD_ERROR_STATUS, SwordError, type SwordErrorType } from "../../src/repository/deposit/messages.ts";
import type { LogFields } from "../../src/shared/log.ts";
import {
  cratePackage,
  digestOf,
  plainPackage,
  SIMPLE_ZIP,
  SWORD_BAGIT,
  swordPackage,
  tablePackage,
  xmlPackage,
} from "../support/deposit-requests.ts";
import { bagPieces, SMALL_FILE } from "../support/package-builder.ts";
import { type Answer, recidOf, SERVICE } from "../support/world/repository.ts";
import { setUpWorld } from "../support/world.ts";

const world = setUpWorld({ repository: true });

function expectRefusal({ status, json }: Answer, code: number, type: SwordErrorType, error: string): void {
  expect({ status, type: json["@type"], error: json.error }).toEqual({ status: code, type, error });
}

/** Makes the look-up of accounts by mail fail, as a database that is away does. */
const withoutAccounts = () =>
  world.under({}, (parts) => ({
    ...parts,
    store: {
      ...parts.store,
      accounts: new Proxy(parts.store.accounts, {
        get(accounts, name, self) {
          if (name === "accountByMail") return () => Promise.reject(new Error("away"));
          return Reflect.get(accounts, name, self);
        },
      }),
    },
  }));

const ZIP = { name: "file", filename: "package.zip", contentType: "application/zip" };
const file = ({ bytes }: { readonly bytes: Uint8Array }) => ({ ...ZIP, bytes });

describe("S2.11 steps 1 to 5", () => {
  test("message 1 no token: 401 AuthenticationRequired", async () => {
    const text = "OAuth token is missing in the request.";
    const pkg = cratePackage();
    expectRefusal(await world.deposit(null, pkg), 401, "AuthenticationRequired", text);
    expectRefusal(await world.replace(null, 1, pkg), 401, "AuthenticationRequired", text);
    expectRefusal(await world.remove(null, 1), 401, "AuthenticationRequired", text);
    expectRefusal(await world.status(null, 1), 401, "AuthenticationRequired", text);
    expectRefusal(await world.ask(null, "GET", SERVICE), 401, "AuthenticationRequired", text);
  });

  test("message 2 On-Behalf-Of where it is not supported: 412 OnBehalfOfNotAllowed, at every interface", async () => {
    const off = world.under({ SVC_SWORD_ON_BEHALF_OF: "0" });
    const headers = { "on-behalf-of": "other@example.org" };
    const text = "Not support On-Behalf-Of but request has it.";
    for (const answer of [
      await off.deposit("registered", cratePackage(), { headers }),
      await off.replace("registered", 1, cratePackage(), { headers }),
      await off.remove("registered", 1, headers),
      await off.status("registered", 1, headers),
      await off.ask("registered", "GET", SERVICE, { headers }),
    ]) {
      expectRefusal(answer, 412, "OnBehalfOfNotAllowed", text);
    }
  });

  test("message 3 no file part: 400 ContentMalformed", async () => {
    for (const parts of [
      [],
      [{ ...file(cratePackage()), name: "other" }],
      [{ name: "file", bytes: new Uint8Array(3) }],
    ]) {
      const answer = await world.deposit("registered", cratePackage(), { parts });
      expectRefusal(answer, 400, "ContentMalformed", "No file part.");
    }
    const headers = {
      "content-type": "multipart/form-data; boundary=xyz",
      "content-disposition": "attachment; filename=a.zip",
      packaging: SIMPLE_ZIP,
    };
    const id = recidOf(await world.deposit("registered", cratePackage()));
    for (const body of [null, new Uint8Array(0)]) {
      for (const [method, path] of [
        ["POST", SERVICE],
        ["PUT", `/sword/deposit/${id}`],
      ] as const) {
        const answer = await world.ask("registered", method, path, { headers, body });
        expectRefusal(answer, 400, "ContentMalformed", "No file part.");
      }
    }
  });

  test("message 4 a file part without a selected file: 400 ContentMalformed", async () => {
    const parts = [{ ...file(cratePackage()), filename: "" }];
    const answer = await world.deposit("registered", cratePackage(), { parts });
    expectRefusal(answer, 400, "ContentMalformed", "No selected file.");
  });

  test("message 5 larger than maxUploadSize, by Content-Length and by what really comes: 413 MaxUploadSizeExceeded", async () => {
    const small = world.under({ SVC_MAX_UPLOAD_BYTES: "2000" });
    const pkg = cratePackage({}, [{ path: "big.bin", bytes: new Uint8Array(5000) }]);
    const messages = await small.deposit("registered", pkg);
    const response = /^Content size is too large\. \(request:(\d+), maxUploadSize:2000\)$/;
    expect([messages.status, messages.json["@type"]]).toEqual([413, "MaxUploadSizeExceeded"]);
    expect(String(messages.json.error)).toMatch(response);
    expect(Number(response.exec(String(messages.json.error))?.[1])).toBeGreaterThan(pkg.bytes.length);
    const counted = await small.deposit("registered", pkg, { chunked: true });
    expect([counted.status, counted.json["@type"]]).toEqual([413, "MaxUploadSizeExceeded"]);
    expect(String(counted.json.error)).toMatch(response);
    const lied = await small.deposit("registered", pkg, { headers: { "content-length": "12" } });
    expect([lied.status, lied.json["@type"]]).toEqual([413, "MaxUploadSizeExceeded"]);
    const raw = await small.deposit("registered", pkg, { raw: true, chunked: true });
    expect([raw.status, raw.json["@type"]]).toEqual([413, "MaxUploadSizeExceeded"]);
  });

  test("message 5 exactly maxUploadSize is taken, one byte more is not", async () => {
    const pkg = cratePackage();
    const size = pkg.bytes.length;
    const less = world.under({ SVC_MAX_UPLOAD_BYTES: String(size - 1) });
    const text = `Content size is too large. (request:${size}, maxUploadSize:${size - 1})`;
    expectRefusal(await less.deposit("registered", pkg, { raw: true }), 413, "MaxUploadSizeExceeded", text);
    const exact = world.under({ SVC_MAX_UPLOAD_BYTES: String(size) });
    expect((await exact.deposit("registered", pkg, { raw: true })).status).toBe(201);
  });

  test("message 6 a file that is not application/zip, and a body of another type: 415 ContentTypeNotAcceptable", async () => {
    for (const [contentType, messages] of [
      ["application/x-zip-compressed", "application/x-zip-compressed"],
      ["text/plain", "text/plain"],
      [undefined, ""],
    ] as const) {
      const { name, bytes, filename } = file(cratePackage());
      const part = { name, bytes, filename, ...(contentType === undefined ? {} : { contentType }) };
      const answer = await world.deposit("registered", cratePackage(), { parts: [part] });
      expectRefusal(answer, 415, "ContentTypeNotAcceptable", `Not accept Content-Type: ${messages}`);
    }
    for (const type of ["application/json", "multipart/form-data", "application/octet-stream", "nonsense"]) {
      const answer = await world.deposit("registered", cratePackage(), { headers: { "content-type": type } });
      expectRefusal(answer, 415, "ContentTypeNotAcceptable", `Not accept Content-Type: ${type}`);
    }
    const answer = await world.deposit("registered", cratePackage(), { headers: { "content-type": null } });
    expect([answer.status, answer.json["@type"]]).toEqual([415, "ContentTypeNotAcceptable"]);
  });

  test("message 8 a Content-Disposition that is missing, no attachment or names nothing: 400 BadRequest", async () => {
    for (const value of [
      null,
      "",
      "attachment",
      "inline; filename=package.zip",
      "attachment; filename=",
      'attachment; filename=""',
    ]) {
      const answer = await world.deposit("registered", cratePackage(), { headers: { "content-disposition": value } });
      expectRefusal(answer, 400, "BadRequest", "Cannot get filename by Content-Disposition.");
    }
  });

  test("message 9 the named file is not in the body: 400 BadRequest", async () => {
    const headers = { "content-disposition": "attachment; filename=other.zip" };
    const answer = await world.deposit("registered", cratePackage(), { headers });
    expectRefusal(answer, 400, "BadRequest", "Not found other.zip in request body.");
  });
});

describe("S2.6 S2.11 steps 6 to 8", () => {
  test("message 7 S2.5 a packaging that is unknown or missing: 415 PackagingFormatNotAcceptable", async () => {
    for (const packaging of [
      "http://purl.org/net/sword/3.0/package/Binary",
      "SimpleZip2",
      "http://purl.org/net/sword/3.0/package/simplezip",
    ]) {
      const answer = await world.deposit("registered", cratePackage(), { headers: { packaging } });
      expectRefusal(answer, 415, "PackagingFormatNotAcceptable", `Not accept packaging: ${packaging}`);
    }
    const none = await world.deposit("registered", cratePackage(), { headers: { packaging: null } });
    expectRefusal(none, 415, "PackagingFormatNotAcceptable", "Not accept packaging: ");
    const ends = { packaging: "anything that ends with SimpleZip" };
    expect((await world.deposit("registered", cratePackage(), { headers: ends })).status).toBe(201);
  });

  test("message 10 a Digest that differs from the package: 412 DigestMismatch", async () => {
    const digest = digestOf(cratePackage());
    for (const pkg of [cratePackage(), swordPackage(), tablePackage(), xmlPackage()]) {
      const answer = await world.deposit("registered", pkg, { headers: { digest } });
      expectRefusal(answer, 412, "DigestMismatch", "Failed to verify request body and digest.");
    }
  });

  test("message 16 SWORDBagIt without metadata/sword.json: 415 MetadataFormatNotAcceptable", async () => {
    const answer = await world.deposit("registered", { ...cratePackage(), packaging: SWORD_BAGIT });
    expectRefusal(answer, 415, "MetadataFormatNotAcceptable", "SWORDBagIt requires metadate/sword.json.");
  });

  test("message 17 a crate that is not directly under data/: 415 MetadataFormatNotAcceptable", async () => {
    for (const name of [
      "ro-crate-metadata.json",
      "data/sub/ro-crate-metadata.json",
      "metadata/ro-crate-metadata.json",
    ]) {
      const answer = await world.deposit("registered", plainPackage([{ name, bytes: "{}" }]));
      const message = "ro-crate-metadata.json is required in data/ directory.";
      expectRefusal(answer, 415, "MetadataFormatNotAcceptable", message);
    }
  });

  test("message 18 SimpleZip with a sword.json: 415 MetadataFormatNotAcceptable", async () => {
    const answer = await world.deposit("registered", { ...swordPackage(), packaging: SIMPLE_ZIP });
    const message = "packaging format is SimpleZip, but sword.json is found.";
    expectRefusal(answer, 415, "MetadataFormatNotAcceptable", message);
  });

  const zeros = "0".repeat(64);
  const wrongSums = (lines: readonly string[]) => lines.map((line) => `${zeros}${line.slice(64)}\n`).join("");
  const oneMore = (lines: readonly string[]) => `${lines.join("\n")}\n${zeros}  data/gone.txt\n`;
  const unlisted = /^"data\/a.txt" is not listed in manifest-sha256.txt\.$/;
  test.each([
    [
      "a file that does not match the manifest",
      { manifest: wrongSums },
      /^The sha256 of "data\/ro-crate-metadata.json" is [0-9a-f]{64}, the manifest has 0{64}\.$/,
    ],
    ["a file that no manifest lists", { unlisted: [SMALL_FILE.path] }, unlisted],
    ["no manifest", { manifest: null }, /^The package has no manifest-sha256.txt at its top\.$/],
    [
      "a file that is not there",
      { manifest: oneMore },
      /^manifest-sha256.txt lists "data\/gone.txt", which is not in the package\.$/,
    ],
    ["no bagit.txt", { bagit: null }, /^The package has no bagit.txt at its top\.$/],
    ["a fetch.txt", { more: [{ name: "fetch.txt", bytes: "" }] }, /^fetch.txt is not allowed\.$/],
  ] as const)("message 24 R13c a bag with %s: 400 ContentMalformed with file and rule", async (_, wrong, problem) => {
    const answer = await world.deposit("registered", plainPackage(bagPieces(wrong)));
    expect([answer.status, answer.json["@type"]]).toEqual([400, "ContentMalformed"]);
    const text = "Failed to validate import bagit file. ";
    expect(String(answer.json.error).slice(0, text.length)).toBe(text);
    expect(String(answer.json.error).slice(text.length)).toMatch(problem);
  });
});

describe("S2.11 steps 9 to 12", () => {
  test("message 11 an item that may not be registered as it is: 400 ContentMalformed, naming what is wrong", async () => {
    const title = "item_1617186331708[0].subitem_1551255647225";
    const answer = await world.deposit("registered", tablePackage({ [`.metadata.${title}`]: "" }));
    expect([answer.status, answer.json["@type"]]).toEqual([400, "ContentMalformed"]);
    expect(String(answer.json.error)).toMatch(/^Item check error: .*Title.* is required/);
    const index = await world.deposit("registered", cratePackage({ "svc:index": ["777"] }));
    expectRefusal(index, 400, "ContentMalformed", "Item check error: index 777 does not exist");
  });

  test("message 12 a package that names an item which exists: 400 BadRequest with its title", async () => {
    const id = recidOf(await world.deposit("registered", cratePackage({ name: "The sea" })));
    const answer = await world.deposit("registered", tablePackage({ ".id": String(id) }));
    expectRefusal(answer, 400, "BadRequest", "This item is already registered: The sea");
  });

  test("message 13 a duplicate where the check is on: 400 BadRequest with the ids", async () => {
    await world.client("other", { duplicateCheck: true });
    const root = { name: "Only once", identifier: "https://doi.org/10.1234/only-once" };
    const id = recidOf(await world.deposit("registered", cratePackage(root)));
    const answer = await world.deposit("other", cratePackage(root));
    expectRefusal(answer, 400, "BadRequest", `New item appears to be a duplicate: ${id}`);
  });

  test("message 14 a registration that fails at its end: 400 BadRequest with the reason", async () => {
    // Flattened, its name is longer than an item's file may have.
    const path = `folder/${"図".repeat(200)}.txt`;
    const before = world.leftovers();
    const answer = await world.deposit("registered", cratePackage({}, [{ path, bytes: "only here" }]));
    expect(world.leftovers()).toEqual(before);
    expect([answer.status, answer.json["@type"]]).toEqual([400, "BadRequest"]);
    expect(String(answer.json.error)).toMatch(/^Failed to import item; ./);
  });

  test("message 15 a format the administrator has switched off: 415 MetadataFormatNotAcceptable", async () => {
    const workflow = await world.workflow();
    await world.client("approver", { registrationType: 2, workflow });
    for (const [format, who, pkg] of [
      ["TSV/CSV", "registered", tablePackage()],
      ["JSON", "registered", cratePackage()],
      ["XML", "approver", xmlPackage()],
    ] as const) {
      await world.format(format, { active: false });
      const answer = await world.deposit(who, pkg);
      await world.format(format, { active: true });
      expectRefusal(answer, 415, "MetadataFormatNotAcceptable", `${format} metadata import is not enabled.`);
    }
  });

  test("message 19 On-Behalf-Of names nobody: 400 BadRequest", async () => {
    for (const value of ["nobody@example.org", "x".repeat(501), " "]) {
      const answer = await world.deposit("registered", cratePackage(), { headers: { "on-behalf-of": value } });
      if (value.trim() === "") expect([201, 400]).toContain(answer.status);
      else expectRefusal(answer, 400, "BadRequest", "No user found by On-Behalf-Of.");
    }
  });

  test("message 20 the look-up of On-Behalf-Of fails: 500 ServerError", async () => {
    const headers = { "on-behalf-of": "other@example.org" };
    const answer = await withoutAccounts().deposit("registered", cratePackage(), { headers });
    expectRefusal(answer, 500, "ServerError", "Failed to get shared ID from On-Behalf-Of.");
  });

  test("message 21 R6e R16 a token whose client record was switched off: 400 BadRequest for JSON-LD, no matter for a table", async () => {
    const text = "No SWORD API setting found for client ID that you are using.";
    const inactive = await world.token("registered", undefined, { active: false });
    expectRefusal(await world.deposit(inactive, cratePackage()), 400, "BadRequest", text);
    expectRefusal(await world.deposit(inactive, swordPackage()), 400, "BadRequest", text);
    expect((await world.deposit(inactive, tablePackage())).status).toBe(201);
  });

  test("message 21 R6b the log shows the settings of a record", async () => {
    const messages: unknown[] = [];
    const note = (event: string, fields?: LogFields): void => void messages.push({ event, ...fields });
    const log = { debug: note, info: note, warn: note, error: note };
    const bare = await world.token("registered", undefined, { active: false });
    await world.under({}, (parts) => ({ ...parts, log })).deposit(bare, cratePackage());
    expect(messages).toContainEqual({
      event: "deposit_without_client_record",
      client_id: bare.clientId,
      hint: `arkstone sword-client set ${bare.clientId} --active yes gives this client a record`,
    });
  });

  test("message 22 a workflow that is deleted, missing or registers no item: 400 BadRequest", async () => {
    const text = "Workflow is not for item registration.";
    const deleted = await world.workflow({ deleted: true });
    const without = await world.workflow({ actions: ["start", "approval", "end"] });
    for (const workflow of [deleted, without]) {
      await world.client("other", { registrationType: 2, workflow });
      expectRefusal(await world.deposit("other", cratePackage()), 400, "BadRequest", text);
    }
    await world.client("other");
  });

  test("message 23 the workflow is for another item type: 400 ContentMalformed with both ids", async () => {
    const workflow = await world.workflow({ itemType: 2 });
    await world.client("other", { registrationType: 2, workflow });
    const answer = await world.deposit("other", cratePackage());
    await world.client("other");
    const text = "Item type and workflow do not match. ItemType ID must be 1, but the workflow's ItemType ID was 2.";
    expectRefusal(answer, 400, "ContentMalformed", text);
  });
});

describe("S2.12 S2.13 an item that somebody works on", () => {
  async function anItem(): Promise<number> {
    return recidOf(await world.deposit("registered", cratePackage()));
  }

  test("message 25 R19 it is held by somebody who edits it: 400 BadRequest to PUT and DELETE, until the lock ends", async () => {
    const id = await anItem();
    const owner = await world.items.takeLock(id, "edit", 60_000);
    const text = `Item ${id} will be edited by another process.`;
    expectRefusal(await world.replace("registered", id, cratePackage()), 400, "BadRequest", text);
    expectRefusal(await world.remove("registered", id), 400, "BadRequest", text);
    await world.items.releaseLock(id, owner);
    await world.items.takeLock(id, "edit", 60_000);
    world.time.now = "2026-11-20T10:01:01.000Z";
    expect((await world.replace("registered", id, cratePackage())).status).toBe(200);
    world.time.now = "2026-11-20T10:00:00.000Z";
  });

  test("message 26 R19 an import works on it: 400 BadRequest to PUT and DELETE", async () => {
    const id = await anItem();
    await world.items.takeLock(id, "import", 60_000);
    const text = `Item ${id} is in import progress.`;
    expectRefusal(await world.replace("registered", id, cratePackage()), 400, "BadRequest", text);
    expectRefusal(await world.remove("registered", id), 400, "BadRequest", text);
  });

  test("message 27 R2f R19 it is in an activity or has somebody's draft: 400 BadRequest to PUT, Upgrade and DELETE", async () => {
    const id = await anItem();
    const content = (await world.item(id)).content;
    if (content === null) throw new Error("no content");
    await world.items.saveDraft(await world.viewer("registered"), id, { content });
    const text = `Item ${id} is being edited.`;
    expectRefusal(await world.replace("registered", id, cratePackage()), 400, "BadRequest", text);
    const upgrade = cratePackage({ "svc:editMode": "Upgrade" });
    expectRefusal(await world.replace("registered", id, upgrade), 400, "BadRequest", text);
    expectRefusal(await world.remove("registered", id), 400, "BadRequest", text);

    const workflow = await world.workflow();
    await world.client("other", { registrationType: 2, workflow });
    const own = recidOf(await world.deposit("other", cratePackage()));
    const busy = `Item ${own} is being edited.`;
    expectRefusal(await world.replace("other", own, cratePackage()), 400, "BadRequest", busy);
    expectRefusal(await world.remove("other", own), 400, "BadRequest", busy);
    expectRefusal(await world.remove("admin", own), 400, "BadRequest", busy);
    await world.client("other");
  });
});

describe("S2.17 error types", () => {
  test.each(Object.entries(SWORD_ERROR_STATUS))("R13b %s is answered with status %d", async (type, status) => {
    // Object.entries forgets the type of keys.
    const error = new SwordError(type as SwordErrorType, "The reason");
    const request = new Request("http://repo.example.org/sword/x");
    const answer = await swordDialect(() => 0)(refusalOf(error, "UNKNOWN", request), request);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ "@type": type, error: "The reason" });
  });

  test("R13b by-reference deposits are 412 ByReferenceNotAllowed, whatever their content type", async () => {
    for (const type of ["application/json", "multipart/form-data; boundary=x"]) {
      const headers = { "content-type": type, "content-disposition": "attachment; by-reference=true" };
      const answer = await world.deposit("registered", cratePackage(), { headers });
      expect([answer.status, answer.json["@type"]]).toEqual([412, "ByReferenceNotAllowed"]);
    }
  });
});
