// SWORD error documents: the error types and the 27 messages of the specification (section 2, "Errors"), word for word.
// The status of a message is that of its type; where the specification fixes none, R11 names the type.
import type { ItemId } from "../../shared/ids.ts";
import { kindOfStatus, Refusal } from "../../shared/refusal.ts";

/** Every error type of the specification and its status. Some are raised by nothing yet; a test holds each (R13b). */
export const SWORD_ERROR_STATUS = {
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
} as const;

export type SwordErrorType = keyof typeof SWORD_ERROR_STATUS;

/** A refusal of a deposit. Becomes an error document: `@type` is `type`, `error` is the message. */
export class SwordError extends Refusal {
  override readonly name = "SwordError";
  readonly type: SwordErrorType;
  /** Number in the specification's table of messages; null for sentences outside the table. */
  readonly messageNumber: number | null;
  /** The text for logs: the message without titles. */
  readonly reason: string;

  constructor(type: SwordErrorType, message: string, messageNumber: number | null = null, options: SwordOptions = {}) {
    super(kindOfStatus(SWORD_ERROR_STATUS[type]), message, options);
    this.type = type;
    this.messageNumber = messageNumber;
    this.reason = options.reason ?? message;
  }
}

type SwordOptions = ErrorOptions & { readonly reason?: string };

type Row = { readonly type: SwordErrorType; readonly text: string };

/** The messages as the specification writes them; texts in brackets are replaced. "metadate" is the specification's. */
export const SWORD_MESSAGES = {
  1: { type: "AuthenticationRequired", text: "OAuth token is missing in the request." },
  2: { type: "OnBehalfOfNotAllowed", text: "Not support On-Behalf-Of but request has it." },
  3: { type: "ContentMalformed", text: "No file part." },
  4: { type: "ContentMalformed", text: "No selected file." },
  5: {
    type: "MaxUploadSizeExceeded",
    text: "Content size is too large. (request:[Content-Length value], maxUploadSize:[maximum])",
  },
  6: { type: "ContentTypeNotAcceptable", text: "Not accept Content-Type: [content type]" },
  7: { type: "PackagingFormatNotAcceptable", text: "Not accept packaging: [packaging]" },
  8: { type: "BadRequest", text: "Cannot get filename by Content-Disposition." },
  9: { type: "BadRequest", text: "Not found [file name] in request body." },
  10: { type: "DigestMismatch", text: "Failed to verify request body and digest." },
  11: { type: "ContentMalformed", text: "Item check error: [error message]" },
  12: { type: "BadRequest", text: "This item is already registered: [item title]" },
  13: { type: "BadRequest", text: "New item appears to be a duplicate: [list of suspected item ids]" },
  14: { type: "BadRequest", text: "Failed to import item; [error message]" },
  15: { type: "MetadataFormatNotAcceptable", text: "[metadata format] metadata import is not enabled." },
  16: { type: "MetadataFormatNotAcceptable", text: "SWORDBagIt requires metadate/sword.json." },
  17: { type: "MetadataFormatNotAcceptable", text: "ro-crate-metadata.json is required in data/ directory." },
  18: { type: "MetadataFormatNotAcceptable", text: "packaging format is SimpleZip, but sword.json is found." },
  19: { type: "BadRequest", text: "No user found by On-Behalf-Of." },
  20: { type: "ServerError", text: "Failed to get shared ID from On-Behalf-Of." },
  21: { type: "BadRequest", text: "No SWORD API setting found for client ID that you are using." },
  22: { type: "BadRequest", text: "Workflow is not for item registration." },
  23: {
    type: "ContentMalformed",
    text: "Item type and workflow do not match. ItemType ID must be [mapping item type id], but the workflow's ItemType ID was [workflow item type id].",
  },
  24: { type: "ContentMalformed", text: "Failed to validate import bagit file." },
  25: { type: "BadRequest", text: "Item [item id] will be edited by another process." },
  26: { type: "BadRequest", text: "Item [item id] is in import progress." },
  27: { type: "BadRequest", text: "Item [item id] is being edited." },
} as const satisfies Readonly<Record<number, Row>>;

export type SwordMessageNumber = keyof typeof SWORD_MESSAGES;

/** Fills the brackets of a message in their order. */
function numbered(
  number: SwordMessageNumber,
  values: readonly (string | number)[] = [],
  options?: SwordOptions,
): SwordError {
  return new SwordError(SWORD_MESSAGES[number].type, filled(number, values), number, options);
}

function filled(number: SwordMessageNumber, values: readonly (string | number)[]): string {
  const left = [...values];
  return SWORD_MESSAGES[number].text.replace(/\[[^[\]]*\]/g, () => String(left.shift() ?? ""));
}

/** Longest sentence behind the words of message 24, in characters: it quotes names of files. */
const PROBLEM_MAX = 1_000;

/** One function for each message of the specification; what they return is thrown. */
export const swordRefusals = {
  /** Message 1. */
  tokenMissing: () => numbered(1),
  /** Message 2. */
  onBehalfOfUnsupported: () => numbered(2),
  /** Message 3. */
  noFilePart: () => numbered(3),
  /** Message 4. */
  noSelectedFile: () => numbered(4),
  /** Message 5; sizes in bytes, the first as the request declares it or as it was counted. */
  tooLarge: (requestBytes: number | string, maxBytes: number) => numbered(5, [requestBytes, maxBytes]),
  /** Message 6. */
  contentType: (contentType: string) => numbered(6, [contentType]),
  /** Message 7. */
  packaging: (packaging: string) => numbered(7, [packaging]),
  /** Message 8. */
  noFilename: () => numbered(8),
  /** Message 9. */
  fileNotInBody: (fileName: string) => numbered(9, [fileName]),
  /** Message 10. */
  digestMismatch: () => numbered(10),
  /** Message 11. */
  itemCheck: (problem: string, options?: ErrorOptions) => numbered(11, [problem], options),
  /** Message 12; a log has the item's number only. */
  alreadyRegistered: (itemId: ItemId, itemTitle = String(itemId)) =>
    numbered(12, [itemTitle], { reason: filled(12, [itemId]) }),
  /** Message 13; ids as the caller may read them. */
  duplicate: (itemIds: readonly (string | number)[]) => numbered(13, [itemIds.join(", ")]),
  /** Message 14. */
  importFailed: (problem: string, options?: ErrorOptions) => numbered(14, [problem], options),
  /** Message 15; the format as `METADATA_FORMATS` names it. */
  formatDisabled: (format: string) => numbered(15, [format]),
  /** Message 16. */
  swordJsonMissing: () => numbered(16),
  /** Message 17. */
  crateMisplaced: () => numbered(17),
  /** Message 18. */
  swordJsonInSimpleZip: () => numbered(18),
  /** Message 19. */
  noProxyUser: () => numbered(19),
  /** Message 20. */
  proxyLookupFailed: (options?: ErrorOptions) => numbered(20, [], options),
  /** Message 21. */
  noClientSetting: () => numbered(21),
  /** Message 22. */
  workflowUnfit: () => numbered(22),
  /** Message 23. */
  itemTypesDiffer: (mappingType: number | string, workflowType: number | string) =>
    numbered(23, [mappingType, workflowType]),
  /** Message 24; behind the specification's words, which file of the bag breaks which rule (R13c). */
  bagInvalid: (problem: string, options?: ErrorOptions) =>
    new SwordError(
      SWORD_MESSAGES[24].type,
      `${SWORD_MESSAGES[24].text} ${problem.slice(0, PROBLEM_MAX)}.`,
      24,
      options,
    ),
  /** Message 25. */
  editedElsewhere: (itemId: ItemId | string) => numbered(25, [itemId]),
  /** Message 26. */
  importInProgress: (itemId: ItemId | string) => numbered(26, [itemId]),
  /** Message 27. */
  beingEdited: (itemId: ItemId | string) => numbered(27, [itemId]),
};
