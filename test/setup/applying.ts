import { expect } from "vitest";
import { aWorkspace } from "./fake-workspace.ts";

export const [alice, bob, carol] = ["alice@a.example", "bob@a.example", "carol@a.example"] as const;

export const before = `groups:
  - { name: Old, members: [${alice}] }
  - { name: Operations, members: [${alice}, ${bob}] }
schedules:
  - group: Old
    timeZone: UTC
    layers: [{ start: 2026-03-02T09:00, every: 1, unit: week, participants: [${alice}] }]
  - group: Operations
    timeZone: UTC
    layers: [{ start: 2026-03-02T09:00, every: 1, unit: week, participants: [${alice}, ${bob}] }]
policies:
  - { name: Old, steps: [{ delayMinutes: 5, targets: [{ group: Old }] }] }
rules:
  - { name: Old, eventKey: "order.*", groups: [Old], policy: Old }
silences:
  - { name: Old, eventKey: "x.*", endsAt: 2030-01-01T00:00:00Z }
`;
export const applyFile = async (text = before) => {
  const workspace = aWorkspace(alice, bob, carol);
  workspace.files.set("f.yaml", text);
  expect(await workspace.run("apply f.yaml")).toMatchObject({ code: 0 });
  expect((await workspace.run("plan f.yaml")).text).toMatch(/^0 to create, 0 to change, 0 to delete, \d+ unchanged\.$/);
  workspace.takeWrites();
  return workspace;
};
