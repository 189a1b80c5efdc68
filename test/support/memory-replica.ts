// The database a resolver reads, in memory: the same port, the same promises, and a switch that takes it away.

import {
  type ArkRecord,
  EMPTY_DESCRIPTION,
  type Naan,
  type Organisation,
  type Shoulder,
} from "../../src/ark/record.ts";
import type { FeedChange, Replica, TableRow } from "../../src/resolver/replica.ts";
import type { ResolutionSettings } from "../../src/resolver/resolve.ts";

export const T0 = "2026-01-02T03:04:05.000Z";

export function arkRecord(key: string, fields: Partial<ArkRecord> = {}): ArkRecord {
  const slash = key.indexOf("/");
  return {
    ...EMPTY_DESCRIPTION,
    key,
    naan: key.slice(0, slash),
    shoulder: key.slice(slash + 1, slash + 3),
    origin: "minted",
    organisationId: 1,
    state: "published",
    createdAt: T0,
    updatedAt: T0,
    publishedAt: T0,
    firstPublishedAt: T0,
    tombstonedAt: null,
    withdrawnAt: null,
    withdrawnReason: null,
    holdUntil: null,
    holdReason: null,
    ...fields,
  };
}

export const NEVER_PUBLIC = { publishedAt: null, firstPublishedAt: null } as const;

export function naanOf(naan: string, fields: Partial<Naan> = {}): Naan {
  return {
    naan,
    authoritative: true,
    name: "Example Archive",
    policy: "NP | NR, OP, CC | 2026",
    policyUrl: "",
    redirect: "",
    minter: "",
    holdUntil: null,
    holdReason: null,
    ...fields,
  };
}

export function shoulderOf(naan: string, shoulder: string, fields: Partial<Shoulder> = {}): Shoulder {
  return {
    naan,
    shoulder,
    organisationId: 1,
    status: "active",
    minter: "",
    about: "",
    redirect: "",
    checked: true,
    importOnly: false,
    bladeLength: 8,
    holdUntil: null,
    holdReason: null,
    ...fields,
  };
}

export const ORGANISATION: Organisation = {
  id: 1,
  naan: "99999",
  name: "org-a",
  defaultShoulder: "b1",
  commitmentLevel: "permanent-dynamic",
  quotaPerDay: null,
  active: true,
};

export type MemoryReplica = Replica & {
  put(...records: ArkRecord[]): void;
  /** Writes without telling the feed: what a refresh has not seen yet. */
  putQuietly(record: ArkRecord): void;
  setPolicies(naans: readonly Naan[], shoulders: readonly Shoulder[]): void;
  restore(epoch: string): void;
  away: boolean;
  /** Reads of single rows so far, answered or not. */
  reads: number;
};

export function memoryReplica(
  naans: readonly Naan[] = [naanOf("99999")],
  shoulders: readonly Shoulder[] = [shoulderOf("99999", "b1")],
): MemoryReplica {
  const records = new Map<string, ArkRecord>();
  const feed: FeedChange[] = [];
  let epoch = "epoch-1";
  let policies = { naans, shoulders };
  const answer = <T>(value: () => T): Promise<T> =>
    replica.away ? Promise.reject(new Error("connection refused")) : Promise.resolve(value());
  const rowOf = ({ key, state, url, publishedAt, firstPublishedAt, holdUntil }: ArkRecord): TableRow => ({
    key,
    state,
    url,
    publishedAt,
    firstPublishedAt,
    holdUntil,
  });
  const tell = (subject: FeedChange["subject"], target: string) =>
    feed.push({ id: String(feed.length + 1), subject, target });

  const replica: MemoryReplica = {
    away: false,
    reads: 0,
    keysPerRead: 20,
    put(...added) {
      for (const record of added) {
        records.set(record.key, record);
        tell("ark", record.key);
      }
    },
    putQuietly: (record) => void records.set(record.key, record),
    setPolicies(nextNaans, nextShoulders) {
      policies = { naans: nextNaans, shoulders: nextShoulders };
      tell("shoulder", "");
    },
    restore(next) {
      epoch = next;
      feed.length = 0;
    },
    position: () => answer(() => ({ epoch, horizon: String(feed.length) })),
    changes: (after) =>
      answer(() =>
        after.epoch === epoch
          ? {
              changes: feed.slice(Number(after.horizon)),
              position: { epoch, horizon: String(feed.length) },
              more: false,
            }
          : { changes: [], position: { epoch, horizon: after.horizon }, more: false },
      ),
    tableRows: (after, limit) =>
      answer(() =>
        [...records.values()]
          .filter((record) => record.key > after)
          .sort((one, other) => (one.key < other.key ? -1 : 1))
          .slice(0, limit)
          .map(rowOf),
      ),
    tableRowsOf: (keys) => {
      replica.reads += 1;
      return answer(
        () =>
          new Map(
            keys.flatMap((key) => {
              const record = records.get(key);
              return record === undefined ? [] : [[key, rowOf(record)] as const];
            }),
          ),
      );
    },
    naans: () => answer(() => policies.naans),
    shoulders: () => answer(() => policies.shoulders),
    organisations: () => answer(() => [ORGANISATION]),
    ark: (key) => {
      replica.reads += 1;
      return answer(() => records.get(key) ?? null);
    },
    ping: () => answer(() => undefined),
    close: async () => {},
  };
  return replica;
}

/** The settings of a resolver at id.example.org, with these differences. */
export const resolutionSettings = (more: Partial<ResolutionSettings> = {}): ResolutionSettings => ({
  baseUrl: "https://id.example.org",
  rootPath: "",
  globalResolver: "https://n2t.net",
  allowedHosts: new Set<string>(),
  resolveUnpublished: false,
  ...more,
});
