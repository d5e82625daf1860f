/**
 * The type of every language's texts: the same texts as the English ones, with the same parameters. A language that lacks a text,
 * or has an additional text, does not compile.
 */
export type Catalogue<Texts> = Texts extends string
  ? string
  : Texts extends (...given: infer Given) => infer Said
    ? (...given: Given) => Catalogue<Said>
    : { readonly [Name in keyof Texts]: Catalogue<Texts[Name]> };

/** A step's number among all steps of its policy, and the repeat. Named fields, because numbers are easily swapped. */
export type StepOfPolicy = { step: number; steps: number; round: number };
