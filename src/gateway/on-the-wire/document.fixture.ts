import { z } from 'zod'
import type { TestGateway } from './test-gateway.fixture.ts'

type Json = Readonly<Record<string, unknown>>

interface Operation {
  readonly operationId: string
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Json }>> }>
  >
}

export interface PublishedDocument {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Json>> }
}

export async function publishedDocument({ url }: Pick<TestGateway, 'url'>): Promise<PublishedDocument> {
  return (await (await fetch(`${url}/openapi.json`)).json()) as PublishedDocument
}

/** Where an answer has come from. */
interface Told {
  readonly path: string
  readonly method: string
  readonly status?: number
}

/** What is wrong with an answer, by what is published of its route; empty where nothing is. */
export function problemsOf(document: PublishedDocument, told: Told, answer: unknown): string[] {
  const { path, method, status = 200 } = told
  const content = document.paths[path]?.[method]?.responses[String(status)]?.content?.['application/json']
  if (!content) return [`${method} ${path} does not publish an answer with ${status}`]
  const local = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value).replaceAll('#/components/schemas/', '#/$defs/')) as unknown
  const whole = { $defs: local(document.components.schemas), ...(local(content.schema) as object) }
  const read = z.fromJSONSchema(whole as Parameters<typeof z.fromJSONSchema>[0]).safeParse(answer)
  return read.success ? [] : read.error.issues.map(({ path: at, message }) => `${at.join('.')}: ${message}`)
}
