type Setting = {
  /** The URL of the console and the API, to which signing in returns. */
  origin: string;
  /** The URL of the sign-in pages. */
  signIn: string;
  clientId: string;
  /** The URL of the user pool's API for people's own data. */
  userPool: string;
  /** The only provider by which people sign in; the pool's page for choosing one is skipped. */
  provider?: string;
  /** The number that calls come from; absent if the stage makes no calls. */
  phone?: string;
};

const written = document.querySelector('meta[name="event-alerting"]')?.getAttribute("content") ?? "";

/** The function that serves the page writes the setting into it. */
export const setting: Setting = JSON.parse(written);

/** On AWS everything uses TLS. A local service does not, and has a workbench. */
export const isLocal = setting.origin.startsWith("http:");
