// What marks the preview of a draft, and leads to how others will see it (R40).
import { buttonRow, linkButton } from "../../../pages/components/buttons.ts";
import { tabs } from "../../../pages/components/lists.ts";
import { banner } from "../../../pages/components/notes.ts";
import { type Html, html } from "../../../pages/html.ts";
import type { Audience, RecordPreview } from "../preview.ts";
import type { SiteView } from "./layout.ts";

export function previewBanner({ id, audiences, audience }: RecordPreview, site: SiteView): Html {
  const { texts, rootPath } = site;
  const words = texts.place;
  const own = `${rootPath}/deposit/${id}`;
  const links = audiences.map((each) => ({
    label: audienceName(each, site),
    href: `${own}/preview?as=${encodeURIComponent(each.value)}`,
    isHere: each.value === audience.value,
  }));
  const text = html`<p><strong>${words.previewMark}</strong> ${words.previewText(audienceName(audience, site))}</p>`;
  return html`${banner("warn", text)}${tabs(words.previewAs, links)}${buttonRow([linkButton(texts.deposit.back, own, "quiet"), linkButton(texts.deposit.publish, `${own}/publish`)])}`;
}

function audienceName({ kind, name }: Audience, { texts }: SiteView): string {
  const words = texts.place;
  const own = name === null ? "" : texts.tag === "ja" ? name.ja || name.en : name.en || name.ja;
  switch (kind) {
    case "guest":
      return words.asGuest;
    case "signed-in":
      return words.asSignedIn;
    case "owner":
      return words.asOwner;
    case "group":
      return words.asGroup(own);
    case "members":
      return words.asMembers(own);
    case "curators":
      return words.asCurators(own);
  }
}
