type Setting = {
  /** The URL of the console and the API, to which signing in returns. */
  origin: string;
  /** The URL of the sign-in pages. */
  signIn: string;
  clientId: string;
  /** The URL of the user pool's API for people's own data. */
  userPool: string;
  /** The provider, if people sign in only by it; the pool's page for choosing a provider is skipped. */
  provider?: string;
  /** The number that calls come from; absent if the stage makes no calls. */
  phone?: string;
};

const written = document.querySelector('meta[name="event-alerting"]')?.getAttribute("content") ?? "";

/** The setting, which the function that serves the page writes into the page. */
export const setting: Setting = JSON.parse(written);

/** Whether the service is a local one, which has a workbench and no TLS. On AWS, everything uses TLS. */
export const isLocal = setting.origin.startsWith("http:");
