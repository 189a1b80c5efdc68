// The commands of the repository, in the groups the overview shows them in (R32).

import type { Command } from "../command.ts";
import { activityCommands } from "./activity.ts";
import { communityCommands } from "./community.ts";
import { depositCommands } from "./deposit.ts";
import { exportItemsCommand } from "./export-items.ts";
import { groupCommands } from "./group.ts";
import { indexCommands } from "./index-tree.ts";
import { itemCommands } from "./item.ts";
import { itemTypeCommands, mappingCommands } from "./item-type.ts";
import { packCommands } from "./pack.ts";
import { swordCommands } from "./sword.ts";
import { tokenCommands } from "./token.ts";
import { userCommands } from "./user.ts";
import { vocabularyCommands } from "./vocabulary.ts";
import { workflowCommands } from "./workflow.ts";

export const REPOSITORY_GROUPS: readonly { readonly title: string; readonly commands: readonly Command[] }[] = [
  { title: "People", commands: [...userCommands, ...tokenCommands, ...groupCommands, ...communityCommands] },
  { title: "Send", commands: [...packCommands, ...depositCommands] },
  { title: "Items", commands: [...itemCommands, exportItemsCommand, ...indexCommands, ...activityCommands] },
  {
    title: "Deposits",
    commands: [...itemTypeCommands, ...mappingCommands, ...workflowCommands, ...vocabularyCommands, ...swordCommands],
  },
];
