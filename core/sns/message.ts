import { createVerify, X509Certificate } from "node:crypto";
import * as v from "valibot";

const text = v.pipe(v.string(), v.nonEmpty());

/** A message that Amazon SNS posts, as described in its developer guide. */
export const SnsMessage = v.object({
  Type: v.picklist(["Notification", "SubscriptionConfirmation", "UnsubscribeConfirmation"]),
  MessageId: text,
  TopicArn: text,
  Message: v.string(),
  Timestamp: text,
  SignatureVersion: v.picklist(["1", "2"]),
  Signature: text,
  SigningCertURL: text,
  Subject: v.nullish(v.string()),
  Token: v.optional(v.string()),
  SubscribeURL: v.optional(v.string()),
});
export type SnsMessage = v.InferOutput<typeof SnsMessage>;

const HOST = /^sns\.[a-z]{2}(?:-[a-z]+)+-\d\.amazonaws\.com(?:\.cn)?$/;

/** Returns whether an address is an HTTPS URL of SNS; no other URL may be fetched. */
const isSnsUrl = (address: string): boolean => {
  const url = URL.parse(address);
  return url !== null && url.protocol === "https:" && HOST.test(url.hostname) && url.port === "" && url.username === "";
};

export const isCertificateUrl = (address: string): boolean =>
  isSnsUrl(address) && /^\/SimpleNotificationService-[0-9a-zA-Z]+\.pem$/.test(new URL(address).pathname);

export const isSubscribeUrl = (address: string): boolean => isSnsUrl(address);

/** Returns the text that SNS signs: certain fields in a fixed order, with names and values on separate lines. */
const buildSignedText = (message: SnsMessage): string => {
  const names =
    message.Type === "Notification"
      ? (["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"] as const)
      : (["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"] as const);
  return names
    .flatMap((name) => {
      const value = message[name];
      return value === undefined || value === null ? [] : [`${name}\n${value}\n`];
    })
    .join("");
};

const algorithms = { "1": "RSA-SHA1", "2": "RSA-SHA256" } as const;

/** Returns whether the certificate `pem` is valid at `now` (in milliseconds) and its key has signed the message. */
export const isSignedByCertificate = (message: SnsMessage, pem: string, now: number): boolean => {
  try {
    const certificate = new X509Certificate(pem);
    if (certificate.validFromDate.getTime() > now || certificate.validToDate.getTime() < now) return false;
    return createVerify(algorithms[message.SignatureVersion])
      .update(buildSignedText(message), "utf8")
      .verify(certificate.publicKey, message.Signature, "base64");
  } catch {
    // Returns false for a malformed certificate or signature.
    return false;
  }
};
