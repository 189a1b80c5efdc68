// What an account chooses about notices, and the address of its feed of tasks (R45).

import type { Account, Viewer } from "../../auth/account.ts";
import { isNoticeKind, NOTICE_CHOICES, NOTICE_KINDS, type NoticeKind } from "../../model/notices/notice-rules.ts";
import { randomText, sameHash, sha256Hex } from "../../shared/hash/digests.ts";
import { Refusal } from "../../shared/refusal.ts";
import type { Clock, Random } from "../../shared/time/clock.ts";
import { accountViewer, writeAs } from "../people/current-viewer.ts";
import { freshSetting, type NoticeSetting } from "../store/outgoing.ts";
import type { RepositoryReader, RepositoryStore } from "../store/store.ts";
import { NOTICE_LANGUAGES } from "./notice-texts.ts";
import { stopSignature } from "./sending.ts";

type NoticeChoicesNeeds = {
  readonly store: RepositoryStore;
  readonly clock: Pick<Clock, "now">;
  readonly random: Pick<Random, "bytes">;
};

/** What a form or a program sends; a kind that is missing stays as it was. */
type ChoicesIn = {
  readonly language?: string | undefined;
  readonly choices: Readonly<Record<string, string>>;
};

/** A link that ends a kind of notices. */
export type StopLink = { readonly account: string; readonly kind: string; readonly signature: string };

const FEED_SECRET = /^[\w-]{43}$/;

export interface NoticeChoices {
  read(viewer: Viewer): Promise<NoticeSetting>;
  /** @throws Refusal `invalid` naming the field and its value */
  save(viewer: Viewer, sent: ChoicesIn): Promise<void>;
  /** The kind that a signed link ends; null where the link was not made here. */
  stopped(link: StopLink): Promise<NoticeKind | null>;
  /** Ends messages of the kind, without a session: the signature is the proof. @throws Refusal `not_found` */
  stop(link: StopLink): Promise<NoticeKind>;
  /** A new secret for the address of the feed of tasks: an earlier one ends. */
  makeFeed(viewer: Viewer): Promise<string>;
  endFeed(viewer: Viewer): Promise<void>;
  /** Whose tasks the feed with this secret lists. @throws Refusal `not_found` */
  feedOf(secret: string): Promise<Viewer>;
}

export const noticeChoices = (needs: NoticeChoicesNeeds): NoticeChoices => {
  const { store, random } = needs;

  const settingOf = async (reader: Pick<RepositoryReader, "outgoing">, account: Account): Promise<NoticeSetting> =>
    (await reader.outgoing.noticeSetting(account.id)) ?? freshSetting(account.id, random);

  const change = (viewer: Viewer, changed: (setting: NoticeSetting) => NoticeSetting): Promise<void> =>
    writeAs(needs, viewer, async (tx, now) => {
      await tx.outgoing.saveNoticeSetting(changed(await settingOf(tx, accountOf(now))));
    });

  async function settingBehind({ account, kind, signature }: StopLink): Promise<NoticeSetting | null> {
    const id = /^[1-9]\d{0,14}$/.test(account) ? Number(account) : null;
    const setting = id === null ? null : await store.outgoing.noticeSetting(id);
    if (setting === null || !isNoticeKind(kind)) return null;
    return sameHash(stopSignature(setting, kind), signature) ? setting : null;
  }

  return {
    read: async (viewer) => await settingOf(store, accountOf(viewer)),

    save: async (viewer, { language, choices }) => {
      requireChoices(language, choices);
      await change(viewer, (setting) => ({
        ...setting,
        language: language === undefined ? setting.language : language === "" ? null : language,
        choices: { ...setting.choices, ...choices },
      }));
    },

    stopped: async (link) => {
      const setting = await settingBehind(link);
      return setting !== null && isNoticeKind(link.kind) ? link.kind : null;
    },

    async stop(link) {
      const { kind } = link;
      if ((await settingBehind(link)) === null || !isNoticeKind(kind)) throw noSuchLink();
      await store.transact(async (tx) => {
        const setting = await tx.outgoing.noticeSetting(Number(link.account));
        if (setting === null) throw noSuchLink();
        await tx.outgoing.saveNoticeSetting({ ...setting, choices: { ...setting.choices, [kind]: "never" } });
      });
      return kind;
    },

    async makeFeed(viewer) {
      const secret = randomText(random.bytes(32));
      await change(viewer, (setting) => ({ ...setting, feedHash: sha256Hex(secret) }));
      return secret;
    },

    endFeed: (viewer) => change(viewer, (setting) => ({ ...setting, feedHash: null })),

    async feedOf(secret) {
      const account = FEED_SECRET.test(secret) ? await store.outgoing.accountOfFeed(sha256Hex(secret)) : null;
      const viewer = account === null ? null : await accountViewer(store, account);
      if (viewer === null) throw new Refusal("not_found", "There is no such feed");
      return viewer;
    },
  };
};

const noSuchLink = (): Refusal => new Refusal("not_found", "There is no such link: sign in and choose your notices");

function accountOf({ account }: Viewer): Account {
  if (account === null) throw new Refusal("unauthenticated", "Sign in first");
  return account;
}

function requireChoices(language: string | undefined, choices: ChoicesIn["choices"]): void {
  if (language !== undefined && language !== "" && !NOTICE_LANGUAGES.some((known) => known === language)) {
    const text = `language "${language.slice(0, 40)}" is not allowed: ${NOTICE_LANGUAGES.join(", ")}`;
    throw new Refusal("invalid", text, { detail: { field: "language" } });
  }
  for (const [kind, choice] of Object.entries(choices)) {
    const known = isNoticeKind(kind) ? NOTICE_CHOICES : null;
    if (known?.some((each) => each === choice) === true) continue;
    const text =
      known === null
        ? `"${kind.slice(0, 40)}" is not a kind of notice: ${NOTICE_KINDS.join(", ")}`
        : `${kind} "${choice.slice(0, 40)}" is not allowed: ${NOTICE_CHOICES.join(", ")}`;
    throw new Refusal("invalid", text, { detail: { field: kind } });
  }
}
