import { readFile, writeFile } from 'node:fs/promises'
import { PrehendError, invalidInput, isJsonObject, parseJson } from '../core/index.ts'
import { command } from './command.ts'
import { askGateway, askGatewayPlainly } from './gateway-request.ts'
import type { GatewayAddress } from './gateway-request.ts'
import type { Io } from './io.ts'
import { errnoOf } from './listening.ts'
import { printable } from './printable.ts'
import { fittedTable } from './text-table.ts'
import { gatewayOptions, usualGateway } from './usual-gateway.ts'

const actions = ['list', 'search', 'show', 'call', 'add', 'remove', 'client'] as const

export const toolsCommand = command({
  name: 'tools',
  about: 'list, find, show, call, add and remove the tools of a gateway',
  details: [
    'A tool has an id, SERVER::NAME. A name alone is that of a tool of your own, or what models call a tool by.',
    'prehend tools search WORDS finds tools for a task. prehend tools call ID JSON calls one; the exit code is 1 where the call has failed.',
    'prehend tools add ID FILE adds a tool of your own, - for standard input: JSON with description, inputSchema and, where it runs, http.',
    'prehend tools client ID prints a TypeScript function that calls the tool, with its types.',
  ],
  positional: {
    name: 'ACTION',
    about:
      'list, search, show, call, add, remove or client; then an id or, for search, words; of call JSON; of add a file',
    least: 0,
    most: 3,
  },
  options: {
    ...gatewayOptions,
    limit: { type: 'number', about: 'of list and search: how many', placeholder: 'N', min: 1, max: 1000 },
    session: { type: 'text', about: 'of call: the session that it belongs to', placeholder: 'ID' },
    scope: { type: 'list', about: 'of call: a scope that it may use, again for more', placeholder: 'SCOPE' },
    out: { type: 'text', about: 'of client: write it to this file', placeholder: 'FILE' },
  },
  examples: [
    'prehend tools search "read a file"',
    `prehend tools call files::read_text_file '{"path": "README.md"}'`,
    'prehend tools add open_ticket ticket.json',
    'prehend tools client files::read_text_file --out read-text-file.ts',
  ],
  async run({ options, positionals: [action = 'list', name = '', given], io }) {
    requireArguments(action, name, given)
    const { url = usualGateway, token, json = false } = options
    const at = { url, token }
    const told = (value: object, text: string): void => io.out(json ? `${JSON.stringify(value)}\n` : text)
    const path = `/v1/tools/${encodeURIComponent(name)}`
    if (action === 'list' || action === 'search') {
      const query = new URLSearchParams({
        ...(action === 'search' && { q: name }),
        limit: String(options.limit ?? (action === 'search' ? 5 : 100)),
      })
      const listed = (await askGateway(at, { path: `/v1/tools?${query.toString()}` })) as ToolList
      return told(listed, listText(listed, io.columns))
    }
    if (action === 'show') {
      const shown = (await askGateway(at, { path })) as ShownTool
      return told(shown, toolText(shown))
    }
    if (action === 'call') return called(at, { path, given, options, io, json })
    if (action === 'client') return client(at, { path, name, out: options.out, io, json })
    if (action === 'add') {
      const body = await objectIn(given ?? '', io)
      const added = (await askGateway(at, { method: 'PUT', path, body })) as ShownTool
      return told(added, `added ${added.id}, called ${added.calledAs}\n`)
    }
    const removed = (await askGateway(at, { method: 'DELETE', path })) as {
      readonly id: string
      readonly result: string
    }
    return told(removed, `${removed.result} ${removed.id}\n`)
  },
})

interface ToolRow {
  readonly id: string
  readonly calledAs: string
  readonly line: string
  readonly level: string
  readonly status: string
  readonly why?: string
  readonly heldBack?: { readonly why: string; readonly description: string }
  readonly tokens: number
  readonly usage: { readonly offered: number; readonly called: number; readonly failed: number }
}

interface ToolList {
  readonly data: readonly ToolRow[]
  readonly missing: readonly { readonly server: string; readonly reason: string }[]
}

interface ShownTool extends ToolRow {
  readonly description: string
  readonly inputSchema: object
  readonly warnings: readonly string[]
}

interface CallAnswer {
  readonly ok: boolean
  readonly text?: string
  readonly error?: { readonly code: string; readonly message: string; readonly hint: string }
}

interface Calling {
  readonly path: string
  readonly given: string | undefined
  readonly options: { readonly session?: string; readonly scope?: readonly string[] }
  readonly io: Io
  readonly json: boolean
}

async function called(at: GatewayAddress, { path, given = '{}', options, io, json }: Calling): Promise<number> {
  const { session, scope: scopes } = options
  const value = parseJson(given === '-' ? await io.readInput() : given)
  if (!isJsonObject(value)) throw invalidInput('JSON', 'is no object', `Give one such as '{"path": "README.md"}'.`)
  const body = { arguments: value, ...(session !== undefined && { session }), ...(scopes && { scopes }) }
  const answer = (await askGateway(at, { method: 'POST', path: `${path}/call`, body })) as CallAnswer
  const { ok, text = '', error } = answer
  if (json) io.out(`${JSON.stringify(answer)}\n`)
  else if (ok) io.out(text.endsWith('\n') ? text : `${text}\n`)
  else io.err(`${error?.code}: ${printable(`${error?.message} ${error?.hint}`)}\n`)
  return ok ? 0 : 1
}

interface Writing {
  readonly path: string
  readonly name: string
  readonly out: string | undefined
  readonly io: Io
  readonly json: boolean
}

async function client(at: GatewayAddress, { path, name, out, io, json }: Writing): Promise<void> {
  const answer = await askGatewayPlainly(at, { method: 'GET', path: `${path}/client.ts` })
  const text = await answer.text()
  if (out !== undefined) await writeFile(out, text)
  if (json) io.out(`${JSON.stringify({ id: name, ...(out === undefined ? { text } : { out }) })}\n`)
  else if (out === undefined) io.out(text)
  else io.err(`written to ${out}\n`)
}

function listText({ data, missing }: ToolList, columns?: number): string {
  const head = ['id', 'tokens', 'called', 'failed', 'status', 'what it is']
  const rows = data.map(({ id, tokens, usage, status, line }) => [
    printable(id),
    String(tokens),
    String(usage.called),
    String(usage.failed),
    status,
    printable(line),
  ])
  const table =
    rows.length === 0
      ? 'There are no tools.'
      : fittedTable(head, rows, { columns, drop: ['failed', 'called', 'tokens'], words: ['status', 'what it is'] })
  return `${[table, ...missing.map(({ server, reason }) => `incomplete: ${server}: ${printable(reason)}`)].join('\n')}\n`
}

function toolText({
  id,
  calledAs,
  level,
  status,
  why,
  heldBack,
  description,
  inputSchema,
  warnings,
}: ShownTool): string {
  const held = heldBack === undefined ? [] : [`held back (${heldBack.why}): ${printable(heldBack.description)}`]
  const lines = [
    `${id}, called ${calledAs}, ${level}, ${status}`,
    ...(why === undefined ? [] : [why]),
    ...held,
    ...warnings,
    printable(description),
    JSON.stringify(inputSchema, undefined, 2),
  ]
  return `${lines.join('\n')}\n`
}

async function objectIn(file: string, io: Io): Promise<object> {
  const text = file === '-' ? await io.readInput() : await fileText(file)
  const value = parseJson(text)
  if (isJsonObject(value)) return value
  throw invalidInput('FILE', 'holds no object', 'Give JSON such as {"description": "Opens a ticket."}.')
}

async function fileText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const remedy = 'Check the path.'
    const message = `${file} cannot be read (${errnoOf(error)}). ${remedy}`
    throw new PrehendError('not-found', message, { what: file, remedy }, error)
  }
}

function requireArguments(action: string, name: string, given: string | undefined): void {
  if (!(actions as readonly string[]).includes(action))
    throw invalidInput('ACTION', `${JSON.stringify(action)} is not known`, `Use one of ${actions.join(', ')}.`)
  if (action === 'list' && name !== '') throw invalidInput('ID', 'is not for list', 'Use show or search.')
  if (action !== 'list' && name === '')
    throw invalidInput(
      action === 'search' ? 'WORDS' : 'ID',
      'is missing',
      'Name a tool such as files::read_file, or words.',
    )
  if (action === 'add' && given === undefined)
    throw invalidInput('FILE', 'is missing', 'Name a file, or - for standard input.')
  if (action !== 'add' && action !== 'call' && given !== undefined)
    throw invalidInput('FILE', `is not for ${action}`, 'Leave it out.')
}
