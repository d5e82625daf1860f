import { createServer, type Server } from "node:http";
import type { Fault } from "../aws/front.ts";
import type { Keys } from "../sessions.ts";
import type { ProviderModel } from "../template/clients.ts";
import type { Model } from "../template/model.ts";
import type { DirectoryPeople } from "./directory.ts";
import { ACCOUNTS, type Account, createProvider } from "./provider.ts";
import { createSignIn } from "./server.ts";

type ProviderAccount = { sub: string; account: Account; tiedTo?: string };

/** Lists a linked account for each person, an account of a new person, and an account with a colleague's unverified address. */
const listProviderAccounts = (people: DirectoryPeople): ProviderAccount[] => {
  const all = people.flatMap((company) => company.people);
  const tied = all.map(({ sub, name, email }) => ({
    sub: `account-${sub.slice(-12)}`,
    account: { name, email, emailVerified: true, groups: ["staff"] },
    tiedTo: sub,
  }));
  const nora = { name: "Nora", email: "nora@demo.example", emailVerified: true, groups: ["staff", "admins"] };
  const mallory = { name: "Mallory", email: "dora@demo.example", emailVerified: false, groups: ["admins"] };
  return [...tied, { sub: "account-nora", account: nora }, { sub: "account-mallory", account: mallory }];
};

/** Returns a function that replaces the issuer's origin in an address by `url`, the provider's local URL. */
const createUrlMapper =
  ({ issuer }: ProviderModel, url: string) =>
  (address: string): string => {
    const { origin, pathname, search } = new URL(address);
    return origin === new URL(issuer).origin ? `${url}${pathname}${search}` : address;
  };

type OpenOptions = {
  model: Model;
  keys: Keys;
  signInUrl: string;
  open: (server: Server) => Promise<string>;
  faultOf: () => Fault;
};

/** Creates the sign-in, and starts the identity provider if the template has a provider. */
export const createSignInWithProvider = async ({ model, keys, signInUrl, open, faultOf }: OpenOptions) => {
  const { signIn: clients, machines, mfa, provider } = model;
  if (provider === undefined) return { ...createSignIn({ clients, machines, mfa }, keys), sso: undefined };
  const callbackUrl = `${signInUrl}/oauth2/idpresponse`;
  const standIn = createProvider({ client: { ...provider, redirectUri: callbackUrl }, faultOf });
  const url = await open(createServer(standIn.serve));
  const federation = { provider, callbackUrl, reach: createUrlMapper(provider, url) };
  const pool = createSignIn({ clients, machines, mfa, federation }, keys);
  return {
    ...pool,
    setPeople: (people: DirectoryPeople): void => {
      pool.setPeople(people);
      for (const { sub, account, tiedTo } of listProviderAccounts(people)) {
        standIn.setAccount(sub, account);
        if (tiedTo !== undefined) pool.tie(provider.name, sub, tiedTo);
      }
    },
    sso: { url, issuer: provider.issuer, clientId: provider.clientId, accountsUrl: `${url}${ACCOUNTS}` },
  };
};
