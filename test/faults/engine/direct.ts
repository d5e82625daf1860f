import { toOutput, type Command, type Native, toRequest, toTableOperation } from "../../world/document.ts";
import type { Invocation } from "./kernel.ts";
import { runAsCall, type Calls } from "./calls.ts";
import type { SecretRequest, SqsRequest, WireAnswer, WireRequest } from "./wire.ts";

/*
 * Sends commands without the SDK, which would take most of a run's time. Calls with a fault go through the SDK, because runs
 * must show how the SDK handles failures.
 */

const operationOf = ({ constructor }: Command): string => constructor.name.replace(/Command$/, "");

type ThroughSdk = () => Promise<unknown>;

/** Returns functions that make calls without the SDK. `always`: use the SDK even for calls without a fault. */
export const createDirect = (calls: Calls, { always }: { always: boolean }) => {
  const { numberCall, makeCall, perform } = calls;

  /** Sends a request. Uses the SDK if a fault is planned for the request or already affects it. */
  const send = async (
    request: () => WireRequest,
    asked: Parameters<Calls["numberCall"]>[0],
    invocation: Invocation | undefined,
    throughSdk: ThroughSdk,
    answerTo: (answer: WireAnswer) => Native | undefined,
  ): Promise<Native> => {
    if (always) return (await throughSdk()) as Native;
    if (invocation?.state === "dead") return new Promise(() => {});
    const turn = invocation === undefined ? undefined : numberCall(asked, invocation);
    if (turn?.mode !== undefined) return (await runAsCall(turn, throughSdk)) as Native;
    const answer =
      invocation === undefined || turn === undefined
        ? perform(request())
        : await makeCall(turn, request(), invocation, 1, undefined);
    const given = answerTo(answer);
    if (given !== undefined) return given;
    if (turn === undefined) throw new Error(`${asked.operation}: ${JSON.stringify(answer.body)}`);
    return (await runAsCall({ ...turn, answer }, throughSdk)) as Native;
  };

  return {
    toTable: (command: Command, invocation: Invocation | undefined, throughSdk: ThroughSdk): Promise<Native> => {
      const asked = { service: "dynamodb", operation: toTableOperation(command) } as const;
      const buildRequest = () => ({ ...asked, body: toRequest(command.input) });
      return send(buildRequest, { ...asked, body: command.input }, invocation, throughSdk, toOutput);
    },
    toSecrets: (command: Command, invocation: Invocation | undefined, throughSdk: ThroughSdk): Promise<Native> => {
      const asked = {
        service: "secretsmanager",
        operation: operationOf(command),
        body: command.input as SecretRequest,
      } as const;
      return send(
        () => asked,
        asked,
        invocation,
        throughSdk,
        ({ status, body }) =>
          status === 200 ? { ...body, CreatedDate: new Date(Number(body["CreatedDate"])) } : undefined,
      );
    },
    toQueue: (command: Command, invocation: Invocation | undefined, throughSdk: ThroughSdk): Promise<Native> => {
      const asked = { service: "sqs", operation: operationOf(command), body: command.input as SqsRequest } as const;
      return send(
        () => asked,
        { ...asked, body: { QueueUrl: (command.input as SqsRequest).QueueUrl ?? "" } },
        invocation,
        throughSdk,
        ({ status, body }) => (status === 200 ? body : undefined),
      );
    },
  };
};
