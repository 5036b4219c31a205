/** Something that every implementation must do; rejects where one does not. */
export interface ContractCase {
  readonly name: string
  /** Tries the case; rejects where the implementation breaks the contract. */
  run(): Promise<void>
}
