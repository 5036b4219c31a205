import { fetchUpstream } from '../../providers/index.ts'
import type { Upstream } from '../../providers/index.ts'
import { longResult } from './test-gateway.fixture.ts'

/** A part, as Gemini writes it. */
export type Part = Readonly<Record<string, unknown>>

export interface Content {
  readonly role?: string
  readonly parts: readonly Part[]
}

export interface GeminiBody {
  readonly contents: readonly Content[]
  readonly [name: string]: unknown
}

export interface AskedOfGemini {
  readonly path: string
  readonly body: string
}

export interface ScriptedGemini {
  readonly upstream: Upstream
  readonly requests: readonly AskedOfGemini[]
}

/** Answers as Gemini does: one chunk for each part, as events, as a list, or as one reply. */
export function scriptedGemini(script: (asked: AskedOfGemini, turn: number) => readonly Part[]): ScriptedGemini {
  const requests: AskedOfGemini[] = []
  const fetch = async (url: string, { body }: RequestInit): Promise<Response> => {
    const { pathname, search } = new URL(url)
    const asked = { path: pathname + search, body: await new Response(body ?? null).text() }
    requests.push(asked)
    const turn = requests.length - 1
    if (pathname.endsWith(':countTokens')) return json({ totalTokens: asked.body.length })
    const parts = script(asked, turn)
    const frame = (said: readonly Part[], ends: boolean): object => ({
      candidates: [{ content: { parts: said, role: 'model' }, ...(ends && { finishReason: 'STOP' }), index: 0 }],
      usageMetadata: {
        promptTokenCount: 100 + turn,
        ...(ends && { candidatesTokenCount: turn }),
        totalTokenCount: 100,
      },
      modelVersion: 'gemini-3-pro',
      responseId: `response_${turn}`,
    })
    const chunks = parts.map((part, index) => frame([part], index + 1 === parts.length))
    if (!pathname.endsWith(':streamGenerateContent')) return json(frame(parts, true))
    if (!search.includes('alt=sse')) return json(chunks)
    const events = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join('')
    return new Response(events, { headers: { 'content-type': 'text/event-stream' } })
  }
  return { upstream: fetchUpstream({ name: 'scripted', origin: 'http://gemini', fetch }), requests }
}

function json(value: object): Response {
  return new Response(JSON.stringify(value), { headers: { 'content-type': 'application/json' } })
}

/** A body with that many long tool results, the last message being one. */
export function geminiBody(results: number): GeminiBody {
  const numbers = Array.from({ length: results }, (_, index) => index + 1)
  const functionDeclarations = [
    {
      name: 'read',
      description: 'Reads a file.',
      parameters: { type: 'OBJECT', properties: { path: { type: 'STRING' } } },
    },
  ]
  return {
    tools: [{ functionDeclarations }],
    systemInstruction: { parts: [{ text: 'You are an agent.' }] },
    contents: [
      { role: 'user', parts: [{ text: 'Find the value.' }] },
      ...numbers.flatMap((number) => [
        {
          role: 'model',
          parts: [
            { functionCall: { name: 'read', args: { path: `f${number}` } }, thoughtSignature: `c2ln${number}AAA` },
          ],
        },
        {
          role: 'user',
          parts: [{ functionResponse: { name: 'read', response: { output: longResult(number) } } }],
        },
      ]),
    ],
  }
}

/** The handle under which a body shows the first result; undefined where it is shown in full. */
export function firstHandle(body: string): string | undefined {
  const { contents } = JSON.parse(body) as GeminiBody
  return /rehydrate\(\\?"([\w-]+)/.exec(JSON.stringify(contents[2]))?.[1]
}
