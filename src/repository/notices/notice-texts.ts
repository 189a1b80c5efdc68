// The texts of notices (R45), English and Japanese. Subjects hold nothing that people wrote: no title and no name goes
// into a header.
import type { NoticeKind } from "../../model/notices/notice-rules.ts";

/** What a notice is about, as its receiver may read it now. */
export type NoticeFacts = {
  readonly title: string;
  /** The community it concerns; "" where there is none. */
  readonly community: string;
  /** A day that the sentence names; "" where it names none. */
  readonly more: string;
  /** It is about a person who asked to join the community. */
  readonly isJoining?: boolean;
  /** It is about a record that is offered to another account. */
  readonly isOffer?: boolean;
  /** It is about a request for closed files. */
  readonly isAccess?: boolean;
  /** Nobody had to decide about that request any more. */
  readonly hasEnded?: boolean;
  /** Below the base URL. */
  readonly path: string;
};

export type NoticeTexts = {
  readonly tag: string;
  readonly kinds: Readonly<
    Record<
      NoticeKind,
      { readonly name: string; readonly subject: string; readonly sentence: (facts: NoticeFacts) => string }
    >
  >;
  /** Subjects of answers to people who asked to join a community. */
  readonly joining: Readonly<Partial<Record<NoticeKind, string>>>;
  /** Of offers of records. */
  readonly offers: Readonly<
    Partial<Record<NoticeKind, { readonly subject: string; readonly sentence: (title: string) => string }>>
  >;
  /** About requests for closed files. */
  readonly access: Readonly<
    Record<
      "accepted" | "declined" | "ended",
      { readonly subject: string; readonly sentence: (facts: NoticeFacts) => string }
    >
  >;
  readonly digest: { readonly subject: (count: number) => string; readonly heading: string };
  readonly open: string;
  readonly why: string;
  readonly choose: string;
  readonly stop: (kind: string) => string;
  readonly untitled: string;
};

const to = ({ community }: NoticeFacts, before: string, after = ""): string =>
  community === "" ? "" : `${before}${community}${after}`;

const en: NoticeTexts = {
  tag: "en",
  kinds: {
    submitted: {
      name: "Something waits for my decision",
      subject: "Something waits for your decision",
      sentence: (facts) =>
        `“${facts.title}” was submitted${to(facts, " to the community ")} and waits for your decision.`,
    },
    returned: {
      name: "My submission was returned",
      subject: "Your submission was returned",
      sentence: ({ title }) => `“${title}” was returned to you with a comment. Change it and submit it again.`,
    },
    accepted: {
      name: "My submission was accepted",
      subject: "Your submission was accepted",
      sentence: (facts) =>
        facts.isJoining === true
          ? `You are a member of the community ${facts.community} now.`
          : `“${facts.title}” was accepted${to(facts, " by the community ")}.`,
    },
    declined: {
      name: "My submission was declined",
      subject: "Your submission was declined",
      sentence: (facts) =>
        facts.isJoining === true
          ? `Your request to join the community ${facts.community} was declined.`
          : `“${facts.title}” was declined${to(facts, " by the community ")}.`,
    },
    invited: {
      name: "I am invited to a community",
      subject: "You are invited to a community",
      sentence: (facts) => `You are invited to join${to(facts, " the community ")}.`,
    },
    "asked-to-join": {
      name: "Somebody asks to join a community of mine",
      subject: "Somebody asks to join your community",
      sentence: (facts) => `Somebody asks to join${to(facts, " the community ")} and waits for your decision.`,
    },
    "access-requested": {
      name: "Somebody asks for closed files of mine",
      subject: "Somebody asks for closed files",
      sentence: ({ title }) => `Somebody asks for the closed files of “${title}” and waits for your decision.`,
    },
    shared: {
      name: "Something is shared with me",
      subject: "A record was shared with you",
      sentence: ({ title }) => `“${title}” was shared with you.`,
    },
    "embargo-ends": {
      name: "An embargo of mine ends in 7 days",
      subject: "An embargo ends soon",
      sentence: ({ title, more }) => `The embargo of “${title}” ends on ${more}: its files become public on that day.`,
    },
    withdrawn: {
      name: "A record of mine was withdrawn",
      subject: "A record was withdrawn",
      sentence: ({ title }) => `“${title}” was withdrawn. Its address shows why.`,
    },
    "job-finished": {
      name: "A change of many items has ended",
      subject: "Your change of many items has ended",
      sentence: () => "The change of many items that you started has ended.",
    },
  },
  joining: { accepted: "Your request to join was accepted", declined: "Your request to join was declined" },
  offers: {
    shared: {
      subject: "A record is offered to you",
      sentence: (title) => `“${title}” is offered to you: accept it, and you own it with all its versions.`,
    },
    accepted: {
      subject: "Your offer of a record was accepted",
      sentence: (title) => `Your offer of “${title}” was accepted: it has another owner now.`,
    },
    declined: {
      subject: "Your offer of a record was declined",
      sentence: (title) => `Your offer of “${title}” was declined: it stays yours.`,
    },
  },
  access: {
    accepted: {
      subject: "Your request for files was accepted",
      sentence: ({ title, more }) => `You may read the closed files of “${title}” until ${more}.`,
    },
    declined: {
      subject: "Your request for files was declined",
      sentence: ({ title }) => `Your request for the closed files of “${title}” was declined.`,
    },
    ended: {
      subject: "Your request for files has ended",
      sentence: ({ title }) =>
        `Your request for the closed files of “${title}” has ended without a decision. Its page states why.`,
    },
  },
  digest: { subject: (count) => `${count} notices`, heading: "What happened since the last digest:" },
  open: "Open",
  why: "You receive this message because you have an account here.",
  choose: "Choose which messages you receive:",
  stop: (kind) => `No more messages of the kind “${kind}”:`,
  untitled: "Untitled",
};

const ja: NoticeTexts = {
  tag: "ja",
  kinds: {
    submitted: {
      name: "自分の判断を待つものがある",
      subject: "判断を待っているものがあります",
      sentence: (facts) =>
        `「${facts.title}」が${to(facts, "コミュニティ「", "」に")}提出され、あなたの判断を待っています。`,
    },
    returned: {
      name: "自分の提出が差し戻された",
      subject: "提出が差し戻されました",
      sentence: ({ title }) => `「${title}」がコメント付きで差し戻されました。修正して再提出してください。`,
    },
    accepted: {
      name: "自分の提出が承認された",
      subject: "提出が承認されました",
      sentence: (facts) =>
        facts.isJoining === true
          ? `コミュニティ「${facts.community}」のメンバーになりました。`
          : `「${facts.title}」が${to(facts, "コミュニティ「", "」で")}承認されました。`,
    },
    declined: {
      name: "自分の提出が却下された",
      subject: "提出が却下されました",
      sentence: (facts) =>
        facts.isJoining === true
          ? `コミュニティ「${facts.community}」への参加依頼は却下されました。`
          : `「${facts.title}」が${to(facts, "コミュニティ「", "」で")}却下されました。`,
    },
    invited: {
      name: "コミュニティに招待された",
      subject: "コミュニティに招待されました",
      sentence: (facts) => `コミュニティ${to(facts, "「", "」")}への参加に招待されました。`,
    },
    "asked-to-join": {
      name: "自分のコミュニティへの参加依頼がある",
      subject: "コミュニティへの参加依頼があります",
      sentence: (facts) => `コミュニティ${to(facts, "「", "」")}への参加依頼があり、あなたの判断を待っています。`,
    },
    "access-requested": {
      name: "自分の非公開ファイルへの利用申請がある",
      subject: "非公開ファイルへの利用申請があります",
      sentence: ({ title }) => `「${title}」の非公開ファイルへの利用申請があり、あなたの判断を待っています。`,
    },
    shared: {
      name: "レコードが共有された",
      subject: "レコードが共有されました",
      sentence: ({ title }) => `「${title}」があなたに共有されました。`,
    },
    "embargo-ends": {
      name: "自分のレコードの公開猶予が7日後に終わる",
      subject: "公開猶予がまもなく終わります",
      sentence: ({ title, more }) => `「${title}」の公開猶予は${more}に終わり、その日にファイルが公開されます。`,
    },
    withdrawn: {
      name: "自分のレコードが取り下げられた",
      subject: "レコードが取り下げられました",
      sentence: ({ title }) => `「${title}」は取り下げられました。そのアドレスに取り下げの事実が表示されます。`,
    },
    "job-finished": {
      name: "一括変更が終わった",
      subject: "一括変更が終わりました",
      sentence: () => "開始した一括変更が終わりました。",
    },
  },
  joining: { accepted: "参加依頼が承認されました", declined: "参加依頼が却下されました" },
  offers: {
    shared: {
      subject: "レコードの譲渡の申し出があります",
      sentence: (title) => `「${title}」の譲渡の申し出があります。承諾すると、すべての版があなたのものになります。`,
    },
    accepted: {
      subject: "レコードの譲渡が承諾されました",
      sentence: (title) => `「${title}」の譲渡が承諾され、所有者が変わりました。`,
    },
    declined: {
      subject: "レコードの譲渡が辞退されました",
      sentence: (title) => `「${title}」の譲渡は辞退されました。引き続きあなたのものです。`,
    },
  },
  access: {
    accepted: {
      subject: "ファイルの利用申請が承認されました",
      sentence: ({ title, more }) => `「${title}」の非公開ファイルを${more}まで閲覧できます。`,
    },
    declined: {
      subject: "ファイルの利用申請が却下されました",
      sentence: ({ title }) => `「${title}」の非公開ファイルへの利用申請は却下されました。`,
    },
    ended: {
      subject: "ファイルの利用申請が終了しました",
      sentence: ({ title }) =>
        `「${title}」の非公開ファイルへの利用申請は、判断されずに終了しました。理由は申請のページにあります。`,
    },
  },
  digest: { subject: (count) => `お知らせ ${count}件`, heading: "前回のまとめ以降のお知らせ：" },
  open: "開く",
  why: "このメッセージは、あなたのアカウントがここにあるため送られています。",
  choose: "通知の設定：",
  stop: (kind) => `「${kind}」の通知を止める：`,
  untitled: "無題",
};

export const NOTICE_LANGUAGES = ["en", "ja"] as const;

/** English for languages that there are no texts in. */
export const noticeTexts = (language: string): NoticeTexts => (language === "ja" ? ja : en);
