// The mail with a link to register (R33), plain and HTML. It holds nothing that the person who asked has written: it is
// sent to addresses that nobody has confirmed.
import { html } from "../../pages/html.ts";
import type { MailText } from "./mail-writing.ts";

/** `known`: the address has an account. */
export type RegistrationMailKind = "registration" | "invitation" | "known";

type Words = {
  readonly tag: string;
  readonly texts: Readonly<Record<RegistrationMailKind, { readonly subject: string; readonly text: string }>>;
  readonly ignore: string;
};

const en: Words = {
  tag: "en",
  texts: {
    registration: {
      subject: "Confirm your address",
      text: "Open this address to make your account. It works once, within 24 hours:",
    },
    invitation: {
      subject: "You are invited to make an account",
      text: "An administrator invites you. Open this address to make your account. It works once, within 14 days:",
    },
    known: {
      subject: "You have an account already",
      text: "Somebody asked for a new account with this address. You have one already; sign in here:",
    },
  },
  ignore: "If you did not ask for this, ignore this message: nothing happens.",
};

const ja: Words = {
  tag: "ja",
  texts: {
    registration: {
      subject: "メールアドレスの確認",
      text: "次のアドレスを開いてアカウントを作成してください。24時間以内に一度だけ使えます：",
    },
    invitation: {
      subject: "アカウント作成のご案内",
      text: "管理者からの招待です。次のアドレスを開いてアカウントを作成してください。14日以内に一度だけ使えます：",
    },
    known: {
      subject: "アカウントはすでにあります",
      text: "このアドレスで新しいアカウントが申し込まれましたが、すでにアカウントがあります。次のアドレスからログインしてください：",
    },
  },
  ignore: "お心当たりがない場合は、このメッセージを無視してください。何も起こりません。",
};

export function registrationMail(
  kind: RegistrationMailKind,
  url: string,
  language: string,
  repositoryName: string,
): MailText {
  const { tag, texts, ignore } = language === "ja" ? ja : en;
  const { subject, text } = texts[kind];
  return {
    subject: `[${repositoryName}] ${subject}`,
    text: `${text}\n${url}\n\n${ignore}\n\n-- \n${repositoryName}\n`,
    html: html`<!DOCTYPE html>
<html lang="${tag}"><head><meta charset="utf-8"><title>${subject}</title></head><body>
<p>${text}<br><a href="${url}">${url}</a></p><p>${ignore}</p><hr><p>${repositoryName}</p>
</body></html>`.markup,
  };
}
