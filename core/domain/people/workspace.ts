import * as v from "valibot";
import { NAME_MAX_CODE_POINTS } from "../basics/limits.ts";
import { text } from "../basics/text.ts";

const name = text("name", NAME_MAX_CODE_POINTS);

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
  openToAcknowledge: v.exactOptional(v.boolean("openToAcknowledge must be true or false.")),
});
export type WorkspacePatch = v.InferOutput<typeof WorkspacePatch>;

export const Workspace = v.object({
  id: v.string(),
  name: v.string(),
  createdAt: v.string(),
  /** Absent where none were set. */
  snsTopics: v.exactOptional(v.array(v.string())),
  /** Whether a person must open the page to acknowledge, so that holding a locked phone is not enough. */
  openToAcknowledge: v.exactOptional(v.boolean()),
});
export type Workspace = v.InferOutput<typeof Workspace>;
