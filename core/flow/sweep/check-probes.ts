import type { Deps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { mapLimit } from "../../domain/basics/in-turns.ts";
import { computeStartOfNextInterval } from "../../domain/basics/time.ts";
import { MINUTE_MS } from "../../domain/basics/units.ts";
import type { ProbePlan, StoredProbe } from "../../domain/event/probe.ts";
import { createProbeNotice } from "../../domain/event/notices.ts";
import { isProbeRecent, mayBeUnmatched, mustSendPush, listProbedPeople } from "../../domain/planning/probe.ts";
import { isProbedRule, scheduleProbes, computeProbesFinalTime } from "../../domain/planning/probe-schedule.ts";
import { findNewlyFailedProbes, listProbeViews, type ProbeView } from "../../domain/planning/probe-view.ts";
import type { Control } from "../../domain/workspace/control.ts";
import { setProbedVersion } from "../../store/events/control.ts";
import { putDueCheck } from "../../store/schedules/reachability-checks.ts";
import { listRules } from "../../store/rules/rules.ts";
import { createOwnIngest, type IngestDeps } from "../ingest/ingest-event.ts";
import { listNewestEvents, sendProbeEvent } from "../ingest/send-probe.ts";
import { sendMessages } from "../../queue/send.ts";
import { loadPeople } from "../../store/people/people.ts";
import {
  listProbes,
  putProbedPerson,
  readProbePlan,
  replaceProbePlan,
  setProbesDue,
  type Probes,
} from "../../store/schedules/probes.ts";

type ProbeDeps = IngestDeps & { queues: Pick<Deps["queues"], "pushes"> };

const AT_ONCE = 10;

/** Queues one silent push to a person for all `probes`. Repeats the last push if it was queued after all their matches. */
const queueProbePush = async (
  deps: ProbeDeps,
  ws: WorkspaceId,
  userId: string,
  probes: readonly StoredProbe[],
  allProbes: Probes,
) => {
  const last = allProbes.people.get(userId);
  const isSame = last !== undefined && probes.every(({ matchedAt = 0 }) => matchedAt <= last.askedAt);
  const id = isSame ? last.id : deps.newId("prb");
  if (!isSame) await putProbedPerson(deps, ws, { userId, id, askedAt: deps.now() });
  await sendMessages(deps.queues.pushes, [{ message: { kind: "probe", ws, userId, id } }]);
};

/** Queues the pushes of recent probes. Returns the time of the next check, if another check is needed. */
const queueProbePushes = async (deps: ProbeDeps, ws: WorkspaceId, allProbes: Probes): Promise<number | undefined> => {
  const now = deps.now();
  const probes = [...allProbes.rules.values()];
  const again = probes.some((probe) => mayBeUnmatched(probe, now))
    ? computeStartOfNextInterval(now, MINUTE_MS)
    : undefined;
  const recent = probes.filter((probe) => isProbeRecent(probe, now));
  if (recent.length === 0) return again;
  const people = await loadPeople(deps, ws);
  const asks = recent.flatMap((probe) =>
    listProbedPeople(probe, people, now)
      .filter((userId) => mustSendPush(probe, allProbes.people.get(userId), now))
      .map((userId) => ({ userId, probe })),
  );
  const byPerson = [...Map.groupBy(asks, ({ userId }) => userId)];
  await mapLimit(byPerson, AT_ONCE, ([userId, own]) => {
    const ownProbes = own.map(({ probe }) => probe);
    return queueProbePush(deps, ws, userId, ownProbes, allProbes);
  });
  return byPerson.length > 0 ? computeStartOfNextInterval(now, MINUTE_MS) : again;
};

/** Notifies people of newly failed probes. Returns the failures to store as notified; undefined if another sweep notifies. */
const notifyOfFailures = async (
  deps: ProbeDeps,
  ws: WorkspaceId,
  plan: ProbePlan,
  views: readonly ProbeView[],
): Promise<string[] | undefined> => {
  const { fresh, marks } = findNewlyFailedProbes(views, plan.red);
  if (fresh.length === 0) return marks;
  const made = await createOwnIngest(deps)({ workspaceId: ws, ...createProbeNotice(plan.at ?? 0, fresh) });
  return made === undefined ? undefined : marks;
};

/** Sends the probes that are due, and plans the next probes. Returns the time of the next check, if another check is needed. */
const runProbePlan = async (
  deps: ProbeDeps,
  ws: WorkspaceId,
  allProbes: Probes,
  plan: ProbePlan,
): Promise<number | undefined> => {
  const [rules, people] = await Promise.all([listRules(deps, ws), loadPeople(deps, ws)]);
  const now = deps.now();
  const views = listProbeViews(rules.filter(isProbedRule), people, allProbes, now);
  const red = computeProbesFinalTime(allProbes.rules) > now ? plan.red : await notifyOfFailures(deps, ws, plan, views);
  if (red === undefined) return computeStartOfNextInterval(now, MINUTE_MS);
  const { due, next } = scheduleProbes(rules, people, allProbes.rules, { since: plan.since, now });
  const examples = due.length > 0 ? await listNewestEvents(deps, ws) : [];
  await mapLimit(due, AT_ONCE, (rule) => sendProbeEvent(deps, rule, examples));
  const at = next < Infinity ? computeStartOfNextInterval(next - 1, MINUTE_MS) : undefined;
  const planned = { since: plan.since, red, ...(at === undefined ? {} : { at }) };
  // If the rules have changed since they were read, the plan is not stored, and the next check reads the new rules.
  const isStored = await replaceProbePlan(deps, ws, plan.at, planned);
  return due.length > 0 || !isStored ? computeStartOfNextInterval(now, MINUTE_MS) : at;
};

/** Checks a workspace's probes. Returns the time of the next check, or undefined if no check is needed. */
export const checkProbes = async (deps: ProbeDeps, ws: WorkspaceId): Promise<number | undefined> => {
  const [allProbes, plan] = await Promise.all([listProbes(deps, ws), readProbePlan(deps, ws)]);
  const again = await queueProbePushes(deps, ws, allProbes);
  const isDue = plan?.at !== undefined && plan.at <= deps.now();
  const next = isDue ? await runProbePlan(deps, ws, allProbes, plan) : plan?.at;
  return again ?? next;
};

/** Makes probes due after a change of rules. Stores the rules' version last: the next audit repeats a failed attempt. */
export const rescheduleProbes = async (deps: ProbeDeps, ws: WorkspaceId, control: Control): Promise<void> => {
  if (control.rulesVersion === control.probedVersion) return;
  const due = computeStartOfNextInterval(deps.now(), MINUTE_MS);
  await putDueCheck(deps, { ws, due });
  await setProbesDue(deps, ws, due);
  await setProbedVersion(deps, ws, control.rulesVersion);
};
