import type { AnswerName, InputName } from "./types.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
/** A name in brackets is an array of that; undefined: the answer is empty. */
export type Shape = AnswerName | readonly [AnswerName] | undefined;

const asks = <const Answer extends Shape>(method: Method, path: string, answer: Answer) => ({
  method,
  path,
  answer,
  body: undefined,
});
const sends = <const Answer extends Shape, const Body extends InputName>(
  method: Method,
  path: string,
  answer: Answer,
  body: Body,
) => ({ method, path, answer, body });

const WS = "/v1/workspaces/{workspaceId}";

/** The endpoints that the console calls, by the function that answers. A test compares them with the OpenAPI source. */
export const endpoints = {
  "workspaces/list-workspaces": asks("GET", "/v1/workspaces", ["Workspace"]),
  "workspaces/create-workspace": sends("POST", "/v1/workspaces", "Workspace", "WorkspaceInput"),
  "api-keys/list-api-keys": asks("GET", `${WS}/api-keys`, ["ApiKey"]),
  "api-keys/create-api-key": sends("POST", `${WS}/api-keys`, "ApiKeyWithText", "ApiKeyInput"),
  "api-keys/delete-api-key": asks("DELETE", `${WS}/api-keys/{id}`, undefined),
  "events/list-events": asks("GET", `${WS}/events`, "EventPage"),
  "events/get-event": asks("GET", `${WS}/events/{eventId}`, "Event"),
  "events/acknowledge-events": sends("POST", `${WS}/events/acknowledge`, ["EventLife"], "AcknowledgeInput"),
  "events/resolve-event": sends("POST", `${WS}/events/{eventId}/resolve`, "EventLife", "ResolveInput"),
  "events/explain-event": asks("GET", `${WS}/events/{eventId}/explain`, "EventExplanation"),
  "notifications/list-notifications": asks("GET", `${WS}/notifications`, ["Notification"]),
  "notifications/update-notification": sends(
    "PATCH",
    `${WS}/notifications/{notificationId}`,
    "Notification",
    "NotificationReport",
  ),
  "statistics/list-statistics": asks("GET", `${WS}/statistics`, ["Statistics"]),
  "sites/list-sites": asks("GET", `${WS}/sites`, ["Site"]),
  "routing-rules/list-routing-rules": asks("GET", `${WS}/routing-rules`, ["RoutingRule"]),
  "routing-rules/get-routing-rule": asks("GET", `${WS}/routing-rules/{ruleId}`, "RoutingRule"),
  "routing-rules/create-routing-rule": sends("POST", `${WS}/routing-rules`, "WrittenRoutingRule", "RoutingRuleInput"),
  "routing-rules/update-routing-rule": sends(
    "PATCH",
    `${WS}/routing-rules/{ruleId}`,
    "WrittenRoutingRule",
    "RoutingRulePatch",
  ),
  "routing-rules/delete-routing-rule": asks("DELETE", `${WS}/routing-rules/{ruleId}`, undefined),
  "routing-rules/test-routing-rules": sends("POST", `${WS}/routing-rules/test`, "DryRun", "DryRunInput"),
  "simulate/simulate-history": sends("POST", `${WS}/simulate/history`, "History", "HistoryInput"),
  "groups/list-groups": asks("GET", `${WS}/groups`, ["Group"]),
  "groups/get-group": asks("GET", `${WS}/groups/{groupId}`, "Group"),
  "groups/create-group": sends("POST", `${WS}/groups`, "Group", "GroupInput"),
  "groups/delete-group": asks("DELETE", `${WS}/groups/{groupId}`, undefined),
  "groups/list-group-members": asks("GET", `${WS}/groups/{groupId}/members`, ["GroupMemberWithName"]),
  "groups/add-group-member": sends("POST", `${WS}/groups/{groupId}/members`, "GroupMember", "GroupMemberInput"),
  "groups/remove-group-member": asks("DELETE", `${WS}/groups/{groupId}/members/{userId}`, undefined),
  "escalation-policies/list-escalation-policies": asks("GET", `${WS}/escalation-policies`, ["EscalationPolicy"]),
  "escalation-policies/get-escalation-policy": asks("GET", `${WS}/escalation-policies/{policyId}`, "EscalationPolicy"),
  "escalation-policies/create-escalation-policy": sends(
    "POST",
    `${WS}/escalation-policies`,
    "WrittenEscalationPolicy",
    "EscalationPolicyInput",
  ),
  "escalation-policies/update-escalation-policy": sends(
    "PATCH",
    `${WS}/escalation-policies/{policyId}`,
    "WrittenEscalationPolicy",
    "EscalationPolicyPatch",
  ),
  "escalation-policies/delete-escalation-policy": asks("DELETE", `${WS}/escalation-policies/{policyId}`, undefined),
  "on-call/list-on-call-now": asks("GET", `${WS}/on-call/now`, ["GroupOnCallNow"]),
  "on-call/list-my-shifts": asks("GET", `${WS}/on-call/mine`, ["Shift"]),
  "on-call/get-on-call": asks("GET", `${WS}/groups/{groupId}/on-call`, "OnCallSchedule"),
  "on-call/put-on-call": sends("PUT", `${WS}/groups/{groupId}/on-call`, "WrittenSchedule", "OnCallScheduleInput"),
  "on-call/create-override": sends(
    "POST",
    `${WS}/groups/{groupId}/on-call/overrides`,
    "WrittenOverride",
    "OnCallOverrideInput",
  ),
  "on-call/delete-override": asks("DELETE", `${WS}/groups/{groupId}/on-call/overrides/{overrideId}`, undefined),
  "silences/list-silences": asks("GET", `${WS}/silences`, ["Silence"]),
  "silences/get-silence": asks("GET", `${WS}/silences/{silenceId}`, "Silence"),
  "silences/create-silence": sends("POST", `${WS}/silences`, "Silence", "SilenceInput"),
  "silences/update-silence": sends("PATCH", `${WS}/silences/{silenceId}`, "Silence", "SilencePatch"),
  "silences/delete-silence": asks("DELETE", `${WS}/silences/{silenceId}`, undefined),
  "event-types/list-event-types": asks("GET", `${WS}/event-types`, ["EventType"]),
  "event-types/get-event-type": asks("GET", `${WS}/event-types/{eventKey}`, "EventTypeWithFields"),
  "devices/list-devices": asks("GET", `${WS}/devices`, ["Device"]),
  "devices/register-device": sends("POST", `${WS}/devices`, "Device", "DeviceInput"),
  "devices/get-web-push-key": asks("GET", "/v1/web-push/key", "WebPushKey"),
  "devices/test-device": asks("POST", `${WS}/devices/{deviceId}/test`, "DeviceTestAnswer"),
  "devices/delete-device": asks("DELETE", `${WS}/devices/{deviceId}`, undefined),
  "members/list-members": asks("GET", `${WS}/members`, ["ListedMember"]),
  "members/add-member": sends("POST", `${WS}/members`, "Member", "MemberInput"),
  "members/remove-member": asks("DELETE", `${WS}/members/{userId}`, undefined),
} as const;
export type EndpointName = keyof typeof endpoints;
