import type { Media } from '../core/index.ts'
import { invalidInput, mediaDetails, mediaTypes } from '../core/index.ts'

const sizes = ['width', 'height', 'durationMs', 'pages', 'sizeBytes'] as const
const labels = ['mimeType', 'url'] as const

/** Throws `invalid-input` that names the first member that is not what it should be. */
export function validateMedia(media: Media, at: string): void {
  if (typeof media !== 'object' || media === null) throw invalidInput(at, 'is not an object', 'Give at least its type.')
  const { type, detail } = media
  if (!mediaTypes.includes(type)) throw invalidInput(`${at}.type`, 'is unknown', `Use one of ${mediaTypes.join(', ')}.`)
  if (detail !== undefined && !mediaDetails.includes(detail))
    throw invalidInput(`${at}.detail`, 'is unknown', `Use one of ${mediaDetails.join(', ')}, or leave it out.`)
  for (const name of sizes)
    if (media[name] !== undefined && !isSize(media[name]))
      throw invalidInput(`${at}.${name}`, 'is not a size', 'Give a number from 0, or leave it out.')
  for (const name of labels)
    if (media[name] !== undefined && typeof media[name] !== 'string')
      throw invalidInput(`${at}.${name}`, 'is not a text', 'Give a text, or leave it out.')
}

function isSize(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}
