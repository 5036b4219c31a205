// Bodies that say everything that their dialects have words for, as far as another could be asked to say it.
import type { KnownDialect, WireRequest } from '../src/core/index.ts'

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const schema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }
const answer = {
  type: 'object',
  properties: { found: { type: 'boolean' } },
  required: ['found'],
  additionalProperties: false,
}
const description = 'Reads a file.'

const chat = {
  model: 'some-model',
  messages: [
    { role: 'system', content: 'You are an agent.' },
    { role: 'developer', content: 'Be short.' },
    {
      role: 'user',
      name: 'ann',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${pixel}`, detail: 'low' } },
        { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
        { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } },
      ],
    },
    {
      role: 'assistant',
      content: 'Looking.',
      reasoning_content: 'Two files.',
      tool_calls: [
        { id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } },
        { id: 'call_2', type: 'function', function: { name: 'read', arguments: '{"path":"b"}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'call_1', content: 'one' },
    { role: 'tool', tool_call_id: 'call_2', content: 'two' },
  ],
  tools: [
    { type: 'function', function: { name: 'read', description, parameters: schema } },
    { type: 'custom', custom: { name: 'patch', description: 'Patches a file.' } },
  ],
  tool_choice: { type: 'function', function: { name: 'read' } },
  parallel_tool_calls: true,
  response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: answer, strict: true } },
  max_completion_tokens: 100,
  temperature: 1.5,
  top_p: 0.9,
  seed: 7,
  stop: ['END'],
  stream: true,
  stream_options: { include_usage: true },
  frequency_penalty: 0.1,
  logit_bias: { 5: 1 },
  logprobs: true,
  reasoning_effort: 'low',
  service_tier: 'flex',
  metadata: { a: 'b' },
}

const anthropic = {
  model: 'some-model',
  max_tokens: 100,
  system: [{ type: 'text', text: 'You are an agent.', cache_control: { type: 'ephemeral' } }],
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } },
        { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' } },
        { type: 'search_result', source: 'a', title: 'A', content: [{ type: 'text', text: 'found' }] },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Two files.', signature: 'c2ln' },
        { type: 'redacted_thinking', data: 'eA==' },
        { type: 'text', text: 'Looking.' },
        { type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'a' } },
        { type: 'tool_use', id: 'toolu_2', name: 'read', input: { path: 'b' } },
      ],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'toolu_1',
          content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } }],
        },
        { type: 'tool_result', tool_use_id: 'toolu_2', content: 'no such file', is_error: true },
      ],
    },
  ],
  tools: [
    { name: 'read', description, input_schema: schema },
    { type: 'web_search_20250305', name: 'web_search' },
  ],
  tool_choice: { type: 'tool', name: 'read', disable_parallel_tool_use: true },
  temperature: 0.5,
  top_p: 0.9,
  top_k: 40,
  stop_sequences: ['END'],
  output_config: { format: { type: 'json_schema', schema: answer }, effort: 'low' },
  thinking: { type: 'enabled', budget_tokens: 1024 },
  context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },
  metadata: { user_id: 'u' },
  stream: true,
}

const responses = {
  model: 'some-model',
  instructions: 'You are an agent.',
  input: [
    { role: 'developer', content: 'Be short.' },
    {
      role: 'user',
      content: [
        { type: 'input_text', text: 'What is this?' },
        { type: 'input_image', image_url: `data:image/png;base64,${pixel}`, detail: 'low' },
        { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' },
      ],
    },
    {
      type: 'reasoning',
      id: 'rs_1',
      summary: [{ type: 'summary_text', text: 'Two files.' }],
      encrypted_content: 'eA==',
    },
    { role: 'assistant', content: [{ type: 'output_text', text: 'Looking.', annotations: [] }] },
    { type: 'function_call', call_id: 'call_1', name: 'read', arguments: '{"path":"a"}' },
    { type: 'custom_tool_call', call_id: 'call_2', name: 'patch', input: '*** a' },
    { type: 'function_call_output', call_id: 'call_1', output: 'one' },
    { type: 'custom_tool_call_output', call_id: 'call_2', output: 'two' },
  ],
  tools: [
    { type: 'function', name: 'read', description, parameters: schema, strict: false },
    {
      type: 'custom',
      name: 'patch',
      description: 'Patches a file.',
      format: { type: 'grammar', syntax: 'lark', definition: 'start: "*** a"' },
    },
    { type: 'web_search' },
  ],
  tool_choice: 'required',
  parallel_tool_calls: false,
  text: { format: { type: 'json_schema', name: 'answer', schema: answer, strict: true }, verbosity: 'low' },
  reasoning: { effort: 'low', summary: 'auto' },
  include: ['reasoning.encrypted_content'],
  max_output_tokens: 100,
  temperature: 1.5,
  top_p: 0.9,
  truncation: 'auto',
  store: false,
  stream: true,
}

const gemini = {
  systemInstruction: { parts: [{ text: 'You are an agent.' }] },
  contents: [
    {
      role: 'user',
      parts: [
        { text: 'What is this?' },
        { inlineData: { mimeType: 'image/png', data: pixel } },
        { inlineData: { mimeType: 'audio/wav', data: 'AAAA' } },
        { fileData: { mimeType: 'video/mp4', fileUri: 'https://video.example/a.mp4' } },
      ],
    },
    {
      role: 'model',
      parts: [
        { text: 'Two files.', thought: true },
        { text: 'Looking.' },
        { functionCall: { name: 'read', args: { path: 'a' } }, thoughtSignature: 'c2ln' },
        { functionCall: { name: 'read', args: { path: 'b' } } },
      ],
    },
    {
      role: 'user',
      parts: [
        { functionResponse: { name: 'read', response: { output: 'one' } } },
        { functionResponse: { name: 'read', response: { output: 'two' } } },
      ],
    },
  ],
  tools: [{ functionDeclarations: [{ name: 'read', description, parametersJsonSchema: schema }] }],
  toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['read'] } },
  safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
  generationConfig: {
    maxOutputTokens: 100,
    temperature: 1.5,
    topP: 0.9,
    topK: 40,
    seed: 7,
    stopSequences: ['END'],
    responseMimeType: 'application/json',
    responseJsonSchema: answer,
    presencePenalty: 0.1,
    thinkingConfig: { thinkingLevel: 'low' },
  },
}

export const crossingSamples: Readonly<Record<KnownDialect, WireRequest>> = {
  'openai-chat': { path: '/v1/chat/completions', body: JSON.stringify(chat) },
  'openai-responses': { path: '/v1/responses', body: JSON.stringify(responses) },
  'anthropic-messages': { path: '/v1/messages', body: JSON.stringify(anthropic) },
  'gemini': { path: '/v1beta/models/some-model:streamGenerateContent?alt=sse', body: JSON.stringify(gemini) },
}

/** Who is asked in each dialect. */
export const crossingModels: Readonly<Record<KnownDialect, string>> = {
  'openai-chat': 'gpt-5.1',
  'openai-responses': 'gpt-5.1',
  'anthropic-messages': 'claude-sonnet-4-6',
  'gemini': 'gemini-3.5-flash',
}
