// What must hold of one row of the table of names by itself and with its shoulder (A3, A4, A6, A8, A10, A11, A27).

import { isWithdrawn } from "../../ark/new-name.ts";
import {
  ARK_ORIGINS,
  ARK_STATES,
  type ArkRecord,
  DESCRIPTIVE_FIELDS,
  type Organisation,
  type Shoulder,
} from "../../ark/record.ts";
import { baseKey, hasCheckCharacter, parseArk } from "../../ark/syntax.ts";
import { ServiceError } from "../../shared/errors.ts";
import { type Finding, findingsOf, type RuleResult } from "./finding.ts";

/** The registered things, by `naan/shoulder` and by id. */
export type Registrations = {
  readonly shoulders: ReadonlyMap<string, Shoulder>;
  readonly organisations: ReadonlyMap<number, Organisation>;
};

/** Everything that is wrong with a row, without reading any other name. */
export function nameFindings(record: ArkRecord, known: Registrations): Finding[] {
  const { key } = record;
  return [
    ...findingsOf("key", key, keyRules(record)),
    ...findingsOf("shoulder", key, shoulderRules(record, known)),
    ...findingsOf("state", key, stateRules(record)),
    ...findingsOf("withdrawn", key, withdrawnRules(record)),
    ...findingsOf("check-character", key, checkRules(record, known)),
    ...findingsOf("origin", key, originRules(record, known)),
  ];
}

function keyRules({ key, naan }: ArkRecord): RuleResult[] {
  return [
    [!isNormal(key), "its key is not in normal form"],
    [!key.startsWith(`${naan}/`), `its key does not begin with its NAAN ${naan}`],
  ];
}

function isNormal(key: string): boolean {
  try {
    return parseArk(key).key === key;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}

function shoulderRules({ key, naan, shoulder }: ArkRecord, { shoulders }: Registrations): RuleResult[] {
  return [
    [!shoulders.has(`${naan}/${shoulder}`), `its shoulder ${naan}/${shoulder} does not exist`],
    [!key.startsWith(`${naan}/${shoulder}`), `its key does not begin with its shoulder ${naan}/${shoulder}`],
  ];
}

/** As every instant is written here; that it is on the calendar is left to its writers. */
const INSTANT = /^\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:\d\d\.\d{3}Z$/;

function isSet(value: string | null): boolean {
  return value !== null;
}

/** The columns that belong to a state must agree with it (A8). A withdrawn name has separate rules. */
function stateRules(record: ArkRecord): RuleResult[] {
  const { state, publishedAt, firstPublishedAt, tombstonedAt, withdrawnAt, holdUntil, holdReason } = record;
  const times = [
    record.createdAt,
    record.updatedAt,
    publishedAt,
    firstPublishedAt,
    tombstonedAt,
    withdrawnAt,
    holdUntil,
  ];
  return [
    [!ARK_STATES.includes(state), `there is no state "${state}"`],
    [
      state === "reserved" && (isSet(publishedAt) || isSet(firstPublishedAt)),
      "it is reserved and has a date of publication",
    ],
    [state === "published" && !isSet(publishedAt), "it is published and has no published_at"],
    [isSet(publishedAt) && !isSet(firstPublishedAt), "it has published_at and no first_published_at"],
    [state === "unpublished" && isSet(publishedAt), "it is unpublished and has published_at"],
    [state === "unpublished" && !isSet(firstPublishedAt), "it is unpublished and has no first_published_at"],
    [state === "tombstoned" && !isSet(tombstonedAt), "it is tombstoned and has no tombstoned_at"],
    [isAlive(state) && isSet(tombstonedAt), `it is ${state} and has tombstoned_at`],
    [(isAlive(state) || state === "tombstoned") && isSet(withdrawnAt), `it is ${state} and has withdrawn_at`],
    [isSet(holdReason) && !isSet(holdUntil), "it has the reason of a hold and no end of it"],
    [times.some((time) => time !== null && !INSTANT.test(time)), "one of its times is none"],
  ];
}

function isAlive(state: string): boolean {
  return state === "reserved" || state === "published" || state === "unpublished";
}

/** A withdrawn name keeps nothing but its key, its dates and the reason (A11). */
function withdrawnRules(record: ArkRecord): RuleResult[] {
  if (!isWithdrawn(record)) return [];
  const left = DESCRIPTIVE_FIELDS.filter((field) => record[field] !== "");
  return [
    [!isSet(record.withdrawnAt), `it is ${record.state} and has no withdrawn_at`],
    [isSet(record.publishedAt), `it is ${record.state} and has published_at`],
    [isSet(record.holdUntil), `it is ${record.state} and held`],
    [left.length > 0, `it is ${record.state} and keeps ${left.join(", ")}`],
  ];
}

function checkRules({ key, naan, shoulder }: ArkRecord, { shoulders }: Registrations): RuleResult[] {
  const checked = shoulders.get(`${naan}/${shoulder}`)?.checked === true;
  return [[checked && !hasCheckCharacter(baseKey(key)), "its check character is wrong"]];
}

const ORIGINS: readonly string[] = ARK_ORIGINS;

/** The columns the quota is counted by (A27). */
function originRules({ naan, origin, organisationId }: ArkRecord, { organisations }: Registrations): RuleResult[] {
  const organisation = organisationId === null ? null : organisations.get(organisationId);
  return [
    [!ORIGINS.includes(origin), `there is no origin "${origin}"`],
    [organisation === undefined, `it was made by organisation ${organisationId}, which does not exist`],
    [
      organisation !== null && organisation !== undefined && organisation.naan !== naan,
      `it was made by organisation ${organisationId} of another NAAN`,
    ],
  ];
}
