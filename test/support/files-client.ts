// A client of files of records over real sockets, for tests that kill the process behind them or send it much.
import { createHash } from "node:crypto";

type Given = { readonly status: number; readonly json: Record<string, unknown> };
export type FilesClient = ReturnType<typeof filesClient>;

export const md5Of = (bytes: Uint8Array | string): string => createHash("md5").update(bytes).digest("hex");

export function filesClient(base: () => string, token: string) {
  const headers = { authorization: `Bearer ${token}` };
  async function ask(method: string, path: string, body?: unknown): Promise<Given> {
    const isBytes = body instanceof Uint8Array;
    const answer = await fetch(base() + path, {
      ...{ method, headers: { ...headers, "content-type": isBytes ? "application/octet-stream" : "application/json" } },
      ...(body === undefined ? {} : { body: isBytes ? Uint8Array.from(body) : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, json: text.startsWith("{") ? JSON.parse(text) : {} };
  }
  const filesOf = (id: string): string => `/api/records/${id}/draft/files`;
  return {
    ask,
    filesOf,
    /** A draft that may be published, with files. */
    async draft(title: string): Promise<string> {
      const person = { type: "personal", family_name: "Doe", given_name: "Ada" };
      const metadata = {
        ...{ title, publication_date: "2026-01-02", resource_type: { id: "dataset" }, publisher: "Test" },
        creators: [{ person_or_org: person }],
      };
      const { status, json } = await ask("POST", "/api/records", { metadata, files: { enabled: true } });
      if (status !== 201) throw new Error(`no draft: ${status} ${JSON.stringify(json)}`);
      return String(json.id);
    },
    register: (id: string, ...files: readonly object[]) => ask("POST", filesOf(id), files),
    content: (id: string, key: string, bytes: Uint8Array) => ask("PUT", `${filesOf(id)}/${key}/content`, bytes),
    part: (id: string, key: string, part: number, bytes: Uint8Array) =>
      ask("PUT", `${filesOf(id)}/${key}/content/${part}`, bytes),
    commit: (id: string, key: string) => ask("POST", `${filesOf(id)}/${key}/commit`),
    async bytes(path: string): Promise<Uint8Array> {
      const answer = await fetch(base() + path, { headers });
      return new Uint8Array(await answer.arrayBuffer());
    },
  };
}
