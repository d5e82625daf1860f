import type { Catalogue } from "../catalogue.ts";

export const texts = {
  calendar: {
    add: "Add to calendar",
    addGroup: (group: string) => `Add to calendar: the shifts of ${group}`,
    once: "This is the URL of the calendar. It is shown only once, and anybody who has it can read the shifts. Earlier URLs no longer work.",
    address: "Calendar URL",
    open: "Open in a calendar app",
    close: "Close the calendar feed",
    closeQuestion: "Close the calendar feed? Apps that subscribe to it will show no shifts.",
    closed: "Calendar feed closed.",
  },
};
export type Texts = Catalogue<typeof texts>;
