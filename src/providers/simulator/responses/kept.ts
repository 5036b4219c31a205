import type { JsonObject } from '../../../core/index.ts'
import type { Completion, GoneOn, Kept, KeptReply } from '../dialect.ts'
import { refused } from '../openai/problem.ts'
import { textOf } from '../read-json.ts'
import type { ProviderProblem } from '../wire.ts'
import { itemsOf } from './chat-form.ts'
import { responseOf } from './response.ts'

/** A request as if it had brought along what the provider keeps of the one that it goes on from; but for instructions. */
export function goesOn(body: JsonObject, { replies }: Kept): GoneOn {
  const { previous_response_id: id = null, conversation = null } = body
  if (conversation !== null) return { problem: unknownConversation }
  if (id === null) return { body }
  const before = replies.get(textOf(id) ?? '')
  if (before === undefined) {
    const message = `Previous response with id '${textOf(id) ?? ''}' not found.`
    return { problem: refused(message, 'previous_response_id', 'previous_response_not_found') }
  }
  return { body: { ...body, input: [...before.items, ...itemsOf(body['input'])] } }
}

const unknownConversation: ProviderProblem = { status: 404, message: 'Conversation not found.' }

/** Kept unless the request says otherwise. */
export function keeps(completion: Completion): KeptReply | undefined {
  const { body } = completion.call
  if (body['store'] === false) return undefined
  const reply = responseOf(completion)
  return { reply, items: [...itemsOf(body['input']), ...itemsOf(reply['output'])] }
}
