import { madeTypes, soundEnds } from './media-policy.ts'
import type { ImageCrop, ImagePolicy, MediaMaking, MediaPolicy, SoundPolicy } from './media-policy.ts'
import * as shape from './shape.ts'

const { amount, count, countFrom, flag, list, name, object, oneOf, optional, share, text } = shape

const cropShape = object<ImageCrop>({
  tool: optional(name),
  x: count,
  y: count,
  width: countFrom(1),
  height: countFrom(1),
})

export const mediaPolicyShape = object<MediaPolicy>({
  images: optional(
    object<ImagePolicy>({
      mostTokens: optional(countFrom(1)),
      leastSide: optional(countFrom(1)),
      crop: optional(list(cropShape)),
      pointedAt: optional(flag),
    }),
  ),
  audio: optional(object<SoundPolicy>({ mostMs: countFrom(1), keep: optional(oneOf(soundEnds)) })),
  substituteFrom: optional(share),
  utility: optional(
    object<NonNullable<MediaPolicy['utility']>>({
      image: optional(amount),
      audio: optional(amount),
      video: optional(amount),
      document: optional(amount),
    }),
  ),
})

export const mediaMakingShape = object<MediaMaking>({
  types: list(oneOf(madeTypes)),
  except: optional(list(text)),
})
