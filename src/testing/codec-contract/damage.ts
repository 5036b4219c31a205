import type { SseEvent } from '../../codecs/index.ts'
import type { Draw } from './draw.ts'
import { chance, pick } from './draw.ts'

/** The event, or nothing, or it twice, or something broken in its place. */
export function damage(draw: Draw, event: SseEvent): readonly SseEvent[] {
  if (!chance(draw, 4)) return [event]
  const at = draw.whole(event.data.length)
  const broken =
    event.data.slice(0, at) +
    pick(draw, '', '"', '}', '[1]', ',"index":-1', 'null') +
    event.data.slice(at + draw.whole(3))
  const odd = pick(
    draw,
    '[]',
    'null',
    '{}',
    '{"type":"content_block_delta","index":9}',
    '{"choices":[null,{}]}',
    '['.repeat(2000) + ']'.repeat(2000),
  )
  return pick(
    draw,
    [],
    [event, event],
    [{ ...event, data: broken }],
    [{ data: odd }, event],
    [{ data: '', comment: 'x' }],
  )
}
