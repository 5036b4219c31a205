import { isJsonObject } from '../../../core/index.ts'
import type { SimulatedCall } from '../dialect.ts'
import type { Check, ProviderProblem } from '../wire.ts'
import { automaticMark, markableBlocks, ttlMs, ttlOf } from './cache-markers.ts'
import { isThinking } from './message.ts'
import { invalid } from './invalid.ts'

type CallCheck = Check<SimulatedCall>

const markersAreWellFormed: CallCheck = ({ body }) => {
  const bad = markableBlocks(body).find(({ marker }) => {
    if (marker === undefined) return false
    return !isJsonObject(marker) || marker['type'] !== 'ephemeral' || !((ttlOf(marker) ?? '') in ttlMs)
  })
  if (bad === undefined) return undefined
  return isJsonObject(bad.marker) && bad.marker['type'] === 'ephemeral'
    ? invalid(`${bad.path}.cache_control.ephemeral.ttl: Input should be '5m' or '1h'`)
    : invalid(`${bad.path}.cache_control: Input tag does not match any of the expected tags: 'ephemeral'`)
}

const thinkingIsUnmarked: CallCheck = ({ body }) => {
  const bad = markableBlocks(body).find(({ block, marker }) => isThinking(block) && marker !== undefined)
  return bad && invalid(`${bad.path}.${String(bad.block['type'])}.cache_control: Extra inputs are not permitted`)
}

const emptyTextIsUnmarked: CallCheck = ({ body }) => {
  const bad = markableBlocks(body).find(
    ({ block, marker }) => marker !== undefined && block['type'] === 'text' && block['text'] === '',
  )
  return bad && invalid(`${bad.path}.text: cache_control cannot be set for empty text blocks`)
}

const atMostFourMarkers: CallCheck = ({ body }) => {
  const found = markableBlocks(body).filter(({ marker }) => marker !== undefined).length
  return found > 4 ? invalid(`A maximum of 4 blocks with cache_control may be provided. Found ${found}.`) : undefined
}

const longMarkersComeFirst: CallCheck = ({ body }) => {
  const marked = markableBlocks(body).filter(({ marker }) => marker !== undefined)
  const firstShort = marked.findIndex(({ marker }) => ttlOf(marker) === '5m')
  const bad = firstShort < 0 ? undefined : marked.slice(firstShort).find(({ marker }) => ttlOf(marker) === '1h')
  return bad && lateLongMarker(`${bad.path}.cache_control.ttl`)
}

const automaticMarkerFits: CallCheck = ({ body }) => {
  const automatic = automaticMark(body)
  if (automatic === undefined) return undefined
  const marked = markableBlocks(body).filter((place) => place.marker !== undefined)
  const { ttl, marker } = automatic
  if (marker !== undefined && ttlOf(marker) === ttl) return undefined
  if (marker !== undefined) return invalid(`cache_control: ttl '${ttl}' differs from the marker on the last block`)
  if (marked.length >= 4) return invalid('A maximum of 4 blocks with cache_control may be provided. Found 5.')
  const late = ttl === '1h' && marked.some((place) => ttlOf(place.marker) === '5m')
  return late ? lateLongMarker('cache_control.ttl') : undefined
}

function lateLongMarker(path: string): ProviderProblem {
  return invalid(
    `${path}: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. ` +
      'Note that blocks are processed in the following order: `tools`, `system`, `messages`.',
  )
}

export const cacheChecks: readonly CallCheck[] = [
  markersAreWellFormed,
  thinkingIsUnmarked,
  emptyTextIsUnmarked,
  atMostFourMarkers,
  longMarkersComeFirst,
  automaticMarkerFits,
]
