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
import { isProtected, keptUnlessNew, type Config } from "./config.ts";
import { addProvider, PROVIDER, sessionOf } from "./single-sign-on.ts";

/** The API of Cognito's user pools, in which the owner of a token may read and change their own data. */
export const userPoolUrl = `https://cognito-idp.${Aws.REGION}.amazonaws.com`;

const mfaOf = { off: Mfa.OFF, optional: Mfa.OPTIONAL, required: Mfa.REQUIRED } as const;

/**
 * No client can keep a secret. With a token, people may change their own name, and their second factor; their address
 * only an operator may change, because it says who they are.
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

/** The pool has one text for everybody, and the invited have chosen no language yet. */
const invitationMail = (consoleUrl: string) => ({
  emailSubject: "Your account for alerts / Ihr Zugang zu den Alarmen",
  emailBody: [
    `<p>You have a new account. Sign in within ${TEMPORARY_DAYS} days, and choose your own password:</p>`,
    `<p>Sie haben einen neuen Zugang. Melden Sie sich innerhalb von ${TEMPORARY_DAYS} Tagen an und wählen Sie ein eigenes Passwort:</p>`,
    `<p><a href="${consoleUrl}/login">${consoleUrl}/login</a></p>`,
    "<p>E-mail / E-Mail: {username}<br>Password / Passwort: <code>{####}</code></p>",
  ].join("\n"),
});

/**
 * The people: a user pool that only an operator adds to, and the client with which apps sign in. E-mail as user name,
 * long passwords, and an authenticator app as second factor for those who want it.
 */
export class Identity extends Construct {
  readonly userPool: UserPool;
  readonly client: UserPoolClient;
  /** The address of the pool's own sign-in pages. */
  readonly signInUrl: string;
  /** The clients with which programs sign in, by the names of the programs. */
  readonly machines: ReadonlyMap<string, UserPoolClient>;
  private readonly config: IdentityProps["config"];

  /** `consoleUrl`: where invited people sign in. */
  constructor(scope: Construct, id: string, { config, consoleUrl }: IdentityProps) {
    super(scope, id);
    this.config = config;
    const { stage, removal, mfa, machines, mailFrom, singleSignOn } = config;
    this.userPool = new UserPool(this, "UserPool", {
      selfSignUpEnabled: false,
      signInAliases: { email: true },
      signInCaseSensitive: false,
      // With single sign-on, clients must be able to write the address; people's own changes count once they are verified.
      ...(singleSignOn === undefined ? {} : { keepOriginal: { email: true } }),
      userInvitation: invitationMail(consoleUrl),
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      mfa: mfaOf[mfa],
      // Without one, the pool refuses to name its kinds.
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
      deletionProtection: isProtected(config),
      removalPolicy: keptUnlessNew(removal),
    });
    if (mailFrom !== undefined) this.mailFrom(mailFrom);
    acceptFindings(this.userPool, {
      "AwsSolutions-COG2":
        "A second factor is each person's choice unless the stage requires it: losing one locks out who is paged.",
      "AwsSolutions-COG8":
        "Threat protection costs by user; nobody signs up here, and sign-in is throttled by Cognito.",
    });
    this.client = this.userPool.addClient("Client", {
      // If passwords are off, only an operator signs in by one, for a test.
      authFlows: { ...(singleSignOn?.mode === "only" ? {} : { userSrp: true }), adminUserPassword: true },
      disableOAuth: true,
      ...forEveryClient,
    });
    // Such a name is unique in all of AWS; the account's number keeps others from using it.
    this.signInUrl = this.userPool
      .addDomain("SignIn", { cognitoDomain: { domainPrefix: `event-alerting-${stage}-${Aws.ACCOUNT_ID}` } })
      .baseUrl();
    this.machines = this.addMachines(machines);
  }

  /** Without an address of its own, Cognito sends 50 mails a day. */
  private mailFrom(address: string): void {
    const pool = this.userPool.node.defaultChild;
    if (!(pool instanceof CfnUserPool)) throw new Error("a user pool is one of CloudFormation");
    pool.emailConfiguration = {
      emailSendingAccount: "DEVELOPER",
      from: address,
      sourceArn: `arn:${Aws.PARTITION}:ses:${Aws.REGION}:${Aws.ACCOUNT_ID}:identity/${address}`,
    };
  }

  /**
   * A client with a secret for each program. Cognito gives such a client a token only with a scope of a resource server's.
   * The scope grants nothing: a machine's membership says what it may do.
   */
  private addMachines(names: readonly string[]): Map<string, UserPoolClient> {
    if (names.length === 0) return new Map();
    const member = new ResourceServerScope({
      scopeName: "member",
      scopeDescription: "Do in a workspace what the machine's role there includes",
    });
    const server = this.userPool.addResourceServer("Machines", { identifier: "event-alerting", scopes: [member] });
    return new Map(
      names.map((name) => [
        name,
        this.userPool.addClient(`Machine-${name}`, {
          userPoolClientName: `machine-${name}`,
          // Nobody signs in with it: set, because the default allows passwords.
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
   * The console's client. It signs people in through the pool's own pages, with a code and PKCE, and has no secret. A
   * refresh token is valid once, so that a stolen one is noticed.
   */
  addConsoleClient(consoleUrl: string): UserPoolClient {
    const { stage, singleSignOn } = this.config;
    const provider = singleSignOn && addProvider(this, this.userPool, stage, singleSignOn);
    const client = this.userPool.addClient("Console", {
      // Set, because the default allows refresh tokens without rotation, which Cognito refuses together with rotation.
      authFlows: singleSignOn?.mode === "only" ? { user: false } : { userSrp: true },
      oAuth: {
        flows: { authorizationCodeGrant: true },
        // The last one lets a token ask the pool who its person is, and set up that person's second factor.
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
            // Cognito refuses to sign somebody in whose mapped attributes the client may not write.
            writeAttributes: new ClientAttributes().withStandardAttributes({ fullname: true, email: true }),
            // Renewing asks the pool alone. A token that is never replaced ends when it was said to.
            refreshTokenValidity: sessionOf(singleSignOn),
          }),
    });
    if (provider !== undefined) client.node.addDependency(provider);
    return client;
  }
}
