import { existsSync, readFileSync } from 'node:fs'

/** A recorded session, as far as the ladders' benchmark reads it. */
export interface Trace {
  readonly id: string
  readonly messages: readonly {
    readonly role: string
    readonly content: unknown
    readonly name?: string
    readonly tool_call_id?: string
    readonly returncode?: number
    readonly is_error?: boolean | null
    readonly tool_calls?: readonly { readonly id: string; readonly name: string; readonly arguments: string }[]
  }[]
}

export interface Observation {
  readonly text: string
  readonly toolName?: string | undefined
  /** The arguments of the call that it answers. */
  readonly call?: string | undefined
  /** Index of the message. */
  readonly at: number
  readonly step: number
  /** Whether the call failed, where the recording says so. */
  readonly failed?: boolean | undefined
}

function pathOf(file: string): URL {
  return new URL(`../../shared/data/${file}.jsonl`, import.meta.url)
}

export function jsonLines(file: string): readonly unknown[] {
  const lines = readFileSync(pathOf(file), 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line): unknown => JSON.parse(line))
}

export function traces(file: string): readonly Trace[] {
  return jsonLines(file) as readonly Trace[]
}

/** The tool results of a trace, in order. */
export function* observationsOf({ messages }: Trace): Generator<Observation> {
  const calls = new Map<string, { readonly name: string; readonly arguments: string }>()
  let step = 0
  for (const [at, message] of messages.entries()) {
    for (const call of message.tool_calls ?? []) calls.set(call.id, call)
    if (message.role !== 'tool' || typeof message.content !== 'string') continue
    step++
    const call = calls.get(message.tool_call_id ?? '')
    const { returncode, is_error: isError } = message
    const failed = returncode === undefined ? (isError ?? undefined) : returncode !== 0
    yield { text: message.content, toolName: message.name ?? call?.name, call: call?.arguments, at, step, failed }
  }
}

interface Needle {
  readonly id: string
  readonly needle: string
  readonly src: readonly number[]
}

/** By trace and by message: what later steps needed of it, counted at the newest message that shows it. */
export function needlesOf(file: string): ReadonlyMap<string, Map<number, ReadonlySet<string>>> {
  const byTrace = new Map<string, Map<number, Set<string>>>()
  if (!existsSync(pathOf(`${file}.needles`))) return byTrace
  for (const { id, needle, src } of jsonLines(`${file}.needles`) as readonly Needle[]) {
    const at = src.at(-1)
    if (at === undefined) continue
    const byMessage = byTrace.get(id) ?? new Map<number, Set<string>>()
    byTrace.set(id, byMessage)
    byMessage.set(at, (byMessage.get(at) ?? new Set()).add(needle))
  }
  return byTrace
}
