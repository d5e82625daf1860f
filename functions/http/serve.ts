import * as v from "valibot";
import type { Deps, RecordingTable } from "../../core/deps.ts";
import type { WorkspaceId } from "../../core/domain/basics/ids.ts";
import type { IfMatch } from "../../core/domain/basics/version.ts";
import type { Role } from "../../core/domain/people/role.ts";
import type { Operation } from "../../interface/contract.ts";
import { createDepsForCaller } from "./as-caller.ts";
import { type Caller, authorizeMember, type Session, authenticatePerson } from "./auth.ts";
import { parseAndCheckBody } from "./body.ts";
import { parseExpectedVersions, type HowRead, readChange, type VisibleFields } from "./conditional.ts";
import { createPipeline, type HttpHandler, type Middleware } from "./endpoint.ts";
import type { GatewayAnswer } from "./answer.ts";
import { type PartsOf, parsePathIds } from "./path.ts";
import { warnOfRemovedMarks } from "./removed.ts";
import type { HttpRequest } from "./request.ts";

type ServeDeps = Pick<Deps, "table" | "log">;

type CallerOf<Op> = Op extends { role: Role } ? { caller: Caller; workspaceId: WorkspaceId } : { caller: Session };

type BodyOf<Op> = Op extends { body: infer Body extends v.GenericSchema }
  ? { json: unknown; body: v.InferOutput<Body> }
  : object;

type ChangeOf<Op> = Op extends { change: infer Change extends v.GenericSchema }
  ? { change: (shown: VisibleFields, how?: HowRead) => v.InferOutput<Change> }
  : object;

/** `as`: dependencies that record changes with the caller as author. `expected`: the versions in If-Match. */
type HandlerInput<D, Op extends Operation> = { as: D & { table: RecordingTable } } & CallerOf<Op> &
  PartsOf<Op["path"]> &
  BodyOf<Op> &
  ChangeOf<Op> &
  (Op extends { versioned: true } ? { expected: IfMatch } : object);

type OperationMap<Ops> = { readonly [Name in keyof Ops]: Operation };

type Handlers<D, Ops extends OperationMap<Ops>> = {
  [Name in keyof Ops]: (request: HttpRequest & HandlerInput<D, Ops[Name]>) => Promise<GatewayAnswer>;
};

/** Returns a step that adds a handler's input: dependencies as the caller, the version in If-Match, and a reader of changes. */
const createHandlerInputStep = <D extends ServeDeps, Op extends Operation>(
  deps: D,
  { change, look, versioned, method }: Op,
): Middleware<HandlerInput<D, Op>> => ({
  before: ({ event }) => {
    Object.assign(event, { as: createDepsForCaller(deps, event) });
    if (versioned === true && method !== "GET" && method !== "POST")
      Object.assign(event, { expected: parseExpectedVersions(event) });
    if (change !== undefined)
      Object.assign(event, {
        change: (shown: VisibleFields, how?: HowRead) => readChange(event, change, shown, { check: look, ...how }),
      });
  },
});

const createEndpoint = <D extends ServeDeps, Op extends Operation>(
  deps: D,
  operation: Op,
  handler: (request: HttpRequest & HandlerInput<D, Op>) => Promise<GatewayAnswer>,
): HttpHandler => {
  const pipeline = createPipeline(deps);
  const { role } = operation;
  if (role === undefined) pipeline.use(authenticatePerson(operation));
  else pipeline.use(authorizeMember(deps, { ...operation, role }));
  pipeline.use(parsePathIds(operation.path));
  if (operation.body !== undefined) pipeline.use(parseAndCheckBody(operation.body, operation.look));
  if (operation.body !== undefined || operation.change !== undefined) pipeline.use(warnOfRemovedMarks());
  return pipeline.use(createHandlerInputStep<D, Op>(deps, operation)).handler(handler);
};

const Call = v.object({ routeKey: v.string() });

/** Creates the Lambda handler of several routes, such as all routes of a resource that only read. */
export const serve = <D extends ServeDeps, Ops extends OperationMap<Ops>>(
  deps: D,
  operations: Ops,
  handlers: Handlers<D, Ops>,
): HttpHandler => {
  const answers = new Map<string, HttpHandler>();
  for (const name in operations) {
    const operation = operations[name];
    const { method, path, also = [] } = operation;
    const answer = createEndpoint(deps, operation, handlers[name]);
    for (const key of [{ method, path }, ...also]) answers.set(`${key.method} ${key.path}`, answer);
  }
  const unanswered = createPipeline(deps).handler(({ routeKey }) => {
    throw new Error(`this function does not answer the route "${routeKey}"`);
  });
  return (event, context) => {
    const call = v.safeParse(Call, event);
    const answer = call.success ? answers.get(call.output.routeKey) : undefined;
    return (answer ?? unanswered)(event, context);
  };
};
