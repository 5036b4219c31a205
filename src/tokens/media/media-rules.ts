import type { ModelInfo } from '../catalogue/model-info.ts'
import { cellImage, flatImage, googleTiledImage, patchedImage, tiledImage } from './image-tokens.ts'
import type { ImageRule, PatchBudget } from './image-tokens.ts'

/** What pictures, recordings and files cost a model. */
export interface MediaRule {
  readonly image: ImageRule
  /** A second of sound is cut into frames of this length, a token each. */
  readonly audioFrameMs: number
  /** A frame of a film; one a second is looked at. */
  readonly filmFrameTokens: number
  /** A page of a document: its words and its picture. */
  readonly pageTokens: number
}

const small: PatchBudget = { patches: 1536, sidePixels: 2048 }
const large: PatchBudget = { patches: 2500, sidePixels: 2048 }
const vast: PatchBudget = { patches: 10_000, sidePixels: 6000 }
const unbounded: PatchBudget = { patches: Infinity, sidePixels: Infinity }

const openai = { audioFrameMs: 100, filmFrameTokens: 765, pageTokens: 1800 }
const anthropic = { audioFrameMs: 25, filmFrameTokens: 1568 }
const google = { audioFrameMs: 31.25 }

const smallPatches = (multiplier: number): MediaRule => ({
  ...openai,
  image: patchedImage({ high: small, auto: 'high', multiplier }),
})

/**
 * Sources: OpenAI's and Anthropic's guides to vision, Google's to media resolution, autumn 2026. No source states: the budget
 * of `high` since GPT-5.6, taken from GPT-5.5; a multiplier for it, taken as 1; frames of films at OpenAI and Anthropic,
 * taken for pictures; OpenAI's rate for sound, remembered; the words on a page, taken as 2,000 tokens at Anthropic, which says 1,500 to
 * 3,000, and as 1,000 at OpenAI. `cells-28` stands for models that nobody described; its frames of 25 ms are the dearest in use.
 */
export const mediaRules = {
  'tiles-70': { ...openai, image: tiledImage(70, 140) },
  'tiles-85': { ...openai, image: tiledImage(85, 170) },
  'tiles-75': { ...openai, image: tiledImage(75, 150) },
  'tiles-65': { ...openai, image: tiledImage(65, 129) },
  'tiles-2833': { ...openai, image: tiledImage(2833, 5667) },
  'patches-1536': smallPatches(1),
  'patches-1536*1.62': smallPatches(1.62),
  'patches-1536*1.72': smallPatches(1.72),
  'patches-1536*2.46': smallPatches(2.46),
  'patches-2500': { ...openai, image: patchedImage({ high: large, original: vast, auto: 'high', multiplier: 1 }) },
  'patches-10000': { ...openai, image: patchedImage({ high: large, original: vast, auto: 'original', multiplier: 1 }) },
  'patches': { ...openai, image: patchedImage({ high: large, original: unbounded, auto: 'original', multiplier: 1 }) },
  'cells-1568': { ...anthropic, image: cellImage(1568, 1568), pageTokens: 3500 },
  'cells-4784': { ...anthropic, image: cellImage(2576, 4784), pageTokens: 4800 },
  'flat-1120': {
    ...google,
    image: flatImage({ low: 280, high: 1120, original: 2240 }),
    filmFrameTokens: 70,
    pageTokens: 560,
  },
  'google-256': { ...google, image: googleTiledImage(256, 8), filmFrameTokens: 256, pageTokens: 768 },
  'google-258': { ...google, image: googleTiledImage(258, Infinity), filmFrameTokens: 263, pageTokens: 258 },
  'cells-28': { audioFrameMs: 25, image: cellImage(4096, 4096), filmFrameTokens: 1369, pageTokens: 2400 },
} as const satisfies Readonly<Record<string, MediaRule>>

export type MediaRuleName = keyof typeof mediaRules

export function isMediaRuleName(name: string): name is MediaRuleName {
  return Object.hasOwn(mediaRules, name)
}

type Matcher = readonly [pattern: RegExp, rule: MediaRuleName]

/** The first pattern that a model's name meets. */
const matchers: { readonly [Family in ModelInfo['provider']]: readonly [...Matcher[], Matcher] } = {
  openai: [
    [/^computer-use/, 'tiles-65'],
    [/^o4-mini/, 'patches-1536*1.72'],
    [/^o\d/, 'tiles-75'],
    [/^gpt-4o-mini/, 'tiles-2833'],
    [/^gpt-(?:4\.1|5)-mini|^gpt-5\.4-mini/, 'patches-1536*1.62'],
    [/^gpt-(?:4\.1|5)-nano|^gpt-5\.4-nano/, 'patches-1536*2.46'],
    [/^(?:gpt-[34]|chatgpt)/, 'tiles-85'],
    [/^gpt-5\.[23]/, 'patches-1536'],
    [/^gpt-5\.4/, 'patches-2500'],
    [/^gpt-5\.5/, 'patches-10000'],
    [/^gpt-5(?:\.1)?(?:-|$)/, 'tiles-70'],
    [/(?:)/, 'patches'],
  ],
  anthropic: [
    [/^claude-(?:\d|v\d|instant)|^claude-[a-z]+-4(?:-[0-6])?$/, 'cells-1568'],
    [/(?:)/, 'cells-4784'],
  ],
  google: [
    [/^gemini-(?:1|2\.0)/, 'google-258'],
    [/^gemini-2/, 'google-256'],
    [/(?:)/, 'flat-1120'],
  ],
  deepseek: [[/(?:)/, 'cells-28']],
  other: [[/(?:)/, 'cells-28']],
}

/** The rule that a model goes by; that of the family's newest where nobody described the model. */
export function mediaRuleOf({ id, provider }: Pick<ModelInfo, 'id' | 'provider'>): MediaRuleName {
  const known = matchers[provider]
  const [, rule] = known.find(([pattern]) => pattern.test(id)) ?? known[0]
  return rule
}
