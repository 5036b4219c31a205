import { textIn } from './json-access.ts'
import { perValue } from './per-value.ts'

/** Our own form, `{id, messages}`, and fine-tuning data: one whole conversation a line. */
export const recordedSessions = perValue({
  name: 'recorded sessions',
  isBody: true,
  recognise: (value) => 'messages' in value,
  read: (value, place) => {
    const id = typeof value['id'] === 'number' ? String(value['id']) : textIn(value, 'id')
    return [{ kind: 'session', ...(id !== undefined && { id }), body: value, place }]
  },
})
