import { Agent as HttpAgent, request as httpRequest } from "node:http";
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { LookupFunction } from "node:net";
import * as v from "valibot";
import type { PushOutcome } from "../domain/delivery/push/outcome.ts";
import { buildConnectionOptions, createTransport, type Attempt } from "./attempt.ts";

const ANSWER_MAX_BYTES = 4096;

const SystemError = v.object({ code: v.pipe(v.string(), v.regex(/^[A-Z][A-Z0-9_]{1,40}$/)) });

/** `outside`: the connections over https; `inside`: the connections to a stand-in on this machine, over http. */
export type Transports = Record<"outside" | "inside", ReturnType<typeof createTransport>>;

/** Creates one transport for HTTPS (`outside`) and one for plain HTTP (`inside`), to stand-ins. */
export const createTransports = ({
  now,
  maxConnections,
  lookup,
}: {
  now: () => number;
  maxConnections: number;
  lookup?: LookupFunction;
}): Transports => ({
  outside: createTransport(
    new HttpsAgent({ ...buildConnectionOptions(maxConnections), ...(lookup === undefined ? {} : { lookup }) }),
    now,
  ),
  inside: createTransport(new HttpAgent(buildConnectionOptions(maxConnections)), now),
});

/** Returns the start of the answer's body. Reads the whole body, so that the connection can be used again. */
const readAnswer = async (response: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    const data = Buffer.from(chunk);
    bytes += data.length;
    if (bytes <= ANSWER_MAX_BYTES) chunks.push(data);
  }
  return Buffer.concat(chunks).toString();
};

type Post = {
  method?: "POST" | "PUT";
  url: URL;
  headers: Record<string, string>;
  body: Buffer;
  attempt: Attempt;
  transports: Transports;
};

const openRequest = ({
  method = "POST",
  url,
  headers,
  body,
  attempt,
  transports: { outside, inside },
}: Post): ClientRequest => {
  const options = { method, headers: { ...headers, "Content-Length": body.length } };
  return url.protocol === "https:"
    ? outside.run(attempt, () => httpsRequest(url, { ...options, agent: outside.agent }))
    : inside.run(attempt, () => httpRequest(url, { ...options, agent: inside.agent }));
};

/** `body`: the first 4 KB of the answer's body. */
export type PostAnswer = { status: number; headers: IncomingHttpHeaders; body: string };

/** Makes exactly one request, follows no redirects, and returns the outcome of the answer or error. Never rejects. */
export const postOnce = async (post: Post, outcomeOf: (answer: PostAnswer) => PushOutcome): Promise<PushOutcome> => {
  try {
    const answered = Promise.withResolvers<IncomingMessage>();
    openRequest(post).once("response", answered.resolve).once("error", answered.reject).end(post.body);
    const response = await answered.promise;
    // If the connection breaks while the body is read, the HTTP status is enough.
    const body = await readAnswer(response).catch(() => "");
    return outcomeOf({ status: response.statusCode ?? 0, headers: response.headers, body });
  } catch (error) {
    const known = v.safeParse(SystemError, error);
    const code = known.success ? known.output.code : "NETWORK";
    return post.attempt.mayHaveArrived() ? { kind: "unknown", code } : { kind: "retry", code };
  }
};
