import * as v from "valibot";
import { OPERATOR } from "../aws/policies.ts";
import type { Directory } from "./directory.ts";

const TARGET = "AWSCognitoIdentityProviderService.AdminLinkProviderForUser";

const Link = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    UserPoolId: v.string(),
    DestinationUser: v.object({ ProviderName: v.literal("Cognito"), ProviderAttributeValue: v.string() }),
    SourceUser: v.object({
      ProviderName: v.string(),
      /** The only attribute by which OpenID Connect accounts can be linked. */
      ProviderAttributeName: v.literal("Cognito_Subject"),
      ProviderAttributeValue: v.string(),
    }),
  }),
);

const createCognitoError = (type: string, message: string) => ({ status: 400, body: { __type: type, message } });

/** Simulates `AdminLinkProviderForUser` for an operator. The handler returns undefined if the call is another operation. */
export const createAccountLinking =
  (directory: Directory, provider: string | undefined) =>
  (target: string, authorization: string | undefined, text: string): { status: number; body: object } | undefined => {
    if (target !== TARGET) return undefined;
    if (authorization?.startsWith(`AWS4-HMAC-SHA256 Credential=${OPERATOR}/`) !== true)
      return createCognitoError("AccessDeniedException", "Only an operator can link accounts.");
    const read = v.safeParse(Link, text);
    if (!read.success) return createCognitoError("InvalidParameterException", v.summarize(read.issues));
    const { DestinationUser, SourceUser } = read.output;
    if (SourceUser.ProviderName !== provider)
      return createCognitoError("ResourceNotFoundException", `There is no provider ${SourceUser.ProviderName}.`);
    switch (directory.tie(provider, SourceUser.ProviderAttributeValue, DestinationUser.ProviderAttributeValue)) {
      case "tied":
        return { status: 200, body: {} };
      case "nobody":
        return createCognitoError("UserNotFoundException", "User does not exist.");
      case "has signed in":
        return createCognitoError(
          "InvalidParameterException",
          "The account is already linked, or somebody has already signed in with it.",
        );
    }
  };
