import { BaseLlm } from '@google/adk'
import type { BaseLlmConnection, LlmRequest, LlmResponse } from '@google/adk'
import type { Part } from './types.ts'

export type Sent = Pick<LlmRequest, 'contents' | 'config'>

/** A model that gives these answers, each as a stream of responses, and what it was asked. */
export class ScriptedLlm extends BaseLlm {
  readonly asked: Sent[] = []
  readonly #answers: (LlmResponse[] | Error)[]

  constructor(answers: (LlmResponse[] | Error)[]) {
    super({ model: 'gemini-2.5-pro' })
    this.#answers = answers
  }

  override async *generateContentAsync({ contents, config = {} }: LlmRequest): AsyncGenerator<LlmResponse, void> {
    this.asked.push({ contents: [...contents], config })
    const answer = this.#answers.shift() ?? []
    if (answer instanceof Error) throw answer
    yield* structuredClone(answer)
  }

  override connect(): Promise<BaseLlmConnection> {
    throw new Error('nothing is live')
  }
}

/** The package whose enumeration it is is the framework's own. */
export const stopped = { finishReason: 'STOP' } as unknown as LlmResponse

export const says = (parts: Part[], promptTokenCount = 100): LlmResponse => ({
  content: { role: 'model', parts },
  ...stopped,
  usageMetadata: { promptTokenCount, candidatesTokenCount: 5, totalTokenCount: promptTokenCount + 5 },
})

export const calls = (name: string, args: Record<string, unknown>, thoughtSignature?: string): Part => ({
  functionCall: { name, args },
  ...(thoughtSignature !== undefined && { thoughtSignature }),
})

/** Names of the tools that a request offers. */
export const toolsOf = ({ config }: Sent): readonly string[] =>
  (config?.tools ?? []).flatMap((tool) =>
    'functionDeclarations' in tool ? (tool.functionDeclarations ?? []).map(({ name = '' }) => name) : [],
  )
