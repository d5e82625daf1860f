import { afterAll, describe, expect, test } from "vitest";
import { parseApiKey } from "../../core/domain/workspace/api-key-text.ts";
import type { PushOutcome } from "../../core/domain/delivery/push/outcome.ts";
import { listApiKeys } from "../../core/store/people/api-keys.ts";
import { listDevices } from "../../core/store/people/devices.ts";
import { listMembers } from "../../core/store/people/read-members.ts";
import { readWorkspace } from "../../core/store/people/read-workspace.ts";
import { createPostEvent } from "../../functions/doors/post-event.ts";
import type { Backups, Topics } from "../../operator/first-day/aws.ts";
import { type FirstDay, runFirstDay } from "../../operator/first-day/run.ts";
import { call } from "../world/http.ts";
import { closeWorlds, createWorld, type WorldOptions } from "../world/world.ts";

afterAll(closeWorlds);

const TOPIC = "arn:aws:sns:eu-central-1:123456789012:first-day";

/** The maximum number of waits: more than any first-day test here needs. */
const SLEEPS_MAX = 250;

const aStage = async (options: WorldOptions = {}) => {
  const world = await createWorld(options);
  const handler = createPostEvent(world.deps);
  const posted: { url: string; headers: Record<string, string> }[] = [];
  const lines: string[] = [];
  let sleeps = 0;
  const day: FirstDay = {
    ...world.deps,
    sleep: async (ms) => {
      sleeps += 1;
      if (sleeps > SLEEPS_MAX) throw new Error("The walk does not end.");
      await world.runFor(ms);
    },
    say: (line) => lines.push(line),
    ask: async () => true,
    baseUrl: "https://alerts.example",
    device: { token: "usr_me-1", platform: "android" },
    post: async (url, headers, body) => {
      posted.push({ url, headers });
      if (!url.endsWith("/v1/events")) return { status: 401, body: "" };
      const key = headers["X-Api-Key"] ?? "";
      const answer = await call(handler, { method: "POST", headers: { "x-api-key": key }, path: {}, body });
      return { status: answer.status, body: JSON.stringify(answer.body) };
    },
    topics: undefined,
    backups: undefined,
  };
  return { world, day, lines, posted };
};

type Walked = Awaited<ReturnType<typeof runFirstDay>>;
const readResults = (walked: Walked): Record<string, string> =>
  Object.fromEntries(walked.steps.map(({ step, result }) => [step, result]));
const readMessage = (walked: Walked, name: string): string | undefined =>
  walked.steps.find(({ step }) => step === name)?.says;
const fine = { event: "ok", push: "ok", escalation: "ok", SNS: "skipped", restore: "skipped", "tidy up": "ok" };

describe("the operator's first-day test", () => {
  test("sends an event, its push and an escalation step a minute later, and leaves no key behind", async () => {
    const { world, day, lines, posted } = await aStage();

    const walked = await runFirstDay(day);

    expect(readResults(walked)).toEqual(fine);
    expect(world.pushed.map(({ at }) => Math.round((at - world.pushed[0]!.at) / 60_000))).toEqual([0, 1]);
    expect(world.pushed[0]).toMatchObject({ token: "usr_me-1" });
    expect(lines).toEqual([
      expect.stringMatching(/^ok {6}event \(0 s\): evt_\w+ was accepted\.$/),
      expect.stringMatching(/^ok {6}push \([01] s\): the push was accepted \(SENT\)\.$/),
      expect.stringMatching(/^ok {6}escalation \(\d+ s\): the step fired: 2 notifications, each sent or failed\.$/),
      expect.stringMatching(/^skipped SNS \(0 s\): a message without a key got 401\. A local service has no SNS\.$/),
      expect.stringMatching(/^skipped restore \(0 s\): a local service has no backups\.$/),
      `ok      tidy up (0 s): the workspace ${walked.workspaceId} remains, without a key and a device.`,
    ]);
    expect(posted.map(({ url }) => url)).toEqual([
      "https://alerts.example/v1/events",
      "https://alerts.example/v1/events/from/cloudwatch",
    ]);
    expect(await listApiKeys(day, walked.workspaceId)).toEqual([]);
    const [member, ...others] = await listMembers(day, walked.workspaceId);
    expect([member, others]).toMatchObject([{ userId: `usr_${"1".repeat(32)}`, name: "First day", email: "" }, []]);
    expect(await listDevices(day, walked.workspaceId, member!.userId)).toEqual([]);
    expect((await readWorkspace(day, walked.workspaceId))?.name).toBe("First day");
  });

  test.each<[string, PushOutcome, string, string | RegExp]>([
    [
      "accepts FCM's answer that the token is unknown",
      { kind: "unregistered" },
      "ok",
      "FCM accepted the credentials and refused the invalid token. To test a device, use --device-token.",
    ],
    [
      "fails if FCM refuses the credentials",
      { kind: "auth", code: "THIRD_PARTY_AUTH_ERROR" },
      "failed",
      /^The push's outcome did not arrive within 60 s\. What to do: check the key for FCM and the device's token \(push-unauthorized in docs\/runbook\.md\)/,
    ],
  ])("without a device %s", async (_, answer, result, says) => {
    const { world, day } = await aStage({ answer: () => answer });

    const walked = await runFirstDay({ ...day, device: undefined });

    expect(readResults(walked)["push"]).toBe(result);
    expect(readMessage(walked, "push")).toMatch(says);
    expect(world.pushed[0]?.token).toMatch(/^nobody-dev_/);
  });

  test("with a real device fails if FCM does not know the device's token", async () => {
    const { day } = await aStage({ answer: () => ({ kind: "unregistered" }) });

    const walked = await runFirstDay(day);

    expect(readMessage(walked, "push")).toMatch(/^The push failed: .*unregistered/);
  });

  test("reports what failed and what to do, and continues", async () => {
    const { day, lines } = await aStage();

    const walked = await runFirstDay({
      ...day,
      post: async () => ({ status: 503, body: "x".repeat(400) }),
    });

    expect(readResults(walked)).toEqual({
      ...fine,
      event: "failed",
      push: "failed",
      escalation: "failed",
      SNS: "failed",
    });
    expect(lines.slice(0, 4)).toEqual([
      `failed  event (0 s): The event was answered with 503 (${"x".repeat(300)}). What to do: see api-5xx in docs/runbook.md; is the intake stopped?`,
      expect.stringMatching(/^failed {2}push \(0 s\): There is no event to check\. What to do: /),
      expect.stringMatching(/^failed {2}escalation \(0 s\): There is no event to check\. What to do: see queue-behind/),
      expect.stringMatching(/A message without a key got 503 instead of 401\. What to do: see cloudwatch in/),
    ]);
  });
});

describe("the SNS part of the operator's first-day test", () => {
  /** Creates topics whose subscription is confirmed at the second check, and whose alarms become events unless they are lost. */
  const createTopicCalls = ({ day }: Awaited<ReturnType<typeof aStage>>, isLost = false) => {
    const calls: string[] = [];
    let apiKey = "";
    const topics: Topics = {
      make: async () => TOPIC,
      subscribe: async (topic, url) => {
        const [, path = "", key = ""] = /^(.*)\/([^/]+)$/.exec(url) ?? [];
        const ws = parseApiKey(key)?.workspaceId ?? "ws_";
        const { snsTopics } = (await readWorkspace(day, ws)) ?? {};
        calls.push(`subscribe ${path} to ${topic}, of ${snsTopics?.join()}`);
        apiKey = key;
        return "subscription";
      },
      isConfirmed: async () => calls.push("confirmed?") > 2,
      publish: async (_topic, message) => {
        calls.push(message);
        const [other] = (await listApiKeys(day, parseApiKey(apiKey)!.workspaceId)).filter(
          ({ name }) => name !== "First day: SNS",
        );
        expect(other?.name).toBe("First day");
        if (!isLost)
          await day.post(
            "https://alerts.example/v1/events",
            { "X-Api-Key": firstKey },
            { event: "cloudwatch.firing", title: "First day", body: "Alarm" },
          );
      },
      remove: async (topic) => void calls.push(`remove ${topic}`),
    };
    let firstKey = "";
    const postAndKeepKey: FirstDay["post"] = async (url, headers, body) => {
      firstKey = headers["X-Api-Key"] ?? firstKey;
      return day.post(url, headers, body);
    };
    return { calls, topics, post: postAndKeepKey };
  };

  test("confirms a topic, turns an alarm of the topic into an event, and deletes the topic", async () => {
    const stage = await aStage();
    const { calls, ...rest } = createTopicCalls(stage);

    const walked = await runFirstDay({ ...stage.day, ...rest });

    expect(readResults(walked)).toEqual({ ...fine, SNS: "ok" });
    expect(readMessage(walked, "SNS")).toBe("a topic's subscription was confirmed, and its alarm became an event.");
    const [subscribed, , , message = "", ...end] = calls;
    expect(subscribed).toBe(`subscribe https://alerts.example/v1/events/from/cloudwatch to ${TOPIC}, of ${TOPIC}`);
    expect(JSON.parse(message)).toMatchObject({
      AlarmName: "First day",
      AlarmArn: `${TOPIC}:first-day`,
      NewStateValue: "ALARM",
      StateChangeTime: expect.stringMatching(/^2026-11-21T12:0\d:/) as string,
    });
    expect(end).toEqual([`remove ${TOPIC}`]);
    expect(await listApiKeys(stage.day, walked.workspaceId)).toEqual([]);
  });

  test("reports a topic that is not confirmed, or that loses its alarm, and deletes the topic", async () => {
    const stage = await aStage();
    const { calls, topics, post } = createTopicCalls(stage, true);
    const runSnsPart = async (changedTopics: Partial<Topics>) =>
      readMessage(await runFirstDay({ ...stage.day, post, topics: { ...topics, ...changedTopics } }), "SNS");

    expect(await runSnsPart({ isConfirmed: async () => false })).toMatch(
      /^The subscription's confirmation did not arrive within 60 s\./,
    );
    expect(calls.at(-1)).toBe(`remove ${TOPIC}`);
    expect(await runSnsPart({})).toMatch(/^The alarm's event did not arrive within 60 s\./);
    expect(calls.at(-1)).toBe(`remove ${TOPIC}`);
  });
});

describe("the restore in the operator's first-day test", () => {
  /** Creates the backups of a table. `counts`: the number of items in the table, and in the restored table. */
  const createBackupCalls = (world: { now: () => number }, counts: readonly [here: number, there: number]) => {
    const calls: string[] = [];
    const made: Backups = {
      latest: async () => world.now() - 300_000,
      restore: async (_table, target) => void calls.push(`restore ${target.replace(/\d+$/, "")}`),
      isReady: async () => calls.push("ready?") > 3,
      count: async (_table, ws) => (ws === "ws_" ? 0 : counts[calls.push("count") % 2]!),
      remove: async () => void calls.push("remove"),
    };
    return { made, calls };
  };
  /** Returns a client for which every table name is that of the original table, so that the restored table has its data. */
  const acceptAnyName = ({ name, client }: FirstDay["table"]): FirstDay["table"]["client"] => {
    type Asked = { input: { TableName?: string; RequestItems?: Record<string, object> } };
    const send = async (command: Asked): Promise<unknown> => {
      const { input } = command;
      const [asked = name] = Object.keys(input.RequestItems ?? {});
      if (input.TableName !== undefined) input.TableName = name;
      if (input.RequestItems !== undefined) input.RequestItems = { [name]: input.RequestItems[asked]! };
      const answer = (await client.send(command as never)) as { Responses?: Record<string, unknown> };
      return answer.Responses === undefined ? answer : { ...answer, Responses: { [asked]: answer.Responses[name] } };
    };
    return { send } as FirstDay["table"]["client"];
  };

  test.each([
    [
      "equal, and deletes the restored one if the operator agrees",
      [7, 7],
      true,
      "ok",
      / has all 7 items of the workspace and its notifications, like the original table\.$/,
    ],
    [
      "different, and deletes the restored one if the operator agrees",
      [7, 8],
      true,
      "failed",
      /^The restored table has \d items of the workspace, not \d\. What to do: see the restore/,
    ],
    ["equal, and keeps the restored one if the operator does not agree", [7, 7], false, "ok", / has all 7 items/],
  ] as const)("waits for a restorable time, finds both tables %s", async (_, counts, mayDelete, result, says) => {
    const { world, day, lines } = await aStage();
    const { made, calls } = createBackupCalls(world, counts);
    const questions: string[] = [];

    const walked = await runFirstDay({
      ...day,
      table: { ...day.table, client: acceptAnyName(day.table) },
      backups: made,
      ask: async (question) => {
        questions.push(question);
        return mayDelete;
      },
    });

    expect(readResults(walked)["restore"]).toBe(result);
    expect(readMessage(walked, "restore")).toMatch(says);
    expect(walked.steps.find(({ step }) => step === "restore")?.seconds).toBeGreaterThanOrEqual(300);
    expect(calls[0]).toBe(`restore ${day.table.name}-first-day-`);
    expect(questions).toEqual([
      expect.stringMatching(new RegExp(`^Delete the restored table ${day.table.name}-first-day-\\d+\\?$`)),
    ]);
    expect(calls.includes("remove")).toBe(mayDelete);
    expect(lines.some((line) => /^kept: .*\. Its storage costs money until you delete it\./.test(line))).toBe(
      !mayDelete,
    );
  });

  test("is given up if no time can be restored, and no table is created", async () => {
    const { world, day } = await aStage();
    const { made, calls } = createBackupCalls(world, [7, 7]);

    const walked = await runFirstDay({ ...day, backups: { ...made, latest: async () => undefined } });

    expect(readMessage(walked, "restore")).toMatch(/^A restorable point in time did not arrive within 900 s\./);
    expect(calls).toEqual([]);
  });
});
