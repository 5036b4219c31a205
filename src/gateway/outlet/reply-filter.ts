import type { TextKind, TextPlace } from '../../codecs/index.ts'

/** A text of a reply, of which pieces come. */
export type ReplyText = Pick<TextPlace, 'kind' | 'key' | 'form' | 'choice'>

/**
 * Changes what a model says on its way to the client: the same in a stream, wherever it is cut, as in a whole reply. The
 * refusals of a provider pass as well, as text.
 */
export interface ReplyFilter {
  readonly name: string
  /** What happens when it throws: its texts go on as they came, or the reply ends in an error. */
  readonly failure: 'open' | 'closed'
  /** What it wants to see; nothing else is read or written anew for it. */
  readonly kinds: readonly TextKind[]
  /** Anew for every reply. */
  open(): OpenFilter
}

/** A filter at work on one reply. */
export interface OpenFilter {
  /** What goes out now in the place of a piece; what may yet change with the pieces to come is held back. */
  piece(of: ReplyText, text: string): string | Promise<string>
  /** What was held back of a text that gets no more. */
  end(of: ReplyText): string | Promise<string>
  /** Whether a whole reply may have anything to change; spares a scan where it has not. */
  concerns?(body: string): boolean
}
