import * as v from "valibot";
import { readFields, findText, toNamedLines, type Draft } from "./draft.ts";

/* Reads messages of AWS services other than CloudWatch alarms, from EventBridge or an SNS topic. */

export type SnsMessage = {
  Message?: string | undefined;
  MessageId?: string | undefined;
  Subject?: string | undefined;
  TopicArn?: string | undefined;
};

/** Messages that this adapter also recognizes without an SNS envelope: events of EventBridge and of RDS. */
export const Message = v.union([
  v.looseObject({ "detail-type": v.string(), detail: v.looseObject({}) }),
  v.looseObject({ "Event Source": v.string(), "Event Message": v.string() }),
]);

const TITLE = "Message of an SNS topic";

/** Paths at which messages may have a title, the best first. A path that leads to a list continues in the first entry. */
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

const readValueAt = (message: unknown, path: string): unknown =>
  path.split(".").reduce((within: unknown, name) => {
    const value = readFields(within)[name];
    return v.is(v.array(v.unknown()), value) ? value[0] : value;
  }, message);

const readTextAt = (message: unknown, paths: readonly string[]): string | undefined =>
  findText(...paths.map((path) => readValueAt(message, path)));

/** Returns a title with the instance and the event of a message of RDS; undefined for other messages. */
const readRdsTitle = (message: unknown): string | undefined => {
  const text = readTextAt(message, ["Event Message"]);
  const id = readTextAt(message, ["Source ID"]);
  return text === undefined || id === undefined ? text : `${id}: ${text}`;
};

/** Converts a message to an `info` event, because an alert would stay open: these messages never report the end of a problem. */
export const toMessageDraft = (
  message: unknown,
  { Message: text, MessageId: id, Subject, TopicArn }: SnsMessage,
): Draft => {
  const held = readFields(message);
  const own = readTextAt(held, titles) ?? readTextAt(held, ["detail-type"]) ?? readRdsTitle(held);
  const words = typeof message === "string" ? findText(...message.split("\n")) : undefined;
  const title = own ?? findText(Subject, words) ?? TITLE;
  const body = readTextAt(held, bodies) ?? findText(toNamedLines(readFields(held["detail"])), text, title) ?? title;
  return {
    action: "info",
    title,
    body,
    priority: "NORMAL",
    links: { Console: held["Identifier Link"] },
    data: { topic: TopicArn, ...held },
    once: id ?? findText(held["id"]),
  };
};
