/**
 * What every language says, as the English catalogue has it: the same texts, and of those that take something, the same
 * parameters. A language that lacks one, or has one of its own, does not compile.
 */
export type Catalogue<Texts> = Texts extends string
  ? string
  : Texts extends (...given: infer Given) => infer Said
    ? (...given: Given) => Catalogue<Said>
    : { readonly [Name in keyof Texts]: Catalogue<Texts[Name]> };

/** A step of a policy among its steps, in which of its rounds: by name, because numbers are easily swapped. */
export type StepOfPolicy = { step: number; steps: number; round: number };
