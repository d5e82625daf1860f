import { beforeEach, expect, it } from "vitest";
import type { WorkspaceId } from "../../../core/domain/basics/ids.ts";
import { aBrowser, aService, failureOf, load, type Signal } from "./browser.ts";

type Pressed = {
  pressed: Signal<ReadonlyMap<string, string>>;
  pressAcknowledge: (workspaceId: WorkspaceId, ids: readonly string[]) => Promise<string>;
  forgetClosedEvents: (open: readonly string[]) => void;
};

let service: ReturnType<typeof aService>;
const openPage = async () => {
  const { startSession } = await load<{ startSession: () => Promise<void> }>("session");
  await startSession();
  const { unsentIds } = await load<{ unsentIds: Signal<Set<string>> }>("outbox");
  const parts = await load<Pressed>("pressed");
  const readShownState = () => ({ pressed: [...parts.pressed.value], unsent: [...unsentIds.value] });
  return { ...parts, said: readShownState };
};

beforeEach(() => {
  const browser = aBrowser();
  browser.kept.set("refresh-token", "first");
  service = aService();
});

it("an acknowledgement is shown as sending until the service has confirmed it", async () => {
  const { pressAcknowledge, forgetClosedEvents, said } = await openPage();
  const answer = Promise.withResolvers<Response>();
  service.answers.api = () => answer.promise as never;

  const pressing = pressAcknowledge("ws_1", ["evt_1", "evt_2"]);
  forgetClosedEvents([]);
  expect(said()).toEqual({
    pressed: [
      ["evt_1", "sending"],
      ["evt_2", "sending"],
    ],
    unsent: [],
  });
  answer.resolve(Response.json([]));

  expect(await pressing).toBe("2 events acknowledged.");
  expect(said()).toEqual({
    pressed: [
      ["evt_1", "acknowledged"],
      ["evt_2", "acknowledged"],
    ],
    unsent: [],
  });
});

it("if one of several acknowledgement requests fails, its acknowledgements and all later ones are kept as unsent", async () => {
  const { pressAcknowledge, said } = await openPage();
  const ids = Array.from({ length: 230 }, (_, nr) => `evt_${nr}`);
  let calls = 0;
  service.answers.api = () => {
    calls += 1;
    return calls === 2 ? new Response("{}", { status: 503 }) : Response.json([]);
  };

  await pressAcknowledge("ws_1", ids);

  expect(said().pressed.map(([id]) => id)).toEqual(ids.slice(0, 100));
  expect(said().unsent).toEqual(ids.slice(100));
});

it.each([500, 503, 429])("a pressed acknowledgement is shown as unsent if the service answers %i", async (status) => {
  const { pressAcknowledge, said } = await openPage();
  service.answers.api = () => new Response("{}", { status });

  expect(await pressAcknowledge("ws_1", ["evt_1"])).toBe(
    "1 acknowledgement is not sent yet. The console keeps trying.",
  );
  expect(said()).toEqual({ pressed: [], unsent: ["evt_1"] });
});

it("a pressed acknowledgement shows the reason if the service refuses it", async () => {
  const { pressAcknowledge, said } = await openPage();
  service.answers.api = () => Response.json({ detail: "No." }, { status: 403 });

  expect(await failureOf(pressAcknowledge("ws_1", ["evt_1"]))).toMatchObject({ message: "No." });
  expect(said()).toEqual({ pressed: [], unsent: [] });
});

it("a pressed acknowledgement is forgotten when its event closes, so that the event can be acknowledged again if it reopens", async () => {
  const { pressAcknowledge, forgetClosedEvents, said } = await openPage();
  await pressAcknowledge("ws_1", ["evt_1", "evt_2"]);

  forgetClosedEvents(["evt_2", "evt_3"]);
  expect(said().pressed).toEqual([["evt_2", "acknowledged"]]);
  forgetClosedEvents([]);
  expect(said().pressed).toEqual([]);
});
