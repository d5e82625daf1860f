import { expect, it } from "vitest";
import { startFilled } from "../support/filled-app.ts";
import { alice } from "../support/people.ts";
import { mailsOf } from "./contacts.ts";

const { app, mine, ask } = await startFilled();

const findLastMail = () => mailsOf(app).at(-1);
const registerMailbox = async (email: string, accepted?: string): Promise<string> => {
  const { body } = await app.ask<{ id: string }>(`/v1/workspaces/${mine.workspaceId}/devices`, {
    method: "POST",
    as: alice,
    body: { email },
    headers: accepted === undefined ? {} : { "accept-language": accepted },
  });
  return body.id;
};
const verifyMailbox = (id: string) =>
  ask("POST", `/devices/${id}/verify`, { code: findLastMail()?.notification.title.slice(0, 6) });
const readTestMessage = async (id: string): Promise<string> => {
  app.advance(60_000);
  expect((await ask("POST", `/devices/${id}/test`)).status).toBe(200);
  return findLastMail()?.notification.body ?? "";
};

it("a device test by email is in the language in which the email address was last registered", async () => {
  const id = await registerMailbox("alice@acme.example", "de-CH,de;q=0.9,en;q=0.8");
  await verifyMailbox(id);
  const german = await readTestMessage(id);
  expect(german).toContain("Dieses Gerät ist erreichbar.");
  expect(german).toContain("Empfang bestätigen: ");

  // A registration without a language does not change the language.
  await registerMailbox("alice@acme.example");
  expect(await readTestMessage(id)).toContain("Dieses Gerät ist erreichbar.");
  await registerMailbox("alice@acme.example", "en-GB");

  expect(await readTestMessage(id)).toContain("This device can be reached.");
});
