import {
  AdminCreateUserCommand,
  AdminDisableUserCommand,
  AdminEnableUserCommand,
  AdminGetUserCommand,
  AdminInitiateAuthCommand,
  AdminSetUserPasswordCommand,
  AdminUserGlobalSignOutCommand,
  type AttributeType,
  ListUsersCommand,
  UserNotFoundException,
  UsernameExistsException,
} from "@aws-sdk/client-cognito-identity-provider";
import type { Clients } from "./clients.ts";
import { OperatorError } from "./stage.ts";

type Pool = { userPoolId: string; clientId: string };

const attributeOf = (attributes: readonly AttributeType[] | undefined, name: string): string | undefined =>
  attributes?.find(({ Name }) => Name === name)?.Value;

const userIdOf = (attributes: readonly AttributeType[] | undefined): string => {
  const sub = attributeOf(attributes, "sub");
  if (sub === undefined) throw new OperatorError("The user pool gave a user without a sub.");
  return `usr_${sub.replaceAll("-", "")}`;
};

/** Invites somebody by mail and gives their user id; who is in the pool already is not invited again. */
export const inviteUser = async (
  { cognito }: Pick<Clients, "cognito">,
  userPoolId: string,
  { email, name }: { email: string; name: string },
): Promise<{ userId: string; invited: boolean }> => {
  try {
    const { User } = await cognito.send(
      new AdminCreateUserCommand({
        UserPoolId: userPoolId,
        Username: email,
        DesiredDeliveryMediums: ["EMAIL"],
        UserAttributes: [
          { Name: "email", Value: email },
          { Name: "email_verified", Value: "true" },
          { Name: "name", Value: name },
        ],
      }),
    );
    return { userId: userIdOf(User?.Attributes), invited: true };
  } catch (error) {
    if (!(error instanceof UsernameExistsException)) throw error;
    const known = await cognito.send(new AdminGetUserCommand({ UserPoolId: userPoolId, Username: email }));
    return { userId: userIdOf(known.UserAttributes), invited: false };
  }
};

/** Signs somebody in, for a test. A password that was only temporary so far becomes the user's own. */
export const signIn = async (
  { cognito }: Pick<Clients, "cognito">,
  { userPoolId, clientId }: Pool,
  { email, password }: { email: string; password: string },
): Promise<string> => {
  const start = () =>
    cognito.send(
      new AdminInitiateAuthCommand({
        UserPoolId: userPoolId,
        ClientId: clientId,
        AuthFlow: "ADMIN_USER_PASSWORD_AUTH",
        AuthParameters: { USERNAME: email, PASSWORD: password },
      }),
    );
  const first = await start();
  if (first.ChallengeName === "NEW_PASSWORD_REQUIRED") {
    await cognito.send(
      new AdminSetUserPasswordCommand({
        UserPoolId: userPoolId,
        Username: email,
        Password: password,
        Permanent: true,
      }),
    );
  }
  const answer = first.ChallengeName === "NEW_PASSWORD_REQUIRED" ? await start() : first;
  const token = answer.AuthenticationResult?.AccessToken;
  if (token === undefined) throw new OperatorError(`The user pool asks for ${answer.ChallengeName ?? "more"} first.`);
  return token;
};

/** Everybody in the user pool. `status` is Cognito's: FORCE_CHANGE_PASSWORD is somebody who was invited and has not come yet. */
export const listUsers = async ({ cognito }: Pick<Clients, "cognito">, userPoolId: string) => {
  const people = [];
  let next: string | undefined;
  do {
    const page = await cognito.send(
      new ListUsersCommand({ UserPoolId: userPoolId, ...(next === undefined ? {} : { PaginationToken: next }) }),
    );
    for (const { Attributes: attributes, Enabled: enabled, UserStatus: status } of page.Users ?? [])
      people.push({
        userId: userIdOf(attributes),
        email: attributeOf(attributes, "email") ?? null,
        name: attributeOf(attributes, "name") ?? null,
        status,
        enabled,
      });
    next = page.PaginationToken;
  } while (next !== undefined);
  return people;
};

/** The user id behind an e-mail address. Throws OperatorError where the pool has nobody by it. */
export const findUser = async (
  { cognito }: Pick<Clients, "cognito">,
  userPoolId: string,
  email: string,
): Promise<string> => {
  try {
    const user = await cognito.send(new AdminGetUserCommand({ UserPoolId: userPoolId, Username: email }));
    return userIdOf(user.UserAttributes);
  } catch (error) {
    if (error instanceof UserNotFoundException)
      throw new OperatorError(`The user pool has nobody with the address ${email}.`);
    throw error;
  }
};

/**
 * Nobody signs in by this address any more, and no session of theirs is renewed. An access token that was handed out before is
 * good until its hour is over, for API Gateway looks at its signature and its end alone.
 */
export const disableUser = async (
  { cognito }: Pick<Clients, "cognito">,
  userPoolId: string,
  email: string,
): Promise<void> => {
  const user = { UserPoolId: userPoolId, Username: email };
  await cognito.send(new AdminDisableUserCommand(user));
  await cognito.send(new AdminUserGlobalSignOutCommand(user));
};

/** Lets somebody sign in again, with the password that they had. */
export const enableUser = async (
  { cognito }: Pick<Clients, "cognito">,
  userPoolId: string,
  email: string,
): Promise<void> => {
  await cognito.send(new AdminEnableUserCommand({ UserPoolId: userPoolId, Username: email }));
};
