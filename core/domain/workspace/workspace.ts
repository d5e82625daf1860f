import * as v from "valibot";
import { WorkspaceId } from "../basics/ids.ts";
import { NAME_MAX_CODE_POINTS } from "../basics/limits.ts";
import { nameText } from "../basics/text.ts";
import { PageLimitSetting } from "./page-limit.ts";
import { Pay } from "../shifts/pay.ts";
import { ProveShifts } from "../shifts/reachability-check.ts";
import { UrgentFloor } from "../people/notification-rules.ts";
import { MemberView } from "../people/member.ts";
import { toUsage, Usage, UsagePlan } from "./usage-plan.ts";
import { Version } from "../basics/version.ts";

const name = nameText("name", NAME_MAX_CODE_POINTS);

export const WorkspaceInput = v.object({ name });
export type WorkspaceInput = v.InferOutput<typeof WorkspaceInput>;

const SNS_TOPICS_MAX = 20; // ours
const topicMessage = "A topic is the ARN of an SNS topic, such as arn:aws:sns:eu-west-1:123456789012:alarms.";
/** The Amazon SNS topics whose subscriptions to this workspace are confirmed. */
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

/** A workspace as stored and shown. `version` counts the changes of its settings. */
export const Workspace = v.object({
  id: WorkspaceId,
  name: v.string(),
  version: Version,
  createdAt: v.string(),
  /** Absent if none were set. */
  snsTopics: v.exactOptional(v.array(v.string())),
  /** How often a person is paged within ten minutes; null: without a limit. 10 if none was set. */
  loudPerTenMinutes: v.exactOptional(PageLimitSetting),
  /** Whether a person must open the page to acknowledge, so that holding a locked phone is not enough. */
  openToAcknowledge: v.exactOptional(v.boolean()),
  /** Which channels must page in time for URGENT, whatever a person's own rules say. */
  urgentFloor: v.exactOptional(UrgentFloor),
  /** How long before a shift the person coming on call must confirm that they are reachable; null: nobody is asked. */
  proveShifts: v.exactOptional(ProveShifts),
  /** The pay for hours on call and pages at night. Shown to owners. */
  pay: v.exactOptional(Pay),
});
export type Workspace = v.InferOutput<typeof Workspace>;

/** A workspace in the list of the caller's workspaces. `addedBy`: who added the reader; null for its creator. `role`: the reader's. */
export const ListedWorkspace = v.object({
  ...v.omit(Workspace, ["pay"]).entries,
  addedBy: MemberView.entries.addedBy,
  role: MemberView.entries.role,
});
export type ListedWorkspace = v.InferOutput<typeof ListedWorkspace>;

/** A workspace with its plan and how much of it is used. */
export const WorkspaceView = v.object({ ...Workspace.entries, plan: UsagePlan, usage: Usage });
export type WorkspaceView = v.InferOutput<typeof WorkspaceView>;

export const toWorkspaceView = (
  workspace: Workspace,
  { plan, month, used }: { plan: UsagePlan; month: string; used: number },
  now: number,
): WorkspaceView => ({ ...workspace, plan, usage: toUsage(plan, { month, used }, now) });

/** A workspace as shown to members who are not owners. */
export const withoutPay = <Shown extends Pick<Workspace, "pay">>({ pay: _pay, ...shown }: Shown): Omit<Shown, "pay"> =>
  shown;

/** Fields of an answer that differ at every time. */
export const WORKSPACE_MOVES = ["usage"] as const;
