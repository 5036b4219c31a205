import type { Loss } from './loss.ts'
import type { ModelReply } from './reply.ts'
import type { Usage } from './usage.ts'

export const stopReasons = ['end', 'stop-sequence', 'length', 'tool-calls', 'refused', 'paused'] as const
/** Why a model has stopped, in words of no dialect. */
export type StopReason = (typeof stopReasons)[number]

/**
 * What a reply says, piece by piece, in words of no dialect. Calls come one after another: what is between a `call` and its
 * `call-end` are its arguments. The last event is `end` or `failed`.
 */
export type ReplyEvent =
  | { readonly kind: 'begin'; readonly id?: string; readonly model?: string }
  /** `isRefusal`: what a dialect tells apart as the words in which a model declines. */
  | { readonly kind: 'text'; readonly text: string; readonly isRefusal?: true }
  | { readonly kind: 'reasoning'; readonly text: string }
  /** `isText`: what follows are pieces of the text that a tool takes as it is. */
  | {
      readonly kind: 'call'
      readonly call: number
      readonly id: string
      readonly name: string
      readonly namespace?: string
      readonly isText?: true
    }
  /** A piece of the JSON text of a call's arguments. */
  | { readonly kind: 'arguments'; readonly call: number; readonly text: string }
  | { readonly kind: 'call-end'; readonly call: number }
  /** Something that these words cannot say. */
  | { readonly kind: 'lost'; readonly loss: Loss }
  | { readonly kind: 'end'; readonly reason: StopReason; readonly stopSequence?: string; readonly usage?: Usage }
  | { readonly kind: 'failed'; readonly failure: NonNullable<ModelReply['failure']> }

/** What the events of one reply say together. */
export interface SaidReply {
  readonly id?: string
  readonly model?: string
  readonly text: string
  /** Some of the text is a refusal, whatever the reason to stop. */
  readonly isRefusal?: true
  readonly reasoning: string
  readonly calls: readonly SaidCall[]
  readonly reason: StopReason
  readonly stopSequence?: string
  readonly usage?: Usage
  readonly lost: readonly Loss[]
  readonly failure?: NonNullable<ModelReply['failure']>
}

/** A tool call as the model wrote it. */
export interface SaidCall {
  readonly id: string
  readonly name: string
  readonly namespace?: string
  /** JSON, unless the tool takes a text as it is. */
  readonly arguments: string
  readonly isText?: true
}
