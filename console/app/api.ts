import { paths } from "#paths";
import type { OperationName, OperationNamed } from "../../interface/contracts/index.ts";
import type { GenericSchema, InferInput } from "valibot";
import { setClock } from "./clock.ts";
import { Failed, type Fault } from "./failure.ts";
import { language, type Language } from "./language.ts";
import { getAccessToken, readUserIdInToken } from "./session.ts";
import type { AnswerName, Answers } from "./types.ts";

export type EndpointName = OperationName;
type AnswerOf<S> = S extends AnswerName
  ? Answers[S]
  : S extends readonly [infer Name extends AnswerName]
    ? Answers[Name][]
    : undefined;
type ShapeOf<Op> = Op extends { answers: Record<number, { shape: infer S }> } ? S : never;
export type Answer<Name extends EndpointName> = AnswerOf<ShapeOf<OperationNamed<Name>>>;
type BodyOf<Op> = Op extends { body: infer S extends GenericSchema } | { change: infer S extends GenericSchema }
  ? { body: InferInput<S> }
  : { body?: undefined };
type BodyFor<Name extends EndpointName> = BodyOf<OperationNamed<Name>>;

/** `path`: values of the path's parameters, except `workspaceId`. Undefined values of `query` are left out. */
export type RequestOf<Name extends EndpointName> = BodyFor<Name> & {
  path?: Record<string, string>;
  query?: Record<string, string | number | undefined>;
  /** The item's version. The service refuses the request if the item has changed since the version. */
  version?: number | undefined;
  /** The id of the sending user. The request fails if another user is signed in. */
  as?: string | undefined;
  /** The timeout; by default, the timeout of reads or of writes. */
  withinMs?: number;
};

type Problem = { detail?: string; message?: string; code?: string; errors?: Fault[]; requestId?: string };

/** Translates one value of an answer, as a reviver of `JSON.parse`. */
type Reviver = (key: string, value: unknown) => unknown;
const wordings: Partial<Record<Language, () => Promise<{ translateCodedText: Reviver }>>> = {
  de: () => import("../texts/api/de.ts"),
};

/** Parses an answer; returns undefined if the text is not JSON, but for example the page of a captive portal. */
const parseAnswer = (text: string, reviver?: Reviver) => {
  try {
    return { read: JSON.parse(text === "" ? "null" : text, reviver) };
  } catch {
    return undefined;
  }
};

type Parsed = NonNullable<ReturnType<typeof parseAnswer>>;

export type TextResponse = Pick<Response, "ok" | "status" | "headers"> & { text: string };

/** Converts a refusal to a `Failed`. `reviver`: translates the messages of the refusal. */
export const toFailure = (answer: TextResponse, reviver?: Reviver): Failed => {
  const problem: Problem = Object(parseAnswer(answer.text, reviver)?.read);
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

/** The default timeout of a read: a slower network is unusable. */
export const READ_WITHIN_MS = 10_000;
/** The default timeout of a write, which is longer than any function of the service runs. */
const WRITTEN_WITHIN_MS = 40_000;

/** Cached answers with their ETags, by user and URL. The service sends content again only if its ETag has changed. */
const tagged = new Map<string, { tag: string; parsed: Parsed }>();
/** The maximum number of cached answers, which is more than the number of lists that a page refreshes. */
const TAGGED_MAX = 20;

/** Caches an answer by user and URL (`address`) if it has an ETag (`tag`). Drops the oldest answer if the cache is full. */
const cacheAnswer = (address: string, tag: string | null, parsed: Parsed): void => {
  tagged.delete(address);
  if (tag === null) return;
  tagged.set(address, { tag, parsed });
  const [oldest] = tagged.keys();
  if (tagged.size > TAGGED_MAX && oldest !== undefined) tagged.delete(oldest);
};

type RequestLimits = { withinMs?: number | undefined; signal?: AbortSignal | undefined };

/** Sends a request, and returns the answer or the refusal. Throws `Failed` if the service did not answer. */
export const sendRequest = async (
  method: string,
  address: string,
  authorization: Record<string, string>,
  body: unknown,
  { withinMs = method === "GET" ? READ_WITHIN_MS : WRITTEN_WITHIN_MS, signal }: RequestLimits = {},
): Promise<TextResponse> => {
  const ending = new AbortController();
  const abortRequest = (): void => ending.abort();
  const timer = setTimeout(abortRequest, withinMs);
  signal?.addEventListener("abort", abortRequest);
  try {
    const answer = await fetch(address, {
      method,
      signal: ending.signal,
      headers: {
        ...authorization,
        // The audit trail shows that the change was made in the console.
        ...(method === "GET" ? {} : { "X-Via": "console" }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { ok, status, headers } = answer;
    // An HTML page is not from the service, but for example from a captive portal.
    if (headers.get("content-type")?.startsWith("text/html") === true) throw new Failed({ kind: "offline" });
    setClock(headers.get("date"));
    return { ok, status, headers, text: await answer.text() };
  } catch {
    throw new Failed({ kind: "offline" });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abortRequest);
  }
};

/**
 * Returns a function that calls an endpoint within the workspace, and renews a refused token once. Throws `Failed` if the service
 * refuses or does not answer. `signal` aborts the request.
 */
export const createApi =
  (workspaceId: string, signal?: AbortSignal) =>
  async <Name extends EndpointName>(name: Name, ask: RequestOf<Name>): Promise<Answer<Name>> => {
    const [method = "", path = ""] = paths[name]?.[0]?.split(" ") ?? [];
    const values: Record<string, string> = { workspaceId, ...ask.path };
    const address = path.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(values[key] ?? ""));
    const query = new URLSearchParams();
    for (const [key, value] of Object.entries(ask.query ?? {})) if (value !== undefined) query.set(key, String(value));
    const target = query.size === 0 ? address : `${address}?${query.toString()}`;
    /** Returns an access token, but not `refusedToken`. Throws `Failed` if another person than `ask.as` is signed in. */
    const requireToken = async (refusedToken?: string): Promise<string> => {
      const token = await getAccessToken(refusedToken);
      if (ask.as !== undefined && readUserIdInToken(token) !== ask.as) throw new Failed({ kind: "signed-out" });
      return token;
    };
    const token = await requireToken();
    const ifMatch: Record<string, string> = ask.version === undefined ? {} : { "If-Match": `"${ask.version}"` };
    // Answers are cached by user, because nobody must see another person's answers.
    const keptAt = `${readUserIdInToken(token)} ${target}`;
    const known = method === "GET" ? tagged.get(keptAt) : undefined;
    const ifNoneMatch: Record<string, string> = known === undefined ? {} : { "If-None-Match": known.tag };
    const sendWithToken = (bearerToken: string) =>
      sendRequest(method, target, { Authorization: `Bearer ${bearerToken}`, ...ifMatch, ...ifNoneMatch }, ask.body, {
        ...ask,
        signal,
      });
    let answer = await sendWithToken(token);
    if (answer.status === 401) answer = await sendWithToken(await requireToken(token));
    if (answer.status === 401) throw new Failed({ kind: "signed-out" });
    if (answer.status === 304 && known !== undefined) return known.parsed.read;
    // If the translation cannot be loaded, messages are shown in English.
    const wording = /"(?:message|failedReason)":"/.test(answer.text)
      ? await wordings[language]?.().catch(() => undefined)
      : undefined;
    if (!answer.ok) throw toFailure(answer, wording?.translateCodedText);
    const parsed = parseAnswer(answer.text, wording?.translateCodedText);
    if (parsed === undefined) throw new Failed({ kind: "offline" });
    if (method === "GET") cacheAnswer(keptAt, answer.headers.get("etag"), parsed);
    return parsed.read;
  };
export type Api = ReturnType<typeof createApi>;
