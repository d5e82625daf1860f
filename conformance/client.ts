import * as v from "valibot";

/** `body`: undefined if the body is empty, and a string if it is not JSON. */
export type Answer = { status: number; headers: Headers; body: unknown };

export type RequestParts = {
  token?: string | undefined;
  apiKey?: string | undefined;
  headers?: Record<string, string>;
  /** The body, sent as JSON; strings and bytes are sent unchanged. */
  body?: unknown;
};

export type Client = (method: string, path: string, ask?: RequestParts) => Promise<Answer>;

const parseBody = (text: string): unknown => {
  if (text === "") return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return text;
  }
};

/** Returns a function that sends requests to a service, and returns answers with any status. */
export const connect =
  (baseUrl: string): Client =>
  async (method, path, { token, apiKey, headers, body } = {}) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      redirect: "manual",
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(apiKey === undefined ? {} : { "x-api-key": apiKey }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: parseBody(await response.text()) };
  };

const Person = v.object({ userId: v.string(), name: v.string(), email: v.string(), token: v.string() });
export type Person = v.InferOutput<typeof Person>;

const SessionWorkspace = v.object({
  id: v.string(),
  name: v.string(),
  apiKey: v.string(),
  plan: v.object({ monthlyEvents: v.number(), eventsPerMinute: v.number(), burst: v.number() }),
  members: v.pipe(v.array(Person), v.minLength(1)),
});
export type SessionWorkspace = v.InferOutput<typeof SessionWorkspace>;

/**
 * The workspaces, people and tokens for the checks. The outsider is not in any workspace. "Acme" (five people) and "Globex" (two)
 * have a plan of 1,000,000 events a month, 600,000 a minute and a burst of 100,000. "Tiny" (one person) has a plan of 20 events a
 * month, 600 a minute and a burst of 10. On a stage, the operator's commands `first-workspace`, `add-user` and `plan` create the
 * workspaces and people. The command `session` prints a token for an hour.
 */
export const Session = v.object({
  workspaces: v.array(SessionWorkspace),
  outsider: Person,
  fcm: v.optional(v.object({ inboxUrl: v.string() })),
  /** Where the local service reports its usage of AWS. `/clock` and `/tick` of the same host move the service's clock. */
  meters: v.optional(v.object({ url: v.string() })),
  /** The stand-in that receives webhooks. */
  hooks: v.optional(v.object({ inboxUrl: v.string() })),
  slack: v.optional(v.object({ inboxUrl: v.string() })),
  webPush: v.optional(v.object({ endpointPrefix: v.string(), inboxUrl: v.string() })),
});
export type Session = v.InferOutput<typeof Session>;
