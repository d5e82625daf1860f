import { createHash } from "node:crypto";
import type { ProviderModel, SignInClientModel } from "../template/clients.ts";

/** Of which provider somebody is, and under which subject. */
export type Origin = { userId: string; providerName: string; providerType: "OIDC" };

/** A person in the user pool. A person with a password there has a verified address. */
export type Person = {
  sub: string;
  userId: string;
  name: string;
  email: string;
  emailVerified?: boolean;
  /** Only of those who come from a provider; the others have their `sub`. */
  username?: string;
  identities?: readonly Origin[];
};
/** The people by company, in the order of the page. */
export type People = readonly { company: string; people: readonly Person[] }[];

/** What a sign-in by a provider comes to. */
export type Federated = { kind: "person"; person: Person } | { kind: "refused"; reason: string };

const VALUE_MAX_LENGTH = 2048;

/** The same id at every start, so that somebody is the same person here whatever was restarted. */
const subOf = (username: string): string => {
  const digits = createHash("sha256").update(username).digest("hex");
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join("-");
};

const textOf = (claim: unknown): string | undefined =>
  typeof claim === "string" || typeof claim === "boolean" || typeof claim === "number" ? String(claim) : undefined;

/** The pool's attributes as the provider's claims give them; a claim that is not there says nothing. */
const mapped = (mapping: ProviderModel["mapping"], claims: Readonly<Record<string, unknown>>): Map<string, string> =>
  new Map(
    Object.entries(mapping).flatMap(([attribute, claim]) => {
      const value = textOf(claims[claim]);
      return value === undefined ? [] : [[attribute, value] as const];
    }),
  );

/** Whether an address counts as seen: only if the provider says so, and for the address that it says it of. */
const isVerified = (attributes: ReadonlyMap<string, string>, before: Person | undefined): boolean => {
  const said = attributes.get("email_verified");
  if (said !== undefined) return said === "true";
  const isSame = before !== undefined && (attributes.get("email") ?? before.email) === before.email;
  return isSame && before.emailVerified !== false;
};

/**
 * Everybody who can sign in. The pool's own people come from the seeds; a provider's account becomes a person with the
 * first sign-in, separate from a person with the same address, unless an operator has linked the two before.
 */
export const createDirectory = () => {
  let companies: People = [];
  /** By `sub`, as the last sign-in by a provider has left them. */
  const updated = new Map<string, Person>();
  /** The subs of those to whom operators have tied accounts of a provider, by `<provider>_<subject>`. */
  const ties = new Map<string, string>();
  const own = (): Person[] => companies.flatMap(({ people }) => people);
  const find = (sub: string): Person | undefined => updated.get(sub) ?? own().find((person) => person.sub === sub);

  return {
    setPeople: (people: People): void => {
      companies = people;
    },
    companies: (): People => companies,
    byAddress: (email: string): Person | undefined => own().find((person) => person.email === email),
    find,

    /** Ties an account of a provider to a person, as long as it has not signed in as itself. */
    tie: (provider: string, subject: string, to: string): "tied" | "nobody" | "has signed in" => {
      const person = own().find(({ sub, email }) => sub === to || email === to);
      const username = `${provider}_${subject}`;
      if (person === undefined) return "nobody";
      if (ties.has(username) || updated.has(subOf(username))) return "has signed in";
      ties.set(username, person.sub);
      return "tied";
    },

    /** A provider's person: created, or updated from the provider. */
    federate: (
      { name: providerName, mapping }: ProviderModel,
      { writes }: Pick<SignInClientModel, "writes">,
      claims: Readonly<Record<string, unknown>> & { sub: string },
    ): Federated => {
      const locked = Object.keys(mapping).find(
        (attribute) => attribute !== "email_verified" && writes !== undefined && !writes.includes(attribute),
      );
      if (locked !== undefined) return { kind: "refused", reason: `The client may not write the attribute ${locked}` };
      const attributes = mapped(mapping, claims);
      const long = [...attributes].find(([, value]) => value.length > VALUE_MAX_LENGTH);
      if (long !== undefined) return { kind: "refused", reason: `The attribute ${long[0]} is too long` };

      const username = `${providerName}_${claims.sub}`;
      const tied = ties.get(username);
      const sub = tied ?? subOf(username);
      const before = find(sub);
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
