import * as apiKeys from "./api-keys.ts";
import * as audit from "./audit.ts";
import * as calendars from "./calendars.ts";
import * as connections from "./connections.ts";
import * as covers from "./covers.ts";
import * as devices from "./devices.ts";
import * as escalationPolicies from "./escalation-policies.ts";
import * as eventTypes from "./event-types.ts";
import * as events from "./events.ts";
import * as groups from "./groups.ts";
import * as heartbeats from "./heartbeats.ts";
import * as invitations from "./invitations.ts";
import * as members from "./members.ts";
import * as notificationRules from "./notification-rules.ts";
import * as notifications from "./notifications.ts";
import * as onCall from "./on-call.ts";
import * as onCallReport from "./on-call-report.ts";
import * as receipts from "./receipts.ts";
import * as routingRules from "./routing-rules.ts";
import * as silences from "./silences.ts";
import * as simulate from "./simulate.ts";
import * as sites from "./sites.ts";
import * as slack from "./slack.ts";
import * as statistics from "./statistics.ts";
import * as webhooks from "./webhooks.ts";
import * as workspaces from "./workspaces.ts";

/** All contracts, in the order of the OpenAPI document. */
export const contracts = {
  events,
  workspaces,
  calendars,
  members,
  invitations,
  audit,
  "api-keys": apiKeys,
  "routing-rules": routingRules,
  simulate,
  groups,
  notifications,
  devices,
  receipts,
  "notification-rules": notificationRules,
  "on-call": onCall,
  "on-call-report": onCallReport,
  covers,
  "escalation-policies": escalationPolicies,
  silences,
  heartbeats,
  webhooks,
  connections,
  slack,
  "event-types": eventTypes,
  statistics,
  sites,
};

type Kebab<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${Kebab<Rest>}`
  : "";

type Contracts = typeof contracts;
type NamedOperations = {
  [Resource in keyof Contracts]: {
    [Function in keyof Contracts[Resource]]: {
      [
        Name in keyof Contracts[Resource][Function] & string as `${Resource}/${Kebab<Name>}`
      ]: Contracts[Resource][Function][Name];
    };
  }[keyof Contracts[Resource]];
}[keyof Contracts];
type NamesOf<Some> = Some extends unknown ? keyof Some & string : never;

export type OperationName = NamesOf<NamedOperations>;
export type OperationNamed<Name extends OperationName> = Extract<NamedOperations, Record<Name, unknown>>[Name];

type PathOf<Some> = Some extends unknown ? PathIn<Some[keyof Some]> : never;
type PathIn<Operation> = Operation extends { path: infer Path } ? Path : never;
type FilledPath<Path extends string> = Path extends `${infer Start}{${string}}${infer Rest}`
  ? `${Start}${string}${FilledPath<Rest>}`
  : Path;
type PathInWorkspace<Path> = Path extends `/v1/workspaces/{workspaceId}${infer Rest}` ? FilledPath<Rest> : never;

type PathWithQuery<Path extends string> = Path | `${Path}?${string}`;

export type PathBelow = PathWithQuery<PathInWorkspace<PathOf<NamedOperations>>>;
