import type { Policy, TextSource } from '../../core/index.ts'
import type { PortableCell, PortableRow, Relation } from './portable.ts'
import type { Retention } from './retention.ts'
import type { Scope } from './scope.ts'

/** What a table takes and what it answers; the methods of `reads` are synchronous, as an engine runs them. */
export interface TableTypes {
  readonly write: object
  readonly reads: object
}

/** The same reads, as whoever asks a store gets them. */
export type AsyncReads<Reads> = {
  readonly [Name in keyof Reads]: Reads[Name] extends (...given: infer Given) => infer Answer
    ? (...given: Given) => Promise<Answer>
    : never
}

/** For each read, whose waiting units it has to see: those of a session, or all of them where nothing is given. */
export type SettledBy<Reads> = {
  readonly [Name in keyof Reads]: Reads[Name] extends (...given: infer Given) => unknown
    ? (...given: Given) => Scope | undefined
    : never
}

/** One kind of stored thing: a value in a folder of its own, and its line in the list of tables. */
export interface Table<
  Name extends string = string,
  Types extends TableTypes = TableTypes,
  InMemory extends MemoryTable<Types> = MemoryTable<Types>,
  InSqlite extends SqliteRows<Types> = SqliteRows<Types>,
> {
  readonly name: Name
  /** Whether a write is a change of its session: it makes the session where there is none, raises its version, and marks it as used. */
  readonly changesSession: boolean
  readonly reads: SettledBy<Types['reads']>
  /** Writes as texts and numbers, so that any engine takes them and they may cross to another thread. */
  encode(write: Types['write'], lists: Lists): Row
  /** Opens the table in memory. */
  memory(kernel: MemoryKernel): InMemory
  readonly sqlite: SqliteTable<InSqlite>
  readonly postgres: PostgresTable<Types>
  /** What it keeps, as a file carries it from one engine to another. Nothing of a tenant is kept elsewhere: by these relations it is deleted, too. */
  readonly relations: readonly Relation[]
}

/** Types of a table that only its engines know. */
export type TypesOf<Of> = Of extends Table<string, infer Types, infer _InMemory, infer _InSqlite> ? Types : never

export type Cell = string | number | null | undefined
export type Row = readonly Cell[]

/** Runs of element numbers: first, count, first, count, … */
export type Ranges = readonly number[]

/** A value as it is written: its JSON, and its long text, which stands apart. */
export interface Written {
  readonly json: string
  readonly text?: string
}

/**
 * The lists of a session that grow from request to request. Each element is stored once, and a row holds ranges of element
 * numbers: a session of n requests costs O(n).
 */
export interface Lists {
  /** Notes what is new of a list and gives the ranges of all of it. `kind` is the number of the list in the database. */
  change<Value extends object>(kind: number, values: readonly Value[], write?: (value: Value) => Written): Ranges
  /** Adds elements to a list that only grows; gives the number of the first of them. */
  append<Value extends object>(kind: number, values: readonly Value[], write?: (value: Value) => Written): number
  /** As `change`, for a request body, in pieces. */
  changeBody(body: TextSource): Ranges
}

/** Longer texts stand apart from the rows that hold them. */
export const inlineChars = 512

/** Where a write belongs. */
export interface WritePlace {
  readonly scope: Scope
  readonly nowMs: number
}

// Memory

/** One lane of a session. */
export interface MemoryScope {
  readonly scope: Scope
  version: number
  usedMs: number
}

/** What the engine in memory offers its tables. */
export interface MemoryKernel {
  /** A session or a lane of it; undefined where there is none. */
  find(scope: Scope): MemoryScope | undefined
  /** The lanes of a session, in the order in which they were made. */
  lanes(tenant: string, session: string): readonly MemoryScope[]
  /** The tenants that have sessions. */
  tenants(): readonly string[]
  /** The sessions of a tenant, each with its lanes. */
  sessions(tenant: string): readonly (readonly MemoryScope[])[]
  readonly limits: MemoryLimits
  /** What another table is in this store. */
  opened<Opened extends object>(table: { memory(kernel: MemoryKernel): Opened }): Opened
}

/** The sizes at which a store in memory drops its oldest content. */
export interface MemoryLimits {
  /** Of all tenants. The oldest receipt of the tenant with the most makes room for a new one. */
  readonly maxReceipts: number
  /** The oldest receipts lose the bodies of their requests, in characters of all, when newer ones need the room. */
  readonly maxBodyChars: number
}

export interface MemoryPlace extends WritePlace {
  /** Absent where no write of the unit changes the session. */
  readonly lane?: MemoryScope
}

export interface MemoryTable<Types extends TableTypes = TableTypes> {
  readonly reads: Types['reads']
  /** Throws where a write does not fit what stands; asked before anything of its unit is written. */
  check?(write: Types['write'], at: WritePlace): void
  apply(write: Types['write'], at: MemoryPlace): void
  /** Gives how many rows went. */
  prune?(asked: MemoryPruning): number
  readonly portable: MemoryPortable
}

/** A table in memory as rows of its relations. */
export interface MemoryPortable {
  rows(asked: MemoryExport): Iterable<PortableRow>
  /** Takes a row of one of its relations; those that it refers to are there. */
  put(row: PortableRow, from: MemoryImport): void
  /** Removes what belongs to a tenant and to none of its lanes; gives how many rows went. */
  drop?(tenant: string): number
}

/** A lane that is written out. */
export interface ExportedLane {
  readonly lane: MemoryScope
  readonly number: number
  readonly lists: Lists
  /** Notes a text; gives its hash. */
  text(text: string): string
}

export interface MemoryExport {
  /** All tenants where absent. */
  readonly tenant?: string | undefined
  readonly lanes: readonly ExportedLane[]
  exported(lane: MemoryScope): ExportedLane | undefined
  /** Notes a policy that a receipt refers to. */
  policy(key: PortableCell, json: PortableCell): void
}

export interface MemoryImport {
  lane(number: PortableCell | undefined): MemoryScope
  readonly fragments: FragmentRows
  readonly texts: Pick<TextRows, 'get'>
  policy(key: string): Policy
}

export interface MemoryPruning {
  readonly nowMs: number
  readonly retention: Retention
  /** Lanes that have just gone. */
  readonly gone: ReadonlySet<MemoryScope>
}

// SQLite

/** Texts, each stored once however many sessions use it, and removed when none does. */
export interface TextRows {
  /** Keeps a text for a session. */
  put(sessionId: number, text: string): { readonly id: number; readonly hash: string }
  get(hash: string): string
  byId(id: number): string
}

/** Elements of the lists of sessions. */
export interface FragmentRows {
  read<Value>(sessionId: number, kind: number, ranges: Ranges): Value[]
}

/** Documents of a session by number, each collection for itself. */
export interface Collection {
  readonly sessionId: number
  /** The number of the collection in the database. */
  readonly kind: number
}

/** Full-text search over documents of sessions, by the terms of `termsOf`. */
export interface TextSearch {
  has(of: Collection, number: number): boolean
  add(of: Collection, number: number, text: string): void
  /** Documents that say some of the words, the best first. */
  find(of: readonly Collection[], words: string, limit: number): readonly FoundDocument[]
}

export interface FoundDocument {
  readonly sessionId: number
  readonly number: number
}

/** A table in SQLite. */
export interface SqliteTable<Opened> {
  /** Statements that make the table, by version; a released entry never changes. Absent where the database's own schema has it. */
  readonly migrations?: readonly string[]
  /** The kernel is a `SqliteKernel`; it is not named here, so that declarations of the package know nothing of Node. */
  open(kernel: object): Opened
}

export interface SqlitePlace extends WritePlace {
  /** The row of the lane; 0 where no write of the unit changes the session. */
  readonly sessionId: number
}

type StepsBefore<Reads> = {
  readonly [Name in keyof Reads]?: Reads[Name] extends (...given: infer Given) => unknown
    ? (...given: Given) => boolean
    : never
}

/** All of it runs within the caller's transaction. */
export interface SqliteRows<Types extends TableTypes = TableTypes> {
  readonly reads: Types['reads']
  /** Whether a row may be written as things stand; asked before anything of its unit is written. Where not, the unit is a conflict. */
  allows?(row: Row, at: WritePlace): boolean
  apply(row: Row, at: SqlitePlace): void
  /**
   * By read, the work that it needs done first, such as an index that is made when it is first asked for: a step of it in each call, within
   * a transaction of its own. Gives whether there is more.
   */
  readonly prepare?: StepsBefore<Types['reads']>
  /** Ends a group of units. */
  flush?(): void
  /** Forgets what was not flushed: the transaction was taken back. */
  forget?(): void
  /** Removes what belongs to a lane; gives how many rows count. */
  dropSession?(sessionId: number): number
  /** Removes a little of what has outlived its keep. */
  prune?(nowMs: number, retention: Retention): PruneStep
}

export interface PruneStep {
  readonly rows: number
  readonly more: boolean
}

// PostgreSQL

export type PostgresValue = string | number | null | undefined | readonly (string | number | null)[]
export type PostgresRow = Readonly<Record<string, unknown>>

/** One transaction of the PostgreSQL engine, for reads. */
export interface PostgresReader {
  /** Gives the rows of a statement; `$1` is the first value. */
  all(sql: string, ...values: readonly PostgresValue[]): Promise<readonly PostgresRow[]>
  /** The texts that have these hashes. */
  texts(hashes: readonly string[]): Promise<Pick<TextRows, 'get'>>
  /** Elements of lists of a session, read in one statement. */
  fragments(sessionId: number, wanted: readonly WantedList[]): Promise<FragmentRows>
  /** Documents of these sessions that say some of the words, the best first. */
  find(of: PostgresCollections, words: string, limit: number): Promise<readonly FoundDocument[]>
}

export type WantedList = readonly [kind: number, ranges: Ranges]

export interface PostgresCollections {
  readonly sessionIds: readonly number[]
  readonly kind: number
}

/** One transaction that writes. */
export interface PostgresWriter extends PostgresReader {
  /** Sends a statement without waiting for its answer. If it fails, the transaction fails. */
  send(sql: string, ...values: readonly PostgresValue[]): void
  /** Gives how many rows a statement changed. */
  run(sql: string, ...values: readonly PostgresValue[]): Promise<number>
  /** Keeps a text for a session, and gives its hash. */
  putText(sessionId: number, text: string): string
  /** Indexes a document of a session. */
  addDocument(of: { readonly sessionId: number; readonly kind: number; readonly number: number }, text: string): void
}

type PostgresSteps<Reads> = {
  readonly [Name in keyof Reads]?: Reads[Name] extends (...given: infer Given) => unknown
    ? (on: PostgresWriter, ...given: Given) => Promise<boolean>
    : never
}

/** A table in PostgreSQL. It holds no state: all of it runs within the caller's transaction. */
export interface PostgresTable<Types extends TableTypes = TableTypes> {
  /** Statements that make the table, by version; a released entry never changes. */
  readonly migrations?: readonly string[]
  /** The reads of the table, within the transaction of the reader. */
  reads(on: PostgresReader): AsyncReads<Types['reads']>
  /** Names of what the write of a row reads before it changes it: one transaction at a time may have a name. */
  locks?(row: Row, at: WritePlace): readonly string[]
  /** Whether a row may be written as things stand. Where not, the unit is a conflict. */
  allows?(on: PostgresWriter, row: Row, at: WritePlace): Promise<boolean>
  /** Gives a promise only if it waits for an answer of the database. */
  apply?(on: PostgresWriter, row: Row, at: SqlitePlace): void | Promise<void>
  /** As `prepare` of a table in SQLite. */
  readonly prepare?: PostgresSteps<Types['reads']>
  /** Removes what belongs to lanes; gives how many rows count. */
  dropSessions?(on: PostgresWriter, sessionIds: readonly number[]): Promise<number>
  /** Removes a little of what has outlived its keep. */
  prune?(on: PostgresWriter, nowMs: number, retention: Retention): Promise<PruneStep>
}
