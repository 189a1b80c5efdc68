// Records with closed files, and the calls by which people ask for them, over the interface.
import { aContent, titled } from "./items.ts";
import type { FilesWorld } from "./record-files.ts";
import type { Who } from "./repository.ts";

export const PURPOSE = "To compare tides & floods";
type SentRequest = {
  readonly id: string;
  readonly status: string;
  readonly created_by: { readonly user?: string; readonly email?: string } | null;
  readonly expires_at: string | null;
  readonly payload: { readonly message: string; readonly full_name?: string; readonly answer: string };
  readonly links: { readonly actions: object };
};

export const closedFiles = (world: FilesWorld) => {
  const call = async (who: Who, method: string, path: string, body?: object) => {
    const answer = await world.json(who, method, path, body);
    return { status: answer.status, json: answer.json as unknown as SentRequest, text: answer.text };
  };
  return {
    call,
    status: async (who: Who, method: string, path: string, body?: object) =>
      (await call(who, method, path, body)).status,
    /** A record with one open and one closed file. */
    async closedRecord(title = "Closed tides", bytes = "bytes of closed.txt"): Promise<number> {
      const { metadata } = aContent({ metadata: titled(title) });
      const id = await world.draft("registered", { metadata });
      await world.upload("registered", id, "open.txt", "bytes of open.txt");
      await world.upload("registered", id, "closed.txt", bytes);
      const body = { access: { status: "closed" } };
      const closed = await world.json("registered", "PUT", world.fileOf(id, "closed.txt"), body);
      if (closed.status !== 200) throw new Error(`${closed.status}: ${closed.text}`);
      await world.publish("registered", id);
      return id;
    },
    ask: (who: Who, id: number, more: object = {}) =>
      call(who, "POST", `/api/records/${id}/access/request`, { permission: "view", message: PURPOSE, ...more }),
    act: (who: Who, request: string, action: string, body: object = {}) =>
      call(who, "POST", `/api/requests/${request}/actions/${action}`, body),
    download: (who: Who, id: number, key = "closed.txt") =>
      world.ask(who, "GET", `/api/records/${id}/files/${key}/content`),
  };
};

/** A mail as it was written. */
export const bodyOf = (source = ""): string => source.replace(/=\r\n/g, "").replace(/=3D/g, "=");
export const linkIn = (source: string | undefined): string =>
  /(\/access-requests\/confirm\/[\w-]{43})/.exec(bodyOf(source))?.[1] ?? "";
export const tokenIn = (source: string | undefined): string => /\?token=([\w-]{43})/.exec(bodyOf(source))?.[1] ?? "";
