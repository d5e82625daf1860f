import { spokenOf, type CallMessage } from "../../domain/delivery/push/call.ts";
import type { PushChannel } from "../../domain/delivery/push/outcome.ts";
import { outcomeOfCall } from "../aws-answer.ts";
import { createSignedRequest, type SignedRequestOptions } from "../signed-request.ts";

export type VoiceOptions = SignedRequestOptions & {
  /** The id of the instance of Connect, and of the flow that a call goes through. */
  instanceId: string;
  flowId: string;
  /** The number that calls come from, which the instance has claimed. */
  from: string;
};

/** The call channel: Amazon Connect, one request a call. Its `ClientToken` makes a repeated request one call. */
export const createVoice = ({ instanceId, flowId, from, ...options }: VoiceOptions): PushChannel<CallMessage> => {
  const post = createSignedRequest(options, {
    service: "connect",
    method: "PUT",
    path: "/contact/outbound-voice",
    headers: { "content-type": "application/json" },
    outcomeOf: outcomeOfCall,
  });
  return {
    send: (message) =>
      post({
        InstanceId: instanceId,
        ContactFlowId: flowId,
        DestinationPhoneNumber: message.call,
        SourcePhoneNumber: from,
        ClientToken: message.once,
        Attributes: { say: spokenOf(message), token: message.receipt ?? "" },
      }),
    prepare: async () => true,
  };
};
