import {
  AdminCreateUserCommand,
  AdminGetUserCommand,
  AdminInitiateAuthCommand,
  AdminSetUserPasswordCommand,
  type AttributeType,
  UsernameExistsException,
} from "@aws-sdk/client-cognito-identity-provider";
import type { Clients } from "./clients.ts";
import { OperatorError } from "./stage.ts";

type Pool = { userPoolId: string; clientId: string };

const userIdOf = (attributes: readonly AttributeType[] | undefined): string => {
  const sub = attributes?.find(({ Name }) => Name === "sub")?.Value;
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
