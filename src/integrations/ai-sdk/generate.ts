import type { AnsweredPart } from '../neutral/index.ts'
import type { Begun } from './begun.ts'
import { readResult } from './read-result.ts'
import type { Content, GenerateResult, Params } from './types.ts'

/** One whole answer: asks again for as long as the model calls nothing but tools of ours. */
export async function generate(
  { packed, ask }: Begun,
  doGenerate: (params: Params) => PromiseLike<GenerateResult>,
): Promise<GenerateResult> {
  let result = await ask(packed.shown, doGenerate)
  for (;;) {
    const reply = readResult(result)
    const again = await packed.next(reply)
    if (again === undefined) return { ...result, ...finished(await packed.answered(reply), result) }
    result = await ask(again, doGenerate)
  }
}

type Finished = Pick<GenerateResult, 'content' | 'finishReason'>

/** What the caller sees; where no call is left, the model has not stopped to wait for one. */
export function finished(
  parts: readonly AnsweredPart<Content>[],
  { finishReason }: Omit<Finished, 'content'>,
): Finished {
  const content = parts.map(({ from, input }): Content => {
    return input === undefined || from.type !== 'tool-call' ? from : { ...from, input: JSON.stringify(input) }
  })
  const isOver = finishReason.unified === 'tool-calls' && content.every(({ type }) => type !== 'tool-call')
  return { content, finishReason: isOver ? { ...finishReason, unified: 'stop' } : finishReason }
}
