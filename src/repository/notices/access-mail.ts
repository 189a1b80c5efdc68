// Mails to guests who ask for closed files (Q.60), plain and HTML. The first is sent to an address that nobody has
// confirmed, so it holds nothing that anybody has written.
import { withUnseenShown } from "../../model/files/file-names.ts";
import { html, NOTHING } from "../../pages/html.ts";
import type { MailText } from "./mail-writing.ts";

export const ACCESS_STEPS = ["confirm", "accepted", "declined", "ended"] as const;
export type AccessStep = (typeof ACCESS_STEPS)[number];

type AccessMail = { readonly url: string; readonly title: string; readonly answer: string; readonly until: string };
type StepWords = { readonly subject: string; readonly text: (mail: AccessMail) => string };
type Words = {
  readonly tag: string;
  readonly steps: Readonly<Record<AccessStep, StepWords>>;
  readonly answer: string;
  readonly ignore: string;
};

const en: Words = {
  tag: "en",
  steps: {
    confirm: {
      subject: "Confirm your address",
      text: () =>
        "Somebody asked for closed files here with this address. Open this address and confirm within 24 hours: only then is the request passed on. The same address shows later what became of it:",
    },
    accepted: {
      subject: "Your request for files was accepted",
      text: ({ title, until }) =>
        `You may read the closed files of “${title}” until ${until}. This link is personal, keep it to yourself:`,
    },
    declined: {
      subject: "Your request for files was declined",
      text: ({ title }) => `Your request for the closed files of “${title}” was declined. The item:`,
    },
    ended: {
      subject: "Your request for files has ended",
      text: ({ title }) =>
        `Your request for the closed files of “${title}” has ended without a decision: the files are open by now, or the item cannot be read any more. The item:`,
    },
  },
  answer: "The answer:",
  ignore: "If you did not ask for this, ignore this message: nothing happens.",
};

const ja: Words = {
  tag: "ja",
  steps: {
    confirm: {
      subject: "メールアドレスの確認",
      text: () =>
        "このアドレスで非公開ファイルの利用が申請されました。24時間以内に次のアドレスを開いて確認してください。確認されるまで申請は届きません。同じアドレスで結果も確認できます：",
    },
    accepted: {
      subject: "ファイルの利用申請が承認されました",
      text: ({ title, until }) =>
        `「${title}」の非公開ファイルを${until}まで閲覧できます。次のリンクはあなた専用です。他の人に渡さないでください：`,
    },
    declined: {
      subject: "ファイルの利用申請が却下されました",
      text: ({ title }) => `「${title}」の非公開ファイルへの利用申請は却下されました。アイテム：`,
    },
    ended: {
      subject: "ファイルの利用申請が終了しました",
      text: ({ title }) =>
        `「${title}」の非公開ファイルへの利用申請は、判断されずに終了しました。ファイルが公開されたか、アイテムを閲覧できなくなりました。アイテム：`,
    },
  },
  answer: "回答：",
  ignore: "お心当たりがない場合は、このメッセージを無視してください。何も起こりません。",
};

export function accessMail(step: AccessStep, mail: AccessMail, language: string, repositoryName: string): MailText {
  const { tag, steps, answer, ignore } = language === "ja" ? ja : en;
  const { subject, text: textOf } = steps[step];
  const text = withUnseenShown(textOf(mail));
  const word = mail.answer === "" || step === "confirm" ? "" : mail.answer;
  return {
    subject: `[${repositoryName}] ${subject}`,
    text: `${text}\n${mail.url}\n\n${word === "" ? "" : `${answer}\n${word}\n\n`}${ignore}\n\n-- \n${repositoryName}\n`,
    html: html`<!DOCTYPE html>
<html lang="${tag}"><head><meta charset="utf-8"><title>${subject}</title></head><body>
<p>${text}<br><a href="${mail.url}">${mail.url}</a></p>${word === "" ? NOTHING : html`<p>${answer}<br>${word}</p>`}<p>${ignore}</p><hr><p>${repositoryName}</p>
</body></html>`.markup,
  };
}
