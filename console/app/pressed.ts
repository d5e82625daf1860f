import { signal } from "@preact/signals";
import { acknowledgeOrKeep } from "./outbox.ts";
import { texts } from "../texts.ts";

/* An event is shown as acknowledged only after the service's confirmation. */

type Pressed = "sending" | "acknowledged";

/** By event id. Unsent acknowledgements are in the outbox instead. */
export const pressed = signal<ReadonlyMap<string, Pressed>>(new Map());

const setPressedState = (ids: readonly string[], as: Pressed | undefined): void => {
  const others = [...pressed.peek()].filter(([id]) => !ids.includes(id));
  pressed.value = new Map([...others, ...(as === undefined ? [] : ids.map((id) => [id, as] as const))]);
};

/** If such an event opens again, it can be acknowledged again. */
export const forgetClosedEvents = (open: readonly string[]): void => {
  const gone = [...pressed.peek()].flatMap(([id, as]) => (as === "acknowledged" && !open.includes(id) ? [id] : []));
  if (gone.length > 0) setPressedState(gone, undefined);
};

/** Throws a Failed if the service refuses. */
export const pressAcknowledge = async (workspaceId: string, ids: readonly string[]): Promise<string> => {
  setPressedState(ids, "sending");
  try {
    const sent = await acknowledgeOrKeep(workspaceId, ids);
    setPressedState(ids, undefined);
    setPressedState(ids.slice(0, sent), "acknowledged");
    return sent === ids.length ? texts.inbox.acknowledged(sent) : texts.inbox.kept(ids.length - sent);
  } catch (error) {
    setPressedState(ids, undefined);
    throw error;
  }
};
