// Communities and drafts that wait for them, as people meet them over HTTP (R37).
import { RECORD } from "../record-calls.ts";
import type { Answer, RepositoryWorld, Who } from "./repository.ts";

export type RequestJson = {
  readonly id: string;
  readonly number: string;
  readonly status: string;
  readonly is_open: boolean;
  readonly title: string;
  readonly created_by: object;
  readonly receiver: object;
  readonly topic: object;
  readonly last_reply: { readonly payload: { readonly content: string } } | null;
  readonly links: { readonly self: string; readonly actions: Readonly<Record<string, string>> };
};
export type EventJson = {
  readonly id: string;
  readonly type: "C" | "L";
  readonly created_by: { readonly user: string };
  readonly payload: { readonly content?: string; readonly event?: string };
  readonly permissions: Readonly<Record<string, boolean>>;
  readonly revision_id: number;
};
export type List<Hit> = {
  readonly hits: { readonly hits: readonly Hit[]; readonly total: number };
  readonly links: Readonly<Record<string, string>>;
};

export const refusal = ({ status, json }: Answer) => ({ status, message: json.message, errors: json.errors });
export const DENIED = { status: 403, message: "Permission denied.", errors: undefined };
export const UNKNOWN = { status: 404, message: "The persistent identifier does not exist.", errors: undefined };
export const cannot = (action: string) => ({
  status: 400,
  message: `Error for action '${action}': Could not execute the action`,
  errors: undefined,
});

export type RequestsWorld = Omit<RepositoryWorld, keyof ReturnType<typeof requests>> & ReturnType<typeof requests>;

export function requests(world: RepositoryWorld) {
  let made = 0;

  const send = (who: Who, method: string, path: string, body?: unknown): Promise<Answer> =>
    world.ask(who, method, path, {
      headers: { "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  async function ok<T>(asked: Promise<Answer>, status: number): Promise<T> {
    const answer = await asked;
    if (answer.status !== status)
      throw new Error(`${answer.status} instead of ${status}: ${answer.text.slice(0, 500)}`);
    return answer.json as unknown as T;
  }

  return {
    send,
    ok,
    /** Of `manager`, with `curator` as curator and `general` as reader. */
    async community(
      access: Readonly<Record<string, string>> = {},
    ): Promise<{ readonly id: string; readonly slug: string }> {
      made += 1;
      const body = { slug: `review-${made}`, metadata: { title: `Reviewers ${made}` }, access };
      const community = await ok<{ id: string; slug: string }>(send("manager", "POST", "/api/communities", body), 201);
      for (const [who, role] of [
        ["curator", "curator"],
        ["general", "reader"],
      ] as const) {
        const members = [{ type: "user", id: String(world.people[who].account.id) }];
        await ok(send("manager", "POST", `/api/communities/${community.id}/members`, { members, role }), 204);
      }
      return community;
    },
    async draft(who: Who = "registered", more: object = {}): Promise<number> {
      const body = { ...RECORD, ...more };
      return Number((await ok<{ id: string }>(send(who, "POST", "/api/records", body), 201)).id);
    },
    async published(who: Who = "registered", more: object = {}): Promise<number> {
      const body = { ...RECORD, ...more };
      const { id } = await ok<{ id: string }>(send(who, "POST", "/api/records", body), 201);
      await ok(send(who, "POST", `/api/records/${id}/draft/actions/publish`), 202);
      return Number(id);
    },
    review: (who: Who, record: number, community: string): Promise<Answer> =>
      send(who, "PUT", `/api/records/${record}/draft/review`, {
        type: "community-submission",
        receiver: { community },
      }),
    submit: (who: Who, record: number, comment?: string): Promise<Answer> =>
      send(
        who,
        "POST",
        `/api/records/${record}/draft/actions/submit-review`,
        comment === undefined ? {} : { payload: { content: comment, format: "html" } },
      ),
    /** A request that waits for the community. */
    async submitted(community: string, who: Who = "registered", comment?: string) {
      const record = await this.draft(who);
      await ok(this.review(who, record, community), 200);
      return { record, request: await ok<RequestJson>(this.submit(who, record, comment), 202) };
    },
    act: (who: Who, request: string, action: string, comment?: string): Promise<Answer> =>
      send(
        who,
        "POST",
        `/api/requests/${request}/actions/${action}`,
        comment === undefined ? undefined : { payload: { content: comment } },
      ),
    request: (who: Who, id: string): Promise<Answer> => world.ask(who, "GET", `/api/requests/${id}`),
    async timeline(who: Who, id: string): Promise<List<EventJson>> {
      return await ok(world.ask(who, "GET", `/api/requests/${id}/timeline`), 200);
    },
    async status(who: Who, record: number): Promise<string> {
      return (await ok<{ status: string }>(world.ask(who, "GET", `/api/records/${record}/draft`), 200)).status;
    },
  };
}

/** The events and comments of a request, in order. */
export const timelineOf = ({ hits }: List<EventJson>): readonly string[] =>
  hits.hits.map(({ type, payload }) => (type === "C" ? (payload.content ?? "") : `[${payload.event}]`));
