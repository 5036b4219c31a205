import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterEach, describe, expect, it } from 'vitest'
import type { AnswerPart, Fault, Upstream } from '../../providers/index.ts'
import { anthropicFixture, closeTestGateways, openaiFixture, post, testGateway } from './test-gateway.fixture.ts'
import type { TestGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

const fetches: AnswerPart = { type: 'tool-call', name: 'rehydrate', arguments: { handle: 'deadbeef' } }

/** The model looks something up, and the provider refuses the request with our answer. */
function refusing(fault: Fault): Promise<TestGateway> {
  return testGateway({ script: [{ parts: [{ type: 'text', text: 'First ' }, fetches] }, { fault }] })
}

async function thrownBy(asked: Promise<unknown>): Promise<unknown> {
  return asked.then(
    () => undefined,
    (error: unknown) => error,
  )
}

function openaiError({ url }: TestGateway): Promise<unknown> {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'key', maxRetries: 0 })
  const body = openaiFixture.body(1, { stream: true }) as unknown as OpenAI.ChatCompletionCreateParamsStreaming
  return thrownBy(client.chat.completions.stream(body).finalChatCompletion())
}

function anthropicError({ url }: TestGateway): Promise<unknown> {
  const client = new Anthropic({ baseURL: url, apiKey: 'key', maxRetries: 0 })
  const body = anthropicFixture.body(1) as unknown as Anthropic.MessageCreateParamsNonStreaming
  return thrownBy(client.messages.stream(body).finalMessage())
}

const refusals = [
  { status: 400, anthropic: 'invalid_request_error', openai: { type: 'invalid_request_error', code: null } },
  {
    status: 401,
    anthropic: 'authentication_error',
    openai: { type: 'invalid_request_error', code: 'invalid_api_key' },
  },
  { status: 403, anthropic: 'permission_error', openai: { type: 'invalid_request_error', code: null } },
  { status: 429, anthropic: 'rate_limit_error', openai: { type: 'rate_limit_error', code: 'rate_limit_exceeded' } },
  { status: 500, anthropic: 'api_error', openai: { type: 'server_error', code: null } },
  { status: 529, anthropic: 'overloaded_error', openai: { type: 'server_error', code: null } },
]

describe.each(refusals)(
  'a hidden round that is refused with $status ends the stream',
  ({ status, anthropic, openai }) => {
    const message = 'so it said'

    it("in the error type of Anthropic's dialect, with what the provider said", async () => {
      const error = await anthropicError(await refusing({ kind: 'error', status, message }))
      expect(error).toBeInstanceOf(Anthropic.APIError)
      expect(error).toMatchObject({ type: anthropic, apiMessage: message })
    })

    it("in the error of OpenAI's dialect, with what the provider said", async () => {
      const error = await openaiError(await refusing({ kind: 'error', status, message }))
      expect(error).toBeInstanceOf(OpenAI.APIError)
      expect(error).toMatchObject({ error: { message, type: expect.any(String), param: null }, type: openai.type })
    })

    /** As something between us and the provider does it. */
    const plain = (body: string): Upstream => {
      let asked = 0
      const { stream } = {
        stream: [
          'data: {"id":"c","choices":[{"index":0,"delta":{"role":"assistant","tool_calls":[{"index":0,"id":"h","type":"function","function":{"name":"rehydrate","arguments":"{}"}}]},"finish_reason":null}]}\n\n',
          'data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}\n\ndata: [DONE]\n\n',
        ].join(''),
      }
      return {
        name: 'plain',
        send: async () => {
          const isFirst = (asked += 1) === 1
          const said = Buffer.from(isFirst ? stream : body)
          const pieces = (async function* () {
            yield said
          })()
          const headers = { 'content-type': isFirst ? 'text/event-stream' : 'text/html' }
          return { status: isFirst ? 200 : status, headers, body: pieces }
        },
        close: async () => undefined,
      }
    }

    it('in an error of the dialect where what came is none', async () => {
      for (const body of ['<html>busy</html>', '', '{"error":"busy"}', '{"detail":{"busy":1}}']) {
        const error = await openaiError(await testGateway({ upstream: plain(body) }))
        expect(error).toBeInstanceOf(OpenAI.APIError)
        expect(error).toMatchObject({ ...openai, param: null })
        expect((error as Error).message).toContain(body.includes('busy') ? 'busy' : String(status))
      }
    })
  },
)

it('a refusal midway is told in the receipt and the metrics by a name of its own', async () => {
  const gateway = await refusing({ kind: 'error', status: 429 })
  await (await post(gateway, openaiFixture, openaiFixture.body(1, { stream: true }))).text()
  const failure = async () => (await gateway.store.read('receipts').list('default', { limit: 1 }))[0]?.result?.failure
  await expect.poll(failure).toBe('upstream-refused')
  expect(await (await fetch(`${gateway.url}/metrics`)).text()).toContain(
    'prehend_upstream_failures_total{reason="upstream-refused"} 1',
  )
})
