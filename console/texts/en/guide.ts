import type { Catalogue } from "../catalogue.ts";

/** Texts of the inbox in a workspace without events. */
export const texts = {
  guide: {
    heading: "Your first push",
    steps: {
      device: "A device that receives notifications",
      rule: "A rule that decides who is notified of which events",
      key: "An API key for an application",
      event: "An event",
      acknowledge: "An acknowledgement",
    },
    isDone: "done",
    makeRule: "Notify me of every event",
    makeKey: "Create a key",
    send: "Send an event",
    sent: "Event sent.",
    wait: "The push is on its way. Press “Acknowledge” when the alert appears below.",
    move: "Moving from another service? Import its configuration",
    finish: "Done",
    skip: "Skip",
    groupName: "On duty",
    ruleName: "Everything",
    keyName: "First key",
    event: { event: "hello.world", title: "Hello", body: "This is the first event.", priority: "HIGH" },
    ruleSaved: (name: string) => `Rule "${name}" saved.`,
    key: "Key",
  },
};
export type Texts = Catalogue<typeof texts>;
