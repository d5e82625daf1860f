import * as v from "valibot";
import { fieldsOf, first, linesOf, type Draft } from "./draft.ts";

/* What AWS services other than CloudWatch's alarms send: by EventBridge, or in words of their own to a topic of SNS. */

/** The envelope of a message, as far as there is one. */
export type SnsMessage = {
  Message?: string | undefined;
  MessageId?: string | undefined;
  Subject?: string | undefined;
  TopicArn?: string | undefined;
};

/** The messages that are known without an envelope: events of EventBridge, and of RDS. */
export const Message = v.union([
  v.looseObject({ "detail-type": v.string(), detail: v.looseObject({}) }),
  v.looseObject({ "Event Source": v.string(), "Event Message": v.string() }),
]);

const TITLE = "Message of an SNS topic";

/** Where messages have a title and a text, the best first; a list stands for its first entry. */
const titles = ["detail.title", "detail.findings.Title", "content.title", "title", "Title", "subject", "summary"];
const bodies = [
  "detail.description",
  "detail.eventDescription.latestDescription",
  "detail.findings.Description",
  "detail.Message",
  "detail.message",
  "detail.reason",
  "detail.stoppedReason",
  "detail.statusReason",
  "detail.errorMessage",
  "content.description",
  "Event Message",
  "Cause",
  "Description",
  "description",
  "message",
];

const at = (message: unknown, path: string): unknown =>
  path.split(".").reduce((within: unknown, name) => {
    const value = fieldsOf(within)[name];
    return v.is(v.array(v.unknown()), value) ? value[0] : value;
  }, message);

const textIn = (message: unknown, paths: readonly string[]): string | undefined =>
  first(...paths.map((path) => at(message, path)));

/** The instance and what happened to it: RDS sends no title. */
const rdsTitle = (message: unknown): string | undefined => {
  const text = textIn(message, ["Event Message"]);
  const id = textIn(message, ["Source ID"]);
  return text === undefined || id === undefined ? text : `${id}: ${text}`;
};

/** An event that says what its service says. None of these has an end, so that none is an alert. */
export const ofMessage = (message: unknown, { Message: text, MessageId: id, Subject, TopicArn }: SnsMessage): Draft => {
  const held = fieldsOf(message);
  const own = textIn(held, titles) ?? textIn(held, ["detail-type"]) ?? rdsTitle(held);
  const words = typeof message === "string" ? first(...message.split("\n")) : undefined;
  const title = own ?? first(Subject, words) ?? TITLE;
  const body = textIn(held, bodies) ?? first(linesOf(fieldsOf(held["detail"])), text, title) ?? title;
  return {
    action: "info",
    title,
    body,
    priority: "NORMAL",
    links: { Console: held["Identifier Link"] },
    data: { topic: TopicArn, ...held },
    once: id ?? first(held["id"]),
  };
};
