/** A session as `replay` reads it. */
export interface MadeSession {
  readonly id: string
  readonly messages: readonly object[]
}

/** Writes a session down, message by message. */
export interface Talk {
  user(this: void, text: string): void
  /** The model calls a tool and reads what it returns. */
  step(this: void, call: ToolStep): void
  answer(this: void, text: string): void
  session(this: void): MadeSession
}

export interface ToolStep {
  readonly tool: string
  readonly given: Readonly<Record<string, unknown>>
  readonly result: string
  /** What the model says beside the call. */
  readonly says?: string
}

export function talk(id: string, system: string): Talk {
  const messages: object[] = [{ role: 'system', content: system }]
  let calls = 0
  return {
    user: (content) => void messages.push({ role: 'user', content }),
    step({ tool: name, given, result: content, says = null }) {
      calls += 1
      const callId = `call_${calls}`
      const called = { id: callId, type: 'function', function: { name, arguments: JSON.stringify(given) } }
      messages.push({ role: 'assistant', content: says, tool_calls: [called] })
      messages.push({ role: 'tool', tool_call_id: callId, content })
    },
    answer: (content) => void messages.push({ role: 'assistant', content }),
    session: () => ({ id, messages }),
  }
}

/** A maker of sessions of one kind: the same bytes for the same seed and layout. */
export type SessionMaker = (options: {
  readonly id: string
  readonly seed: number
  readonly layout: number
}) => MadeSession

/** The sentences that agents of this kind are told; long enough that a provider caches what follows. */
export function instructions(role: string): string {
  return [
    `You are ${role}.`,
    'Work step by step. Use the tools to find out what you need, and never guess a value that a tool can tell you.',
    'Quote figures, names and dates exactly as they were shown. When a task asks for a record, write it with the tool that keeps records.',
    'When several pages or files have to be compared, look at all of them before you answer. Say so where something could not be found.',
    'Do not repeat long passages in your answers. Ask before you buy, send or delete anything.',
  ].join('\n')
}

/** The last ones of a list and the first ones in turn, without end. */
export function around<Value>(list: readonly Value[], at: number): Value {
  return list[((at % list.length) + list.length) % list.length] as Value
}

/** A list in an order of chance. */
export function shuffled<Value>(list: readonly Value[], upTo: (limit: number) => number): readonly Value[] {
  const mixed = [...list]
  for (let at = mixed.length - 1; at > 0; at -= 1) {
    const other = upTo(at + 1)
    const [one, two] = [mixed[at] as Value, mixed[other] as Value]
    mixed[at] = two
    mixed[other] = one
  }
  return mixed
}
