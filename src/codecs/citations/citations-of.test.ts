import { describe, expect, it } from 'vitest'
import { citationsOf } from './citations-of.ts'

const url = 'https://a.example/x'

describe('citationsOf', () => {
  it('V-071: leads from a search result back to the entry that it was made of', () => {
    const source = 'grimoire://ns/heuristic/7'
    const cited = {
      type: 'search_result_location',
      source,
      title: '[HEURISTIC] Seven',
      cited_text: 'It is 7.',
      search_result_index: 0,
    }
    const content = [
      { type: 'text', text: 'Well. ' },
      { type: 'text', text: 'Seven.', citations: [cited] },
    ]
    expect(citationsOf({ dialect: 'anthropic-messages', body: { type: 'message', content } })).toEqual([
      { source, title: '[HEURISTIC] Seven', citedText: 'It is 7.', start: 6, end: 12 },
    ])
  })

  it("reads Anthropic's documents and pages", () => {
    const page = { type: 'web_search_result_location', url, title: 'X', cited_text: 'x' }
    const document = {
      type: 'char_location',
      document_index: 2,
      document_title: null,
      cited_text: 'y',
      start_char_index: 5,
    }
    const content = [{ type: 'text', text: 'ab', citations: [page, document] }]
    expect(citationsOf({ dialect: 'anthropic-messages', body: JSON.stringify({ content }) })).toEqual([
      { source: url, title: 'X', citedText: 'x', start: 0, end: 2 },
      { source: 'document 2', citedText: 'y', start: 0, end: 2 },
    ])
  })

  it("reads OpenAI's annotations, in chats and in Responses", () => {
    const cited = { url, title: 'X', start_index: 1, end_index: 4 }
    const told = { source: url, title: 'X', start: 1, end: 4 }
    const message = {
      role: 'assistant',
      content: 'abcdef',
      annotations: [{ type: 'url_citation', url_citation: cited }],
    }
    expect(citationsOf({ dialect: 'openai-chat', body: { choices: [{ index: 0, message }] } })).toEqual([told])
    const part = (text: string, ...annotations: object[]) => ({ type: 'output_text', text, annotations })
    const file = { type: 'file_citation', file_id: 'file-1', filename: 'a.pdf', index: 3 }
    const content = [part('one ', file), part('abcdef', { type: 'url_citation', ...cited })]
    const body = { output: [{ type: 'reasoning' }, { type: 'message', content }] }
    expect(citationsOf({ dialect: 'openai-responses', body: JSON.stringify(body) })).toEqual([
      { source: 'file-1', title: 'a.pdf' },
      { ...told, start: 5, end: 8 },
    ])
  })

  it("reads Gemini's grounding, whose places are bytes", () => {
    const groundingMetadata = {
      groundingChunks: [{ web: { uri: url, title: 'X' } }, { retrievedContext: { title: 'Y', text: 'y' } }],
      groundingSupports: [
        { segment: { endIndex: 5, text: 'é漢' }, groundingChunkIndices: [0, 1, 9], confidenceScores: [0.5] },
      ],
    }
    const citationMetadata = { citationSources: [{ startIndex: 5, endIndex: 7, uri: 'https://b.example' }] }
    const content = { role: 'model', parts: [{ text: 'Hm.', thought: true }, { text: 'é漢ok' }] }
    const body = { candidates: [{ content, groundingMetadata, citationMetadata }] }
    expect(citationsOf({ dialect: 'gemini', body: JSON.stringify(body) })).toEqual([
      { source: url, title: 'X', start: 0, end: 2, confidence: 0.5 },
      { source: 'Y', title: 'Y', citedText: 'y', start: 0, end: 2 },
      { source: 'https://b.example', start: 2, end: 4 },
    ])
  })

  it('finds none where there are none, and refuses what is no reply', () => {
    for (const dialect of ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini'])
      expect(citationsOf({ dialect, body: { choices: [5], content: 'x', output: null, candidates: {} } })).toEqual([])
    expect(() => citationsOf({ dialect: 'gemini', body: 'no' })).toThrow(/no JSON object/)
  })
})
