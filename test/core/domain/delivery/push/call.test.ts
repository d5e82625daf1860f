import { describe, expect, it } from "vitest";
import { buildCall, buildCodeCall, joinSpokenText } from "../../../../../core/domain/delivery/push/call.ts";
import { createPushInput } from "../../../../support/push-input.ts";

const spokenText = (fields: Parameters<typeof createPushInput>[0]): string =>
  joinSpokenText(
    buildCall(createPushInput({ body: "2 % left", title: "Disk full", receipt: "token", ...fields }), "+4930123456"),
  );

describe("the text of a phone call", () => {
  it("is title, site and body, and the keys to press if an acknowledgement is required", () => {
    expect(spokenText({ siteName: "Berlin", requiresAck: true })).toBe(
      "Berlin: Disk full. 2 % left. Press 4 to acknowledge. Press 5 to escalate. Press 6 to repeat.",
    );
  });

  it("offers no acknowledgement if none is required", () => {
    expect(spokenText({ requiresAck: false })).toBe("Disk full. 2 % left. Press 6 to repeat.");
  });

  it("offers no key for acknowledging if the call has no receipt token", () => {
    expect(spokenText({ requiresAck: true, receipt: undefined })).toBe(
      "Disk full. 2 % left. Open the console to acknowledge. Press 6 to repeat.",
    );
  });

  it("asks in a test call for the key that confirms that a person heard the call", () => {
    expect(spokenText({ eventId: undefined, title: "Test notification", body: "" })).toBe(
      "Test notification. Press 4 to confirm that you can be reached. Press 6 to repeat.",
    );
  });

  it("contains no characters that speech markup or a contact flow would interpret", () => {
    const text = spokenText({ title: "<speak>$.External.say & more</speak>", body: "load > 9\n\u0007now?" });

    expect(text).toContain("less than speak more than $ External.say and more less than /speak more than. ");
    expect(text).toContain("load more than 9 now? Press");
  });

  it.each([
    ["two sentences", "2 % left. It grows by 1 % an hour.", "2 % left."],
    ["a sentence on two lines", "The disk of db-1\nis full", "The disk of db-1 is full."],
    ["an address in a sentence", "See https://wiki.example/disk for what to do.", "See for what to do."],
    [
      "labels as Alertmanager lists them",
      "Alerts Firing:\nLabels:\n - alertname = HighCpu\n - severity = critical\nSource: http://p.example/g",
      "",
    ],
    ["labels, one a line", "alertname: HighCpu\nseverity: critical", ""],
    ["a label in a sentence", "Too slow: p95=3s host=db-1, and growing.", "Too slow: and growing."],
    ["empty brackets", "The disk ( )  []  of (db) is full.", "The disk of (db) is full."],
    ["bold text", "**Firing**\n\nThe disk is full.", "Firing The disk is full."],
    ["data as JSON", '{"a": 1}', ""],
    ["nothing but the title", "Disk full", ""],
  ])(
    "includes the first sentence of a body with %s, without links, labels, data, empty brackets and repetitions",
    (_what, body, said) => {
      expect(spokenText({ body })).toBe(`Disk full.${said === "" ? "" : ` ${said}`} Press 6 to repeat.`);
    },
  );

  it.each([
    ["[FIRING:1] HighCpu (cpu = 98) https://p.example/g", "[FIRING:1] HighCpu."],
    ["https://p.example/g", "Alert."],
    ["Disk\nfull", "Disk full."],
  ])("leaves out addresses and labels from the title %j", (title, said) => {
    expect(spokenText({ title, body: "2 % left" })).toBe(`${said} 2 % left. Press 6 to repeat.`);
  });

  it("leaves out links, data and detail, and stays short", () => {
    const long = spokenText({
      title: "t".repeat(200),
      body: "b".repeat(2000),
      url: "https://acme.example",
      requiresAck: true,
    });

    expect(long).not.toContain("https");
    expect(long.length).toBeLessThan(650);
    expect(long).toContain("Press 4 to acknowledge.");
  });

  it("spells a verification code digit by digit", () => {
    expect(joinSpokenText(buildCodeCall("+4930123456", "012345", "req_1"))).toBe(
      "Your code is 0, 1, 2, 3, 4, 5. Enter it under Devices to get alerts on this number. " +
        "If you did not request it, hang up. Press 6 to repeat.",
    );
  });
});

it("every retry of a phone call sends the same request", () => {
  expect(buildCall(createPushInput({ once: "ntf_1.dev_1.voice.2" }), "+4930123456").once).toBe("ntf_1.dev_1.voice.2");
});
