import type { prehendMiddleware } from '../ai-sdk/index.ts'
import { withOwn } from '../neutral/index.ts'
import { asBefore, asLater } from './finish-parts.ts'

type WrapStream = NonNullable<ReturnType<typeof prehendMiddleware>['wrapStream']>
type Asked = Parameters<WrapStream>[0]
type Params = Asked['params']
type Result = Awaited<ReturnType<WrapStream>>
type Part = Parameters<typeof asLater>[0]

/** A model as Mastra has it: both ways to ask it give a stream. */
interface StreamedModel {
  readonly specificationVersion: string
  readonly provider: string
  readonly modelId: string
  doGenerate(params: Params): PromiseLike<Result>
  doStream(params: Params): PromiseLike<Result>
}

/** The same model, whose calls are packed. */
export function packedModel(given: object, { wrapStream }: ReturnType<typeof prehendMiddleware>): object {
  const model = given as StreamedModel
  const isBefore = model.specificationVersion === 'v2'
  const wrapped = (way: 'doGenerate' | 'doStream') => async (params: Params) => {
    const ask = async (packed: Params): Promise<Result> => {
      const result = await model[way](packed)
      return isBefore ? { ...result, stream: mapped(result.stream, asLater) } : result
    }
    const whole = {
      doStream: () => ask(params),
      doGenerate: nothing,
      params,
      model: { ...namesOf(model), doStream: ask },
    }
    const result = (await wrapStream?.(whole as unknown as Asked)) as Result
    return isBefore ? { ...result, stream: mapped(result.stream, asBefore) } : result
  }
  return withOwn(model, { doGenerate: wrapped('doGenerate'), doStream: wrapped('doStream') })
}

function namesOf({ provider, modelId }: StreamedModel): Pick<StreamedModel, 'provider' | 'modelId'> {
  return { provider, modelId }
}

function nothing(): never {
  throw new TypeError('nothing is asked for in one piece')
}

function mapped(stream: Result['stream'], change: (part: Part) => Part): Result['stream'] {
  const changed = new TransformStream<Part, Part>({ transform: (part, out) => out.enqueue(change(part)) })
  return (stream as unknown as ReadableStream<Part>).pipeThrough(changed) as unknown as Result['stream']
}
