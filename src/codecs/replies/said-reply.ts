import type { Loss, ReplyEvent, SaidCall, SaidReply, StopReason, Usage } from '../../core/index.ts'
import { optional } from '../optional.ts'

/** What the events of one reply say together. */
export function saidReply(events: readonly ReplyEvent[]): SaidReply {
  let [id, model]: (string | undefined)[] = []
  let [text, reasoning] = ['', '']
  let reason: StopReason = 'end'
  let stopSequence: string | undefined
  let usage: Usage | undefined
  let isRefusal = false
  let failure: SaidReply['failure']
  const calls: SaidCall[] = []
  const lost: Loss[] = []
  let call: SaidCall | undefined
  for (const event of events) {
    switch (event.kind) {
      case 'begin':
        ;({ id, model } = event)
        break
      case 'text':
        text += event.text
        isRefusal ||= event.isRefusal === true
        break
      case 'reasoning':
        reasoning += event.text
        break
      case 'call':
        call = callOf(event)
        break
      case 'arguments':
        if (call) call = { ...call, arguments: call.arguments + event.text }
        break
      case 'call-end':
        if (call) calls.push(call)
        call = undefined
        break
      case 'lost':
        lost.push(event.loss)
        break
      case 'end':
        ;({ reason, stopSequence, usage } = event)
        break
      case 'failed':
        ;({ failure } = event)
        break
    }
  }
  return {
    ...optional('id', id),
    ...optional('model', model),
    text,
    ...(isRefusal && { isRefusal }),
    reasoning,
    calls,
    reason,
    ...optional('stopSequence', stopSequence),
    ...optional('usage', usage),
    lost,
    ...optional('failure', failure),
  }
}

function callOf({ id, name, namespace, isText }: Extract<ReplyEvent, { kind: 'call' }>): SaidCall {
  return { id, name, ...optional('namespace', namespace), arguments: '', ...optional('isText', isText) }
}
