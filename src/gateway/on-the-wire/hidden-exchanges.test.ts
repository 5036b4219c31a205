import { afterEach, describe, expect, it } from 'vitest'
import type { AnswerPart } from '../../providers/index.ts'
import { askingAnthropic, askingOpenai } from '../seams/ask.fixture.ts'
import type { AskingDialect } from '../seams/ask.fixture.ts'
import { answerTo, asks, brought, callId, lookedAgain, lookingAgain, reads, says } from './hidden-exchanges.fixture.ts'
import type { Block, Message, Way } from './hidden-exchanges.fixture.ts'
import { closeTestGateways, testGateway } from './test-gateway.fixture.ts'

afterEach(closeTestGateways)

/** What a client makes of a conversation before it sends it again. */
type Change = (messages: readonly Message[]) => readonly Message[]

const thinks = (text: string): AnswerPart => ({ type: 'thinking', text })

const isAssistant = ({ role }: Message): boolean => role === 'assistant'
/** Changes the last message of the assistant. */
const changing =
  (change: (message: Message) => Message): Change =>
  (messages) => {
    const at = messages.findLastIndex(isAssistant)
    return messages.map((message, index) => (index === at ? change(message) : message))
  }
const inBlocks = (change: (blocks: readonly Block[]) => readonly Block[]): Change =>
  changing((message) =>
    Array.isArray(message.content) ? { ...message, content: change(message.content as readonly Block[]) } : message,
  )
const inContent = (content: (text: string) => Message['content']): Change =>
  changing((message) => ({ ...message, content: content(String(message.content)) }))
const renamed: Change = (messages) => JSON.parse(JSON.stringify(messages).replaceAll(callId, 'call_1')) as Message[]

const joined = (blocks: readonly Block[]): readonly Block[] =>
  blocks.reduce<readonly Block[]>((all, block) => {
    const last = all.at(-1)
    if (last?.type !== 'text' || block.type !== 'text') return [...all, block]
    return [...all.slice(0, -1), { ...last, text: `${last.text}${block.text}` }]
  }, [])
const without = (isGone: (block: Block, index: number) => boolean) => (blocks: readonly Block[]) =>
  blocks.filter((block, index) => !isGone(block, index))
const isThinking = ({ type }: Block): boolean => type === 'thinking'

const same: Change = (messages) => messages
const anthropicChanges: Readonly<Record<string, Change>> = {
  'sends it back as it was': same,
  'joins adjacent texts': inBlocks(joined),
  'trims each text': inBlocks((blocks) =>
    blocks.map((block) => (block.type === 'text' ? { ...block, text: block.text?.trim() ?? '' } : block)),
  ),
  'joins and trims': inBlocks((blocks) =>
    joined(blocks).map((block) => (block.type === 'text' ? { ...block, text: block.text?.trim() ?? '' } : block)),
  ),
  'drops all texts': inBlocks(without(({ type }) => type === 'text')),
  'drops the first text': inBlocks(without(({ type }, index) => type === 'text' && index < 2)),
  'drops the first thinking': inBlocks(without((block, index) => isThinking(block) && index === 0)),
  'drops the last thinking': inBlocks(without((block, index) => isThinking(block) && index > 0)),
  'drops all thinking': inBlocks(without(isThinking)),
  'drops thinking and joins texts': inBlocks((blocks) => joined(blocks.filter((block) => !isThinking(block)))),
  'marks the last block for the cache': inBlocks((blocks) =>
    blocks.map((block, index) =>
      index === blocks.length - 1 ? { ...block, cache_control: { type: 'ephemeral' } } : block,
    ),
  ),
  'names its calls anew': renamed,
  'names its calls anew and joins texts': (messages) => inBlocks(joined)(renamed(messages)),
  'names its calls anew and drops all texts': (messages) =>
    inBlocks(without(({ type }) => type === 'text'))(renamed(messages)),
}
const openaiChanges: Readonly<Record<string, Change>> = {
  'sends it back as it was': same,
  'sends the text as a part': inContent((text) => [{ type: 'text', text }]),
  'trims the text': inContent((text) => text.trim()),
  'folds white space': inContent((text) => text.replaceAll(/\s+/g, '\n')),
  'makes the text null': inContent(() => null),
  'makes the text empty': inContent(() => ''),
  'drops the text': changing(({ content: _content, ...message }) => message as Message),
  'spells the arguments otherwise': (messages) =>
    JSON.parse(
      JSON.stringify(messages).replaceAll(String.raw`{\"path\":\"f10\"`, String.raw`{ \"path\": \"f10\"`),
    ) as Message[],
  'names its calls anew': renamed,
  'names its calls anew and makes the text null': (messages) => inContent(() => null)(renamed(messages)),
}

interface ChangedWay extends Way {
  readonly name: string
  readonly change: Change
}

function waysOf(dialect: AskingDialect, changes: Readonly<Record<string, Change>>): readonly ChangedWay[] {
  return Object.entries(changes).flatMap(([what, change]) =>
    [false, true].map((stream) => ({
      name: `${what} (${dialect.fixture.name}, ${stream ? 'streamed' : 'JSON'})`,
      dialect,
      stream,
      change,
    })),
  )
}

const count = (text: string, part: string): number => text.split(part).length - 1
const thinking = { thinking: { type: 'adaptive' }, max_tokens: 4096 }
const first = 'Looking.'
const second = 'Found.'
const looks = [says(`${first} `)]
const thought = [thinks('Where was it?'), ...looks]

const beforeCall = [...waysOf(askingAnthropic, anthropicChanges), ...waysOf(askingOpenai, openaiChanges)]
const isForWords = ({ name }: ChangedWay): boolean => !/anew|arguments|null|empty|drops (?:all|the) text/.test(name)

describe('a hidden exchange is back in its place when the client', () => {
  it.each(beforeCall)('$name, before a call of its own', async (way) => {
    const isClaude = way.dialect === askingAnthropic
    const last = [says(`${second} `), reads(callId)]
    const script = isClaude ? lookingAgain([thinks('So there.'), ...last], thought) : lookingAgain(last, looks)
    const gateway = await testGateway({ script })
    const { body, messages, message } = await lookedAgain(gateway, way, isClaude ? thinking : {})
    if (isClaude) expect(JSON.stringify(message)).toContain('Where was it?')
    const next = way.change([...messages, message, answerTo(way, callId, 'the tenth file')])
    const { sent, lost } = await asks(gateway, way, { ...body, messages: next })
    expect(sent).toContain(brought)
    expect(count(sent, first)).toBe(1)
    expect(count(sent, second)).toBe(count(JSON.stringify(next), second))
    expect(lost).toBeNull()
    const later = [...next, { role: 'assistant', content: 'Well.' }, way.dialect.fixture.says('And?')]
    expect((await asks(gateway, way, { ...body, messages: later })).sent).toContain(brought)
  })

  it.each(beforeCall.filter(isForWords))('$name, at the end of a turn', async (way) => {
    const isClaude = way.dialect === askingAnthropic
    const script = isClaude
      ? lookingAgain([thinks('So there.'), says(second)], thought)
      : lookingAgain([says(second)], looks)
    const gateway = await testGateway({ script })
    const { body, messages, message } = await lookedAgain(gateway, way, isClaude ? thinking : {})
    const next = way.change([...messages, message, way.dialect.fixture.says('And?') as Message])
    const { sent, lost } = await asks(gateway, way, { ...body, messages: next })
    expect(sent).toContain(brought)
    expect([count(sent, first), count(sent, second)]).toEqual([1, 1])
    expect(lost).toBeNull()
  })
})
