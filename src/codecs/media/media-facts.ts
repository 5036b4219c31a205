import type { Media, MediaType } from '../../core/index.ts'
import type { ByteSource } from './byte-source.ts'
import { filmFacts } from './film-facts.ts'
import { imageSize } from './image-size.ts'
import { pageCount } from './page-count.ts'
import { soundLength } from './sound-length.ts'

/** What the bytes of media say of its extent. */
export type MediaFacts = Pick<Media, 'width' | 'height' | 'durationMs' | 'pages'>

/**
 * Reads the extent of media off its own bytes, whatever their type is said to be in detail. Never throws, and reads a bounded part; what is
 * cut off, damaged or lies says nothing, so that it is taken for the dearest there is.
 */
export function mediaFacts(type: MediaType, source: ByteSource): MediaFacts {
  try {
    return readers[type](source)
  } catch (error) {
    if (error instanceof RangeError) return {}
    throw error
  }
}

const readers: { readonly [Type in MediaType]: (source: ByteSource) => MediaFacts } = {
  image: (source) => imageSize(source) ?? {},
  audio: (source) => lasting(filmFacts(source)?.durationMs ?? soundLength(source)),
  video: (source) => {
    const { durationMs, width, height } = filmFacts(source) ?? {}
    return { ...lasting(durationMs), ...(width !== undefined && height !== undefined && { width, height }) }
  },
  document: (source) => {
    const pages = pageCount(source)
    return pages === undefined ? {} : { pages }
  },
}

/** A day is more than any provider listens to. */
const mostMs = 86_400_000

function lasting(durationMs: number | undefined): MediaFacts {
  return durationMs !== undefined && durationMs > 0 && durationMs <= mostMs
    ? { durationMs: Math.round(durationMs) }
    : {}
}
