import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { GetSecretValueCommand, PutSecretValueCommand } from "@aws-sdk/client-secrets-manager";
import { StartMessageMoveTaskCommand } from "@aws-sdk/client-sqs";
import * as v from "valibot";
import type { Deps } from "../core/deps.ts";
import type { WorkspaceId } from "../core/domain/basics/ids.ts";
import type { ApiKey } from "../core/domain/workspace/api-key.ts";
import { parseReceiptKeys, type ReceiptKeys, rotateReceiptKeys } from "../core/domain/delivery/receipt.ts";
import { toIso } from "../core/domain/basics/time.ts";
import { Platform } from "../core/domain/device/device.ts";
import { listMembers } from "../core/flow/read/list-members.ts";
import { parseServiceAccount } from "../core/push/service-account.ts";
import { createVapidKeys, parseVapidKeys } from "../core/push/web/vapid.ts";
import { deleteApiKey, listApiKeys, readApiKey, createReplacementKey } from "../core/store/people/api-keys.ts";
import { verifyTrail } from "../core/flow/read/verify-trail.ts";
import { RETENTION_DAYS_MAX, RETENTION_DAYS_MIN } from "../core/domain/basics/limits.ts";
import { RetentionDays } from "../core/domain/workspace/retention.ts";
import { readControl, setUsagePlan } from "../core/store/events/control.ts";
import { DEFAULT_ROLE, roles } from "../core/domain/people/role.ts";
import { removeMember, saveMember } from "../core/store/people/members.ts";
import { limitWorkspaces, createWorkspace, listWorkspaces, listWorkspacesOf } from "../core/store/people/workspaces.ts";
import { addPeople } from "./add-people.ts";
import type { Clients } from "./clients.ts";
import { erasePerson, exportPerson } from "./erasure.ts";
import { listAllDeletions } from "./deletions.ts";
import { firstDay } from "./first-day.ts";
import { addMachine } from "./machines.ts";
import { readLedger } from "./ledger.ts";
import { disableUser, enableUser, findAccountsByEmail, findUser, inviteUser, listUsers, signIn } from "./people.ts";
import {
  anotherTable,
  type Command,
  isYes,
  requireOption,
  requireCount,
  requireOneOf,
  requireWorkspace,
  type Options,
  openStage,
  openTable,
} from "./options.ts";
import { preflightCommand } from "./preflight.ts";
import { restoreCommands } from "./restore.ts";
import { sendInvitation } from "./send-invitation.ts";
import { setUpSynthetic } from "./set-up-synthetic.ts";
import { OperatorError } from "./stage.ts";

const readUserPoolId = async (clients: Clients, options: Options): Promise<string> =>
  (await openStage(clients, options))("UserPoolId");

const createUnknownKeyError = (ws: WorkspaceId, id: string): OperatorError =>
  new OperatorError(`The workspace ${ws} has no API key ${id}.`);

const requireApiKey = async (deps: Pick<Deps, "table">, ws: WorkspaceId, options: Options): Promise<ApiKey> => {
  const id = requireOption(options, "key");
  const key = await readApiKey(deps, ws, id);
  if (key === undefined) throw createUnknownKeyError(ws, id);
  return key;
};

const STANDARD_INPUT = 0;
const RECEIPT_KEY_BYTES = 48;

const queueOutputs: Readonly<Record<string, string>> = {
  events: "EventsDeadLetterQueueArn",
  pushes: "PushesDeadLetterQueueArn",
  escalations: "EscalationsDeadLetterQueueArn",
  webhooks: "WebhooksDeadLetterQueueArn",
  inbound: "InboundDeadLetterQueueArn",
};

/** The maximum number of messages that SQS moves per second. */
const REDRIVE_MAX = 500;

export const commands: Readonly<Record<string, Command>> = {
  "first-workspace": {
    does: "Creates a workspace and its first member, who is invited to the user pool by email.",
    needs: { workspace: "the workspace's name", email: "the member's email address", name: "the member's name" },
    run: async (clients, options) => {
      const stage = await openStage(clients, options);
      const person = { email: requireOption(options, "email"), name: requireOption(options, "name") };
      const name = requireOption(options, "workspace");
      const { userId, invited } = await inviteUser(clients, stage("UserPoolId"), person);
      const deps = await openTable(clients, options);
      const { id } = await createWorkspace(deps, { name, creator: { userId, ...person } });
      return { workspaceId: id, userId, invited };
    },
  },
  "add-user": {
    does: "Invites somebody to the user pool by email, and adds them to a workspace.",
    needs: { workspace: "the workspace's id", email: "the email address", name: "the name" },
    takes: {
      role: `one of ${roles.join(", ")}; by default, a member keeps their role, and anybody else becomes ${DEFAULT_ROLE}`,
    },
    run: async (clients, options) => {
      const stage = await openStage(clients, options);
      const deps = await openTable(clients, options);
      const ws = await requireWorkspace(deps, options);
      const person = { email: requireOption(options, "email"), name: requireOption(options, "name") };
      const role = options["role"] === undefined ? {} : { role: requireOneOf(options, "role", roles) };
      const { userId, invited } = await inviteUser(clients, stage("UserPoolId"), person);
      await saveMember(deps, ws, { userId, ...person, ...role });
      return { workspaceId: ws, userId, invited };
    },
  },
  "add-people": addPeople,
  "send-invitation": sendInvitation,
  "add-machine": addMachine,
  workspaces: {
    does: "Lists all workspaces, or the workspaces of one person.",
    needs: {},
    takes: { email: "the person's email address", ...anotherTable },
    run: async (clients, options) => {
      const deps = await openTable(clients, options);
      const { email } = options;
      const found =
        email === undefined
          ? await listWorkspaces(deps)
          : await listWorkspacesOf(deps, await findUser(clients, await readUserPoolId(clients, options), email));
      return found.map(({ id, name, createdAt }) => ({ workspaceId: id, name, createdAt }));
    },
  },
  deletions: {
    does: "Lists the workspaces that owners have deleted in the last 400 days: who, when, and whether all data is deleted.",
    needs: {},
    takes: anotherTable,
    run: async (clients, options) => listAllDeletions(await openTable(clients, options)),
  },
  people: {
    does: "Lists everybody in the user pool. With a workspace, lists its members and says whether a push would reach each of them.",
    needs: {},
    takes: { workspace: "the workspace's id", ...anotherTable },
    run: async (clients, options) => {
      if (options["workspace"] === undefined)
        return (await listUsers(clients, await readUserPoolId(clients, options))).map(
          ({ userId, email, name, status, enabled }) => ({ userId, email, name, status, enabled }),
        );
      const deps = await openTable(clients, options);
      return listMembers(deps, await requireWorkspace(deps, options));
    },
  },
  audit: {
    does: "Checks that no entry of a workspace's audit trail of the last 400 days is missing or changed. Fails if an entry is missing or changed.",
    needs: { workspace: "the workspace's id" },
    takes: anotherTable,
    run: async (clients, options) => {
      const deps = await openTable(clients, options);
      const ws = await requireWorkspace(deps, options);
      const { faults, ...verified } = await verifyTrail(deps, ws);
      if (faults.length > 0) throw new OperatorError(`The audit trail of ${ws} is broken: ${faults.join(" ")}`);
      return { workspaceId: ws, ...verified };
    },
  },
  "allow-workspaces": {
    does: "Sets how many workspaces a person may create in all.",
    needs: { email: "the person's email address", most: "how many" },
    run: async (clients, options) => {
      const most = requireCount(options, "most");
      const userId = await findUser(clients, await readUserPoolId(clients, options), requireOption(options, "email"));
      await limitWorkspaces(await openTable(clients, options), userId, most);
      return { userId, most };
    },
  },
  "disable-person": {
    does: "Disables a person's account and ends their sessions. Without --leave, they stay a member and are still notified. The last owner of a workspace cannot leave: make somebody else an owner first.",
    needs: { email: "the person's email address" },
    takes: { leave: "yes: removes the person, their on-call turns and devices from every workspace" },
    run: async (clients, options) => {
      const email = requireOption(options, "email");
      const leaves = isYes(options, "leave");
      const pool = await readUserPoolId(clients, options);
      const [first, ...others] = await findAccountsByEmail(clients, pool, email);
      for (const { username } of [first, ...others]) await disableUser(clients, pool, username);
      const deps = await openTable(clients, options);
      const left: string[] = [];
      const memberOf: string[] = [];
      for (const { userId } of [first, ...others])
        for (const { id } of await listWorkspacesOf(deps, userId)) {
          const hasLeft = leaves && !(await removeMember(deps, id, userId)).startsWith("last");
          (hasLeft ? left : memberOf).push(id);
        }
      return { userId: first.userId, enabled: false, left, memberOf };
    },
  },
  "enable-person": {
    does: "Lets a disabled person sign in again.",
    needs: { email: "the person's email address" },
    run: async (clients, options) => {
      const email = requireOption(options, "email");
      const pool = await readUserPoolId(clients, options);
      const [first, ...others] = await findAccountsByEmail(clients, pool, email);
      for (const { username } of [first, ...others]) await enableUser(clients, pool, username);
      return { userId: first.userId, enabled: true };
    },
  },
  "export-person": exportPerson,
  "erase-person": erasePerson,
  "api-keys": {
    does: "Lists the API keys of a workspace, the oldest first, without their secrets.",
    needs: { workspace: "the workspace's id" },
    takes: anotherTable,
    run: async (clients, options) => {
      const deps = await openTable(clients, options);
      return listApiKeys(deps, await requireWorkspace(deps, options));
    },
  },
  "replace-api-key": {
    does: "Creates a key that replaces another key with the same scope, and prints the new key. The old key stays valid until you delete it with delete-api-key.",
    needs: { workspace: "the workspace's id", key: "the id of the key to replace" },
    run: async (clients, options) => {
      const deps = await openTable(clients, options);
      const ws = await requireWorkspace(deps, options);
      const replaces = requireOption(options, "key");
      const made = await createReplacementKey(deps, ws, replaces);
      if (made === undefined) throw createUnknownKeyError(ws, replaces);
      return { ...made, replaces };
    },
  },
  "delete-api-key": {
    does: "Deletes an API key: the next request with it is answered 401.",
    needs: { workspace: "the workspace's id", key: "the key's id" },
    run: async (clients, options) => {
      const deps = await openTable(clients, options);
      const ws = await requireWorkspace(deps, options);
      const { id, name } = await requireApiKey(deps, ws, options);
      await deleteApiKey(deps, ws, id);
      return { id, name, deleted: true };
    },
  },
  session: {
    does: "Returns a session token for a test. Set the environment variable OPERATOR_PASSWORD to the user's password.",
    needs: { email: "the user's email address" },
    run: async (clients, options) => {
      const stage = await openStage(clients, options);
      const pool = { userPoolId: stage("UserPoolId"), clientId: stage("UserPoolClientId") };
      const { password } = options;
      if (password === undefined) throw new OperatorError("Set OPERATOR_PASSWORD to the user's password.");
      const user = { email: requireOption(options, "email"), password };
      return { token: await signIn(clients, pool, user) };
    },
  },
  "fcm-secret": {
    does: "Stores the key file of the Google service account in the secret from which the service reads its FCM credentials.",
    needs: { file: "the key file (JSON), or - for standard input" },
    run: async (clients, options) => {
      const file = requireOption(options, "file");
      const text = readFileSync(file === "-" ? STANDARD_INPUT : file, "utf8");
      const account = parseServiceAccount(text);
      if (account === undefined) throw new OperatorError(`${file} is not the key file of a service account.`);
      const stage = await openStage(clients, options);
      await clients.secrets.send(new PutSecretValueCommand({ SecretId: stage("FcmSecretArn"), SecretString: text }));
      return { projectId: account.projectId, clientEmail: account.clientEmail };
    },
  },
  "web-push-keys": {
    does: "Creates the keys with which the service identifies itself to browsers' push services; --rotate yes replaces them.",
    needs: { subject: "the contact for push services: mailto:<address> or https://<page>" },
    takes: { rotate: "yes: replaces the keys; the old ones work until browsers have subscribed again" },
    run: async (clients, options) => {
      const keys = createVapidKeys(requireOption(options, "subject"));
      const text = JSON.stringify(keys);
      if (parseVapidKeys(text) === undefined)
        throw new OperatorError("--subject must be mailto:<address> or https://<page>, with a public domain name.");
      const SecretId = (await openStage(clients, options))("VapidSecretArn");
      const { SecretString } = await clients.secrets.send(new GetSecretValueCommand({ SecretId }));
      const rotates = isYes(options, "rotate");
      if (parseVapidKeys(SecretString ?? "") !== undefined && !rotates)
        throw new OperatorError(
          "Keys exist already. With new keys every browser must subscribe again. To replace them, add --rotate yes.",
        );
      await clients.secrets.send(new PutSecretValueCommand({ SecretId, SecretString: text }));
      return { publicKey: keys.publicKey };
    },
  },
  "receipt-key": {
    does: "Replaces the key that signs the tokens with which devices confirm and acknowledge pushes; tokens of the old key stay valid until they expire.",
    needs: {},
    takes: { "at-once": "yes: refuses the old keys within five minutes; use it if a key has leaked" },
    run: async (clients, options) => {
      const SecretId = (await openStage(clients, options))("ReceiptSecretArn");
      const { SecretString } = await clients.secrets.send(new GetSecretValueCommand({ SecretId }));
      const keys = parseReceiptKeys(SecretString ?? "");
      const key = randomBytes(RECEIPT_KEY_BYTES).toString("base64url");
      const now = clients.now();
      const atOnce = isYes(options, "at-once");
      if (!atOnce && keys?.before !== undefined && now < keys.before.until)
        throw new OperatorError(
          `Tokens of the previous key are valid until ${toIso(keys.before.until)}. Wait until then, or invalidate them with --at-once yes.`,
        );
      const next: ReceiptKeys = atOnce || keys === undefined ? { key, since: 0 } : rotateReceiptKeys(keys, key, now);
      await clients.secrets.send(new PutSecretValueCommand({ SecretId, SecretString: JSON.stringify(next) }));
      return {
        usedFrom: toIso(Math.max(next.since, now)),
        beforeUntil: next.before === undefined ? null : toIso(next.before.until),
      };
    },
  },
  synthetic: {
    does: "Sets up the workspace of the synthetic event, with a device of its own, and stores its API key in the stack's secret.",
    needs: { "device-token": "the FCM registration token of that device" },
    takes: { platform: "ios, android or web; android by default" },
    run: async (clients, options) => {
      const stage = await openStage(clients, options);
      const secretArn = stage("SyntheticSecretArn");
      const platform = v.safeParse(Platform, options["platform"] ?? "android");
      if (!platform.success) throw new OperatorError("--platform must be ios, android or web.");
      const device = { token: requireOption(options, "device-token"), platform: platform.output };
      const { workspaceId, apiKey } = await setUpSynthetic(await openTable(clients, options), device);
      await clients.secrets.send(new PutSecretValueCommand({ SecretId: secretArn, SecretString: apiKey }));
      return { workspaceId };
    },
  },
  redrive: {
    does: "Moves the messages of a dead-letter queue back to its queue, at the given rate.",
    needs: { queue: "events, pushes, escalations or webhooks", rate: `messages a second, 1 to ${REDRIVE_MAX}` },
    run: async (clients, options) => {
      const output = queueOutputs[requireOption(options, "queue")];
      if (output === undefined) throw new OperatorError("--queue must be events, pushes, escalations or webhooks.");
      const rate = requireCount(options, "rate");
      if (rate > REDRIVE_MAX) throw new OperatorError(`--rate must be at most ${REDRIVE_MAX}.`);
      const stage = await openStage(clients, options);
      const { TaskHandle } = await clients.sqs.send(
        new StartMessageMoveTaskCommand({ SourceArn: stage(output), MaxNumberOfMessagesPerSecond: rate }),
      );
      return { taskHandle: TaskHandle };
    },
  },
  plan: {
    does: "Shows the limits of a workspace and how long its events are kept. With other options, changes these limits, from the next event on.",
    needs: { workspace: "the workspace's id" },
    takes: {
      "monthly-events": "events per UTC month",
      "events-per-minute": "events a minute",
      burst: "the number of events that can arrive at once",
      "retention-days": "the number of days for which its events are kept",
      ...anotherTable,
    },
    run: async (clients, options) => {
      const deps = await openTable(clients, options);
      const ws = await requireWorkspace(deps, options);
      const control = await readControl(deps, ws);
      if (control === undefined) throw new OperatorError(`The workspace ${ws} has no plan.`);
      const readCountOption = (name: string, defaultCount: number): number =>
        options[name] === undefined ? defaultCount : requireCount(options, name);
      const plan = {
        monthlyEvents: readCountOption("monthly-events", control.plan.monthlyEvents),
        eventsPerMinute: readCountOption("events-per-minute", control.plan.eventsPerMinute),
        burst: readCountOption("burst", control.plan.burst),
        retentionDays: readCountOption("retention-days", control.plan.retentionDays),
      };
      if (!v.is(RetentionDays, plan.retentionDays))
        throw new OperatorError(
          `--retention-days must be a whole number from ${RETENTION_DAYS_MIN} to ${RETENTION_DAYS_MAX}.`,
        );
      if (JSON.stringify(plan) !== JSON.stringify(control.plan)) await setUsagePlan(deps, ws, plan);
      return { workspaceId: ws, plan, month: control.month, used: control.used };
    },
  },
  ...restoreCommands,
  preflight: preflightCommand,
  "first-day": firstDay,
  ledger: {
    does: "Shows everything that is stored about one event, including each device and the remaining work.",
    needs: { workspace: "the workspace's id", event: "the event's id" },
    takes: anotherTable,
    run: async (clients, options) => {
      const deps = await openTable(clients, options);
      return readLedger(deps, await requireWorkspace(deps, options), requireOption(options, "event"));
    },
  },
};
