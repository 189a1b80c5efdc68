// Which names and pages the tool server answers (R30; reference 4.1): Host and Origin, so that no page of somebody
// else's speaks to it.
import { describe, expect, test } from "bun:test";
import { callerCheck } from "../../plugins/repository/mcp/mcp.ts";

describe("S3.7.99: Host and Origin", () => {
  const { require: check } = callerCheck({
    baseUrl: "https://repo.example.org",
    origins: ["https://chat.example.net", "http://desk.example:3000"],
    hosts: new Set(["tools.internal", "repository:8002"]),
  });
  const sent = (headers: Readonly<Record<string, string>>) => () =>
    check(new Request("http://x.example/mcp", { method: "POST", headers }));

  test.each([
    "repo.example.org",
    "REPO.example.org:8443",
    "localhost:8002",
    "127.0.0.1",
    "[::1]:9",
    "tools.internal:81",
    "repository:8002",
  ])("S3.7.99: it is reached as %s", (host) => {
    expect(sent({ host })).not.toThrow();
  });

  test.each([
    "evil.example",
    "evil.example:8002",
    "repo.example.org.evil.example",
    "localhost.evil.example",
    "127.0.0.1.nip.example",
    "repository:8003",
    "",
  ])("S3.7.99: a name that was turned towards us is refused: %j", (host) => {
    expect(sent({ host })).toThrow("SVC_MCP_HOSTS");
  });

  test.each([
    ...["https://repo.example.org", "https://chat.example.net", "http://desk.example:3000"],
    ...["http://localhost:6274", "https://localhost", "http://127.0.0.1:1", "https://[::1]:9"],
  ])("S3.7.99: pages of %s may speak to it", (origin) => {
    expect(sent({ host: "repo.example.org", origin })).not.toThrow();
  });

  test.each([
    "null",
    "http://repo.example.org",
    "https://repo.example.org:444",
    "https://evil.example",
    "https://desk.example:3000",
    "http://desk.example",
    "http://localhost.evil.example",
    "https://chat.example.net.evil.example",
    "file://localhost",
  ])("S3.7.99: pages of %s may not", (origin) => {
    expect(sent({ host: "repo.example.org", origin })).toThrow("SVC_MCP_ORIGINS");
  });
});
