import type { Item, PayloadMarkup, Section } from '../../core/index.ts'

/** A part of a pack that has a header of its own. */
export type Block =
  | 'policy'
  | 'developer'
  | 'durable'
  | 'role'
  | 'goal'
  | 'step'
  | 'constraints'
  | 'critical'
  | 'tools'
  | 'evidence'
  | 'memory'
  | 'conversation'
  | 'links'
  | 'acceptance'
  | 'request'

/**
 * How a markup writes. Everything it writes begins with a character that no tokenizer joins to a line end before
 * it and ends with a line end, so that the tokens of a text are those of its pieces.
 */
export interface Markup {
  readonly name: PayloadMarkup
  /** First and last line of the payload; empty where there is none. */
  readonly begin: string
  readonly end: string
  open(block: Block): string
  close(block: Block): string
  /** The block of a section that is not among the known ones. */
  openSection(section: Section): string
  closeSection(section: Section): string
  /** One entry of the step's frame. */
  line(text: string): string
  /** Text that stands as it is, byte for byte. */
  verbatim(text: string): string
  /** A rendition of an item, with the label by which others refer to it, where any do. */
  fragment(item: Item, text: string, label?: string): string
}
