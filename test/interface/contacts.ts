import { expect } from "vitest";
import type { DeviceId } from "../../core/domain/basics/ids.ts";
import type { CallMessage } from "../../core/domain/delivery/push/call.ts";
import type { MailMessage } from "../../core/domain/delivery/push/mail.ts";
import type { SmsMessage } from "../../core/domain/delivery/push/sms.ts";
import { startFilled } from "../support/filled-app.ts";
import { bob } from "../support/people.ts";
import type { App } from "../world/app.ts";

export type Device = {
  id: DeviceId;
  email: string | null;
  phone: string | null;
  platform: string;
  ways: string[];
  verified: boolean;
  lastDeliveredAt: string | null;
  lastFailure: { at: string; code: string } | null;
  failing: { since: string; code: string } | null;
  lastTest: { shownAt: string | null } | null;
};
export type Problem = { code: string; errors: { field: string; code: string; message: string }[] };

export const createWrongCode = (code: string) => (code === "000000" ? "000001" : "000000");
export const readToken = ({ notification }: MailMessage) => /\/press#(\S+)/.exec(notification.body)?.[1] ?? "";

export const startContacts = async () => {
  const { app, mine, ask, get, send } = await startFilled();
  // Forgets the email to a person who was invited when the workspace was created.
  app.pushed.length = 0;
  const mails = () => mailsOf(app);
  const lastMail = (email: string) => mails().findLast((mail) => mail.email === email);
  const codeFor = (email: string) => lastMail(email)?.notification.title.slice(0, 6) ?? "";
  const addMailbox = (email: string, as = bob) => ask<Device & Problem>("POST", "/devices", { email }, as);
  const verify = (id: string, code: string, as = bob) =>
    ask<Device & Problem>("POST", `/devices/${id}/verify`, { code }, as);
  const addVerifiedMailbox = async (email: string, as = bob) => {
    const { id } = (await addMailbox(email, as)).body;
    expect((await verify(id, codeFor(email), as)).status).toBe(200);
    return id;
  };
  const pressLink = (token: string, status = "ACKNOWLEDGED") =>
    app.ask<{ status: string }>("/v1/receipts", { method: "POST", body: { token, status, at: 0 } });
  const sendAlert = async () => {
    const eventId = await send({
      event: "disk.full",
      title: "Disk full",
      body: "2 % left",
      data: { secret: "inside" },
    });
    await app.work();
    return eventId;
  };
  return {
    app,
    mine,
    ask,
    get,
    mails,
    lastMail,
    codeFor,
    addMailbox,
    verify,
    addVerifiedMailbox,
    pressLink,
    sendAlert,
  };
};

export const mailsOf = ({ pushed }: App) => pushed.filter((message): message is MailMessage => "email" in message);
export const callsOf = ({ pushed }: App) => pushed.filter((message): message is CallMessage => "call" in message);
export const textsOf = ({ pushed }: App) => pushed.filter((message): message is SmsMessage => "phone" in message);
