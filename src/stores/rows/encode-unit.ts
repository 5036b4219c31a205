import type { TextSource } from '../../core/index.ts'
import { inlineChars } from '../kernel/table.ts'
import type { Lists, Ranges, Written } from '../kernel/table.ts'
import type { Unit } from '../store.ts'
import { changeBody } from './known-body.ts'
import { appended, changeList, emptyList } from './known-lists.ts'
import type { Change, Fragment } from './known-lists.ts'
import type { KnownSession } from './known-sessions.ts'
import type { TableSet } from './table-set.ts'
import type { UnitRows } from './unit-rows.ts'

export interface EncodedUnit {
  readonly rows: UnitRows
  /** What is known of the session once it is written, beside its row. */
  readonly known: Omit<KnownSession, 'base'>
}

/** Whether a unit changes the state of its session. */
export function changesSession({ writes }: Unit, { byName }: TableSet): boolean {
  return writes.some(({ table }) => byName.get(table)?.changesSession)
}

export interface EncodingUnit {
  readonly tables: TableSet
  /** What is known of its session. */
  readonly known: KnownSession
}

/** Writes a unit out. */
export function encodeUnit(unit: Unit, { tables, known }: EncodingUnit): EncodedUnit {
  const { scope, nowMs, expectVersion } = unit
  const { base } = known
  const lists = openLists(known)
  const writes = unit.writes.map(
    (write) => [write.table, tables.byName.get(write.table)?.encode(write, lists) ?? []] as const,
  )
  const rows: UnitRows = {
    scope,
    nowMs,
    ...(expectVersion !== undefined && { expectVersion }),
    changesSession: changesSession(unit, tables),
    ...(base && { base }),
    fragments: lists.fragments,
    writes,
  }
  return { rows, known: lists.known() }
}

export interface OpenLists extends Lists {
  readonly fragments: Fragment[]
  known(): EncodedUnit['known']
}

/** Lists of a session that are written out; `known` is what is known of it so far. */
export function openLists(before: KnownSession): OpenLists {
  const lists = [...before.lists]
  let { body } = before
  const fragments: Fragment[] = []
  const noted = ({ fragment, ranges }: Change<unknown>): Ranges => {
    if (fragment) fragments.push(fragment)
    return ranges
  }
  return {
    fragments,
    change<Value extends object>(kind: number, values: readonly Value[], write: (value: Value) => Written = asJson) {
      const change = changeList(kind, lists[kind] ?? emptyList, values, write)
      lists[kind] = change.known
      return noted(change)
    },
    append<Value extends object>(kind: number, values: readonly Value[], write: (value: Value) => Written = asJson) {
      const list = lists[kind] ?? emptyList
      const change = appended(kind, list, values.map(write))
      lists[kind] = change.known
      noted(change)
      return list.next
    },
    changeBody(text: TextSource) {
      const change = changeBody(body, text, writtenPiece)
      body = change.known
      return noted(change)
    },
    known: () => ({ lists, body }),
  }
}

function writtenPiece(text: string): Written {
  return text.length <= inlineChars ? asJson({ text }) : { json: '{}', text }
}

function asJson(value: unknown): Written {
  return { json: JSON.stringify(value) }
}
