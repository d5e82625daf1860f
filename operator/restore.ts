import type { WorkspaceId } from "../core/domain/basics/ids.ts";
import { listEventsBetween } from "../core/store/events/events.ts";
import { readControl } from "../core/store/events/control.ts";
import { listWorkspaces } from "../core/store/people/workspaces.ts";
import type { Deps } from "../core/deps.ts";
import { toIso } from "../core/domain/basics/time.ts";
import { readStageSettings as readSettings, readStagesFile } from "../lib/stages.ts";
import { createProgress } from "../tools/program.ts";
import { startIntake, stopIntake } from "./writing-functions.ts";
import { anotherTable, type Command, requireOption, openTable } from "./options.ts";
import { OperatorError } from "./stage.ts";

const PAGE = 100;

/** Lists the events of a workspace since a time, newest first. */
const listEventsSince = async (deps: Pick<Deps, "table">, ws: WorkspaceId, since: number) => {
  const control = await readControl(deps, ws);
  const found = [];
  for (let to = control?.seq ?? 0; to > 0; to -= PAGE) {
    const page = await listEventsBetween(deps, ws, { from: Math.max(1, to - PAGE + 1), to });
    const wanted = page.filter(({ receivedAt }) => receivedAt >= since);
    found.push(...wanted);
    // Sequence numbers are only roughly in order of time, so the search ends after a whole page of earlier events.
    if (page.length > 0 && wanted.length === 0) break;
  }
  return found.map(({ eventId, receivedAt, content: { eventKey, title } }) => ({
    eventId,
    receivedAt: toIso(receivedAt),
    eventKey,
    title,
  }));
};

/** Returns the time of `--since` in epoch milliseconds. Throws OperatorError if the text is not a time. */
const parseSinceMs = (text: string): number => {
  const moment = Date.parse(text);
  if (Number.isNaN(moment)) throw new OperatorError("--since must be a time such as 2026-11-21T10:00:00Z.");
  return moment;
};

export const restoreCommands: Readonly<Record<string, Command>> = {
  "stop-intake": {
    does: "Refuses every call that would change data (503), until you run start-intake. Reads and deliveries continue.",
    needs: {},
    run: async (clients, options) => ({ stopped: await stopIntake(clients, requireOption(options, "stage")) }),
  },
  "start-intake": {
    does: "Ends stop-intake. The ingest function gets back the reserved concurrency that stages.json sets for the stage.",
    needs: {},
    run: async (clients, options) => {
      const stage = requireOption(options, "stage");
      const { ingestConcurrency } = readSettings({ stage }, readStagesFile());
      return { started: await startIntake(clients, stage, ingestConcurrency) };
    },
  },
  "events-since": {
    does: "Lists the events that were accepted since a point in time, by workspace: a restore to that point in time loses these events.",
    needs: { since: "the point in time, such as 2026-11-21T10:00:00Z" },
    takes: anotherTable,
    run: async (clients, options) => {
      const since = parseSinceMs(requireOption(options, "since"));
      const deps = await openTable(clients, options);
      const workspaces = await listWorkspaces(deps);
      const tick = createProgress(process.stderr)("workspaces", workspaces.length);
      const all = await Promise.all(
        workspaces.map(async ({ id, name }) => {
          const events = await listEventsSince(deps, id, since);
          tick();
          return { workspaceId: id, name, events };
        }),
      );
      return all.filter(({ events }) => events.length > 0);
    },
  },
};
