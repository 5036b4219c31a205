import type { AIMessage } from '@langchain/core/messages'
import type { AgentMiddleware } from 'langchain'
import { packedCalls } from '../neutral/index.ts'
import type { IntegrationOptions, ShownCall } from '../neutral/index.ts'
import { readRequest } from './read-request.ts'
import { readReply, writeReply } from './replies.ts'
import type { Core, From, ReplyFrom, WrapModelCall } from './types.ts'
import { writeRequest } from './write-request.ts'

/**
 * Packs every call of a model that an agent of LangChain makes, in a graph of LangGraph as well:
 *
 * ```ts
 * const agent = createAgent({ model, tools, middleware: [prehendMiddleware()] })
 * ```
 *
 * Put it last, so that it sees what others have made of the request. The state keeps every message whole.
 */
export function prehendMiddleware(options: IntegrationOptions = {}): AgentMiddleware {
  const calls = packedCalls(options)
  let loaded: Promise<Core> | undefined
  const wrapModelCall: WrapModelCall = async (request, handler) => {
    const core = await (loaded ??= load())
    const packed = await calls.pack<From, ReplyFrom>(readRequest(request, core))
    const ask = async (shown: ShownCall<From>): Promise<unknown> => {
      try {
        return await handler(writeRequest(request, shown, core))
      } catch (error) {
        await packed.refused(error)
        throw error
      }
    }
    let answer = await ask(packed.shown)
    for (;;) {
      const message = core.messages.AIMessage.isInstance(answer) ? answer : lastMessage(answer, core)
      // A structured answer has been read by the agent already, and stands as it is.
      if (message === undefined) return answer as AIMessage
      const reply = readReply(message)
      const again = await packed.next(reply)
      if (again === undefined) {
        const parts = await packed.answered(reply)
        return message === answer ? writeReply(message, parts, core) : (answer as AIMessage)
      }
      answer = await ask(again)
    }
  }
  return { [Symbol.for('AgentMiddleware')]: true, name: 'Prehend', wrapModelCall } as AgentMiddleware
}

async function load(): Promise<Core> {
  const [messages, { convertToOpenAITool: toolJson }] = await Promise.all([
    import('@langchain/core/messages'),
    import('@langchain/core/utils/function_calling'),
  ])
  return { messages, toolJson }
}

function lastMessage(answer: unknown, { messages: core }: Core): AIMessage | undefined {
  if (typeof answer !== 'object' || answer === null || !('messages' in answer)) return undefined
  const [first] = Array.isArray(answer.messages) ? (answer.messages as unknown[]) : []
  return core.AIMessage.isInstance(first) ? first : undefined
}
