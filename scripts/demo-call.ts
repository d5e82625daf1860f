import * as v from "valibot";
import type { SpawnedService } from "../local/spawn.ts";
import { Accepted, openDemoWorkspace, Made } from "./demo-workspace.ts";
import { waitForValue } from "./wait-for.ts";

/** A part of `npm run demo`: a minute after an unanswered push, the service calls a phone, and a pressed key acknowledges. */

const Phone = v.object({
  messages: v.array(
    v.object({ id: v.string(), receivedAt: v.string(), way: v.string(), to: v.string(), text: v.string() }),
  ),
});
const Pressed = v.object({ spoken: v.string(), ended: v.boolean() });
const State = v.object({ state: v.string(), acknowledgedBy: v.nullable(v.object({ name: v.string() })) });

const NUMBER = "+4930123456";
/** The number of characters of a call's first sentence, which contains the code. */
const SPOKEN_CODE = "Your code is 0, 1, 2, 3, 4, 5.".length;

/** Shows a call: adds a telephone, sends an event, and acknowledges the event by a key. `say`: prints a line. */
export const showCall = async (service: SpawnedService, print: (line: string) => void): Promise<void> => {
  const { root, ask } = openDemoWorkspace(service);
  const { inboxUrl } = service.session.phone;
  const listCalls = async () => {
    const { messages } = v.parse(Phone, await (await fetch(inboxUrl)).json());
    return messages.filter(({ way, to }) => way === "voice" && to === NUMBER);
  };

  const { id } = await ask(Made, "POST", `${root}/devices`, { phone: NUMBER, ways: ["voice"], name: "My telephone" });
  const spoken = await waitForValue("a call with the code", async () => (await listCalls()).at(-1)?.text);
  const code = spoken.slice(0, SPOKEN_CODE).replaceAll(/\D/g, "");
  await ask(v.unknown(), "POST", `${root}/devices/${id}/verify`, { code });
  const first = { afterMinutes: 0, ways: ["push"] };
  const rungs = { URGENT: [first, { afterMinutes: 1, ways: ["voice"] }] };
  await ask(v.unknown(), "PUT", `${root}/notification-rules`, { rungs });

  const event = { event: "order.stuck", title: "Orders are stuck", body: "None for ten minutes.", priority: "URGENT" };
  const { eventId } = await ask(Accepted, "POST", "/v1/events", { ...event, requiresAck: true });
  print(`\n"${event.title}" is pushed, and nobody looks. The clock is put a minute on ...`);
  const before = (await listCalls()).length;
  const call = await waitForValue(`a call to ${NUMBER}`, async () => {
    const made = (await listCalls())[before];
    if (made === undefined) {
      // Advances the clock repeatedly, because the step may be stored after the first advance.
      await service.control("POST", "/clock", { advanceSeconds: 20 });
      await service.control("POST", "/tick");
    }
    return made;
  });
  print(`rings   ${NUMBER}: "${call.text}"`);
  const answer = await fetch(`${inboxUrl}/press`, {
    method: "POST",
    body: JSON.stringify({ id: call.id, digits: "4" }),
  });
  const { spoken: said } = v.parse(Pressed, await answer.json());
  print(`pressed 4, and heard: "${said}"`);
  const { state, acknowledgedBy } = await ask(State, "GET", `${root}/events/${eventId}`);
  if (state !== "acknowledged") throw new Error(`the event is ${state} after the key`);
  print(`state   ${state} by ${acknowledgedBy?.name}`);
};
