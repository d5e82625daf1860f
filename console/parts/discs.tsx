/** The number of colours for people. Discs and shifts use the same colours. */
export const COLOURS = 6;

/** Returns the initials of the first two words, in capitals. */
export const formatInitials = (name: string): string =>
  name
    .split(/\s+/u)
    .slice(0, 2)
    .map(([first = ""]) => first.toUpperCase())
    .join("");

type DiscsProps = {
  people: readonly { userId: string; name: string }[];
  /** The people, in the order that determines their colours. */
  colourOrder: readonly { userId: string }[];
};

export const PersonDiscs = ({ people, colourOrder }: DiscsProps) => (
  <ul class="discs">
    {people.map(({ userId, name }) => (
      <li key={userId}>
        <a
          class={`disc person-${
            Math.max(
              0,
              colourOrder.findIndex((one) => one.userId === userId),
            ) % COLOURS
          }`}
          href={`/people/${userId}`}
          title={name}
          aria-label={name}
        >
          {formatInitials(name === "" ? userId : name)}
        </a>
      </li>
    ))}
  </ul>
);
