import * as v from "valibot";
import { SECOND_MS } from "../../core/domain/basics/units.ts";

/* Runs Amazon Connect's flow language (version 2019-10-30) as far as needed; refuses unknown actions and parameters. */

const Next = { NextAction: v.string() };
const createConditionSchema = <const Operands extends readonly [string, ...string[]]>(operands: Operands) =>
  v.strictObject({
    ...Next,
    Condition: v.strictObject({ Operator: v.literal("Equals"), Operands: v.tuple([v.picklist(operands)]) }),
  });
const createErrorsSchema = <const Types extends readonly [string, ...string[]]>(types: Types) =>
  v.array(v.strictObject({ ...Next, ErrorType: v.picklist([...types, "NoMatchingError"]) }));
const createSecondsSchema = (maxSeconds: number) =>
  v.pipe(
    v.string(),
    v.regex(/^[1-9]\d*$/),
    v.check((text) => Number(text) <= maxSeconds, `at most ${maxSeconds} seconds`),
  );
const KEYS = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "*", "#"] as const;

const FlowAction = v.variant("Type", [
  v.strictObject({
    Identifier: v.string(),
    Type: v.literal("GetParticipantInput"),
    Parameters: v.strictObject({
      Text: v.pipe(v.string(), v.nonEmpty()),
      StoreInput: v.literal("False"),
      InputTimeLimitSeconds: createSecondsSchema(180),
    }),
    Transitions: v.strictObject({
      ...Next,
      Conditions: v.array(createConditionSchema(KEYS)),
      Errors: createErrorsSchema(["InputTimeLimitExceeded", "NoMatchingCondition"]),
    }),
  }),
  v.strictObject({
    Identifier: v.string(),
    Type: v.literal("InvokeLambdaFunction"),
    Parameters: v.strictObject({
      LambdaFunctionARN: v.string(),
      InvocationTimeLimitSeconds: createSecondsSchema(8),
      LambdaInvocationAttributes: v.record(v.string(), v.string()),
      ResponseValidation: v.strictObject({ ResponseType: v.literal("STRING_MAP") }),
    }),
    Transitions: v.strictObject({ ...Next, Errors: createErrorsSchema(["NoMatchingError"]) }),
  }),
  v.strictObject({
    Identifier: v.string(),
    Type: v.literal("MessageParticipant"),
    Parameters: v.strictObject({ Text: v.pipe(v.string(), v.nonEmpty()) }),
    Transitions: v.strictObject({ ...Next, Errors: createErrorsSchema(["NoMatchingError"]) }),
  }),
  v.strictObject({
    Identifier: v.string(),
    Type: v.literal("Loop"),
    Parameters: v.strictObject({ LoopCount: v.pipe(v.string(), v.regex(/^\d{1,3}$/)) }),
    Transitions: v.strictObject({
      ...Next,
      Conditions: v.strictTuple([createConditionSchema(["ContinueLooping"]), createConditionSchema(["DoneLooping"])]),
    }),
  }),
  v.strictObject({
    Identifier: v.string(),
    Type: v.literal("DisconnectParticipant"),
    Parameters: v.strictObject({}),
    Transitions: v.strictObject({}),
  }),
]);
type FlowAction = v.InferOutput<typeof FlowAction>;

const listNextActions = ({ Transitions }: FlowAction): string[] => {
  if (!("NextAction" in Transitions)) return [];
  const conditions = "Conditions" in Transitions ? Transitions.Conditions : [];
  const errorsOf = "Errors" in Transitions ? Transitions.Errors : [];
  return [Transitions.NextAction, ...[...conditions, ...errorsOf].map(({ NextAction }) => NextAction)];
};

const Flow = v.pipe(
  v.string(),
  v.parseJson(),
  v.strictObject({ Version: v.literal("2019-10-30"), StartAction: v.string(), Actions: v.array(FlowAction) }),
  v.check(({ StartAction, Actions }) => {
    const known = new Set(Actions.map(({ Identifier }) => Identifier));
    return [StartAction, ...Actions.flatMap(listNextActions)].every((next) => known.has(next));
  }, "a transition names an action that does not exist"),
);

type Texts = { Attributes: Readonly<Record<string, string>>; External: Readonly<Record<string, string>> };

/** Replaces references to attributes by their values, and removes references to missing attributes. */
const fillReferences = (text: string, texts: Texts): string =>
  text.replaceAll(
    /\$\.(Attributes|External)\.([A-Za-z0-9_-]+)/g,
    (_, kind: keyof Texts, name: string) => texts[kind][name] ?? "",
  );

export type InvokeFunction = (functionArn: string, parameters: Readonly<Record<string, string>>) => Promise<unknown>;

const Answer = v.record(v.string(), v.string());

/** The maximum number of times that Connect invokes a function that fails. */
const INVOCATIONS_MOST = 3;

/** Invokes a function, up to three times if it fails, and returns its answer. Rejects if there is no answer within `seconds`. */
const invokeWithin = async (seconds: number, invoke: () => Promise<unknown>): Promise<unknown> => {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`the function did not answer within ${seconds} s`)),
    seconds * SECOND_MS,
  );
  const invokeAgain = async (attemptsLeft: number): Promise<unknown> =>
    invoke().catch((error: unknown) => {
      if (attemptsLeft === 0) throw error;
      return invokeAgain(attemptsLeft - 1);
    });
  try {
    return await Promise.race([invokeAgain(INVOCATIONS_MOST - 1), late.promise]);
  } finally {
    clearTimeout(timer);
  }
};

/** Returns a function that runs the flow for one call. Throws if Connect would refuse the flow. */
export const createCallRunner = (flowContent: string) => {
  const flow = v.parse(Flow, flowContent);
  const actions = new Map(flow.Actions.map((action) => [action.Identifier, action]));

  return (attributes: Readonly<Record<string, string>>, invoke: InvokeFunction) => {
    const texts: Texts = { Attributes: attributes, External: {} };
    const loops = new Map<string, number>();
    let at: string | undefined = flow.StartAction;

    const findActionIdOnError = (action: FlowAction, type: string): string => {
      const found = "Errors" in action.Transitions ? action.Transitions.Errors : [];
      const other = found.find(({ ErrorType }) => ErrorType === "NoMatchingError");
      return (found.find(({ ErrorType }) => ErrorType === type) ?? other)?.NextAction ?? "";
    };

    /** Invokes the action's function, keeps its answer for later texts, and returns the next action's id. */
    const runInvokeAction = async (action: Extract<FlowAction, { Type: "InvokeLambdaFunction" }>): Promise<string> => {
      const { LambdaFunctionARN, LambdaInvocationAttributes, InvocationTimeLimitSeconds } = action.Parameters;
      try {
        const given = await invokeWithin(Number(InvocationTimeLimitSeconds), () =>
          invoke(LambdaFunctionARN, LambdaInvocationAttributes),
        );
        const answer = v.safeParse(Answer, given);
        if (!answer.success) return findActionIdOnError(action, "NoMatchingError");
        texts.External = answer.output;
        return action.Transitions.NextAction;
      } catch {
        // Like Connect, treats any failure of the function as the flow's error.
        return findActionIdOnError(action, "NoMatchingError");
      }
    };

    const chooseActionIdAfterLoop = (action: Extract<FlowAction, { Type: "Loop" }>): string => {
      const round = (loops.get(action.Identifier) ?? 0) + 1;
      loops.set(action.Identifier, round);
      const [again, done] = action.Transitions.Conditions;
      return round <= Number(action.Parameters.LoopCount) ? again.NextAction : done.NextAction;
    };

    /** Runs the flow until it waits for a key or ends. Returns the spoken text. */
    const runUntilWait = async (): Promise<string> => {
      const said: string[] = [];
      for (;;) {
        const action = at === undefined ? undefined : actions.get(at);
        if (action === undefined || action.Type === "DisconnectParticipant") {
          at = undefined;
          return said.join(" ");
        }
        if (action.Type === "GetParticipantInput") {
          said.push(fillReferences(action.Parameters.Text, texts));
          return said.join(" ");
        }
        if (action.Type === "InvokeLambdaFunction") at = await runInvokeAction(action);
        else if (action.Type === "Loop") at = chooseActionIdAfterLoop(action);
        else {
          said.push(fillReferences(action.Parameters.Text, texts));
          at = action.Transitions.NextAction;
        }
      }
    };

    return {
      run: runUntilWait,
      isOver: (): boolean => at === undefined,
      /** Continues the flow after a pressed key. `key`: undefined if the time for a key is over. */
      press: (key: string | undefined): Promise<string> => {
        const action = at === undefined ? undefined : actions.get(at);
        if (action?.Type !== "GetParticipantInput") return Promise.resolve("");
        const pressed = action.Transitions.Conditions.find(({ Condition }) => Condition.Operands[0] === key);
        const error = key === undefined ? "InputTimeLimitExceeded" : "NoMatchingCondition";
        at = pressed?.NextAction ?? findActionIdOnError(action, error);
        return runUntilWait();
      },
    };
  };
};
export type Call = ReturnType<ReturnType<typeof createCallRunner>>;
