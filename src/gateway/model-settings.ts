import { z } from 'zod'
import type { CatalogueOptions } from '../tokens/index.ts'
import { cacheKinds, encodingIds, providerFamilies } from '../tokens/index.ts'

const tokens = z.number().int().min(1).max(1_000_000_000)
const amount = z.number().min(0)
const dollars = z.number().min(0).max(1_000_000)

const priceList = {
  input: dollars.describe('For input that is not read from the cache.'),
  output: dollars.describe('For output.'),
  cacheRead: dollars.exactOptional().describe('For input that is read from the cache.'),
  cacheWrite: dollars.exactOptional().describe('For input that is written to the cache with its shortest lifetime.'),
  cacheWriteLong: dollars.exactOptional().describe('For input that is written to the cache with its longer lifetime.'),
}

const prices = z
  .strictObject({
    ...priceList,
    cacheStorage: dollars.exactOptional().describe('For keeping a million tokens for an hour.'),
    tiers: z
      .array(
        z.strictObject({
          aboveInputTokens: tokens.describe('The prices hold for requests with more input tokens than this.'),
          ...priceList,
        }),
      )
      .exactOptional()
      .describe('Other prices for long requests.'),
  })
  .describe('Dollars per million tokens.')

const cache = z
  .strictObject({
    kind: z.enum(cacheKinds).exactOptional().describe('How prompts come into the cache.'),
    minTokens: amount.int().exactOptional().describe('Shortest prefix that is cached, in tokens.'),
    stepTokens: tokens.exactOptional().describe('Cached prefixes are a multiple of this long, in tokens.'),
    maxBreakpoints: amount.int().exactOptional().describe('Most cache breakpoints in a request.'),
    lookback: amount
      .int()
      .exactOptional()
      .describe('Blocks before a breakpoint in which a cached prefix is looked for.'),
    ttlMs: z.array(z.number().positive()).exactOptional().describe('Lifetimes on offer, shortest first.'),
  })
  .describe('How the provider caches prompts; what is left out is as the kind has it.')

const largerWindow = z
  .strictObject({
    windowTokens: tokens.describe('Tokens of the larger window.'),
    header: z
      .strictObject({
        name: z
          .string()
          .toLowerCase()
          .regex(/^[a-z][a-z0-9-]{0,60}-beta$/, 'is not the name of a beta header, such as anthropic-beta')
          .describe('Name of the header, such as `anthropic-beta`.'),
        value: z
          .string()
          .regex(/^[\w.=-]{1,100}$/, 'is not one flag, such as context-1m-2025-08-07')
          .describe('One flag, such as `context-1m-2025-08-07`.'),
      })
      .describe('The header by which a request asks for the larger window.'),
  })
  .describe('The window of requests that ask for it with a header; used where `largestWindow` is true.')

const model = z.strictObject({
  family: z.enum(providerFamilies).exactOptional().describe('Whose habits the model has.'),
  windowTokens: tokens.exactOptional().describe('Tokens of the context window.'),
  largerWindow: largerWindow.exactOptional(),
  maxOutputTokens: tokens.exactOptional().describe('Most tokens that the model writes in one answer.'),
  encoding: z.enum(encodingIds).exactOptional().describe('Vocabulary that its tokens are counted with.'),
  countFactor: z
    .number()
    .positive()
    .max(100)
    .exactOptional()
    .describe('What counts in the encoding are multiplied by.'),
  toolPrompt: z
    .strictObject({
      auto: amount.int().describe('Where the model may choose whether it calls a tool.'),
      forced: amount.int().describe('Where the model must call a tool.'),
    })
    .exactOptional()
    .describe('Tokens that the provider adds because there are tools.'),
  prices: prices.exactOptional(),
  cache: cache.exactOptional(),
})

/** Facts about models that the product does not know, or knows wrong, by model. */
export const modelSettings = z.record(z.string().min(1).max(200), model) satisfies z.ZodType<
  NonNullable<CatalogueOptions['models']>
>
