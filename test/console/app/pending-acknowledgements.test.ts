import { describe, expect, it } from "vitest";
import { Failed, type Failure, createRefusal } from "../../../console/app/failure.ts";
import {
  type Acknowledgement,
  createRetryTimer,
  storeAcknowledgements,
  isRetryable,
  sendStoredAcknowledgements,
} from "../../../console/app/pending-acknowledgements.ts";

const createRefusedFailure = (status: number, retryAfter?: number): Failure =>
  createRefusal(status, { retryAfter }).failure;
const createAcknowledgementOfAnn = (eventId: string): Acknowledgement => ({
  userId: "usr_ann",
  workspaceId: "ws_1",
  eventId,
});
const createAcknowledgementOfBob = (eventId: string): Acknowledgement => ({
  userId: "usr_bob",
  workspaceId: "ws_1",
  eventId,
});

/** Requests get the given answers in order, and then succeed. */
const aBrowser = (pending: Acknowledgement[], answers: readonly (Failure | undefined)[] = []) => {
  const world = { kept: pending, at: 0, me: "usr_ann" as string | undefined, sent: [] as string[] };
  const pace = createRetryTimer(
    () => world.at,
    () => 1,
  );
  const left = [...answers];
  const store = {
    read: () => world.kept,
    write: (next: Acknowledgement[]) => {
      world.kept = next;
    },
  };
  const keeping = {
    ...store,
    userId: () => world.me,
    send: async ({ eventId }: Acknowledgement) => {
      world.sent.push(`${world.me ?? "nobody"} ${eventId}`);
      const failure = left.shift();
      if (failure !== undefined) throw new Failed(failure);
    },
  };
  return { world, pace, store, send: () => sendStoredAcknowledgements(keeping, pace) };
};

describe("an acknowledgement that could not be sent", () => {
  const passing: [string, Failure][] = [
    ["no answer", { kind: "offline" }],
    ["the end of the session", { kind: "signed-out" }],
    ...[408, 425, 429, 500, 502, 503, 504].map((status): [string, Failure] => [
      `${status}`,
      createRefusedFailure(status),
    ]),
  ];
  it.each(passing)("is stored for another attempt after %s", async (_, failure) => {
    const { world, pace, send } = aBrowser(
      [createAcknowledgementOfAnn("evt_1"), createAcknowledgementOfAnn("evt_2")],
      [failure],
    );

    expect(await send()).toBe(false);

    expect(world.kept).toEqual([createAcknowledgementOfAnn("evt_1"), createAcknowledgementOfAnn("evt_2")]);
    expect(world.sent).toEqual(["usr_ann evt_1"]);
    expect(pace.isDue()).toBe(false);
    expect(isRetryable(failure)).toBe(true);
  });

  it.each([400, 403, 404, 409, 410, 413, 422])(
    "is dropped after %s, which is final, and the next stored acknowledgement is sent",
    async (status) => {
      const { world, send } = aBrowser(
        [createAcknowledgementOfAnn("evt_1"), createAcknowledgementOfAnn("evt_2")],
        [createRefusedFailure(status)],
      );

      expect(await send()).toBe(true);

      expect(world).toMatchObject({ kept: [], sent: ["usr_ann evt_1", "usr_ann evt_2"] });
    },
  );

  it("is retried after pauses that double up to two minutes, or after the pause that the service asks for", async () => {
    const { world, pace, send } = aBrowser(
      [createAcknowledgementOfAnn("evt_1")],
      [
        createRefusedFailure(503),
        createRefusedFailure(503),
        createRefusedFailure(429, 90),
        createRefusedFailure(500),
        createRefusedFailure(500),
        { kind: "offline" },
      ],
    );
    const pauses: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      await send();
      const from = world.at;
      while (!pace.isDue()) world.at += 1000;
      pauses.push((world.at - from) / 1000);
    }

    // Each pause may be up to a quarter longer than requested, so that browsers do not all retry at once.
    expect(pauses).toEqual([10, 20, 113, 80, 120, 120]);
    expect(await send()).toBe(true);
    expect(world.kept).toEqual([]);
    expect(pace.isDue()).toBe(true);
  });

  it("is never sent for the next person who signs in", async () => {
    const { world, send } = aBrowser([
      createAcknowledgementOfBob("evt_1"),
      createAcknowledgementOfAnn("evt_2"),
      createAcknowledgementOfAnn("evt_3"),
    ]);
    const first = send();
    world.me = "usr_bob";
    await first;

    expect(world.sent).toEqual(["usr_ann evt_2", "usr_bob evt_1"]);
    expect(world.kept).toEqual([createAcknowledgementOfAnn("evt_3")]);
    world.me = undefined;
    expect(await send()).toBe(false);
  });

  it("is stored once, separately from the acknowledgements of other tabs and people", () => {
    const { world, store } = aBrowser([createAcknowledgementOfBob("evt_1"), createAcknowledgementOfAnn("evt_1")]);

    storeAcknowledgements(store, [createAcknowledgementOfAnn("evt_1"), createAcknowledgementOfAnn("evt_2")]);

    expect(world.kept).toEqual([
      createAcknowledgementOfBob("evt_1"),
      createAcknowledgementOfAnn("evt_1"),
      createAcknowledgementOfAnn("evt_2"),
    ]);
  });
});
