// The 27 messages of the deposit endpoint, word for word, and the status of each error type (R11, R13b).
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import {
  SWORD_ERROR_STATUS,
  SWORD_MESSAGES,
  type SwordError,
  swordRefusals,
} from "../../../src/repository/deposit/messages.ts";

const LAW = join(
  process.env.ARKSTONE_SHARED ?? join(import.meta.dirname, "..", "..", "..", "..", "shared"),
  "spec",
  "2-deposit-authors-index-tree.md",
);
const law = existsSync(LAW) ? readFileSync(LAW, "utf8") : null;
if (law === null) console.error(`No specification at ${LAW}: its tables are not compared`);

const facts = (error: SwordError) => [error.messageNumber, error.message, error.status];

describe("messages", () => {
  test("message 1 is worded as the specification words it and answers 401 (R11)", () => {
    expect(facts(swordRefusals.tokenMissing())).toEqual([1, "OAuth token is missing in the request.", 401]);
  });

  test("message 2 is worded as the specification words it and answers 412 (R11)", () => {
    expect(facts(swordRefusals.onBehalfOfUnsupported())).toEqual([
      2,
      "Not support On-Behalf-Of but request has it.",
      412,
    ]);
  });

  test("message 3 is worded as the specification words it and answers 400 (R11)", () => {
    expect(facts(swordRefusals.noFilePart())).toEqual([3, "No file part.", 400]);
  });

  test("message 4 is worded as the specification words it and answers 400 (R11)", () => {
    expect(facts(swordRefusals.noSelectedFile())).toEqual([4, "No selected file.", 400]);
  });

  test("message 5 is worded as the specification words it and answers 413 (R11)", () => {
    expect(facts(swordRefusals.tooLarge(16_777_216_001, 16_777_216_000))).toEqual([
      5,
      "Content size is too large. (request:16777216001, maxUploadSize:16777216000)",
      413,
    ]);
  });

  test("message 6 is worded as the specification words it and answers 415 (R11)", () => {
    expect(facts(swordRefusals.contentType("text/plain"))).toEqual([6, "Not accept Content-Type: text/plain", 415]);
  });

  test("message 7 is worded as the specification words it and answers 415 (R11)", () => {
    expect(facts(swordRefusals.packaging("http://purl.org/net/sword/3.0/package/Binary"))).toEqual([
      7,
      "Not accept packaging: http://purl.org/net/sword/3.0/package/Binary",
      415,
    ]);
  });

  test("message 8 is worded as the specification words it and answers 400 (R11)", () => {
    expect(facts(swordRefusals.noFilename())).toEqual([8, "Cannot get filename by Content-Disposition.", 400]);
  });

  test("message 9 is worded as the specification words it and answers 400 (R11)", () => {
    expect(facts(swordRefusals.fileNotInBody("研究.zip"))).toEqual([9, "Not found 研究.zip in request body.", 400]);
  });

  test("message 10 is worded as the specification words it and answers 412 (R11)", () => {
    expect(facts(swordRefusals.digestMismatch())).toEqual([10, "Failed to verify request body and digest.", 412]);
  });

  test("message 11 is worded as the specification words it and answers 400 (R11)", () => {
    expect(facts(swordRefusals.itemCheck("title is required"))).toEqual([
      11,
      "Item check error: title is required",
      400,
    ]);
  });

  test("message 12 is worded as the specification words it and answers 400 (R11)", () => {
    expect(facts(swordRefusals.alreadyRegistered(7, "A [second] title"))).toEqual([
      12,
      "This item is already registered: A [second] title",
      400,
    ]);
    expect(swordRefusals.alreadyRegistered(7, "A secret").reason).toBe("This item is already registered: 7");
  });

  test("message 13 is worded as the specification words it and answers 400 (R11)", () => {
    expect(facts(swordRefusals.duplicate([12, 7]))).toEqual([13, "New item appears to be a duplicate: 12, 7", 400]);
  });

  test("message 14 is worded as the specification words it and answers 400 (R11)", () => {
    expect(facts(swordRefusals.importFailed("the disk is full"))).toEqual([
      14,
      "Failed to import item; the disk is full",
      400,
    ]);
  });

  test("message 15 is worded as the specification words it and answers 415 (R11)", () => {
    expect(facts(swordRefusals.formatDisabled("XML"))).toEqual([15, "XML metadata import is not enabled.", 415]);
  });

  test("message 16 is worded as the specification words it and answers 415 (R11)", () => {
    expect(facts(swordRefusals.swordJsonMissing())).toEqual([16, "SWORDBagIt requires metadate/sword.json.", 415]);
  });

  test("message 17 is worded as the specification words it and answers 415 (R11)", () => {
    expect(facts(swordRefusals.crateMisplaced())).toEqual([
      17,
      "ro-crate-metadata.json is required in data/ directory.",
      415,
    ]);
  });

  test("message 18 is worded as the specification words it and answers 415 (R11)", () => {
    expect(facts(swordRefusals.swordJsonInSimpleZip())).toEqual([
      18,
      "packaging format is SimpleZip, but sword.json is found.",
      415,
    ]);
  });

  test("message 19 is worded as the specification words it and answers 400 (R11)", () => {
    expect(facts(swordRefusals.noProxyUser())).toEqual([19, "No user found by On-Behalf-Of.", 400]);
  });

  test("message 20 is worded as the specification words it and answers 500 (R11)", () => {
    expect(facts(swordRefusals.proxyLookupFailed())).toEqual([20, "Failed to get shared ID from On-Behalf-Of.", 500]);
  });

  test("message 21 is worded as the specification words it and answers 400 (R11)", () => {
    expect(facts(swordRefusals.noClientSetting())).toEqual([
      21,
      "No SWORD API setting found for client ID that you are using.",
      400,
    ]);
  });

  test("message 22 is worded as the specification words it and answers 400 (R11)", () => {
    expect(facts(swordRefusals.workflowUnfit())).toEqual([22, "Workflow is not for item registration.", 400]);
  });

  test("message 23 is worded as the specification words it and answers 400 (R11)", () => {
    expect(facts(swordRefusals.itemTypesDiffer(30002, 15))).toEqual([
      23,
      "Item type and workflow do not match. ItemType ID must be 30002, but the workflow's ItemType ID was 15.",
      400,
    ]);
  });

  test("message 24 R13c is worded as the specification words it, with the reason behind it, and answers 400 (R11)", () => {
    const problem = "The package has no manifest-sha256.txt at its top";
    expect(facts(swordRefusals.bagInvalid(problem))).toEqual([
      24,
      "Failed to validate import bagit file. The package has no manifest-sha256.txt at its top.",
      400,
    ]);
    expect(swordRefusals.bagInvalid("x".repeat(1_000_000)).message.length).toBeLessThan(1_100);
  });

  test("message 25 is worded as the specification words it and answers 400 (R11)", () => {
    expect(facts(swordRefusals.editedElsewhere(7))).toEqual([25, "Item 7 will be edited by another process.", 400]);
  });

  test("message 26 is worded as the specification words it and answers 400 (R11)", () => {
    expect(facts(swordRefusals.importInProgress(7))).toEqual([26, "Item 7 is in import progress.", 400]);
  });

  test("message 27 is worded as the specification words it and answers 400 (R11)", () => {
    expect(facts(swordRefusals.beingEdited(7))).toEqual([27, "Item 7 is being edited.", 400]);
  });

  test("R13b every error type of the specification has the status its table gives", () => {
    expect(SWORD_ERROR_STATUS).toEqual({
      AuthenticationFailed: 403,
      AuthenticationRequired: 401,
      BadRequest: 400,
      ByReferenceFileSizeExceeded: 400,
      ByReferenceNotAllowed: 412,
      ContentMalformed: 400,
      ContentTypeNotAcceptable: 415,
      DigestMismatch: 412,
      ETagNotMatched: 412,
      ETagRequired: 412,
      Forbidden: 403,
      FormatHeaderMismatch: 415,
      InvalidSegmentSize: 400,
      MaxAssembledSizeExceeded: 400,
      MaxUploadSizeExceeded: 413,
      MetadataFormatNotAcceptable: 415,
      MethodNotAllowed: 405,
      OnBehalfOfNotAllowed: 412,
      PackagingFormatNotAcceptable: 415,
      SegmentedUploadTimedOut: 410,
      SegmentLimitExceeded: 400,
      UnexpectedSegment: 400,
      NotFound: 404,
      ServerError: 500,
      TooManyRequests: 429,
    });
  });

  test.skipIf(law === null)("R11 the table of messages is the specification's, bracket for bracket", () => {
    const rows = [...(law ?? "").matchAll(/^\| (\d+) \| [^|]* \| ([^|]*) \|$/gm)].map((row) => [
      Number(row[1]),
      row[2],
    ]);
    const ours = Object.entries(SWORD_MESSAGES).map(([number, { text }]) => [Number(number), text]);
    expect(rows.slice(-27)).toEqual(ours);
  });

  test.skipIf(law === null)("R13b the table of error types is the specification's", () => {
    const table = (law ?? "").split("### Deposit error types")[1]?.split("### Deposit messages")[0] ?? "";
    const rows = [...table.matchAll(/^\| (\w+) \| (\d{3}) \|/gm)].map((row) => [row[1], Number(row[2])]);
    const ours: [string, number][] = Object.entries(SWORD_ERROR_STATUS);
    expect(rows.length).toBe(25);
    expect(rows.sort()).toEqual(ours.sort());
  });
});
