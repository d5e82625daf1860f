import * as v from "valibot";
import { WorkspaceId } from "../basics/ids.ts";
import { NAME_MAX_CODE_POINTS } from "../basics/limits.ts";
import { nameSchema } from "../basics/text.ts";
import { PageLimitSetting } from "./page-limit.ts";
import { Pay } from "../shifts/pay.ts";
import { Shadow } from "./shadow.ts";
import { ProveShifts } from "../shifts/reachability-check.ts";
import { UrgentFloor } from "../people/notification-rules.ts";
import { MemberView } from "../people/member.ts";
import { toUsage, Usage, UsagePlan } from "./usage-plan.ts";
import { Version } from "../basics/version.ts";

const name = nameSchema("name", NAME_MAX_CODE_POINTS);

export const WorkspaceInput = v.object({ name });
export type WorkspaceInput = v.InferOutput<typeof WorkspaceInput>;

const SNS_TOPICS_MAX = 20; // ours
const topicMessage = "A topic is the ARN of an SNS topic, such as arn:aws:sns:eu-west-1:123456789012:alarms.";
/** The topics of Amazon SNS whose subscription requests the service confirms automatically. */
const snsTopics = v.pipe(
  v.array(
    v.pipe(v.string(topicMessage), v.regex(/^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w.-]{1,256}$/, topicMessage)),
    "snsTopics must be a list of ARNs.",
  ),
  v.maxLength(SNS_TOPICS_MAX, `snsTopics must have at most ${SNS_TOPICS_MAX} topics.`),
);

export const WorkspacePatch = v.strictObject({
  name: v.exactOptional(name),
  snsTopics: v.exactOptional(snsTopics),
  loudPerTenMinutes: v.exactOptional(PageLimitSetting),
  openToAcknowledge: v.exactOptional(v.boolean("openToAcknowledge must be true or false.")),
  urgentFloor: v.exactOptional(UrgentFloor),
  proveShifts: v.exactOptional(ProveShifts),
  pay: v.exactOptional(Pay),
});
export type WorkspacePatch = v.InferOutput<typeof WorkspacePatch>;

export const Workspace = v.object({
  id: WorkspaceId,
  name: v.string(),
  version: Version,
  createdAt: v.string(),
  snsTopics: v.exactOptional(v.array(v.string())),
  /** How many pages a person gets in ten minutes, by default 10; null for no limit. */
  loudPerTenMinutes: v.exactOptional(PageLimitSetting),
  /** True if people must open an event to acknowledge it, so that nobody can acknowledge on somebody else's locked phone. */
  openToAcknowledge: v.exactOptional(v.boolean()),
  /** One of these channels must page each recipient of an URGENT event in time, whatever the recipient's own steps are. */
  urgentFloor: v.exactOptional(UrgentFloor),
  /** How long before a shift the reachability check begins; null if the workspace checks no shifts. */
  proveShifts: v.exactOptional(ProveShifts),
  /** The pay for hours on call and pages at night. The field is shown only to owners. */
  pay: v.exactOptional(Pay),
  shadow: v.exactOptional(Shadow),
});
export type Workspace = v.InferOutput<typeof Workspace>;

/** A workspace with the caller's role. `addedBy`: who added the caller; null for the creator. */
export const ListedWorkspace = v.object({
  ...v.omit(Workspace, ["pay"]).entries,
  addedBy: MemberView.entries.addedBy,
  role: MemberView.entries.role,
});
export type ListedWorkspace = v.InferOutput<typeof ListedWorkspace>;

export const WorkspaceView = v.object({ ...Workspace.entries, plan: UsagePlan, usage: Usage });
export type WorkspaceView = v.InferOutput<typeof WorkspaceView>;

export const toWorkspaceView = (
  workspace: Workspace,
  { plan, month, used }: { plan: UsagePlan; month: string; used: number },
  now: number,
): WorkspaceView => ({ ...workspace, plan, usage: toUsage(plan, { month, used }, now) });

/** Returns the workspace without `pay`, which is only shown to owners. */
export const omitPay = <Shown extends Pick<Workspace, "pay">>({ pay: _pay, ...shown }: Shown): Omit<Shown, "pay"> =>
  shown;

/** The fields that change with every event, not because of people. */
export const WORKSPACE_MOVES = ["usage"] as const;
