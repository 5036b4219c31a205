import type { CompileInput, CompileResult, Item, SummaryPolicy } from '../../core/index.ts'
import { sha256, wordTokenizer, words } from '../compile-input.fixture.ts'
import { createCompiler } from '../create-compiler.ts'
import { careful } from '../policy/policies.ts'

export const says = (role: 'user' | 'assistant', turn: number, text: string): Item => ({
  id: `${role}${turn}`,
  section: 'history',
  kind: 'text',
  role,
  text,
})

/** Turns of 100 tokens, with an order of the user's in the second. */
export const chat = (turns: number, change: (turn: number) => string | undefined = () => undefined): readonly Item[] =>
  Array.from({ length: turns }, (_, at): readonly Item[] => {
    const text =
      at === 1 ? `Never deploy on Fridays. Tell me of ${words(35, 'b')}.` : `Tell me of ${words(40, `u${at}x`)}.`
    return [says('user', at + 1, change(at + 1) ?? text), says('assistant', at + 1, `It is ${words(53, `a${at}x`)}.`)]
  }).flat()

export interface ChatOptions extends SummaryPolicy {
  /** Most tokens of the history. */
  readonly max?: number
  readonly input?: Partial<CompileInput>
}

export const chatInput = (items: readonly Item[], { max, input, ...summaries }: ChatOptions = {}): CompileInput => ({
  items,
  layout: 'messages',
  policy: { ...careful, summaries, ...(max !== undefined && { sections: [{ section: 'history', max }] }) },
  budget: { windowTokens: 100_000 },
  handleKey: 'key',
  rehydration: true,
  ...input,
})

/** Compiles with a compiler that remembers nothing from before. */
export const compiled = (input: CompileInput): CompileResult =>
  createCompiler({ tokenizer: wordTokenizer, hash: sha256 }).compile(input)

/** What is shown of each item, by its id. */
export const shownOf = ({ pack }: CompileResult): Readonly<Record<string, string>> =>
  Object.fromEntries((pack?.entries ?? []).map(({ itemId, text }) => [itemId, text]))

export const summariesIn = ({ pack }: CompileResult): readonly string[] =>
  (pack?.entries ?? []).filter(({ rung }) => rung === 'summary').map(({ text }) => text)
