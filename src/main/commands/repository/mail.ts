// `arkstone mail`: what was sent and what waits (R41, R45), and a message to try the mail server with.
import { smtpMailer } from "../../../adapters/mail.ts";
import { OUTGOING_STATES, type OutgoingEntry, type OutgoingState } from "../../../repository/store/outgoing.ts";
import { errorMessage } from "../../../shared/error-message.ts";
import { showRows } from "../ark/registry-output.ts";
import { command } from "../command.ts";
import { settingsOf } from "../context.ts";
import { CommandRefusal, UsageError } from "../refusals.ts";
import { limitIn, withRepositoryStore } from "./repository-lists.ts";

function rowOf(entry: OutgoingEntry) {
  return {
    id: entry.id,
    channel: entry.channel,
    subject: entry.subject,
    account: entry.accountId,
    state: entry.state,
    attempts: entry.attempts,
    run_at: entry.runAt,
    created_at: entry.createdAt,
    ended_at: entry.endedAt,
    error: entry.lastError,
  };
}

const list = command({
  name: "mail list",
  summary: "List notices and mails of the last 30 days, the newest first, with what went wrong",
  options: {
    state: { type: "string", value: "STATE", help: `Only those that are ${OUTGOING_STATES.join(", ")}` },
    limit: { type: "string", value: "NUMBER", help: "At most NUMBER (default 50)" },
  },
  examples: ["arkstone mail list --state failed", "arkstone mail list --state uncertain --json"],
  run: (context, { state, limit }) => {
    const known = OUTGOING_STATES.find((each): each is OutgoingState => each === state);
    if (state !== undefined && known === undefined) {
      const text = `--state "${state}" is not allowed: ${OUTGOING_STATES.join(", ")}`;
      throw new UsageError(text, 'See "arkstone mail list --help"');
    }
    const most = limitIn(limit, "mail list");
    return withRepositoryStore(context, async ({ outgoing }) => {
      const filter = known === undefined ? {} : { state: known };
      const rows = (await outgoing.listOutgoing(filter, null, most)).map(rowOf);
      showRows(
        context,
        rows,
        ["id", "channel", "subject", "account", "state", "attempts", "run_at", "error"],
        "There are no such notices and mails",
      );
    });
  },
});

const attempt = command({
  name: "mail test",
  summary: "Send a message to an address, to try SVC_SMTP_URL",
  words: ["ADDRESS"],
  examples: ["arkstone mail test librarian@library.example.org"],
  run: async (context, _, [to = ""]) => {
    if (!/^[^\s@<>]{1,64}@[^\s@<>]{1,255}$/.test(to)) {
      throw new UsageError(`ADDRESS "${to}" is not a mail address`, 'See "arkstone mail test --help"');
    }
    const { smtpUrl: url, mailFrom: from, repositoryName } = settingsOf(context);
    if (url === null || from === null) {
      throw new CommandRefusal("Mail is off", "Set SVC_SMTP_URL and SVC_MAIL_FROM");
    }
    const mailer = smtpMailer({ url, from, fromName: repositoryName });
    const text = "This message was sent to try the mail server of the repository. Nothing is to be done.";
    const messageId = `<test-${crypto.randomUUID()}@${from.split("@")[1]}>`;
    const mail = { to, subject: `[${repositoryName}] Test`, text, html: `<p>${text}</p>`, messageId, stopUrl: null };
    try {
      await mailer.send(mail, async () => true);
    } catch (error) {
      throw new CommandRefusal(
        `The message was not sent: ${errorMessage(error)}`,
        "Check SVC_SMTP_URL and SVC_MAIL_FROM",
      );
    } finally {
      mailer.close();
    }
    context.out(`The mail server took the message to ${to}.\n`);
  },
});

export const mailCommands = [list, attempt];
