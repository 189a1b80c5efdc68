// Calls of the records interface (R37) as its clients make them, over a world of deposits.
import type { RepositoryWorld, Who } from "./world/repository.ts";

/** The members that tests check in an answer of this interface. */
type AnswerBody = {
  readonly id: string;
  readonly recid: string;
  readonly status: string | number;
  readonly state: string;
  readonly message: string;
  readonly revision_id: number;
  readonly is_draft: boolean;
  readonly is_published: boolean;
  readonly errors?: readonly { readonly field: string; readonly messages: readonly string[] }[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly custom_fields: Readonly<Record<string, unknown>>;
  readonly access: Readonly<Record<string, unknown>>;
  readonly files: Readonly<Record<string, unknown>>;
  readonly versions: { readonly index: number; readonly is_latest: boolean; readonly is_latest_draft: boolean };
  readonly parent: {
    readonly id: string;
    readonly access: { readonly owned_by: { readonly user: string }; readonly grants?: readonly unknown[] };
    readonly communities: Readonly<Record<string, unknown>>;
  };
  readonly pids: { readonly ark?: { readonly identifier: string }; readonly oai?: { readonly identifier: string } };
  readonly links: Readonly<Record<string, string>>;
  readonly tombstone?: Readonly<Record<string, unknown>>;
  readonly hits: { readonly total: number; readonly hits: readonly Readonly<Record<string, unknown>>[] };
};

export const METADATA = {
  resource_type: { id: "publication-article" },
  title: "On tides",
  publication_date: "2024-05-01",
  creators: [{ person_or_org: { type: "personal", family_name: "Doe", given_name: "Ann" } }],
} as const;
/** A record without files that may be published. */
export const RECORD = { metadata: METADATA, files: { enabled: false } } as const;
export const titled = (title: string) => ({ ...RECORD, metadata: { ...METADATA, title } });

export type RecordAnswer = Awaited<ReturnType<ReturnType<typeof recordCalls>["call"]>>;

export function recordCalls(world: Pick<RepositoryWorld, "ask">) {
  async function call(
    who: Who,
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ) {
    const answer = await world.ask(who, method, `/api/records${path}`, {
      headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
      body: body === undefined ? null : JSON.stringify(body),
    });
    // Tests check members that are there.
    return { ...answer, json: answer.json as unknown as AnswerBody };
  }

  function must(answer: Awaited<ReturnType<typeof call>>, status: number) {
    if (answer.status !== status)
      throw new Error(`${answer.status} instead of ${status}: ${answer.text.slice(0, 500)}`);
    return answer;
  }

  const create = async (who: Who, body: object = RECORD): Promise<string> =>
    must(await call(who, "POST", "", body), 201).json.id;
  const publish = async (who: Who, id: string) => must(await call(who, "POST", `/${id}/draft/actions/publish`), 202);
  return {
    call,
    create,
    publish,
    /** A record that is published. */
    async published(who: Who, body: object = RECORD): Promise<string> {
      const id = await create(who, body);
      await publish(who, id);
      return id;
    },
    /** The next version of a record, published. */
    async version(who: Who, id: string, title: string): Promise<string> {
      const next = must(await call(who, "POST", `/${id}/versions`), 201).json.id;
      must(await call(who, "PUT", `/${next}/draft`, titled(title)), 200);
      await publish(who, next);
      return next;
    },
    /** Publishes another title of a record. */
    async revised(who: Who, id: string, title: string): Promise<void> {
      must(await call(who, "POST", `/${id}/draft`), 201);
      must(await call(who, "PUT", `/${id}/draft`, titled(title)), 200);
      await publish(who, id);
    },
    remove: (who: Who, id: string, reason = "spam") =>
      call(who, "DELETE", `/${id}/delete`, { removal_reason: { id: reason }, note: "" }),
  };
}
