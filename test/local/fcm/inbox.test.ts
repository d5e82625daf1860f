import { expect, it } from "vitest";
import { createInbox } from "../../../local/fcm/inbox.ts";

it("the FCM stand-in's inbox keeps the newest messages and drops the oldest when it is full", () => {
  const inbox = createInbox(10);
  for (let index = 0; index < 25; index++) {
    inbox.add({ id: String(index), receivedAt: "", token: "t", message: { token: "t" } });
  }

  const { messages } = JSON.parse(inbox.toJson()) as { messages: { id: string }[] };
  expect(messages.map(({ id }) => Number(id))).toEqual([15, 16, 17, 18, 19, 20, 21, 22, 23, 24]);
});
