import { expect, it, vi } from "vitest";

type Progress = { readProgress: (of: object, eventId: string, state: string) => Promise<object> };
const load = async (name: string) => (await import(`../../../console/pages/event/${name}.ts`)) as Progress;

it("the next escalation steps of an event are read once a minute, and again when the event's state changes", async () => {
  const { readProgress } = await load("progress");
  const api = vi.fn<() => Promise<object>>().mockResolvedValue({ rules: [] });

  for (const state of ["open", "open", "acknowledged"])
    await readProgress({ api, me: "usr_ann" }, "evt_app_progress", state);

  expect(api).toHaveBeenCalledTimes(2);
});
