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

/** Merges the parts (`allOf`) of a schema, because each closed part would refuse the other parts' fields. */
const mergeParts = (parts: unknown, schemas: Schemas): unknown => {
  const all = v.parse(v.array(Part), parts).map((part) => {
    const [, name] = /^#\/components\/schemas\/(\w+)$/.exec(part.$ref ?? "") ?? [];
    return name === undefined ? part : v.parse(Part, schemas[name]);
  });
  const properties = Object.fromEntries(all.flatMap((part) => Object.entries(part.properties)));
  return { type: "object", properties, required: all.flatMap(({ required }) => required) };
};

/** Makes fields outside the document a fault, by forbidding additional properties of objects with named properties. */
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
/** The format of texts by field name, which the document does not describe. */
const looks: readonly [name: RegExp, look: RegExp][] = [
  [/(?:At|Until)$/, TIMESTAMP],
  [/^workspaceId$/, /^ws_\w+$/],
  [/^eventId$/, /^evt_\w+$/],
  [/^userId$/, /^usr_\w+$/],
  [/^id$/, /^(?:[a-z]+_\w+|service)$/],
];

const listMalformedFields = (value: unknown, name = "body"): string[] => {
  if (typeof value === "string")
    return looks.some(([named, look]) => named.test(name) && !look.test(value)) ? [`${name} is ${value}`] : [];
  if (typeof value !== "object" || value === null) return [];
  // An event's data has the sender's own fields.
  return Object.entries(value).flatMap(([key, inner]) => (key === "data" ? [] : listMalformedFields(inner, key)));
};

const validators = new Map<AnswerName, ValidateFunction>();
const listFaults = (name: AnswerName, value: unknown): string[] => {
  const validate = validators.get(name) ?? ajv.compile({ $ref: `openapi#/components/schemas/${name}` });
  validators.set(name, validate);
  return validate(value) ? listMalformedFields(value) : [ajv.errorsText(validate.errors, { dataVar: "body" })];
};

const answerSchema = <Name extends AnswerName>(name: Name) =>
  v.custom<v.InferOutput<(typeof answers)[Name]>>(
    (value) => listFaults(name, value).length === 0,
    ({ input }) => listFaults(name, input).join("; "),
  );

export const Accepted = answerSchema("EventAccepted");
export const Deduplicated = answerSchema("EventDeduplicated");
export const EventsTaken = answerSchema("EventsTaken");
export const Ping = answerSchema("Ping");
export const ApiKey = answerSchema("ApiKey");
export const NewApiKey = answerSchema("ApiKeyWithText");
export const Group = answerSchema("Group");
export const GroupMember = answerSchema("GroupMember");
export const GroupMemberWithName = answerSchema("GroupMemberWithName");
export const Rule = answerSchema("RoutingRule");
export const EventNote = answerSchema("EventNote");
export const EventLifecycle = answerSchema("EventLife");
export const Notification = answerSchema("Notification");
export type Notification = v.InferOutput<typeof Notification>;
export const EventPage = answerSchema("EventPage");
export const Event = answerSchema("Event");
export const ListedWorkspace = answerSchema("ListedWorkspace");
export const Workspace = answerSchema("WorkspaceView");
export const Member = answerSchema("Member");
export const MemberDetail = answerSchema("MemberDetail");
export const Invitation = answerSchema("Invitation");
export const SentInvitation = answerSchema("SentInvitation");
export const OwnInvitation = answerSchema("OwnInvitation");
export const Joined = answerSchema("Joined");
export const ListedMember = answerSchema("ListedMember");
export const Device = answerSchema("Device");
export const NotificationRules = answerSchema("NotificationRules");
export const DeviceTestAnswer = answerSchema("DeviceTestAnswer");
export const OnCallNow = answerSchema("OnCallNow");
export const GroupOnCallNow = answerSchema("GroupOnCallNow");
export const MyShift = answerSchema("Shift");
export const CalendarAddress = answerSchema("CalendarAddress");
export const WrittenSchedule = answerSchema("WrittenSchedule");
export const Schedule = answerSchema("OnCallSchedule");
export const Override = answerSchema("WrittenOverride");
export const Cover = answerSchema("Cover");
export const Policy = answerSchema("EscalationPolicy");
export const Silence = answerSchema("Silence");
export const SavedSilence = answerSchema("SavedSilence");
export const Heartbeat = answerSchema("Heartbeat");
export const WrittenHeartbeat = answerSchema("ChangedHeartbeat");
export const HeartbeatWithUrl = answerSchema("HeartbeatWithUrl");
export const HeartbeatCall = answerSchema("HeartbeatCall");
export const Webhook = answerSchema("Webhook");
export const WebhookWithSecret = answerSchema("WebhookWithSecret");
export const WebhookDeliveries = answerSchema("WebhookDeliveries");
export const WebhookTestAnswer = answerSchema("WebhookTestAnswer");
export const Connection = answerSchema("Connection");
export const SlackAccount = answerSchema("SlackAccount");
export const EventType = answerSchema("EventType");
export const EventTypeWithFields = answerSchema("EventTypeWithFields");
export const Site = answerSchema("Site");
export const DryRun = answerSchema("DryRun");
export const Probe = answerSchema("Probe");
export const SentProbe = answerSchema("SentProbe");
export const Shadow = answerSchema("Shadow");
export const ShadowComparison = answerSchema("ShadowComparison");
export const Simulated = answerSchema("Simulation");
export const SimulatedHistory = answerSchema("History");
export const AuditPage = answerSchema("AuditPage");
export const OnCallReport = answerSchema("OnCallReport");
export const Statistics = answerSchema("Statistics");
export type Statistics = v.InferOutput<typeof Statistics>;
