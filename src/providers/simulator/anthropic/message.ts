import type { JsonObject, JsonValue } from '../../../core/index.ts'
import { objectsOf } from '../read-json.ts'

/** Content as blocks; a string is one text block. */
export function contentBlocks(content: JsonValue | undefined): readonly JsonObject[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : objectsOf(content)
}

/** A block with the place that errors name it by. */
export interface PlacedBlock {
  readonly block: JsonObject
  readonly path: string
  readonly message: JsonObject
  readonly messageIndex: number
  readonly blockIndex: number
}

export function placedBlocks(body: JsonObject): readonly PlacedBlock[] {
  return objectsOf(body['messages']).flatMap((message, messageIndex) =>
    contentBlocks(message['content']).map((block, blockIndex) => ({
      block,
      path: `messages.${messageIndex}.content.${blockIndex}`,
      message,
      messageIndex,
      blockIndex,
    })),
  )
}

export function isThinking(block: JsonObject): boolean {
  return block['type'] === 'thinking' || block['type'] === 'redacted_thinking'
}

/** Whether a user message only carries tool results, so that the turn goes on. */
export function continuesTurn(message: JsonObject): boolean {
  const blocks = contentBlocks(message['content'])
  return blocks.some((block) => block['type'] === 'tool_result')
}
