import * as v from "valibot";
import { EVENT_KEY_MAX_CODE_POINTS } from "./limits.ts";

const EVENT_KEY = /^[a-z0-9_]+\.[a-z0-9_]+$/;
const RESERVED = "service.";

/** `resource.action` in lower case, digits and underscores. `service.` is kept for the service itself. */
export const EventKey = v.pipe(
  v.string("event must be a string."),
  v.regex(
    EVENT_KEY,
    "event must be resource.action in lowercase letters, digits and underscores, such as order.failed.",
  ),
  v.check((key) => !key.startsWith(RESERVED), "event must not begin with service., which is reserved."),
  v.maxCodePoints(EVENT_KEY_MAX_CODE_POINTS, `event must have at most ${EVENT_KEY_MAX_CODE_POINTS} characters.`),
);
