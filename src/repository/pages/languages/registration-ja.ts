// Japanese texts of the pages on which people register (R33).
import type { registrationEn } from "./registration-en.ts";

export const registrationJa: typeof registrationEn = {
  heading: "アカウントの作成",
  link: "アカウントを作成",
  intro: (domains: string) =>
    `次のドメインのメールアドレスをお持ちの方は、アカウントを作成できます：${domains}。リンクをメールでお送りします。`,
  invitationOnly: "アカウントは招待によって作成されます。このリポジトリの運営者にお問い合わせください。",
  mail: "メールアドレス",
  name: "名前",
  nameHint: "ほかの方に表示される名前です。あとで変更できます。",
  ask: "リンクを送る",
  sentHeading: "メールをご確認ください",
  sentText:
    "登録できるアドレスの場合、リンクを記載したメールをお送りしています。リンクは24時間以内に一度だけ使えます。届かないときは、迷惑メールのフォルダをご確認いただくか、明日もう一度お申し込みください。",
  confirmHeading: "アカウントを作成する",
  confirmText: (mail: string) => `アカウントのメールアドレスは ${mail} になります。`,
  confirm: "アカウントを作成してログイン",
  problems: {
    mail: "hanako@example.org のようなメールアドレスを、一種類の文字体系で入力してください",
    domain: (domains: string) => `次のいずれかのドメインのアドレスを入力してください：${domains}`,
    name: "200文字以内の名前を入力してください",
  },
  below: (domain: string) => `${domain}とその下位`,
};
