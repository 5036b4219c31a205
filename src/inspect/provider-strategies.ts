import type { RenderedMessage } from './render.ts'
import { masked, observationsOf, turnsOf } from './plain-strategies.ts'
import type { Strategy } from './strategy.ts'
import type { TraceMessage } from './trace.ts'

export interface ClearToolUsesOptions {
  /** Tokens of the client's own request above which anything is cleared. */
  readonly trigger: number
  /** Newest results that stay. */
  readonly keep: number
}

/**
 * Anthropic's context editing, `clear_tool_uses_20250919`: above the trigger a placeholder stands for every result but the newest. The client
 * goes on sending all of it, so each further request clears one result more.
 */
export function clearToolUses({ trigger, keep }: ClearToolUsesOptions): Strategy {
  return {
    name: `clear-tool-uses-${trigger}-${keep}`,
    start: (renderer) => ({
      next(request) {
        const whole = request.messages.map((message) => renderer.asRecorded(message))
        if (tokensIn(whole) <= trigger) return whole
        const observations = observationsOf(request)
        return masked(renderer, request, new Set(observations.slice(0, Math.max(0, observations.length - keep))))
      },
    }),
  }
}

export interface CompactOptions {
  /** Tokens above which everything up to the last reply is replaced by a summary. */
  readonly trigger: number
  /** Tokens of the summary that the model writes. */
  readonly summary: number
}

/**
 * Compaction by the provider, Anthropic's `compact_20260112` or OpenAI's `compact_threshold`: the model is asked for a summary of all
 * that it has seen, and goes on from that; the opening stays. What a summary holds nobody knows beforehand: for recall it counts as nothing.
 */
export function compact({ trigger, summary }: CompactOptions): Strategy {
  return {
    name: `compact-${trigger}-${summary}`,
    start(renderer) {
      const gone = new Set<string>()
      let summaries: readonly RenderedMessage[] = []
      let asked: { readonly sent: readonly RenderedMessage[]; readonly outputTokens: number } | undefined
      const shown = (messages: readonly TraceMessage[]): readonly RenderedMessage[] => {
        const [opening = [], ...turns] = turnsOf(messages)
        const rest = turns.flat().filter(({ id }) => !gone.has(id))
        return [
          ...opening.map((message) => renderer.asRecorded(message)),
          ...summaries,
          ...rest.map((message) => renderer.asRecorded(message)),
        ]
      }
      return {
        next({ messages }) {
          const sent = shown(messages)
          asked = undefined
          if (tokensIn(sent) <= trigger) return sent
          const [, ...turns] = turnsOf(messages)
          const old = turns.slice(0, -1).flat()
          if (old.every(({ id }) => gone.has(id))) return sent
          for (const { id } of old) gone.add(id)
          summaries = [summaryOf(gone.size, summary)]
          asked = { sent, outputTokens: summary }
          return shown(messages)
        },
        asked: () => asked,
        brief: () => {
          const [summarised] = summaries
          return summarised && { messages: new Set(gone), text: summarised.text }
        },
      }
    },
  }
}

function summaryOf(messages: number, tokens: number): RenderedMessage {
  const text = `[Summary of ${messages} messages]`
  return { role: 'assistant', text, tokens, sourceId: '', observation: false, parts: [{ kind: 'text', text }] }
}

function tokensIn(messages: readonly RenderedMessage[]): number {
  return messages.reduce((total, { tokens }) => total + tokens, 0)
}
