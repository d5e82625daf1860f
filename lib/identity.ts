import { Aws, Duration, RemovalPolicy } from "aws-cdk-lib";
import {
  AccountRecovery,
  FeaturePlan,
  Mfa,
  OAuthScope,
  UserPool,
  type UserPoolClient,
  UserPoolClientIdentityProvider,
} from "aws-cdk-lib/aws-cognito";
import { Construct } from "constructs";
import { acceptFindings } from "./accept-findings.ts";
import type { Config } from "./config.ts";

/** No client can keep a secret. */
const forEveryClient = {
  generateSecret: false,
  preventUserExistenceErrors: true,
  enableTokenRevocation: true,
  accessTokenValidity: Duration.hours(1),
  idTokenValidity: Duration.hours(1),
  refreshTokenValidity: Duration.days(30),
};

/**
 * The people: a user pool that only an operator adds to, and the client with which apps sign in. E-mail as user name,
 * long passwords, and an authenticator app as second factor for those who want it.
 */
export class Identity extends Construct {
  readonly userPool: UserPool;
  readonly client: UserPoolClient;
  /** The address of the pool's own sign-in pages. */
  readonly signInUrl: string;

  constructor(scope: Construct, id: string, { stage, removal }: Pick<Config, "stage" | "removal">) {
    super(scope, id);
    const retain = removal === "retain";
    this.userPool = new UserPool(this, "UserPool", {
      selfSignUpEnabled: false,
      signInAliases: { email: true },
      signInCaseSensitive: false,
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      mfa: Mfa.OPTIONAL,
      mfaSecondFactor: { otp: true, sms: false },
      passwordPolicy: {
        minLength: 12,
        requireLowercase: true,
        requireUppercase: true,
        requireDigits: true,
        requireSymbols: true,
        tempPasswordValidity: Duration.days(3),
      },
      featurePlan: FeaturePlan.ESSENTIALS,
      deletionProtection: retain,
      removalPolicy: retain ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    acceptFindings(this.userPool, {
      "AwsSolutions-COG2":
        "A second factor is each person's choice: somebody who is paged must not be locked out by it.",
      "AwsSolutions-COG8":
        "Threat protection costs by user; nobody signs up here, and sign-in is throttled by Cognito.",
    });
    this.client = this.userPool.addClient("Client", {
      authFlows: { userSrp: true, adminUserPassword: true },
      disableOAuth: true,
      ...forEveryClient,
    });
    // Such a name is unique in all of AWS; the account's number keeps it from being taken.
    this.signInUrl = this.userPool
      .addDomain("SignIn", { cognitoDomain: { domainPrefix: `event-alerting-${stage}-${Aws.ACCOUNT_ID}` } })
      .baseUrl();
  }

  /**
   * The console's client. It signs people in through the pool's own pages, with a code and PKCE, and has no secret. A
   * refresh token is valid once, so that a stolen one is noticed.
   */
  addConsoleClient(consoleUrl: string): UserPoolClient {
    return this.userPool.addClient("Console", {
      // Set, because the default allows refresh tokens without rotation, which Cognito refuses together with rotation.
      authFlows: { userSrp: true },
      oAuth: {
        flows: { authorizationCodeGrant: true },
        scopes: [OAuthScope.OPENID, OAuthScope.EMAIL, OAuthScope.PROFILE],
        callbackUrls: [`${consoleUrl}/signed-in`],
        logoutUrls: [`${consoleUrl}/login`],
      },
      supportedIdentityProviders: [UserPoolClientIdentityProvider.COGNITO],
      ...forEveryClient,
      refreshTokenRotationGracePeriod: Duration.seconds(30),
    });
  }
}
