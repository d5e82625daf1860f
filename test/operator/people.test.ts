import {
  NotAuthorizedException,
  UnsupportedUserStateException,
  UsernameExistsException,
  UserNotFoundException,
} from "@aws-sdk/client-cognito-identity-provider";
import { describe, expect, it } from "vitest";
import {
  deleteUser,
  disableUser,
  enableUser,
  findAccountsById,
  findAccountsByEmail,
  findUser,
  resendInvitation,
  inviteUser,
  listUsers,
  signIn,
} from "../../operator/people.ts";
import { createAnsweringClient } from "./clients.ts";

const createPool = (...answers: (object | Error)[]) => {
  const { asked, client } = createAnsweringClient(...answers);
  return { asked, clients: { cognito: client } };
};
const SUB = "0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9";
const USER = "usr_0a1b2c3d4e5f60718293a4b5c6d7e8f9";
const createAttributes = (attributes: Record<string, string>) =>
  Object.entries(attributes).map(([Name, Value]) => ({ Name, Value }));
const ann = { email: "ann@acme.example", name: "Ann" };
const about = { message: "no", $metadata: {} };
const exists = new UsernameExistsException(about);
const unknown = new UserNotFoundException(about);
const denied = new NotAuthorizedException(about);

describe("an account in the user pool", () => {
  const user = {
    UserPoolId: "pool",
    Username: ann.email,
    UserAttributes: createAttributes({ email: ann.email, email_verified: "true", name: "Ann" }),
  };

  it("is created with a verified address, and with an email unless the email is suppressed", async () => {
    const { asked, clients } = createPool(
      ...[1, 2].map(() => ({ User: { Attributes: createAttributes({ sub: SUB }) } })),
    );

    expect(await inviteUser(clients, "pool", ann)).toEqual({ userId: USER, invited: true });
    expect(await inviteUser(clients, "pool", ann, false)).toEqual({ userId: USER, invited: true });

    expect(asked).toEqual([
      ["AdminCreateUser", { ...user, DesiredDeliveryMediums: ["EMAIL"] }],
      ["AdminCreateUser", { ...user, MessageAction: "SUPPRESS" }],
    ]);
  });

  it("is found if it cannot be created because it exists, and any other error of the user pool is thrown", async () => {
    const { asked, clients } = createPool(exists, { UserAttributes: createAttributes({ sub: SUB }) });

    expect(await inviteUser(clients, "pool", ann)).toEqual({ userId: USER, invited: false });
    expect(asked[1]).toEqual(["AdminGetUser", { UserPoolId: "pool", Username: ann.email }]);
    await expect(inviteUser(createPool(denied).clients, "pool", ann)).rejects.toBe(denied);
  });

  it.each([
    ["no user", {}],
    ["a user without attributes", { User: {} }],
    ["a user without a sub", { User: { Attributes: createAttributes({ email: "x" }) } }],
  ])("causes an error if the user pool returns %s", async (_, answer) => {
    await expect(inviteUser(createPool(answer).clients, "pool", ann)).rejects.toThrow(
      "The user pool returned a user without a sub.",
    );
  });

  it("gets its invitation by email again as long as its password was never used", async () => {
    const { asked, clients } = createPool({}, new UnsupportedUserStateException(about), unknown, denied);
    const resendToAnn = () => resendInvitation(clients, "pool", ann.email);

    expect([await resendToAnn(), await resendToAnn()]).toEqual(["mailed", "signed_in"]);
    await expect(resendToAnn()).rejects.toThrow("The user pool has nobody with the address ann@acme.example.");
    await expect(resendToAnn()).rejects.toBe(denied);
    expect(asked[0]).toEqual([
      "AdminCreateUser",
      { UserPoolId: "pool", Username: ann.email, DesiredDeliveryMediums: ["EMAIL"], MessageAction: "RESEND" },
    ]);
  });

  it("can be disabled with a sign-out, enabled again, and deleted, even twice", async () => {
    const { asked, clients } = createPool({}, {}, {}, {}, unknown, denied);
    const given = { UserPoolId: "pool", Username: "ann" };

    await disableUser(clients, "pool", "ann");
    await enableUser(clients, "pool", "ann");
    await deleteUser(clients, "pool", "ann");
    await deleteUser(clients, "pool", "ann");
    await expect(deleteUser(clients, "pool", "ann")).rejects.toBe(denied);

    expect(asked.slice(0, 4)).toEqual([
      ["AdminDisableUser", given],
      ["AdminUserGlobalSignOut", given],
      ["AdminEnableUser", given],
      ["AdminDeleteUser", given],
    ]);
  });
});

describe("signing in with a password", () => {
  const user = { email: ann.email, password: "correct horse" };
  const start = [
    "AdminInitiateAuth",
    {
      UserPoolId: "pool",
      ClientId: "client",
      AuthFlow: "ADMIN_USER_PASSWORD_AUTH",
      AuthParameters: { USERNAME: ann.email, PASSWORD: "correct horse" },
    },
  ];
  const token = { AuthenticationResult: { AccessToken: "token" } };
  const signInBy = (clients: Parameters<typeof signIn>[0]) =>
    signIn(clients, { userPoolId: "pool", clientId: "client" }, user);

  it("starts a session", async () => {
    const { asked, clients } = createPool(token);

    expect(await signInBy(clients)).toBe("token");
    expect(asked).toEqual([start]);
  });

  it("first replaces a temporary password by the user's own", async () => {
    const { asked, clients } = createPool({ ChallengeName: "NEW_PASSWORD_REQUIRED" }, {}, token);

    expect(await signInBy(clients)).toBe("token");
    const given = { UserPoolId: "pool", Username: ann.email, Password: "correct horse", Permanent: true };
    expect(asked).toEqual([start, ["AdminSetUserPassword", given], start]);
  });

  it("starts no session if the user pool asks for a further step", async () => {
    await expect(signInBy(createPool({ ChallengeName: "SMS_MFA" }).clients)).rejects.toThrow(
      "The user pool asks for SMS_MFA first.",
    );
    await expect(signInBy(createPool({ AuthenticationResult: {} }).clients)).rejects.toThrow(
      "The user pool asks for more first.",
    );
  });
});

it("the list of all users includes the last page, and the users' attributes", async () => {
  const { asked, clients } = createPool(
    {
      Users: [
        {
          Attributes: createAttributes({ sub: SUB, ...ann }),
          Enabled: true,
          UserStatus: "CONFIRMED",
          UserLastModifiedDate: new Date(5),
        },
      ],
      PaginationToken: "more",
    },
    { PaginationToken: "last" },
    { Users: [{ Attributes: createAttributes({ sub: "b-2" }), Enabled: false, UserStatus: "FORCE_CHANGE_PASSWORD" }] },
  );

  expect(await listUsers(clients, "pool")).toEqual([
    { changedAt: 5, userId: USER, ...ann, status: "CONFIRMED", enabled: true },
    { changedAt: 0, userId: "usr_b2", email: null, name: null, status: "FORCE_CHANGE_PASSWORD", enabled: false },
  ]);
  expect(asked.map(([, input]) => input)).toEqual([
    { UserPoolId: "pool" },
    { UserPoolId: "pool", PaginationToken: "more" },
    { UserPoolId: "pool", PaginationToken: "last" },
  ]);
});

describe("the accounts of a person", () => {
  const elsewhere = { Username: "Google_1", Attributes: createAttributes({ sub: "e-1", email: ann.email }) };
  const listed = { Username: "ann", Attributes: createAttributes({ sub: SUB, ...ann }) };

  it("are found by the address and listed once each, the user pool's own account first", async () => {
    const { asked, clients } = createPool(
      { Username: "ann", UserAttributes: createAttributes({ sub: SUB, ...ann }) },
      { Users: [elsewhere, listed] },
    );

    expect(await findAccountsByEmail(clients, "pool", ann.email)).toEqual([
      { username: "ann", userId: USER, ...ann },
      { username: "Google_1", userId: "usr_e1", email: ann.email, name: undefined },
    ]);
    expect(asked).toEqual([
      ["AdminGetUser", { UserPoolId: "pool", Username: ann.email }],
      ["ListUsers", { UserPoolId: "pool", Filter: 'email = "ann@acme.example"' }],
    ]);
  });

  it("are those of identity providers if there is no other; one without a user name gets the address as its name", async () => {
    const { Username: _, ...unnamed } = elsewhere;

    expect(await findUser(createPool(unknown, { Users: [elsewhere] }).clients, "pool", ann.email)).toBe("usr_e1");
    expect(
      await findAccountsByEmail(createPool(unknown, { Users: [unnamed] }).clients, "pool", ann.email),
    ).toMatchObject([{ username: ann.email }]);
    expect(
      await findAccountsByEmail(
        createPool({ UserAttributes: createAttributes({ sub: SUB }) }).clients,
        "pool",
        ann.email,
      ),
    ).toMatchObject([{ username: ann.email, email: undefined }]);
  });

  it("are an empty list for an unknown address, and an error if the user pool refuses the request", async () => {
    const { asked, clients } = createPool(unknown, {});

    await expect(findAccountsByEmail(clients, "pool", 'a"\\b@acme.example')).rejects.toThrow(
      'The user pool has nobody with the address a"\\b@acme.example.',
    );
    expect(asked[1]).toEqual(["ListUsers", { UserPoolId: "pool", Filter: 'email = "ab@acme.example"' }]);
    await expect(findAccountsByEmail(createPool(denied).clients, "pool", ann.email)).rejects.toBe(denied);
  });

  it("are found by the user id, if they still exist", async () => {
    const { asked, clients } = createPool({ Users: [listed] }, {});

    expect(await findAccountsById(clients, "pool", USER)).toEqual([{ username: "ann", userId: USER, ...ann }]);
    expect(await findAccountsById(clients, "pool", USER)).toEqual([]);
    expect(asked[0]).toEqual(["ListUsers", { UserPoolId: "pool", Filter: `sub = "${SUB}"` }]);
  });
});
