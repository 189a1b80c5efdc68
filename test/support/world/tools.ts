// A world in which tools are called over HTTP (R30), with results already unpacked: communities, drafts, requests that
// wait.
import { expect } from "bun:test";
import { METADATA } from "../record-calls.ts";
import { toolCalls } from "../tool-calls.ts";
import type { PersonName, RepositoryWorld, Who } from "./repository.ts";

export const UNKNOWN = { status: 404, code: "not_found", message: "The persistent identifier does not exist." };
export const DENIED = { status: 403, code: "forbidden", message: "Permission denied." };

type Args = Readonly<Record<string, unknown>>;
export type ToolWorld = RepositoryWorld & ReturnType<typeof tools>;

export function tools(world: RepositoryWorld) {
  const calls = toolCalls(world);

  /** The result of a tool; a refusal, too. */
  const resultOf = async (who: Who, name: string, args: Args = {}) =>
    (await calls.call(who, name, args)).structuredContent;

  return {
    calls,
    resultOf,
    /** The content of a refusal, which is an error of the tool and has the same text. */
    async refused(who: Who, name: string, args: Args = {}) {
      const { isError, structuredContent, content } = await calls.call(who, name, args);
      const { error } = structuredContent;
      expect([name, isError, content[0]?.text.split("\n")[0]]).toEqual([
        name,
        true,
        `${error?.status} ${error?.message}`,
      ]);
      return error;
    },
    /** The status and the challenge of a call that does not pass the gate. */
    async challenged(who: Who, name: string, args: Args = {}) {
      const { status, headers } = await calls.modern(who, "tools/call", { name, arguments: args }, name);
      return { status, challenge: headers.get("www-authenticate")?.split(", resource_metadata=")[0] };
    },
    /** Of `manager`, with `curator` as curator and `general` as reader. */
    async community(slug: string, more: Readonly<Record<string, string>> = {}) {
      const made = await resultOf("manager", "create_community", { slug, title: `Title of ${slug}`, ...more });
      await world.store.transact(async (tx) => {
        await tx.communities.setMember(made.id, world.people.curator.account.id, "curator");
        await tx.communities.setMember(made.id, world.people.general.account.id, "reader");
      });
      return made;
    },
    draft: async (metadata: object = METADATA, who: Who = "registered"): Promise<string> =>
      (await resultOf(who, "create_record", { metadata })).id,
    /** A request of `registered` that waits, to the community `closed`. */
    async waiting(comment = ""): Promise<{ readonly id: string; readonly recid: string }> {
      const recid: string = (await resultOf("registered", "create_record", { metadata: METADATA })).id;
      const { request } = await resultOf("registered", "submit_to_community", { recid, community: "closed", comment });
      return { id: request.id, recid };
    },
    act: (who: Who, id: string, action: string, comment = "") =>
      resultOf(who, "request_action", { request_id: id, action, comment }),
    accountOf: (who: PersonName) => String(world.people[who].account.id),
    published: async (who: Who = "registered"): Promise<string> =>
      (await resultOf(who, "create_record", { metadata: METADATA, publish: true })).id,
    /** Nobody's call is 401, one with less than `scope` 403, both naming it. */
    async gated(name: string, scope: "mcp:read" | "mcp:write" | "mcp:curate", args: Args = {}) {
      const all = ["mcp:read", "mcp:write", "mcp:curate"];
      const { token } = await world.token("system", [...all.slice(0, all.indexOf(scope)), "user:activity"]);
      expect([name, await this.challenged(null, name, args), await this.challenged({ token }, name, args)]).toEqual([
        name,
        { status: 401, challenge: `Bearer scope="${scope}"` },
        { status: 403, challenge: `Bearer error="insufficient_scope", scope="${scope}"` },
      ]);
    },
  };
}
