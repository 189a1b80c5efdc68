// Bodies of the management endpoints as schemas and types (specification 1, "Resources and their fields"; A15, A17,
// A20, A46).
import { Kind, type Static, type TSchema, Type, TypeRegistry } from "@sinclair/typebox";
import type { FieldProblem } from "../shared/errors.ts";
import { canParseUrl } from "../shared/http/web-url.ts";
import { DESCRIPTIVE_FIELDS, forEachField } from "./record.ts";

export const URL_MAX = 2048;
export const TEXT_MAX = 10_000;
export const REQUEST_ID_MAX = 200;
export const REASON_MAX = 500;
/** Longest text taken as an ARK in a body; the grammar has its own, smaller limit (1004). */
export const ARK_MAX = 8192;

/**
 * A text whose length is counted in characters, as JSON Schema counts them; TypeBox itself would count UTF-16 units.
 */
export const CHARACTERS = "Characters";
TypeRegistry.Set<{ readonly maxLength: number }>(CHARACTERS, ({ maxLength }, value) => {
  if (typeof value !== "string") return false;
  return value.length <= maxLength || (value.length <= 2 * maxLength && [...value].length <= maxLength);
});
const characters = (maxLength: number, description: string) =>
  Type.Unsafe<string>({ [Kind]: CHARACTERS, type: "string", maxLength, description });

/** Of a body with this name, which has no other members. */
const closed = <Id extends string>($id: Id) => ({ $id, additionalProperties: false }) as const;
const text = (description: string) => Type.Optional(characters(TEXT_MAX, description));
const arkText = Type.String({
  minLength: 1,
  maxLength: ARK_MAX,
  description: "An ARK in any spelling: with or without `ark:` or `ark:/`, or inside a URL",
});
const reason = characters(REASON_MAX, "Why; kept in history and audit");
const confirm = Type.String({ maxLength: ARK_MAX, description: "The ARK retyped" });
const requestId = Type.Optional(characters(REQUEST_ID_MAX, "Idempotency key; empty means none"));
const rows = <T extends TSchema>($id: string, row: T) => Type.Object({ data: Type.Array(row) }, closed($id));

const descriptive = {
  url: Type.Optional(
    Type.String({
      maxLength: URL_MAX,
      description: "Where the name leads: an absolute URL; may hold ${ark}, ${naan}, ${name} when minted",
    }),
  ),
  ...forEachField(text),
};

export const MintIn = Type.Object(
  {
    ...descriptive,
    shoulder: Type.Optional(
      Type.String({ maxLength: 100, description: "Inside the caller's reach; empty means the default" }),
    ),
    request_id: requestId,
    reserve: Type.Optional(Type.Boolean({ description: "True: minted unpublished" })),
  },
  closed("MintIn"),
);
export type MintIn = Static<typeof MintIn>;
export const BulkMintIn = rows("BulkMintIn", MintIn);

export const RegisterIn = Type.Object(
  {
    ...descriptive,
    ark: arkText,
    qualifier: Type.String({ maxLength: 1024, description: "Begins with / (containment) or . (variant)" }),
    request_id: requestId,
  },
  closed("RegisterIn"),
);
export type RegisterIn = Static<typeof RegisterIn>;

/** A name that was minted elsewhere (A15); without `reserve` it is public at once, like a mint. */
export const ImportIn = Type.Object(
  { ...descriptive, ark: arkText, request_id: requestId, reserve: Type.Optional(Type.Boolean()) },
  closed("ImportIn"),
);
export type ImportIn = Static<typeof ImportIn>;
export const BulkImportIn = rows("BulkImportIn", ImportIn);

export const UpdateIn = Type.Object({ ...descriptive, ark: arkText }, closed("UpdateIn"));
export type UpdateIn = Static<typeof UpdateIn>;
export const BulkUpdateIn = rows("BulkUpdateIn", UpdateIn);

export const TombstoneIn = Type.Object(
  {
    ark: arkText,
    url: Type.Optional(Type.String({ maxLength: URL_MAX, description: "A page that explains; empty: none" })),
    commitment: text("Replaces the stored statement unless empty"),
  },
  closed("TombstoneIn"),
);
export type TombstoneIn = Static<typeof TombstoneIn>;

export const BulkQueryIn = rows("BulkQueryIn", arkText);

export const PublishIn = Type.Object({ ark: arkText }, closed("PublishIn"));
export type PublishIn = Static<typeof PublishIn>;
export const BulkPublishIn = rows("BulkPublishIn", arkText);

export const WithdrawIn = Type.Object(
  { ark: arkText, reason: Type.Optional(reason), confirm: Type.Optional(confirm) },
  closed("WithdrawIn"),
);
export type WithdrawIn = Static<typeof WithdrawIn>;

export const BulkUnpublishIn = Type.Object(
  {
    data: Type.Array(arkText),
    reason: Type.Optional(reason),
    confirm: Type.Optional(
      Type.Union([Type.Integer(), Type.String({ maxLength: 20 })], { description: "The number of rows" }),
    ),
  },
  closed("BulkUnpublishIn"),
);
export type BulkUnpublishIn = Static<typeof BulkUnpublishIn>;

export const BulkDeleteIn = Type.Object(
  { data: Type.Array(arkText), reason: Type.Optional(reason) },
  closed("BulkDeleteIn"),
);
export type BulkDeleteIn = Static<typeof BulkDeleteIn>;

const holdTarget = {
  ark: Type.Optional(arkText),
  shoulder: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  naan: Type.Optional(Type.String({ minLength: 1, maxLength: 32 })),
};
export const HoldIn = Type.Object(
  {
    ...holdTarget,
    until: Type.String({ minLength: 1, maxLength: 40, description: "End of the hold, RFC 3339" }),
    reason: Type.String({ minLength: 1, maxLength: REASON_MAX }),
  },
  closed("HoldIn"),
);
export type HoldIn = Static<typeof HoldIn>;
export const HoldReleaseIn = Type.Object(holdTarget, closed("HoldReleaseIn"));
export type HoldReleaseIn = Static<typeof HoldReleaseIn>;

/** Schemes that run script or carry the thing in the name itself (A20). */
const REFUSED_SCHEMES = new Set(["javascript", "data", "vbscript", "blob", "filesystem"]);
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
const CONTROL = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: see above
const WHITE_OR_CONTROL = /[\u0000-\u0020\u007F-\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: see above
const UNSEEN = /[\u0000-\u0020\u007F-\u00A0\u00AD\u1680\u2000-\u200F\u2028-\u202F\u205F-\u2064\u3000\uFEFF]/g;

/** What almost every target is made of: nothing of it is white, a control or unseen. */
const VISIBLE = /^[!-~]*$/;

/**
 * Schemes whose addresses name a host; a parser makes one of what follows, however it is written (`https:ex.org` too).
 */
const HOST_SCHEME = /^(?:https?|wss?|ftp):/i;
const WITH_HOST = /^[a-z]+:\/\/[^/\\?#]/i;
const KNOWN_PLACEHOLDER = /\$\{(?:ark|naan|name)\}/g;
/** Longest piece of a target that a message quotes. */
const QUOTED_MAX = 40;

/**
 * Scheme, host and the slash behind it, of the target that was found well last: no path behind them makes another one
 * bad.
 */
const ORIGIN = /^https?:\/\/[A-Za-z0-9.:-]+\//;
let lastOrigin = "";

/**
 * What is wrong with a target URL that somebody sends (A20); null when it may be stored. Placeholders are read as plain
 * text.
 */
export function targetProblem(url: string): string | null {
  if (lastOrigin !== "" && url.startsWith(lastOrigin) && VISIBLE.test(url) && !url.includes("${")) return null;
  const problem = newTargetProblem(url);
  if (problem === null) lastOrigin = ORIGIN.exec(url)?.[0] ?? lastOrigin;
  return problem;
}

function newTargetProblem(url: string): string | null {
  const problem = storedTargetProblem(url);
  if (problem !== null || url === "") return problem;
  const filled = withoutPlaceholders(url);
  const unknown = filled.indexOf("${");
  if (unknown !== -1) {
    const end = filled.indexOf("}", unknown);
    const piece = filled.slice(unknown, end === -1 ? undefined : end + 1).slice(0, QUOTED_MAX);
    return `must not hold the placeholder ${piece}: known are \${ark}, \${naan} and \${name}`;
  }
  return HOST_SCHEME.test(filled) && !WITH_HOST.test(filled) ? "must name a host after //" : null;
}

/** What no stored target may be, whenever it was taken: no address, or one that harms who follows it. */
export function storedTargetProblem(url: string): string | null {
  if (url === "") return null;
  // Browsers drop tabs, line ends and outer control characters before they read the scheme: so do we, and more, before
  // we judge it.
  const isVisible = VISIBLE.test(url);
  const seen = isVisible ? url : url.replace(UNSEEN, "");
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(seen)?.[1]?.toLowerCase();
  if (scheme === undefined) return "must be an absolute URL";
  if (REFUSED_SCHEMES.has(scheme)) return `must not use the scheme ${scheme}`;
  if (!isVisible && WHITE_OR_CONTROL.test(url)) return "must not hold white space or control characters";
  return canParseUrl(withoutPlaceholders(url)) ? null : "must be an absolute URL";
}

function withoutPlaceholders(url: string): string {
  return url.includes("${") ? url.replace(KNOWN_PLACEHOLDER, "x") : url;
}

const CHECKED_TEXTS = [...DESCRIPTIVE_FIELDS, "request_id", "reason"] as const;

/**
 * Problems of the texts of one row that a schema cannot express (A20). `loc` is the path of the row, for instance
 * `["body", "data", 3]`.
 */
export function textProblems(
  row: Readonly<Record<string, unknown>>,
  loc: readonly (string | number)[],
): FieldProblem[] {
  const problems: FieldProblem[] = [];
  for (const field of CHECKED_TEXTS) {
    const value = row[field];
    if (typeof value !== "string") continue;
    const msg = value.isWellFormed()
      ? field === "url"
        ? targetProblem(value)
        : CONTROL.test(value)
          ? "must not hold control characters"
          : null
      : "must be well-formed Unicode: half of a surrogate pair is alone";
    if (msg !== null) {
      problems.push({ loc: [...loc, field], msg: `Value error, ${msg}`, type: "value_error", input: value });
    }
  }
  return problems;
}
