import { endpoints, type EndpointName, type Shape } from "./endpoints.ts";
import { Failed, type Fault } from "./failure.ts";
import { accessToken } from "./session.ts";
import type { AnswerName, Answers, Inputs } from "./types.ts";

type Endpoints = typeof endpoints;
type AnswerOf<S extends Shape> = S extends AnswerName
  ? Answers[S]
  : S extends readonly [infer Name extends AnswerName]
    ? Answers[Name][]
    : undefined;
export type Answer<Name extends EndpointName> = AnswerOf<Endpoints[Name]["answer"]>;
type Body<Name extends EndpointName> = Endpoints[Name]["body"] extends keyof Inputs
  ? { body: Inputs[Endpoints[Name]["body"]] }
  : { body?: undefined };

/** `path`: the values of `{name}` in the path, except the workspace's. Undefined values in `query` are left out. */
export type Ask<Name extends EndpointName> = Body<Name> & {
  path?: Record<string, string>;
  query?: Record<string, string | number | undefined>;
};

type Problem = { detail?: string; message?: string; code?: string; errors?: Fault[]; requestId?: string };

/** The failure that an unsuccessful answer describes. */
export const refusalOf = async (answer: Response): Promise<Failed> => {
  const problem: Problem = await answer.json().catch(() => ({}));
  const retryAfter = Number(answer.headers.get("retry-after") ?? Number.NaN);
  return new Failed({
    kind: "refused",
    status: answer.status,
    code: problem.code ?? "",
    message: problem.detail ?? problem.message ?? "",
    faults: problem.errors ?? [],
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : undefined,
    requestId: problem.requestId ?? answer.headers.get("apigw-requestid") ?? undefined,
  });
};

/** Sends one request to the service. Throws a Failed where no answer came. */
export const send = async (
  method: string,
  address: string,
  credential: Record<string, string>,
  body: unknown,
): Promise<Response> => {
  try {
    return await fetch(address, {
      method,
      headers: { ...credential, ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch {
    throw new Failed({ kind: "offline" });
  }
};

/** Asks the API, within one workspace. Throws a Failed. A token that the API refuses is renewed once. */
export const createApi =
  (workspaceId: string) =>
  async <Name extends EndpointName>(name: Name, ask: Ask<Name>): Promise<Answer<Name>> => {
    const { method, path } = endpoints[name];
    const values: Record<string, string> = { workspaceId, ...ask.path };
    const address = path.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(values[key] ?? ""));
    const query = new URLSearchParams();
    for (const [key, value] of Object.entries(ask.query ?? {})) if (value !== undefined) query.set(key, String(value));
    const target = query.size === 0 ? address : `${address}?${query.toString()}`;
    const token = await accessToken();
    const sendAs = (one: string) => send(method, target, { Authorization: `Bearer ${one}` }, ask.body);
    let answer = await sendAs(token);
    if (answer.status === 401) answer = await sendAs(await accessToken(token));
    if (answer.status === 401) throw new Failed({ kind: "signed-out" });
    if (!answer.ok) throw await refusalOf(answer);
    const text = await answer.text();
    return JSON.parse(text === "" ? "null" : text);
  };
export type Api = ReturnType<typeof createApi>;
