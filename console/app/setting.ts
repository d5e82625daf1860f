type Setting = {
  /** The console and the API share this URL, to which signing in returns. */
  origin: string;
  signIn: string;
  clientId: string;
  /** The user pool's API for people's own data. */
  userPool: string;
  /** If set, the pool's page for choosing a provider is skipped. */
  provider?: string;
  /** Calls come from this number; absent if the stage makes no calls. */
  phone?: string;
};

const written = document.querySelector('meta[name="event-alerting"]')?.getAttribute("content") ?? "";

/** The function that serves the page writes the setting into the page. */
export const setting: Setting = JSON.parse(written);

/** A local service has a workbench and no TLS. On AWS, everything uses TLS. */
export const isLocal = setting.origin.startsWith("http:");
