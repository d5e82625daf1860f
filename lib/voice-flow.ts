import { KEYS, type CallKey } from "../core/domain/delivery/push/call.ts";

/* A call's flow, in Amazon Connect's flow language (version 2019-10-30). Says the text twice if no key is pressed. */

type Transition = { NextAction: string };
type Condition = Transition & { Condition: { Operator: "Equals"; Operands: [string] } };
export type FlowAction = {
  Identifier: string;
  Type: "GetParticipantInput" | "InvokeLambdaFunction" | "MessageParticipant" | "Loop" | "DisconnectParticipant";
  Parameters: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  Transitions: Partial<Transition> & { Conditions?: Condition[]; Errors?: (Transition & { ErrorType: string })[] };
};

const KEY_SECONDS = 10;
const ANSWER_SECONDS = 8;
/** How many times the text is repeated if no key is pressed. */
const SILENT_AGAIN = 1;
/** How many times the text is repeated on request, or after an unclear key. */
const ASKED_AGAIN = 4;

/** Creates a condition that continues with the action `next` if the input equals `operand`. */
const createEqualsCondition = (operand: string, next: string): Condition => ({
  NextAction: next,
  Condition: { Operator: "Equals", Operands: [operand] },
});

/** Lists a transition to `next` for each of the given types of errors, and for all other errors. */
const createErrorTransitions = (next: string, ...types: string[]) =>
  [...types, "NoMatchingError"].map((ErrorType) => ({ NextAction: next, ErrorType }));

/** Creates an action that repeats the alert's text up to `times` times in a call, then ends the call. */
const createLoopAction = (id: string, times: number): FlowAction => ({
  Identifier: id,
  Type: "Loop",
  Parameters: { LoopCount: String(times) },
  Transitions: {
    NextAction: "ask",
    Conditions: [createEqualsCondition("ContinueLooping", "ask"), createEqualsCondition("DoneLooping", "end")],
  },
});

/** Creates an action that invokes the function for a pressed key, and continues with `next` unless the invocation fails. */
const createKeyPressAction = (key: CallKey, functionArn: string, next: string): FlowAction => ({
  Identifier: `press-${key}`,
  Type: "InvokeLambdaFunction",
  Parameters: {
    LambdaFunctionARN: functionArn,
    InvocationTimeLimitSeconds: String(ANSWER_SECONDS),
    LambdaInvocationAttributes: { key },
    ResponseValidation: { ResponseType: "STRING_MAP" },
  },
  Transitions: { NextAction: next, Errors: createErrorTransitions("sorry") },
});

const createSpeakAction = (id: string, text: string, next: string): FlowAction => ({
  Identifier: id,
  Type: "MessageParticipant",
  Parameters: { Text: text },
  Transitions: { NextAction: next, Errors: createErrorTransitions(next) },
});

/** Builds the flow of a call: it reads an alert aloud, and calls the function for each pressed key. */
export const buildVoiceFlow = (functionArn: string) => ({
  Version: "2019-10-30",
  StartAction: "ask",
  Actions: [
    {
      Identifier: "ask",
      Type: "GetParticipantInput",
      Parameters: { Text: "$.Attributes.say", StoreInput: "False", InputTimeLimitSeconds: String(KEY_SECONDS) },
      Transitions: {
        NextAction: "again",
        Conditions: Object.values(KEYS).map((key) => createEqualsCondition(key, `press-${key}`)),
        Errors: [
          { NextAction: "silent", ErrorType: "InputTimeLimitExceeded" },
          { NextAction: "again", ErrorType: "NoMatchingCondition" },
          { NextAction: "end", ErrorType: "NoMatchingError" },
        ],
      },
    },
    createKeyPressAction(KEYS.acknowledge, functionArn, "answer"),
    createKeyPressAction(KEYS.escalate, functionArn, "answer"),
    createKeyPressAction(KEYS.repeat, functionArn, "again"),
    createSpeakAction("answer", "$.External.say", "end"),
    createSpeakAction("sorry", "That did not work. Please press the key again.", "again"),
    createLoopAction("silent", SILENT_AGAIN),
    createLoopAction("again", ASKED_AGAIN),
    { Identifier: "end", Type: "DisconnectParticipant", Parameters: {}, Transitions: {} },
  ] satisfies FlowAction[],
});
