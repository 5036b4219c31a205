import { PrehendError } from '../../core/index.ts'
import { hostModule } from '../kernel/host-module.ts'
import type { PortableStore } from '../kernel/portable.ts'
import { headerOf } from './file-form.ts'
import type { ExportEnd } from './file-form.ts'

export interface ExportOptions {
  /** All tenants and the installation where absent. */
  readonly tenant?: string | undefined
  /** The version of Prehend that writes. */
  readonly version: string
  /** Takes the file piece by piece; the next one comes when it is done. */
  write(text: string): void | Promise<void>
  /** Told now and then how many rows are written. */
  told?(rows: number): void
}

export interface Exported extends ExportEnd {
  readonly tenants: readonly string[]
}

/** Characters that are written together. */
const pieceChars = 65_536

/** Writes a store as JSON lines, from one state of it. Rejects with `not-found` where there is nothing of the tenant. */
export async function exportStore(from: PortableStore, options: ExportOptions): Promise<Exported> {
  const { tenant, version, write, told } = options
  const hash = hostModule('node:crypto').createHash('sha256')
  const rows: Record<string, number> = {}
  let tenants: readonly string[] = []
  let count = 0
  let piece = ''
  const flush = (): void | Promise<void> => {
    const text = piece
    piece = ''
    hash.update(text)
    return write(text)
  }
  const add = (line: unknown): void | Promise<void> => {
    piece += `${JSON.stringify(line)}\n`
    return piece.length > pieceChars ? flush() : undefined
  }
  await from.read(tenant, {
    tenants(found) {
      if (tenant !== undefined && found.length === 0) throw noTenant(tenant)
      tenants = found
      return add(headerOf({ version, tenants: found, relations: from.relations }))
    },
    row({ relation, cells }) {
      rows[relation] = (rows[relation] ?? 0) + 1
      count += 1
      if (count % 1000 === 0) told?.(count)
      return add([relation, ...cells])
    },
  })
  await flush()
  const end: ExportEnd = { rows, sha256: hash.digest('hex') }
  await write(`${JSON.stringify({ end })}\n`)
  return { ...end, tenants }
}

function noTenant(tenant: string): PrehendError<'not-found'> {
  const what = `tenant ${tenant}`
  const remedy = 'Check the name: prehend tenants list.'
  return new PrehendError('not-found', `There is nothing of the ${what} in the store. ${remedy}`, { what, remedy })
}
