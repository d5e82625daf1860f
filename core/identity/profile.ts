import * as v from "valibot";
import type { Deps } from "../deps.ts";
import { removeDirectionMarks } from "../domain/basics/text.ts";
import { Refusal } from "../domain/basics/refusal.ts";

/** `email`: present only if the user pool has verified the address. */
export type Profile = { name?: string; email?: string };
export type ReadProfile = (accessToken: string) => Promise<Profile>;

/** Calls the user pool's API for the owner of the token in the body. Throws if there is no answer. */
export type CallUserPool = (action: string, body: object) => Promise<{ status: number; text: string }>;

const Answer = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ UserAttributes: v.array(v.object({ Name: v.string(), Value: v.optional(v.string(), "") })) }),
);

const createBusyRefusal = (): Refusal =>
  new Refusal("busy", "The user pool did not answer. Repeat the request.", { retryAfterSeconds: 1 });

/** Creates a function that reads a token owner's name and email from the user pool. Throws `unauthenticated` or `busy`. */
export const createProfileReader = ({
  callUserPool,
  log,
}: Pick<Deps, "log"> & { callUserPool: CallUserPool }): ReadProfile => {
  const fetchUserAttributes = async (AccessToken: string) => {
    try {
      return await callUserPool("GetUser", { AccessToken });
    } catch (error) {
      log.error("profile.not_read", error);
      throw createBusyRefusal();
    }
  };
  return async (accessToken) => {
    const { status, text } = await fetchUserAttributes(accessToken);
    // Status 400 means "retry later" if the error is TooManyRequestsException; any other error means an invalid token.
    if (status === 400 && !text.includes("TooManyRequestsException"))
      throw new Refusal("unauthenticated", "This session is no longer valid. Sign in again.", { challenge: "Bearer" });
    const answer = v.safeParse(Answer, text);
    if (status !== 200 || !answer.success) {
      log.error("profile.not_read", new Error(`the user pool answered ${status}`));
      throw createBusyRefusal();
    }
    const attributes = new Map(answer.output.UserAttributes.map(({ Name, Value }) => [Name, Value]));
    const [name, email = ""] = [removeDirectionMarks(attributes.get("name") ?? ""), attributes.get("email")];
    return {
      ...(name === "" ? {} : { name }),
      ...(email === "" || attributes.get("email_verified") !== "true" ? {} : { email }),
    };
  };
};
