type Setting = {
  /** The URL of console and API, to which a sign-in returns. */
  origin: string;
  signIn: string;
  clientId: string;
  /** The user pool's API for a person's own data. */
  userPool: string;
  /** If set, people do not choose a provider. */
  provider?: string;
  /** The number of calls; absent if the stage makes none. */
  phone?: string;
};

const written = document.querySelector('meta[name="event-alerting"]')?.getAttribute("content") ?? "";

/** The function that serves the page writes the setting into it. */
export const setting: Setting = JSON.parse(written);

/** Only a local service has a workbench and no TLS. */
export const isLocal = setting.origin.startsWith("http:");
