// The apply file as values: which sections and members it has, and what each may hold (A6, A21, A42).
// Only the form is judged here; what it means for the things that exist already is judged by plan.ts.

import { Type } from "@sinclair/typebox";
import { SCOPES, TIERS } from "../../auth/caller.ts";
import { FieldFault, quoted, unfit } from "../../shared/field-faults.ts";
import { type Field, type Fields, flag, oneOf, orNull, whole } from "../../shared/fields.ts";
import { isObject } from "../../shared/objects.ts";
import { COMMITMENT_LEVELS, SHOULDER_STATUSES } from "../record.ts";
import { isShoulder } from "../shoulder.ts";
import { readRedirect } from "../target.ts";
import {
  type Entry,
  filledLine,
  instant,
  line,
  naanText,
  orNone,
  type Problem,
  readEntry,
  required,
  someOf,
  unknownMember,
  webUrl,
} from "./members.ts";

/** Rows of one section at most. */
const SECTION_MAX = 10_000;
/** Secrets of one kind that one row may ask for. */
const SECRETS_MAX = 100;

/** A base URL or a template with an optional status in front (A31b); null and the empty string mean none. */
const template: Field<string> = {
  schema: line(2048).schema,
  read(value, path) {
    const text = line(2048).read(value, path);
    if (text === "") return text;
    const reading = readRedirect(text);
    if ("redirect" in reading) return text;
    throw new FieldFault(path, `${reading.problem}: ${quoted(value)}`);
  },
};

/**
 * A client_id: visible ASCII, so that it can be an OIDC subject; never one that looks like our own signatures in the
 * audit.
 */
const clientId: Field<string> = {
  schema: Type.String({ minLength: 1, maxLength: 255 }),
  read(value, path) {
    if (typeof value !== "string" || !/^[\x21-\x7E]{1,255}$/.test(value)) {
      throw unfit(path, value, "must be 1 to 255 visible ASCII characters without blanks");
    }
    if (value.startsWith("(")) throw new FieldFault(path, `must not begin with "(": ${quoted(value)}`);
    return value;
  },
};

const organisationName = filledLine(200);

const NAAN_MEMBERS = {
  naan: required(naanText),
  authoritative: flag,
  name: line(500),
  policy: line(2000),
  policy_url: webUrl,
  redirect: template,
  minter: webUrl,
} as const satisfies Fields;

const ORGANISATION_MEMBERS = {
  naan: required(naanText),
  name: required(organisationName),
  default_shoulder: orNone(line(100)),
  commitment_level: oneOf(COMMITMENT_LEVELS),
  quota_per_day: orNull(whole(0, 1_000_000_000)),
  active: flag,
} as const satisfies Fields;

const SHOULDER_MEMBERS = {
  naan: required(naanText),
  shoulder: required(line(100)),
  organisation: organisationName,
  status: oneOf(SHOULDER_STATUSES),
  minter: webUrl,
  about: webUrl,
  redirect: template,
  checked: flag,
  import_only: flag,
} as const satisfies Fields;

const CREDENTIAL_MEMBERS = {
  client_id: required(clientId),
  tier: oneOf(TIERS),
  naan: orNull(naanText),
  organisation: orNull(organisationName),
  shoulder: orNone(line(100)),
  scopes: someOf(SCOPES),
  expires_at: orNull(instant),
  active: flag,
  api_keys: whole(0, SECRETS_MAX),
  client_secrets: whole(0, SECRETS_MAX),
} as const satisfies Fields;

const HOLD_MEMBERS = {
  naan: orNull(naanText),
  shoulder: orNull(line(100)),
  ark: orNone(line(8192)),
  until: required(instant),
  reason: required(filledLine(500)),
} as const satisfies Fields;

export type NaanEntry = Entry<typeof NAAN_MEMBERS>;
export type OrganisationEntry = Entry<typeof ORGANISATION_MEMBERS>;
export type ShoulderEntry = Entry<typeof SHOULDER_MEMBERS>;
export type CredentialEntry = Entry<typeof CREDENTIAL_MEMBERS>;
export type HoldEntry = Entry<typeof HOLD_MEMBERS>;

export type ProvisioningDocument = {
  readonly naans: readonly NaanEntry[];
  readonly organisations: readonly OrganisationEntry[];
  readonly shoulders: readonly ShoulderEntry[];
  readonly credentials: readonly CredentialEntry[];
  readonly holds: readonly HoldEntry[];
};

const SECTIONS = ["naans", "organisations", "shoulders", "credentials", "holds"] as const;

/**
 * Reads the apply file. The document holds the rows as far as they are well formed; with any problem it must not be
 * carried out.
 */
export function readDocument(value: unknown): { document: ProvisioningDocument; problems: Problem[] } {
  const problems: Problem[] = [];
  const root = isObject(value) ? value : {};
  if (!isObject(value)) problems.push({ path: "(file)", message: `must be a JSON object, not ${quoted(value)}` });
  for (const name of Object.keys(root)) {
    if (!SECTIONS.some((section) => section === name)) problems.push(unknownMember(name, "", SECTIONS));
  }
  const section = <F extends Fields>(name: (typeof SECTIONS)[number], fields: F): Entry<F>[] =>
    readSection(root[name], name, fields, problems);
  const document = {
    naans: section("naans", NAAN_MEMBERS),
    organisations: section("organisations", ORGANISATION_MEMBERS),
    shoulders: section("shoulders", SHOULDER_MEMBERS),
    credentials: section("credentials", CREDENTIAL_MEMBERS),
    holds: section("holds", HOLD_MEMBERS),
  };
  return { document: withPlainShoulders(document, problems), problems };
}

function readSection<F extends Fields>(value: unknown, name: string, fields: F, problems: Problem[]): Entry<F>[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    problems.push({ path: name, message: `must be a list, not ${quoted(value)}` });
    return [];
  }
  if (value.length > SECTION_MAX) {
    problems.push({ path: name, message: `must not hold more than ${SECTION_MAX} rows (it has ${value.length})` });
    return [];
  }
  const entries: Entry<F>[] = [];
  value.forEach((row: unknown, index) => {
    const entry = readEntry(fields, row, `${name}[${index}]`, problems);
    if (entry !== null) entries.push(entry);
  });
  return entries;
}

/** Shoulders may be written with their NAAN (A6: `99999/b1`, `ark:99999/b1`, `/b1`): afterwards they are plain. */
function withPlainShoulders(document: ProvisioningDocument, problems: Problem[]): ProvisioningDocument {
  const plain = (text: string, naan: string | null, path: string): string => {
    const read = plainShoulder(text, naan);
    if (typeof read === "string") return read;
    problems.push({ path, message: read.wrong });
    return text;
  };
  return {
    ...document,
    organisations: document.organisations.map((entry) =>
      entry.default_shoulder === undefined || entry.default_shoulder === null
        ? entry
        : { ...entry, default_shoulder: plain(entry.default_shoulder, entry.naan, `${entry.path}.default_shoulder`) },
    ),
    shoulders: document.shoulders.map((entry) => ({
      ...entry,
      shoulder: plain(entry.shoulder, entry.naan, `${entry.path}.shoulder`),
    })),
    credentials: document.credentials.map((entry) =>
      entry.shoulder === undefined || entry.shoulder === null
        ? entry
        : { ...entry, shoulder: plain(entry.shoulder, entry.naan ?? null, `${entry.path}.shoulder`) },
    ),
  };
}

/** The shoulder without label, NAAN and leading slash; a NAAN in front must be the row's own. */
export function plainShoulder(text: string, naan: string | null): string | { readonly wrong: string } {
  const inner = text.trim().replace(/^ark:\/*/i, "");
  if (inner.startsWith("/")) return inner.slice(1);
  const slash = inner.indexOf("/");
  if (slash === -1) return inner;
  const [before, after] = [inner.slice(0, slash), inner.slice(slash + 1)];
  if (naan !== null && before === naan) return after;
  // A slash inside an import-only shoulder is part of it; what precedes a proper shoulder can only be a NAAN.
  if (!isShoulder(after)) return inner;
  const inRow = naan === null ? "but the row names none: set it there" : `but the row names ${quoted(naan)}`;
  return { wrong: `names the NAAN ${quoted(before)}, ${inRow}` };
}
