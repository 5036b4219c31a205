import { readFile, writeFile } from 'node:fs/promises'
import { PrehendError, invalidInput } from '../core/index.ts'
import type { ShownArtifact } from '../gateway/index.ts'
import { artifactClasses } from '../stores/index.ts'
import type { ArtifactClass } from '../stores/index.ts'
import { withArtifacts } from './artifacts-place.ts'
import type { ArtifactsPlace, GotArtifact } from './artifacts-place.ts'
import { command } from './command.ts'
import { blobsOption } from './gateway-file.ts'
import { placeOptions } from './keys-place.ts'
import { errnoOf } from './listening.ts'
import { printable } from './printable.ts'
import { fittedTable } from './text-table.ts'
import { momentText } from './time-text.ts'
import type { Io } from './io.ts'

const actions = ['list', 'put', 'get', 'delete', 'hold'] as const

export const artifactsCommand = command({
  name: 'artifacts',
  about: 'store, read, list, remove and hold the artifacts of tasks',
  details: [
    'An artifact is bytes with a URI: artifact://tasks/TASK/step-N/NAME. The scheme may be left out. Every put adds a version.',
    'prehend artifacts list PREFIX. prehend artifacts put URI FILE, - for standard input.',
    'prehend artifacts get URI prints a text; for everything else name a file with --out. artifact://sha256/HASH is the artifact with these bytes.',
    'prehend artifacts delete URI removes all versions, or one by --version. prehend artifacts hold URI keeps them from being removed or expiring, until --off.',
  ],
  positional: {
    name: 'ACTION',
    about: 'list, put, get, delete or hold; then a URI or, for list, what the paths begin with; of put then a FILE',
    least: 0,
    most: 3,
  },
  options: {
    ...placeOptions,
    tenant: { type: 'text', about: 'of a store: whose artifacts', placeholder: 'TENANT', fallback: 'default' },
    blobs: { ...blobsOption, fallback: 'the folder blobs beside the store' },
    type: {
      type: 'text',
      about: 'of put: the media type',
      placeholder: 'TYPE',
      fallback: 'by the ending of the name, else application/octet-stream',
    },
    class: {
      type: 'text',
      about: 'of put: the retention class',
      placeholder: 'CLASS',
      choices: artifactClasses,
      fallback: 'evidence',
    },
    new: { type: 'flag', about: 'of put: fail where there is a version already' },
    version: { type: 'number', about: 'of get, delete and hold: this version', placeholder: 'N', min: 1 },
    out: { type: 'text', about: 'of get: write the bytes to this file', placeholder: 'FILE' },
    off: { type: 'flag', about: 'of hold: lift it' },
    versions: { type: 'flag', about: 'of list: all versions' },
    limit: { type: 'number', about: 'of list: how many', placeholder: 'N', min: 1, max: 1000, fallback: '100' },
  },
  examples: [
    'prehend artifacts put tasks/42/step-1/report.md report.md',
    'prehend artifacts get artifact://tasks/42/step-1/report.md --version 1',
    'prehend artifacts list tasks/42/ --url http://127.0.0.1:8484 --json',
    'prehend artifacts hold tasks/42/step-1/report.md',
  ],
  async run({ options, positionals: [action = 'list', name = '', file], io }) {
    requireArguments(action, name, file)
    const { version, json = false } = options
    const told = (value: object, text: string): void => io.out(json ? `${JSON.stringify(value)}\n` : text)
    await withArtifacts(options, io, async (artifacts: ArtifactsPlace) => {
      if (action === 'list') {
        const { versions = false, limit = 100 } = options
        const found = await artifacts.list({ prefix: name.replace(/^artifact:\/\//, ''), versions, limit })
        return told({ artifacts: found }, artifactTable(found, io.columns))
      }
      if (action === 'put') {
        const { type = typeOf(name), new: onlyNew = false } = options
        const of = options.class as ArtifactClass | undefined
        const bytes = await bytesIn(file ?? '', io)
        const stored = await artifacts.put({ uri: name, bytes, mediaType: type, class: of, onlyNew })
        return told(stored, `${stored.uri} version ${stored.version}, ${stored.sizeBytes} bytes\n`)
      }
      const asked = { uri: name, version }
      if (action === 'get') return shown(await artifacts.get(asked), { io, json, out: options.out })
      const changed = action === 'delete' ? await artifacts.drop(asked) : await artifacts.hold(asked, !options.off)
      const done = action === 'delete' ? 'removed' : options.off ? 'released' : 'on hold'
      return told(changed, `${changed.versions} ${changed.versions === 1 ? 'version' : 'versions'} ${done}\n`)
    })
  },
})

interface Showing {
  readonly io: Io
  readonly json: boolean
  readonly out: string | undefined
}

async function shown({ bytes, ...about }: GotArtifact, { io, json, out }: Showing): Promise<void> {
  if (out !== undefined) await writeFile(out, bytes)
  if (json)
    return io.out(`${JSON.stringify({ ...about, sizeBytes: bytes.length, ...(out !== undefined && { out }) })}\n`)
  if (out !== undefined) return io.err(`${about.uri} version ${about.version}, ${bytes.length} bytes, in ${out}\n`)
  io.out(textIn(bytes))
}

function textIn(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    if (!text.includes('\0')) return text
  } catch {
    // It is no text.
  }
  throw invalidInput('--out', 'is missing, and the artifact is no text', 'Name the file that it is to be written to.')
}

async function bytesIn(file: string, io: Io): Promise<Uint8Array<ArrayBuffer>> {
  if (file === '-') return new TextEncoder().encode(await io.readInput())
  try {
    return new Uint8Array(await readFile(file))
  } catch (error) {
    const remedy = 'Check the path.'
    const message = `${file} cannot be read (${errnoOf(error)}). ${remedy}`
    throw new PrehendError('not-found', message, { what: file, remedy }, error)
  }
}

const types: Readonly<Record<string, string>> = {
  md: 'text/markdown',
  txt: 'text/plain',
  log: 'text/plain',
  json: 'application/json',
  csv: 'text/csv',
  html: 'text/html',
  diff: 'text/x-diff',
  patch: 'text/x-diff',
  png: 'image/png',
  jpg: 'image/jpeg',
  pdf: 'application/pdf',
}

function typeOf(name: string): string {
  const ending = name.split('.').at(-1) ?? ''
  return (Object.hasOwn(types, ending) ? types[ending] : undefined) ?? 'application/octet-stream'
}

function artifactTable(artifacts: readonly ShownArtifact[], columns?: number): string {
  if (artifacts.length === 0) return 'There are no artifacts.\n'
  const head = ['uri', 'version', 'bytes', 'type', 'class', 'hold', 'created']
  const rows = artifacts.map(({ uri, version, sizeBytes, mediaType, class: of, hold, createdMs }) => [
    printable(uri),
    String(version),
    String(sizeBytes),
    mediaType,
    of,
    hold ? 'yes' : '',
    momentText(createdMs),
  ])
  return `${fittedTable(head, rows, { columns, drop: ['hold', 'type', 'class', 'created'] })}\n`
}

function requireArguments(action: string, name: string, file: string | undefined): void {
  if (!(actions as readonly string[]).includes(action))
    throw invalidInput('ACTION', `${JSON.stringify(action)} is not known`, `Use one of ${actions.join(', ')}.`)
  if (action !== 'list' && name === '')
    throw invalidInput('URI', 'is missing', 'Name one such as tasks/42/step-1/report.md.')
  if (action === 'put' && file === undefined)
    throw invalidInput('FILE', 'is missing', 'Name a file, or - for standard input.')
  if (action !== 'put' && file !== undefined) throw invalidInput('FILE', `is not for ${action}`, 'Leave it out.')
}
