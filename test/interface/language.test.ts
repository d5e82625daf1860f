import { expect, it } from "vitest";
import { startFurnished } from "../support/furnished.ts";
import { alice } from "../support/people.ts";
import { mailsOf } from "./contacts.ts";

const { app, mine, ask } = await startFurnished();

const mail = () => mailsOf(app).at(-1);
const register = async (email: string, accepted?: string): Promise<string> => {
  const { body } = await app.ask<{ id: string }>(`/v1/workspaces/${mine.workspaceId}/devices`, {
    method: "POST",
    as: alice,
    body: { email },
    headers: accepted === undefined ? {} : { "accept-language": accepted },
  });
  return body.id;
};
const verify = (id: string) => ask("POST", `/devices/${id}/verify`, { code: mail()?.notification.title.slice(0, 6) });
const test = async (id: string): Promise<string> => {
  app.advance(60_000);
  expect((await ask("POST", `/devices/${id}/test`)).status).toBe(200);
  return mail()?.notification.body ?? "";
};

it("an email address gets messages that concern no event in the language of its last registration", async () => {
  const id = await register("alice@acme.example", "de-CH,de;q=0.9,en;q=0.8");
  await verify(id);
  const german = await test(id);
  expect(german).toContain("Dieses Gerät ist erreichbar.");
  expect(german).toContain("Empfang der E-Mail bestätigen: ");

  // A registration without a language does not change it.
  await register("alice@acme.example");
  expect(await test(id)).toContain("Dieses Gerät ist erreichbar.");
  await register("alice@acme.example", "en-GB");

  expect(await test(id)).toContain("This device can be reached.");
});
