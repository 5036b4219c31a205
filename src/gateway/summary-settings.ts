import { z } from 'zod'
import type { Policy } from '../core/index.ts'
import { invalidInput } from '../core/index.ts'

export const summaries = z.strictObject({
  model: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      'The model that writes summaries where a policy has `summaries.writer: "model"`, with `UPSTREAM/` before it or not. Default: the cheap one of `modelRoutes`.',
    ),
  handoffModel: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      'The model that writes the briefing of a handoff. Default: the dear one of `modelRoutes`. Without any, the briefing is put together of what was said.',
    ),
  timeoutMs: z.number().int().min(100).max(600_000).default(60_000).describe('Longest that one summary may take.'),
  waiting: z.number().int().min(1).max(10_000).default(200).describe('Most blocks that wait to be summarised.'),
})

export interface WriterSettings {
  readonly summaries: { readonly model?: string | undefined }
  readonly modelRoutes: object
}

/** Who wants a model to write has to name one. Throws `invalid-input`. */
export function requireWriter(settings: WriterSettings, own: readonly Policy[]): void {
  const asking = own.find((policy) => policy.summaries?.writer === 'model')
  const isNamed = settings.summaries.model !== undefined || Object.keys(settings.modelRoutes).length > 0
  if (asking === undefined || isNamed) return
  throw invalidInput('summaries.model', `is missing, and policy ${asking.id} has a model write`, 'Name a cheap model.')
}
