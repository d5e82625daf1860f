import "./environment.ts";
import type { Deps } from "../../../core/deps.ts";
import { defaultUsagePlan } from "../../../core/domain/workspace/usage-plan.ts";
import { createEscalator } from "../../../functions/escalator.ts";
import * as apiKeys from "../../../functions/api-keys.ts";
import * as calendars from "../../../functions/calendars.ts";
import * as covers from "../../../functions/covers.ts";
import * as devices from "../../../functions/devices.ts";
import * as escalationPolicies from "../../../functions/escalation-policies.ts";
import * as events from "../../../functions/events.ts";
import * as groups from "../../../functions/groups.ts";
import * as heartbeats from "../../../functions/heartbeats.ts";
import * as invitations from "../../../functions/invitations.ts";
import * as members from "../../../functions/members.ts";
import * as notificationRules from "../../../functions/notification-rules.ts";
import * as notifications from "../../../functions/notifications.ts";
import * as onCall from "../../../functions/on-call.ts";
import * as routingRules from "../../../functions/routing-rules.ts";
import * as silences from "../../../functions/silences.ts";
import * as webhooks from "../../../functions/webhooks.ts";
import * as workspaces from "../../../functions/workspaces.ts";
import { createPing } from "../../../functions/doors/ping.ts";
import { createPostEvent } from "../../../functions/doors/post-event.ts";
import { createPostFromSource } from "../../../functions/doors/post-from-source.ts";
import { takeCall } from "../../../functions/doors/take-call.ts";
import { createInbound } from "../../../functions/inbound.ts";
import { createMatcher } from "../../../functions/matcher.ts";
import { createSender } from "../../../functions/sender.ts";
import { createWebhookSender } from "../../../functions/webhook-sender.ts";
import { createSweeper } from "../../../functions/sweeper.ts";
import { takeReceipt } from "../../../functions/doors/take-receipt.ts";
import { createVoice } from "../../../functions/voice.ts";
import { voiceKeys } from "../../../lib/workers.ts";

const HTTP_SECONDS = 10;

// The user pool's stand-in returns the same person for any token.
const readProfile = async () => ({ name: "Dan", email: "Dan@acme.example" });
const changeInvitations = (deps: Deps) => invitations.writes({ ...deps, mail: undefined, readProfile });
const changeDevices = (deps: Deps) => devices.writes({ ...deps, mail: undefined, sms: undefined, voice: undefined });

export const httpFunctions = {
  "post-event": createPostEvent,
  // Messages in the format of CloudWatch, without an SNS envelope.
  "post-from-source": (deps: Deps) =>
    createPostFromSource({ ...deps, fetchText: () => Promise.reject(new Error("no network")) }),
  ping: createPing,
  "take-call": takeCall,
  "create-heartbeat": heartbeats.writes,
  "update-heartbeat": heartbeats.writes,
  "delete-heartbeat": heartbeats.writes,
  "get-event": events.reads,
  "list-events": events.reads,
  "acknowledge-events": events.writes,
  "resolve-event": events.writes,
  "snooze-event": events.writes,
  "list-notifications": notifications.reads,
  "update-notification": notifications.writes,
  "create-routing-rule": routingRules.writes,
  "update-routing-rule": routingRules.writes,
  "delete-routing-rule": routingRules.writes,
  "list-routing-rules": routingRules.reads,
  "create-silence": silences.writes,
  "update-silence": silences.writes,
  "delete-silence": silences.writes,
  "list-silences": silences.reads,
  "put-on-call": onCall.writes,
  "get-on-call-now": onCall.reads,
  "create-override": onCall.writes,
  "ask-for-cover": covers.writes,
  "take-cover": covers.writes,
  "withdraw-cover": covers.writes,
  "delete-override": onCall.writes,
  "create-escalation-policy": escalationPolicies.writes,
  "update-escalation-policy": escalationPolicies.writes,
  "delete-escalation-policy": escalationPolicies.writes,
  "list-escalation-policies": escalationPolicies.reads,
  "create-group": groups.writes,
  "list-groups": groups.reads,
  "list-group-members": groups.reads,
  "delete-group": groups.writes,
  "add-group-member": groups.writes,
  "remove-group-member": groups.writes,
  "create-invitation": changeInvitations,
  "accept-invitation": changeInvitations,
  "add-member": members.writes,
  "remove-member": members.writes,
  "update-member": members.writes,
  "list-members": members.reads,
  "update-workspace": (deps: Deps) =>
    workspaces.writes({ ...deps, ways: ["push"], plan: defaultUsagePlan, readProfile }),
  "put-notification-rules": (deps: Deps) => notificationRules.writes({ ...deps, ways: ["push", "email"] }),
  "create-webhook": webhooks.writes,
  "delete-webhook": webhooks.writes,
  "renew-my-calendar": calendars.writes,
  "delete-my-calendar": calendars.writes,
  "create-api-key": apiKeys.writes,
  "delete-api-key": apiKeys.writes,
  "list-api-keys": apiKeys.reads,
  "register-device": changeDevices,
  "delete-device": changeDevices,
  "list-devices": devices.reads,
  "take-receipt": takeReceipt,
} as const;
export type HttpFunction = keyof typeof httpFunctions;

export const workers = {
  matcher: { create: createMatcher, timeoutSeconds: 20 },
  sender: { create: createSender, timeoutSeconds: 30 },
  escalator: { create: createEscalator, timeoutSeconds: 20 },
  inbound: { create: createInbound, timeoutSeconds: 20 },
  "webhook-sender": { create: createWebhookSender, timeoutSeconds: 30 },
  sweeper: { create: createSweeper, timeoutSeconds: 60 },
} as const;
export type Worker = keyof typeof workers;

const connectFunctions = { voice: { create: createVoice, timeoutSeconds: voiceKeys.timeoutSeconds } } as const;

export type FunctionName = HttpFunction | Worker | keyof typeof connectFunctions;

const others = { ...workers, ...connectFunctions };
const isHttp = (name: FunctionName): name is HttpFunction => Object.hasOwn(httpFunctions, name);

export const timeoutSeconds = (name: FunctionName): number =>
  isHttp(name) ? HTTP_SECONDS : others[name].timeoutSeconds;

/** Creates a handler with an empty memory. */
export const createHandler = (name: FunctionName, deps: Deps): unknown =>
  isHttp(name) ? httpFunctions[name](deps) : others[name].create(deps);
