import type { Deps, TimedDeps } from "../../deps.ts";
import type { WebhookMessage } from "../../queue/messages.ts";
import { sendAll } from "../../queue/send.ts";
import { countEntries } from "../../store/configuration/audit-trail.ts";
import { listWatches } from "../../store/delivery/watches.ts";
import type { Sweep } from "./due-items.ts";
import { computeDelayUntil } from "../work.ts";

type SweepDeps = TimedDeps & { queues: Pick<Deps["queues"], "webhooks"> };

/** Queues checks of watched workspaces that have new audit entries, or whose people on call may change until `upTo`. */
export const sweepWatches = async (deps: SweepDeps, sweep: Sweep, upTo: number): Promise<void> => {
  const watches = (await listWatches(deps)).flatMap((watch) => {
    if (watch.kind === "readable") return [watch];
    sweep.fail(watch.key, watch.error);
    return [];
  });
  if (watches.length === 0) return;
  const counts = await countEntries(
    deps,
    watches.map(({ item }) => item.ws),
  );
  const messages = watches.flatMap(({ key, item: { ws, seen, due } }) => {
    const isBehind = (counts.get(ws) ?? 0) > seen.seq;
    if (!isBehind && due > upTo) return [];
    if (due > 0) sweep.found.oldestSince = Math.min(sweep.found.oldestSince, due);
    const message = { kind: "watch", ws } satisfies WebhookMessage;
    return [{ key, message, delayMs: isBehind ? 0 : (computeDelayUntil(due, deps.now()) ?? 0) }];
  });
  for (const { outgoing, error } of await sendAll(deps.queues.webhooks, messages)) sweep.fail(outgoing.key, error);
};
