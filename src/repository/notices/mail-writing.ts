// One mail from notices (R45): plain text and HTML with the same words. Pure.
import { withUnseenShown } from "../../model/files/file-names.ts";
import type { NoticeKind } from "../../model/notices/notice-rules.ts";
import { html } from "../../pages/html.ts";
import type { NoticeFacts, NoticeTexts } from "./notice-texts.ts";

/** One mail without its sender and its receiver. */
export type MailText = { readonly subject: string; readonly text: string; readonly html: string };

export type NoticeLine = { readonly kind: NoticeKind; readonly facts: NoticeFacts };

export type MailSettings = {
  readonly repositoryName: string;
  /** Without slash at the end. */
  readonly baseUrl: string;
  /** Where its receiver chooses. */
  readonly choosePath: string;
  /** Where one press ends messages of a kind, without signing in. */
  readonly stopPath: (kind: NoticeKind) => string;
};

/** The words of an answer to a request for closed files; undefined for everything else. */
function accessWords(kind: NoticeKind, { isAccess, hasEnded }: NoticeFacts, { access }: NoticeTexts) {
  if (isAccess !== true) return undefined;
  if (hasEnded === true) return access.ended;
  return kind === "accepted" || kind === "declined" ? access[kind] : undefined;
}

const sentenceOf = (kind: NoticeKind, facts: NoticeFacts, texts: NoticeTexts): string =>
  accessWords(kind, facts, texts)?.sentence(facts) ??
  (facts.isOffer === true ? texts.offers[kind]?.sentence(facts.title) : undefined) ??
  texts.kinds[kind].sentence(facts);

/** A mail about one event, or the digest of several. */
export function mailOf(
  lines: readonly [NoticeLine, ...NoticeLine[]],
  isDigest: boolean,
  texts: NoticeTexts,
  settings: MailSettings,
): MailText {
  const { repositoryName, baseUrl } = settings;
  const [{ kind: first, facts: about }] = lines;
  const joining = about.isJoining === true ? texts.joining[first] : undefined;
  const offered = about.isOffer === true ? texts.offers[first]?.subject : undefined;
  const subject = isDigest
    ? texts.digest.subject(lines.length)
    : (joining ?? offered ?? accessWords(first, about, texts)?.subject ?? texts.kinds[first].subject);
  const shown = lines.map(({ kind, facts }) => ({
    sentence: withUnseenShown(sentenceOf(kind, { ...facts, title: facts.title || texts.untitled }, texts)),
    url: baseUrl + facts.path,
  }));
  const kinds = [...new Set(lines.map(({ kind }) => kind))];
  const ends = [
    { label: texts.choose, url: baseUrl + settings.choosePath },
    ...kinds.map((kind) => ({
      label: texts.stop(texts.kinds[kind].name),
      url: baseUrl + settings.stopPath(kind),
    })),
  ];
  const heading = isDigest ? `${texts.digest.heading}\n\n` : "";
  return {
    subject: `[${repositoryName}] ${subject}`,
    text: `${heading}${shown.map(({ sentence, url }) => `${sentence}\n${url}\n`).join("\n")}
-- \n${repositoryName}\n${texts.why}\n${ends.map(({ label, url }) => `${label}\n${url}\n`).join("")}`,
    html: html`<!DOCTYPE html>
<html lang="${texts.tag}"><head><meta charset="utf-8"><title>${subject}</title></head><body>
${isDigest ? html`<p>${texts.digest.heading}</p>` : null}
${shown.map(({ sentence, url }) => html`<p>${sentence}<br><a href="${url}">${texts.open}</a></p>\n`)}
<hr><p>${repositoryName}<br>${texts.why}</p>
${ends.map(({ label, url }) => html`<p>${label}<br><a href="${url}">${url}</a></p>\n`)}
</body></html>`.markup,
  };
}
