// Trees of data that fold (Q.87): the first levels are open.
import type { DataNode } from "../../../../formats/view/data-tree.ts";
import { shownText } from "../../../../formats/view/shown-text.ts";
import { attributes, type Html, html, NOTHING } from "../../../../pages/html.ts";
import type { DataContent } from "../../../viewers/data.ts";
import type { SiteView } from "../layout.ts";
import type { FileViewPlace, ViewBody } from "./view-body.ts";

type Texts = SiteView["texts"];

/** Levels that are open at first; a level with more entries than this is closed below the top. */
const OPEN_LEVELS = 3;
const OPEN_ENTRIES = 30;

export const dataBody = ({ nodes }: DataContent, _: FileViewPlace, { texts }: SiteView): ViewBody => ({
  body: html`<div class="data" translate="no">${list(nodes, 0, texts, 1)}</div>\n`,
});

function list(nodes: readonly DataNode[], left: number, texts: Texts, level: number): Html {
  const more = left === 0 ? NOTHING : html`<li class="kind">${texts.viewers.data.more(left)}</li>\n`;
  return html`<ul>\n${nodes.map((node) => nodeOf(node, texts, level))}${more}</ul>\n`;
}

function nodeOf(node: DataNode, texts: Texts, level: number): Html {
  const { children, left } = node;
  const line = lineOf(node, texts);
  if (children.length === 0 && left === 0) return html`<li>${line}</li>\n`;
  // An element with one text is one line.
  const [only] = children;
  if (node.kind === "element" && children.length === 1 && left === 0 && only?.kind === "text") {
    return html`<li>${line} ${scalar(only)}</li>\n`;
  }
  const isOpen = level === 1 || (level < OPEN_LEVELS && children.length <= OPEN_ENTRIES);
  return html`<li><details${attributes({ open: isOpen })}><summary>${line}</summary>
${list(children, left, texts, level + 1)}</details></li>\n`;
}

function lineOf(node: DataNode, texts: Texts): Html {
  const { kind, label, value, children, left } = node;
  const { data } = texts.viewers;
  if (kind === "element") {
    return html`<bdi><span class="key">${shownText(label)}</span>${value === "" ? NOTHING : html` <span class="kind">${shownText(value)}</span>`}</bdi>`;
  }
  const key = label === "" || kind === "comment" ? NOTHING : html`<bdi class="key">${shownText(label)}</bdi>: `;
  const count = children.length + left;
  if (kind === "object") return html`${key}<span class="kind">{ } ${data.members(count)}</span>`;
  if (kind === "list") return html`${key}<span class="kind">[ ] ${data.entries(count)}</span>`;
  return html`${key}${scalar(node)}`;
}

function scalar({ kind, label, value }: DataNode): Html {
  if (kind === "comment") return html`<bdi class="kind">${label === "" ? "" : `${label} `}${shownText(value)}</bdi>`;
  return html`<bdi class="${kind}">${shownText(value)}</bdi>`;
}
