import Anthropic from '@anthropic-ai/sdk'
import type { Content } from '@google/genai'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import type { JsonObject } from '../../core/index.ts'

/** A tool of an agent, in words of no SDK. */
export interface AgentTool {
  readonly name: string
  readonly description: string
  readonly schema: JsonObject
}

/** A call that an agent's own code has run. */
export interface RunCall {
  readonly name: string
  readonly arguments: unknown
}

export interface AgentRun {
  readonly calls: readonly RunCall[]
  /** All that its SDK gave it, as JSON. */
  readonly got: string
  readonly text: string
}

export interface AgentTask {
  readonly url: string
  readonly tools: readonly AgentTool[]
  readonly prompt: string
  readonly stream: boolean
  /** What a tool answers. */
  readonly run: (call: RunCall) => string
  /** Members that its requests have, too. */
  readonly more?: object
}

/** An agent of a few lines over an official SDK: it asks, runs what is called, and asks again until nothing is. */
export interface SmallAgent {
  readonly name: string
  work(task: AgentTask): Promise<AgentRun>
}

const mostRounds = 12

/** One round: what was said, and the calls with what answers them. */
interface Round {
  readonly got: unknown
  readonly text: string
  readonly calls: readonly (RunCall & { readonly answer: (text: string) => unknown })[]
}

async function loop(
  task: AgentTask,
  ask: () => Promise<Round>,
  add: (answers: readonly unknown[]) => void,
): Promise<AgentRun> {
  const calls: RunCall[] = []
  const got: unknown[] = []
  for (let round = 0; round < mostRounds; round += 1) {
    const said = await ask()
    got.push(said.got)
    if (said.calls.length === 0) return { calls, got: JSON.stringify(got), text: said.text }
    calls.push(...said.calls.map(({ name, arguments: given }) => ({ name, arguments: given })))
    add(said.calls.map((call) => call.answer(task.run(call))))
  }
  throw new Error('the agent goes on and on')
}

const anthropic: SmallAgent = {
  name: 'anthropic-messages',
  work(task) {
    const client = new Anthropic({ baseURL: task.url, apiKey: 'key', maxRetries: 0 })
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: task.prompt }]
    const tools = task.tools.map(
      ({ schema, ...tool }) => ({ ...tool, input_schema: schema }) as unknown as Anthropic.Tool,
    )
    return loop(
      task,
      async () => {
        const params = { model: 'claude-sonnet-4-5', max_tokens: 1_000, messages, tools, ...task.more }
        const reply = task.stream
          ? await client.messages.stream(params).finalMessage()
          : await client.messages.create(params)
        messages.push({ role: 'assistant', content: reply.content })
        const calls = reply.content.flatMap((block) => (block.type === 'tool_use' ? [block] : []))
        return {
          got: reply,
          text: reply.content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
          calls: calls.map(({ id, name, input }) => ({
            name,
            arguments: input,
            answer: (content) => ({ type: 'tool_result', tool_use_id: id, content }),
          })),
        }
      },
      (answers) => messages.push({ role: 'user', content: answers as Anthropic.ToolResultBlockParam[] }),
    )
  },
}

const chat: SmallAgent = {
  name: 'openai-chat',
  work(task) {
    const client = new OpenAI({ baseURL: `${task.url}/v1`, apiKey: 'key', maxRetries: 0 })
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: task.prompt }]
    const tools = task.tools.map(({ schema, ...tool }) => ({
      type: 'function' as const,
      function: { ...tool, parameters: schema },
    }))
    return loop(
      task,
      async () => {
        const params = { model: 'gpt-5.1', messages, tools, ...task.more }
        const { choices } = task.stream
          ? await client.chat.completions.stream(params).finalChatCompletion()
          : await client.chat.completions.create(params)
        const { message } = choices[0]!
        messages.push(message)
        const calls = (message.tool_calls ?? []).flatMap((call) => (call.type === 'function' ? [call] : []))
        return {
          got: message,
          text: message.content ?? '',
          calls: calls.map(({ id, function: { name, arguments: given } }) => ({
            name,
            arguments: JSON.parse(given) as unknown,
            answer: (content) => ({ role: 'tool', tool_call_id: id, content }),
          })),
        }
      },
      (answers) => messages.push(...(answers as OpenAI.ChatCompletionMessageParam[])),
    )
  },
}

const responses: SmallAgent = {
  name: 'openai-responses',
  work(task) {
    const client = new OpenAI({ baseURL: `${task.url}/v1`, apiKey: 'key', maxRetries: 0 })
    const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: task.prompt }]
    const tools = task.tools.map(({ schema, ...tool }) => ({
      type: 'function' as const,
      ...tool,
      parameters: schema as Record<string, unknown>,
      strict: false,
    }))
    return loop(
      task,
      async () => {
        const params = { model: 'gpt-5.1', input, tools, store: false, ...task.more }
        const reply = task.stream
          ? await client.responses.stream({ ...params, stream: true }).finalResponse()
          : await client.responses.create(params)
        input.push(...(reply.output as OpenAI.Responses.ResponseInputItem[]))
        const calls = reply.output.flatMap((item) => (item.type === 'function_call' ? [item] : []))
        return {
          got: reply.output,
          text: reply.output_text,
          calls: calls.map(({ call_id, name, arguments: given }) => ({
            name,
            arguments: JSON.parse(given) as unknown,
            answer: (output) => ({ type: 'function_call_output', call_id, output }),
          })),
        }
      },
      (answers) => input.push(...(answers as OpenAI.Responses.ResponseInputItem[])),
    )
  },
}

const gemini: SmallAgent = {
  name: 'gemini',
  work(task) {
    const { models } = new GoogleGenAI({ apiKey: 'key', httpOptions: { baseUrl: task.url } })
    const contents: Content[] = [{ role: 'user', parts: [{ text: task.prompt }] }]
    const functionDeclarations = task.tools.map(({ schema, ...tool }) => ({ ...tool, parametersJsonSchema: schema }))
    return loop(
      task,
      async () => {
        const params = {
          model: 'gemini-2.5-pro',
          contents,
          config: { tools: [{ functionDeclarations }], ...task.more },
        }
        const parts: NonNullable<Content['parts']> = []
        if (task.stream)
          for await (const chunk of await models.generateContentStream(params))
            parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []))
        else parts.push(...((await models.generateContent(params)).candidates?.[0]?.content?.parts ?? []))
        contents.push({ role: 'model', parts })
        return {
          got: parts,
          text: parts.map(({ text = '' }) => text).join(''),
          calls: parts.flatMap(({ functionCall: call }) =>
            call === undefined
              ? []
              : [
                  {
                    name: call.name ?? '',
                    arguments: call.args,
                    answer: (output: string) => ({
                      functionResponse: { ...(call.id && { id: call.id }), name: call.name, response: { output } },
                    }),
                  },
                ],
          ),
        }
      },
      (answers) => contents.push({ role: 'user', parts: answers as NonNullable<Content['parts']> }),
    )
  },
}

export const smallAgents: readonly SmallAgent[] = [anthropic, chat, responses, gemini]

/** Tools of five servers beside three of the agent's own. */
export function manyTools(count: number): readonly AgentTool[] {
  const string = { type: 'string' }
  const own = ['read_file', 'write_file', 'run'].map((name) => ({
    name,
    description: `Does ${name.replace('_', ' ')}.`,
    schema: { type: 'object', properties: { path: string }, required: ['path'] },
  }))
  const servers = ['github', 'slack', 'jira', 'calendar', 'drive']
  const verbs = ['list', 'get', 'create', 'update', 'delete', 'search', 'archive', 'share']
  const things = ['issue', 'channel', 'ticket', 'event', 'document', 'label']
  const others = Array.from({ length: count - own.length }, (_, at): AgentTool => {
    const server = servers[at % servers.length]!
    const verb = verbs[Math.floor(at / servers.length) % verbs.length]!
    const thing = things[Math.floor(at / (servers.length * verbs.length)) % things.length]!
    return {
      name: `mcp__${server}__${verb}_${thing}`,
      description: `${verb[0]!.toUpperCase()}${verb.slice(1)} a ${thing} of ${server}. It needs the right to do so, and says what has changed.`,
      schema: {
        type: 'object',
        properties: {
          title: { ...string, description: `What the ${thing} is called` },
          body: { ...string, description: `What the ${thing} says` },
          priority: { type: 'string', enum: ['low', 'high'], description: 'How soon somebody has to look at it' },
        },
        required: ['title'],
      },
    }
  })
  return [...own, ...others]
}
