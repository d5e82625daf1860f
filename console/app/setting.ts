type Setting = {
  /** Where the console and the API are; signing in leads back there. */
  origin: string;
  /** Where the pages to sign in on are. */
  signIn: string;
  clientId: string;
};

const written = document.querySelector('meta[name="event-alerting"]')?.getAttribute("content") ?? "";

/** What the function that serves the page has written into it. */
export const setting: Setting = JSON.parse(written);

/** On AWS there is nothing without TLS; what runs on one's own machine has a workbench beside it. */
export const isLocal = setting.origin.startsWith("http:");
