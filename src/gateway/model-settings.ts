import { z } from 'zod'
import type { CatalogueOptions } from '../tokens/index.ts'
import { cacheKinds, encodingIds, providerFamilies } from '../tokens/index.ts'

const tokens = z.number().int().min(1).max(1_000_000_000)
const amount = z.number().min(0)
const dollars = z.number().min(0).max(1_000_000)

const priceList = {
  input: dollars,
  output: dollars,
  cacheRead: dollars.exactOptional(),
  cacheWrite: dollars.exactOptional(),
  cacheWriteLong: dollars.exactOptional(),
}

const prices = z
  .strictObject({
    ...priceList,
    cacheStorage: dollars.exactOptional().describe('For keeping a million tokens for an hour.'),
    tiers: z.array(z.strictObject({ aboveInputTokens: tokens, ...priceList })).exactOptional(),
  })
  .describe('Dollars per million tokens.')

const cache = z
  .strictObject({
    kind: z.enum(cacheKinds).exactOptional(),
    minTokens: amount.int().exactOptional(),
    stepTokens: tokens.exactOptional(),
    maxBreakpoints: amount.int().exactOptional(),
    lookback: amount.int().exactOptional(),
    ttlMs: z.array(z.number().positive()).exactOptional().describe('Lifetimes on offer, shortest first.'),
  })
  .describe('How the provider caches prompts; what is left out is as the kind has it.')

const largerWindow = z
  .strictObject({
    windowTokens: tokens,
    header: z.strictObject({
      name: z
        .string()
        .toLowerCase()
        .regex(/^[a-z][a-z0-9-]{0,60}-beta$/, 'is not the name of a beta header, such as anthropic-beta'),
      value: z.string().regex(/^[\w.=-]{1,100}$/, 'is not one flag, such as context-1m-2025-08-07'),
    }),
  })
  .describe('The window of requests that ask for it with a header; used where `largestWindow` is true.')

const model = z.strictObject({
  family: z.enum(providerFamilies).exactOptional().describe('Whose habits the model has.'),
  windowTokens: tokens.exactOptional(),
  largerWindow: largerWindow.exactOptional(),
  maxOutputTokens: tokens.exactOptional(),
  encoding: z.enum(encodingIds).exactOptional(),
  countFactor: z
    .number()
    .positive()
    .max(100)
    .exactOptional()
    .describe('What counts in the encoding are multiplied by.'),
  toolPrompt: z
    .strictObject({ auto: amount.int(), forced: amount.int() })
    .exactOptional()
    .describe('Tokens that the provider adds because there are tools.'),
  prices: prices.exactOptional(),
  cache: cache.exactOptional(),
})

/** Facts about models that the product does not know, or knows wrong, by model. */
export const modelSettings = z.record(z.string().min(1).max(200), model) satisfies z.ZodType<
  NonNullable<CatalogueOptions['models']>
>
