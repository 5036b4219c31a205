import { expect, it } from 'vitest'
import { careful, compile, evidence, sweepPositions } from '../src/index.ts'
import type { CompileInput } from '../src/index.ts'
import { extractiveReader, modelReader } from './position-readers.ts'

const question = 'Which colour has the third door?'
const needle = { ...evidence('The third door has the colour vermilion.', 'needle'), id: 'needle' }
const input: CompileInput = {
  items: Array.from({ length: 8 }, (_, at) => evidence(`Straw ${at}: ${'nothing to see here. '.repeat(6)}`, `s${at}`)),
  budget: { windowTokens: 20_000 },
  policy: careful,
  layout: 'payload',
  frame: { request: question },
}
const sweep = (read: ReturnType<typeof extractiveReader>) =>
  sweepPositions({ compile, input, needle, ranks: 5, read, expected: 'vermilion' })

it('N-31: who reads every place alike recalls the needle at every depth', async () => {
  const found = await sweep(extractiveReader(question))
  expect(found.map(({ isRecalled }) => isRecalled)).toEqual([true, true, true, true, true])
  expect(new Set(found.map(({ depth }) => depth)).size).toBe(5)
  expect((await sweep(extractiveReader('Who won?'))).some(({ isRecalled }) => isRecalled)).toBe(false)
})

it('N-31: and where others have as much in common with the question, it makes no difference either where they stand', async () => {
  const others = Array.from({ length: 8 }, (_, at) => evidence(`The ${at}th door has which colour?`, `o${at}`))
  const found = await sweepPositions({
    compile,
    input: { ...input, items: others },
    needle,
    ranks: 9,
    read: extractiveReader(question),
    expected: 'vermilion',
  })
  expect(new Set(found.map(({ isRecalled }) => isRecalled)).size).toBe(1)
})

it('N-31: a model is asked with the request as it is packed, and its answer tells what it recalls', async () => {
  const asked: { readonly url: string; readonly key: string | null; readonly body: string }[] = []
  const send = async (url: unknown, init: RequestInit = {}): Promise<Response> => {
    const body = String(init.body)
    asked.push({ url: String(url), key: new Headers(init.headers).get('authorization'), body })
    const isEarly = body.indexOf('vermilion') < body.length / 2
    return Response.json({ choices: [{ message: { content: isEarly ? 'It is vermilion.' : 'I do not know.' } }] })
  }
  const read = modelReader({ url: 'http://reader/v1', model: 'small', key: 'k', fetch: send })
  const found = await sweep(read)
  expect(asked.map(({ url, key }) => [url, key])).toEqual(
    asked.map(() => ['http://reader/v1/chat/completions', 'Bearer k']),
  )
  expect(asked.every(({ body }) => body.includes(question) && body.includes('"model":"small"'))).toBe(true)
  expect(new Set(found.map(({ isRecalled }) => isRecalled))).toEqual(new Set([true, false]))
  const refused = modelReader({
    url: 'http://reader/v1',
    model: 'small',
    fetch: async () => new Response('no', { status: 500 }),
  })
  await expect(sweep(refused)).rejects.toThrow('answered 500')
})
