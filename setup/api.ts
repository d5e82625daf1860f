import * as v from "valibot";
import type { PathBelow } from "../interface/contracts/index.ts";
import { CommandError, type Options, type World } from "./command.ts";
import { type Credentials, chooseCredentials } from "./credentials.ts";

/** `body`: undefined if the answer has no body; `version`: undefined if the answer has no ETag. */
type Answer = { status: number; body: unknown; next: string | undefined; version: number | undefined };

export class ApiError extends CommandError {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = "ApiError";
    this.status = status;
  }
}

/** A request had no answer, so it is unknown whether the request took effect. */
export class NoAnswer extends CommandError {}

/** A write. With `version`, the answer is 412 if the item has another version. */
type Send = {
  method: "POST" | "PUT" | "PATCH" | "DELETE";
  path: PathBelow;
  body?: object;
  version?: number | undefined;
};

/** Paths are relative to the workspace. */
export type Api = {
  /** Reads an item; returns undefined if the item does not exist. */
  get: <Output>(path: PathBelow, shape: v.GenericSchema<unknown, Output>) => Promise<Output | undefined>;
  /** Reads an item whose version is in the ETag, not in the body. */
  getTagged: <Output>(
    path: PathBelow,
    shape: v.GenericSchema<unknown, Output>,
  ) => Promise<{ found: Output; version: number | undefined } | undefined>;
  list: <Item>(path: PathBelow, shape: v.GenericSchema<unknown, Item>) => Promise<Item[]>;
  /** Does not retry. Throws NoAnswer if it is unknown whether the item was created. */
  create: <Output>(path: PathBelow, body: object, shape: v.GenericSchema<unknown, Output>) => Promise<Output>;
  /** Sends an idempotent request, and repeats the request if there is no answer. `gone`: treats a 404 as success. */
  put: (send: Send, gone?: "gone") => Promise<void>;
};

const TRIES = 5;
const PAUSE_MS = 200;
/** The timeout of a request: longer than any function of the service may run. */
const ANSWER_WITHIN_MS = 40_000;
const BUSY: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

const Problem = v.object({
  code: v.optional(v.string()),
  detail: v.optional(v.string()),
  message: v.optional(v.string()),
  errors: v.optional(v.array(v.object({ field: v.string(), message: v.string() }))),
});

/** Returns whether an error of `fetch` means that the request got no answer, for example because of a timeout. */
const isUnansweredRequest = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof Error && error.name === "TimeoutError");

const describeErrorAnswer = ({ status, body }: Answer, { refusal }: Pick<Credentials, "refusal">): string => {
  if (status === 401) return refusal;
  const problem = v.safeParse(Problem, body);
  if (status === 403 && (!problem.success || problem.output.code !== "role_required"))
    return "not allowed: WORKSPACE_ID must be a workspace of which the token's owner is a member.";
  if (!problem.success) return `the service answered ${status}.`;
  const { errors = [], detail, message } = problem.output;
  const faults = errors.map((error) => `${error.field}: ${error.message}`).join(" ");
  return faults === "" ? (detail ?? message ?? `the service answered ${status}.`) : faults;
};

/** Returns the query of the next page, from the header `Link`; undefined on the last page. */
const readNextQuery = (headers: Headers): string | undefined =>
  /<(?<next>\?[^>]*)>; rel="next"/.exec(headers.get("link") ?? "")?.groups?.["next"];

/** Returns an item's version, from the header `ETag`; undefined if the answer has no ETag. */
const readVersion = (headers: Headers): number | undefined => {
  const tag = /"(?<version>\d+)"/.exec(headers.get("etag") ?? "")?.groups?.["version"];
  return tag === undefined ? undefined : Number(tag);
};

/** Parses JSON; returns undefined if the text is not valid JSON. */
const parseJsonIfValid = (text: string): unknown => {
  const json = v.safeParse(v.pipe(v.string(), v.parseJson()), text);
  return json.success ? json.output : undefined;
};

type WorkspaceAccess = { baseUrl: string; workspaceId: string; credentials: Credentials };
type ApiConnection = Pick<World, "fetch" | "sleep"> & { baseUrl: string; root: string; credentials: Credentials };

type Request = [method: string, path: string, body?: object, version?: number];

/** Sends a request, and returns its answer with any status. Throws if there is no answer in time. */
const sendWithToken = async (
  { fetch, root }: ApiConnection,
  token: string,
  ...[method, path, body, version]: Request
): Promise<Answer> => {
  const response = await fetch(`${root}${path}`, {
    method,
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    headers: {
      authorization: `Bearer ${token}`,
      "x-via": "setup_file",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(version === undefined ? {} : { "if-match": `"${version}"` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { status, headers } = response;
  const json = parseJsonIfValid(await response.text());
  return { status, body: json, next: readNextQuery(headers), version: readVersion(headers) };
};

/** Sends a request. After a 401, renews the token once and sends the request again. */
const sendAndRenewToken = async (connection: ApiConnection, ...request: Request): Promise<Answer> => {
  const { credentials } = connection;
  const token = await credentials.token();
  const answer = await sendWithToken(connection, token, ...request);
  if (answer.status !== 401 || !credentials.canRenew(token)) return answer;
  return sendWithToken(connection, await credentials.token(), ...request);
};

/** Repeats an idempotent request while the service is busy or does not answer. Throws NoAnswer after the last attempt. */
const requestWithRetries = async (connection: ApiConnection, ...request: Request): Promise<Answer> => {
  const [method, path] = request;
  for (let round = 1; ; round += 1) {
    const last = round === TRIES;
    const answer = await sendAndRenewToken(connection, ...request).catch((error: unknown) => {
      if (!isUnansweredRequest(error)) throw error;
      if (last) throw new NoAnswer(`${method} ${path}: ${connection.baseUrl} does not answer.`);
      return undefined;
    });
    if (answer !== undefined && (last || !BUSY.has(answer.status))) return answer;
    await connection.sleep(PAUSE_MS * 2 ** round);
  }
};

/** Returns the body as `shape`. Throws a CommandError with the path if the body does not fit. */
const parseAnswer = <Output>(path: string, shape: v.GenericSchema<unknown, Output>, body: unknown): Output => {
  const result = v.safeParse(shape, body);
  if (!result.success) throw new CommandError(`${path}: this version of the tool does not understand the answer.`);
  return result.output;
};

/** Returns the API of one workspace. The API's functions throw an ApiError if the service refuses a request. */
export const connectToWorkspace = (
  world: Pick<World, "fetch" | "sleep">,
  { baseUrl, workspaceId, credentials }: WorkspaceAccess,
): Api => {
  const root = `${baseUrl.replace(/\/+$/, "")}/v1/workspaces/${encodeURIComponent(workspaceId)}`;
  const connection: ApiConnection = { ...world, baseUrl, root, credentials };
  const throwApiError = (method: string, path: string, answer: Answer): never => {
    throw new ApiError(answer.status, `${method} ${path}: ${describeErrorAnswer(answer, credentials)}`);
  };
  const getTagged: Api["getTagged"] = async (path, shape) => {
    const answer = await requestWithRetries(connection, "GET", path);
    if (answer.status === 404) return undefined;
    if (answer.status !== 200) throwApiError("GET", path, answer);
    return { found: parseAnswer(path, shape, answer.body), version: answer.version };
  };
  return {
    get: async (path, shape) => (await getTagged(path, shape))?.found,
    getTagged,
    list: async (path, shape) => {
      const items = [];
      for (let query: string | undefined = ""; query !== undefined;) {
        const answer: Answer = await requestWithRetries(connection, "GET", `${path}${query}`);
        if (answer.status !== 200) throwApiError("GET", path, answer);
        items.push(...parseAnswer(path, v.array(shape), answer.body));
        query = answer.next;
      }
      return items;
    },
    create: async (path, body, shape) => {
      const answer = await sendAndRenewToken(connection, "POST", path, body).catch((error: unknown) => {
        if (isUnansweredRequest(error)) throw new NoAnswer(`POST ${path}: the service did not answer.`);
        throw error;
      });
      if (answer.status >= 500) throw new NoAnswer(`POST ${path}: ${describeErrorAnswer(answer, credentials)}`);
      if (answer.status !== 201 && answer.status !== 200) throwApiError("POST", path, answer);
      return parseAnswer(path, shape, answer.body);
    },
    put: async ({ method, path, body, version }, gone) => {
      const answer = await requestWithRetries(connection, method, path, body, version);
      if (answer.status === 404 && gone === "gone") return;
      if (answer.status < 200 || answer.status > 299) throwApiError(method, path, answer);
    },
  };
};

export const reachOptions = {
  "base-url": { means: "the URL of the service; by default the environment variable BASE_URL" },
  workspace: {
    means:
      "the workspace's id; by default the environment variable WORKSPACE_ID. The credentials come only from environment variables: SESSION_TOKEN, or for a machine ALERTS_CLIENT_ID, ALERTS_CLIENT_SECRET and ALERTS_TOKEN_URL",
  },
} as const;

/** Connects to the workspace in the options or in the environment variables. Throws a CommandError if a value is missing. */
export const connectByOptions = (world: World, options: Options): Api => {
  const requireOptionOrVariable = (option: string, variable: string): string => {
    const value = options[option] ?? world.env[variable];
    if (typeof value === "string" && value !== "") return value;
    throw new CommandError(`${variable} is missing. Set it, or use --${option}.`);
  };
  return connectToWorkspace(world, {
    baseUrl: requireOptionOrVariable("base-url", "BASE_URL"),
    workspaceId: requireOptionOrVariable("workspace", "WORKSPACE_ID"),
    credentials: chooseCredentials(world),
  });
};
