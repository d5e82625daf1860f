import type { Message } from "../../../local/sqs/message.ts";
import type { Sqs } from "../../../local/sqs/sqs.ts";
import type { slackRooms } from "../../support/slack.ts";
import type { QueueName, TestQueues } from "../../world/queues.ts";
import type { Dynamo } from "./dynamo.ts";
import type { Fcm } from "./fcm.ts";
import type { Invocation, Kernel } from "./kernel.ts";
import type { Mode, Plan } from "./modes.ts";
import type { Receivers } from "./receivers.ts";

export type Line = {
  call: number;
  at: number;
  who: string;
  what: string;
  attempt: number;
  mode: Mode | undefined;
  outcome: string;
};

/** Records a call; returns the record, so that its outcome can be set. */
export type Notify = (said: Pick<Line, "call" | "what" | "attempt" | "mode">, by: Invocation) => Line;

/**
 * The services that are down now. `mute`: no push, email, text message or call gets an answer, although it is accepted;
 * `contacts`: the same, but not for pushes.
 */
export type Outage = {
  dynamodb: boolean;
  sqs: boolean;
  fcm: boolean;
  mute: boolean;
  contacts: boolean;
  secrets: "refuse" | "mute" | undefined;
};

export type CallsContext = {
  kernel: Kernel;
  random: () => number;
  dynamo: Dynamo;
  sqs: Sqs;
  queues: TestQueues;
  sent: { queue: QueueName; message: Message }[];
  fcm: Fcm;
  receivers: Receivers;
  slackRooms: ReturnType<typeof slackRooms>;
  plan: Plan;
  /** Whether the run is recorded call by call. */
  tells: boolean;
  outage: Outage;
  killInvocation: (invocation: Invocation) => void;
  /** Is called with the time until which a fault has effects. */
  extendDisturbance: (until: number) => void;
  see: (what: string) => void;
};
