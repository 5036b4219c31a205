import { deflateSync } from 'node:zlib'
import type { Dialect, JsonObject, JsonValue } from '../core/index.ts'

export interface Screen {
  readonly width: number
  readonly height: number
}

/** A real PNG, black and white: as small as files come, and each number another picture. */
export function pngOf({ width, height }: Screen, number: number): string {
  const row = Math.ceil(width / 8) + 1
  const pixels = Buffer.alloc(row * height)
  for (let line = 0; line < height; line += 1)
    pixels.writeUInt32BE((number * 2_654_435_761 + line) >>> 0, line * row + 1)
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head[8] = 1
  const chunks = [chunk('IHDR', head), chunk('IDAT', deflateSync(pixels)), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from('\u{89}PNG\r\n\u{1A}\n', 'latin1'), ...chunks]).toString('base64')
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}

/** A request of an agent that looks at a screen after each of its steps. */
export type ScreenRequest = (steps: number, task?: JsonValue) => JsonObject

/** Long enough for what follows it to be worth a provider's cache, however much of that goes. */
const guide = Array.from({ length: 400 }, (_, rule) => `Rule ${rule}: look at the screen before you act on it.`).join(
  '\n',
)
const usual: Screen = { width: 1280, height: 800 }
const description = 'Moves the mouse, types, and shows the screen.'
const schema = { type: 'object', properties: { action: { type: 'string' } } }
const task = 'Book the cheapest train from Bern to Milan.'
const actions = ['screenshot', 'left_click', 'type', 'scroll', 'key']

const actionAt = (step: number): string => actions[(step - 1) % actions.length] ?? 'wait'
const stepsTo = (steps: number): readonly number[] => Array.from({ length: steps }, (_, index) => index + 1)

/** The same session in each dialect, with a picture where agents of it put one. */
export function screenRequests(screen: Screen = usual): { readonly [Name in Dialect]: ScreenRequest } {
  const png = (step: number): string => pngOf(screen, step)
  return {
    'anthropic-messages': (steps) => ({
      model: 'claude-sonnet-4-5',
      max_tokens: 1024,
      system: guide,
      tools: [{ name: 'computer', description, input_schema: schema }],
      messages: [
        { role: 'user', content: task },
        ...stepsTo(steps).flatMap((step) => [
          {
            role: 'assistant',
            content: [{ type: 'tool_use', id: `toolu_${step}`, name: 'computer', input: { action: actionAt(step) } }],
          },
          {
            role: 'user',
            content: [
              {
                type: 'tool_result',
                tool_use_id: `toolu_${step}`,
                content: [
                  { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png(step) } },
                  ...(step % 2 === 0 ? [{ type: 'text', text: `step ${step} done` }] : []),
                ],
              },
            ],
          },
        ]),
      ],
    }),
    'openai-chat': (steps) => ({
      model: 'gpt-5.1',
      messages: [
        { role: 'system', content: guide },
        { role: 'user', content: task },
        ...stepsTo(steps).flatMap((step) => [
          {
            role: 'assistant',
            content: null,
            tool_calls: [
              {
                id: `call_${step}`,
                type: 'function',
                function: { name: 'computer', arguments: `{"action":"${actionAt(step)}"}` },
              },
            ],
          },
          { role: 'tool', tool_call_id: `call_${step}`, content: 'done' },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'The screen now:' },
              { type: 'image_url', image_url: { url: `data:image/png;base64,${png(step)}`, detail: 'high' } },
            ],
          },
        ]),
      ],
      tools: [{ type: 'function', function: { name: 'computer', description, parameters: schema } }],
    }),
    'openai-responses': (steps) => ({
      model: 'gpt-5.1',
      store: false,
      instructions: guide,
      tools: [{ type: 'function', name: 'computer', description, parameters: schema, strict: false }],
      input: [
        { role: 'user', content: task },
        ...stepsTo(steps).flatMap((step) => [
          {
            type: 'function_call',
            call_id: `call_${step}`,
            name: 'computer',
            arguments: `{"action":"${actionAt(step)}"}`,
          },
          {
            type: 'function_call_output',
            call_id: `call_${step}`,
            output: [{ type: 'input_image', image_url: `data:image/png;base64,${png(step)}`, detail: 'high' }],
          },
        ]),
      ],
    }),
    'gemini': (steps) => ({
      model: 'gemini-3-pro-preview',
      systemInstruction: { parts: [{ text: guide }] },
      tools: [{ functionDeclarations: [{ name: 'computer', description, parametersJsonSchema: schema }] }],
      contents: [
        { role: 'user', parts: [{ text: task }] },
        ...stepsTo(steps).flatMap((step) => [
          {
            role: 'model',
            parts: [
              {
                functionCall: { id: `c${step}`, name: 'computer', args: { action: actionAt(step) } },
                ...(step === 1 && { thoughtSignature: 'c2ln' }),
              },
            ],
          },
          {
            role: 'user',
            parts: [
              {
                functionResponse: {
                  id: `c${step}`,
                  name: 'computer',
                  response:
                    step % 2 === 0 ? { output: `step ${step} done` } : { url: 'https://rail.example', ok: true },
                  parts: [{ inlineData: { mimeType: 'image/png', data: png(step) } }],
                },
              },
            ],
          },
        ]),
      ],
    }),
  }
}
