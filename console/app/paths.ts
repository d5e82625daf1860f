/** The console's pages, those with a place in the navigation in its order. `path`: with `:name` for a part that varies. */
export const pages = [
  { name: "inbox", path: "/inbox" },
  { name: "home", path: "/" },
  { name: "events", path: "/events" },
  { name: "event", path: "/events/:id" },
  { name: "rules", path: "/rules" },
  { name: "newRule", path: "/rules/new" },
  { name: "rule", path: "/rules/:id" },
  { name: "groups", path: "/groups" },
  { name: "devices", path: "/devices" },
  { name: "keys", path: "/keys" },
  { name: "login", path: "/login" },
  { name: "signedIn", path: "/signed-in" },
] as const;
export type PageName = (typeof pages)[number]["name"];
