// How a plan of provisioning and the secrets it made are shown, and where new secrets are kept (A23).

import { closeSync, existsSync, fsyncSync, openSync, rmSync, writeSync } from "node:fs";
import { type MadeSecrets, type ProvisioningResult, provision } from "../../../ark/provisioning/apply.ts";
import type { PlanStep, ProvisioningPlan } from "../../../ark/provisioning/state.ts";
import { errorMessage } from "../../../shared/error-message.ts";
import { jsonText, plural, printable, shown } from "../../process/terminal.ts";
import type { Context, Services } from "../context.ts";
import { CommandRefusal } from "../refusals.ts";

export type PlanOptions = { readonly keys: string | undefined; readonly dryRun: boolean };

/** Applies a document and shows what was done. Secrets go to the keys file, or once to the terminal. */
export async function applyAndShow(
  context: Context,
  services: Services,
  document: unknown,
  options: PlanOptions,
): Promise<void> {
  const result = await applyKeeping(services, document, options);
  for (const warning of result.plan.warnings) context.err(`Warning: ${printable(warning)}\n`);
  if (context.json) context.out(jsonText(planJson(result, options)));
  else showPlan(context, result, options);
}

async function applyKeeping(services: Services, document: unknown, options: PlanOptions): Promise<ProvisioningResult> {
  const needs = { ...services, holdMaxDays: services.config.holdMaxDays };
  if (options.dryRun) {
    const result = await provision(needs, document, { dryRun: true });
    const makesSecrets = result.plan.steps.some((step) => step.subject === "secret");
    if (options.keys !== undefined && makesSecrets && existsSync(options.keys)) throw keysExist(options.keys);
    return result;
  }
  if (options.keys === undefined) return provision(needs, document);
  const file = keysFile(options.keys);
  try {
    return await provision(needs, document, { keep: file.write });
  } catch (error) {
    file.discard();
    throw error;
  }
}

/**
 * The file of `--keys`: a new file, readable by its owner alone, and safely on disk before the database commits. The
 * transaction may run more than once: only a file made here is written over.
 */
function keysFile(path: string): { write(secrets: MadeSecrets): void; discard(): void } {
  let isOurs = false;
  return {
    write(secrets) {
      const file = openNew(path, isOurs);
      isOurs = true;
      try {
        writeSync(file, jsonText(secrets));
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
    },
    discard() {
      if (isOurs) rmSync(path, { force: true });
    },
  };
}

function openNew(path: string, isOurs: boolean): number {
  try {
    return openSync(path, isOurs ? "w" : "wx", 0o600);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code === "EEXIST") throw keysExist(path);
    throw new CommandRefusal(`Cannot write ${path}: ${errorMessage(error)}`, "Nothing was changed");
  }
}

function keysExist(path: string): CommandRefusal {
  return new CommandRefusal(
    `${path} exists already and is never written over: nothing was changed`,
    "Name another file with --keys",
  );
}

function planJson({ plan, secrets }: ProvisioningResult, { keys, dryRun }: PlanOptions): object {
  const steps = plan.steps.map((step) =>
    step.subject === "secret"
      ? { action: step.action, subject: step.kind, target: step.target, count: step.count }
      : { action: step.action, subject: step.subject, target: step.target, fields: step.fields },
  );
  const shownSecrets = dryRun || keys !== undefined ? {} : { secrets };
  return { dry_run: dryRun, steps, warnings: plan.warnings, ...shownSecrets, ...(keys === undefined ? {} : { keys }) };
}

function showPlan(context: Context, { plan, secrets }: ProvisioningResult, { keys, dryRun }: PlanOptions): void {
  for (const step of plan.steps) context.out(`${stepLine(step)}\n`);
  context.out(`${summaryOf(plan, dryRun)}\n`);
  if (dryRun || Object.keys(secrets).length === 0) return;
  if (keys !== undefined) {
    context.out(`New secrets are in ${keys}.\n`);
    return;
  }
  context.out("\nNew secrets, shown this once and kept nowhere:\n");
  for (const [clientId, made] of Object.entries(secrets)) {
    for (const secret of made.api_keys) context.out(`  ${clientId}  API key        ${secret}\n`);
    for (const secret of made.client_secrets) context.out(`  ${clientId}  client secret  ${secret}\n`);
  }
}

function summaryOf(plan: ProvisioningPlan, dryRun: boolean): string {
  if (plan.steps.length === 0) return "Nothing to change: everything is as described.";
  const changes = plural(plan.steps.length, "change");
  return dryRun ? `${changes} to make. This was a dry run: nothing was changed.` : `${changes} made.`;
}

function stepLine(step: PlanStep): string {
  if (step.subject === "secret") {
    const kind = step.kind === "api_key" ? "API key" : "client secret";
    return `+ ${plural(step.count, kind)} for ${step.target}`;
  }
  const fields = step.fields.map(({ field, before, after }) =>
    step.action === "add" ? `${field}: ${shown(after)}` : `${field}: ${shown(before)} -> ${shown(after)}`,
  );
  const sign = step.action === "add" ? "+" : "~";
  return `${sign} ${step.subject} ${printable(step.target)}${fields.length > 0 ? `  (${fields.join(", ")})` : ""}`;
}
