import type { Deps, AuditDeps } from "../../core/deps.ts";
import type { WorkspaceId } from "../../core/domain/basics/ids.ts";
import { RuleInput } from "../../core/domain/rules/rule-input.ts";
import { toContact, type DeviceInput } from "../../core/domain/device/device.ts";
import { vapidKeys } from "../support/web-push.ts";
import * as v from "valibot";
import { registerDevice } from "../../core/flow/admin/register-device.ts";
import { setCode, setVerified, saveDevice } from "../../core/store/people/devices.ts";
import { addPhoneOwner } from "../../core/store/people/phones.ts";
import { createApiKey } from "../../core/store/people/api-keys.ts";
import { addGroupMember, createGroup } from "../../core/store/people/groups.ts";
import { saveMember } from "../../core/store/people/members.ts";
import { createRule } from "../../core/store/rules/rules.ts";
import { createWorkspace } from "../../core/store/people/workspaces.ts";
import type { UsagePlan } from "../../core/domain/workspace/usage-plan.ts";

/** How the devices of a scenario are reached; `both`: every second device by Web Push. */
export type TestChannel = "fcm" | "web" | "both" | "email" | "sms" | "voice";
export type SetupDeps = Deps & AuditDeps & { channel: TestChannel };

/** The keys of all browsers; shared, because nobody decrypts. */
const keys = { p256dh: vapidKeys.publicKey, auth: "BTBZMqHH6r4Tts7J_aSIgg" };

const createPhoneNumber = (token: string): string =>
  `+4930${String(Buffer.from(token).reduce((sum, byte) => (sum * 31 + byte) % 1e8, 7)).padStart(8, "0")}`;

/** Returns the device's token or number, as in a run's pushes and in its table. */
export const toDeviceId = (token: string, channel: TestChannel): string =>
  channel === "sms" || channel === "voice" ? createPhoneNumber(token) : token;

/** Returns a device with this token, with an endpoint that ends in the token, or with its mailbox or number. */
export const createDevice = (token: string, channel: TestChannel, index = 0): DeviceInput => {
  if (channel === "email") return { email: `${token}@acme.example` };
  if (channel === "sms" || channel === "voice") return { phone: createPhoneNumber(token), ways: [channel] };
  return channel === "web" || (channel === "both" && index % 2 === 1)
    ? { subscription: { endpoint: `https://fcm.googleapis.com/fcm/send/${token}`, keys } }
    : {
        token,
        platform: "android",
        ...(token.startsWith("signing-") ? { receiptKey: vapidKeys.publicKey } : {}),
      };
};

/** Adds a contact that is already verified. */
export const addContact = async (
  deps: Pick<Deps, "table" | "now" | "newId">,
  ws: WorkspaceId,
  userId: string,
  input: DeviceInput,
): Promise<void> => {
  const { device } = await saveDevice(deps, ws, userId, input, async () => true);
  const code = { hash: "known", sentAt: deps.now(), tries: 0 };
  await setCode(deps, ws, userId, device.id, code);
  if (device.phone !== undefined) await addPhoneOwner(deps, device.phone, { ws, userId });
  await setVerified(deps, ws, userId, device.id, code);
};

/** A workspace, with the ids of its items by short names. */
export type Fixture = {
  ws: WorkspaceId;
  apiKey: { id: string; key: string };
  users: Record<string, string>;
  groups: Record<string, string>;
  rules: Record<string, string>;
  channel: TestChannel;
  /** The tokens of devices by user id; undefined if pushes are checked elsewhere. */
  tokens: ReadonlyMap<string, readonly string[]> | undefined;
  /** All tokens that devices may get during the run; by default, only the initial tokens. */
  laterTokens?: ReadonlyMap<string, readonly string[]>;
};

export type FixtureInput = {
  /** The id of the workspace; `ws_acme` by default. */
  ws?: WorkspaceId;
  /** The devices of each person. By default, alice has one phone. */
  people?: Record<string, readonly string[]>;
  /** The members of each group. By default, the group ops contains everybody. */
  groups?: Record<string, readonly string[]>;
  /** Each rule notifies ops, unless it names other groups. */
  rules: Record<string, Omit<v.InferInput<typeof RuleInput>, "name" | "targets"> & { groups?: readonly string[] }>;
  plan?: UsagePlan;
  /** The prefix of user ids; by default different in each workspace. */
  userIds?: string;
};

export const buildWorkspace = async (deps: SetupDeps, input: FixtureInput): Promise<Fixture> => {
  const { ws = "ws_acme", people = { alice: ["alice-phone"] } } = input;
  const names = Object.keys(people);
  const start = input.userIds ?? `usr_${ws.slice(3)}`;
  const users = Object.fromEntries(names.map((name) => [name, start + name]));
  const [first = ""] = names;
  const createPerson = (name: string) => ({ userId: users[name] ?? "", name, email: `${name}@acme.example` });
  await createWorkspace(deps, {
    id: ws,
    name: ws,
    creator: createPerson(first),
    ...(input.plan === undefined ? {} : { plan: input.plan }),
  });
  for (const name of names.slice(1)) await saveMember(deps, ws, { ...createPerson(name), role: "owner" });
  for (const [index, name] of names.entries())
    for (const token of people[name] ?? []) {
      const input = createDevice(token, deps.channel, index);
      if (toContact(input) !== undefined) await addContact(deps, ws, users[name] ?? "", input);
      else await registerDevice(deps, ws, users[name] ?? "", input);
    }
  const groups: Record<string, string> = {};
  for (const [name, members] of Object.entries(input.groups ?? { ops: names })) {
    const { id } = await createGroup(deps, ws, name);
    groups[name] = id;
    for (const member of members) await addGroupMember(deps, ws, { groupId: id, userId: users[member] ?? "" });
  }
  const rules: Record<string, string> = {};
  for (const [name, { groups: targets = ["ops"], ...rule }] of Object.entries(input.rules)) {
    const targetsOf = targets.map((group) => ({ type: "group", groupId: groups[group] ?? "" }));
    rules[name] = (
      await createRule(deps, ws, v.parse(RuleInput, { probe: null, ...rule, name, targets: targetsOf }))
    ).id;
  }
  const tokens = new Map(
    names.map((name) => [users[name] ?? "", (people[name] ?? []).map((token) => toDeviceId(token, deps.channel))]),
  );
  const apiKey = await createApiKey(deps, ws, { name: "integration" });
  return { ws, apiKey, users, groups, rules, channel: deps.channel, tokens };
};
