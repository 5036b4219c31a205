import type { Item, Outcome } from '../../core/index.ts'
import { defaultPolicy } from '../../compiler/index.ts'
import { compile } from '../../sessions/index.ts'
import type { CompileRequest } from '../../sessions/index.ts'

/** One of each vocabulary. */
const models = ['claude-sonnet-4-6', 'gpt-5.1'] as const

/** Conversations of each model: more of them make the first reading no quicker. */
const rounds = 2

/**
 * Packs conversations that nobody has had, one after the other, so that the first that somebody looks at meets vocabularies that are
 * there and code that has run. Ends early when `isAsked` says that somebody waits. Gives what came of each.
 */
export async function warmUp(isAsked: () => boolean): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  for (let round = 0; round < rounds; round += 1)
    for (const model of models) {
      // What was asked meanwhile is heard of here.
      await new Promise((done) => void setImmediate(done))
      if (isAsked()) return outcomes
      outcomes.push(compile(madeUp(model, round)).outcome)
    }
  return outcomes
}

const steps = 12

/** An agent that reads files until its window is full; what one of them reads no other does, for counts are remembered. */
function madeUp(model: string, round: number): CompileRequest {
  const reads = Array.from({ length: steps }, (_, step) => oneRead(step, `${model} ${round}`))
  return {
    items: [
      { id: 'role', section: 'role', kind: 'instruction', role: 'system', text: 'You repair programs.' },
      { id: 'task', section: 'task', kind: 'text', role: 'user', text: `Repair the failing test ${round}.` },
      ...reads.flat(),
    ],
    layout: 'messages',
    policy: defaultPolicy,
    budget: { windowTokens: 12_000 },
    rehydration: true,
    model,
  }
}

function oneRead(step: number, name: string): readonly Item[] {
  const turn = {
    section: 'history',
    birthTurn: step,
    group: `read-${step}`,
    toolCallId: `call-${step}`,
    toolName: 'read',
  } as const
  const lines = Array.from(
    { length: 60 },
    (_, line) => `${line}: export const value${line} = total('${name} ${step}', ${line * 7})`,
  )
  return [
    { ...turn, id: `call-${step}`, kind: 'tool-call', role: 'assistant', text: `{"path":"src/${step}.ts"}` },
    { ...turn, id: `result-${step}`, kind: 'tool-result', role: 'tool', text: lines.join('\n') },
  ]
}
