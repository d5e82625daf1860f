import { expect, test } from "vitest";
import { addAxe, findAxeFaults } from "./axe.ts";
import { aPerson, callApi, make, makeGroup, makeRule, workspaceNamed } from "./person.ts";

const english = {
  inbox: "Inbox",
  probe: "Probe",
  sent: "Probe sent. The devices have two minutes to confirm the push.",
  tooSoon: /^A rule can be probed once a minute\. Try again in \d+ s\.$/,
  broken: "Broken",
  recipient: "Recipient: A group of the rule has no members. Add somebody.",
  event: "Event of this probe",
  of: "Probe of the rule",
  noRule: /^No rule matched/,
  none: "Not probed",
  confirmed: "Confirmed by a device: not yet",
  noPastEvent: /^(?:No events yet to try the rule on|None of the last)/,
  step: "Step 1: confirmed by 0 of 0 people",
};
const german: typeof english = {
  inbox: "Eingang",
  probe: "Probelauf starten",
  sent: "Der Probelauf ist gestartet. Die Geräte haben zwei Minuten, um den Push zu bestätigen.",
  tooSoon: /^Eine Regel kann einmal pro Minute erprobt werden\. Versuchen Sie es in \d+ s noch einmal\.$/,
  broken: "Gestört",
  recipient: "Empfänger: Eine Gruppe der Regel hat keine Mitglieder. Nehmen Sie jemanden auf.",
  event: "Ereignis dieses Probelaufs",
  of: "Probelauf der Regel",
  noRule: /^Keine Regel/,
  none: "Ohne Probelauf",
  confirmed: "Von einem Gerät bestätigt: noch nicht",
  noPastEvent: /^(?:Noch keine Ereignisse, um die Regel|Keines der letzten)/,
  step: "Stufe 1: bestätigt von 0 von 0 Personen",
};

type Probes = { id: string; status: string }[];

test.each([
  { locale: "en-GB", width: 1280, said: english },
  { locale: "de-DE", width: 360, said: german },
])(
  "in $locale at $width pixels, a manager probes a rule, and the rule's page, the list of rules and the policy's page show the failed step",
  async ({ locale, width, said }) => {
    const name = `Probed ${Date.now().toString(36)}`;
    const groupId = await makeGroup("Acme", name, []);
    const steps = [{ delayMinutes: 5, targets: [{ type: "group", groupId }] }];
    const policyId = await make("Acme", "/escalation-policies", { name, steps });
    const ruleId = await makeRule("Acme", groupId, { name, eventKey: "probed.rule", escalationPolicyId: policyId });
    await makeRule("Acme", groupId, { name: `${name}, other`, eventKey: "probed.other" });
    const manager = await aPerson({ locale, viewport: { width, height: 800 } });
    const { page } = manager;
    await addAxe(page);
    await manager.signInAs(workspaceNamed("Acme").members[0]!.email, said.inbox);

    await manager.open(`/rules/${ruleId}`, "Acme");
    await manager.pressNamed(said.probe);
    await page.getByText(said.sent).waitFor();
    await manager.pressNamed(said.probe);
    await page.getByText(said.tooSoon).waitFor();
    const readProbeStatus = async () =>
      (await callApi<Probes>("Acme", "GET", "/probes")).find(({ id }) => id === ruleId)?.status;
    await expect.poll(readProbeStatus, { timeout: 20_000 }).toBe("red");

    await page.reload();
    const links = page.getByRole("listitem").filter({ hasText: /[✓✗·]/ });
    await links.first().waitFor();
    const texts = await links.allInnerTexts();
    expect(texts).toHaveLength(5);
    expect(texts[2]).toBe(`✗ ${said.recipient}`);
    expect(texts[4]).toBe(`· ${said.confirmed}`);
    await page.getByText(said.noPastEvent).waitFor();
    expect(await findAxeFaults(page, "/rules/:id")).toEqual([]);
    await page.setViewportSize({ width, height: 800 });

    await manager.pressNamed(said.event);
    await page.getByText(said.of).getByRole("link", { name, exact: true }).waitFor();
    await links.first().waitFor();
    expect((await links.allInnerTexts())[2]).toBe(`✗ ${said.recipient}`);
    expect(await page.getByText(said.noRule).count()).toBe(0);
    expect(await findAxeFaults(page, "/events/:id")).toEqual([]);
    await page.setViewportSize({ width, height: 800 });

    await manager.open(`/rules?search=${encodeURIComponent(name)}`, "Acme");
    const rows = page.getByRole("listitem").filter({ hasText: name });
    await rows.first().waitFor();
    const [probed, other] = await rows.allInnerTexts();
    expect(probed).toContain(said.broken);
    expect(probed).toContain(said.recipient);
    expect(other).toContain(said.none);
    expect(await findAxeFaults(page, "/rules")).toEqual([]);
    await page.setViewportSize({ width, height: 800 });

    await manager.open(`/escalation/${policyId}`, "Acme");
    const step = page.getByRole("listitem").filter({ hasText: said.step });
    await step.waitFor();
    expect(await step.innerText()).toContain(said.broken);
    expect(await findAxeFaults(page, "/escalation/:id")).toEqual([]);
  },
);
