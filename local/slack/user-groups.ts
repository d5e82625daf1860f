import * as v from "valibot";
import { createTokenBucket } from "../bucket.ts";
import { createSlackRefusal, type SlackAnswer, createSlackRateLimitAnswer } from "./answers.ts";

/* Checks requests as strictly as Slack: https://docs.slack.dev/reference/methods/usergroups.users.update */

const Update = v.strictObject(
  {
    usergroup: v.pipe(v.optional(v.string("missing_argument"), ""), v.minLength(1, "missing_argument")),
    users: v.pipe(
      v.optional(v.string("no_users_provided"), ""),
      v.minLength(1, "no_users_provided"),
      v.transform((users) => users.split(",").map((user) => user.trim())),
      v.everyItem((user) => /^[UW][A-Z0-9]{2,20}$/.test(user), "invalid_users"),
    ),
  },
  "invalid_arguments",
);

/** The error that Slack returns, by the end of a user group's id. */
const faultsByEnd: Readonly<Record<string, string>> = {
  "0001": "no_such_subteam",
  "0002": "permission_denied",
  "0003": "plan_upgrade_required",
};
/** The end of the id of a user group that refuses every call, with a time to retry. */
const THROTTLED = "0004";
const THROTTLED_SECONDS = 30;
/** The error by the end of a user's id: a guest, bot or deactivated user, and a user of another Slack workspace. */
const usersByEnd: Readonly<Record<string, string>> = { "0001": "invalid_users", "0002": "failed_for_some_users" };

/** The number of calls in a burst. Slack allows about twenty calls per minute (tier 2). */
const BURST = 20;
const REFILL_MS = 3_000;

/** Creates a stand-in for Slack's user groups. The end of an id selects a failure. */
export const createUserGroups = (now: () => number) => {
  const groups = new Map<string, readonly string[]>();
  const hasRoom = createTokenBucket(BURST, REFILL_MS, now);

  return {
    groups,
    update: (input: unknown): SlackAnswer => {
      const parsed = v.safeParse(Update, input, { abortEarly: true });
      if (!parsed.success) return createSlackRefusal(parsed.issues[0].message);
      const { usergroup: id, users } = parsed.output;
      if (!/^S[A-Z0-9]+$/.test(id)) return createSlackRefusal("no_such_subteam");
      const fault = faultsByEnd[id.slice(-4)];
      if (fault !== undefined) return createSlackRefusal(fault);
      if (id.endsWith(THROTTLED)) return createSlackRateLimitAnswer(THROTTLED_SECONDS);
      if (!hasRoom()) return createSlackRateLimitAnswer(REFILL_MS / 1000);
      const wrong = users.map((user) => usersByEnd[user.slice(-4)]).find((one) => one !== undefined);
      if (wrong !== undefined) return createSlackRefusal(wrong);
      groups.set(id, users);
      return {
        status: 200,
        body: { ok: true, usergroup: { id, is_usergroup: true, users, user_count: users.length } },
      };
    },
  };
};
