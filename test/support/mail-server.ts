// A real SMTP server on this machine (npm `smtp-server`) that keeps what it receives, and can refuse, break or hold.
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

/** `meanwhile`: what happens after the message has come and before it is refused. */
type Refusal = { readonly refuse: number; readonly text: string; readonly meanwhile?: () => Promise<void> };
type Received = { readonly from: string; readonly to: readonly string[]; readonly source: string };

export type MailServer = {
  readonly url: string;
  readonly received: Received[];
  /** What the next messages meet; taken one by one, then messages are taken. */
  readonly next: ("take" | Refusal | "break" | "hold")[];
  /** How each sender is refused; null: all are taken. */
  refuseSender: Refusal | null;
  readonly close: () => Promise<void>;
};

export async function startMailServer(): Promise<MailServer> {
  const received: Received[] = [];
  const next: MailServer["next"] = [];
  const server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    logger: false,
    onMailFrom(_address, _session, done) {
      done(made.refuseSender === null ? null : refusedWith(made.refuseSender));
    },
    onData(stream, session, done) {
      const how = next.shift() ?? "take";
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        if (typeof how === "object") {
          void Promise.resolve(how.meanwhile?.()).then(() => done(refusedWith(how)), done);
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
  const made: MailServer = {
    url: `smtp://127.0.0.1:${port}`,
    received,
    next,
    refuseSender: null,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return made;
}

const refusedWith = ({ refuse, text }: Refusal): Error => Object.assign(new Error(text), { responseCode: refuse });
