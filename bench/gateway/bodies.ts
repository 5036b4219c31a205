import { recordedBodies } from './recorded-bodies.ts'

/** `recorded`: sessions of real agents. */
export type BodySize =
  | 'small'
  | 'small, new sessions'
  | '220KB'
  | '100K tokens'
  | '170K tokens'
  | '170K tokens, new sessions'
  | 'recorded'

export interface BodyOptions {
  readonly size: BodySize
  readonly stream: boolean
  readonly seed: number
}

/** Turns of a session before the next one begins. */
function turnsOf(size: BodySize): number {
  if (size === '170K tokens, new sessions') return 1
  return size === '170K tokens' ? 500 : 20
}

const baseChars: { readonly [Size in Exclude<BodySize, 'recorded'>]: number } = {
  'small': 0,
  'small, new sessions': 0,
  '220KB': 220_000,
  '100K tokens': 400_000,
  '170K tokens': 680_000,
  '170K tokens, new sessions': 680_000,
}

const tools = [
  {
    type: 'function',
    function: {
      name: 'read_file',
      description: 'Reads a file of the repository.',
      parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    },
  },
]

/**
 * Bodies as an agent sends them: each request of a session repeats the one before and adds a call and its result; after
 * a while another session begins. Small ones are one question, the same again and again or a new one each time.
 */
export function sessionBodies({ size, stream, seed }: BodyOptions): () => string {
  if (size === 'recorded') return recordedBodies(stream, seed)
  let session = 0
  let turn = turnsOf(size)
  let open = ''
  const head = `{"model":"gpt-5.1",${stream ? '"stream":true,' : ''}`
  return () => {
    if (size === 'small') return `${head}"messages":[${small(seed, 1)}]}`
    if (size === 'small, new sessions') return `${head}"messages":[${small(seed, (session += 1))}]}`
    if (turn === turnsOf(size)) {
      session += 1
      turn = 0
      open = `${head}"tools":${JSON.stringify(tools)},"messages":[${small(seed, session)}`
      for (let number = 1; open.length < baseChars[size]; number += 1) open += step(seed, session, number, 9000)
    }
    turn += 1
    open += step(seed, session, 1000 + turn, 2000)
    return `${open}]}`
  }
}

function small(seed: number, session: number): string {
  const system = {
    role: 'system',
    content: 'You are a careful engineer who answers in few words and cites the files you read.',
  }
  const user = {
    role: 'user',
    content: `Question ${seed}.${session}: which module owns the retry policy, and why is it there?`,
  }
  return `${JSON.stringify(system)},${JSON.stringify(user)}`
}

function step(seed: number, session: number, number: number, chars: number): string {
  const id = `call_${seed}_${session}_${number}`
  const call = {
    id,
    type: 'function',
    function: { name: 'read_file', arguments: `{"path":"src/module-${number}.ts"}` },
  }
  const assistant = { role: 'assistant', content: null, tool_calls: [call] }
  const tool = { role: 'tool', tool_call_id: id, content: source(seed * 7919 + session * 104_729 + number, chars) }
  return `,${JSON.stringify(assistant)},${JSON.stringify(tool)}`
}

const nouns = ['session', 'ledger', 'request', 'budget', 'handle', 'policy', 'window', 'receipt', 'token', 'prefix']
const verbs = ['read', 'write', 'count', 'merge', 'trim', 'resolve', 'encode', 'verify', 'close', 'open']

/** Lines that look like code and are new every time. */
function source(seed: number, chars: number): string {
  let state = seed >>> 0
  const next = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  const lines: string[] = []
  for (let size = 0; size < chars;) {
    const [verb, noun] = [verbs[next(10)], nouns[next(10)]]
    const line = `  const ${verb}${next(100_000)} = await ${verb}(${noun}.${nouns[next(10)]}, { limit: ${next(1000)}, retry: ${next(2) === 1} })`
    lines.push(line)
    size += line.length + 1
  }
  return lines.join('\n')
}
