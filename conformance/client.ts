import * as v from "valibot";

/** `body` is undefined if the answer was empty, and text if it was not JSON. */
export type Answer = { status: number; headers: Headers; body: unknown };

export type Ask = {
  token?: string | undefined;
  apiKey?: string | undefined;
  headers?: Record<string, string>;
  /** The body, which is sent as JSON. A string or bytes are sent unchanged. */
  body?: unknown;
};

export type Client = (method: string, path: string, ask?: Ask) => Promise<Answer>;

const parseBody = (text: string): unknown => {
  if (text === "") return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return text;
  }
};

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
 * The file with the workspaces, people and tokens for the checks. The outsider is not a member of a workspace. "Acme" (five
 * people) and "Globex" (two) have a plan of 1,000,000 events a month, 600,000 a minute and a burst of 100,000. "Tiny" (one
 * person) has a plan of 20 events a month, 600 a minute and a burst of 10. On a stage, `first-workspace`, `add-user` and `plan`
 * of the operator's tool create them, and `session` prints a token that is valid for an hour.
 */
export const Session = v.object({
  workspaces: v.array(SessionWorkspace),
  outsider: Person,
  fcm: v.optional(v.object({ inboxUrl: v.string() })),
  /** The URL of the meters, whose host also has the controls of the service's clock and schedules. */
  meters: v.optional(v.object({ url: v.string() })),
  /** The stand-in for the push services of browsers. */
  hooks: v.optional(v.object({ inboxUrl: v.string() })),
  slack: v.optional(v.object({ inboxUrl: v.string() })),
  webPush: v.optional(v.object({ endpointPrefix: v.string(), inboxUrl: v.string() })),
});
export type Session = v.InferOutput<typeof Session>;
