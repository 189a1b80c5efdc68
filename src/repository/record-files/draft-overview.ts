// The files of a draft as its depositor works on them (R43): in the order in which they are shown, with those that
// are under way and those that can be put back; moving one within that order.
import { isAdministrator, type Viewer } from "../../auth/account.ts";
import type { Group } from "../../auth/accounts.ts";
import { inFileOrder } from "../../model/files/file-order.ts";
import type { ItemFile } from "../../model/items/item.ts";
import { may } from "../../model/rights/policy.ts";
import type { ItemId } from "../../shared/ids.ts";
import { most } from "../../shared/limits.ts";
import { addMilliseconds } from "../../shared/time/instant.ts";
import { writeAs } from "../people/current-viewer.ts";
import type { RemovedFile } from "../store/draft-files.ts";
import { type FileEntry, keyOf } from "./entries.ts";
import type { FileListing } from "./listing.ts";
import type { RecordFilesNeeds } from "./needs.ts";
import { draftSeenBy, fileOf, keepFiles, lockDraft, optionsOf } from "./open-draft.ts";
import { REMOVED_KEPT_MS } from "./removed-files.ts";
import { noSuchFile } from "./sentences.ts";

export type DraftFilesOverview = {
  readonly files: readonly ItemFile[];
  /** Name of the file that is shown first. */
  readonly preview: string | null;
  readonly pending: readonly FileEntry[];
  readonly removed: readonly RemovedFile[];
  /** The record is published: its files stay as they are. */
  readonly isPublished: boolean;
  /** Those that a file may be limited to: the viewer's own, and those that are set. */
  readonly groups: readonly Group[];
};

/** `first`: the file is shown first; `unset`: no file is. */
export const FILE_MOVES = ["up", "down", "first", "unset"] as const;
type FileMove = (typeof FILE_MOVES)[number];

export interface DraftOverview {
  overview(viewer: Viewer, id: ItemId): Promise<DraftFilesOverview>;
  /** The same, where it goes no further that way. */
  move(viewer: Viewer, id: ItemId, key: string, to: FileMove): Promise<void>;
}

export const draftOverview = (needs: RecordFilesNeeds, lists: Pick<FileListing, "draftList">): DraftOverview => ({
  async overview(viewer, id) {
    const published = await publishedFiles(needs, viewer, id);
    if (published !== null) return published;
    const { draft, item } = await draftSeenBy(needs.store, viewer, id);
    const { content } = draft;
    const since = addMilliseconds(needs.clock.now(), -REMOVED_KEPT_MS);
    const { entries } = await lists.draftList(viewer, id);
    const set = new Set([...viewer.groups, ...content.files.flatMap(({ groups }) => groups)]);
    const groups = await needs.store.accounts.groups();
    const preview = content.defaultPreview ?? "";
    return {
      files: inFileOrder(content.files, content),
      preview: preview === "" ? null : preview,
      pending: entries.filter(({ status }) => status !== "completed"),
      removed: await needs.store.draftFiles.removedFiles(id, since, most("removedFiles")),
      isPublished: item.state !== "draft",
      groups: isAdministrator(viewer) ? groups : groups.filter((group) => set.has(group.id)),
    };
  },

  move: (viewer, id, key, to) =>
    writeAs(needs, viewer, async (tx, now) => {
      const open = await lockDraft(tx, now, id);
      const { content } = open.draft;
      const file = fileOf(open.draft, key);
      if (file === undefined) throw noSuchFile(id, key);
      const { defaultPreview, ...before } = optionsOf(content);
      const options =
        to === "first" || to === "unset"
          ? { ...before, defaultPreview: to === "first" ? file.name : "" }
          : {
              ...(defaultPreview === undefined ? before : { ...before, defaultPreview }),
              fileOrder: moved(inFileOrder(content.files, content), file, to === "up" ? -1 : 1),
            };
      await keepFiles(tx, open, needs.clock.now(), { options });
    }),
});

/** The files of a published record that nobody edits now; null for any other. */
async function publishedFiles(
  { store }: RecordFilesNeeds,
  viewer: Viewer,
  id: ItemId,
): Promise<DraftFilesOverview | null> {
  const found = await store.items.withParent(id);
  const content = found?.item.state === "published" ? found.item.content : null;
  if (found === null || content === null || !may(viewer, "item.edit", found.parent)) return null;
  if ((await store.items.draft(id)) !== null) return null;
  const { defaultPreview: preview = null } = content;
  const files = inFileOrder(content.files, content);
  return { files, preview, pending: [], removed: [], isPublished: true, groups: [] };
}

/** The names in the order in which they are shown, with one of them moved. */
function moved(files: readonly ItemFile[], file: ItemFile, by: -1 | 1): readonly string[] {
  const names = files.map(({ name }) => name);
  const at = names.indexOf(file.name);
  const other = names[at + by];
  if (other === undefined) return names;
  return names.with(at, other).with(at + by, file.name);
}

/** The access of a file as one of five choices. */
export const RULE_CHOICES = ["open", "date", "login", "groups", "closed"] as const;
export type RuleChoice = (typeof RULE_CHOICES)[number];

export const ruleChoiceOf = ({ access, groups }: Pick<ItemFile, "access" | "groups">): RuleChoice =>
  access === "login" && groups.length > 0 ? "groups" : access;

/** What the interface of records takes for a choice. */
export const ruleOf = (choice: string, until: string, groups: readonly string[]): object => {
  if (choice === "date") return { status: "date", until };
  if (choice === "groups") return { status: "login", groups: groups.map(Number) };
  return { status: choice };
};

/** A file with its key, for a form about it. @throws Refusal 404 */
export function fileIn({ files }: DraftFilesOverview, id: ItemId, key: string): ItemFile {
  const file = files.find(({ name }) => keyOf(name) === key);
  if (file === undefined) throw noSuchFile(id, key);
  return file;
}
