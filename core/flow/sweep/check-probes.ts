import type { Deps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { runInTurns } from "../../domain/basics/in-turns.ts";
import { startOfNextInterval } from "../../domain/basics/time.ts";
import { MINUTE_MS } from "../../domain/basics/units.ts";
import type { StoredProbe } from "../../domain/event/probe.ts";
import { isRecent, mayBeUnmatched, mustSendPush, peopleOfProbe } from "../../domain/planning/probe.ts";
import { sendMessages } from "../../queue/send.ts";
import { loadPeople } from "../../store/people/people.ts";
import { listProbes, putProbedPerson, type Probes } from "../../store/schedules/probes.ts";

type ProbeDeps = Pick<Deps, "table" | "now" | "newId"> & { queues: Pick<Deps["queues"], "pushes"> };

/** People that are asked concurrently. */
const AT_ONCE = 10;

/** Asks a person by one push for all rules, or sends the same push again if no push service has accepted it. */
const askPerson = async (
  deps: ProbeDeps,
  ws: WorkspaceId,
  userId: string,
  probes: readonly StoredProbe[],
  known: Probes,
) => {
  const last = known.people.get(userId);
  const isSame = last !== undefined && probes.every(({ matchedAt = 0 }) => matchedAt <= last.askedAt);
  const id = isSame ? last.id : deps.newId("prb");
  if (!isSame) await putProbedPerson(deps, ws, { userId, id, askedAt: deps.now() });
  await sendMessages(deps.queues.pushes, [{ message: { kind: "probe", ws, userId, id } }]);
};

/** Asks each person whom a workspace's probes reach to confirm a push. Returns when to check again; undefined if never. */
export const checkProbes = async (deps: ProbeDeps, ws: WorkspaceId): Promise<number | undefined> => {
  const known = await listProbes(deps, ws);
  const now = deps.now();
  const probes = [...known.rules.values()];
  const again = probes.some((probe) => mayBeUnmatched(probe, now)) ? startOfNextInterval(now, MINUTE_MS) : undefined;
  const recent = probes.filter((probe) => isRecent(probe, now));
  if (recent.length === 0) return again;
  const people = await loadPeople(deps, ws);
  const asks = recent.flatMap((probe) =>
    peopleOfProbe(probe, people, now)
      .filter((userId) => mustSendPush(probe, known.people.get(userId), now))
      .map((userId) => ({ userId, probe })),
  );
  const byPerson = [...Map.groupBy(asks, ({ userId }) => userId)];
  await runInTurns(byPerson, AT_ONCE, ([userId, own]) => {
    const ownProbes = own.map(({ probe }) => probe);
    return askPerson(deps, ws, userId, ownProbes, known);
  });
  return byPerson.length > 0 ? startOfNextInterval(now, MINUTE_MS) : again;
};
