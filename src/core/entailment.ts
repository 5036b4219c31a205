/** Says whether a statement follows from a text. Pure and synchronous: the same question has the same answer, always. */
export interface Entailment {
  readonly id: string
  /** How sure it is, in [0, 1]; from 0.5 on the statement counts as entailed. */
  entails(premise: string, statement: string): number
}
