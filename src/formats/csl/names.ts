// Agents as citations name them: family and given name apart where the record has them so, else one text that nobody
// takes apart.
import { nameText } from "../../model/agents/agent-names.ts";
import type { Agent, AgentName } from "../../model/metadata/metadata.ts";
import { namesIn } from "../../model/metadata/reader-language.ts";
import { oneLine } from "./one-line.ts";

export type CslName = { readonly family: string; readonly given?: string } | { readonly literal: string };

function nameOf(agent: Agent, name: AgentName): CslName | null {
  const whole = oneLine(nameText(name, agent.kind));
  if (agent.kind === "organizational") return whole === "" ? null : { literal: whole };
  const stated = [oneLine(name.family ?? ""), oneLine(name.given ?? "")] as const;
  const written = oneLine(name.full ?? "")
    .split(/[,，]/)
    .map((part) => part.trim());
  const [family = "", given = ""] = stated[0] === "" ? (written.length === 2 ? written : []) : stated;
  if (family !== "" && given !== "") return { family, given };
  if (stated[0] !== "" && oneLine(name.full ?? "") === "") return { family: stated[0] };
  return whole === "" ? null : { literal: whole };
}

/** In the order of the record; agents without a name are left out. */
export function cslNames(agents: readonly Agent[], lang: string | undefined): readonly CslName[] {
  return agents.flatMap((agent) => {
    const [name] = namesIn(agent.names, lang);
    const named = name === undefined ? null : nameOf(agent, name);
    return named ?? [];
  });
}
