import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import * as v from "valibot";
import type { AnswerName, answers } from "../interface/shapes.ts";

/*
 * The strict shapes of answers, from docs/openapi.json: fields that are not in the document are faults.
 * test/interface/released.test.ts checks whether a shape breaks a promise of the last release.
 */

type Schemas = Readonly<Record<string, unknown>>;

const Part = v.object({
  $ref: v.optional(v.string()),
  properties: v.optional(v.record(v.string(), v.unknown()), {}),
  required: v.optional(v.array(v.string()), []),
});

/** Merges the parts (`allOf`) of a schema, because a part that forbids additional properties refuses the other parts' fields. */
const mergeParts = (parts: unknown, schemas: Schemas): unknown => {
  const all = v.parse(v.array(Part), parts).map((part) => {
    const [, name] = /^#\/components\/schemas\/(\w+)$/.exec(part.$ref ?? "") ?? [];
    return name === undefined ? part : v.parse(Part, schemas[name]);
  });
  const properties = Object.fromEntries(all.flatMap((part) => Object.entries(part.properties)));
  return { type: "object", properties, required: all.flatMap(({ required }) => required) };
};

/** Forbids additional properties of objects with named properties, so that fields outside the document are faults. */
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
/** The formats of strings, by field name; the document does not describe these formats. */
const formats: readonly [name: RegExp, format: RegExp][] = [
  [/(?:At|Until)$/, TIMESTAMP],
  [/^workspaceId$/, /^ws_\w+$/],
  [/^eventId$/, /^evt_\w+$/],
  [/^userId$/, /^usr_\w+$/],
  [/^id$/, /^(?:[a-z]+_\w+|service)$/],
];

/** Describes the fields, at any depth, whose text does not have the format that their names promise, such as a time. */
const listMalformedFields = (value: unknown, name = "body"): string[] => {
  if (typeof value === "string")
    return formats.some(([named, format]) => named.test(name) && !format.test(value)) ? [`${name} is ${value}`] : [];
  if (typeof value !== "object" || value === null) return [];
  // The fields in `data` of an event are the sender's own.
  return Object.entries(value).flatMap(([key, inner]) => (key === "data" ? [] : listMalformedFields(inner, key)));
};

const validators = new Map<AnswerName, ValidateFunction>();
const listFaults = (schemaName: AnswerName, value: unknown): string[] => {
  const validate = validators.get(schemaName) ?? ajv.compile({ $ref: `openapi#/components/schemas/${schemaName}` });
  validators.set(schemaName, validate);
  return validate(value) ? listMalformedFields(value) : [ajv.errorsText(validate.errors, { dataVar: "body" })];
};

const toStrictSchema = <Name extends AnswerName>(name: Name) =>
  v.custom<v.InferOutput<(typeof answers)[Name]>>(
    (value) => listFaults(name, value).length === 0,
    ({ input }) => listFaults(name, input).join("; "),
  );

export const Accepted = toStrictSchema("EventAccepted");
export const Deduplicated = toStrictSchema("EventDeduplicated");
export const EventsTaken = toStrictSchema("EventsTaken");
export const Ping = toStrictSchema("Ping");
export const ApiKey = toStrictSchema("ApiKey");
export const NewApiKey = toStrictSchema("ApiKeyWithText");
export const Group = toStrictSchema("Group");
export const GroupMember = toStrictSchema("GroupMember");
export const GroupMemberWithName = toStrictSchema("GroupMemberWithName");
export const Rule = toStrictSchema("RoutingRule");
export const EventNote = toStrictSchema("EventNote");
export const EventLifecycle = toStrictSchema("EventLife");
export const Notification = toStrictSchema("Notification");
export type Notification = v.InferOutput<typeof Notification>;
export const EventPage = toStrictSchema("EventPage");
export const Event = toStrictSchema("Event");
export const ListedWorkspace = toStrictSchema("ListedWorkspace");
export const Workspace = toStrictSchema("WorkspaceView");
export const Member = toStrictSchema("Member");
export const MemberDetail = toStrictSchema("MemberDetail");
export const Invitation = toStrictSchema("Invitation");
export const SentInvitation = toStrictSchema("SentInvitation");
export const OwnInvitation = toStrictSchema("OwnInvitation");
export const Joined = toStrictSchema("Joined");
export const ListedMember = toStrictSchema("ListedMember");
export const Device = toStrictSchema("Device");
export const NotificationRules = toStrictSchema("NotificationRules");
export const DeviceTestAnswer = toStrictSchema("DeviceTestAnswer");
export const OnCallNow = toStrictSchema("OnCallNow");
export const GroupOnCallNow = toStrictSchema("GroupOnCallNow");
export const MyShift = toStrictSchema("Shift");
export const CalendarAddress = toStrictSchema("CalendarAddress");
export const WrittenSchedule = toStrictSchema("WrittenSchedule");
export const Schedule = toStrictSchema("OnCallSchedule");
export const Override = toStrictSchema("WrittenOverride");
export const Cover = toStrictSchema("Cover");
export const Policy = toStrictSchema("EscalationPolicy");
export const Silence = toStrictSchema("Silence");
export const SavedSilence = toStrictSchema("SavedSilence");
export const Heartbeat = toStrictSchema("Heartbeat");
export const WrittenHeartbeat = toStrictSchema("ChangedHeartbeat");
export const HeartbeatWithUrl = toStrictSchema("HeartbeatWithUrl");
export const HeartbeatCall = toStrictSchema("HeartbeatCall");
export const Webhook = toStrictSchema("Webhook");
export const WebhookWithSecret = toStrictSchema("WebhookWithSecret");
export const WebhookDeliveries = toStrictSchema("WebhookDeliveries");
export const WebhookTestAnswer = toStrictSchema("WebhookTestAnswer");
export const Connection = toStrictSchema("Connection");
export const SlackAccount = toStrictSchema("SlackAccount");
export const EventType = toStrictSchema("EventType");
export const EventTypeWithFields = toStrictSchema("EventTypeWithFields");
export const Site = toStrictSchema("Site");
export const DryRun = toStrictSchema("DryRun");
export const Probe = toStrictSchema("Probe");
export const SentProbe = toStrictSchema("SentProbe");
export const Shadow = toStrictSchema("Shadow");
export const ShadowComparison = toStrictSchema("ShadowComparison");
export const Simulated = toStrictSchema("Simulation");
export const SimulatedHistory = toStrictSchema("History");
export const AuditPage = toStrictSchema("AuditPage");
export const OnCallReport = toStrictSchema("OnCallReport");
export const Statistics = toStrictSchema("Statistics");
export type Statistics = v.InferOutput<typeof Statistics>;
