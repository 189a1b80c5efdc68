// An RO-Crate: the tree of its parts, and what they refer to (Q.108).

import type { CrateEntity, CrateNode, CrateValue } from "../../../../formats/view/crate-tree.ts";
import { shownText } from "../../../../formats/view/shown-text.ts";
import { factList, factRow } from "../../../../pages/components/lists.ts";
import { type Html, html, NOTHING } from "../../../../pages/html.ts";
import { isLinkable } from "../../../../shared/http/web-url.ts";
import type { CrateContent, CrateLink } from "../../../viewers/crate.ts";
import type { SiteView } from "../layout.ts";
import type { FileViewPlace, ViewBody } from "./view-body.ts";

/** Where an entity leads; null: nowhere. */
type AddressOf = (id: string) => string | null;

export function crateBody({ tree, links }: CrateContent, place: FileViewPlace, site: SiteView): ViewBody {
  const { crate: words } = site.texts.viewerParts;
  const address: AddressOf = (id) => {
    const link = linkOf(links, id);
    if (link === undefined) return isLinkable(id) ? id : null;
    return "path" in link ? `${site.rootPath}${link.path}` : `${place.here}/entry?n=${link.entry}`;
  };
  const others =
    tree.others.length === 0
      ? NOTHING
      : html`<p class="kind">${words.others}</p>
<ul>${tree.others.map((each) => html`<li>${entityOf(each, address, site, false)}</li>\n`)}</ul>`;
  const left = tree.left > 0 ? html`<p class="kind">${words.left(tree.left)}</p>\n` : NOTHING;
  const body = html`<p class="kind">${words.count(tree.count)}</p>
<div class="data"><ul><li>${nodeOf(tree.root, address, site, true)}</li></ul>
${others}</div>
${left}`;
  return { body };
}

/** Addresses in a crate are relative, and percent-encoded. */
function linkOf(links: ReadonlyMap<string, CrateLink>, id: string): CrateLink | undefined {
  const path = id.startsWith("./") ? id.slice(2) : id;
  const found = links.get(path);
  if (found !== undefined || !path.includes("%")) return found;
  try {
    return links.get(decodeURIComponent(path));
  } catch {
    return undefined;
  }
}

function nodeOf(node: CrateNode, address: AddressOf, site: SiteView, isOpen: boolean): Html {
  const parts =
    node.parts.length === 0
      ? NOTHING
      : html`<ul>${node.parts.map((part) => html`<li>${nodeOf(part, address, site, false)}</li>\n`)}</ul>`;
  return html`${entityOf(node, address, site, isOpen)}${parts}`;
}

function entityOf(
  { id, name, types, members }: CrateEntity,
  address: AddressOf,
  { texts }: SiteView,
  isOpen: boolean,
): Html {
  const { crate: words } = texts.viewerParts;
  const href = address(id);
  const shown = html`<bdi>${shownText(name)}</bdi>`;
  const facts = members.map((member) =>
    factRow(
      shownText(member.name),
      html`${member.values.map((value) => html`${valueText(value, address)} `)}${member.left > 0 ? words.values(member.left) : NOTHING}`,
    ),
  );
  const link =
    href === null ? [] : [factRow("@id", html`<a href="${href}" rel="nofollow noopener">${shownText(id)}</a>`)];
  const kind = html`<span class="kind">${shownText(types.join(", "))}</span>`;
  const rows = [...link, ...facts];
  return rows.length === 0
    ? html`<span class="key">${shown}</span> ${kind}`
    : html`<details${isOpen ? html` open` : NOTHING}><summary><span class="key">${shown}</span> ${kind}</summary>
${factList(rows)}</details>`;
}

function valueText({ text, id }: CrateValue, address: AddressOf): Html {
  const href = address(id ?? text);
  const shown = html`<bdi class="text">${shownText(text)}</bdi>`;
  return href === null ? shown : html`<a href="${href}" rel="nofollow noopener">${shown}</a>`;
}
