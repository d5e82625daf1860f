import { afterAll, expect, it } from "vitest";
import { showMove } from "../../scripts/demo-move.ts";
import { makeDirectory, startLocalService } from "../support/local-service.ts";

const dir = makeDirectory();
const service = await startLocalService(dir);
afterAll(service.stop);

it("the demo of moving from Opsgenie replays alerts, corrects and applies a setup file, and then pages people", async () => {
  const lines: string[] = [];

  await showMove(service, dir, (line) => lines.push(line));

  const text = lines.join("\n");
  expect(lines.filter((line) => line.includes("replayed"))).toEqual([
    "   | Alerts replayed: 22. Notifications: nobody 6, same 24.",
    "   | Alerts replayed: 22. Notifications: same 30.",
  ]);
  expect(text).toContain('   |   - name: "Alert: Label printer is offline"');
  expect(text).toMatch(/"Payments are declined": (\w+@acme\.example) .*\n   \| same: \1 in Opsgenie, \1 here\n/);
  expect(text).toContain("Pushes sent here: 0.");
  expect(text).toMatch(/"Checkout is slow": pushed to phone-(?:Alice|Bob|Carol) after \d+ ms\.$/);
  expect(text.split("\n").length).toBeLessThan(90);
});
