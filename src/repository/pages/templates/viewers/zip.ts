// The entries of a ZIP archive, folder by folder, each with its download (Q.104 to Q.106).
import { fileList, pagination } from "../../../../pages/components/lists.ts";
import { type Html, html, NOTHING } from "../../../../pages/html.ts";
import { CRATE_PART, type ZipContent, type ZipListing } from "../../../viewers/zip.ts";
import { type SiteView, sizeText } from "../layout.ts";
import { crateBody } from "./crate.ts";
import type { FileViewPlace, ViewBody } from "./view-body.ts";

export function zipBody(content: ZipContent, place: FileViewPlace, site: SiteView): ViewBody {
  return content.kind === "crate"
    ? crateBody(content.crate, place, site)
    : { body: listingOf(content.listing, place, site) };
}

const partAddress = (here: string, part: string): string =>
  part === "" ? `${here}?as=zip` : `${here}?as=zip&part=${encodeURIComponent(part)}`;

function listingOf(listing: ZipListing, { here }: FileViewPlace, { texts }: SiteView): Html {
  const { zip: words } = texts.viewerParts;
  const { count, listed, isBroken, folder, folders, files, crate } = listing;
  const address = partAddress(here, folder.join("/"));
  const notes = [isBroken ? words.broken(listed) : listed < count ? words.first(listed, count) : words.entries(count)];
  const tree =
    crate === null
      ? NOTHING
      : html`<p class="links"><a href="${partAddress(here, CRATE_PART)}">${words.crate}</a></p>\n`;
  const above =
    folder.length === 0
      ? NOTHING
      : html`<p class="links"><a href="${partAddress(here, folder.slice(0, -1).join("/"))}">${words.up}</a> <bdi class="name">${folder.join("/")}</bdi></p>\n`;
  const below =
    folders.length === 0
      ? NOTHING
      : html`<ul class="tree">${folders.map(
          (each) =>
            html`<li><a href="${partAddress(here, each.path.join("/"))}"><bdi class="name">${each.name}</bdi></a> <span class="kind">(${texts.file.inFolder(each.count, sizeText(each.sizeBytes, texts))})</span></li>\n`,
        )}</ul>\n`;
  return html`<p class="kind">${notes.join(" ")}</p>
${tree}${above}${below}${files.length === 0 ? NOTHING : filesOf(files, here, texts)}
${pagination(listing, (page) => `${address}&page=${page}`, texts)}`;
}

function filesOf(files: ZipListing["files"], here: string, texts: SiteView["texts"]): Html {
  const { zip: words } = texts.viewerParts;
  const lines = files.map(({ name, file: { number, sizeBytes, modified, fault } }) => ({
    name,
    href: number === null ? null : `${here}/entry?n=${number}`,
    size: sizeText(sizeBytes, texts),
    state: html`${modified === null ? NOTHING : html`<time datetime="${modified}">${modified.replace("T", " ")}</time>`}${fault === null ? NOTHING : html`<span class="soft">${words.faults[fault]}</span>`}`,
  }));
  return fileList(lines, { name: texts.file.name, size: texts.file.size, state: words.changed });
}
