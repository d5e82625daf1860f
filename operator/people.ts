import {
  AdminCreateUserCommand,
  AdminDeleteUserCommand,
  AdminDisableUserCommand,
  AdminEnableUserCommand,
  AdminGetUserCommand,
  AdminInitiateAuthCommand,
  AdminSetUserPasswordCommand,
  AdminUserGlobalSignOutCommand,
  type AttributeType,
  ListUsersCommand,
  UnsupportedUserStateException,
  UserNotFoundException,
  UsernameExistsException,
} from "@aws-sdk/client-cognito-identity-provider";
import type { Clients } from "./clients.ts";
import { OperatorError } from "./stage.ts";

type Cognito = Pick<Clients, "cognito">;
type UserPool = { userPoolId: string; clientId: string };

const findAttribute = (attributes: readonly AttributeType[] | undefined, name: string): string | undefined =>
  attributes?.find(({ Name }) => Name === name)?.Value;

const createUnknownUserError = (email: string): OperatorError =>
  new OperatorError(`The user pool has nobody with the address ${email}.`);

const requireUserId = (attributes: readonly AttributeType[] | undefined): string => {
  const sub = findAttribute(attributes, "sub");
  if (sub === undefined) throw new OperatorError("The user pool returned a user without a sub.");
  return `usr_${sub.replaceAll("-", "")}`;
};

/** Invites a person, unless the person has an account. Returns the user id. `mail`: the pool emails a temporary password. */
export const inviteUser = async (
  { cognito }: Cognito,
  userPoolId: string,
  { email, name }: { email: string; name: string },
  mail = true,
): Promise<{ userId: string; invited: boolean }> => {
  try {
    const { User } = await cognito.send(
      new AdminCreateUserCommand({
        UserPoolId: userPoolId,
        Username: email,
        ...(mail ? { DesiredDeliveryMediums: ["EMAIL"] } : { MessageAction: "SUPPRESS" }),
        UserAttributes: [
          { Name: "email", Value: email },
          { Name: "email_verified", Value: "true" },
          { Name: "name", Value: name },
        ],
      }),
    );
    return { userId: requireUserId(User?.Attributes), invited: true };
  } catch (error) {
    if (!(error instanceof UsernameExistsException)) throw error;
    const known = await cognito.send(new AdminGetUserCommand({ UserPoolId: userPoolId, Username: email }));
    return { userId: requireUserId(known.UserAttributes), invited: false };
  }
};

/** Emails a new temporary password to a person who has never signed in. `signed_in`: the person already has a password. */
export const resendInvitation = async (
  { cognito }: Cognito,
  userPoolId: string,
  email: string,
): Promise<"mailed" | "signed_in"> => {
  try {
    await cognito.send(
      new AdminCreateUserCommand({
        UserPoolId: userPoolId,
        Username: email,
        DesiredDeliveryMediums: ["EMAIL"],
        MessageAction: "RESEND",
      }),
    );
    return "mailed";
  } catch (error) {
    if (error instanceof UnsupportedUserStateException) return "signed_in";
    if (error instanceof UserNotFoundException) throw createUnknownUserError(email);
    throw error;
  }
};

/** Signs a person in for a test, and returns an access token. The sign-in makes a temporary password permanent. */
export const signIn = async (
  { cognito }: Cognito,
  { userPoolId, clientId }: UserPool,
  { email, password }: { email: string; password: string },
): Promise<string> => {
  const startSignIn = () =>
    cognito.send(
      new AdminInitiateAuthCommand({
        UserPoolId: userPoolId,
        ClientId: clientId,
        AuthFlow: "ADMIN_USER_PASSWORD_AUTH",
        AuthParameters: { USERNAME: email, PASSWORD: password },
      }),
    );
  const first = await startSignIn();
  if (first.ChallengeName === "NEW_PASSWORD_REQUIRED") {
    await cognito.send(
      new AdminSetUserPasswordCommand({ UserPoolId: userPoolId, Username: email, Password: password, Permanent: true }),
    );
  }
  const answer = first.ChallengeName === "NEW_PASSWORD_REQUIRED" ? await startSignIn() : first;
  const token = answer.AuthenticationResult?.AccessToken;
  if (token === undefined) throw new OperatorError(`The user pool asks for ${answer.ChallengeName ?? "more"} first.`);
  return token;
};

/** Lists all accounts. `status`: Cognito's status; FORCE_CHANGE_PASSWORD means that an invited person has never signed in. */
export const listUsers = async ({ cognito }: Cognito, userPoolId: string) => {
  const people = [];
  let next: string | undefined;
  do {
    const page = await cognito.send(
      new ListUsersCommand({ UserPoolId: userPoolId, ...(next === undefined ? {} : { PaginationToken: next }) }),
    );
    for (const {
      Attributes: attributes,
      Enabled: enabled,
      UserStatus: status,
      UserLastModifiedDate: changed,
    } of page.Users ?? [])
      people.push({
        changedAt: changed?.getTime() ?? 0,
        userId: requireUserId(attributes),
        email: findAttribute(attributes, "email") ?? null,
        name: findAttribute(attributes, "name") ?? null,
        status,
        enabled,
      });
    next = page.PaginationToken;
  } while (next !== undefined);
  return people;
};

export type Account = { username: string; userId: string; email: string | undefined; name: string | undefined };

const toAccount = (username: string, attributes: readonly AttributeType[] | undefined): Account => ({
  username,
  userId: requireUserId(attributes),
  email: findAttribute(attributes, "email"),
  name: findAttribute(attributes, "name"),
});

const SUB = /^usr_(.{8})(.{4})(.{4})(.{4})(.{12})$/;

export const findAccountsById = async (
  { cognito }: Cognito,
  userPoolId: string,
  userId: string,
): Promise<Account[]> => {
  const Filter = `sub = "${userId.replace(SUB, "$1-$2-$3-$4-$5")}"`;
  const { Users: listed = [] } = await cognito.send(new ListUsersCommand({ UserPoolId: userPoolId, Filter }));
  return listed.map(({ Username, Attributes }) => toAccount(Username ?? "", Attributes));
};

/** Lists the accounts with an address, the pool's own accounts first. Throws if no account has the address. */
export const findAccountsByEmail = async (
  { cognito }: Cognito,
  userPoolId: string,
  email: string,
): Promise<[Account, ...Account[]]> => {
  const own = await cognito
    .send(new AdminGetUserCommand({ UserPoolId: userPoolId, Username: email }))
    .catch((error: unknown) => {
      if (error instanceof UserNotFoundException) return undefined;
      throw error;
    });
  const filter = `email = "${email.replaceAll(/["\\]/g, "")}"`;
  const { Users: listed = [] } = await cognito.send(new ListUsersCommand({ UserPoolId: userPoolId, Filter: filter }));
  const found = [
    ...(own === undefined ? [] : [toAccount(own.Username ?? email, own.UserAttributes)]),
    ...listed.map(({ Username, Attributes }) => toAccount(Username ?? email, Attributes)),
  ];
  const [first, ...others] = found.filter(({ userId }, at) => found.findIndex((one) => one.userId === userId) === at);
  if (first === undefined) throw createUnknownUserError(email);
  return [first, ...others];
};

/** Returns the user id of the person with an address. Throws an OperatorError if nobody has the address. */
export const findUser = async (clients: Cognito, userPoolId: string, email: string): Promise<string> =>
  (await findAccountsByEmail(clients, userPoolId, email))[0].userId;

/** Stops an account's sign-ins and renewals. Issued access tokens stay valid until they expire, for up to an hour. */
export const disableUser = async ({ cognito }: Cognito, userPoolId: string, username: string): Promise<void> => {
  const user = { UserPoolId: userPoolId, Username: username };
  await cognito.send(new AdminDisableUserCommand(user));
  await cognito.send(new AdminUserGlobalSignOutCommand(user));
};

/** Deletes an account. Succeeds, too, if the account does not exist. */
export const deleteUser = async ({ cognito }: Cognito, userPoolId: string, username: string): Promise<void> => {
  try {
    await cognito.send(new AdminDeleteUserCommand({ UserPoolId: userPoolId, Username: username }));
  } catch (error) {
    if (!(error instanceof UserNotFoundException)) throw error;
  }
};

/** Enables an account, which keeps its old password. */
export const enableUser = async ({ cognito }: Cognito, userPoolId: string, username: string): Promise<void> => {
  await cognito.send(new AdminEnableUserCommand({ UserPoolId: userPoolId, Username: username }));
};
