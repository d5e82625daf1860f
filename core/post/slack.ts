import { Agent as HttpAgent, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { IncomingMessage } from "node:http";
import { parseRetryAfter } from "../domain/basics/retry-after.ts";
import type { CallSlack, SlackAnswer, SlackCall } from "../domain/connection/slack-answer.ts";
import { toErrorCode, POST_DEADLINE_MS } from "./post.ts";

const SLACK = "https://slack.com/api/";
/** How many bytes of an answer are read. Most answers have a few hundred bytes, but the answer to an edit repeats the message. */
const ANSWER_READ_BYTES = 256 * 1024;
/** The maximum number of connections per Lambda instance. */
const MAX_CONNECTIONS = 64;

export type SlackOptions = {
  now: () => number;
  /** The URL of a stand-in for Slack's API, with a trailing slash. */
  standIn?: string | undefined;
  deadlineMs?: number;
};

/** Reads an answer's body up to about `ANSWER_READ_BYTES`, and drops the rest. */
const readBodyText = async (response: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    const data = Buffer.from(chunk);
    bytes += data.length;
    if (bytes > ANSWER_READ_BYTES) break;
    chunks.push(data);
  }
  return Buffer.concat(chunks).toString("utf8");
};

/** Returns a function that calls Slack's Web API once. The deadline includes the answer's body. No connection is kept alive. */
export const createSlack = ({ now, standIn, deadlineMs = POST_DEADLINE_MS }: SlackOptions): CallSlack => {
  const base = standIn ?? SLACK;
  const outside = new HttpsAgent({ keepAlive: false, maxSockets: MAX_CONNECTIONS });
  const inside = new HttpAgent({ keepAlive: false });

  return async ({ method, token, body }: SlackCall): Promise<SlackAnswer> => {
    const text = JSON.stringify(body);
    const url = new URL(method, base);
    const signal = AbortSignal.timeout(deadlineMs);
    const options = {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json; charset=utf-8",
        "content-length": Buffer.byteLength(text),
        "user-agent": "event-alerting/1",
      },
      signal,
    };
    try {
      const answered = Promise.withResolvers<IncomingMessage>();
      const sent =
        url.protocol === "http:"
          ? httpRequest(url, { ...options, agent: inside })
          : httpsRequest(url, { ...options, agent: outside });
      sent.once("response", answered.resolve).once("error", answered.reject);
      sent.end(text);
      const response = await answered.promise;
      return {
        kind: "answered",
        status: response.statusCode ?? 0,
        body: await readBodyText(response),
        retryAfterMs: parseRetryAfter(response.headers["retry-after"], now()),
      };
    } catch (error) {
      return { kind: "failed", code: signal.aborted ? "DEADLINE" : toErrorCode(error) };
    }
  };
};
