// The entry of the outbox that reports new items of a saved search (issue 26), and its message as its receiver may read
// it at the time of sending.
import type { Viewer } from "../../auth/account.ts";
import { mayReadRecord } from "../../model/access/visibility.ts";
import type { ItemContent } from "../../model/items/item.ts";
import { mainTitle } from "../../model/metadata/metadata.ts";
import { textSignature } from "../../shared/hash/digests.ts";
import type { AccountId, ItemId } from "../../shared/ids.ts";
import type { Day } from "../../shared/time/day.ts";
import type { Instant } from "../../shared/time/instant.ts";
import { factsOf } from "../items/access-facts.ts";
import { accountViewer } from "../people/current-viewer.ts";
import type { NewOutgoing, NoticeSetting, OutgoingEntry } from "../store/outgoing.ts";
import type { SavedSearch } from "../store/saved-searches.ts";
import type { RepositoryReader } from "../store/store.ts";
import { alertMail } from "./alert-mail.ts";
import type { Mail } from "./mailer.ts";

export const SAVED_SEARCHES_PAGE = "/account/searches";
export const STOP_SEARCH_PATH = `${SAVED_SEARCHES_PAGE}/stop`;

/** What the link to end mails about a search is signed over. */
export const searchSignature = (
  { accountId, stopKey }: Pick<NoticeSetting, "accountId" | "stopKey">,
  search: string,
): string => textSignature(`${accountId} search ${search}`, stopKey);

export type Alert = {
  /** Id of the saved search. */
  readonly savedSearch: string;
  readonly items: readonly ItemId[];
  readonly hasMore: boolean;
};

/** `at` tells the alerts of one search apart. */
export const alertEntry = (accountId: AccountId, alert: Alert, at: Instant): NewOutgoing => ({
  channel: "mail",
  subject: `saved-search ${alert.savedSearch} ${at}`,
  accountId,
  payload: alert,
  state: "waiting",
  runAt: at,
});

/** The alert that an entry sends; null for every other entry. Only what was written here is read. */
export function alertIn({ payload }: Pick<OutgoingEntry, "payload">): Alert | null {
  return typeof payload === "object" && payload !== null && "savedSearch" in payload ? (payload as Alert) : null;
}

export type AlertNeeds = {
  readonly store: RepositoryReader;
  readonly today: Day;
  readonly baseUrl: string;
  readonly repositoryName: string;
  readonly language: string;
  readonly placeholderDomain: string;
  readonly settingOf: (account: AccountId) => Promise<NoticeSetting>;
};

/** Null where nothing is to be sent to the account. `items`: those that the message names. */
export async function composedAlert(
  needs: AlertNeeds,
  entry: OutgoingEntry,
  alert: Alert,
): Promise<{ readonly mail: Mail; readonly items: readonly ItemId[] } | null> {
  const { store, baseUrl } = needs;
  const search = await store.savedSearches.savedSearch(alert.savedSearch);
  const viewer = search === null ? null : await accountViewer(store, search.accountId);
  const to = viewer?.account?.mail ?? null;
  if (search === null || viewer === null || to === null || search.frequency === "never") return null;
  if (to.endsWith(`@${needs.placeholderDomain}`)) return null;
  const items: { readonly id: ItemId; readonly title: string; readonly url: string }[] = [];
  for (const id of alert.items) {
    const content = await readableContent(store, viewer, id, needs.today);
    if (content !== null) items.push({ id, title: mainTitle(content.metadata), url: `${baseUrl}/records/${id}` });
  }
  if (items.length === 0) return null;
  const setting = await needs.settingOf(search.accountId);
  const stopUrl = stopUrlOf(baseUrl, search, setting);
  const text = alertMail(
    {
      ...{ name: search.name, items, hasMore: alert.hasMore, stopUrl },
      searchUrl: `${baseUrl}/search${search.query === "" ? "" : `?${search.query}`}`,
      changeUrl: baseUrl + SAVED_SEARCHES_PAGE,
    },
    setting.language ?? needs.language,
    needs.repositoryName,
  );
  const messageId = `<saved-search-${entry.id}-${Date.parse(entry.createdAt)}@${new URL(baseUrl).hostname}>`;
  return { mail: { ...text, to, messageId, stopUrl }, items: items.map(({ id }) => id) };
}

/** The content of a published item that its reader may read now; null for any other. */
export async function readableContent(
  store: RepositoryReader,
  viewer: Viewer,
  id: ItemId,
  today: Day,
): Promise<ItemContent | null> {
  const item = await store.items.item(id);
  const parent = item === null ? null : await store.items.parent(item.parentId);
  if (item === null || parent === null || item.content === null || item.state !== "published") return null;
  return mayReadRecord(viewer, await factsOf(store, item, item.content, parent), today) ? item.content : null;
}

const stopUrlOf = (baseUrl: string, { id }: SavedSearch, setting: NoticeSetting): string =>
  `${baseUrl}${STOP_SEARCH_PATH}?${new URLSearchParams({ search: id, signature: searchSignature(setting, id) })}`;
