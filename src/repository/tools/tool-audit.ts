// Every call of a tool in the audit (R30; reference 4.4): who, by which client, which tool, how it ended, how long it
// took; never its content. Each is a line of the log; what may change something is a row of the audit too, in addition
// to those of the changes themselves.
import type { Viewer } from "../../auth/account.ts";
import type { Log } from "../../shared/log.ts";
import type { Clock } from "../../shared/time/clock.ts";
import type { RepositoryStore } from "../store/store.ts";
import { failed, statusOf } from "./outcome.ts";
import type { ToolDefinition } from "./tool.ts";
import type { ToolServer } from "./tool-server.ts";

type NotedCall = {
  readonly viewer: Viewer;
  readonly tool: ToolDefinition;
  /** As an answer over HTTP would have it. */
  readonly status: number;
  readonly ms: number;
};

export type ToolAudit = {
  /** A call that the gate refused: nothing was done. */
  refused(call: Omit<NotedCall, "ms">): void;
  /** The same tools, every call of them noted before its answer is given. */
  over(server: ToolServer): ToolServer;
};

type Needs = {
  readonly store: Pick<RepositoryStore, "transact">;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
};

export function toolAudit({ store, clock, log }: Needs): ToolAudit {
  function line({ viewer, tool, status, ms }: NotedCall): void {
    log.info("tool_called", {
      account: viewer.account?.id ?? null,
      client: viewer.clientId,
      ...{ tool: tool.name, status, ms },
    });
  }

  async function note(call: NotedCall): Promise<void> {
    const { viewer, tool, status, ms } = call;
    line(call);
    if (tool.annotations.readOnlyHint) return;
    const event = { action: "tool-call", subject: `tool:${tool.name}`, detail: { status, ms } };
    try {
      await store.transact((tx) => tx.audit(viewer, clock.now(), [event]));
    } catch (error) {
      // The work is done: the caller gets the result, and the log line above is written.
      log.error("tool_call_not_in_audit", { tool: tool.name, cause: String(error) });
    }
  }

  return {
    refused: (call) => line({ ...call, ms: 0 }),
    over: (server) => ({
      ...server,
      async call(name, given, call) {
        const tool = server.tools.get(name);
        if (tool === undefined) return null;
        const startedAt = performance.now();
        const noted = (status: number): Promise<void> =>
          note({ viewer: call.viewer, tool, status, ms: Math.round(performance.now() - startedAt) });
        let result: Awaited<ReturnType<ToolServer["call"]>>;
        try {
          result = await server.call(name, given, call);
        } catch (error) {
          // An internal error: nothing of it is returned.
          log.error("unexpected", { tool: name, error });
          result = failed({
            status: 500,
            message: "Internal error",
            hint: "try again later; the log of the server has the cause",
          });
        }
        await noted(statusOf(result));
        return result;
      },
    }),
  };
}
