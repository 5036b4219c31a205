/** Something that every implementation must do; rejects where one does not. */
export interface ContractCase {
  readonly name: string
  run(): Promise<void>
}
