import type postgres from 'postgres'
import { within } from '../../host/index.ts'
import type { PostgresRow, PostgresValue } from '../kernel/table.ts'
import { escaped, restored } from '../kernel/escape.ts'
import { connectionError } from './postgres-errors.ts'

export type Postgres = typeof postgres
type Client = ReturnType<Postgres>
type Reserved = Awaited<ReturnType<Client['reserve']>>

export interface ConnectionOptions {
  readonly url: string
  readonly schema: string
  /** How long the server may take to accept a connection or for a statement. */
  readonly timeoutMs: number
  /** Called when a connection that had answered is lost, and not again before one answers. */
  readonly whenLost?: () => void
}

/** Statements of one transaction, which are sent in order and without waiting for each other. */
export interface Statements {
  ask(sql: string, values?: readonly PostgresValue[]): Promise<Answer>
}

export interface Answer {
  readonly rows: readonly PostgresRow[]
  /** Rows that the statement gave or changed. */
  readonly count: number
}

/** One transaction after the other. A connection that is lost is made again for the next one. */
export interface Connection {
  /** Runs work in a transaction that begins with a statement, and takes it back where the work fails. */
  transaction<Result>(begin: string, work: (on: Statements) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

/** How much longer than a statement may take an answer is waited for: a server that answers nothing cannot end the statement itself. */
const patience = 1.5
const betweenTriesMs = 100

export function connection(open: Postgres, options: ConnectionOptions): Connection {
  const clients = renewedClients(open, options)
  const waitMs = patience * options.timeoutMs

  const reserve = async (): Promise<Reserved> => {
    try {
      // A driver whose connection is lost while it is being given out may answer nothing at all.
      const { client, opened } = clients.current()
      return await within(
        opened().then(() => client.reserve()),
        waitMs,
        () => unanswered(waitMs),
      )
    } catch (error) {
      // The client keeps what it has refused in its queue, and would give the next connection to that.
      clients.renew()
      throw error
    }
  }

  return {
    async transaction(begin, work) {
      const reserved = await reserve()
      const used = clients.current()
      const silent = (): void => {
        used.lost?.(unanswered(waitMs))
        clients.renew()
      }
      const line = openLine(reserved, { waitMs, silent })
      used.lost = line.lose
      try {
        const result = await transact(line, begin, work)
        clients.answered()
        return result
      } finally {
        used.lost = undefined
        if (!line.isLost()) reserved.release()
      }
    },
    close: clients.close,
  }
}

function unanswered(waitMs: number): Error {
  return connectionError(`the server does not answer within ${waitMs} ms`)
}

interface Connected {
  readonly client: Client
  /** Resolves once the server has answered. Without types to fetch, the driver gives out a connection that stands, and none that it opens. */
  opened(): Promise<unknown>
  /** Ends the transaction that is under way through it. */
  lost: ((error: Error) => void) | undefined
}

interface RenewedClients {
  current(): Connected
  /** Gives the client up that is at hand, and makes another. */
  renew(): void
  /** The server has answered the client that is at hand. */
  answered(): void
  close(): Promise<void>
}

/**
 * A client of its own for each connection: only so it is certain which connection was lost. A client that was given up may say late that its
 * connection is lost, when the next one is at work.
 */
function renewedClients(open: Postgres, options: ConnectionOptions): RenewedClients {
  let isUp = false
  const noteLoss = (): void => {
    if (isUp) options.whenLost?.()
    isUp = false
  }
  const connect = (): Connected => {
    let answer: Promise<unknown> | undefined
    const ofClient = clientOptions(options, (error) => {
      answer = undefined
      if (connected === current) noteLoss()
      connected.lost?.(error)
    })
    const client = open(options.url, ofClient)
    const opened = (): Promise<unknown> => (answer ??= Promise.resolve(client.unsafe('SELECT 1')))
    const connected: Connected = { client, opened, lost: undefined }
    return connected
  }
  let current = connect()
  return {
    current: () => current,
    renew() {
      noteLoss()
      const { client } = current
      current = connect()
      void client.end({ timeout: 0 })
    },
    answered: () => void (isUp = true),
    close() {
      isUp = false
      return current.client.end({ timeout: 5 })
    },
  }
}

function clientOptions({ schema, timeoutMs }: ConnectionOptions, lost: (error: Error) => void) {
  return {
    max: 1,
    max_lifetime: null,
    backoff: () => betweenTriesMs / 1000,
    connect_timeout: Math.ceil(timeoutMs / 1000),
    onnotice: () => undefined,
    onclose: () => lost(connectionError('the connection to the server was lost')),
    // Else the driver asks the server for its array types with each connection, and a loss meanwhile is a rejection that nothing catches.
    fetch_types: false,
    types: {
      bigint: { to: 20, from: [20], serialize: String, parse: Number },
      // `int[]` and `bigint[]`, as answers have them; as values, arrays are texts.
      numbers: { to: 1007, from: [1007, 1016], serialize: String, parse: numbersIn },
    },
    connection: {
      application_name: 'prehend',
      search_path: `"${schema}"`,
      synchronous_commit: 'on',
      statement_timeout: timeoutMs,
      // Less than a statement may take, so that it is known what was waited for.
      lock_timeout: Math.ceil(timeoutMs / 2),
      idle_in_transaction_session_timeout: timeoutMs,
    },
  }
}

interface Line extends Statements {
  /** Resolves when all that was asked is answered. Rejects with the first failure. */
  answered(): Promise<unknown>
  lose(error: Error): void
  isLost(): boolean
}

/** A connection that is lost takes its transaction with it: nothing more is sent, since it would be sent through another connection. */
function openLine(
  reserved: Reserved,
  { waitMs, silent }: { readonly waitMs: number; readonly silent: () => void },
): Line {
  const { promise: loss, reject } = Promise.withResolvers<never>()
  loss.catch(() => undefined)
  let isLost = false
  /** Those that have not succeeded. */
  const asked = new Set<Promise<Answer>>()
  const send = async (sql: string, values: readonly PostgresValue[]): Promise<Answer> => {
    if (isLost) return loss
    const timer = setTimeout(silent, waitMs)
    try {
      const sent = reserved.unsafe(sql, values.map(toColumn) as never[], { prepare: true })
      const rows = await Promise.race([sent, loss])
      return { rows: (rows as readonly PostgresRow[]).map(fromColumns), count: rows.count }
    } finally {
      clearTimeout(timer)
    }
  }
  return {
    ask(sql, values = []) {
      const answer = send(sql, values)
      asked.add(answer)
      answer.then(
        () => asked.delete(answer),
        () => undefined,
      )
      return answer
    },
    async answered() {
      // Whoever has the connection next must not find a statement under way.
      const last = [...asked]
      await Promise.allSettled(last)
      return Promise.all(last)
    },
    lose(error) {
      isLost = true
      reject(error)
    },
    isLost: () => isLost,
  }
}

async function transact<Result>(line: Line, begin: string, work: (on: Statements) => Promise<Result>): Promise<Result> {
  void line.ask(begin)
  let result: Result
  try {
    result = await work(line)
  } catch (error) {
    void line.ask('ROLLBACK')
    // The first statement that failed is the reason; those after it only say that it has failed.
    await line.answered()
    throw error
  }
  // If a statement has failed, COMMIT takes the transaction back.
  void line.ask('COMMIT')
  await line.answered()
  return result
}

function toColumn(value: PostgresValue): unknown {
  if (typeof value === 'string') return escaped(value)
  if (typeof value === 'object' && value !== null) return arrayText(value)
  return value ?? null
}

/** The numbers of `{1,2}`. */
function numbersIn(text: string): readonly number[] {
  return text === '{}' ? [] : text.slice(1, -1).split(',').map(Number)
}

/** An array as PostgreSQL writes it: `{"a","b",NULL}`. */
function arrayText(values: readonly (string | number | null)[]): string {
  const texts = values.map((one) => {
    if (one === null) return 'NULL'
    const text = typeof one === 'string' ? escaped(one) : String(one)
    return `"${text.replaceAll(/[\\"]/g, '\\$&')}"`
  })
  return `{${texts.join()}}`
}

function fromColumns(row: PostgresRow): PostgresRow {
  const found: Record<string, unknown> = {}
  for (const name in row) {
    const value = row[name]
    found[name] = typeof value === 'string' ? restored(value) : value
  }
  return found
}
