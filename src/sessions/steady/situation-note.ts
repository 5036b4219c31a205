import type { Item } from '../../core/index.ts'

/** A note that a request adds behind all that was said, as item `number` of its kind; it stands whole. */
export function situationNote({ id, number, text, sourceId }: SituationNote): Item {
  return {
    id: `${id}-${number}`,
    section: 'situation',
    kind: 'text',
    role: 'user',
    authority: 'system',
    text,
    pin: true,
    provenance: { sourceId },
  }
}

interface SituationNote {
  readonly id: string
  readonly number: number
  readonly text: string
  readonly sourceId: string
}
