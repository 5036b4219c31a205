export type PortableCell = string | number | null

/** One row of a relation, the same from every engine. */
export interface PortableRow {
  readonly relation: string
  readonly cells: readonly PortableCell[]
}

/** Whose the rows of a relation are, and how that is known. */
export const owners = ['tenant', 'session', 'receipt', 'owner', 'policy', 'installation'] as const

/** Rows that a table keeps, as a file carries them. Numbers of sessions and receipts stand in the columns `session_id` and `sequence`. */
export interface Relation {
  readonly name: string
  readonly columns: readonly string[]
  /** Columns that no two rows share. The rows are read in their order. */
  readonly key: readonly string[]
  /**
   * `tenant`, `session` and `receipt` name the column that says so; of an `owner`, the value is the tenant's name; a `policy` belongs to those
   * whose receipts name it; what belongs to the `installation` goes with every file.
   */
  readonly of: (typeof owners)[number]
  /** A row that is there already stays. */
  readonly ifAbsent?: true
  /** Where it is another table than its name says, or other statements, than usual. */
  readonly sqlite?: RelationSql
  readonly postgres?: RelationSql
  /** The cells as they are written, where more is written than a file carries. */
  stored?(cells: readonly PortableCell[]): readonly (PortableCell | undefined)[]
  /** Hashes of the texts that a row refers to. */
  textsOf?(cells: readonly PortableCell[]): readonly string[]
}

export interface RelationSql {
  readonly table?: string
  /** What the columns are read from; the table by default. */
  readonly from?: string
  /** Writes the cells: `?` in SQLite, `$1` in PostgreSQL. */
  readonly put?: string
}

/** Takes what an engine reads, all of it from one state of the store. */
export interface PortableTaker {
  /** Comes first. */
  tenants(names: readonly string[]): void | Promise<void>
  row(row: PortableRow): void | Promise<void>
}

/** A store as rows that any other engine takes. */
export interface PortableStore {
  /** All that it has, in the order in which a file carries them. */
  readonly relations: readonly Relation[]
  /** Of one tenant, with the values of the installation; of all by default. */
  read(tenant: string | undefined, taker: PortableTaker): Promise<void>
  /** All or nothing: what `rows` throws takes everything back. Rejects with `conflict` where data of one of these tenants is there. */
  write(tenants: readonly string[], rows: AsyncIterable<PortableRow>): Promise<void>
}
