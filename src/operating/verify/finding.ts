// What `arkstone verify` finds: one broken promise each (docs/disaster-recovery.md).

export const FINDING_KINDS = [
  "key",
  "shoulder",
  "state",
  "withdrawn",
  "part",
  "check-character",
  "origin",
  "history",
  "blade",
  "receipt",
  "audit",
  "feed",
  "policy",
  "credential",
  "item",
  "author",
  "engine",
] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

export type Finding = {
  readonly kind: FindingKind;
  /** Key of the name, `naan/shoulder`, client_id, `item:…`, `parent:…`, `author:…`, table or index: where to look. */
  readonly key: string;
  readonly problem: string;
};

/** A rule: what is wrong, or false where nothing is. */
export type RuleResult = readonly [broken: boolean, problem: string];

/** The findings of those rules that are broken. */
export function findingsOf(kind: FindingKind, key: string, rules: readonly RuleResult[]): Finding[] {
  return rules.flatMap(([broken, problem]) => (broken ? [{ kind, key, problem }] : []));
}
