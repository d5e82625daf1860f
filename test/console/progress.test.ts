import { expect, it, vi } from "vitest";

type Progress = {
  readProgress: (page: { api: () => Promise<object>; me: string }, eventId: string, state: string) => Promise<object>;
};
/** By its name, because what it imports has the types of a browser. */
const load = async (name: string) => (await import(`../../console/pages/event/${name}.ts`)) as Progress;

it("the next steps of an event are read once a minute, and again when its state changes", async () => {
  const { readProgress } = await load("progress");
  const api = vi.fn<() => Promise<object>>().mockResolvedValue({ rules: [] });

  for (const state of ["open", "open", "acknowledged"])
    await readProgress({ api, me: "usr_ann" }, "evt_progress", state);

  expect(api).toHaveBeenCalledTimes(2);
});
