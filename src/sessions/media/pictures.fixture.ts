import sharp from 'sharp'
import type { JsonObject, KnownDialect } from '../../core/index.ts'

/** A photo-like picture: colours that differ everywhere, so that a part of it is told from any other. */
export async function pictureOf(
  width: number,
  height: number,
  {
    format = 'png',
    seed = 0,
    orientation,
  }: { format?: 'png' | 'jpeg' | 'webp'; seed?: number; orientation?: number } = {},
): Promise<string> {
  const pixels = new Uint8Array(width * height * 3)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 3
      pixels.set([(x * 255) / width, (y * 255) / height, (seed * 40 + (x >> 4) * 7 + (y >> 4) * 13) % 256], at)
    }
  const image = sharp(pixels, { raw: { width, height, channels: 3 } })
  const turned = orientation === undefined ? image : image.withMetadata({ orientation })
  return `data:image/${format};base64,${(await turned[format]().toBuffer()).toString('base64')}`
}

export function bytesOf(url: string): Buffer {
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')
}

const models = {
  'anthropic-messages': 'claude-sonnet-5',
  'openai-chat': 'gpt-5.5',
  'openai-responses': 'gpt-5.5',
  'gemini': 'gemini-2.0-flash',
} as const satisfies { readonly [Name in KnownDialect]?: string }

const mimeOf = (url: string): string => url.slice('data:'.length, url.indexOf(';'))
const dataOf = (url: string): string => url.slice(url.indexOf(',') + 1)

/** A user who sends pictures, one in each message, each answered but the last. */
export function pictureRequest(dialect: KnownDialect, urls: readonly string[], hasTools = true): JsonObject {
  const request = withPictures(dialect, urls)
  return hasTools ? { ...request, tools: toolsOf(dialect) } : request
}

function withPictures(dialect: KnownDialect, urls: readonly string[]): JsonObject {
  const turns = urls.map((url, index) => ({
    url,
    text: `What is on picture ${index + 1}?`,
    answered: index < urls.length - 1,
  }))
  const model = models[dialect as keyof typeof models]
  switch (dialect) {
    case 'anthropic-messages':
      return {
        model,
        max_tokens: 500,
        messages: turns.flatMap(({ url, text, answered }) => [
          {
            role: 'user',
            content: [
              { type: 'image', source: { type: 'base64', media_type: mimeOf(url), data: dataOf(url) } },
              { type: 'text', text },
            ],
          },
          ...(answered ? [{ role: 'assistant', content: 'Colours.' }] : []),
        ]),
      }
    case 'openai-chat':
      return {
        model,
        messages: turns.flatMap(({ url, text, answered }) => [
          {
            role: 'user',
            content: [
              { type: 'image_url', image_url: { url } },
              { type: 'text', text },
            ],
          },
          ...(answered ? [{ role: 'assistant', content: 'Colours.' }] : []),
        ]),
      }
    case 'openai-responses':
      return {
        model,
        store: false,
        input: turns.flatMap(({ url, text, answered }) => [
          {
            role: 'user',
            content: [
              { type: 'input_image', image_url: url },
              { type: 'input_text', text },
            ],
          },
          ...(answered ? [{ role: 'assistant', content: 'Colours.' }] : []),
        ]),
      }
    default:
      return {
        model,
        contents: turns.flatMap(({ url, text, answered }) => [
          { role: 'user', parts: [{ inlineData: { mimeType: mimeOf(url), data: dataOf(url) } }, { text }] },
          ...(answered ? [{ role: 'model', parts: [{ text: 'Colours.' }] }] : []),
        ]),
      }
  }
}

const name = 'look_up'
const parameters = { type: 'object', properties: { word: { type: 'string' } } }

function toolsOf(dialect: KnownDialect): readonly JsonObject[] {
  switch (dialect) {
    case 'anthropic-messages':
      return [{ name, input_schema: parameters }]
    case 'openai-chat':
      return [{ type: 'function', function: { name, parameters } }]
    case 'openai-responses':
      return [{ type: 'function', name, parameters, strict: false }]
    default:
      return [{ functionDeclarations: [{ name, parameters }] }]
  }
}
