type Setting = {
  /** The URL of console and API, to which a sign-in returns. */
  origin: string;
  signIn: string;
  clientId: string;
  /** The user pool's API for a person's own data. */
  userPool: string;
  /** The identity provider; if it is absent, people choose a provider. */
  provider?: string;
  /** The number from which the service calls people; absent if the stage makes no calls. */
  phone?: string;
};

const written = document.querySelector('meta[name="event-alerting"]')?.getAttribute("content") ?? "";

/** The stage's settings, which the function that serves the page writes into the page. */
export const setting: Setting = JSON.parse(written);

/** Whether the service is local: only a local service has no TLS. */
export const isLocal = setting.origin.startsWith("http:");
