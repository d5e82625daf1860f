import { randomUUID } from "node:crypto";
import * as v from "valibot";
import { findCountry } from "../../core/domain/device/phone.ts";
import { toIso } from "../../core/domain/basics/time.ts";
import { MINUTE_MS } from "../../core/domain/basics/units.ts";
import { createLimiter } from "../aws/account-limits.ts";
import type { AwsResponse, AwsService } from "../aws/front.ts";
import { account, region } from "../template/resolve.ts";
import { createCallRunner, type Call } from "./flow.ts";

export const createConnectInstanceArn = (instanceRegion: string): string =>
  `arn:aws:connect:${instanceRegion}:${account}:instance/10ca1000-0000-4000-8000-000000000001`;
export const VOICE_INSTANCE = createConnectInstanceArn(region);
export const VOICE_FROM = "+18005550101";
export const VOICE_COUNTRIES = "DE,AT,CH,US";

const OPERATION = "PUT /contact/outbound-voice";
const ATTRIBUTES_MAX_BYTES = 32_768;
/** The time after which a call that nobody ends is over. */
const CALL_MAX_MS = 10 * MINUTE_MS;
/** A call to a number that ends with 0002 is throttled this number of times. */
const THROTTLED = 2;

/** A new account's limits: calls started per second, in a burst, and concurrent calls of an instance. */
const BEGUN = { perSecond: 2, burst: 5 };
const AT_ONCE = 10;

/** The operation's input, without the members that the service does not use. */
const Request = v.strictObject({
  InstanceId: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
  ContactFlowId: v.pipe(v.string(), v.maxLength(500)),
  DestinationPhoneNumber: v.pipe(v.string(), v.regex(/^\+[1-9]\d{7,14}$/)),
  SourcePhoneNumber: v.string(),
  ClientToken: v.optional(v.pipe(v.string(), v.maxLength(500))),
  Attributes: v.pipe(
    v.record(
      v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,32767}$/)),
      v.pipe(v.string(), v.maxLength(ATTRIBUTES_MAX_BYTES - 1)),
    ),
    v.check((attributes) => Buffer.byteLength(Object.entries(attributes).flat().join("")) <= ATTRIBUTES_MAX_BYTES),
  ),
});

export type PhoneCall = { id: string; receivedAt: string; way: "voice"; to: string; text: string };

type StartedCall = { to: string; since: number; token: string | undefined; call: Call };

export type CallSettings = {
  instance: string;
  flowId: string;
  content: string;
  invoke: (functionArn: string, event: object) => Promise<unknown>;
};

const createConnectError = (status: number, name: string, message: string): AwsResponse => ({
  status,
  body: JSON.stringify({ Message: message }),
  headers: { "content-type": "application/json", "x-amzn-errortype": name },
});

const STATUSES: Readonly<Record<string, number>> = { AccessDeniedException: 403, UnrecognizedClientException: 403 };

/**
 * Simulates Amazon Connect. The end of the phone number selects the answer: 0001 is not allowed, 0002 is throttled twice, 0003
 * does not answer, and for 0004 the connection breaks after the call has started.
 */
export const createConnectService = ({
  now,
  calls,
  onCall,
}: {
  now: () => number;
  /** The flow of calls; undefined if the stack has no flow. */
  calls: CallSettings | undefined;
  onCall: (call: PhoneCall) => void;
}) => {
  const throttled = new Map<string, number>();
  const made = new Map<string, StartedCall>();
  const over = createLimiter(BEGUN, now);
  const begin = calls === undefined ? undefined : createCallRunner(calls.content);
  const instance = calls?.instance ?? VOICE_INSTANCE;

  const isInProgress = ({ since, call }: StartedCall): boolean => !call.isOver() && now() < since + CALL_MAX_MS;

  /** Starts a call, unless a call with the same client token is in progress. Answers with the call's id. */
  const startCall = async (
    { begin: beginCall, invoke }: { begin: NonNullable<typeof begin>; invoke: CallSettings["invoke"] },
    input: v.InferOutput<typeof Request>,
  ): Promise<AwsResponse> => {
    const { DestinationPhoneNumber: to, Attributes, ClientToken: token } = input;
    const [known] = [...made].find(([, one]) => token !== undefined && one.token === token && isInProgress(one)) ?? [];
    const id = known ?? randomUUID();
    if (known === undefined) {
      const call = beginCall(Attributes, (functionArn, parameters) =>
        invoke(functionArn, {
          Name: "ContactFlowEvent",
          Details: {
            ContactData: {
              Attributes,
              Channel: "VOICE",
              ContactId: id,
              CustomerEndpoint: { Address: to, Type: "TELEPHONE_NUMBER" },
              InitialContactId: id,
              InitiationMethod: "API",
              InstanceARN: instance,
              PreviousContactId: id,
              Queue: null,
              SystemEndpoint: { Address: VOICE_FROM, Type: "TELEPHONE_NUMBER" },
            },
            Parameters: parameters,
          },
        }),
      );
      made.set(id, { to, since: now(), token, call });
      onCall({ id, receivedAt: toIso(now()), way: "voice", to, text: await call.run() });
    }
    return {
      status: 200,
      body: JSON.stringify({ ContactId: id }),
      headers: { "content-type": "application/json" },
      breaks: known === undefined && to.endsWith("0004"),
    };
  };

  const answerRequest = async (input: unknown): Promise<AwsResponse> => {
    const parsed = v.safeParse(Request, input);
    if (!parsed.success) return createConnectError(400, "InvalidRequestException", v.summarize(parsed.issues));
    const { InstanceId, ContactFlowId, DestinationPhoneNumber: to, SourcePhoneNumber } = parsed.output;
    if (!instance.endsWith(`/${InstanceId}`) || begin === undefined || ContactFlowId !== calls?.flowId)
      return createConnectError(404, "ResourceNotFoundException", "The instance or the flow is not found.");
    if (SourcePhoneNumber !== VOICE_FROM)
      return createConnectError(
        403,
        "OutboundContactNotPermittedException",
        "The number is not claimed to the instance.",
      );
    if (findCountry(to) === undefined || to.endsWith("0001"))
      return createConnectError(
        403,
        "DestinationNotAllowedException",
        "Outbound calls to this number are not allowed.",
      );
    const before = throttled.get(to) ?? 0;
    if (to.endsWith("0002") && before < THROTTLED) {
      throttled.set(to, before + 1);
      return createConnectError(429, "TooManyRequestsException", "Rate exceeded");
    }
    if (over() !== undefined) return createConnectError(429, "TooManyRequestsException", "Too Many Requests");
    if ([...made.values()].filter(isInProgress).length >= AT_ONCE)
      return createConnectError(429, "LimitExceededException", "The concurrent calls of the instance are used up.");
    return startCall({ begin, invoke: calls.invoke }, parsed.output);
  };

  const service: AwsService = {
    permissionsOf: (operation, input, region) => {
      if (operation !== OPERATION) return undefined;
      const named = v.safeParse(v.looseObject({ InstanceId: v.string() }), input);
      // Connect searches for the instance in the region of the request.
      const [arn, service, name, , ...others] = instance.split(":");
      const asked = [arn, service, name, region, ...others].join(":");
      const resource = asked.replace(/[^/]+$/, named.success ? named.output.InstanceId : "");
      return [{ action: "connect:StartOutboundVoiceContact", resource: `${resource}/contact/${randomUUID()}` }];
    },
    handle: ({ input }) => answerRequest(input),
    refuse: (code, message) => createConnectError(STATUSES[code] ?? 400, code, message),
  };

  return {
    service,
    /** Presses keys one by one, or, without `digits`, lets the time for a key end. Returns undefined without an answered call. */
    press: async (id: string, digits: string): Promise<{ spoken: string; ended: boolean } | undefined> => {
      const one = made.get(id);
      if (one === undefined || !isInProgress(one) || one.to.endsWith("0003")) return undefined;
      const said: string[] = [];
      for (const key of digits === "" ? [undefined] : digits) said.push(await one.call.press(key));
      return { spoken: said.filter((text) => text !== "").join(" "), ended: one.call.isOver() };
    },
  };
};
