import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import * as v from "valibot";
import { readText } from "../body.ts";
import { createInbox, serveInbox } from "../fcm/inbox.ts";
import { replyJson } from "../reply.ts";
import { createConnectService, type CallSettings, type PhoneCall } from "./connect.ts";
import { createSmsService, type SmsEvents, type TextMessage } from "./sms.ts";

const OWN_NUMBER = "+18005550100";
const ROOT = "/local/phone/inbox";

const Reply = v.strictObject({ from: v.string(), text: v.string() });
const Press = v.strictObject({ id: v.string(), digits: v.pipe(v.string(), v.regex(/^[0-9*#]{0,20}$/)) });

/** Creates the stand-ins for text messages and calls, with one inbox for both. */
export const createPhones = ({
  origin,
  now,
  calls,
  smsEvents,
  onMessage,
  onReply,
}: {
  origin: string;
  now: () => number;
  /** The flow of calls; undefined if the stack makes no calls. */
  calls: CallSettings | undefined;
  /** The events of text messages to publish; undefined if the stack has no configuration set for text messages. */
  smsEvents?: SmsEvents | undefined;
  onMessage?: (message: TextMessage | PhoneCall) => void;
  onReply?: (body: string) => void;
}) => {
  const inbox = createInbox();
  const receiveMessage = (message: TextMessage | PhoneCall): void => {
    inbox.add(message);
    onMessage?.(message);
  };
  const sms = createSmsService({ now, onMessage: receiveMessage, events: smsEvents });
  const connect = createConnectService({ now, calls, onCall: receiveMessage });

  const handleTextReply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Reply), await readText(request));
    if (!parsed.success) return replyJson(response, 400, { error: v.summarize(parsed.issues) });
    const id = randomUUID();
    sms.receiveText(parsed.output.from, parsed.output.text);
    onReply?.(
      JSON.stringify({
        originationNumber: parsed.output.from,
        destinationNumber: OWN_NUMBER,
        messageKeyword: "KEYWORD_LOCAL",
        messageBody: parsed.output.text,
        inboundMessageId: id,
      }),
    );
    return replyJson(response, 202, { id });
  };

  const handleKeyPress = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Press), await readText(request));
    if (!parsed.success) return replyJson(response, 400, { error: v.summarize(parsed.issues) });
    const { id, digits } = parsed.output;
    const pressed = await connect.press(id, digits);
    if (pressed === undefined)
      return replyJson(response, 409, { error: "there is no such call: it has ended, or was not answered" });
    return replyJson(response, 200, pressed);
  };

  const serveMessages = serveInbox(ROOT, inbox);
  return {
    sms,
    connect: connect.service,
    press: connect.press,
    inboxUrl: origin + ROOT,
    serve: (request: IncomingMessage, response: ServerResponse): boolean => {
      const actions: Readonly<Record<string, typeof handleTextReply>> = {
        [`${ROOT}/reply`]: handleTextReply,
        [`${ROOT}/press`]: handleKeyPress,
      };
      const action = request.method === "POST" ? actions[request.url ?? ""] : undefined;
      if (action === undefined) return serveMessages(request, response);
      action(request, response).catch(() => response.destroy());
      return true;
    },
  };
};
