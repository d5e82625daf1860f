import { joinSpokenText, type CallMessage } from "../../domain/delivery/push/call.ts";
import type { PushChannel } from "../../domain/delivery/push/outcome.ts";
import { outcomeOfCall } from "../aws-answer.ts";
import { createSignedSender, type SignedRequestOptions } from "../signed-request.ts";

export type VoiceOptions = SignedRequestOptions & {
  /** The ids of the Amazon Connect instance and of the flow that each call runs. */
  instanceId: string;
  flowId: string;
  /** The calling number, which must belong to the instance. */
  from: string;
};

/** Creates the channel to Amazon Connect, one request per call. `ClientToken` prevents a second call for a repeated request. */
export const createVoiceChannel = ({
  instanceId,
  flowId,
  from,
  ...options
}: VoiceOptions): PushChannel<CallMessage> => {
  const post = createSignedSender(options, {
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
        Attributes: { say: joinSpokenText(message), token: message.receipt ?? "" },
      }),
    prepare: async () => true,
  };
};
