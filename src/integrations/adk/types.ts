import type { BaseLlm, BasePlugin, Context, LlmRequest, LlmResponse } from '@google/adk'

export type { BaseLlm, BasePlugin, Context, LlmRequest, LlmResponse }
export type Content = LlmRequest['contents'][number]
export type Part = NonNullable<Content['parts']>[number]
export type Config = NonNullable<LlmRequest['config']>
