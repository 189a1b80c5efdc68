// Steps 9 to 13 of POST: describe, choose the method, check, register, answer (specification 2; R13a, R14, R16, R18).

import type { Account } from "../../auth/account.ts";
import type { DescribedItem } from "../../model/files/described-package.ts";
import type { Item, ItemContent } from "../../model/items/item.ts";
import { type Metadata, mainTitle } from "../../model/metadata/metadata.ts";
import type { ItemId } from "../../shared/ids.ts";
import { lockDois } from "../items/commit-revision.ts";
import { duplicateKeysOf } from "../items/content.ts";
import type { Lineages } from "../store/indexes.ts";
import type { Workflow } from "../store/settings.ts";
import type { RepositoryWriter } from "../store/store.ts";
import { type Depositor, depositAs, requireDepositScopes, WORKFLOW_SCOPE } from "./admission.ts";
import {
  type CheckedItem,
  type CheckingIn,
  checkItem,
  claimedPath,
  IncompleteItem,
  refuseDuplicate,
  refuseRegistered,
  requireIndexes,
} from "./checking.ts";
import {
  type DepositSettings,
  defaultIndexOf,
  depositSettings,
  type Method,
  registrationMethod,
} from "./client-settings.ts";
import { statusAnswer } from "./documents.ts";
import { swordRefusals } from "./messages.ts";
import { namedItems, withItemLinks } from "./named-items.ts";
import type { ReceivedPackage } from "./receiving.ts";
import { depositRefusal } from "./refusals.ts";
import type { DepositAnswer } from "./request.ts";
import { type DepositParts, type Finish, tooManyItems } from "./types.ts";
import { type StagedFile, storeFiles, type UnpackedPackage } from "./unpacking-package.ts";

export type RegisterIn = {
  readonly depositor: Depositor;
  readonly proxy: Account | null;
  readonly received: ReceivedPackage;
  readonly pkg: UnpackedPackage;
  readonly finish: Finish;
};

/** One item of the deposit, checked; its bytes are not stored yet. */
type Part = CheckedItem & { readonly files: readonly StagedFile[] };

type PreparedDeposit = {
  readonly method: Method;
  readonly ready: readonly Part[];
  /** Notes on addresses that name no item of this repository. */
  readonly passedOver: readonly string[];
};

const SUPPLEMENTS = { paper: "isSupplementedBy", evidence: "isSupplementTo" } as const;

export async function registerItems(parts: DepositParts, input: RegisterIn): Promise<DepositAnswer> {
  const { method, ready, passedOver } = await prepare(parts, input);
  const files = ready.flatMap((part) => part.files);
  const stored = await storeFiles(parts.storage, files);
  const notes = [...ready.flatMap((part) => part.notes), ...passedOver];
  try {
    return await depositAs(parts, input.depositor, async (tx, depositor) => {
      const lineages = await heldLineages(tx, ready);
      for (const { content } of ready) await requireIndexes(tx, depositor.viewer, content.indexes, lineages);
      if (method.workflow !== null) requireDepositScopes(depositor.viewer, [WORKFLOW_SCOPE]);
      const described = ready.map(({ content }) => content.metadata);
      await lockDois(tx, described);
      if (method.duplicateCheck) await refuseDuplicateIn(parts, tx, described);
      const contents = ready.map(({ content }) => stored.contentOf(content));
      const now = { ...input, depositor };
      const answer =
        method.workflow === null
          ? await registerDirectly(parts, tx, now, contents, { notes, lineages })
          : await registerThrough(parts, tx, now, method.workflow, contents, notes);
      await input.finish(tx, answer);
      return answer;
    });
  } catch (error) {
    await stored.undoAfter(error);
    throw depositRefusal(error, null);
  }
}

/** Steps 9 to 11: every item of the package, described and checked. */
async function prepare(parts: DepositParts, input: RegisterIn): Promise<PreparedDeposit> {
  const { pkg, depositor } = input;
  const { viewer } = depositor;
  const found = await depositSettings(parts.store, viewer, pkg.kind);
  const today = parts.today();
  const described = await parts.describer.describe(pkg, found, today);
  const isSplit = requireOneOrSplit(described.items);
  const completed = await Promise.all(described.items.map((item) => complete(parts, item, found)));
  const method = await registrationMethod(parts.store.settings, viewer, found, described.itemType);
  const definition = await parts.describer.itemType(described.itemType ?? method.workflow?.itemType ?? 1, found);
  const { client, byDefault } = found;
  // Settings of administrators come before the shipped ones.
  const named = [method.workflow?.index, client?.defaultIndex, parts.defaultIndex, byDefault?.defaultIndex];
  const defaults = named.filter((id) => id !== null && id !== undefined);
  // The indexes that the package names are read later, when they are known.
  const lineages = await parts.store.indexes.lineages(completed.every(namesIndexes) ? [] : defaults);
  const defaultIndex = defaultIndexOf(lineages, defaults);
  const checking = { viewer, kind: pkg.kind, definition, today, defaultIndex, lineages };
  const ready = await checkItems(parts, input, completed, isSplit, method, checking);
  const duplicatesOf = (metadata: Metadata) => parts.items.duplicates(parts.store, metadata, null);
  if (method.duplicateCheck) for (const part of ready) await refuseDuplicate(duplicatesOf, part.content.metadata);
  const mayRead = (id: ItemId) => parts.items.mayRead(viewer, id);
  const naming = { items: parts.store.items, landingPage: parts.addresses.landingPage };
  const passedOver: string[] = [];
  for (const part of ready) {
    const named = await namedItems(part.described, naming);
    await refuseRegistered(named, { store: parts.store, mayRead });
    passedOver.push(...named.notes);
  }
  if (!found.formatSetting.active) throw swordRefusals.formatDisabled(found.format);
  return { method, ready, passedOver };
}

/** The checks of step 11 that concern one item. An incomplete one may be kept for people to complete (R16). */
async function checkItems(
  parts: DepositParts,
  input: RegisterIn,
  described: readonly DescribedItem[],
  isSplit: boolean,
  { workflow, keepIncomplete: isKept }: Method,
  checking: Omit<CheckingIn, "files">,
): Promise<readonly Part[]> {
  const localIds = new Set(described.map(({ localId }) => localId));
  const linking = { items: parts.store.items, landingPage: parts.addresses.landingPage, localIds };
  const files = filesOfParts(described, input.pkg, input.received, isSplit);
  const ready: Part[] = [];
  for (const [at, item] of described.entries()) {
    const own = files[at] ?? [];
    try {
      const linked = await withItemLinks(claimedBy(item, isSplit), linking);
      ready.push({ ...(await checkItem(parts.store, linked, { ...checking, files: own })), files: own });
    } catch (error) {
      if (error instanceof IncompleteItem && isKept && workflow !== null) {
        await keepIncomplete(parts, input, workflow, error, own);
      }
      throw error;
    }
  }
  return ready;
}

/** Again inside the transaction: of two concurrent deposits of the same item, one is refused (R18). */
async function refuseDuplicateIn(
  parts: DepositParts,
  tx: RepositoryWriter,
  described: readonly Metadata[],
): Promise<void> {
  // All keys at once, in the order in which others lock them.
  const keys = await Promise.all(described.map(duplicateKeysOf));
  await tx.items.lockDuplicates(keys.flat());
  for (const each of described) await refuseDuplicate((metadata) => parts.items.duplicates(tx, metadata, null), each);
}

async function registerDirectly(
  parts: DepositParts,
  tx: RepositoryWriter,
  { depositor, proxy, received }: RegisterIn,
  contents: readonly ItemContent[],
  { notes, lineages }: { readonly notes: readonly string[]; readonly lineages: Lineages },
): Promise<DepositAnswer> {
  const more = { ...proxied(proxy), lineages, package: { name: received.name, sha256: received.sha256 } };
  const made: Item[] = [];
  for (const content of contents) {
    const evidence = made.map(({ id }) => id);
    const linked = withLinks(parts, content, evidence, SUPPLEMENTS.paper);
    made.push((await parts.items.createAndPublish(tx, depositor.viewer, { ...more, content: linked })).item);
  }
  const paper = made.at(-1);
  if (paper === undefined) throw new RangeError("A deposit without an item");
  const linked: Item[] = [];
  for (const evidence of made.slice(0, -1)) {
    if (evidence.content === null) continue;
    const content = withLinks(parts, evidence.content, [paper.id], SUPPLEMENTS.evidence);
    linked.push((await parts.items.revise(tx, depositor.viewer, evidence.id, { content, action: "link" })).item);
  }
  const document = { item: paper, replaces: null, isReplacedBy: null, activityId: null, parts: linked, notes };
  return statusAnswer(parts.addresses, 201, document);
}

/** Drafts first, so that every part can link to the others; then an activity for each. */
async function registerThrough(
  parts: DepositParts,
  tx: RepositoryWriter,
  { depositor, proxy, received }: RegisterIn,
  workflow: Workflow,
  contents: readonly ItemContent[],
  notes: readonly string[],
): Promise<DepositAnswer> {
  const { viewer } = depositor;
  const drafts: Item[] = [];
  for (const content of contents) {
    drafts.push((await parts.items.createDraft(tx, viewer, { ...proxied(proxy), content, pending: true })).item);
  }
  const ids = drafts.map(({ id }) => id);
  const paperId = ids.at(-1);
  let done = true;
  let last: { item: Item; activityId: string | null; note: string } | null = null;
  const others: Item[] = [];
  for (const [at, draft] of drafts.entries()) {
    const content = contents[at];
    if (content === undefined || paperId === undefined) continue;
    const isPaper = draft.id === paperId;
    const links = isPaper ? ids.slice(0, -1) : [paperId];
    const linked = withLinks(parts, content, links, isPaper ? SUPPLEMENTS.paper : SUPPLEMENTS.evidence);
    const began = await parts.activities.begin(tx, viewer, {
      kind: "registration",
      workflow,
      itemId: draft.id,
      title: mainTitle(content.metadata),
      onBehalfOf: proxy?.id ?? null,
      packageName: received.name,
      packageSha256: received.sha256,
      isFiled: linked.indexes.length > 0,
      saveDraft: (activityId) =>
        parts.items.saveDraft(tx, viewer, draft.id, { content: linked, activityId, pending: true }),
    });
    done &&= began.done;
    const item = began.item ?? draft;
    if (isPaper) last = { item, activityId: began.done ? null : began.activity.id, note: began.activity.note };
    else others.push(item);
  }
  if (last === null) throw new RangeError("A deposit without an item");
  const allNotes = last.note === "" ? notes : [...notes, `${last.note}.`];
  const document = {
    item: last.item,
    replaces: null,
    isReplacedBy: null,
    activityId: last.activityId,
    parts: others,
    notes: allNotes,
  };
  return statusAnswer(parts.addresses, done ? 201 : 202, document);
}

/** The links between the parts of a split deposit (specification, step 9). */
function withLinks(parts: DepositParts, content: ItemContent, ids: readonly ItemId[], type: string): ItemContent {
  if (ids.length === 0) return content;
  const links = ids.map((id) => ({
    type,
    ident: { scheme: "URI", value: parts.addresses.landingPage(id) },
    titles: [],
  }));
  return { ...content, metadata: { ...content.metadata, relations: [...content.metadata.relations, ...links] } };
}

const namesIndexes = ({ instructions: { index = [] } }: DescribedItem): boolean => index.length > 0;

/** The lineages of the indexes of all parts. The tree is locked, so that none is deleted before it is filled. */
async function heldLineages(tx: RepositoryWriter, ready: readonly Part[]): Promise<Lineages> {
  const ids = new Set(ready.flatMap(({ content }) => content.indexes));
  if (ids.size > 0) await tx.indexes.holdTree();
  return await tx.indexes.lineages([...ids]);
}

/**
 * True for the two parts of a split deposit. @throws SwordError message 11 for no item, for several, and for a
 * replacement of metadata.
 */
function requireOneOrSplit(described: readonly DescribedItem[]): boolean {
  const [first] = described;
  if (first === undefined) throw swordRefusals.itemCheck("the package describes no item");
  const isSplit = described.length > 1 && described.some(({ instructions }) => instructions.split === true);
  if (described.length > 1 && !isSplit) throw tooManyItems(described.length);
  if (first.instructions.metadataReplace === true) {
    throw swordRefusals.itemCheck("'svc:metadataReplace' flag cannot be used when registering an item.");
  }
  return isSplit;
}

/** The item belongs to the token's account and is shared with the one it was deposited for (R15). */
function proxied(proxy: Account | null) {
  return proxy === null ? {} : { onBehalfOf: proxy.id, sharedWith: [proxy.id] };
}

/** Metadata completion by DOI where the package requests it (R14); a note reports a failure. */
export async function complete(
  parts: DepositParts,
  item: DescribedItem,
  { client }: DepositSettings,
): Promise<DescribedItem> {
  if (item.instructions.metadataAutoFill !== true) return item;
  const { metadata, notes } = await parts.completion(item.metadata, client?.metaDataApi ?? []);
  return { ...item, metadata, notes: [...item.notes, ...notes] };
}

/** The files of each item. With saveAsIs the package is the only file; a split package is unpacked also then. */
export function filesOfParts(
  described: readonly DescribedItem[],
  pkg: UnpackedPackage,
  received: ReceivedPackage,
  isSplit: boolean,
): readonly (readonly StagedFile[])[] {
  if (!isSplit) {
    const asIs = described[0]?.instructions.saveAsIs === true;
    return [asIs ? [wholePackage(received)] : pkg.files];
  }
  const taken = new Set<StagedFile>();
  const held = new Set(pkg.files.flatMap(({ path, name }) => [path, name]));
  const claimed = described.map(({ files }) => {
    const paths = new Set(files.map(({ path }) => claimedPath(path, (each) => held.has(each))));
    const own = pkg.files.filter((file) => !taken.has(file) && (paths.has(file.path) || paths.has(file.name)));
    for (const file of own) taken.add(file);
    return own;
  });
  const rest = pkg.files.filter((file) => !taken.has(file));
  return claimed.map((own, at) => (at === claimed.length - 1 ? [...own, ...rest] : own));
}

/** With saveAsIs the package's statements about its files are ignored. */
export function claimedBy(item: DescribedItem, isSplit: boolean): DescribedItem {
  return item.instructions.saveAsIs === true && !isSplit ? { ...item, files: [] } : item;
}

function wholePackage({ name, discard, ...upload }: ReceivedPackage): StagedFile {
  return { upload, discard, path: name, name };
}

/**
 * Keeps a deposit that lacks required metadata as a stopped activity, where the client record allows it (R16). The
 * client receives message 11.
 */
async function keepIncomplete(
  parts: DepositParts,
  { depositor, proxy, received }: RegisterIn,
  workflow: Workflow,
  error: IncompleteItem,
  files: readonly StagedFile[],
): Promise<void> {
  const stored = await storeFiles(parts.storage, files);
  const content = stored.contentOf(error.content);
  try {
    await depositAs(parts, depositor, async (tx, { viewer }) => {
      await requireIndexes(tx, viewer, content.indexes);
      requireDepositScopes(viewer, [WORKFLOW_SCOPE]);
      const { item } = await parts.items.createDraft(tx, viewer, { ...proxied(proxy), content });
      const stopped = {
        kind: "registration",
        workflow,
        itemId: item.id,
        title: mainTitle(content.metadata),
        onBehalfOf: proxy?.id ?? null,
        packageName: received.name,
        packageSha256: received.sha256,
        isFiled: content.indexes.length > 0,
        saveDraft: (activityId: string) => parts.items.saveDraft(tx, viewer, item.id, { content, activityId }),
      } as const;
      await parts.activities.beginStopped(tx, viewer, stopped, error.message);
    });
  } catch (failure) {
    await stored.undoAfter(failure);
    throw failure;
  }
}
