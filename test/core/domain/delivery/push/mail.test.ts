import { describe, expect, it } from "vitest";
import { buildCodeMail, buildInvitationMail, type MailMessage } from "../../../../../core/domain/delivery/push/mail.ts";
import { buildMessage } from "../../../../../core/domain/delivery/push/message.ts";
import { createPushInput } from "../../../../support/push-input.ts";

describe("the text of an email", () => {
  const buildMail = (fields: object) =>
    buildMessage(createPushInput({ to: { email: "a@b.example" }, ...fields })) as MailMessage;

  it("has the site before the title, a subject on one line, and no character that HTML would interpret", () => {
    const mail = buildMail({ title: "<b>Disk\n\tfull</b> ", body: "<img src=x>", siteName: "Shop" });

    expect(mail.notification.title).toBe("Shop: <b>Disk full</b>");
    expect(mail.html).toContain("&lt;b&gt;Disk full");
    expect(mail.html).not.toMatch(/<img|<b>/);
  });

  it("has an acknowledge link only if an acknowledgement is required, with the token in the URL fragment", () => {
    expect(buildMail({ requiresAck: true, receipt: "tok" }).notification.body).toMatch(/Acknowledge: \S+\/press#tok\n/);
    expect(buildMail({ requiresAck: false, receipt: "tok" }).notification.body).not.toContain("tok");
    expect(buildMail({ requiresAck: true, receipt: undefined }).notification.body).not.toContain("/press");
  });

  it("has the text and the links, each on its own line, and again as HTML", () => {
    const mail = buildMail({ requiresAck: true, receipt: "tok", priority: "HIGH" });

    expect(mail).toEqual({
      email: "a@b.example",
      notification: {
        title: "Disk full",
        body: [
          "Disk full",
          "",
          "db-1 has 2 % left",
          "",
          "Acknowledge: https://alerts.example/press#tok",
          "",
          "Open the event: https://alerts.example/events/evt_1?workspace=ws_acme",
          "",
        ].join("\n"),
      },
      html: [
        '<!doctype html><meta charset="utf-8">',
        '<h1 style="font-size:18px">Disk full</h1>',
        '<p style="white-space:pre-wrap">db-1 has 2 % left</p>',
        '<p><a href="https://alerts.example/press#tok">Acknowledge</a></p>',
        '<p><a href="https://alerts.example/events/evt_1?workspace=ws_acme">Open the event</a></p>',
      ].join("\n"),
      receipt: "tok",
      data: {
        workspaceId: "ws_acme",
        eventId: "evt_1",
        notificationId: "ntf_0123456789abcdefghjkmnpqrs1",
        priority: "HIGH",
      },
    });
    expect(buildMail({ state: "resolved" }).data["state"]).toBe("resolved");
    expect(buildMail({})).not.toHaveProperty("receipt");
  });

  it.each([
    ["in English if no language is given", undefined, "Confirm receipt: https://alerts.example/press#tok"],
    ["in German", "de", "Empfang bestätigen: https://alerts.example/press#tok"],
  ])("that tests an address asks the reader %s to confirm its arrival", (_, language, line) => {
    const { body } = buildMail({ eventId: undefined, receipt: "tok", language }).notification;

    expect(body).toContain(`\n${line}\n`);
    expect(body).not.toContain("Open the event");
  });

  it("with a verification code shows the code in subject and text, and has no link", () => {
    const { notification, html, data } = buildCodeMail("a@b.example", "123456");

    expect(notification.title).toBe("123456 is your code");
    expect(notification.body).toContain("Enter 123456 under Devices");
    expect(html).not.toContain("href");
    expect(data).toEqual({});
  });

  it.each([
    ["Ann", "Acme", "Ann invites you to Acme."],
    ["", "Acme", "A member invites you to Acme."],
    ["evil.example", "Win at https://x.y", "A member invites you to their workspace."],
    ["ann@evil", "Dr. Ann", "A member invites you to Dr. Ann."],
  ])(
    "that invites a person in the name of %j to %j has no name that a mail program would turn into a link",
    (by, workspace, said) => {
      const mail = buildInvitationMail("a@b.example", { workspace, by, consoleUrl: "https://alerts.example" });

      expect(mail.notification.title).toBe("You are invited to a workspace");
      expect(mail.notification.body).toContain(`${said} To join, sign in with this address.`);
      expect(mail.notification.body).toContain("\nOpen the console: https://alerts.example/inbox\n");
      expect(mail.data).toEqual({});
    },
  );
});
