// Names that a backup does not know but a newer list does: one ARK a line, or what `arkstone export` writes. They are
// entered as withdrawn, so that nobody else ever gets them (docs/disaster-recovery.md; A11).

import { type ArkRecord, EMPTY_DESCRIPTION } from "../ark/record.ts";
import { type Ark, parseArk } from "../ark/syntax.ts";
import { type Instant, readInstant } from "../shared/time/instant.ts";

export type NewerName = {
  readonly ark: Ark;
  /** When it was first public as far as the list tells; null for a name that never was. */
  readonly firstPublishedAt: Instant | null;
};

export type ListedName = { readonly ark: string; readonly [field: string]: unknown };

/**
 * A row of the list. Without a state the name is taken to have been public since the backup: a client that follows it
 * then finds nothing, instead of being sent on to a name above it.
 *
 * @throws ServiceError where the text is not an ARK.
 */
export function newerName(listed: ListedName, backupAt: Instant): NewerName {
  const ark = parseArk(listed.ark);
  if (listed.state === "reserved" || listed.first_published_at === null) return { ark, firstPublishedAt: null };
  const publishedAt = [listed.first_published_at, listed.published_at].find((time) => typeof time === "string");
  return { ark, firstPublishedAt: (typeof publishedAt === "string" ? readInstant(publishedAt) : null) ?? backupAt };
}

/**
 * The row that holds such a name: deleted, or reserved where living names hang below it (they would hang in the air,
 * A11).
 */
export function newerRecord(
  name: NewerName,
  entry: { readonly shoulder: string; readonly hasParts: boolean; readonly reason: string },
  now: Instant,
): ArkRecord {
  const deleted = !entry.hasParts;
  return {
    ...EMPTY_DESCRIPTION,
    key: name.ark.key,
    naan: name.ark.naan,
    shoulder: entry.shoulder,
    origin: "imported",
    organisationId: null,
    state: deleted ? "deleted" : "reserved",
    createdAt: now,
    updatedAt: now,
    publishedAt: null,
    firstPublishedAt: deleted ? name.firstPublishedAt : null,
    tombstonedAt: null,
    withdrawnAt: deleted ? now : null,
    withdrawnReason: deleted ? entry.reason : null,
    holdUntil: null,
    holdReason: null,
  };
}
