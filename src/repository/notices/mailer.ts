// The port to the mail server (R41).
import type { MailText } from "./mail-writing.ts";

export type Mail = MailText & {
  readonly to: string;
  /** The same at each try: servers and mailboxes may recognise a message by it. */
  readonly messageId: string;
  /** Where one press ends messages of this kind (RFC 8058); null for several kinds at once. */
  readonly stopUrl: string | null;
};

/** The server refused this message, and would refuse it again. */
export class MailRefused extends Error {
  override readonly name = "MailRefused";
}

/** The server was not reached, does not let us in, or refuses our sender: no other message would be sent now. */
export class MailServerAway extends Error {
  override readonly name = "MailServerAway";
}

/** The last bytes were sent and no answer came: the message may have arrived. */
export class MailUncertain extends Error {
  override readonly name = "MailUncertain";
}

export interface Mailer {
  /**
   * Sends one message. `handOver` is called when everything but its end has been sent: only after it has resolved to
   * true is the end sent, so that no process sends a message of which another does not know.
   *
   * @throws MailRefused, MailServerAway, MailUncertain; any other error means that it was not sent.
   */
  send(mail: Mail, handOver: () => Promise<boolean>): Promise<void>;
  close(): void;
}
