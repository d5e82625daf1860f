import { createHash } from "node:crypto";
import type { ProviderModel, SignInClientModel } from "../template/clients.ts";

export type Origin = { userId: string; providerName: string; providerType: "OIDC" };

/** A person of the pool. A person who signs in with a password in the pool has a verified address. */
export type Person = {
  sub: string;
  userId: string;
  name: string;
  email: string;
  emailVerified?: boolean;
  /** The user name of people who sign in through a provider; by default, the `sub`. */
  username?: string;
  identities?: readonly Origin[];
};
/** People by company, in the order of the sign-in page. */
export type DirectoryPeople = readonly { company: string; people: readonly Person[] }[];

export type Federated = { kind: "person"; person: Person } | { kind: "refused"; reason: string };

const VALUE_MAX_LENGTH = 2048;

/** Creates a person's id from the username, so that the id is the same at every start. */
const createStableId = (username: string): string => {
  const digits = createHash("sha256").update(username).digest("hex");
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join("-");
};

const formatScalarClaim = (claim: unknown): string | undefined =>
  typeof claim === "string" || typeof claim === "boolean" || typeof claim === "number" ? String(claim) : undefined;

/** Returns the pool's attributes by name, from a provider's claims. `mapping`: the name of the claim for each attribute. */
const mapClaims = (mapping: ProviderModel["mapping"], claims: Readonly<Record<string, unknown>>): Map<string, string> =>
  new Map(
    Object.entries(mapping).flatMap(([attribute, claim]) => {
      const value = formatScalarClaim(claims[claim]);
      return value === undefined ? [] : [[attribute, value] as const];
    }),
  );

/** Returns whether the provider calls the address verified. If the provider says nothing, an unchanged address stays verified. */
const isVerified = (attributes: ReadonlyMap<string, string>, previous: Person | undefined): boolean => {
  const said = attributes.get("email_verified");
  if (said !== undefined) return said === "true";
  const isSame = previous !== undefined && (attributes.get("email") ?? previous.email) === previous.email;
  return isSame && previous.emailVerified !== false;
};

/** Creates the directory of people. A provider's account becomes a new person, unless an operator has linked it to a person. */
export const createDirectory = () => {
  let companies: DirectoryPeople = [];
  /** People by `sub`, as updated by the last sign-in through a provider. */
  const updated = new Map<string, Person>();
  /** Maps accounts, named `<provider>_<subject>`, to the subs of people to whom operators have linked these accounts. */
  const ties = new Map<string, string>();
  const listPeople = (): Person[] => companies.flatMap(({ people }) => people);
  const findPerson = (sub: string): Person | undefined =>
    updated.get(sub) ?? listPeople().find((person) => person.sub === sub);

  return {
    setPeople: (people: DirectoryPeople): void => {
      companies = people;
    },
    companies: (): DirectoryPeople => companies,
    byAddress: (email: string): Person | undefined => listPeople().find((person) => person.email === email),
    find: findPerson,

    /** Links a provider's account to a person, unless the account has already signed in as a person of its own. */
    tie: (provider: string, subject: string, to: string): "tied" | "nobody" | "has signed in" => {
      const person = listPeople().find(({ sub, email }) => sub === to || email === to);
      const username = `${provider}_${subject}`;
      if (person === undefined) return "nobody";
      if (ties.has(username) || updated.has(createStableId(username))) return "has signed in";
      ties.set(username, person.sub);
      return "tied";
    },

    federate: (
      { name: providerName, mapping }: ProviderModel,
      { writes }: Pick<SignInClientModel, "writes">,
      claims: Readonly<Record<string, unknown>> & { sub: string },
    ): Federated => {
      const locked = Object.keys(mapping).find(
        (attribute) => attribute !== "email_verified" && writes !== undefined && !writes.includes(attribute),
      );
      if (locked !== undefined) return { kind: "refused", reason: `The client may not write the attribute ${locked}` };
      const attributes = mapClaims(mapping, claims);
      const long = [...attributes].find(([, value]) => value.length > VALUE_MAX_LENGTH);
      if (long !== undefined) return { kind: "refused", reason: `The attribute ${long[0]} is too long` };

      const username = `${providerName}_${claims.sub}`;
      const tied = ties.get(username);
      const sub = tied ?? createStableId(username);
      const before = findPerson(sub);
      const person: Person = {
        sub,
        userId: `usr_${sub.replaceAll("-", "")}`,
        name: attributes.get("name") ?? before?.name ?? "",
        email: attributes.get("email") ?? before?.email ?? "",
        emailVerified: isVerified(attributes, before),
        ...(tied === undefined ? { username } : {}),
        identities: [{ userId: claims.sub, providerName, providerType: "OIDC" }],
      };
      updated.set(sub, person);
      return { kind: "person", person };
    },
  };
};
export type Directory = ReturnType<typeof createDirectory>;
