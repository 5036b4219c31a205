import { invalidInput, perObject } from '../core/index.ts'
import type { Media, Tokenizer } from '../core/index.ts'
import { type ModelCatalogue, shippedCatalogue } from './catalogue/catalogue.ts'
import { isProviderFamily, type ModelInfo } from './catalogue/model-info.ts'
import { type EncodingId, encodingTokenizer, isEncodingId } from './encoding.ts'
import { isMediaRuleName, mediaRuleOf, type MediaRuleName } from './media/media-rules.ts'
import { mediaTokensBy } from './media/media-tokens.ts'
import { memoCounter } from './memo-counter.ts'
import { framingOf } from './overhead/framing.ts'
import { definitionCounter } from './overhead/tool-tokens.ts'
import { scaledTokenizer } from './scaled-tokenizer.ts'
import { isKnownVocabulary } from './vocabulary-of.ts'

/**
 * The tokenizer of a model, resolved once and shared by all models that count alike.
 *
 * ```ts
 * import { tokenizerFor } from 'prehend'
 *
 * console.log(tokenizerFor('gpt-5').count('The build broke on Monday.'))
 * ```
 */
export function tokenizerFor(model: string, catalogue: ModelCatalogue = shippedCatalogue): Tokenizer {
  if (typeof model !== 'string')
    throw invalidInput('model', 'is not a name', 'Give the name of a model, such as gpt-5.')
  return tokenizerOf(catalogue.info(model))
}

type CountedModel = Pick<ModelInfo, 'id' | 'provider' | 'encoding' | 'countFactor'>

/** The same for a model whose facts the caller has. */
export const tokenizerOf = perObject((info: CountedModel): Tokenizer => {
  const { provider, encoding, countFactor } = info
  return tokenizerBy({ encoding, countFactor, provider, media: mediaRuleOf(info) })
})

/**
 * The tokenizer that a receipt names, whatever the catalogue says of its model today; undefined for the id of another's,
 * and where its vocabulary is not to be had.
 */
export function tokenizerNamed(id: string): Tokenizer | undefined {
  const [counting = '', provider = '', media = '', more] = id.split('/')
  const [encoding = '', factor = '1', rest] = counting.split('*')
  const countFactor = Number(factor)
  if (more !== undefined || rest !== undefined || !(countFactor > 0)) return undefined
  if (!isEncodingId(encoding) || !isProviderFamily(provider) || !isMediaRuleName(media)) return undefined
  if (encoding !== 'heuristic' && !isKnownVocabulary(encoding)) return undefined
  const found = tokenizerBy({ encoding, countFactor, provider, media })
  return found.id === id ? found : undefined
}

/** All that a count depends on. */
interface Counting extends Pick<ModelInfo, 'encoding' | 'countFactor' | 'provider'> {
  readonly media: MediaRuleName
}

const counters = new Map<EncodingId, Tokenizer>()
const tokenizers = new Map<string, Tokenizer>()

function tokenizerBy({ encoding, countFactor, provider, media }: Counting): Tokenizer {
  const factor = countFactor === 1 ? '' : `*${countFactor}`
  const id = `${encoding}${factor}/${provider}/${media}`
  const known = tokenizers.get(id)
  if (known !== undefined) return known
  const counter = countingBy({ encoding, countFactor, provider, media }, rememberingCounter(encoding))
  const definitions = memoCounter({ id, count: counter.countTool }, toolMemory)
  const tokenizer: Tokenizer = { ...counter, id, countTool: (definition) => definitions.count(definition) }
  tokenizers.set(id, tokenizer)
  return tokenizer
}

/** The tokenizer of a model, remembering nothing: what it takes is what a first count takes. */
export function forgetfulTokenizer(info: CountedModel): Tokenizer {
  const { id } = tokenizerOf(info)
  return { ...countingBy({ ...info, media: mediaRuleOf(info) }, encodingTokenizer(info.encoding)), id }
}

function countingBy({ countFactor, provider, media }: Counting, counter: Tokenizer) {
  const { count } = scaledTokenizer(counter, countFactor)
  return {
    count,
    countTool: definitionCounter(framingOf({ id: '', provider }), { count }),
    countMedia: (seen: Media) => mediaTokensBy(media, seen),
  }
}

const toolMemory = { maxBytes: 4 * 1024 * 1024 }

/** Models that differ only in their factor share what is remembered. */
function rememberingCounter(encoding: EncodingId): Tokenizer {
  const known = counters.get(encoding)
  if (known !== undefined) return known
  const counter = memoCounter(encodingTokenizer(encoding))
  counters.set(encoding, counter)
  return counter
}
