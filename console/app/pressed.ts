import { signal } from "@preact/signals";
import { acknowledgeOrKeep } from "./outbox.ts";
import { texts } from "../texts.ts";

/* An event is shown as acknowledged only after the service's confirmation. */

type PressState = "sending" | "acknowledged";

/** The state of acknowledgements, by event id. Unsent acknowledgements are in the outbox instead. */
export const pressed = signal<ReadonlyMap<string, PressState>>(new Map());

/** Stores the state for each event; undefined removes the events' states. */
const setPressedState = (eventIds: readonly string[], state: PressState | undefined): void => {
  const others = [...pressed.peek()].filter(([id]) => !eventIds.includes(id));
  pressed.value = new Map([...others, ...(state === undefined ? [] : eventIds.map((id) => [id, state] as const))]);
};

/** Forgets that closed events were acknowledged, so that they can be acknowledged if they open again. */
export const forgetClosedEvents = (openEventIds: readonly string[]): void => {
  const gone = [...pressed.peek()].flatMap(([id, as]) =>
    as === "acknowledged" && !openEventIds.includes(id) ? [id] : [],
  );
  if (gone.length > 0) setPressedState(gone, undefined);
};

/** Acknowledges events, and returns a message about the outcome. Throws `Failed` if the service refuses. */
export const pressAcknowledge = async (workspaceId: string, eventIds: readonly string[]): Promise<string> => {
  setPressedState(eventIds, "sending");
  try {
    const sent = await acknowledgeOrKeep(workspaceId, eventIds);
    setPressedState(eventIds, undefined);
    setPressedState(eventIds.slice(0, sent), "acknowledged");
    return sent === eventIds.length ? texts.inbox.acknowledged(sent) : texts.inbox.kept(eventIds.length - sent);
  } catch (error) {
    setPressedState(eventIds, undefined);
    throw error;
  }
};
