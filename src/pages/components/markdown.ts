// Markdown as markup (Q.85): written from its tree, so that nothing of the source is ever markup itself.
import type { Alignment, Block, Inline } from "../../formats/markdown/markdown.ts";
import { attributes, type Html, html, NOTHING } from "../html.ts";

export type MarkdownOptions = {
  /** Where a link leads; null: its text is not a link. */
  readonly link: (address: string) => string | null;
  /** Levels that headings are moved down, below those of the page. */
  readonly below: number;
  /** Text as it is shown. */
  readonly shown?: (text: string) => string;
};

/** Addresses of the web and of mail; no other runs or reads anything by being followed. */
export function webLink(address: string): string | null {
  const text = address.trim();
  return /^(?:https?:\/\/|mailto:)[^\s"<>\\]{1,2000}$/i.test(text) ? text : null;
}

export function markdown(blocks: readonly Block[], options: MarkdownOptions): Html {
  return html`<div class="markdown">${blocksHtml(blocks, options)}</div>\n`;
}

const blocksHtml = (blocks: readonly Block[], options: MarkdownOptions): readonly Html[] =>
  blocks.map((block) => blockHtml(block, options));

const shownText = (text: string, { shown }: MarkdownOptions): string => (shown === undefined ? text : shown(text));

function blockHtml(block: Block, options: MarkdownOptions): Html {
  switch (block.kind) {
    case "heading":
      return heading(block.level + options.below, inlinesHtml(block.content, options));
    case "paragraph":
      return html`<p>${inlinesHtml(block.content, options)}</p>\n`;
    case "code":
      return html`<pre tabindex="0"><code>${shownText(block.text, options)}</code></pre>\n`;
    case "quote":
      return html`<blockquote>${blocksHtml(block.blocks, options)}</blockquote>\n`;
    case "list":
      return listHtml(block, options);
    case "table":
      return tableHtml(block, options);
    case "rule":
      return html`<hr>\n`;
  }
}

function heading(level: number, content: Html): Html {
  switch (Math.min(6, level)) {
    case 2:
      return html`<h2>${content}</h2>\n`;
    case 3:
      return html`<h3>${content}</h3>\n`;
    case 4:
      return html`<h4>${content}</h4>\n`;
    case 5:
      return html`<h5>${content}</h5>\n`;
    case 6:
      return html`<h6>${content}</h6>\n`;
    default:
      return html`<h1>${content}</h1>\n`;
  }
}

function listHtml(list: Extract<Block, { kind: "list" }>, options: MarkdownOptions): Html {
  const items = list.items.map(({ checked, blocks }) => {
    const task =
      checked === null
        ? NOTHING
        : checked
          ? html`<span aria-hidden="true">☑</span><span class="off">✓</span> `
          : html`☐ `;
    const [first] = blocks;
    const isLine = list.isTight && first?.kind === "paragraph";
    const line = isLine ? inlinesHtml(first.content, options) : NOTHING;
    return html`<li>${task}${line}${blocksHtml(isLine ? blocks.slice(1) : blocks, options)}</li>\n`;
  });
  const start = list.start === 1 ? null : list.start;
  return list.start === null ? html`<ul>\n${items}</ul>\n` : html`<ol${attributes({ start })}>\n${items}</ol>\n`;
}

function tableHtml({ alignments, head, rows }: Extract<Block, { kind: "table" }>, options: MarkdownOptions): Html {
  const kind = (alignment: Alignment | undefined) => attributes({ class: alignment === "right" ? "number" : null });
  const cells = (row: readonly (readonly Inline[])[]) =>
    row.map((cell, at) => html`<td${kind(alignments[at])}>${inlinesHtml(cell, options)}</td>`);
  const names = head.map((cell, at) =>
    cell.length === 0
      ? html`<td></td>`
      : html`<th scope="col"${kind(alignments[at])}>${inlinesHtml(cell, options)}</th>`,
  );
  return html`<div class="scroll" tabindex="0"><table><thead><tr>${names}</tr></thead>
<tbody>
${rows.map((row) => html`<tr>${cells(row)}</tr>\n`)}</tbody></table></div>\n`;
}

const inlinesHtml = (content: readonly Inline[], options: MarkdownOptions): Html =>
  html`${content.map((each) => inlineHtml(each, options))}`;

function inlineHtml(inline: Inline, options: MarkdownOptions): Html {
  if (typeof inline === "string") return html`${shownText(inline, options)}`;
  switch (inline.kind) {
    case "code":
      return html`<code>${shownText(inline.text, options)}</code>`;
    case "em":
      return html`<em>${inlinesHtml(inline.content, options)}</em>`;
    case "strong":
      return html`<strong>${inlinesHtml(inline.content, options)}</strong>`;
    case "strike":
      return html`<s>${inlinesHtml(inline.content, options)}</s>`;
    case "link":
      return linkHtml(inline.address, inlinesHtml(inline.content, options), options);
    case "picture":
      // Pictures from elsewhere are not loaded: what they show is a link to them.
      return linkHtml(
        inline.address,
        html`[${shownText(inline.text === "" ? inline.address : inline.text, options)}]`,
        options,
      );
    case "break":
      return html`<br>\n`;
  }
}

function linkHtml(address: string, content: Html, { link }: MarkdownOptions): Html {
  const href = link(address);
  return href === null ? content : html`<a href="${href}" rel="nofollow noopener ugc">${content}</a>`;
}
