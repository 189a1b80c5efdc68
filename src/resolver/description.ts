// The description of a name or a NAAN that the resolver sends instead of a redirect (specification, "Resolution
// description"; A36 to A38, A40).

import type { ArkRecord, ArkState, CommitmentLevel, Naan, Organisation, Shoulder } from "../ark/record.ts";
import { formatArk } from "../ark/syntax.ts";
import { namesWebHost } from "../shared/http/web-url.ts";
import type { Instant } from "../shared/time/instant.ts";
import type { Hold } from "./hold.ts";
import type { RegistryNaan } from "./registry.ts";
import { targetOf } from "./resolve.ts";
import { classOf, type ResolutionTable } from "./table.ts";

/** The NLM permanence levels as an ERC names them (draft 5.1.1). */
const LEVEL_NAMES: Readonly<Record<CommitmentLevel, string>> = {
  "not-guaranteed": "Not Guaranteed",
  "permanent-dynamic": "Permanent: Dynamic Content",
  "permanent-stable": "Permanent: Stable Content",
  "permanent-unchanging": "Permanent: Unchanging Content",
  "descriptive-only": "Descriptive Only",
};

/** The organisation responsible for a name, for the persistence statement. */
type Support = {
  readonly who: string;
  readonly level: CommitmentLevel | null;
  readonly statement: string;
  /** When the statement was last touched. */
  readonly when: Instant | null;
  /** The policy's address, else the ARK of the NAAN. */
  readonly where: string;
  readonly policy: string;
};

export type Description = {
  readonly kind: "name" | "naan";
  /** Of a NAAN: which one, and whether its names are assigned and answered for here; null for a name. */
  readonly authority: { readonly naan: string; readonly authoritative: boolean } | null;
  /** Returned as `ark:…`; also the kernel's `where`. */
  readonly ark: string;
  readonly who: string;
  readonly what: string;
  readonly when: string;
  /** The current target, with what follows the described name; null where there is none. */
  readonly redirect: string | null;
  readonly redirectSafe: boolean;
  readonly type: string;
  readonly identifier: string;
  readonly format: string;
  readonly relation: string;
  readonly source: string;
  readonly support: Support;
  /** Null for a NAAN. */
  readonly state: ArkState | null;
  readonly inheritedFrom: string | null;
  readonly suffix: string | null;
  readonly hold: Hold | null;
  readonly createdAt: Instant | null;
  readonly updatedAt: Instant | null;
  /** The latest moment at which the description changed; null where nobody kept it. */
  readonly lastModified: Instant | null;
};

type Surroundings = {
  readonly shoulder: Shoulder | null;
  readonly naan: Naan | null;
  readonly organisation: Organisation | null;
};

function surroundingsOf(table: ResolutionTable, key: string): Surroundings {
  const slash = key.indexOf("/");
  const naanText = slash === -1 ? key : key.slice(0, slash);
  const shoulder = slash === -1 ? null : table.shoulderOf(naanText, key.slice(slash + 1));
  const organisation = shoulder === null ? null : table.organisation(shoulder.organisationId);
  return { shoulder, naan: table.naan(naanText), organisation };
}

function latest(...instants: readonly (Instant | null)[]): Instant | null {
  let best: Instant | null = null;
  for (const each of instants) if (each !== null && (best === null || each > best)) best = each;
  return best;
}

/**
 * When a description last changed (A39): update, publication, tombstone, and the end of a hold that is over. Nobody
 * keeps when a hold of a shoulder or NAAN began, so while one lasts the answer is new at every moment and only the ETag
 * can confirm it.
 */
function modifiedAt(moments: readonly (Instant | null)[], around: Surroundings, hold: Hold | null, now: Instant) {
  if (hold !== null && hold.scope !== "ark") return now;
  const ended = [around.shoulder?.holdUntil ?? null, around.naan?.holdUntil ?? null].filter(
    (until) => until !== null && until <= now,
  );
  return latest(...moments, ...ended);
}

/** The description of a name, under the name requested (A36). `suffix` is what follows the record's own name there. */
export function describeName(
  table: ResolutionTable,
  record: ArkRecord,
  requested: { readonly key: string; readonly suffix: string },
  hold: Hold | null,
  now: Instant,
): Description {
  const around = surroundingsOf(table, record.key);
  const redirect = record.url === "" ? null : targetOf({ class: classOf(record), url: record.url }, requested.suffix);
  const holdEnd = record.holdUntil !== null && record.holdUntil <= now ? record.holdUntil : null;
  const moments = [record.updatedAt, record.publishedAt, record.tombstonedAt, holdEnd];
  return {
    kind: "name",
    authority: null,
    ark: formatArk(requested.key),
    who: record.who,
    what: record.title,
    when: record.when,
    redirect,
    redirectSafe: redirect !== null && namesWebHost(redirect),
    type: record.type,
    identifier: record.identifier,
    format: record.format,
    relation: record.relation,
    source: record.source,
    support: {
      who: around.organisation?.name || around.naan?.name || "",
      level: around.organisation?.commitmentLevel ?? null,
      statement: record.commitment,
      when: record.updatedAt,
      where: around.naan?.policyUrl || formatArk(record.naan),
      policy: around.naan?.policy ?? "",
    },
    state: record.state,
    inheritedFrom: requested.suffix === "" ? null : formatArk(record.key),
    suffix: requested.suffix === "" ? null : requested.suffix,
    hold: hold?.scope === "ark" ? { ...hold, reason: record.holdReason } : hold,
    createdAt: record.createdAt,
    updatedAt: record.updatedAt,
    lastModified: modifiedAt(moments, around, hold, now),
  };
}

/** The description of a NAAN (A40), ours, another's, or one known from the registry; null when nobody knows it. */
export function describeNaan(
  table: ResolutionTable,
  naan: string,
  requested: string,
  hold: Hold | null,
  now: Instant,
): Description | null {
  const own = table.naan(naan);
  const registered = table.registry.naans.get(naan) ?? null;
  if (own === null && registered === null) return null;
  const around: Surroundings = { shoulder: null, naan: own, organisation: null };
  const redirect = addressOfNaan(own, registered);
  return {
    kind: "naan",
    authority: { naan, authoritative: own?.authoritative === true },
    ark: formatArk(requested),
    who: own?.name || registered?.name || "",
    what: `Name Assigning Authority Number ${naan}`,
    when: "",
    redirect,
    redirectSafe: redirect !== null && namesWebHost(redirect),
    type: "",
    identifier: "",
    format: "",
    relation: "",
    source: "",
    support: {
      who: own?.name || registered?.name || "",
      level: null,
      statement: "",
      when: null,
      where: own?.policyUrl || registered?.policyUrl || formatArk(naan),
      policy: own?.policy || registered?.policy || "",
    },
    state: null,
    inheritedFrom: null,
    suffix: null,
    hold,
    createdAt: null,
    updatedAt: null,
    lastModified: modifiedAt([], around, hold, now),
  };
}

/** Where the names of a NAAN that is not ours are answered; null for one of our NAANs. */
function addressOfNaan(own: Naan | null, registered: RegistryNaan | null): string | null {
  if (own?.authoritative === true) return null;
  return own?.redirect || registered?.where || null;
}

/**
 * Kernel, redirect and hold as ANVL elements, in the order of A37; at the end, for a tombstone, that the thing is gone
 * (A10).
 */
export function kernelElements(description: Description): (readonly [string, string])[] {
  const { hold } = description;
  return [
    ["who", description.who],
    ["what", description.what],
    ["when", description.when],
    ["where", description.ark],
    ...(description.redirect === null ? [] : [["redirect", description.redirect] as const]),
    ...(hold === null
      ? []
      : [
          ["hold", hold.reason ?? ""] as const,
          ["hold-until", hold.until] as const,
          ["hold-scope", hold.scope] as const,
        ]),
    ...(description.state === "tombstoned" ? [["state", description.state] as const] : []),
  ];
}

/** The persistence statement as ANVL elements: who promises what since when, and where the policy is. */
export function supportElements({ support }: Description): (readonly [string, string])[] {
  const level = support.level === null ? "" : LEVEL_NAMES[support.level];
  return [
    ["who", support.who],
    ["what", [level, support.statement].filter((part) => part !== "").join(": ") || support.policy],
    ["when", support.when === null ? "" : support.when.slice(0, 10).replaceAll("-", "")],
    ["where", support.where],
  ];
}

/** The document of `?json` (A38). `levelLabel` is the permanence level in the reader's language. */
export function descriptionJson(description: Description, levelLabel: string) {
  const { support, hold } = description;
  return {
    ark: description.ark,
    ...(description.authority ?? {}),
    who: description.who,
    what: description.what,
    when: description.when,
    where: description.ark,
    ...(description.redirect === null
      ? {}
      : { redirect: description.redirect, redirect_safe: description.redirectSafe }),
    type: description.type,
    identifier: description.identifier,
    format: description.format,
    relation: description.relation,
    source: description.source,
    commitment: support.statement,
    commitment_level: support.level,
    commitment_label: support.level === null ? null : levelLabel,
    na_policy: support.policy,
    state: description.state,
    inherited_from: description.inheritedFrom,
    suffix: description.suffix,
    hold: hold === null ? null : { scope: hold.scope, reason: hold.reason, until: hold.until },
    created_at: description.createdAt,
    updated_at: description.updatedAt,
  };
}
