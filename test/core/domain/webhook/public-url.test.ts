import { describe, expect, it } from "vitest";
import { findPublicUrlFault, findWebhookUrlFault } from "../../../../core/domain/webhook/public-url.ts";
import { hostile } from "../../../support/hostile-addresses.ts";

describe("the URL of a webhook", () => {
  it("is tested with at least forty hostile URLs", () => {
    expect(new Set(hostile).size).toBeGreaterThanOrEqual(40);
  });

  it.each(hostile)("%s is refused", (url) => {
    expect(findPublicUrlFault(url)).toMatch(/^url must /);
  });

  it.each([
    ["hooks.example.com", "url must be an https address, such as https://example.com/hooks/alerts."],
    ["http://hooks.example.com/", "url must begin with https://."],
    ["https://ann@hooks.example.com/", "url must not contain a user name or a password."],
    ["https://:secret@hooks.example.com/", "url must not contain a user name or a password."],
    ["https://hooks.example.com:8443/", "url must not have a port: only 443 is called."],
    ["https://192.0.2.1./", "url must have a host name, not an IP address."],
    ["https://[2001:db8::1]/", "url must have a host name, not an IP address."],
    ["https://hooks./", "url must have a public host name."],
    ["https://hooks.internal/", "url must have a public host name."],
  ])("%s is refused with: %s", (url, fault) => {
    expect(findPublicUrlFault(url)).toBe(fault);
  });

  it.each([
    "https://hooks.example.com/alerts",
    "https://hooks.example.com:443/alerts?team=1#top",
    "https://HOOKS.example.com./",
    "https://127.0.0.1.example.com/",
    "https://münchen.example/",
    "https://1password.com/",
    "https://localhost.example.com/",
  ])("%s is accepted", (url) => {
    expect(findPublicUrlFault(url)).toBeUndefined();
  });

  it("may be local only if it begins with the URL of the stage's stand-in for webhook receivers", () => {
    const standIn = "http://127.0.0.1:3000/local/hooks/inbox/";

    expect(findWebhookUrlFault(`${standIn}mine`, standIn)).toBeUndefined();
    expect(findWebhookUrlFault(`${standIn}mine`, undefined)).toBe("url must begin with https://.");
    expect(findWebhookUrlFault("http://127.0.0.1:3000/local/hooks/inbox/../../v1/", standIn)).toBeDefined();
    expect(findWebhookUrlFault("http://127.0.0.1:3000.example.com/local/hooks/inbox/", standIn)).toBeDefined();
  });
});
