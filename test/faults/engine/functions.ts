import "./environment.ts";
import type { Deps } from "../../../core/deps.ts";
import { createGroup } from "../../../functions/groups/create-group.ts";
import { addGroupMember } from "../../../functions/groups/add-group-member.ts";
import { removeGroupMember } from "../../../functions/groups/remove-group-member.ts";
import { listGroupMembers } from "../../../functions/groups/list-group-members.ts";
import { listGroups } from "../../../functions/groups/list-groups.ts";
import { deleteGroup } from "../../../functions/groups/delete-group.ts";
import { createApiKey } from "../../../functions/api-keys/create-api-key.ts";
import { deleteApiKey } from "../../../functions/api-keys/delete-api-key.ts";
import { listApiKeys } from "../../../functions/api-keys/list-api-keys.ts";
import { deleteDevice } from "../../../functions/devices/delete-device.ts";
import { putNotificationRules } from "../../../functions/notification-rules/put-notification-rules.ts";
import { listDevices } from "../../../functions/devices/list-devices.ts";
import { registerDevice } from "../../../functions/devices/register-device.ts";
import { createEscalationPolicy } from "../../../functions/escalation-policies/create-escalation-policy.ts";
import { deleteEscalationPolicy } from "../../../functions/escalation-policies/delete-escalation-policy.ts";
import { listEscalationPolicies } from "../../../functions/escalation-policies/list-escalation-policies.ts";
import { updateEscalationPolicy } from "../../../functions/escalation-policies/update-escalation-policy.ts";
import { createEscalator } from "../../../functions/escalator.ts";
import { getEvent } from "../../../functions/events/get-event.ts";
import { listEvents } from "../../../functions/events/list-events.ts";
import { acknowledgeEvents } from "../../../functions/events/acknowledge-events.ts";
import { createPing } from "../../../functions/events/ping.ts";
import { createPostEvent } from "../../../functions/events/post-event.ts";
import { createPostFromSource } from "../../../functions/events/post-from-source.ts";
import { resolveEvent } from "../../../functions/events/resolve-event.ts";
import { snoozeEvent } from "../../../functions/events/snooze-event.ts";
import { createHeartbeat } from "../../../functions/heartbeats/create-heartbeat.ts";
import { deleteHeartbeat } from "../../../functions/heartbeats/delete-heartbeat.ts";
import { updateHeartbeat } from "../../../functions/heartbeats/update-heartbeat.ts";
import { takeCall } from "../../../functions/heartbeats/take-call.ts";
import { createMatcher } from "../../../functions/matcher.ts";
import { acceptInvitation } from "../../../functions/invitations/accept-invitation.ts";
import { createInvitation } from "../../../functions/invitations/create-invitation.ts";
import { listMembers } from "../../../functions/members/list-members.ts";
import { removeMember } from "../../../functions/members/remove-member.ts";
import { addMember } from "../../../functions/members/add-member.ts";
import { listNotifications } from "../../../functions/notifications/list-notifications.ts";
import { updateNotification } from "../../../functions/notifications/update-notification.ts";
import { createRoutingRule } from "../../../functions/routing-rules/create-routing-rule.ts";
import { listRoutingRules } from "../../../functions/routing-rules/list-routing-rules.ts";
import { deleteRoutingRule } from "../../../functions/routing-rules/delete-routing-rule.ts";
import { updateRoutingRule } from "../../../functions/routing-rules/update-routing-rule.ts";
import { createOverride } from "../../../functions/on-call/create-override.ts";
import { deleteOverride } from "../../../functions/on-call/delete-override.ts";
import { getOnCallNow } from "../../../functions/on-call/get-on-call-now.ts";
import { putOnCall } from "../../../functions/on-call/put-on-call.ts";
import { createSender } from "../../../functions/sender.ts";
import { createSilence } from "../../../functions/silences/create-silence.ts";
import { deleteSilence } from "../../../functions/silences/delete-silence.ts";
import { listSilences } from "../../../functions/silences/list-silences.ts";
import { updateSilence } from "../../../functions/silences/update-silence.ts";
import { deleteMyCalendar } from "../../../functions/calendars/delete-my-calendar.ts";
import { renewMyCalendar } from "../../../functions/calendars/renew-my-calendar.ts";
import { updateMember } from "../../../functions/members/update-member.ts";
import { createWebhook } from "../../../functions/webhooks/create-webhook.ts";
import { deleteWebhook } from "../../../functions/webhooks/delete-webhook.ts";
import { updateWorkspace } from "../../../functions/workspaces/update-workspace.ts";
import { createWebhookSender } from "../../../functions/webhook-sender.ts";
import { createSweeper } from "../../../functions/sweeper.ts";
import { takeReceipt } from "../../../functions/receipts/take-receipt.ts";
import { createVoice } from "../../../functions/voice.ts";
import { voiceKeys } from "../../../lib/workers.ts";

/** The functions of the stack that a run can start, with their timeouts in seconds. */
const HTTP_SECONDS = 10;

export const httpFunctions = {
  "post-event": createPostEvent,
  // Messages as CloudWatch words them, without SNS around them.
  "post-from-source": (deps: Deps) =>
    createPostFromSource({ ...deps, fetchText: () => Promise.reject(new Error("no network")) }),
  ping: createPing,
  "take-call": takeCall,
  "create-heartbeat": createHeartbeat,
  "update-heartbeat": updateHeartbeat,
  "delete-heartbeat": deleteHeartbeat,
  "get-event": getEvent,
  "list-events": listEvents,
  "acknowledge-events": acknowledgeEvents,
  "resolve-event": resolveEvent,
  "snooze-event": snoozeEvent,
  "list-notifications": listNotifications,
  "update-notification": updateNotification,
  "create-routing-rule": createRoutingRule,
  "update-routing-rule": updateRoutingRule,
  "delete-routing-rule": deleteRoutingRule,
  "list-routing-rules": listRoutingRules,
  "create-silence": createSilence,
  "update-silence": updateSilence,
  "delete-silence": deleteSilence,
  "list-silences": listSilences,
  "put-on-call": putOnCall,
  "get-on-call-now": getOnCallNow,
  "create-override": createOverride,
  "delete-override": deleteOverride,
  "create-escalation-policy": createEscalationPolicy,
  "update-escalation-policy": updateEscalationPolicy,
  "delete-escalation-policy": deleteEscalationPolicy,
  "list-escalation-policies": listEscalationPolicies,
  "create-group": createGroup,
  "list-groups": listGroups,
  "list-group-members": listGroupMembers,
  "delete-group": deleteGroup,
  "add-group-member": addGroupMember,
  "remove-group-member": removeGroupMember,
  "create-invitation": (deps: Deps) => createInvitation({ ...deps, mail: undefined }),
  // The pool knows one person by whatever token.
  "accept-invitation": (deps: Deps) =>
    acceptInvitation({ ...deps, readProfile: async () => ({ name: "Dan", email: "Dan@acme.example" }) }),
  "add-member": addMember,
  "remove-member": removeMember,
  "update-member": updateMember,
  "list-members": listMembers,
  "update-workspace": (deps: Deps) => updateWorkspace({ ...deps, ways: ["push"] }),
  "put-notification-rules": (deps: Deps) => putNotificationRules({ ...deps, ways: ["push", "email"] }),
  "create-webhook": createWebhook,
  "delete-webhook": deleteWebhook,
  "renew-my-calendar": renewMyCalendar,
  "delete-my-calendar": deleteMyCalendar,
  "create-api-key": createApiKey,
  "delete-api-key": deleteApiKey,
  "list-api-keys": listApiKeys,
  "register-device": (deps: Deps) => registerDevice({ ...deps, mail: undefined, sms: undefined, voice: undefined }),
  "delete-device": deleteDevice,
  "list-devices": listDevices,
  "take-receipt": takeReceipt,
} as const;
export type HttpFunction = keyof typeof httpFunctions;

export const workers = {
  matcher: { create: createMatcher, timeoutSeconds: 20 },
  sender: { create: createSender, timeoutSeconds: 30 },
  escalator: { create: createEscalator, timeoutSeconds: 20 },
  "webhook-sender": { create: createWebhookSender, timeoutSeconds: 30 },
  sweeper: { create: createSweeper, timeoutSeconds: 60 },
} as const;
export type Worker = keyof typeof workers;

/** What Connect asks. */
const asked = { voice: { create: createVoice, timeoutSeconds: voiceKeys.timeoutSeconds } } as const;

export type FunctionName = HttpFunction | Worker | keyof typeof asked;

const others = { ...workers, ...asked };
const isHttp = (name: FunctionName): name is HttpFunction => Object.hasOwn(httpFunctions, name);

export const timeoutSeconds = (name: FunctionName): number =>
  isHttp(name) ? HTTP_SECONDS : others[name].timeoutSeconds;

/** A new instance of a function, with an empty memory. */
export const createHandler = (name: FunctionName, deps: Deps): unknown =>
  isHttp(name) ? httpFunctions[name](deps) : others[name].create(deps);
