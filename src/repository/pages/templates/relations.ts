// The items here that an item is related to, by what they are to it (R19a).
import { sectionHeading } from "../../../pages/components/page.ts";
import { type Html, html, NOTHING } from "../../../pages/html.ts";
import type { RelatedGroup } from "../relations.ts";
import { type ItemLine, itemList } from "./item-list.ts";
import type { SiteView } from "./layout.ts";

export type RelatedGroupView = {
  readonly role: RelatedGroup["role"];
  readonly items: readonly ItemLine[];
  readonly total: number;
};

export function relationsSection(groups: readonly RelatedGroupView[], { texts, rootPath }: SiteView): Html {
  if (groups.length === 0) return NOTHING;
  const { item } = texts;
  const lists = groups.map(({ role, items, total }) => {
    const others = total - items.length;
    return html`<h3 id="related-${role}">${item.roles[role]} <span class="kind">(${item.count(total)})</span></h3>
${itemList(items, texts, rootPath)}${others > 0 ? html`<p class="hint">${item.moreRelated(others)}</p>` : NOTHING}`;
  });
  return html`${sectionHeading(item.relations, { id: "relations" })}${lists}`;
}
