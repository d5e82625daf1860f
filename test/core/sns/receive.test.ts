import { createSign } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createSnsReceiver } from "../../../core/sns/receive.ts";
import { createWorkspace, updateWorkspace } from "../../../core/store/people/workspaces.ts";
import { createCertificate } from "../../../local/fcm/certificate.ts";
import { createTestClock } from "../../world/clock.ts";
import { useTable } from "../../world/use-table.ts";

const { key, cert: pem } = createCertificate(["sns.amazonaws.com"]);
let workspaces = 0;
const topic = "arn:aws:sns:eu-west-1:123456789012:alarms";
const certificateUrl = "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem";
const subscribeUrl = "https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=t";

const stand = await useTable();

const signMessage = (message: Record<string, string>, names: readonly string[]) => {
  const text = names.flatMap((name) => (message[name] === undefined ? [] : [`${name}\n${message[name]}\n`])).join("");
  const algorithm = message["SignatureVersion"] === "2" ? "RSA-SHA256" : "RSA-SHA1";
  return { ...message, Signature: createSign(algorithm).update(text).sign(key, "base64") };
};
const base = {
  MessageId: "m-1",
  TopicArn: topic,
  Message: "{}",
  Timestamp: "2026-11-21T12:00:00.000Z",
  SignatureVersion: "2",
  SigningCertURL: certificateUrl,
};
const notification = (fields: Record<string, string> = {}) =>
  signMessage({ ...base, Type: "Notification", ...fields }, [
    "Message",
    "MessageId",
    "Subject",
    "Timestamp",
    "TopicArn",
    "Type",
  ]);
const confirmation = (fields: Record<string, string> = {}) =>
  signMessage({ ...base, Type: "SubscriptionConfirmation", Token: "t", SubscribeURL: subscribeUrl, ...fields }, [
    "Message",
    "MessageId",
    "SubscribeURL",
    "Timestamp",
    "Token",
    "TopicArn",
    "Type",
  ]);

const createReceiver = async () => {
  const asked: string[] = [];
  // A minute after the machine's clock, the new certificate is certainly valid.
  const deps = { ...createTestClock().deps, now: () => Date.now() + 60_000, table: stand.table };
  const { id } = await createWorkspace(deps, {
    id: `ws_${(workspaces += 1)}`,
    name: "Acme",
    creator: { userId: "usr_a", name: "A", email: "" },
  });
  const fetchText = async (url: string) => {
    asked.push(url);
    return url === certificateUrl ? pem : "<ok/>";
  };
  const receive = createSnsReceiver({ ...deps, fetchText });
  return {
    asked,
    receive: (message: object) => receive(id, message),
    allow: () => updateWorkspace(deps, id, { snsTopics: [topic] }),
  };
};

describe("a message of SNS", () => {
  it.each(["1", "2"])(
    "is accepted if its signature (version %s) is valid, and the certificate is fetched once",
    async (version) => {
      const { receive, asked } = await createReceiver();

      expect(await receive(notification({ SignatureVersion: version, Subject: "ALARM" }))).toBe(true);
      expect(await receive(notification({ SignatureVersion: version }))).toBe(true);
      expect(asked).toEqual([certificateUrl]);
    },
  );

  it.each(["Message", "MessageId", "Timestamp", "TopicArn", "Signature"])(
    "is refused if its %s was changed",
    async (name) => {
      const { receive } = await createReceiver();

      await expect(receive({ ...notification(), [name]: "AAAA" })).rejects.toMatchObject({ kind: "invalid_input" });
    },
  );

  it.each([
    "https://evil.example/SimpleNotificationService-0.pem",
    "http://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0.pem",
    "https://sns.eu-west-1.amazonaws.com.evil.example/SimpleNotificationService-0.pem",
    "https://sns.eu-west-1.amazonaws.com@evil.example/SimpleNotificationService-0.pem",
    "https://sns.eu-west-1.amazonaws.com:444/SimpleNotificationService-0.pem",
    "https://bucket.s3.amazonaws.com/SimpleNotificationService-0.pem",
    "https://sns.eu-west-1.amazonaws.com/other.pem",
    "nothing",
  ])('never causes a request to "%s" for a certificate', async (url) => {
    const { receive, asked } = await createReceiver();

    await expect(receive(notification({ SigningCertURL: url }))).rejects.toMatchObject({ kind: "invalid_input" });
    expect(asked).toEqual([]);
  });

  it("is refused as busy, so that SNS sends it again, if SNS cannot be reached for its certificate", async () => {
    const deps = {
      ...createTestClock().deps,
      table: stand.table,
      fetchText: async () => Promise.reject(new Error("no network")),
    };

    await expect(createSnsReceiver(deps)("ws_1", notification())).rejects.toMatchObject({ kind: "busy" });
  });
});

describe("a subscription request of SNS", () => {
  it("is confirmed for a topic that the workspace allows", async () => {
    const { receive, asked, allow } = await createReceiver();
    await allow();

    expect(await receive(confirmation())).toBe(false);
    expect(asked).toEqual([certificateUrl, subscribeUrl]);
  });

  it("is refused for a topic that the workspace does not allow, and for a URL that is not one of SNS", async () => {
    const { receive, asked, allow } = await createReceiver();

    await expect(receive(confirmation())).rejects.toMatchObject({ kind: "invalid_input" });
    await allow();
    await expect(receive(confirmation({ SubscribeURL: "https://evil.example/" }))).rejects.toMatchObject({
      kind: "invalid_input",
    });
    expect(asked).toEqual([certificateUrl]);
  });
});
