// Looks whether every promise about the data holds (docs/disaster-recovery.md): each table is read once, in order, and
// memory holds a page of it.
import type { ArkRecord } from "../ark/record.ts";
import type { Inspection } from "./inspection.ts";
import { authorFindings, keyFindings } from "./verify/authors.ts";
import type { Finding } from "./verify/finding.ts";
import { type HistoryStep, historyFindings, type Replay, replay } from "./verify/history.ts";
import { itemFindings, parentFindings, strayIndexFinding } from "./verify/items.ts";
import { nameFindings, type Registrations } from "./verify/names.ts";
import { PartsWalk } from "./verify/parts.ts";
import { AuditMatch, feedFindings, receiptFindings, type SignedChange } from "./verify/records.ts";
import { BladesWalk, type Policy, policyFindings } from "./verify/registry.ts";

type VerifyWatch = {
  readonly onFinding: (finding: Finding) => void;
  readonly onNote: (note: string) => void;
  readonly onProgress: (step: string, rows: number) => void | Promise<void>;
};

type VerifyReport = {
  readonly names: number;
  readonly receipts: number;
  readonly changes: number;
  readonly items: number;
};

/**
 * Reads everything and reports each fault when it is found. A table that cannot be read is a finding, and the others
 * are still checked.
 */
export async function verify(inspection: Inspection, watch: VerifyWatch): Promise<VerifyReport> {
  const tell = (findings: readonly Finding[]) => findings.forEach(watch.onFinding);
  const counts = { names: 0, receipts: 0, changes: 0, items: 0 };
  const step = async (table: string, work: () => Promise<void>): Promise<void> => {
    try {
      await watch.onProgress(table, 0);
      await work();
    } catch (error) {
      if (!(error instanceof Error) || error.name === "Interrupted") throw error;
      watch.onFinding({ kind: "engine", key: table, problem: `it cannot be read: ${error.message}` });
    }
  };

  await step("engine", async () => {
    const { findings, notes } = await inspection.engine();
    tell(findings);
    notes.forEach(watch.onNote);
  });
  let policy: Policy = { naans: [], organisations: [], shoulders: [], credentials: [], secrets: [] };
  await step("policy", async () => {
    policy = await inspection.policy();
    tell(policyFindings(policy));
  });
  await step("feed", async () => tell(feedFindings(await inspection.feed())));
  await step("ark", async () => {
    counts.names = await verifyNames(inspection, policy, tell, watch);
  });
  await step("receipt", async () => {
    for await (const page of inspection.receipts()) {
      tell(page.flatMap(receiptFindings));
      counts.receipts += page.length;
      await watch.onProgress("receipt", counts.receipts);
    }
  });
  await step("audit_event", async () => {
    counts.changes = await verifyAudit(inspection, tell, watch);
  });
  await step("item", async () => {
    counts.items = await verifyItems(inspection, tell, watch);
  });
  await step("author", async () => verifyAuthors(inspection, tell, watch));
  return counts;
}

/** Published items without a name are not a finding: minting may be switched off. They are counted in a note. */
async function verifyItems(
  inspection: Inspection,
  tell: (findings: readonly Finding[]) => void,
  watch: VerifyWatch,
): Promise<number> {
  let [items, unnamed] = [0, 0];
  for await (const page of inspection.items()) {
    tell(page.flatMap(itemFindings));
    items += page.length;
    unnamed += page.filter((row) => row.state === "published" && row.ark === null).length;
    await watch.onProgress("item", items);
  }
  for await (const page of inspection.parents()) tell(page.flatMap(parentFindings));
  for await (const page of inspection.strayIndexes()) tell(page.map(strayIndexFinding));
  if (unnamed > 0) watch.onNote(`${unnamed} published items have no ARK: "arkstone item mint-arks" mints them`);
  return items;
}

async function verifyAuthors(
  inspection: Inspection,
  tell: (findings: readonly Finding[]) => void,
  watch: VerifyWatch,
): Promise<void> {
  let [authors, keys] = [0, 0];
  for await (const page of inspection.authors()) {
    tell(page.flatMap(authorFindings));
    authors += page.length;
    keys += page.reduce((sum, row) => sum + row.keys - row.missing, 0);
    await watch.onProgress("author", authors);
  }
  tell(keyFindings(await inspection.countAuthorKeys(), keys));
}

async function verifyNames(
  inspection: Inspection,
  policy: Policy,
  tell: (findings: readonly Finding[]) => void,
  watch: VerifyWatch,
): Promise<number> {
  const known: Registrations = {
    shoulders: new Map(policy.shoulders.map((row) => [`${row.naan}/${row.shoulder}`, row])),
    organisations: new Map(policy.organisations.map((row) => [row.id, row])),
  };
  const parts = new PartsWalk();
  const blades = new BladesWalk();
  const history = historyCursor(inspection.history());
  let names = 0;
  const look = async (record: ArkRecord): Promise<void> => {
    const { replayed, strangers } = await history.upTo(record.key);
    tell(strangers);
    tell([...nameFindings(record, known), ...parts.next(record), ...historyFindings(record, replayed)]);
    blades.next(record);
  };
  for await (const page of inspection.arks()) {
    for (const record of page) await look(record);
    names += page.length;
    await watch.onProgress("ark", names);
  }
  tell((await history.upTo(null)).strangers);
  tell(blades.end(policy.shoulders));
  return names;
}

type Step = HistoryStep & { readonly target: string };

/** Walks the history together with the names: both are in the order of the keys. */
function historyCursor(pages: AsyncIterable<readonly Step[]>) {
  const iterator = pages[Symbol.asyncIterator]();
  let page: readonly Step[] = [];
  let at = 0;
  let ended = false;
  const peek = async (): Promise<Step | null> => {
    while (at >= page.length && !ended) {
      const next = await iterator.next();
      ended = next.done === true;
      [page, at] = [next.done === true ? [] : next.value, 0];
    }
    return page[at] ?? null;
  };
  return {
    /** The steps of this name folded together, and those of names before it that have no row. Null: the rest. */
    async upTo(
      key: string | null,
    ): Promise<{ readonly replayed: Replay | null; readonly strangers: readonly Finding[] }> {
      const strangers = new Map<string, Finding>();
      let replayed: Replay | null = null;
      // Most steps are in the page at hand: no promise for each of them.
      for (let step = page[at] ?? (await peek()); step !== null; step = page[at] ?? (await peek())) {
        if (key !== null && step.target > key) break;
        at++;
        if (step.target === key) replayed = replay(replayed, step);
        else {
          const problem = "it has a history and no row: the name was removed";
          strangers.set(step.target, { kind: "history", key: step.target, problem });
        }
      }
      return { replayed, strangers: [...strangers.values()] };
    },
  };
}

async function verifyAudit(
  inspection: Inspection,
  tell: (findings: readonly Finding[]) => void,
  watch: VerifyWatch,
): Promise<number> {
  const match = new AuditMatch();
  const changes = inspection.changes()[Symbol.asyncIterator]();
  const audit = inspection.audit()[Symbol.asyncIterator]();
  let rows = 0;
  for (;;) {
    // Page by page in turn, so that the partners of a page are never far.
    const [page, signed] = [await nextPage(changes), await nextPage(audit)];
    if (page.length === 0 && signed.length === 0) break;
    for (const change of page) tell(match.change(change));
    for (const change of signed) tell(match.audit(change));
    rows += page.length;
    await watch.onProgress("audit_event", rows);
  }
  tell(match.end());
  return rows;
}

async function nextPage(iterator: AsyncIterator<readonly SignedChange[]>): Promise<readonly SignedChange[]> {
  const next = await iterator.next();
  return next.done === true ? [] : next.value;
}
