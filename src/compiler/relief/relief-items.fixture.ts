import type { CompileInput, CompileResult, Item, Layout, ReliefPolicy, ReliefStep } from '../../core/index.ts'
import { compile, evidence, input, itemOf, words } from '../compile-input.fixture.ts'
import { careful } from '../policy/policies.ts'

/** So many lines of ten different words each. */
export const lines = (count: number, name: string): string =>
  Array.from({ length: count }, (_, index) => words(10, `${name}x${index}y`)).join('\n')

/** A tool of about 320 tokens, most of them about its one parameter. */
export const tool = (name: string, description = `Does ${name}.`): Item => ({
  id: name,
  section: 'tools',
  kind: 'tool-schema',
  toolName: name,
  text: JSON.stringify({
    name,
    description,
    input_schema: {
      type: 'object',
      properties: { where: { type: 'string', description: words(300, `${name}w`) } },
      required: ['where'],
    },
  }),
})

/** Rounds of a call and its result of 300 tokens each. */
export const rounds = (count: number, about: Partial<Item> = {}): readonly Item[] =>
  Array.from({ length: count }, (_, at): readonly Item[] => {
    const own = { section: 'history', group: `g${at}`, toolName: 'run', toolCallId: `k${at}`, ...about }
    return [
      { ...own, id: `c${at}`, kind: 'tool-call', role: 'assistant', text: `{"at":${at}}` },
      { ...own, id: `r${at}`, kind: 'tool-result', role: 'tool', text: lines(30, `r${at}`) },
    ]
  }).flat()

/** Twelve sentences. */
export const facts = Array.from(
  { length: 12 },
  (_, at) => `The service number ${at} listens on port ${8000 + at} behind the proxy.`,
)

/** Everything that steps of relief are about. */
export const mixed: readonly Item[] = [
  itemOf('policy', 'p', 'Never delete anything.'),
  tool('alpha'),
  tool('beta'),
  ...rounds(6),
  evidence('e1', `${facts.join('\n')}\n${lines(10, 'e1')}`),
  itemOf('memory', 'm1', facts.join(' ')),
  itemOf('memory', 'm2', lines(30, 'm2'), { scores: { relevance: 0.9 } }),
  itemOf('memory', 'm3', lines(30, 'm3'), { scores: { relevance: 0.1 } }),
]

export interface Packing extends Partial<CompileInput> {
  readonly windowTokens: number
  readonly relief: ReliefPolicy
  readonly layout?: Layout
}

/** Packs items by a policy with steps of relief; a conversation ends in a question. */
export function packed({ windowTokens, relief, layout = 'payload', ...changes }: Packing): CompileResult {
  const { items = mixed } = changes
  const asked = layout === 'messages' ? [...items, itemOf('history', 'ask', 'What now?', { role: 'user' })] : items
  const policy = { ...careful, ...changes.policy, id: 'relieving', relief }
  return compile(input({ budget: { windowTokens }, ...changes, items: asked, layout, policy }))
}

export const stepsOf = ({ manifest }: CompileResult): readonly ReliefStep[] =>
  (manifest.relief?.steps ?? []).map(({ step }) => step)

/** The rung of each item, by its id. */
export const rungsOf = ({ manifest }: CompileResult): Readonly<Record<string, string>> =>
  Object.fromEntries(manifest.decisions.map(({ itemId, rung }) => [itemId, rung]))

/** Turns of a user and a model, of about 400 tokens together. */
export const turns = (count: number): readonly Item[] =>
  Array.from({ length: count }, (_, at): readonly Item[] => [
    itemOf('history', `u${at}`, `Question ${at}\n${lines(5, `u${at}`)}`, { role: 'user' }),
    itemOf('history', `a${at}`, `Answer ${at}\n${lines(30, `a${at}`)}`, { role: 'assistant' }),
  ]).flat()
