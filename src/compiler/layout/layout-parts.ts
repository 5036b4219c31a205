import type { Item } from '../../core/index.ts'
import type { ConversationPlanner } from '../epochs/index.ts'
import type { Piece } from '../forms/piece.ts'
import type { FormReader } from '../items/form-reader.ts'
import type { Assembly } from '../stages/assemble.ts'
import type { Surroundings } from './frame-tokens.ts'

/** What a layout is written with. */
export interface LayoutParts {
  readonly messageTokens: number
  readonly forms: FormReader
  readonly openConversation: ConversationPlanner
  readonly payloadAssembly: (frame: Surroundings) => Assembly
  itemTokens(item: Item, text?: string): number
  hash(text: string): string
  piece(text: string): Piece
  /** The same key, as the one object that it is compared with at sight. */
  settingKey(key: string): string
}
