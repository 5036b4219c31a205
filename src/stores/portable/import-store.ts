import { hostModule } from '../kernel/host-module.ts'
import type { PortableCell, PortableRow, PortableStore } from '../kernel/portable.ts'
import { isObject, parsed, readHeader, refused, remedyOfDamage } from './file-form.ts'
import type { ExportEnd, ExportHeader } from './file-form.ts'

export interface ImportOptions {
  /** Told now and then how many rows are read, first to check the file and then to write them. */
  told?(doing: 'checked' | 'written', rows: number): void
}

export interface Imported extends ExportEnd {
  readonly tenants: readonly string[]
}

type Bytes = AsyncIterable<Uint8Array>

/**
 * Writes what `exportStore` has written into a store. The file is read twice: it is checked to its end before anything is written, and
 * what is written becomes visible all at once. So an import that was interrupted has done nothing, and can be run again.
 */
export async function importStore(
  to: PortableStore,
  file: () => Bytes,
  options: ImportOptions = {},
): Promise<Imported> {
  const { told } = options
  const { relations } = to
  const checked = readExport(file(), { relations, told: (rows) => told?.('checked', rows) })
  const { tenants } = await checked.header
  for await (const _ of checked.rows);
  const end = await checked.end()
  const written = readExport(file(), { relations, told: (rows) => told?.('written', rows) })
  await written.header
  await to.write(tenants, written.rows)
  return { ...end, tenants }
}

interface ReadExport {
  readonly header: Promise<ExportHeader>
  /** Throws at its end where the file is not whole. */
  readonly rows: AsyncIterable<PortableRow>
  end(): Promise<ExportEnd>
}

interface Reading extends Pick<PortableStore, 'relations'> {
  told(rows: number): void
}

function readExport(bytes: Bytes, { relations, told }: Reading): ReadExport {
  const hash = hostModule('node:crypto').createHash('sha256')
  const lines = linesOf(bytes)
  const header = first(lines).then((line) => {
    hash.update(`${line}\n`)
    return readHeader(line, relations)
  })
  const ended = Promise.withResolvers<ExportEnd>()
  ended.promise.catch(() => undefined)
  async function* rows(): AsyncIterable<PortableRow> {
    const counts: Record<string, number> = {}
    let count = 0
    let end: ExportEnd | undefined
    await header
    for await (const line of lines) {
      if (end) throw refused('goes on behind its last line', remedyOfDamage)
      const value = parsed(line)
      if (isObject(value)) {
        end = endIn(value)
        continue
      }
      hash.update(`${line}\n`)
      const row = rowIn(value)
      counts[row.relation] = (counts[row.relation] ?? 0) + 1
      count += 1
      if (count % 1000 === 0) told(count)
      yield row
    }
    if (!end) throw refused('is not whole: its last line is missing', 'Copy or export it again; nothing was written.')
    const isSame = JSON.stringify(end.rows) === JSON.stringify(counts) && end.sha256 === hash.digest('hex')
    if (!isSame) throw refused('was changed or damaged: its last line does not fit the others', remedyOfDamage)
    ended.resolve(end)
  }
  return { header, rows: rows(), end: () => ended.promise }
}

function endIn({ end }: Readonly<Record<string, unknown>>): ExportEnd {
  if (!isObject(end) || !isObject(end['rows'])) throw refused('has a damaged line', remedyOfDamage)
  return end as unknown as ExportEnd
}

function rowIn(value: unknown): PortableRow {
  if (!Array.isArray(value) || typeof value[0] !== 'string') throw refused('has a damaged line', remedyOfDamage)
  const [relation, ...cells] = value as [string, ...PortableCell[]]
  return { relation, cells }
}

async function first(lines: AsyncIterator<string>): Promise<string> {
  const { value, done } = await lines.next()
  if (done === true) throw refused('is empty', 'Give a file that prehend export has written.')
  return value
}

/** A last line without its end is none: the file may have been cut there. */
async function* linesOf(bytes: Bytes): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let open: string[] = []
  for await (const chunk of bytes) {
    const parts = decoded(decoder, chunk).split('\n')
    for (const part of parts.slice(0, -1)) {
      yield open.join('') + part
      open = []
    }
    open.push(parts.at(-1) ?? '')
  }
  if (open.join('') !== '')
    throw refused('is not whole: it ends within a line', 'Copy or export it again; nothing was written.')
}

function decoded(decoder: InstanceType<typeof TextDecoder>, chunk: Uint8Array): string {
  try {
    return decoder.decode(chunk, { stream: true })
  } catch {
    throw refused('is no text', 'Give a file that prehend export has written, with .gz at its end if it is compressed.')
  }
}
