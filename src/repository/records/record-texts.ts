// Records as guests read them (R37): the written text is kept while the content is unchanged, at most a minute. The
// database decides each time who may read; hiding a record takes effect at once.
import { GUEST, type Viewer } from "../../auth/account.ts";
import { inTurns } from "../../shared/bytes/in-parts.ts";
import { keptTexts } from "../../shared/text/kept-texts.ts";
import type { ReadableOutline } from "../items/reading.ts";
import { recordJsonInParts } from "./record-json.ts";
import type { RecordsNeeds } from "./record-needs.ts";
import type { RecordReading } from "./record-reading.ts";
import type { RecordView } from "./record-view.ts";

/** A record as it is answered. */
export type RecordText = Pick<RecordView, "item" | "draft" | "isLatest" | "byParent"> & { readonly text: string };

const MINUTE_MS = 60_000;

export const recordTexts = (
  { items, clock, keptBytes, written }: RecordsNeeds,
  { read, readOutlined, inWords }: RecordReading,
) => {
  const kept = keptTexts(keptBytes);

  return async function readText(viewer: Viewer, id: number): Promise<RecordText> {
    if (viewer.account !== null) return await textOf(await read(viewer, id));
    const outline = await inWords(viewer, () => items.readableOutline(GUEST, id));
    const { item, byParent } = outline;
    // The version that is latest for a guest may differ from the latest for everybody: that needs the other versions.
    if (!item.isLatest) return await textOf(await readOutlined(viewer, outline));
    const key = keyOf(outline, Math.floor(Date.parse(clock.now()) / MINUTE_MS));
    const known = kept.get(key);
    if (known !== undefined) return { item, draft: null, isLatest: true, byParent, text: known };
    const made = await textOf(await readOutlined(viewer, outline));
    // Between the two looks it may have changed.
    if (made.item.revision === item.revision && made.isLatest) kept.set(key, made.text);
    return made;
  };

  async function textOf(view: RecordView): Promise<RecordText> {
    const { item, draft, isLatest, byParent } = view;
    const text = JSON.stringify(await inTurns(recordJsonInParts(view, written)));
    return { item, draft, isLatest, byParent, text };
  }
};

/** Everything the text depends on in addition to the content of the revision. */
function keyOf({ item, parent }: ReadableOutline, minute: number): string {
  const { id, revision, updatedAt, ark } = item;
  return [id, revision, updatedAt, ark, parent.owner, parent.communities.join(), parent.defaultCommunity, minute].join(
    " ",
  );
}
