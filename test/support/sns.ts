import { createSign, randomUUID } from "node:crypto";
import { createCertificate } from "../../local/fcm/certificate.ts";

const HOST = "https://sns.eu-west-1.amazonaws.com";
const CERTIFICATE_URL = `${HOST}/SimpleNotificationService-0123456789abcdef.pem`;
export const TOPIC = "arn:aws:sns:eu-west-1:123456789012:alarms";
/** The time in which an endpoint must answer SNS. */
const TIMEOUT_MS = 15_000;

const SIGNED = {
  Notification: ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"],
  SubscriptionConfirmation: ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"],
} as const;

type Message = Record<string, string>;
type Attempt = { authorized: boolean; status: number };
/** `refused`: SNS gives up after a 4xx other than 429. `again`: SNS repeats the message later. */
type Delivery = { outcome: "taken" | "refused" | "again"; attempts: Attempt[] };

/**
 * Simulates SNS, which sends the credentials in an endpoint's URL only after a 401 whose `WWW-Authenticate` asks for `Basic`.
 * Signs messages, confirms a subscription when its SubscribeURL is fetched, and delivers nothing before.
 */
export const createSns = ({ signatureVersion = "1", raw = false }: { signatureVersion?: "1" | "2"; raw?: boolean }) => {
  const { key, cert } = createCertificate(["sns.amazonaws.com"]);
  let endpoint: string | undefined;
  let confirmed = false;
  const token = "2336412f37fb687f5d51e6e241d638b1";
  const subscribeUrl = `${HOST}/?Action=ConfirmSubscription&TopicArn=${TOPIC}&Token=${token}`;

  const sign = (type: keyof typeof SIGNED, more: Message): Message => {
    const message: Message = {
      Type: type,
      MessageId: randomUUID(),
      TopicArn: TOPIC,
      Timestamp: new Date().toISOString(),
      SignatureVersion: signatureVersion,
      SigningCertURL: CERTIFICATE_URL,
      ...more,
    };
    const lines = SIGNED[type].flatMap((name) => (message[name] === undefined ? [] : [`${name}\n${message[name]}\n`]));
    const algorithm = signatureVersion === "2" ? "RSA-SHA256" : "RSA-SHA1";
    return { ...message, Signature: createSign(algorithm).update(lines.join("")).sign(key, "base64") };
  };

  const post = async (url: URL, message: Message, authorization: string | undefined): Promise<Response> => {
    const isRaw = raw && message["Type"] === "Notification";
    return fetch(url, {
      method: "POST",
      headers: {
        "content-type": "text/plain; charset=UTF-8",
        "user-agent": "Amazon Simple Notification Service Agent",
        "x-amz-sns-message-type": message["Type"] ?? "",
        "x-amz-sns-message-id": message["MessageId"] ?? "",
        "x-amz-sns-topic-arn": TOPIC,
        ...(isRaw ? { "x-amz-sns-rawdelivery": "true" } : {}),
        ...(authorization === undefined ? {} : { authorization }),
      },
      body: isRaw ? (message["Message"] ?? "") : JSON.stringify(message),
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  };

  const deliver = async (message: Message): Promise<Delivery> => {
    const url = new URL(endpoint ?? "");
    const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    url.username = "";
    url.password = "";
    const attempts: Attempt[] = [];
    const attempt = async (authorization?: string): Promise<Response> => {
      const answer = await post(url, message, authorization);
      await answer.arrayBuffer();
      attempts.push({ authorized: authorization !== undefined, status: answer.status });
      return answer;
    };
    let answer = await attempt();
    const asksForBasic = /^basic\b/i.test(answer.headers.get("www-authenticate") ?? "");
    if (answer.status === 401 && asksForBasic && credentials !== ":")
      answer = await attempt(`Basic ${Buffer.from(credentials).toString("base64")}`);
    const { status } = answer;
    const isFinal = status >= 400 && status < 500 && status !== 429;
    return { outcome: answer.ok ? "taken" : isFinal ? "refused" : "again", attempts };
  };

  return {
    fetchText: async (url: string): Promise<string> => {
      if (url === CERTIFICATE_URL) return cert;
      if (url !== subscribeUrl) throw new Error(`SNS has no ${url}`);
      confirmed = true;
      return "<ConfirmSubscriptionResponse/>";
    },
    isConfirmed: (): boolean => confirmed,
    subscribe: (address: string): Promise<Delivery> => {
      endpoint = address;
      return deliver(
        sign("SubscriptionConfirmation", {
          Message: `You have chosen to subscribe to the topic ${TOPIC}.`,
          SubscribeURL: subscribeUrl,
          Token: token,
        }),
      );
    },
    /** Signs a message, which may be delivered repeatedly and in any order. */
    message: (text: object, subject?: string): Message =>
      sign("Notification", { Message: JSON.stringify(text), ...(subject === undefined ? {} : { Subject: subject }) }),
    deliver: async (message: Message): Promise<Delivery> => {
      if (!confirmed) throw new Error("SNS delivers nothing to a subscription that is not confirmed");
      return deliver(message);
    },
  };
};
