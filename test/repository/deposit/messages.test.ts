// The 27 messages of the deposit endpoint, word for word, and the status of each error type (R11, R13b).
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { SWORD_ERROR_STATUS, SWORD_MESSAGES, swordRefusals } from "../../../src/repository/deposit/messages.ts";

const SPECIFICATION = join(
  process.env.ARKSTONE_SHARED ?? join(import.meta.dirname, "..", "..", "..", "..", "shared"),
  "spec",
  "2-deposit-authors-index-tree.md",
);
const specification = existsSync(SPECIFICATION) ? readFileSync(SPECIFICATION, "utf8") : null;
if (specification === null) console.error(`No specification at ${SPECIFICATION}: its tables are not compared`);

// The coverage table reads the numbers here: each is a row below.
describe("R11 message 1, message 2, message 3, message 4, message 5, message 6, message 7, message 8, message 9, message 10, message 11, message 12, message 13, message 14, message 15, message 16, message 17, message 18, message 19, message 20, message 21, message 22, message 23, message 24, message 25, message 26, message 27", () => {
  test.each([
    [1, swordRefusals.tokenMissing(), "OAuth token is missing in the request.", 401],
    [2, swordRefusals.onBehalfOfUnsupported(), "Not support On-Behalf-Of but request has it.", 412],
    [3, swordRefusals.noFilePart(), "No file part.", 400],
    [4, swordRefusals.noSelectedFile(), "No selected file.", 400],
    [
      5,
      swordRefusals.tooLarge(16_777_216_001, 16_777_216_000),
      "Content size is too large. (request:16777216001, maxUploadSize:16777216000)",
      413,
    ],
    [6, swordRefusals.contentType("text/plain"), "Not accept Content-Type: text/plain", 415],
    [
      7,
      swordRefusals.packaging("http://purl.org/net/sword/3.0/package/Binary"),
      "Not accept packaging: http://purl.org/net/sword/3.0/package/Binary",
      415,
    ],
    [8, swordRefusals.noFilename(), "Cannot get filename by Content-Disposition.", 400],
    [9, swordRefusals.fileNotInBody("研究.zip"), "Not found 研究.zip in request body.", 400],
    [10, swordRefusals.digestMismatch(), "Failed to verify request body and digest.", 412],
    [11, swordRefusals.itemCheck("title is required"), "Item check error: title is required", 400],
    [
      12,
      swordRefusals.alreadyRegistered(7, "A [second] title"),
      "This item is already registered: A [second] title",
      400,
    ],
    [13, swordRefusals.duplicate([12, 7]), "New item appears to be a duplicate: 12, 7", 400],
    [14, swordRefusals.importFailed("the disk is full"), "Failed to import item; the disk is full", 400],
    [15, swordRefusals.formatDisabled("XML"), "XML metadata import is not enabled.", 415],
    [16, swordRefusals.swordJsonMissing(), "SWORDBagIt requires metadate/sword.json.", 415],
    [17, swordRefusals.crateMisplaced(), "ro-crate-metadata.json is required in data/ directory.", 415],
    [18, swordRefusals.swordJsonInSimpleZip(), "packaging format is SimpleZip, but sword.json is found.", 415],
    [19, swordRefusals.noProxyUser(), "No user found by On-Behalf-Of.", 400],
    [20, swordRefusals.proxyLookupFailed(), "Failed to get shared ID from On-Behalf-Of.", 500],
    [21, swordRefusals.noClientSetting(), "No SWORD API setting found for client ID that you are using.", 400],
    [22, swordRefusals.workflowUnfit(), "Workflow is not for item registration.", 400],
    [
      23,
      swordRefusals.itemTypesDiffer(30002, 15),
      "Item type and workflow do not match. ItemType ID must be 30002, but the workflow's ItemType ID was 15.",
      400,
    ],
    [
      24,
      swordRefusals.bagInvalid("The package has no manifest-sha256.txt at its top"),
      "Failed to validate import bagit file. The package has no manifest-sha256.txt at its top.",
      400,
    ],
    [25, swordRefusals.editedElsewhere(7), "Item 7 will be edited by another process.", 400],
    [26, swordRefusals.importInProgress(7), "Item 7 is in import progress.", 400],
    [27, swordRefusals.beingEdited(7), "Item 7 is being edited.", 400],
  ])("message %d is worded as the specification words it, with its status", (number, error, message, status) => {
    expect([error.messageNumber, error.message, error.status]).toEqual([number, message, status]);
  });

  test("message 12 gives a reason without the title of the item", () => {
    expect(swordRefusals.alreadyRegistered(7, "A secret").reason).toBe("This item is already registered: 7");
  });

  test("message 24 R13c is short, however long the reason is", () => {
    expect(swordRefusals.bagInvalid("x".repeat(1_000_000)).message.length).toBeLessThan(1_100);
  });
});

describe("tables of the specification", () => {
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

  test.skipIf(specification === null)("R11 the table of messages is the specification's, bracket for bracket", () => {
    const rows = [...(specification ?? "").matchAll(/^\| (\d+) \| [^|]* \| ([^|]*) \|$/gm)].map((row) => [
      Number(row[1]),
      row[2],
    ]);
    const ours = Object.entries(SWORD_MESSAGES).map(([number, { text }]) => [Number(number), text]);
    expect(rows.slice(-27)).toEqual(ours);
  });

  test.skipIf(specification === null)("R13b the table of error types is the specification's", () => {
    const table = (specification ?? "").split("### Deposit error types")[1]?.split("### Deposit messages")[0] ?? "";
    const rows = [...table.matchAll(/^\| (\w+) \| (\d{3}) \|/gm)].map((row) => [row[1], Number(row[2])]);
    const ours: [string, number][] = Object.entries(SWORD_ERROR_STATUS);
    expect(rows.length).toBe(25);
    expect(rows.sort()).toEqual(ours.sort());
  });
});
