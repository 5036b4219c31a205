import { readFile, stat } from 'node:fs/promises'
import type * as Yaml from 'yaml'
import { invalidInput, parseJson } from '../../../core/index.ts'

const mostBytes = 16 * 1024 * 1024

/** A document by its file or its address, as a value. Rejects with words for people. */
export async function readDocument(place: string, { fetcher, headers = {}, signal }: DocumentAsked): Promise<unknown> {
  const text = /^https?:\/\//.test(place) ? await fetched(place, { fetcher, headers, signal }) : await fileText(place)
  if (/^\s*[[{]/.test(text)) return parseJson(text)
  if (!/\.ya?ml$/i.test(new URL(place, 'file:///').pathname) && /^\s*</.test(text))
    throw new Error(`${place} is neither JSON nor YAML`)
  return (await yaml(place)).parse(text, { maxAliasCount: 100 }) as unknown
}

export interface DocumentAsked {
  readonly fetcher: typeof fetch
  readonly headers?: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

async function fetched(url: string, { fetcher, headers, signal }: DocumentAsked): Promise<string> {
  const response = await fetcher(url, { signal, headers: { ...headers } })
  if (!response.ok) throw new Error(`${new URL(url).origin} answered ${response.status}`)
  return response.text()
}

async function fileText(path: string): Promise<string> {
  const { size } = await stat(path)
  if (size > mostBytes) throw new Error(`${path} has more than ${mostBytes} bytes`)
  return readFile(path, 'utf8')
}

async function yaml(place: string): Promise<typeof Yaml> {
  try {
    return await import('yaml')
  } catch {
    throw invalidInput(
      'openapi',
      `${place} is YAML, and the package yaml is not installed`,
      'npm install yaml, or give JSON.',
    )
  }
}
