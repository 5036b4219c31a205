import { invalidInput } from '../core/index.ts'
import type { CallRecord, MessageContext } from './request-reader.ts'

/**
 * A new call. Ids that come back after their result are common in the wild and keep groups of their own; an id that is
 * used twice before its result comes leaves open which call the result answers.
 */
export function claimCall(
  context: MessageContext,
  taken: Set<string>,
  { id, name, path }: { readonly id: string; readonly name: string; readonly path: string },
): CallRecord {
  if (taken.has(id) || context.unanswered.has(id)) {
    throw invalidInput(path, `tool call id ${JSON.stringify(id)} is used twice`, 'Give every call its own id.')
  }
  taken.add(id)
  const use = (context.calls.get(id)?.use ?? 0) + 1
  return { id, name, group: use === 1 ? id : `${id}#${use}`, use }
}

/** A call of this id whose result may stand here, or the error that names the field. */
export function requireCall(calls: ReadonlyMap<string, CallRecord>, id: string, path: string): CallRecord {
  const call = calls.get(id)
  if (call === undefined) {
    throw invalidInput(
      path,
      `no tool call ${JSON.stringify(id)} before this result`,
      'Send the message that made the call, too.',
    )
  }
  return call
}
