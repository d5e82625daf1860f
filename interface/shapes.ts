import * as v from "valibot";
import { WorkspaceId } from "../core/domain/basics/ids.ts";
import { Condition } from "../core/domain/rules/matching/condition.ts";
import { Ordered } from "../core/domain/rules/matching/operators.ts";
import { EventKeyPattern } from "../core/domain/basics/event-key.ts";
import { PrioritySpelling } from "../core/domain/basics/priority.ts";
import { Mapping } from "../core/domain/basics/mapping.ts";
import { SourceName } from "../core/domain/basics/source-name.ts";
import { Restriction } from "../core/domain/basics/clock/week.ts";
import { DraftRules } from "../core/domain/planning/draft.ts";
import { StoredConditions } from "../core/domain/rules/matching/stored-condition.ts";
import { Trace } from "../core/domain/rules/trace.ts";
import { ApiKey, ApiKeyInput } from "../core/domain/workspace/api-key.ts";
import { DeviceInput, DeviceTestAnswer, DeviceView } from "../core/domain/device/device.ts";
import { CodeInput } from "../core/domain/device/verification.ts";
import { ReceiptAnswer, ReceiptInput } from "../core/domain/delivery/receipt.ts";
import { WebPushKey } from "../core/domain/device/subscription.ts";
import { DryRun, DryRunInput, TriedRule } from "../core/domain/planning/dry-run.ts";
import { History, HistoryInput } from "../core/domain/planning/history.ts";
import { ProbeView } from "../core/domain/planning/probe-view.ts";
import { Simulation, SimulationInput } from "../core/domain/planning/simulation.ts";
import {
  EscalationPolicy,
  EscalationPolicyInput,
  EscalationPolicyPatch,
} from "../core/domain/escalation/escalation-policy.ts";
import { CloudEvent, CloudEvents } from "../core/domain/sources/cloud-event.ts";
import { EventInput } from "../core/domain/event/event.ts";
import { EventType, EventTypeView } from "../core/domain/rules/event-type.ts";
import { SilencedBy } from "../core/domain/delivery/delivery-plan.ts";
import { NoticeView } from "../core/domain/event/notice.ts";
import { Pay } from "../core/domain/shifts/pay.ts";
import { ProveShifts } from "../core/domain/shifts/reachability-check.ts";
import { OnCallReport } from "../core/domain/shifts/report.ts";
import { EventPage, EventView, FlappingView } from "../core/domain/event/event-view.ts";
import { EscalateInput, NoteInput, NoteView, SnoozeInput, NotifyInput } from "../core/domain/event/actions.ts";
import { AcknowledgeInput, EventLifecycle, ResolveInput } from "../core/domain/event/lifecycle.ts";
import { EventExplanation } from "../core/domain/planning/explanation.ts";
import {
  GroupInput,
  GroupMember,
  GroupMemberInput,
  GroupMemberView,
  GroupPatch,
  GroupView,
} from "../core/domain/people/group.ts";
import {
  InvitationInput,
  InvitationView,
  Joined,
  OwnInvitation,
  SentInvitation,
} from "../core/domain/people/invitation.ts";
import { MemberDetail } from "../core/domain/people/member-detail.ts";
import { ListedMember, MemberInput, MemberView, RoleInput } from "../core/domain/people/member.ts";
import { NotificationReport } from "../core/domain/delivery/notification.ts";
import { NotificationView } from "../core/domain/delivery/notification-view.ts";
import { NotificationWhy } from "../core/domain/planning/why.ts";
import {
  NotificationRulesInput,
  NotificationRulesView,
  QuietHours,
  ScheduledStepsView,
  NotificationStep,
  ShownSteps,
  UrgentFloor,
} from "../core/domain/people/notification-rules.ts";
import { CoverInput, CoverView } from "../core/domain/shifts/cover.ts";
import { OnCallOverrideInput, OnCallSchedule } from "../core/domain/on-call/index.ts";
import { CalendarAddress } from "../core/domain/shifts/calendar.ts";
import { ShiftView } from "../core/domain/shifts/shifts.ts";
import {
  GroupOnCallNow,
  OnCallNow,
  OnCallView,
  WrittenOverride,
  WrittenSchedule,
} from "../core/domain/on-call/views.ts";
import { RuleProbe, RoutingRule } from "../core/domain/rules/routing-rule.ts";
import { RuleInput, RulePatch } from "../core/domain/rules/rule-input.ts";
import {
  HeartbeatCall,
  HeartbeatInput,
  HeartbeatPatch,
  HeartbeatView,
  ChangedHeartbeat,
  HeartbeatWithUrl,
} from "../core/domain/heartbeat/heartbeat.ts";
import { SavedSilence, SilenceView, Weekly } from "../core/domain/rules/silence.ts";
import { AtLeast, GroupOfRule } from "../core/domain/rules/grouping.ts";
import { SilenceInput, SilencePatch } from "../core/domain/rules/silence-input.ts";
import { type Authored, Authors, Somebody } from "../core/domain/basics/authored.ts";
import { AuditPage } from "../core/domain/workspace/audit.ts";
import { ConnectionInput, ConnectionPatch, ConnectionView } from "../core/domain/connection/connection.ts";
import { SlackAccount, SlackAccountInput } from "../core/domain/connection/slack-request.ts";
import { ReplayAnswer, ReplayInput, WebhookDeliveries, WebhookTestAnswer } from "../core/domain/webhook/message.ts";
import { WebhookInput, WebhookPatch, WebhookView, WebhookWithSecret } from "../core/domain/webhook/webhook.ts";
import { SiteView } from "../core/domain/event/site.ts";
import { StatisticsView } from "../core/domain/statistics/statistics.ts";
import { Warning } from "../core/domain/basics/warning.ts";
import { ShadowComparison } from "../core/domain/planning/compare-shadow.ts";
import { Shadow, ShadowInput } from "../core/domain/workspace/shadow.ts";
import { SwitchInput, SwitchView } from "../core/domain/heartbeat/switch.ts";
import { ListedWorkspace, WorkspaceInput, WorkspacePatch, WorkspaceView } from "../core/domain/workspace/workspace.ts";

/** The message of a tool, which only the tool's adapter parses. */
export const SourcePayload = v.record(v.string(), v.unknown());

const createSchemaWithAuthorNames = <Entries extends v.ObjectEntries & typeof Authored.entries>({
  createdBy: _created,
  updatedBy: _updated,
  ...others
}: Entries) => v.object({ ...others, ...Authors.entries });

const zero = v.literal(0);
/** Warns that a field was not stored, and suggests the field that was probably meant. */
const FieldWarning = v.object({ field: v.string(), code: v.string(), message: v.string() });
const warnings = v.exactOptional(v.array(FieldWarning));

export const inputParts = {
  Condition,
  Restriction,
  RuleTarget: RuleInput.entries.targets.item,
  RuleDraft: DraftRules.item,
  EscalationStepInput: EscalationPolicyInput.entries.steps.item,
  AtLeast: AtLeast.wrapped,
  Weekly,
  Rung: NotificationStep,
  QuietHoursInput: QuietHours,
  EventKeyPattern,
  SourceName,
  MappedPriorities: Mapping.entries.priorities.wrapped,
  MappedPaths: Mapping.entries.dedupeKey.wrapped,
  MappedTexts: Mapping.entries.title,
  MappedState: Mapping.entries.firing.wrapped,
  ProveShifts: ProveShifts.wrapped,
  Pay: Pay.wrapped,
  Ordered,
  PrioritySpelling,
  PriorityOverride: RuleInput.entries.priorityOverride,
  ActiveHours: RuleInput.entries.activeHours,
  GroupBy: RuleInput.entries.groupBy,
} satisfies Record<string, v.GenericSchema>;

export const answerParts = {
  Trace,
  Warning,
  Ring: ScheduledStepsView.wrapped.item,
  ShownRungs: ShownSteps,
  QuietHours,
  UrgentFloor: UrgentFloor.wrapped,
  Named: Somebody,
  NamedOrNone: Authors.entries.createdBy,
  FieldWarning,
  SilencedBy,
  HeldForFlapping: FlappingView.wrapped,
  Notice: NoticeView,
  LastFailure: WebhookView.entries.lastFailure.wrapped,
  Durations: StatisticsView.entries.acknowledged,
  TracedKey: Trace.entries.eventKey,
  TracedCondition: Trace.entries.conditions.item,
  TracedFallback: Trace.entries.fallback.wrapped,
  TracedChain: Trace.entries.chain.wrapped,
  TracedHours: Trace.entries.activeHours.wrapped,
  StoredRestriction: Trace.entries.activeHours.wrapped.entries.expected.item,
  StoredCondition: StoredConditions.item,
  Unreached: TriedRule.entries.unreached.item,
  RecipientWithReason: TriedRule.entries.recipients.item,
  ReportRow: OnCallReport.entries.items.item,
  OnCallMember: OnCallNow.entries.onCall.item,
  OnCallLayer: OnCallView.entries.layers.item,
  EscalationStep: EscalationPolicy.entries.steps.item,
  SimulatedStep: Simulation.entries.escalations.item.entries.steps.item,
  GroupOfRule: GroupOfRule.wrapped,
  RuleProbe,
  ProbeLink: ProbeView.entries.links.wrapped.entries.accepted,
  Difference: History.entries.examples.item.entries.more,
} satisfies Record<string, v.GenericSchema>;

export const inputs = {
  EventInput,
  CloudEvent,
  CloudEvents,
  SourcePayload,
  ApiKeyInput,
  RoutingRuleInput: RuleInput,
  RoutingRulePatch: RulePatch,
  DryRunInput,
  SimulationInput,
  HistoryInput,
  GroupInput,
  GroupPatch,
  GroupMemberInput,
  NotificationReport,
  WorkspaceInput,
  WorkspacePatch,
  ShadowInput,
  SwitchInput,
  MemberInput,
  RoleInput,
  InvitationInput,
  DeviceInput,
  NotificationRulesInput,
  VerificationInput: CodeInput,
  ReceiptInput,
  OnCallScheduleInput: OnCallSchedule,
  OnCallOverrideInput,
  CoverInput,
  EscalationPolicyInput,
  EscalationPolicyPatch,
  AcknowledgeInput,
  ResolveInput,
  SnoozeInput,
  EscalateInput,
  TellInput: NotifyInput,
  NoteInput,
  SilenceInput,
  SilencePatch,
  HeartbeatInput,
  HeartbeatPatch,
  WebhookInput,
  WebhookPatch,
  ReplayInput,
  ConnectionInput,
  ConnectionPatch,
  SlackAccountInput,
} satisfies Record<string, v.GenericSchema>;

export const answers = {
  EventAccepted: v.object({
    ok: v.literal(true),
    eventId: v.string(),
    eventType: v.string(),
    matchedRules: zero,
    notificationsQueued: zero,
    id: v.string(),
    eventKey: v.string(),
    title: v.string(),
    createdAt: v.string(),
    warnings,
  }),
  EventDeduplicated: v.object({ ok: v.literal(true), eventId: v.string(), deduplicated: v.literal(true), warnings }),
  EventsTaken: v.object({
    ok: v.literal(true),
    events: v.array(
      v.object({
        eventId: v.string(),
        eventKey: v.string(),
        deduplicated: v.boolean(),
        warnings: v.array(FieldWarning),
      }),
    ),
    /** The fields for Opsgenie clients. */
    result: v.exactOptional(v.string()),
    took: v.exactOptional(v.number()),
    requestId: v.exactOptional(v.string()),
    /** The fields for PagerDuty clients. */
    status: v.exactOptional(v.string()),
    message: v.exactOptional(v.string()),
    dedup_key: v.exactOptional(v.string()),
    /** The field for Azure Event Grid, which requires it before sending events. */
    validationResponse: v.exactOptional(v.string()),
  }),
  Ping: v.object({ ok: v.literal(true), workspaceId: WorkspaceId, workspaceName: v.string() }),
  ApiKey,
  ApiKeyWithText: v.object({ ...ApiKey.entries, key: v.string(), url: v.exactOptional(v.string()) }),
  RoutingRule: createSchemaWithAuthorNames({ ...RoutingRule.entries, probe: RuleProbe, warnings: v.array(Warning) }),
  DryRun,
  Probe: ProbeView,
  SentProbe: v.object({ eventId: v.string() }),
  Simulation,
  History,
  Group: GroupView,
  GroupMember,
  GroupMemberWithName: GroupMemberView,
  EventPage,
  Event: EventView,
  EventExplanation,
  EventLife: EventLifecycle,
  EventNote: NoteView,
  Notification: NotificationView,
  NotificationWhy,
  ListedWorkspace,
  WorkspaceView,
  Shadow,
  ShadowComparison,
  Member: MemberView,
  MemberDetail,
  Invitation: InvitationView,
  SentInvitation,
  OwnInvitation,
  Joined,
  Device: DeviceView,
  DeviceTestAnswer,
  ReceiptAnswer,
  ListedMember,
  NotificationRules: NotificationRulesView,
  WebPushKey,
  OnCallSchedule: createSchemaWithAuthorNames(OnCallView.entries),
  WrittenSchedule: createSchemaWithAuthorNames(WrittenSchedule.entries),
  OnCallNow,
  GroupOnCallNow,
  Shift: ShiftView,
  CalendarAddress,
  WrittenOverride,
  Cover: CoverView,
  EscalationPolicy: createSchemaWithAuthorNames({ ...EscalationPolicy.entries, warnings: v.array(Warning) }),
  Silence: createSchemaWithAuthorNames(SilenceView.entries),
  SavedSilence: createSchemaWithAuthorNames(SavedSilence.entries),
  Heartbeat: createSchemaWithAuthorNames(HeartbeatView.entries),
  HeartbeatWithUrl: createSchemaWithAuthorNames(HeartbeatWithUrl.entries),
  ChangedHeartbeat: createSchemaWithAuthorNames(ChangedHeartbeat.entries),
  HeartbeatCall,
  Webhook: WebhookView,
  WebhookWithSecret,
  WebhookDeliveries,
  AuditPage,
  WebhookTestAnswer,
  ReplayAnswer,
  Switch: SwitchView,
  Connection: ConnectionView,
  SlackAccount,
  PressTaken: v.object({ ok: v.literal(true) }),
  EventType,
  EventTypeWithFields: EventTypeView,
  Site: SiteView,
  Statistics: StatisticsView,
  OnCallReport,
} satisfies Record<string, v.GenericSchema>;

/** Returns the name of a body's schema in the document. Throws if the schema has no name. */
export const findBodySchemaName = (schema: v.GenericSchema): string => {
  const [name] = Object.entries(inputs).find(([, input]) => input === schema) ?? [];
  if (name === undefined) throw new Error("interface/shapes.ts has no name for this input");
  return name;
};

/** Maps an answer to the answer that it extends. The OpenAPI document describes only the additional fields. */
export const supersets: Readonly<Partial<Record<AnswerName, AnswerName>>> = {
  ApiKeyWithText: "ApiKey",
  GroupMemberWithName: "GroupMember",
  Event: "EventLife",
  NotificationWhy: "Notification",
  MemberDetail: "Member",
  ListedMember: "Member",
  SentInvitation: "Invitation",
  GroupOnCallNow: "OnCallNow",
  SavedSilence: "Silence",
  HeartbeatWithUrl: "Heartbeat",
  ChangedHeartbeat: "Heartbeat",
  WebhookWithSecret: "Webhook",
};

export type InputName = keyof typeof inputs;
export type AnswerName = keyof typeof answers;
