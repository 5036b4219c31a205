import { isJsonObject } from '../../core/index.ts'
import { traceError } from '../trace-error.ts'
import { chatMessages } from './chat-messages.ts'
import { unanswered } from './form.ts'
import { objectIn, objectsIn, textIn } from './json-access.ts'
import { perValue } from './per-value.ts'

/** Fine-tuning data: `{conversations: [{from, value}]}`. */
export const shareGpt = perValue({
  name: 'ShareGPT conversations',
  recognise: (value) =>
    Array.isArray(value['conversations']) &&
    objectsIn(value, 'conversations').every((one) => 'from' in one || 'role' in one),
  read: (value, place) => {
    const system = textIn(value, 'system')
    const id = textIn(value, 'id')
    const messages = chatMessages(objectsIn(value, 'conversations'))
    if (!messages.some(({ role }) => role === 'assistant'))
      return [unanswered(place, 'holds no answer of the model', 'Give conversations with answers')]
    const body = { ...(system !== undefined && { system }), messages }
    return [{ kind: 'session', ...(id !== undefined && { id }), body, place }]
  },
})

/** `.traj` files of SWE-agent and mini-SWE-agent. */
export const trajectory = perValue({
  name: 'SWE-agent trajectory',
  recognise: (value) =>
    (Array.isArray(value['history']) && Array.isArray(value['trajectory'])) ||
    (Array.isArray(value['messages']) && 'trajectory_format' in value),
  read: (value, place) => {
    const list = Array.isArray(value['history']) ? value['history'] : value['messages']
    const messages = chatMessages(Array.isArray(list) ? list : [])
    if (!messages.some(({ role }) => role === 'assistant'))
      return [unanswered(place, 'holds no answer of the model', 'Give a trajectory with answers')]
    const config = objectIn(objectIn(value, 'info'), 'config')
    const model = textIn(objectIn(config, 'model'), 'model_name') ?? textIn(value['replay_config'], 'model')
    return [{ kind: 'session', body: { ...(model !== undefined && { model }), messages }, place }]
  },
})

/** What `codex exec --json` prints, in which results of tools are cut. */
export const codexEvents = perValue({
  name: 'events of codex exec',
  recognise: (value) =>
    (value['type'] === 'thread.started' && 'thread_id' in value) ||
    (/^(?:turn|item)\.\w+$/.test(String(value['type'])) && (isJsonObject(value['item']) || !('payload' in value))),
  read: (_value, place) => {
    throw traceError(
      place,
      'is what codex exec prints, which does not hold the requests',
      'Give the rollout of the same session from ~/.codex/sessions',
    )
  },
})
