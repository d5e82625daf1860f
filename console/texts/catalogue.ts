/**
 * Every language has the same texts and parameters as English. A language with a missing or an additional text does not compile.
 */
export type Catalogue<Texts> = Texts extends string
  ? string
  : Texts extends (...given: infer Given) => infer Said
    ? (...given: Given) => Catalogue<Said>
    : { readonly [Name in keyof Texts]: Catalogue<Texts[Name]> };

/** The fields are named, because three numbers in a row are easily swapped. */
export type StepOfPolicy = { step: number; steps: number; round: number };
