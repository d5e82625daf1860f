import type { Catalogue } from "../catalogue.ts";
import { formatCount as count } from "../numbers.ts";

/** Texts of the page on how a silent phone can still ring. */
export const texts = {
  night: {
    heading: "At night",
    lead: "A phone that is silent at night stays silent for alerts too, unless you allow them. The steps below take two minutes.",
    card: "Save the alerting contact",
    cardLead:
      "Calls and texts of this service come from this contact. Save the contact on your phone, then allow the contact with the steps below.",
    noCard: "This service makes no calls. Allow its notifications with the steps below.",
    platforms: [
      {
        name: "iPhone and iPad",
        steps: [
          "Open the saved contact, press “Edit”, then “Ringtone”, and turn on “Emergency Bypass”. Do the same under “Text Tone”.",
          "Allow the contact in each Focus: “Settings” > “Focus” > “Do Not Disturb” > “People”.",
          "The web app is silent in a Focus. Allow the app under “Settings” > “Focus” > “Do Not Disturb” > “Apps”, or add a call to your notification steps.",
        ],
      },
      {
        name: "Android",
        steps: [
          "Open “Settings” > “Notifications” > “Do Not Disturb” > “People”, and allow calls and messages from starred contacts. Star the saved contact.",
          "Press and hold a notification of this site, open the settings of the notification, choose its channel and turn on “Override Do Not Disturb”.",
          "Turn off battery optimisation for the browser: “Settings” > “Apps” > your browser > “Battery” > “Unrestricted”.",
        ],
      },
      {
        name: "Computer",
        steps: [
          "Keep the browser running. Allow the browser in “Focus” (macOS) or as a priority app of “Do Not Disturb” (Windows).",
        ],
      },
    ],
    check: "Check your phone",
    checkLead: "Turn on “Do Not Disturb”, lock the phone, then press the button.",
    ring: "Ring me now",
    rung: (devices: number) => `Test sent to ${count(devices, "device", "devices")}. Each must ring within a minute.`,
    nothing: "You have no verified device. Add one first.",
    steps: "Notification steps decide when you are called",
  },
};
export type Texts = Catalogue<typeof texts>;
