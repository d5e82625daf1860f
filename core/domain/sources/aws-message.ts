import * as v from "valibot";
import { fieldsOf, first, linesOf, type Draft } from "./draft.ts";

/* Messages of AWS services other than CloudWatch alarms: events from EventBridge, and messages in the service's own format to an SNS topic. */

/** A message with its SNS envelope, if it has one. */
export type SnsMessage = {
  Message?: string | undefined;
  MessageId?: string | undefined;
  Subject?: string | undefined;
  TopicArn?: string | undefined;
};

/** The messages that are recognized without an envelope: EventBridge events, and RDS events. */
export const Message = v.union([
  v.looseObject({ "detail-type": v.string(), detail: v.looseObject({}) }),
  v.looseObject({ "Event Source": v.string(), "Event Message": v.string() }),
]);

const TITLE = "Message of an SNS topic";

/** The paths of a message's title and text, the best first; in a list, the first entry counts. */
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

/** Builds a title from the instance and what happened to it, because RDS sends no title. */
const rdsTitle = (message: unknown): string | undefined => {
  const text = textIn(message, ["Event Message"]);
  const id = textIn(message, ["Source ID"]);
  return text === undefined || id === undefined ? text : `${id}: ${text}`;
};

/** Returns an event with the service's text. None of these messages reports an end, so none is an alert. */
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
