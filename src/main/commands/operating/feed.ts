// `arkstone feed new-epoch`: what is done once after a database was restored, so that resolvers forget what they have
// read (A44).

import { migrate } from "../../../../db/engine/migrate.ts";
import { openDatabase } from "../../../../db/engine/open.ts";
import { startNewEpoch } from "../../../../db/feed/epoch.ts";
import { jsonLine } from "../../process/terminal.ts";
import { type Command, command } from "../command.ts";
import { databaseRefusal, settingsOf } from "../context.ts";

const newEpoch = command({
  name: "feed new-epoch",
  summary: "After a restore: make every resolver load all names again",
  details: `To be run once against the primary after a dump was restored, after a restore to an earlier time, or after an SQLite file
was put back from a copy, before the minter is started again. Names and their history stay as they are. The storage of files is not swept until
an operator confirms that it belongs to this database ("arkstone storage adopt").`,
  examples: [
    "arkstone feed new-epoch",
    "SVC_DATABASE_URL=postgres://db.example/arkstone arkstone feed new-epoch --json",
  ],
  async run(context) {
    const config = settingsOf(context);
    const database = await openDatabase({ url: config.databaseUrl, poolSize: 1, mustExist: true }).catch(
      (error: unknown) => {
        throw databaseRefusal(config, error);
      },
    );
    try {
      await migrate(database);
      const { epoch, writersForgotten } = await startNewEpoch(database);
      if (context.json) {
        return void context.out(jsonLine({ epoch, transaction_numbers_reset: writersForgotten }));
      }
      context.out(`The feed begins epoch ${epoch}: every resolver loads all names again at its next poll.\n`);
      if (writersForgotten > 0) context.out(`${writersForgotten} transaction numbers of another cluster were reset.\n`);
    } catch (error) {
      throw databaseRefusal(config, error);
    } finally {
      await database.close();
    }
  },
});

export const feedCommands: readonly Command[] = [newEpoch];
