import { expect, it, vi } from "vitest";
import { emptyDraft } from "../../../console/pages/rule/draft.ts";
import { createEvent } from "../../support/console-event.ts";
import { aBrowser, type Signal } from "./browser.ts";

type Tester = Record<"state" | "past" | "eventType", Signal<unknown>> &
  Record<"follow" | "lookBackOver", (...args: unknown[]) => void>;
const file = "../../../console/pages/rule/effect.ts";

it("a rule's draft is tried on the event that the user chose and on recent events; the preview of an earlier draft or period is hidden", async () => {
  const browser = aBrowser();
  const { createDraftTester } = (await import(file)) as { createDraftTester: (...args: unknown[]) => Tester };
  const chosen = createEvent({ id: "evt_2", requiresAck: false });
  const answers: (() => void)[] = [];
  const sent: unknown[] = [];
  const api = (
    name: string,
    { path, body }: { path: { eventId: string }; body: { event: { requiresAck?: boolean }; days: number } },
  ) => {
    if (name === "simulate/simulate-history")
      return new Promise((answer) => answers.push(() => answer({ days: body.days })));
    if (name === "events/get-event") return createEvent({ id: path.eventId });
    if (name === "event-types/get-event-type") return { fields: ["data.code"], texts: ["data.log"] };
    sent.push(body.event.requiresAck);
    return { rules: [{ id: "rule_9" }, { id: null }], warnings: ["about the group"] };
  };
  const recent = ["disk.full", "disk.full", "host.down"].map((eventKey, nr) => ({ id: `evt_${nr + 1}`, eventKey }));
  const tester = createDraftTester(async (name: string, ask: never) => api(name, ask), recent, chosen, "rule_1");
  const draft = { ...emptyDraft, eventKey: "disk.*" };
  const run = (ms: number) => browser.timers.find((timer) => timer.ms === ms)?.run();

  tester.follow(draft, "grp_1");
  run(250);
  const tried = [chosen, createEvent({ id: "evt_1" })].map((event) => ({ event, rule: { id: null } }));
  const shown = { kind: "shown", tried, fitting: 2, recent: 3, warnings: [] };
  await vi.waitFor(() => expect(tester.state.value).toEqual(shown), { interval: 1 });
  expect(sent).toEqual([false, undefined]);
  expect(tester.eventType.value).toEqual(["data.code", "data.log"]);

  run(1_000);
  tester.follow({ ...draft, groupIds: ["grp_1"] }, "grp_1");
  run(250);
  answers[0]!();
  const warned = { ...shown, warnings: ["about the group"] };
  await vi.waitFor(() => expect(tester.state.value).toEqual(warned), { interval: 1 });
  expect(tester.past.value).toBeUndefined();
  for (const days of [7, 28]) tester.lookBackOver(days);
  answers[2]!();
  await vi.waitFor(() => expect(tester.past.value).toEqual({ kind: "found", history: { days: 28 } }), { interval: 1 });
  tester.lookBackOver(7);
  answers[1]!();
  await new Promise(setImmediate);
  expect(tester.past.value).toBeUndefined();
});
