import * as v from "valibot";
import type { AuditDeps } from "../../core/deps.ts";
import type { WorkspaceId, DeviceId } from "../../core/domain/basics/ids.ts";
import { EscalationPolicyInput } from "../../core/domain/escalation/escalation-policy.ts";
import type { Platform } from "../../core/domain/device/device.ts";
import { RuleInput } from "../../core/domain/rules/rule-input.ts";
import { registerDevice } from "../../core/flow/admin/register-device.ts";
import { createApiKey, deleteApiKey, listApiKeys } from "../../core/store/people/api-keys.ts";
import { readControl } from "../../core/store/events/control.ts";
import { deleteDevice } from "../../core/store/people/devices.ts";
import { createPolicy } from "../../core/store/rules/escalation-policies.ts";
import { listEventsBetween } from "../../core/store/events/events.ts";
import { addGroupMember, createGroup } from "../../core/store/people/groups.ts";
import { createRule } from "../../core/store/rules/rules.ts";
import { createWorkspace, updateWorkspace } from "../../core/store/people/workspaces.ts";
import { readLedger } from "../ledger.ts";
import type { Backups, Topics } from "./aws.ts";
import { type StepResult, type Outcome, type Step, runSteps, pollUntil } from "./steps.ts";

/** The dependencies of the test. `topics` and `backups` do not exist for the local service. */
export type FirstDay = AuditDeps<"sleep"> & {
  say: (line: string) => void;
  ask: (question: string) => Promise<boolean>;
  baseUrl: string;
  /** The device that gets the push. Without a real device, FCM must refuse an invalid token. */
  device: { token: string; platform: v.InferOutput<typeof Platform> } | undefined;
  post: (url: string, headers: Record<string, string>, body: object) => Promise<{ status: number; body: string }>;
  topics: Topics | undefined;
  backups: Backups | undefined;
};

/** The user id of the test's recipient, which belongs to nobody. */
const USER = `usr_${"1".repeat(32)}`;
const PUSH_SECONDS = 60;
const STEP_SECONDS = 240;
const TOPIC_SECONDS = 60;
/** The maximum time to wait for a restorable time. DynamoDB's latest restorable time is about five minutes old. */
const RESTORABLE_SECONDS = 900;
const RESTORE_SECONDS = 4 * 3600;

const Accepted = v.pipe(v.string(), v.parseJson(), v.object({ eventId: v.string() }));

type TestWorkspace = { ws: WorkspaceId; apiKey: string; deviceId: DeviceId };

/** Creates a workspace with a group, a device, a rule with one escalation step, and an API key. */
const prepareWorkspace = async (deps: FirstDay): Promise<TestWorkspace> => {
  const { id: ws } = await createWorkspace(deps, {
    name: "First day",
    creator: { userId: USER, name: "First day", email: "" },
    plan: { monthlyEvents: 1000, eventsPerMinute: 60, burst: 10, retentionDays: 400 },
  });
  const group = await createGroup(deps, ws, "First day");
  await addGroupMember(deps, ws, { groupId: group.id, userId: USER });
  const targets = [{ type: "group", groupId: group.id }];
  const policy = await createPolicy(
    deps,
    ws,
    v.parse(EscalationPolicyInput, { name: "First day", steps: [{ delayMinutes: 1, targets }] }),
  );
  const rule = {
    name: "First day",
    eventKey: "first_day.*",
    targets,
    requiresAck: true,
    escalationPolicyId: policy.id,
  };
  await createRule(deps, ws, v.parse(RuleInput, rule));
  const { device } = await registerDevice(
    deps,
    ws,
    USER,
    deps.device ?? { token: `nobody-${deps.newId("dev")}`, platform: "android" },
  );
  const { key: apiKey } = await createApiKey(deps, ws, { name: "First day" });
  return { ws, apiKey, deviceId: device.id };
};

type Ledger = Awaited<ReturnType<typeof readLedger>>;
const listNotifications = ({ packs }: Ledger) => packs.flatMap(({ notifications }) => notifications);

/** Returns the outcome of the push; undefined until the outcome is final. Throws if the push failed. */
const findPushOutcome = (deps: FirstDay, ledger: Ledger): StepResult | undefined => {
  const [first] = listNotifications(ledger);
  if (first === undefined || first.status === "QUEUED") return undefined;
  if (first.status !== "FAILED") return { kind: "ok", says: `the push was accepted (${first.status}).` };
  const [attempt] = Object.values(first.devices);
  const answer = attempt === undefined ? "FCM was not called" : JSON.stringify(attempt);
  if (deps.device === undefined && /unregistered|invalid/.test(answer))
    return {
      kind: "ok",
      says: "FCM accepted the credentials and refused the invalid token. To test a device, use --device-token.",
    };
  throw new Error(`The push failed: ${first.failedReason ?? "without a reason"} (${answer}).`);
};

/** Sends an event, and returns the event's id. Throws if the service does not accept the event. */
const sendEvent = async (deps: FirstDay, { apiKey }: TestWorkspace): Promise<string> => {
  const event = {
    event: "first_day.check",
    title: "First day",
    body: "Sent by the operator's tool. Do not acknowledge it.",
  };
  const { status, body } = await deps.post(`${deps.baseUrl}/v1/events`, { "X-Api-Key": apiKey }, event);
  if (status !== 201) throw new Error(`The event was answered with ${status} (${body.slice(0, 300)}).`);
  return v.parse(Accepted, body).eventId;
};

const waitForEscalationStep = async (deps: FirstDay, { ws }: TestWorkspace, eventId: string): Promise<StepResult> => {
  const notifications = await pollUntil(
    deps,
    { what: "The escalation's step", seconds: STEP_SECONDS, everySeconds: 5 },
    async () => {
      const found = listNotifications(await readLedger(deps, ws, eventId));
      return found.length > 1 && found.every(({ status }) => status !== "QUEUED") ? found : undefined;
    },
  );
  return { kind: "ok", says: `the step fired: ${notifications.length} notifications, each sent or failed.` };
};

const listEventKeys = async (deps: FirstDay, ws: WorkspaceId): Promise<string[]> => {
  const to = (await readControl(deps, ws))?.seq ?? 0;
  return (await listEventsBetween(deps, ws, { from: 1, to })).map(({ content }) => content.eventKey);
};

const createTestAlarm = (deps: FirstDay, topic: string) => ({
  AlarmName: "First day",
  AlarmArn: `${topic}:first-day`,
  NewStateValue: "ALARM",
  NewStateReason: "Sent by the operator's tool",
  StateChangeTime: new Date(deps.now()).toISOString(),
});

const testSnsTopic = async (deps: FirstDay, { ws }: TestWorkspace): Promise<StepResult> => {
  const url = `${deps.baseUrl}/v1/events/from/cloudwatch`;
  const { status } = await deps.post(url, {}, {});
  if (status !== 401) throw new Error(`A message without a key got ${status} instead of 401.`);
  const { topics } = deps;
  if (topics === undefined)
    return { kind: "skipped", says: "a message without a key got 401. A local service has no SNS." };
  const topic = await topics.make();
  try {
    await updateWorkspace(deps, ws, { snsTopics: [topic] });
    const { key } = await createApiKey(deps, ws, { name: "First day: SNS", source: "cloudwatch" });
    const subscription = await topics.subscribe(topic, `${url}/${key}`);
    const wait = { seconds: TOPIC_SECONDS, everySeconds: 2 };
    await pollUntil(deps, { what: "The subscription's confirmation", ...wait }, async () =>
      (await topics.isConfirmed(subscription)) ? true : undefined,
    );
    await topics.publish(topic, JSON.stringify(createTestAlarm(deps, topic)));
    await pollUntil(deps, { what: "The alarm's event", ...wait }, async () =>
      (await listEventKeys(deps, ws)).includes("cloudwatch.firing") ? true : undefined,
    );
    return { kind: "ok", says: "a topic's subscription was confirmed, and its alarm became an event." };
  } finally {
    await topics.remove(topic);
  }
};

/** Returns how many items the workspace has. Throws if the restored table has another number of items or other notifications. */
const compareRestoredTable = async (
  deps: FirstDay,
  backups: Backups,
  { ws, target, eventId }: { ws: WorkspaceId; target: string; eventId: string },
) => {
  const restored = { ...deps, table: { ...deps.table, name: target } };
  const [here, there] = await Promise.all([backups.count(deps.table.name, ws), backups.count(target, ws)]);
  if (here !== there) throw new Error(`The restored table has ${there} items of the workspace, not ${here}.`);
  const [now, then] = await Promise.all([readLedger(deps, ws, eventId), readLedger(restored, ws, eventId)]);
  if (JSON.stringify(now.packs) !== JSON.stringify(then.packs))
    throw new Error("In the restored table, the event's notifications differ from those in the original table.");
  return here;
};

const testRestore = async (deps: FirstDay, { ws }: TestWorkspace, requireId: () => string): Promise<StepResult> => {
  const { backups } = deps;
  if (backups === undefined) return { kind: "skipped", says: "a local service has no backups." };
  const eventId = requireId();
  const source = deps.table.name;
  const target = `${source}-first-day-${deps.now()}`;
  const done = deps.now();
  const at = await pollUntil(
    deps,
    { what: "A restorable point in time", seconds: RESTORABLE_SECONDS, everySeconds: 20 },
    async () => {
      const latest = await backups.latest(source);
      return latest !== undefined && latest >= done ? latest : undefined;
    },
  );
  await backups.restore(source, target, at);
  try {
    await pollUntil(deps, { what: "The restored table", seconds: RESTORE_SECONDS, everySeconds: 30 }, async () =>
      (await backups.isReady(target)) ? true : undefined,
    );
    const items = await compareRestoredTable(deps, backups, { ws, target, eventId });
    return {
      kind: "ok",
      says: `${target} has all ${items} items of the workspace and its notifications, like the original table.`,
    };
  } finally {
    if (await deps.ask(`Delete the restored table ${target}?`)) await backups.remove(target);
    else deps.say(`kept: ${target}. Its storage costs money until you delete it.`);
  }
};

/** Tests a stage, from an event to a restored table. Leaves a workspace without keys or devices. Returns each step's outcome. */
export const runFirstDay = async (deps: FirstDay): Promise<{ workspaceId: WorkspaceId; steps: Outcome[] }> => {
  const made = await prepareWorkspace(deps);
  const { ws } = made;
  let eventId = "";
  const requireEventId = (): string => {
    if (eventId === "") throw new Error("There is no event to check.");
    return eventId;
  };
  const steps: Step[] = [
    {
      name: "event",
      help: "see api-5xx in docs/runbook.md; is the intake stopped?",
      run: async () => {
        eventId = await sendEvent(deps, made);
        return { kind: "ok", says: `${eventId} was accepted.` };
      },
    },
    {
      name: "push",
      help: "check the key for FCM and the device's token (push-unauthorized in docs/runbook.md).",
      run: async () =>
        pollUntil(deps, { what: "The push's outcome", seconds: PUSH_SECONDS }, async () =>
          findPushOutcome(deps, await readLedger(deps, ws, requireEventId())),
        ),
    },
    {
      name: "escalation",
      help: "see queue-behind-escalations and sweeper-silent in docs/runbook.md.",
      run: () => waitForEscalationStep(deps, made, requireEventId()),
    },
    {
      name: "SNS",
      help: "see cloudwatch in docs/sources.md, and the log of the endpoints.",
      run: () => testSnsTopic(deps, made),
    },
    {
      name: "restore",
      help: "see the restore drill in docs/deploy.md.",
      run: () => testRestore(deps, made, requireEventId),
    },
    {
      name: "tidy up",
      help: "delete them with the operator's tool: api-keys, delete-api-key.",
      run: async () => {
        for (const { id } of await listApiKeys(deps, ws)) await deleteApiKey(deps, ws, id);
        await deleteDevice(deps, ws, USER, made.deviceId);
        return { kind: "ok", says: `the workspace ${ws} remains, without a key and a device.` };
      },
    },
  ];
  return { workspaceId: ws, steps: await runSteps(deps, steps) };
};
