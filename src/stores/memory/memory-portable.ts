import type { Policy } from '../../core/index.ts'
import type { PortableCell, PortableRow, PortableStore, PortableTaker, Relation } from '../kernel/portable.ts'
import type { ExportedLane, MemoryExport, MemoryImport, MemoryScope, MemoryTable, Ranges } from '../kernel/table.ts'
import { openLists } from '../rows/encode-unit.ts'
import type { OpenLists } from '../rows/encode-unit.ts'
import { newSession } from '../rows/known-sessions.ts'
import { requireAbsent } from '../rows/relation-sql.ts'
import type { TableSet } from '../rows/table-set.ts'
import { textHash } from '../rows/text-hash.ts'
import type { MemoryScopes } from './memory-scopes.ts'

interface MemoryTables {
  readonly set: TableSet
  /** By their names. */
  readonly opened: ReadonlyMap<string, MemoryTable>
}

/** A store in memory as rows. It is small: they are all made, and all read, before the first one is given on. */
export function memoryPortable(scopes: MemoryScopes, tables: MemoryTables): PortableStore {
  const all = tables.set.relations
  const tenantsIn = (): readonly string[] => {
    const relations = new Set(all.filter(({ of }) => of === 'tenant').map(({ name }) => name))
    const own = rowsOf(scopes, tables, undefined).filter(({ relation }) => relations.has(relation))
    return [...new Set(own.map((row) => tenantIn(all, row)))].toSorted()
  }
  return {
    relations: all,
    async read(tenant: string | undefined, taker: PortableTaker) {
      const tenants = tenantsIn()
      await taker.tenants(tenant === undefined ? tenants : tenants.filter((name) => name === tenant))
      for (const row of rowsOf(scopes, tables, tenant)) await taker.row(row)
    },
    async write(tenants, rows) {
      requireAbsent(tenants, tenantsIn())
      const given: PortableRow[] = []
      for await (const row of rows) given.push(row)
      writeAll(scopes, tables, given)
    },
  }
}

function tenantIn(all: readonly Relation[], { relation, cells }: PortableRow): string {
  const at = all.find(({ name }) => name === relation)?.columns.indexOf('tenant') ?? 0
  return String(cells[at])
}

interface Lane extends ExportedLane {
  readonly lists: OpenLists
}

function rowsOf(scopes: MemoryScopes, tables: MemoryTables, tenant: string | undefined): readonly PortableRow[] {
  const texts = new Map<string, string>()
  const policies = new Map<string, string>()
  const note = (text: string): string => {
    const hash = textHash(text)
    texts.set(hash, text)
    return hash
  }
  const lanes = (tenant === undefined ? scopes.tenants() : [tenant])
    .flatMap((name) => scopes.sessions(name).flat())
    .map((lane, at): Lane => ({ lane, number: at + 1, lists: openLists(newSession), text: note }))
  const byLane = new Map<MemoryScope, Lane>(lanes.map((one) => [one.lane, one]))
  const asked: MemoryExport = {
    tenant,
    lanes,
    exported: (lane) => byLane.get(lane),
    policy: (key, json) => void policies.set(String(key), String(json)),
  }
  const rows = [...tables.opened.values()].flatMap(({ portable }) => [...portable.rows(asked)])
  const fragments = lanes.flatMap((lane) => fragmentsOf(lane, note))
  const kept: PortableRow[] = [
    ...lanes.map(({ number, lane: { scope, version, usedMs } }) => ({
      relation: 'lanes',
      cells: [number, scope.tenant, scope.session, scope.lane ?? '', version, usedMs],
    })),
    ...[...texts].map((cells) => ({ relation: 'texts', cells })),
    ...fragments,
    ...[...policies].map((cells) => ({ relation: 'policies', cells })),
    ...rows,
  ]
  return tables.set.relations.flatMap((relation) => inOrder(relation, kept))
}

function fragmentsOf({ number, lists }: Lane, note: (text: string) => string): readonly PortableRow[] {
  return lists.fragments.map(({ kind, first, strings, texts }) => {
    let elements = strings[0] ?? ''
    for (const [at, text] of texts.entries()) elements += note(text) + strings[at + 1]
    return { relation: 'fragments', cells: [number, kind, first, elements] }
  })
}

/** As SQLite orders them; texts that an engine has to write otherwise come last. */
function inOrder({ name, columns, key }: Relation, rows: readonly PortableRow[]): readonly PortableRow[] {
  const places = key.map((column) => columns.indexOf(column))
  const orderOf = ({ relation, cells }: PortableRow): readonly PortableCell[] => [
    relation === 'texts' && isSpecial(cells) ? 1 : 0,
    ...places.map((at) => cells[at] ?? null),
  ]
  return rows
    .filter(({ relation }) => relation === name)
    .map((row) => ({ row, order: orderOf(row) }))
    .toSorted((one, other) => compared(one.order, other.order))
    .map(({ row }) => row)
}

function isSpecial([hash, text]: readonly PortableCell[]): boolean {
  return String(hash).startsWith('json:') || String(text).includes('\u0001')
}

/** Texts by their bytes in UTF-8, as SQLite compares them. */
function compared(one: readonly PortableCell[], other: readonly PortableCell[]): number {
  for (const [at, a] of one.entries()) {
    const b = other[at] ?? null
    if (a === b) continue
    if (typeof a === 'number' && typeof b === 'number') return a - b
    return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))
  }
  return 0
}

function writeAll(scopes: MemoryScopes, tables: MemoryTables, rows: readonly PortableRow[]): void {
  const lanes = new Map<number, MemoryScope>()
  const texts = new Map<string, string>()
  const policies = new Map<string, Policy>()
  const fragments = new Map<string, Fragment[]>()
  const from: MemoryImport = {
    lane: (number) => present(lanes.get(Number(number)), 'a session'),
    fragments: { read: (sessionId, kind, ranges) => elementsIn(fragments.get(`${sessionId} ${kind}`) ?? [], ranges) },
    texts: { get: (hash) => present(texts.get(hash), 'a text') },
    policy: (key) => present(policies.get(key), 'a policy'),
  }
  const owners = new Map(
    tables.set.all.flatMap(({ name, relations }) =>
      relations.map((relation) => [relation.name, tables.opened.get(name)] as const),
    ),
  )
  for (const row of rows) {
    const [first, second, third, fourth, fifth, sixth] = row.cells
    if (row.relation === 'lanes') {
      const scope = { tenant: String(second), session: String(third), ...(fourth !== '' && { lane: String(fourth) }) }
      lanes.set(Number(first), scopes.restore({ scope, version: Number(fifth), usedMs: Number(sixth) }))
    } else if (row.relation === 'texts') texts.set(String(first), String(second))
    else if (row.relation === 'fragments') {
      const list = fragments.get(`${first} ${second}`) ?? []
      fragments.set(`${first} ${second}`, list)
      list.push({ first: Number(third), elements: JSON.parse(String(fourth)) as unknown[] })
    } else if (row.relation === 'policies') policies.set(String(first), JSON.parse(String(second)) as Policy)
    else owners.get(row.relation)?.portable.put(row, from)
  }
}

interface Fragment {
  readonly first: number
  readonly elements: readonly unknown[]
}

function elementsIn<Value>(list: readonly Fragment[], ranges: Ranges): Value[] {
  const found: Value[] = []
  for (let at = 0; at < ranges.length; at += 2) {
    const from = ranges[at] ?? 0
    const end = from + (ranges[at + 1] ?? 0)
    for (const { first, elements } of list)
      if (first < end && first + elements.length > from)
        found.push(...(elements.slice(Math.max(0, from - first), end - first) as Value[]))
  }
  return found
}

function present<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new Error(`${what} that a row refers to is not there`)
  return value
}
