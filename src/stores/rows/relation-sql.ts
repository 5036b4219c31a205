import { PrehendError } from '../../core/index.ts'
import type { Relation } from '../kernel/portable.ts'

export type Dialect = 'sqlite' | 'postgres'

/** Which policy a recorded input names. */
const policyIn: Readonly<Record<Dialect, string>> = {
  sqlite: `input ->> '$.policy'`,
  postgres: `substring(input from '"policy":"([A-Za-z0-9_-]+)"')`,
}

const laneOf = 'SELECT id FROM sessions WHERE tenant = '

/** The table that a relation is in. */
export function tableOf(relation: Relation, dialect: Dialect): string {
  return relation[dialect]?.table ?? relation.name
}

/** Reads the rows of a relation in order, of one tenant where `of` stands for it in the statement. */
export function selectOf(relation: Relation, dialect: Dialect, of?: string): string {
  const from = relation[dialect]?.from ?? tableOf(relation, dialect)
  const where = of === undefined ? '' : ownerCondition(relation, dialect, of)
  return `SELECT ${relation.columns.join(', ')} FROM ${from} AS kept${where && ` WHERE ${where}`} ORDER BY ${relation.key.join(', ')}`
}

/** Empty where the rows belong to nobody. */
function ownerCondition({ of }: Relation, dialect: Dialect, tenant: string): string {
  if (of === 'tenant') return `tenant = ${tenant}`
  if (of === 'session') return `session_id IN (${laneOf}${tenant})`
  if (of === 'receipt') return `sequence IN (SELECT sequence FROM receipts WHERE tenant = ${tenant})`
  if (of === 'owner') return `value = ${tenant}`
  if (of === 'policy') return `key IN (SELECT ${policyIn[dialect]} FROM receipts WHERE tenant = ${tenant})`
  return ''
}

/** What stands for the tenant in the condition of a relation. */
export function ownerValue({ of }: Relation, tenant: string): string | undefined {
  if (of === 'installation') return undefined
  return of === 'owner' ? JSON.stringify(tenant) : tenant
}

interface DropRows {
  readonly name: string
  /** Of a tenant and of how many rows at most. */
  readonly sql: string
  valueOf(tenant: string): string
}

/** What removes the rows of a tenant that do not go with its sessions. */
export function dropRows(dialect: Dialect, relations: readonly Relation[]): readonly DropRows[] {
  const [tenant, limit] = dialect === 'sqlite' ? ['?', '?'] : ['$1', '$2']
  const own = relations.filter(({ of, name }) => (of === 'tenant' && name !== 'lanes') || of === 'owner')
  return own.map((relation) => {
    const [table, key] = [tableOf(relation, dialect), relation.key.join(', ')]
    const where = ownerCondition(relation, dialect, tenant)
    return {
      name: relation.name,
      sql: `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${where} LIMIT ${limit})`,
      valueOf: (name) => (relation.of === 'owner' ? JSON.stringify(name) : name),
    }
  })
}

/** Policies that no receipt names any more. */
export function unusedPolicies(relation: Relation, dialect: Dialect): string {
  const key = dialect === 'sqlite' ? 'substr(name, 8)' : 'key'
  const own = dialect === 'sqlite' ? `name LIKE 'policy/%' AND ` : ''
  return `DELETE FROM ${tableOf(relation, dialect)} WHERE ${own}${key} NOT IN
    (SELECT ${policyIn[dialect]} FROM receipts WHERE input IS NOT NULL AND ${policyIn[dialect]} IS NOT NULL)`
}

/** Every tenant of whom there is a row; '' stands for the installation itself. */
export function tenantsSql(dialect: Dialect, relations: readonly Relation[]): string {
  const tables = new Set(relations.filter(({ of }) => of === 'tenant').map((one) => tableOf(one, dialect)))
  return [...tables].map((table) => `SELECT tenant FROM ${table}`).join(' UNION ') + ' ORDER BY tenant'
}

/** Refuses to write data of a tenant of whom there is some. */
export function requireAbsent(tenants: readonly string[], there: readonly string[]): void {
  const [taken] = tenants.filter((tenant) => there.includes(tenant))
  if (taken === undefined) return
  const what = taken === '' ? 'the installation itself' : `the tenant ${taken}`
  const remedy = 'Import into an empty store (another --data folder or database), or delete that data there first.'
  throw new PrehendError('conflict', `The store already holds data of ${what}. ${remedy}`, { what, remedy })
}

/** Adds to numbers of sessions and receipts, so that they do not meet those that are there. */
export function shifted(
  { columns }: Relation,
  cells: readonly (string | number | null)[],
  by: { readonly lanes: number; readonly receipts: number },
): readonly (string | number | null)[] {
  if (by.lanes === 0 && by.receipts === 0) return cells
  return cells.map((cell, at) => {
    if (typeof cell !== 'number') return cell
    if (columns[at] === 'session_id') return cell + by.lanes
    return columns[at] === 'sequence' ? cell + by.receipts : cell
  })
}
