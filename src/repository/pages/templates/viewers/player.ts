// A player with captions, and their words with times below it (Q.124 to Q.127).

import { shownText } from "../../../../formats/view/shown-text.ts";
import { sectionHeading } from "../../../../pages/components/page.ts";
import { attributes, type Html, html, NOTHING } from "../../../../pages/html.ts";
import type { PlayerContent, Track } from "../../../viewers/player.ts";
import type { SiteView } from "../layout.ts";
import type { FileViewPlace, ViewBody } from "./view-body.ts";

export function playerBody(
  { family, tracks }: PlayerContent,
  { bytes, name, here }: FileViewPlace,
  { texts }: SiteView,
): ViewBody {
  const words = texts.viewers.media;
  const folder = here.slice(0, here.lastIndexOf("/") + 1);
  const first = Math.max(
    0,
    tracks.findIndex(({ lang }) => languageOf(lang) === texts.tag),
  );
  const elements = tracks.map(
    (track, at) =>
      html`<track${attributes({
        kind: "captions",
        src: `${folder}${encodeURIComponent(track.name)}/content?captions=1`,
        srclang: track.lang ?? "und",
        label: trackName(track, texts),
        default: at === first,
      })}>`,
  );
  const own = attributes({ controls: true, preload: "metadata", src: bytes, "aria-label": name });
  const player =
    family === "film"
      ? html`<video class="player"${own}>${elements}</video>`
      : html`<audio class="player"${own}>${elements}</audio>`;
  const body = html`${player}
<p class="kind">${words.mayNotPlay}</p>
${tracks.length === 0 ? html`<p>${words.noCaptions}</p>\n` : html`${sectionHeading(words.transcript)}${tracks.map((track, at) => transcript(track, at === first, texts))}`}`;
  return { body, policy: { "media-src": "'self'" } };
}

const languageOf = (lang: string | null): string => (lang ?? "").split("-")[0]?.toLowerCase() ?? "";

/** The name of its language, in the language of the page. */
function trackName({ lang }: Track, { locale, viewers }: SiteView["texts"]): string {
  if (lang === null) return viewers.media.captions;
  try {
    return new Intl.DisplayNames(locale, { type: "language" }).of(lang) ?? lang;
  } catch {
    return lang;
  }
}

function transcript(track: Track, isOpen: boolean, texts: SiteView["texts"]): Html {
  const { cues, isCut, lang } = track;
  const lines = cues.map(
    ({ startMs, voice, text }) =>
      html`<div><dt>${clock(startMs)}</dt><dd>${voice === "" ? NOTHING : html`<b>${shownText(voice)}</b> `}${shownText(text.replaceAll("\n", " "))}</dd></div>\n`,
  );
  return html`<details class="transcript"${attributes({ open: isOpen })}><summary>${trackName(track, texts)}</summary>
<dl${attributes({ lang })}>
${lines}</dl>
${isCut ? html`<p class="kind">${texts.viewers.media.cutTranscript(cues.length)}</p>\n` : NOTHING}</details>
`;
}

/** `1:02:03`, without hours where there are none. */
function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const two = (value: number): string => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${hours === 0 ? minutes : `${hours}:${two(minutes)}`}:${two(seconds % 60)}`;
}
