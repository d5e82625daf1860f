type Setting = {
  /** The address of the console and the API; signing in leads back there. */
  origin: string;
  /** The address of the sign-in pages. */
  signIn: string;
  clientId: string;
  /** The API of the user pool for people themselves. */
  userPool: string;
  /** The one provider by which people sign in: the pool's pages are passed over. */
  provider?: string;
  /** The number that calls come from, where the stage makes calls. */
  phone?: string;
};

const written = document.querySelector('meta[name="event-alerting"]')?.getAttribute("content") ?? "";

/** Written into the page by the function that serves it. */
export const setting: Setting = JSON.parse(written);

/** On AWS everything uses TLS; the service on one's own machine does not, and has a workbench. */
export const isLocal = setting.origin.startsWith("http:");
