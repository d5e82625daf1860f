import * as v from "valibot";

const Setting = v.object({
  /** Where the console and the API are; signing in leads back there. */
  origin: v.string(),
  /** Where the pages to sign in on are. */
  signIn: v.string(),
  clientId: v.string(),
});

const read = (): v.InferOutput<typeof Setting> => {
  const text = document.querySelector('meta[name="event-alerting"]')?.getAttribute("content");
  return v.parse(v.pipe(v.string(), v.parseJson(), Setting), text);
};

/** What the function that serves the page has written into it. */
export const setting = read();

/** On AWS there is nothing without TLS; what runs on one's own machine has a workbench beside it. */
export const isLocal = setting.origin.startsWith("http:");
