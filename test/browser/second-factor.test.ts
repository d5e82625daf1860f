import { expect, test } from "vitest";
import { computeTotp } from "../../local/sign-in/totp.ts";
import { aPerson } from "./person.ts";

test("a person sets up an authenticator app, is asked for the app's code at the next sign-in, and turns the app off", async () => {
  const yuki = await aPerson();
  const { page } = yuki;
  await yuki.signInAs("yuki@demo.example");
  await yuki.openAccount();
  await yuki.goTo("Second factor");
  await yuki.heading("Second factor").waitFor();
  await page.getByText("You sign in with your password only.").waitFor();

  await yuki.pressNamed("Set up an authenticator app");
  const key = (await page.getByLabel("Key", { exact: true }).textContent()) ?? "";
  const link = await page.getByRole("link", { name: "Open in an authenticator app" }).getAttribute("href");
  await yuki.fill("Code", "000000");
  await yuki.pressNamed("Turn on");
  await page.getByText("This code is not valid.").first().waitFor();
  await yuki.fill("Code", computeTotp(key, Date.now()));
  await yuki.pressNamed("Turn on");
  await page.getByText("Sign-in asks for the code of your authenticator app.").waitFor();

  await yuki.openAccount();
  await yuki.pressNamed("Sign out");
  await yuki.pressNamed("Sign in");
  await yuki.pressNamed("Yuki (yuki@demo.example)");
  await page.getByLabel("Code of your authenticator app").fill(computeTotp(key, Date.now()));
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.locator("header .person").waitFor();
  await yuki.open("/second-factor", "Demo");
  await yuki.pressNamed("Turn off");
  await page.getByRole("dialog").getByRole("button", { name: "Turn off" }).click();
  await page.getByText("You sign in with your password only.").waitFor();

  expect(link).toBe(`otpauth://totp/Event%20Alerting%3Ayuki%40demo.example?secret=${key}&issuer=Event%20Alerting`);
  expect(await page.locator("header .person").textContent()).toBe("Yuki");
});
