import type { StoreOf, UnitOf, WriteTo } from './kernel/store.ts'
import type { Tables } from './tables/tables.ts'

/** One write, to the table that it names. */
export type Write = WriteTo<Tables>

/** Everything that one step of a request writes: all of it or nothing. */
export type Unit = UnitOf<Write>

/** Keeps what must outlive a request, in the tables of `tables/`. */
export interface Store extends StoreOf<Tables> {}
