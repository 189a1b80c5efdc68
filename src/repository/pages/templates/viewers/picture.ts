// A picture, in the width of the page or in its own size; buttons for more are added by script (Q.120 to Q.123).
import { attributes, html, NOTHING } from "../../../../pages/html.ts";
import type { PictureContent } from "../../../viewers/picture.ts";
import type { SiteView } from "../layout.ts";
import type { FileViewPlace, ViewBody } from "./view-body.ts";

export function pictureBody(
  { size, description, isFull, mediaType }: PictureContent,
  { here, bytes, name, manifest }: FileViewPlace,
  { texts }: SiteView,
): ViewBody {
  const words = texts.viewers.media;
  const current = (is: boolean) => attributes({ "aria-current": is ? "true" : null });
  const link =
    manifest === null || mediaType === "image/svg+xml"
      ? NOTHING
      : html`<p class="links"><a href="${manifest}">${words.manifest}</a></p>\n`;
  const body = html`<figure class="picture"${attributes({
    "data-zoom": words.zoom,
    "data-in": words.zoomIn,
    "data-out": words.zoomOut,
    "data-fit": words.fit,
    "data-full": words.full,
  })}>
<p class="links"><a href="${here}"${current(!isFull)}>${words.fit}</a> <a href="${here}?part=full"${current(isFull)}>${words.full}</a></p>
<div class="scroll frame" tabindex="0" role="region" aria-label="${words.picture}"><img${attributes({
    class: isFull ? "full" : "fit",
    src: bytes,
    alt: description ?? name,
    width: size?.width,
    height: size?.height,
  })}></div>
${description === null ? NOTHING : html`<figcaption>${description}</figcaption>\n`}</figure>
<p class="kind">${size === null ? words.drawing : words.pixels(size.width, size.height)}</p>
${link}`;
  return { body, scripts: ["picture-zoom"] };
}
