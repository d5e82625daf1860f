import { definePage } from "../app/page.tsx";
import { texts } from "../texts.ts";

export const page = definePage({
  heading: texts.pages.event,
  load: ({ api, params }) => api("events/get-event", { path: { eventId: params["id"] ?? "" } }),
  everySeconds: 5,
  View: ({ data }) => <p>{data.title}</p>,
});
