import { readFileSync } from "node:fs";
import * as v from "valibot";
import { isSkip, type Check } from "./check.ts";
import { access } from "./checks/access.ts";
import { eventFields } from "./checks/event-fields.ts";
import { events } from "./checks/events.ts";
import { life, statistics } from "./checks/life.ts";
import { conditions } from "./checks/conditions.ts";
import { devices } from "./checks/devices.ts";
import { eventTypes } from "./checks/event-types.ts";
import { groups } from "./checks/groups.ts";
import { matching } from "./checks/matching.ts";
import { notices } from "./checks/notices.ts";
import { notificationRules } from "./checks/notification-rules.ts";
import { notifications } from "./checks/notifications.ts";
import { onCall } from "./checks/on-call.ts";
import { policies } from "./checks/policies.ts";
import { workspaces } from "./checks/workspaces.ts";
import { rules } from "./checks/rules.ts";
import { simulations } from "./checks/simulate.ts";
import { sources } from "./checks/sources.ts";
import { versions } from "./checks/versions.ts";
import { connections } from "./checks/connections.ts";
import { webhooks } from "./checks/webhooks.ts";
import { heartbeats } from "./checks/heartbeats.ts";
import { silences } from "./checks/silences.ts";
import { readArguments } from "../tools/command-line.ts";
import { connect, Session } from "./client.ts";
import { createWorld, type World } from "./world.ts";

export const checks: readonly Check[] = [
  ...eventFields,
  ...events,
  ...sources,
  ...access,
  ...rules,
  ...conditions,
  ...matching,
  ...policies,
  ...versions,
  ...simulations,
  ...silences,
  ...heartbeats,
  ...webhooks,
  ...connections,
  ...life,
  ...groups,
  ...notices,
  ...notifications,
  ...workspaces,
  ...devices,
  ...notificationRules,
  ...onCall,
  ...eventTypes,
  ...statistics,
];

export type Outcome = { kind: "passed" | "skipped" } | { kind: "failed"; reason: string };
export type Ended = { check: Check; outcome: Outcome };

const runCheck = async (check: Check, world: World): Promise<Outcome> => {
  try {
    await check.run(world);
    return { kind: "passed" };
  } catch (error) {
    if (isSkip(error)) return { kind: "skipped" };
    return { kind: "failed", reason: error instanceof Error ? error.message : String(error) };
  }
};

/** Runs the checks one by one, and yields each check with its outcome. */
export async function* runChecks(
  baseUrl: string,
  session: Session,
  checksToRun: readonly Check[] = checks,
): AsyncGenerator<Ended, void> {
  const world = createWorld(connect(baseUrl), session);
  for (const check of checksToRun) yield { check, outcome: await runCheck(check, world) };
}

const marks = { passed: "ok  ", skipped: "skip", failed: "FAIL" } as const;

const usage = "npm run conformance -- --base-url http://127.0.0.1:3000 --session .local/session.json [--only words]";

const main = async (): Promise<number> => {
  const values = readArguments(usage, {
    "base-url": { type: "string" },
    session: { type: "string" },
    only: { type: "string" },
  });
  const { session: file, only = "" } = values;
  if (file === undefined) {
    console.error(`Which session file? ${usage}`);
    return 2;
  }
  const json: unknown = JSON.parse(readFileSync(file, "utf8"));
  const session = v.parse(Session, json);
  const baseUrl = values["base-url"] ?? v.parse(v.object({ baseUrl: v.string() }), json).baseUrl;
  const chosen = checks.filter(({ section, holds }) =>
    `${section}: ${holds}`.toLowerCase().includes(only.toLowerCase()),
  );
  const counts = { passed: 0, skipped: 0, failed: 0 };
  let section = "";
  for await (const { check, outcome } of runChecks(baseUrl, session, chosen)) {
    if (check.section !== section) console.log(`\n${check.section}`);
    ({ section } = check);
    counts[outcome.kind] += 1;
    console.log(`  ${marks[outcome.kind]} ${check.holds}`);
    if (outcome.kind === "failed") console.log(`       ${outcome.reason}`);
  }
  console.log(
    `\n${counts.passed} of ${chosen.length} checks passed, ${counts.failed} failed, ${counts.skipped} skipped.`,
  );
  return counts.failed === 0 ? 0 : 1;
};

if (import.meta.main) process.exitCode = await main();
