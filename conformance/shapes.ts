import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import * as v from "valibot";
import type { AnswerName, answers } from "../interface/shapes.ts";

/*
 * The strict shape of each answer, from docs/openapi.json: a field that the document does not name is a fault. Whether a
 * shape breaks a promise of the last release is checked by test/interface/released.test.ts.
 */

type Schemas = Readonly<Record<string, unknown>>;

const Part = v.object({
  $ref: v.optional(v.string()),
  properties: v.optional(v.record(v.string(), v.unknown()), {}),
  required: v.optional(v.array(v.string()), []),
});

/** Merges the parts of an object's schema, because each part alone would refuse the fields of the others. */
const mergeParts = (parts: unknown, schemas: Schemas): unknown => {
  const all = v.parse(v.array(Part), parts).map((part) => {
    const [, name] = /^#\/components\/schemas\/(\w+)$/.exec(part.$ref ?? "") ?? [];
    return name === undefined ? part : v.parse(Part, schemas[name]);
  });
  const properties = Object.fromEntries(all.flatMap((part) => Object.entries(part.properties)));
  return { type: "object", properties, required: all.flatMap(({ required }) => required) };
};

/** Closes every object with named properties: a field that the document does not name must not be answered. */
export const closeObjects = (schema: unknown, schemas: Schemas): unknown => {
  if (Array.isArray(schema)) return schema.map((one) => closeObjects(one, schemas));
  if (typeof schema !== "object" || schema === null) return schema;
  if ("allOf" in schema) return closeObjects(mergeParts(schema.allOf, schemas), schemas);
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closeObjects(value, schemas)]));
  return "properties" in inner && !("additionalProperties" in inner)
    ? { ...inner, additionalProperties: false }
    : inner;
};

const Document = v.object({ components: v.object({ schemas: v.record(v.string(), v.unknown()) }) });
const { components } = v.parse(
  Document,
  JSON.parse(readFileSync(new URL("../docs/openapi.json", import.meta.url), "utf8")),
);
const ajv = new Ajv2020({ strict: false }).addSchema({
  $id: "openapi",
  components: closeObjects(components, components.schemas),
});

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;
/** The format of texts under a name, which the document does not describe. */
const looks: readonly [name: RegExp, look: RegExp][] = [
  [/(?:At|Until)$/, TIMESTAMP],
  [/^workspaceId$/, /^ws_\w+$/],
  [/^eventId$/, /^evt_\w+$/],
  [/^userId$/, /^usr_\w+$/],
  [/^id$/, /^(?:[a-z]+_\w+|service)$/],
];

const findMisshapen = (value: unknown, name = "body"): string[] => {
  if (typeof value === "string")
    return looks.some(([named, look]) => named.test(name) && !look.test(value)) ? [`${name} is ${value}`] : [];
  if (typeof value !== "object" || value === null) return [];
  // The data of an event is the sender's own.
  return Object.entries(value).flatMap(([key, inner]) => (key === "data" ? [] : findMisshapen(inner, key)));
};

const validators = new Map<AnswerName, ValidateFunction>();
const faultsOf = (name: AnswerName, value: unknown): string[] => {
  const validate = validators.get(name) ?? ajv.compile({ $ref: `openapi#/components/schemas/${name}` });
  validators.set(name, validate);
  return validate(value) ? findMisshapen(value) : [ajv.errorsText(validate.errors, { dataVar: "body" })];
};

const shape = <Name extends AnswerName>(name: Name) =>
  v.custom<v.InferOutput<(typeof answers)[Name]>>(
    (value) => faultsOf(name, value).length === 0,
    ({ input }) => faultsOf(name, input).join("; "),
  );

export const Accepted = shape("EventAccepted");
export const Deduplicated = shape("EventDeduplicated");
export const EventsTaken = shape("EventsTaken");
export const Ping = shape("Ping");
export const ApiKey = shape("ApiKey");
export const NewApiKey = shape("ApiKeyWithText");
export const Group = shape("Group");
export const GroupMember = shape("GroupMember");
export const GroupMemberWithName = shape("GroupMemberWithName");
export const Rule = shape("RoutingRule");
export const EventNote = shape("EventNote");
export const EventLifecycle = shape("EventLife");
export const Notification = shape("Notification");
export type Notification = v.InferOutput<typeof Notification>;
export const EventPage = shape("EventPage");
export const Event = shape("Event");
export const ListedWorkspace = shape("ListedWorkspace");
export const Workspace = shape("WorkspaceView");
export const Member = shape("Member");
export const MemberDetail = shape("MemberDetail");
export const Invitation = shape("Invitation");
export const SentInvitation = shape("SentInvitation");
export const OwnInvitation = shape("OwnInvitation");
export const Joined = shape("Joined");
export const ListedMember = shape("ListedMember");
export const Device = shape("Device");
export const NotificationRules = shape("NotificationRules");
export const DeviceTestAnswer = shape("DeviceTestAnswer");
export const OnCallNow = shape("OnCallNow");
export const GroupOnCallNow = shape("GroupOnCallNow");
export const MyShift = shape("Shift");
export const CalendarAddress = shape("CalendarAddress");
export const WrittenSchedule = shape("WrittenSchedule");
export const Schedule = shape("OnCallSchedule");
export const Override = shape("WrittenOverride");
export const Cover = shape("Cover");
export const Policy = shape("EscalationPolicy");
export const Silence = shape("Silence");
export const SavedSilence = shape("SavedSilence");
export const Heartbeat = shape("Heartbeat");
export const WrittenHeartbeat = shape("ChangedHeartbeat");
export const HeartbeatWithUrl = shape("HeartbeatWithUrl");
export const HeartbeatCall = shape("HeartbeatCall");
export const Webhook = shape("Webhook");
export const WebhookWithSecret = shape("WebhookWithSecret");
export const WebhookDeliveries = shape("WebhookDeliveries");
export const WebhookTestAnswer = shape("WebhookTestAnswer");
export const Connection = shape("Connection");
export const SlackAccount = shape("SlackAccount");
export const EventType = shape("EventType");
export const EventTypeWithFields = shape("EventTypeWithFields");
export const Site = shape("Site");
export const DryRun = shape("DryRun");
export const Probe = shape("Probe");
export const SentProbe = shape("SentProbe");
export const Shadow = shape("Shadow");
export const ShadowComparison = shape("ShadowComparison");
export const Simulated = shape("Simulation");
export const SimulatedHistory = shape("History");
export const AuditPage = shape("AuditPage");
export const OnCallReport = shape("OnCallReport");
export const Statistics = shape("Statistics");
export type Statistics = v.InferOutput<typeof Statistics>;
