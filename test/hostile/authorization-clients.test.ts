// Programs that are not what they claim (R30; RFC 7591, OAuth Client ID Metadata Document): documents that lie inside
// or about another, floods of registrations. None is believed.
import { describe, expect, test } from "bun:test";
import { guardedFetch } from "../../src/adapters/guarded-fetch.ts";
import { clientDocuments, DOCUMENT_FETCH } from "../../src/repository/authorization/client-documents.ts";
import type { RemoteFiles } from "../../src/repository/record-files/remote-files.ts";
import { REDIRECT } from "../support/world/authorization.ts";
import { setUpWorld } from "../support/world.ts";

describe("R30 programs that are not what they claim", () => {
  const world = setUpWorld({ repository: true });

  test("S3.7.192: a document about a client is fetched from nothing inside, and believed only where it tells of itself", async () => {
    const inside = guardedFetch({
      mayFetch: () => true,
      userAgent: "test",
      ...DOCUMENT_FETCH,
      resolve: async () => ["169.254.169.254"],
    });
    const strict = clientDocuments({ remote: inside, nowMs: () => 0 });
    for (const address of [
      ...[
        "https://127.0.0.1/client",
        "https://[::1]/client",
        "https://169.254.169.254/latest/meta-data",
        "https://2130706433/client",
      ],
      ...[
        "https://metadata.internal/client",
        "https://localhost/client",
        "http://app.example/client",
        "https://app.example/",
      ],
      ...[
        "https://app.example",
        "https://u:p@app.example/client",
        "https://app.example/client#x",
        "https://app.example/a/../client",
      ],
      ...[
        "https://app.example/%2e%2e/client",
        "file:///etc/passwd",
        "https://app.example/client\n",
        `https://app.example/${"a".repeat(3_000)}`,
      ],
    ]) {
      expect([address, await strict.read(address)]).toEqual([address, null]);
    }
    const address = "https://app.example/client";
    const saying = (text: string): RemoteFiles => ({
      open: async () => ({
        sizeBytes: null,
        mediaType: "application/json",
        pieces: (async function* () {
          yield new TextEncoder().encode(text);
        })(),
      }),
    });
    const right = { client_id: address, redirect_uris: [REDIRECT], client_name: "App" };
    for (const document of [
      { ...right, client_id: "https://evil.example/client" },
      { ...right, client_id: undefined },
      { ...right, client_secret: "x" },
      { ...right, redirect_uris: ["javascript:alert(1)"] },
      { ...right, redirect_uris: [] },
      { ...right, redirect_uris: Array.from({ length: 21 }, (_, each) => `${REDIRECT}${each}`) },
      { ...right, token_endpoint_auth_method: "client_secret_post" },
      [right],
    ]) {
      const read = await clientDocuments({ remote: saying(JSON.stringify(document)), nowMs: () => 0 }).read(address);
      expect([JSON.stringify(document).slice(0, 90), read]).toEqual([JSON.stringify(document).slice(0, 90), null]);
    }
    const deep = await clientDocuments({ remote: saying("[".repeat(9_000)), nowMs: () => 0 }).read(address);
    expect(deep).toBeNull();
    expect(
      await clientDocuments({ remote: saying(JSON.stringify(right)), nowMs: () => 0 }).read(address),
    ).toMatchObject({ name: "App" });
  });

  test("S3.7.193: registrations are few, small and state only what they may", async () => {
    const register = (body: BodyInit, address: string) =>
      world.ask(null, "POST", "/oauth/register", { headers: { "content-type": "application/json" }, body, address });
    const good = JSON.stringify({ redirect_uris: [REDIRECT] });
    const statuses: number[] = [];
    for (let sent = 0; sent < 13; sent += 1) statuses.push((await register(good, "203.0.113.9")).status);
    expect([statuses.filter((status) => status === 201).length, statuses.at(-1)]).toEqual([10, 429]);
    // The addresses of one network of IPv6 are one.
    const six: number[] = [];
    for (let sent = 0; sent < 11; sent += 1) six.push((await register(good, `2001:db8:1:2::${sent + 1}`)).status);
    expect(six.at(-1)).toBe(429);
    expect((await register("x".repeat(20_000), "203.0.113.10")).status).toBe(413);
    for (const sent of [
      "{",
      "[]",
      "null",
      '{"redirect_uris":["http://evil.example/"]}',
      `{"redirect_uris":${"[".repeat(300)}${"]".repeat(300)}}`,
    ]) {
      expect([sent.slice(0, 20), (await register(sent, "203.0.113.11")).status]).toEqual([sent.slice(0, 20), 400]);
    }
    const proto = await register(
      `{"__proto__":{"client_id":"mine"},"client_id":"mine","client_secret":"x","scope":"admin","redirect_uris":["${REDIRECT}"]}`,
      "203.0.113.12",
    );
    expect([proto.status, proto.json.client_id === "mine", proto.json.scope]).toEqual([
      201,
      false,
      "mcp:read mcp:write mcp:curate",
    ]);
  });
});
