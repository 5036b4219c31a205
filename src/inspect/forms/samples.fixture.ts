/** A small file of each form, made by hand. All of them tell the same conversation. */
export interface Sample {
  readonly form: string
  /** As files of the form are called. */
  readonly file: string
  readonly text: string
  /** Requests that it holds; two where nothing is said. */
  readonly requests?: number
  readonly lacks?: readonly string[]
}

const question = 'Why does the build fail?'
const words = 'I look.'
const output = 'x is not defined'
const answer = 'It is x.'
const input = { path: 'a.ts' }
const args = JSON.stringify(input)
const model = 'gpt-5.1'
const claude = 'claude-sonnet-4-5'
const at = (second: number): string => `2026-10-02T08:00:0${second}.000Z`

const chat = [
  { role: 'user', content: question },
  {
    role: 'assistant',
    content: words,
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: args } }],
  },
  { role: 'tool', tool_call_id: 'c1', content: output },
  { role: 'assistant', content: answer },
]
const anthropic = [
  { role: 'user', content: question },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: words },
      { type: 'tool_use', id: 'c1', name: 'read', input },
    ],
  },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: output }] },
  { role: 'assistant', content: [{ type: 'text', text: answer }] },
]
const items = [
  { type: 'message', role: 'user', content: [{ type: 'input_text', text: question }] },
  { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: words }] },
  { type: 'function_call', call_id: 'c1', name: 'read', arguments: args },
  { type: 'function_call_output', call_id: 'c1', output },
  { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: answer }] },
]
const contents = [
  { role: 'user', parts: [{ text: question }] },
  { role: 'model', parts: [{ text: words }, { functionCall: { name: 'read', args: input } }] },
  { role: 'user', parts: [{ functionResponse: { name: 'read', response: { output } } }] },
  { role: 'model', parts: [{ text: answer }] },
]

const chatBodies = [1, 3].map((to) => ({ model, messages: chat.slice(0, to) }))
const claudeBodies = [1, 3].map((to) => ({
  model: claude,
  max_tokens: 99,
  system: 'Be brief.',
  messages: anthropic.slice(0, to),
}))
const responsesBodies = [1, 4].map((to) => ({ model, input: items.slice(0, to) }))
const geminiBodies = [1, 3].map((to) => ({ contents: contents.slice(0, to) }))
const otelMessages = [
  { role: 'user', parts: [{ type: 'text', content: question }] },
  {
    role: 'assistant',
    parts: [
      { type: 'text', content: words },
      { type: 'tool_call', id: 'c1', name: 'read', arguments: input },
    ],
  },
  { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: output }] },
]
const langchain = [
  {
    lc: 1,
    type: 'constructor',
    id: ['langchain', 'schema', 'messages', 'HumanMessage'],
    kwargs: { content: question, type: 'human' },
  },
  {
    lc: 1,
    type: 'constructor',
    id: ['langchain', 'schema', 'messages', 'AIMessage'],
    kwargs: { content: words, type: 'ai', tool_calls: [{ id: 'c1', name: 'read', args: input, type: 'tool_call' }] },
  },
  {
    lc: 1,
    type: 'constructor',
    id: ['langchain', 'schema', 'messages', 'ToolMessage'],
    kwargs: { content: output, type: 'tool', tool_call_id: 'c1' },
  },
]

const lines = (...values: readonly unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('')
const document = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const claudeLine = (uuid: string, parentUuid: string | null, more: object): object => ({
  parentUuid,
  isSidechain: false,
  sessionId: 's1',
  cwd: '/proj',
  version: '2.1.0',
  uuid,
  timestamp: at(Number(uuid.slice(1)) % 10),
  ...more,
})
const claudeAnswer = (id: string, content: readonly unknown[]): object => ({
  type: 'assistant',
  message: { id, type: 'message', role: 'assistant', model: claude, content, usage: {} },
})
const claudeUser = (content: unknown): object => ({ type: 'user', message: { role: 'user', content } })
export const claudeOpening = [
  { type: 'summary', summary: 'The build', leafUuid: 'u9' },
  claudeLine('u1', null, claudeUser(question)),
  claudeLine('u2', 'u1', claudeAnswer('m1', [{ type: 'text', text: words }])),
  claudeLine('u3', 'u2', claudeAnswer('m1', [{ type: 'tool_use', id: 'c1', name: 'read', input }])),
] as const

const opencodeMessages = [
  { info: { id: 'm1', role: 'user', time: { created: 1_790_000_000_000 } }, parts: [{ type: 'text', text: question }] },
  {
    info: {
      id: 'm2',
      role: 'assistant',
      modelID: claude,
      providerID: 'anthropic',
      time: { created: 1_790_000_001_000 },
    },
    parts: [
      { type: 'step-start' },
      { type: 'text', text: words },
      {
        type: 'tool',
        callID: 'c1',
        tool: 'read',
        state: { status: 'completed', input, output, time: { end: 1_790_000_002_000 } },
      },
      { type: 'step-finish' },
      { type: 'step-start' },
      { type: 'text', text: answer },
    ],
  },
]

const otlp = (attributes: Readonly<Record<string, string>>): object => ({
  resourceSpans: [
    {
      scopeSpans: [
        {
          spans: [
            {
              traceId: 't1',
              spanId: 'p1',
              name: 'chat gpt-5.1',
              startTimeUnixNano: '1790000000000000000',
              attributes: Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } })),
            },
          ],
        },
      ],
    },
  ],
})
const otelCall = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': model }

export const samples: readonly Sample[] = [
  { form: 'request bodies', file: 'chat.jsonl', text: lines(...chatBodies) },
  { form: 'request bodies', file: 'anthropic.json', text: claudeBodies.map(document).join('') },
  { form: 'request bodies', file: 'responses.json', text: document(responsesBodies) },
  { form: 'request bodies', file: 'gemini.jsonl', text: lines(...geminiBodies) },
  {
    form: 'requests with their answers',
    file: 'proxy.jsonl',
    text: lines(...chatBodies.map((request) => ({ ts: at(1), request, response: {} }))),
  },
  {
    form: 'requests with their answers',
    file: 'wrapped.jsonl',
    text: lines(...claudeBodies.map((body) => ({ url: '/v1/messages', body: JSON.stringify(body) }))),
  },
  {
    form: 'requests with their answers',
    file: 'flat.jsonl',
    text: lines(...chatBodies.map((body, index) => ({ id: `r${index}`, ...body, response: {}, latency: 3 }))),
  },
  {
    form: 'recorded sessions',
    file: 'sessions.jsonl',
    text: lines({ id: 's1', messages: chat }),
    lacks: ['system prompt', 'tools'],
  },
  {
    form: 'OpenAI batch input',
    file: 'batch.jsonl',
    text: lines(
      ...responsesBodies.map((body, index) => ({ custom_id: `r${index}`, method: 'POST', url: '/v1/responses', body })),
    ),
  },
  {
    form: 'Anthropic batch input',
    file: 'batch.jsonl',
    text: lines(...claudeBodies.map((params, index) => ({ custom_id: `r${index}`, params }))),
  },
  {
    form: 'Anthropic batch input',
    file: 'batch.json',
    text: document({ requests: claudeBodies.map((params, index) => ({ custom_id: `r${index}`, params })) }),
  },
  {
    form: 'Gemini batch input',
    file: 'batch.jsonl',
    text: lines(...geminiBodies.map((request, index) => ({ key: `r${index}`, request }))),
  },
  {
    form: 'Claude Code session',
    file: '1b2c.jsonl',
    text: lines(
      ...claudeOpening,
      claudeLine('u4', 'u3', claudeUser([{ type: 'tool_result', tool_use_id: 'c1', content: output }])),
      claudeLine('u5', 'u4', claudeAnswer('m2', [{ type: 'text', text: answer }])),
      { type: 'kind-of-line-to-come', sessionId: 's1' },
    ),
    lacks: ['system prompt', 'tools'],
  },
  {
    form: 'Claude Code session',
    file: 'stream.jsonl',
    text: lines(
      { type: 'system', subtype: 'init', session_id: 's1', tools: ['Read'], model: claude },
      { session_id: 's1', parent_tool_use_id: null, uuid: 'v0', ...claudeUser(question) },
      {
        session_id: 's1',
        parent_tool_use_id: null,
        uuid: 'v1',
        ...claudeAnswer('m1', [
          { type: 'text', text: words },
          { type: 'tool_use', id: 'c1', name: 'read', input },
        ]),
      },
      {
        session_id: 's1',
        parent_tool_use_id: null,
        uuid: 'v2',
        ...claudeUser([{ type: 'tool_result', tool_use_id: 'c1', content: output }]),
      },
      {
        session_id: 's1',
        parent_tool_use_id: null,
        uuid: 'v3',
        ...claudeAnswer('m2', [{ type: 'text', text: answer }]),
      },
      { type: 'result', subtype: 'success', session_id: 's1' },
    ),
    lacks: ['system prompt', 'tools'],
  },
  {
    form: 'Codex rollout',
    file: 'rollout-2026-10-02.jsonl',
    text: lines(
      {
        timestamp: at(0),
        type: 'session_meta',
        payload: { id: 'x1', cwd: '/proj', cli_version: '0.100.0', base_instructions: { text: 'Be brief.' } },
      },
      { timestamp: at(0), type: 'turn_context', payload: { model } },
      { timestamp: at(0), type: 'event_msg', payload: { type: 'user_message', message: question } },
      ...items.map((payload, index) => ({ timestamp: at(index), type: 'response_item', payload })),
    ),
    lacks: ['tools'],
  },
  {
    form: 'Codex rollout',
    file: 'rollout-2025-06-01.jsonl',
    text: lines({ id: 'x1', timestamp: at(0), instructions: null, git: {} }, { record_type: 'state' }, ...items),
    lacks: ['system prompt', 'tools'],
  },
  {
    form: 'opencode export',
    file: 'session.json',
    text: document({ info: { id: 'ses_1', title: 'The build' }, messages: opencodeMessages }),
    lacks: ['system prompt', 'tools'],
  },
  {
    form: 'Cline conversation',
    file: 'api_conversation_history.json',
    text: JSON.stringify(anthropic),
    lacks: ['system prompt', 'tools'],
  },
  {
    form: 'Cline session',
    file: '1.messages.json',
    text: document({
      version: 1,
      sessionId: '1',
      system_prompt: 'Be brief.',
      messages: anthropic.map((message, index) => ({
        ...message,
        ts: 1_790_000_000_000 + index,
        modelInfo: { id: model },
      })),
    }),
    lacks: ['tools'],
  },
  {
    form: 'Gemini CLI session',
    file: 'session-2026-10-02.json',
    text: document({
      sessionId: 'g1',
      projectHash: 'h',
      startTime: at(0),
      messages: [
        { id: 'a', timestamp: at(0), type: 'user', content: question },
        {
          id: 'b',
          timestamp: at(1),
          type: 'gemini',
          model: 'gemini-2.5-pro',
          content: words,
          toolCalls: [
            {
              id: 'c1',
              name: 'read',
              args: input,
              result: [{ functionResponse: { id: 'c1', name: 'read', response: { output } } }],
            },
          ],
        },
        { id: 'c', timestamp: at(2), type: 'info', content: 'Update available' },
        { id: 'd', timestamp: at(3), type: 'gemini', content: answer },
      ],
    }),
    lacks: ['system prompt', 'tools'],
  },
  {
    form: 'Gemini CLI session',
    file: 'session-2026-10-02.jsonl',
    text: lines(
      { sessionId: 'g1', projectHash: 'h', startTime: at(0), kind: 'main' },
      { $set: { messages: [{ id: 'a', timestamp: at(0), type: 'user', content: [{ text: question }] }] } },
      { id: 'b', timestamp: at(1), type: 'gemini', content: words, model: 'gemini-2.5-pro' },
      { $set: { lastUpdated: at(1) } },
      {
        id: 'b',
        timestamp: at(1),
        type: 'gemini',
        content: words,
        toolCalls: [{ id: 'c1', name: 'read', args: input, result: contents[2]?.parts }],
      },
      { id: 'c', timestamp: at(2), type: 'user', content: contents[2]?.parts },
      { id: 'd', timestamp: at(3), type: 'gemini', content: answer },
    ),
    lacks: ['system prompt', 'tools'],
  },
  {
    form: 'Gemini CLI checkpoint',
    file: 'checkpoint-build.json',
    text: document(contents),
    lacks: ['system prompt', 'tools'],
  },
  {
    form: 'Qwen Code session',
    file: '2610.jsonl',
    text: lines(
      ...contents.map((message, index) => ({
        uuid: `q${index}`,
        parentUuid: index === 0 ? null : `q${index - 1}`,
        sessionId: 'q',
        timestamp: at(index),
        type: message.role === 'model' ? 'assistant' : 'user',
        model: 'qwen3-coder-plus',
        message,
      })),
    ),
    lacks: ['system prompt', 'tools'],
  },
  {
    form: 'pi session',
    file: '2026_01.jsonl',
    text: lines(
      { type: 'session', version: 3, id: 'p1', timestamp: at(0), cwd: '/proj' },
      {
        type: 'message',
        id: 'a',
        parentId: null,
        timestamp: at(0),
        message: { role: 'user', content: [{ type: 'text', text: question }] },
      },
      {
        type: 'message',
        id: 'b',
        parentId: 'a',
        timestamp: at(1),
        message: {
          role: 'assistant',
          model,
          content: [
            { type: 'text', text: words },
            { type: 'toolCall', id: 'c1', name: 'read', arguments: input },
          ],
        },
      },
      {
        type: 'message',
        id: 'c',
        parentId: 'b',
        timestamp: at(2),
        message: {
          role: 'toolResult',
          toolCallId: 'c1',
          toolName: 'read',
          content: [{ type: 'text', text: output }],
          isError: false,
        },
      },
      {
        type: 'message',
        id: 'd',
        parentId: 'c',
        timestamp: at(3),
        message: { role: 'assistant', model, content: [{ type: 'text', text: answer }] },
      },
    ),
    lacks: ['system prompt', 'tools'],
  },
  {
    form: 'HAR',
    file: 'page.har',
    text: document({
      log: {
        version: '1.2',
        entries: [
          { startedDateTime: at(0), request: { method: 'GET', url: 'https://docs.example/logo.png' }, response: {} },
          ...geminiBodies.map((body, index) => ({
            startedDateTime: at(index),
            request: {
              method: 'POST',
              url: 'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse',
              postData: { mimeType: 'application/json', text: JSON.stringify(body) },
            },
            response: {},
          })),
        ],
      },
    }),
  },
  {
    form: 'Langfuse export',
    file: 'observations.json',
    text: document({
      data: [
        { id: 'o0', traceId: 't1', type: 'SPAN', name: 'agent', startTime: at(0), input: question },
        ...chatBodies.map(({ messages }, index) => ({
          id: `o${index + 1}`,
          traceId: 't1',
          type: 'GENERATION',
          model,
          startTime: at(index),
          input: messages,
        })),
      ],
      meta: {},
    }),
  },
  {
    form: 'Langfuse export',
    file: 'traces.jsonl',
    text: lines({
      id: 't1',
      timestamp: at(0),
      sessionId: 's1',
      observations: chatBodies.map(({ messages }, index) => ({
        id: `o${index}`,
        traceId: 't1',
        type: 'GENERATION',
        model,
        startTime: at(index),
        input: JSON.stringify({ messages }),
      })),
    }),
  },
  {
    form: 'LangSmith runs',
    file: 'runs.jsonl',
    text: lines(
      ...[1, 3].map((to) => ({
        id: `r${to}`,
        run_type: 'llm',
        start_time: `2026-10-02T08:00:0${to}.000000`,
        trace_id: 't',
        inputs: { messages: [langchain.slice(0, to)] },
        extra: { invocation_params: { model }, metadata: { thread_id: 'th' } },
      })),
    ),
  },
  {
    form: 'Helicone export',
    file: 'requests.json',
    text: document({
      data: chatBodies.map((body, index) => ({
        request_id: `h${index}`,
        request_created_at: at(index),
        request_path: 'https://oai.helicone.ai/v1/chat/completions',
        request_body: JSON.stringify(body),
        response_body: {},
        request_properties: { 'Helicone-Session-Id': 's1' },
      })),
    }),
  },
  {
    form: 'LiteLLM log',
    file: 'litellm.jsonl',
    text: lines(
      ...chatBodies.map(({ messages }, index) => ({
        id: `chatcmpl-${index}`,
        trace_id: `t${index}`,
        call_type: 'acompletion',
        startTime: 1_790_000_000 + index,
        model,
        messages,
        response: {},
        model_parameters: { tools: [] },
      })),
    ),
  },
  {
    form: 'OpenTelemetry spans',
    file: 'otlp.jsonl',
    text: lines(
      ...[1, 3].map((to) => otlp({ ...otelCall, 'gen_ai.input.messages': JSON.stringify(otelMessages.slice(0, to)) })),
    ),
  },
  {
    form: 'OpenTelemetry spans',
    file: 'events.jsonl',
    text: lines(
      ...[1, 3].map((to) => ({
        name: 'chat',
        context: { trace_id: '0x1', span_id: `0x${to}` },
        start_time: at(to),
        attributes: otelCall,
        events: chat.slice(0, to).map(({ role, ...said }) => ({
          name: `gen_ai.${role}.message`,
          attributes: { ...said, ...('tool_call_id' in said && { id: said.tool_call_id }) },
        })),
      })),
    ),
  },
  {
    form: 'OpenTelemetry spans',
    file: 'openllmetry.jsonl',
    text: lines(
      ...[1, 3].map((to) =>
        otlp({
          ...otelCall,
          ...Object.fromEntries(
            chat.slice(0, to).flatMap((message, index): [string, string][] => [
              [`gen_ai.prompt.${index}.role`, message.role],
              [`gen_ai.prompt.${index}.content`, message.content],
              ...('tool_calls' in message
                ? ([
                    [`gen_ai.prompt.${index}.tool_calls.0.id`, 'c1'],
                    [`gen_ai.prompt.${index}.tool_calls.0.name`, 'read'],
                    [`gen_ai.prompt.${index}.tool_calls.0.arguments`, args],
                  ] as [string, string][])
                : []),
              ...('tool_call_id' in message
                ? ([[`gen_ai.prompt.${index}.tool_call_id`, 'c1']] as [string, string][])
                : []),
            ]),
          ),
        }),
      ),
    ),
  },
  {
    form: 'OpenTelemetry spans',
    file: 'openinference.jsonl',
    text: lines(
      ...[1, 3].map((to) =>
        otlp({
          'openinference.span.kind': 'LLM',
          'llm.model_name': model,
          ...Object.fromEntries(
            chat.slice(0, to).flatMap((message, index): [string, string][] => {
              const prefix = `llm.input_messages.${index}.message`
              return [
                [`${prefix}.role`, message.role],
                [`${prefix}.content`, message.content],
                ...('tool_calls' in message
                  ? ([
                      [`${prefix}.tool_calls.0.tool_call.id`, 'c1'],
                      [`${prefix}.tool_calls.0.tool_call.function.name`, 'read'],
                      [`${prefix}.tool_calls.0.tool_call.function.arguments`, args],
                    ] as [string, string][])
                  : []),
                ...('tool_call_id' in message ? ([[`${prefix}.tool_call_id`, 'c1']] as [string, string][]) : []),
              ]
            }),
          ),
        }),
      ),
    ),
  },
  {
    form: 'ShareGPT conversations',
    file: 'sharegpt.json',
    text: document([
      {
        id: 'g',
        conversations: [
          { from: 'human', value: question },
          { from: 'gpt', value: answer },
        ],
      },
    ]),
    requests: 1,
    lacks: ['system prompt', 'tools'],
  },
  {
    form: 'Continue session',
    file: 'session.json',
    text: document({
      sessionId: 'k',
      title: 'The build',
      history: [
        { message: { role: 'user', content: question }, contextItems: [] },
        {
          message: {
            role: 'assistant',
            content: words,
            toolCalls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: args } }],
          },
          toolCallStates: [{ toolCallId: 'c1', status: 'done', output: [{ name: 'Tool Result', content: output }] }],
        },
        { message: { role: 'assistant', content: answer, usage: { model: claude } }, contextItems: [] },
      ],
    }),
    lacks: ['system prompt', 'tools'],
  },
  {
    form: 'SWE-agent trajectory',
    file: 'run.traj',
    text: document({ trajectory: [], history: chat, info: {} }),
    lacks: ['system prompt', 'tools'],
  },
]

/** Files that are recognised and cannot be used, with what is said of them. */
export const unusable: readonly { readonly file: string; readonly text: string; readonly says: RegExp }[] = [
  {
    file: 'output.jsonl',
    text: lines({ id: 'b', custom_id: 'r0', response: { status_code: 200, body: { choices: [] } }, error: null }),
    says: /is the result of a batch.* Give the input file of the batch/,
  },
  {
    file: 'results.jsonl',
    text: lines({ custom_id: 'r0', result: { type: 'succeeded', message: { role: 'assistant', content: [] } } }),
    says: /is the result of a batch/,
  },
  {
    file: 'embeddings.jsonl',
    text: lines({
      custom_id: 'r0',
      method: 'POST',
      url: '/v1/embeddings',
      body: { model: 'text-embedding-3-small', input: 'x' },
    }),
    says: /body: is a request to \/v1\/embeddings, which has no conversation/,
  },
  {
    file: 'ui_messages.json',
    text: document([{ ts: 1, type: 'say', say: 'text', text: question }]),
    says: /what Cline shows .* Give api_conversation_history\.json/,
  },
  {
    file: 'codex-exec.jsonl',
    text: lines({ type: 'thread.started', thread_id: 't' }, { type: 'turn.started' }),
    says: /what codex exec prints.* ~\/\.codex\/sessions/,
  },
  {
    file: 'empty.har',
    text: document({
      log: { entries: [{ request: { method: 'POST', url: 'https://api.openai.com/v1/chat/completions' } }] },
    }),
    says: /holds 1 requests to models without their bodies.* "with content"/,
  },
  {
    file: 'masked.jsonl',
    text: lines({ id: 'o', traceId: 't', type: 'GENERATION', startTime: at(0), input: null }),
    says: /input: is missing.* does not mask/,
  },
  {
    file: 'links.jsonl',
    text: lines({
      request_id: 'h',
      request_path: '/v1/chat/completions',
      request_body: '',
      signed_body_url: 'https://s3.example/h',
    }),
    says: /request_body: is not in the file, only a link.* signed_body_url/,
  },
  {
    file: 'redacted.jsonl',
    text: lines({
      id: 'l',
      call_type: 'completion',
      model,
      messages: [{ role: 'user', content: 'redacted-by-litellm' }],
      response: {},
    }),
    says: /messages: are not in the log.* turn_off_message_logging/,
  },
  {
    file: 'silent.jsonl',
    text: lines(otlp(otelCall)),
    says: /holds 1 spans of calls to models without what was said.* OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT/,
  },
  {
    file: 'continued.jsonl',
    text: lines({ model, previous_response_id: 'resp_1', input: [items[3]] }),
    says: /previous_response_id: names a reply that OpenAI keeps/,
  },
  {
    file: 'unanswered.jsonl',
    text: lines(claudeOpening[0], claudeOpening[1]),
    says: /is a Claude Code session without an answer/,
  },
  {
    file: 'questions.jsonl',
    text: lines({ id: 'q', messages: chat.slice(0, 1) }),
    says: /holds sessions without answers/,
  },
  {
    file: 'chains.jsonl',
    text: lines({ id: 'r', run_type: 'chain', inputs: { question }, outputs: {} }),
    says: /is read as LangSmith runs, and holds no request to a model/,
  },
  { file: 'other.jsonl', text: lines({ colour: 'red' }), says: /is of no form that is known \(it has colour\)/ },
  { file: 'cut.json', text: document(chatBodies).slice(0, -20), says: /the document is cut off.* Export it again/ },
  { file: 'nothing.jsonl', text: '\n', says: /holds no request/ },
]
