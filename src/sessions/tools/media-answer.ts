import { mediaAt } from '../../codecs/index.ts'
import { extentOf } from '../../ladders/index.ts'
import type { Original } from '../../stores/index.ts'
import { mediaTokens } from '../../tokens/index.ts'
import type { ToolAnswer } from './hidden-tool.ts'

/** Media as it was shown: the words say what it is, and the dialect shows it beside them where it can. */
export function broughtBack({ text: url, toolName }: Original, handle: string, roomTokens = Infinity): ToolAnswer {
  const media = mediaAt(url)
  const tokens = mediaTokens(media, { id: '', provider: 'other' })
  const of = toolName === undefined ? '' : ` of ${toolName}`
  const what = `The ${media.type}${of}, ${extentOf(media)}, under the handle ${handle}`
  if (tokens > roomTokens)
    return { text: `${what} takes some ${tokens} tokens, and the window has room for ${roomTokens}.`, found: true }
  return { text: `${what}, as it was shown:`, found: true, media: { type: media.type, url } }
}
