import { describe, expect, it } from "vitest";
import { buildMessage } from "../../../../core/domain/delivery/push/message.ts";
import type { CallMessage } from "../../../../core/domain/delivery/push/call.ts";
import type { PushOutcome } from "../../../../core/domain/delivery/push/outcome.ts";
import { createVoiceChannel, type VoiceOptions } from "../../../../core/push/voice/voice.ts";
import { buildVoiceFlow } from "../../../../lib/voice-flow.ts";
import { createConnectService, VOICE_FROM, VOICE_INSTANCE, type PhoneCall } from "../../../../local/phone/connect.ts";
import { startBehindPolicies, createSigning } from "../../../support/behind-policies.ts";
import { createPushInput } from "../../../support/push-input.ts";
import { toEarlyDevices } from "../../../support/push.ts";
import { answerWith, collectBodies } from "../../../support/serve.ts";

const FLOW = "flow-1";

const aVoiceChannel = (endpoint: string, fields: Partial<VoiceOptions> = {}) =>
  toEarlyDevices(
    createVoiceChannel({
      instanceId: VOICE_INSTANCE.split("/").at(-1) ?? "",
      flowId: FLOW,
      from: VOICE_FROM,
      ...createSigning(endpoint),
      ...fields,
    }),
  );

const callTo = (call: string, fields: object = {}): CallMessage => {
  const message = buildMessage(
    createPushInput({
      title: "Disk full",
      body: "2 % left",
      to: { call },
      platform: "phone",
      once: "ntf_1.dev_1.0",
      receipt: "token",
      ...fields,
    }),
  );
  if (!("call" in message)) throw new Error("a telephone's message is a call");
  return message;
};

/** Starts a local Connect. Its caller has the permissions of a function that may make calls through one instance. */
const startService = async (instance = VOICE_INSTANCE, now: () => number = Date.now) => {
  const taken: PhoneCall[] = [];
  const { service } = createConnectService({
    now,
    calls: {
      instance: VOICE_INSTANCE,
      flowId: FLOW,
      content: JSON.stringify(buildVoiceFlow("arn:function")),
      invoke: async () => ({ say: "" }),
    },
    onCall: (call) => taken.push(call),
  });
  const action = "connect:StartOutboundVoiceContact";
  return { ...(await startBehindPolicies({ connect: service }, action, [`${instance}/contact/*`])), taken };
};

const refuseWith = (status: number, type: string) =>
  answerWith(status, { "x-amzn-errortype": type }, '{"Message":"+49"}');

describe("a phone call that is requested from Amazon Connect", () => {
  it("is one request, and its text is spoken unchanged", async () => {
    const { endpoint, requests, taken } = await startService();

    const outcome = await aVoiceChannel(endpoint).send(callTo("+4930123456", { requiresAck: true }));

    expect(outcome).toEqual({ kind: "accepted", messageId: taken[0]?.id });
    expect(requests.map(({ headers }) => headers["content-type"])).toEqual(["application/json"]);
    expect(taken).toMatchObject([
      {
        to: "+4930123456",
        way: "voice",
        text: "Disk full. 2 % left. Press 4 to acknowledge. Press 5 to escalate. Press 6 to repeat.",
      },
    ]);
  });

  it.each<[string, string, PushOutcome["kind"], number]>([
    ["does not allow calls to the number", "+4930120001", "invalid", 0],
    ["says that there are too many requests", "+4930120002", "retry", 0],
    // Nobody answers the call, but Connect accepts the request before it knows that.
    ["accepts a call that nobody answers", "+4930120003", "accepted", 1],
    // The call is started and the answer is lost: one call, with an unknown outcome.
    ["starts the call but the answer is lost", "+4930120004", "unknown", 1],
    ["does not allow calls to a satellite number", "+88212345678", "invalid", 0],
  ])("is one request if Connect %s (to %s, with the outcome %j)", async (_, phone, kind, calls) => {
    const { endpoint, requests, taken } = await startService();

    expect((await aVoiceChannel(endpoint).send(callTo(phone))).kind).toBe(kind);

    expect(requests).toHaveLength(1);
    expect(taken).toHaveLength(calls);
  });

  it("rings once if its request is repeated after a lost answer, and once more for a later page", async () => {
    const { endpoint, taken } = await startService();
    const voice = aVoiceChannel(endpoint);

    expect((await voice.send(callTo("+4930120004"))).kind).toBe("unknown");
    expect(await voice.send(callTo("+4930120004"))).toEqual({ kind: "accepted", messageId: taken[0]?.id });
    expect(taken).toHaveLength(1);

    await voice.send(callTo("+4930120004", { once: "ntf_1.dev_1.1" }));
    expect(taken).toHaveLength(2);
  });

  it("contains its receipt token, which is empty for a call that nobody can acknowledge", async () => {
    const { endpoint, bodies } = await collectBodies();

    await aVoiceChannel(endpoint).send(callTo("+4930123456"));
    await aVoiceChannel(endpoint).send({ ...callTo("+4930123456"), receipt: undefined });

    expect(bodies).toMatchObject([{ Attributes: { token: "token" } }, { Attributes: { token: "" } }]);
  });

  it("can be requested before any credentials have been read", async () => {
    expect(await aVoiceChannel("http://127.0.0.1:1").prepare()).toBe(true);
  });

  it("is refused for an instance, number or contact flow that the function may not use", async () => {
    const other = await startService(VOICE_INSTANCE.replace(/1$/, "2"));
    expect(await aVoiceChannel(other.endpoint).send(callTo("+4930123456"))).toEqual({
      kind: "auth",
      code: "AccessDeniedException",
    });
    expect(other.denied).toHaveLength(1);
    const own = await startService();
    // An instance with the same id in a region that the function may not use.
    expect((await aVoiceChannel(own.endpoint, { region: "eu-west-2" }).send(callTo("+4930123456"))).kind).toBe("auth");
    expect(own.taken).toEqual([]);

    const { endpoint } = await startService();
    const from = await aVoiceChannel(endpoint, { from: "+18005550199" }).send(callTo("+4930123456"));
    expect(from).toEqual({ kind: "auth", code: "OutboundContactNotPermittedException" });
    const flow = await aVoiceChannel(endpoint, { flowId: "flow-2" }).send(callTo("+4930123456"));
    expect(flow).toEqual({ kind: "auth", code: "ResourceNotFoundException" });
  });

  it.each<[number, string, PushOutcome["kind"], string, string?]>([
    [403, "DestinationNotAllowedException", "invalid", "DestinationNotAllowedException"],
    [400, "InvalidParameterException", "auth", "InvalidParameterException"],
    [429, "LimitExceededException", "retry", "LimitExceededException", "busy"],
    [429, "TooManyRequestsException", "retry", "TooManyRequestsException", "rate"],
    [400, "ThrottlingException", "retry", "ThrottlingException", "rate"],
    [408, "RequestTimeout", "retry", "RequestTimeout"],
    [503, "ServiceUnavailable", "retry", "ServiceUnavailable"],
    [500, "InternalServiceException", "unknown", "InternalServiceException"],
    [400, "InvalidRequestException:http://internal", "auth", "InvalidRequestException"],
    [403, "UnrecognizedClientException", "auth", "UnrecognizedClientException"],
    // Only the name of the error is logged and stored.
    [400, "to +49 30 123456", "auth", "HTTP_400"],
    [400, "to ann:", "auth", "HTTP_400"],
  ])("is one request; after Connect's error %i %j it has the outcome %j", async (status, type, kind, code, slow) => {
    const { endpoint, requests } = await refuseWith(status, type);

    expect(await aVoiceChannel(endpoint).send(callTo("+4930123456"))).toEqual({ kind, code, slow });
    expect(requests).toHaveLength(1);
  });
});

describe("the stand-in for Amazon Connect", () => {
  it("starts five calls in a row, then two a second, and allows ten at the same time", async () => {
    let now = 0;
    const { endpoint } = await startService(VOICE_INSTANCE, () => now);
    const call = async (nr: number) =>
      aVoiceChannel(endpoint).send(callTo(`+4930${10_555_010 + nr}`, { once: `n${nr}` }));
    const first = await Promise.all([0, 1, 2, 3, 4, 5].map(call));
    now += 3000;
    const next = await Promise.all([6, 7, 8, 9, 10].map(call));
    now += 3000;

    expect(first.map(({ kind }) => kind).sort()).toEqual([...Array<string>(5).fill("accepted"), "retry"]);
    expect(next.map(({ kind }) => kind)).toEqual(Array(5).fill("accepted"));
    expect(await call(11)).toEqual({ kind: "retry", code: "LimitExceededException", slow: "busy" });
  });
});
