/** How many colours people have, as discs and in shifts. */
export const COLOURS = 6;

/** The first letters of a name, two at most. */
const initialsOf = (name: string): string =>
  name
    .split(/\s+/u)
    .slice(0, 2)
    .map(([first = ""]) => first.toUpperCase())
    .join("");

type DiscsProps = {
  /** Those shown as a disc each; the accessible name of each is theirs. */
  people: readonly { userId: string; name: string }[];
  /** All people in the order that gives each a colour. */
  of: readonly { userId: string }[];
};

/** People as discs with their initials, each a link to their page. */
export const Discs = ({ people, of }: DiscsProps) => (
  <ul class="discs">
    {people.map(({ userId, name }) => (
      <li key={userId}>
        <a
          class={`disc person-${
            Math.max(
              0,
              of.findIndex((one) => one.userId === userId),
            ) % COLOURS
          }`}
          href={`/people/${userId}`}
          title={name}
          aria-label={name}
        >
          {initialsOf(name === "" ? userId : name)}
        </a>
      </li>
    ))}
  </ul>
);
