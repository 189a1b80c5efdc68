// A real SMTP server on this machine (npm `smtp-server`) that keeps what it receives, and can refuse, break or hold.
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

type Received = { readonly from: string; readonly to: readonly string[]; readonly source: string };

export type MailServer = {
  readonly url: string;
  readonly received: Received[];
  /** What the next messages meet; taken one by one, then messages are taken. */
  readonly next: ("take" | { readonly refuse: number; readonly text: string } | "break" | "hold")[];
  readonly close: () => Promise<void>;
};

export async function startMailServer(): Promise<MailServer> {
  const received: Received[] = [];
  const next: MailServer["next"] = [];
  const server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    logger: false,
    onData(stream, session, done) {
      const how = next.shift() ?? "take";
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        if (typeof how === "object") {
          done(Object.assign(new Error(how.text), { responseCode: how.refuse }));
          return;
        }
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          source: Buffer.concat(parts).toString("utf8"),
        });
        if (how === "take") done();
        // The message is kept, and the sender never learns it.
        if (how === "break") for (const connection of server.connections) connection.close();
      });
    },
  });
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    next,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
