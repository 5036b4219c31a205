/**
 * What the caller has asked the provider to do to a conversation by itself, before the model reads it: Anthropic's and OpenAI's
 * `context_management`. Nothing of it is recoverable, and each time it rewrites what the provider has cached.
 */
export interface ProviderEditing {
  /** Results of tools are cleared in requests of more tokens than `aboveTokens`: all but the newest `keep`, and those of some tools. */
  readonly clears?: { readonly aboveTokens: number; readonly keep: number; readonly sparedTools?: readonly string[] }
  /** All that was said gives way to a summary in requests of more tokens. */
  readonly compactsAboveTokens?: number
}
