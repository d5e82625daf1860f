import * as v from "valibot";
import type { Deps } from "../deps.ts";
import type { WorkspaceId } from "../domain/basics/ids.ts";
import { invalidInput, Refusal, type Fault } from "../domain/basics/refusal.ts";
import { readWorkspace } from "../store/people/read-workspace.ts";
import { isCertificateUrl, isSignedByCertificate, isSubscribeUrl, SnsMessage } from "./message.ts";

/** Fetches the text at a URL, or throws. */
export type FetchText = (url: string) => Promise<string>;

export type SnsDeps = Pick<Deps, "table" | "now" | "log"> & { fetchText: FetchText };

const CERTIFICATES_MAX = 50;

const createInvalidFault = (field: string, message: string): Fault => ({ field, code: "invalid", message });

/** Returns whether a body seems to be a message of SNS; the source's adapter checks all other bodies. */
export const isSnsMessage = (body: object): boolean => "Type" in body && "TopicArn" in body;

const parseMessage = (body: object): SnsMessage => {
  const parsed = v.safeParse(SnsMessage, body);
  if (parsed.success) return parsed.output;
  throw invalidInput(
    parsed.issues.map((issue) =>
      createInvalidFault(
        v.getDotPath(issue) ?? "body",
        `${v.getDotPath(issue) ?? "The message"} does not have the form that SNS sends.`,
      ),
    ),
  );
};

/** Returns the URL that confirms a subscription. Throws `invalid_input` if the workspace does not allow the topic. */
const findConfirmationUrl = async (deps: SnsDeps, workspaceId: WorkspaceId, message: SnsMessage): Promise<string> => {
  const workspace = await readWorkspace(deps, workspaceId);
  if (workspace?.snsTopics?.includes(message.TopicArn) !== true)
    throw invalidInput([
      createInvalidFault("TopicArn", "TopicArn is not an allowed topic: add it to snsTopics of the workspace first."),
    ]);
  const address = message.SubscribeURL ?? "";
  if (isSubscribeUrl(address)) return address;
  throw invalidInput([createInvalidFault("SubscribeURL", "SubscribeURL must be an address of SNS at amazonaws.com.")]);
};

/** Returns a function that verifies an SNS message or throws, confirms subscriptions, and returns true for a notification. */
export const createSnsReceiver = (deps: SnsDeps) => {
  const certificates = new Map<string, string>();

  const fetchFromSns = async (url: string): Promise<string> => {
    try {
      return await deps.fetchText(url);
    } catch (error) {
      deps.log.error("sns.not_reached", error);
      throw new Refusal("busy", "Amazon SNS did not answer. Repeat the request.", { retryAfterSeconds: 1 });
    }
  };

  const fetchAndCacheCertificate = async (url: string): Promise<string> => {
    const known = certificates.get(url);
    if (known !== undefined) return known;
    const pem = await fetchFromSns(url);
    if (certificates.size < CERTIFICATES_MAX) certificates.set(url, pem);
    return pem;
  };

  return async (workspaceId: WorkspaceId, body: object): Promise<boolean> => {
    const message = parseMessage(body);
    if (!isCertificateUrl(message.SigningCertURL))
      throw invalidInput([
        createInvalidFault(
          "SigningCertURL",
          "SigningCertURL must be the URL of a certificate of SNS at amazonaws.com.",
        ),
      ]);
    if (!isSignedByCertificate(message, await fetchAndCacheCertificate(message.SigningCertURL), deps.now()))
      throw invalidInput([createInvalidFault("Signature", "Signature must be SNS's signature of this message.")]);
    if (message.Type === "Notification") return true;
    if (message.Type === "UnsubscribeConfirmation") return false;
    await fetchFromSns(await findConfirmationUrl(deps, workspaceId, message));
    deps.log.info("sns.subscribed", { workspaceId });
    return false;
  };
};
