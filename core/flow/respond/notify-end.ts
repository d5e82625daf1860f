import type { Deps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { addSiteName } from "../../domain/event/event.ts";
import type { EndMessage } from "../../queue/messages.ts";
import { sendMessages } from "../../queue/send.ts";
import { readEvent } from "../../store/events/events.ts";
import { readPlannedPacks } from "../read/read-event.ts";

export type NotifyDeps = Pick<Deps, "table" | "log"> & { queues: Pick<Deps["queues"], "pushes" | "webhooks"> };

/** `device`: the device that the person used, which gets no new push. */
export type EndDetails = {
  state: "resolved" | "acknowledged";
  by: { id: string; name: string };
  device?: string | undefined;
};

/** The maximum number of packs whose pushes are replaced; other recipients see the change when they open the event. */
const PACKS_NOTIFIED = 200;

const words = { resolved: "Resolved", acknowledged: "Acknowledged" } as const;

/** Sends pushes that say who acknowledged or resolved the event. If a push fails, a tap on the old push still shows the state. */
export const replacePushes = async (
  deps: NotifyDeps,
  ws: WorkspaceId,
  eventId: string,
  { state, by, device }: EndDetails,
): Promise<void> => {
  try {
    const event = await readEvent(deps, ws, eventId);
    if (event?.plan === undefined) return;
    const { content, plan } = event;
    const text = addSiteName({ title: `${words[state]}: ${content.title}`, body: `By ${by.name}` }, content.data);
    const planned = await readPlannedPacks(deps, { ...event, plan });
    const overs = planned
      .slice(0, PACKS_NOTIFIED)
      .map(({ packId }): EndMessage => ({ kind: "over", ws, packId, by: by.id, state, text, device }));
    await sendMessages(
      deps.queues.pushes,
      overs.map((message) => ({ message })),
    );
  } catch (error) {
    deps.log.error("event.end_not_sent", error, { workspaceId: ws, eventId });
  }
};
