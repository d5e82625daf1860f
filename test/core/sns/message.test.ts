import { describe, expect, it } from "vitest";
import { isCertificateUrl, isSubscribeUrl } from "../../../core/sns/message.ts";

const FILE = "/SimpleNotificationService-0123456789abcdef.pem";

describe("a URL in a message of SNS", () => {
  it.each(["eu-west-1", "us-gov-west-1", "ap-southeast-2", "cn-north-1"])(
    "is accepted as a URL of SNS in the region %s",
    (region) => {
      const host = `https://sns.${region}.amazonaws.com${region.startsWith("cn") ? ".cn" : ""}`;

      expect(isCertificateUrl(`${host}${FILE}`)).toBe(true);
      expect(isSubscribeUrl(`${host}/?Action=ConfirmSubscription`)).toBe(true);
    },
  );

  it.each([
    // Anybody can give these names to a bucket, a load balancer or a function.
    "https://sns.anything.amazonaws.com",
    "https://sns.s3.amazonaws.com",
    "https://sns.evil.eu-west-1.amazonaws.com",
    "https://sns.eu-west-1.elb.amazonaws.com",
    "https://sns.eu-west-1.amazonaws.com.evil.example",
    "https://evil.sns.eu-west-1.amazonaws.com",
    "https://s3.eu-west-1.amazonaws.com",
    "http://sns.eu-west-1.amazonaws.com",
    "https://sns.eu-west-1.amazonaws.com:8443",
    "https://me@sns.eu-west-1.amazonaws.com",
  ])("is never fetched if it is %s", (host) => {
    expect(isCertificateUrl(`${host}${FILE}`)).toBe(false);
    expect(isSubscribeUrl(`${host}/?Action=ConfirmSubscription`)).toBe(false);
  });
});
