import { expect, it } from "vitest";
import { listSwitchSteps, summarizeSteps } from "../../console/pages/heartbeats/switch-steps.ts";

const noon = Date.parse("2026-11-29T12:00:00.000Z");
const [later, fresh, old] = ["2026-11-29T12:08:00.000Z", "2026-11-29T11:58:00.000Z", "2026-11-29T11:45:00.000Z"];
const slow = "2026-11-29T11:52:00.000Z";
const event = "The service sends no events. Ask the operator.";
const receipt = "The device does not confirm the events. Open the console or the app on the device.";
const call = "The URL accepts no calls. Compare the URL with the monitor's settings.";
const gone = "The device was removed. Choose another device.";

it.each<[string, (string | null)[], string[], string, (string | undefined)[]]>([
  ["just set", [fresh, null, null], [], "waiting", []],
  ["working", [fresh, fresh, fresh], [], "working", []],
  ["late, but by less than two intervals", [fresh, fresh, old], [], "working", []],
  ["without recent events", [old, old, old], ["calls_stopped"], "stopped", [event]],
  ["without any event", [null, null, null], ["calls_stopped"], "stopped", [event]],
  ["without recent receipts", [fresh, old, old], ["calls_stopped"], "stopped", [undefined, receipt]],
  [
    "without recent receipts, and late by one interval",
    [slow, old, old],
    ["calls_stopped"],
    "stopped",
    [undefined, receipt],
  ],
  ["refused by its URL", [fresh, fresh, null], ["calls_stopped"], "stopped", [undefined, undefined, call]],
  [
    "without receipts of the newest event, by a slow clock",
    [later, fresh, fresh],
    ["calls_stopped"],
    "stopped",
    [undefined, receipt],
  ],
  ["set to a removed device", [fresh, fresh, fresh], ["device_removed"], "stopped", [undefined, gone]],
])(
  "the page of a dead man's switch shows the failed step, if any, and what to do: the switch is %s",
  (_about, reached, codes, state, remedies) => {
    const [lastEventAt = null, lastReceiptAt = null, lastCallAt = null] = reached;
    const warnings = codes.map((code) => ({ code, message: "" }));

    const steps = listSwitchSteps({ everyMinutes: 5, lastEventAt, lastReceiptAt, lastCallAt, warnings }, noon);

    expect(steps.map(({ name, at }) => [name, at])).toEqual([
      ["Last event", reached[0]],
      ["Last confirmation by the device", reached[1]],
      ["Last call to the URL", reached[2]],
    ]);
    expect(summarizeSteps(steps)).toBe(state);
    expect(steps.map(({ isOld = false }) => isOld)).toEqual(
      [0, 1, 2].map((index) => remedies.length > 0 && index >= remedies.length),
    );
    expect(steps.map(({ remedy }) => remedy)).toEqual([0, 1, 2].map((index) => remedies[index]));
  },
);
