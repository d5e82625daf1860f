import { Aws, Duration } from "aws-cdk-lib";
import {
  AccountRecovery,
  CfnUserPool,
  ClientAttributes,
  FeaturePlan,
  Mfa,
  OAuthScope,
  ResourceServerScope,
  UserPool,
  type UserPoolClient,
  UserPoolClientIdentityProvider,
} from "aws-cdk-lib/aws-cognito";
import { Construct } from "constructs";
import { acceptFindings } from "./accept-findings.ts";
import { isProtectedAgainstDeletion, toRemovalPolicy, type Config } from "./config.ts";
import { addProvider, PROVIDER, toSessionDuration } from "./single-sign-on.ts";

export const userPoolUrl = `https://cognito-idp.${Aws.REGION}.amazonaws.com`;

const mfaOf = { off: Mfa.OFF, optional: Mfa.OPTIONAL, required: Mfa.REQUIRED } as const;

/**
 * Settings of the clients with which people sign in, and which cannot keep a secret. People may change their name and second
 * factor. Only an operator may change an email address, because the address identifies a person.
 */
const forEveryClient = {
  writeAttributes: new ClientAttributes().withStandardAttributes({ fullname: true }),
  generateSecret: false,
  preventUserExistenceErrors: true,
  enableTokenRevocation: true,
  accessTokenValidity: Duration.hours(1),
  idTokenValidity: Duration.hours(1),
  refreshTokenValidity: Duration.days(30),
};

export type IdentityProps = {
  config: Pick<Config, "stage" | "removal" | "firstDeployment" | "mfa" | "machines" | "mailFrom" | "singleSignOn">;
  consoleUrl: string;
};

const TEMPORARY_DAYS = 3;

/** Renders the invitation in both languages, because an invited person has not chosen a language. */
const renderInvitationTemplate = (consoleUrl: string) => ({
  emailSubject: "Your account for alerts / Ihr Zugang zu den Alarmen",
  emailBody: [
    `<p>You have a new account. Sign in within ${TEMPORARY_DAYS} days, and choose your own password:</p>`,
    `<p>Sie haben einen neuen Zugang. Melden Sie sich innerhalb von ${TEMPORARY_DAYS} Tagen an und wählen Sie ein eigenes Passwort:</p>`,
    `<p><a href="${consoleUrl}/login">${consoleUrl}/login</a></p>`,
    "<p>Email / E-Mail: {username}<br>Password / Passwort: <code>{####}</code></p>",
  ].join("\n"),
});

/**
 * A user pool to which only an operator adds accounts, and the apps' client. The email address is the user name. An authenticator
 * app is an optional second factor.
 */
export class Identity extends Construct {
  readonly userPool: UserPool;
  readonly client: UserPoolClient;
  readonly signInUrl: string;
  readonly machines: ReadonlyMap<string, UserPoolClient>;
  private readonly config: IdentityProps["config"];

  /** `consoleUrl`: the URL at which invited people sign in. */
  constructor(scope: Construct, id: string, { config, consoleUrl }: IdentityProps) {
    super(scope, id);
    this.config = config;
    const { stage, removal, mfa, machines, mailFrom, singleSignOn } = config;
    this.userPool = new UserPool(this, "UserPool", {
      selfSignUpEnabled: false,
      signInAliases: { email: true },
      signInCaseSensitive: false,
      // With single sign-on, clients must be able to write the address. After a change, the old address stays valid until the new
      // address is verified.
      ...(singleSignOn === undefined ? {} : { keepOriginal: { email: true } }),
      userInvitation: renderInvitationTemplate(consoleUrl),
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      mfa: mfaOf[mfa],
      // If MFA is off, Cognito refuses a list of second factors.
      ...(mfa === "off" ? {} : { mfaSecondFactor: { otp: true, sms: false } }),
      passwordPolicy: {
        minLength: 12,
        requireLowercase: true,
        requireUppercase: true,
        requireDigits: true,
        requireSymbols: true,
        tempPasswordValidity: Duration.days(TEMPORARY_DAYS),
      },
      featurePlan: FeaturePlan.ESSENTIALS,
      deletionProtection: isProtectedAgainstDeletion(config),
      removalPolicy: toRemovalPolicy(removal),
    });
    if (mailFrom !== undefined) this.mailFrom(mailFrom);
    acceptFindings(this.userPool, {
      "AwsSolutions-COG2":
        "A second factor is each person's choice unless the stage requires it: an on-call person who loses the second factor is locked out.",
      "AwsSolutions-COG8":
        "Threat protection is billed per user and adds little: nobody signs up here, and Cognito throttles sign-in.",
    });
    this.client = this.userPool.addClient("Client", {
      // If people can only sign in by single sign-on, nobody uses a password, except an operator for a test.
      authFlows: { ...(singleSignOn?.mode === "only" ? {} : { userSrp: true }), adminUserPassword: true },
      disableOAuth: true,
      ...forEveryClient,
    });
    // The domain's prefix must be unique in AWS, so it contains the account number.
    this.signInUrl = this.userPool
      .addDomain("SignIn", { cognitoDomain: { domainPrefix: `event-alerting-${stage}-${Aws.ACCOUNT_ID}` } })
      .baseUrl();
    this.machines = this.addMachines(machines);
  }

  /** Sends emails from the stage's own address, because Cognito sends only 50 emails a day from its own address. */
  private mailFrom(address: string): void {
    const pool = this.userPool.node.defaultChild;
    if (!(pool instanceof CfnUserPool)) throw new Error("the user pool is not a CloudFormation resource");
    pool.emailConfiguration = {
      emailSendingAccount: "DEVELOPER",
      from: address,
      sourceArn: `arn:${Aws.PARTITION}:ses:${Aws.REGION}:${Aws.ACCOUNT_ID}:identity/${address}`,
    };
  }

  /**
   * Adds a client with a secret for each program. Cognito issues tokens only for a scope of a resource server. The scope `member`
   * grants nothing, because permissions come from the machine's membership.
   */
  private addMachines(names: readonly string[]): Map<string, UserPoolClient> {
    if (names.length === 0) return new Map();
    const member = new ResourceServerScope({
      scopeName: "member",
      scopeDescription: "Do what the machine's role in a workspace allows",
    });
    const server = this.userPool.addResourceServer("Machines", { identifier: "event-alerting", scopes: [member] });
    return new Map(
      names.map((name) => [
        name,
        this.userPool.addClient(`Machine-${name}`, {
          userPoolClientName: `machine-${name}`,
          // If `user` were true, machines could sign in by password.
          authFlows: { user: false },
          oAuth: { flows: { clientCredentials: true }, scopes: [OAuthScope.resourceServer(server, member)] },
          supportedIdentityProviders: [UserPoolClientIdentityProvider.COGNITO],
          generateSecret: true,
          accessTokenValidity: forEveryClient.accessTokenValidity,
        }),
      ]),
    );
  }

  /**
   * The console's client has no secret. People sign in on the pool's own pages, with an authorization code and PKCE. Each refresh
   * token works once, so that a stolen token is noticed.
   */
  addConsoleClient(consoleUrl: string): UserPoolClient {
    const { stage, singleSignOn } = this.config;
    const provider = singleSignOn && addProvider(this, this.userPool, stage, singleSignOn);
    const client = this.userPool.addClient("Console", {
      // CDK's default flows include refreshing without rotation, which Cognito refuses for a client with rotation.
      authFlows: singleSignOn?.mode === "only" ? { user: false } : { userSrp: true },
      oAuth: {
        flows: { authorizationCodeGrant: true },
        // COGNITO_ADMIN lets people read their profile and set up the second factor.
        scopes: [OAuthScope.OPENID, OAuthScope.EMAIL, OAuthScope.PROFILE, OAuthScope.COGNITO_ADMIN],
        callbackUrls: [`${consoleUrl}/signed-in`],
        logoutUrls: [`${consoleUrl}/login`],
      },
      supportedIdentityProviders: [
        ...(singleSignOn?.mode === "only" ? [] : [UserPoolClientIdentityProvider.COGNITO]),
        ...(singleSignOn === undefined ? [] : [UserPoolClientIdentityProvider.custom(PROVIDER)]),
      ],
      ...forEveryClient,
      ...(singleSignOn === undefined
        ? { refreshTokenRotationGracePeriod: Duration.seconds(30) }
        : {
            // Cognito refuses a sign-in if the client may not write mapped attributes.
            writeAttributes: new ClientAttributes().withStandardAttributes({ fullname: true, email: true }),
            // The pool renews tokens without asking the provider. A refresh token without rotation has a fixed end, which limits
            // the session.
            refreshTokenValidity: toSessionDuration(singleSignOn),
          }),
    });
    if (provider !== undefined) client.node.addDependency(provider);
    return client;
  }
}
