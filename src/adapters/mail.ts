// Mail by SMTP (R41): one connection for a run of messages, and the end of each message only after the outbox has
// recorded that the message is being sent. `nodemailer` speaks the protocol and writes the message.
import { Readable } from "node:stream";
import MailComposer from "nodemailer/lib/mail-composer";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import { type Mail, type Mailer, MailRefused, MailServerAway, MailUncertain } from "../repository/notices/mailer.ts";
import { errorMessage } from "../shared/error-message.ts";

export type MailServer = {
  /** `smtp://` or `smtps://`, with name and password where the server asks for them. */
  readonly url: string;
  /** Sender of every message. */
  readonly from: string;
  readonly fromName: string;
};

const CONNECT_MS = 10_000;
const SILENCE_MS = 30_000;
/** Longest answer of a server that is read. */
const ANSWER_MAX_BYTES = 65_536;

export function smtpMailer({ url, from, fromName }: MailServer): Mailer {
  const { protocol, hostname, port, username, password } = new URL(url);
  const isSecure = protocol === "smtps:";
  let open: SMTPConnection | null = null;

  async function connected(): Promise<SMTPConnection> {
    if (open !== null) return open;
    const connection = new SMTPConnection({
      host: hostname.replace(/^\[|\]$/g, ""),
      port: port === "" ? (isSecure ? 465 : 587) : Number(port),
      secure: isSecure,
      // A password is never sent in the clear.
      requireTLS: !isSecure && username !== "",
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      maxResponseSize: ANSWER_MAX_BYTES,
      logger: false,
    });
    const forget = (): void => {
      if (open === connection) open = null;
    };
    connection.once("end", forget);
    // Between two messages nobody else listens: the next one opens a new connection.
    connection.on("error", forget);
    await new Promise<void>((resolve, reject) => {
      connection.once("error", reject);
      connection.connect((error) => (error ? reject(error) : resolve()));
    });
    if (username !== "") {
      const credentials = { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
      await new Promise<void>((resolve, reject) => {
        connection.login({ credentials }, (error) => (error ? reject(error) : resolve()));
      });
    }
    open = connection;
    return connection;
  }

  async function written(mail: Mail): Promise<Buffer> {
    const { to, subject, text, html, messageId, stopUrl } = mail;
    const headers = {
      "Auto-Submitted": "auto-generated",
      ...(stopUrl === null
        ? {}
        : { "List-Unsubscribe": `<${stopUrl}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }),
    };
    const sender = { name: fromName, address: from };
    return await new MailComposer({ from: sender, to, subject, text, html, messageId, headers }).compile().build();
  }

  return {
    async send(mail, handOver) {
      const message = await written(mail);
      const connection = await connected().catch((error: unknown) => {
        throw new MailServerAway(errorMessage(error));
      });
      let isHanded = false;
      const body = Readable.from(
        (async function* () {
          yield message;
          if (!(await handOver())) throw new Error("The entry of the outbox is no longer to be sent");
          isHanded = true;
        })(),
        { objectMode: false },
      );
      try {
        await new Promise<void>((resolve, reject) => {
          connection.send({ from, to: [mail.to] }, body, (error) => (error ? reject(error) : resolve()));
        });
      } catch (error) {
        connection.close();
        open = null;
        throw judged(error, isHanded);
      }
    },
    close() {
      open?.quit();
      open = null;
    },
  };
}

/** Commands that are about one message; a refusal of any other one would meet every message. */
const ABOUT_ONE: ReadonlySet<unknown> = new Set(["RCPT TO", "DATA"]);

/** An answer of the server tells that it was not taken; without one nobody knows, once the end was sent. */
function judged(error: unknown, isHanded: boolean): Error {
  const code = error instanceof Error && "responseCode" in error ? Number(error.responseCode) : Number.NaN;
  if (code >= 500) {
    const isAboutOne = isHanded || (error instanceof Error && "command" in error && ABOUT_ONE.has(error.command));
    return isAboutOne ? new MailRefused(errorMessage(error)) : new MailServerAway(errorMessage(error));
  }
  if (isHanded && Number.isNaN(code)) return new MailUncertain(errorMessage(error));
  return error instanceof Error ? error : new Error(errorMessage(error));
}
