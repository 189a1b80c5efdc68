// Where everything about a record is found (R37): the links clients of existing record repositories follow.
import type { RecordView } from "./record-view.ts";

export type LinkNeeds = { readonly baseUrl: string; readonly arkUrl: (ark: string) => string };
type Links = Readonly<Record<string, string>>;

const recordPath = (id: number): string => `/api/records/${id}`;

/** Only what is there is linked: no draft where there is none, nothing of the published side before there is one. */
export function recordLinks(view: RecordView, { baseUrl, arkUrl }: LinkNeeds): Links {
  const { item, parent, draft } = view;
  const api = baseUrl + recordPath(item.id);
  const own = draft === null ? api : `${api}/draft`;
  const isPublished = item.state === "published";
  return {
    self: own,
    self_html: `${baseUrl}/records/${item.id}`,
    ...(item.ark === null ? {} : { ark: arkUrl(item.ark) }),
    parent: `${baseUrl}${recordPath(parent.id)}`,
    parent_html: `${baseUrl}/records/${parent.id}`,
    ...(isPublished ? { record: api, record_html: `${baseUrl}/records/${item.id}` } : {}),
    ...(view.editable ? { draft: `${api}/draft` } : {}),
    ...(draft === null ? {} : { publish: `${api}/draft/actions/publish`, review: `${api}/draft/review` }),
    ...(view.review === null ? {} : { "submit-review": `${api}/draft/actions/submit-review` }),
    files: `${own}/files`,
    archive: `${own}/files-archive`,
    versions: `${api}/versions`,
    latest: `${api}/versions/latest`,
    latest_html: `${baseUrl}/records/${parent.id}`,
    communities: `${api}/communities`,
    requests: `${api}/requests`,
    ...(view.editable
      ? {
          access_grants: `${api}/access/grants`,
          access_users: `${api}/access/users`,
          access_groups: `${api}/access/groups`,
          revisions: `${api}/revisions`,
        }
      : {}),
  };
}
