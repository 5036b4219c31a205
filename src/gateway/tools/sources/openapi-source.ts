import { isJsonObject } from '../../../core/index.ts'
import type { SourcedTool } from '../../../tools/index.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { callHttp } from './http-call.ts'
import { openApiOperations } from './openapi-operations.ts'
import type { OpenApiOperation } from './openapi-operations.ts'
import { readDocument } from './read-document.ts'
import { unavailable } from './tool-failure.ts'
import type { ToolSource } from './tool-source.ts'

export interface OpenApiSourceParts {
  readonly server: string
  /** A file, or an address. */
  readonly document: string
  readonly baseUrl?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly fetcher: typeof fetch
}

/** The operations of an OpenAPI 3 document as tools, each run by its request. */
export function openApiSource({ server, document, baseUrl, headers = {}, fetcher }: OpenApiSourceParts): ToolSource {
  const bounded = boundedFetch(fetcher)
  let operations: ReadonlyMap<string, OpenApiOperation> = new Map()
  const load = async (signal: AbortSignal): Promise<readonly SourcedTool[]> => {
    const read = await readDocument(document, { fetcher: bounded, headers, signal })
    if (!isJsonObject(read) || !String(read['openapi']).startsWith('3.'))
      throw new Error(`${document} is no OpenAPI 3 document`)
    const found = openApiOperations(read, baseOf(read, document, baseUrl))
    operations = new Map(found.map((operation) => [operation.tool.name, operation]))
    return found.map(({ tool }) => tool)
  }
  return {
    protocol: 'http',
    list: load,
    async call({ tool, arguments: given, signal }) {
      if (operations.size === 0) await load(signal)
      const operation = operations.get(tool.name)
      if (operation === undefined) throw unavailable(server, `its document has no operation ${tool.name} any more`)
      const { binding, places } = operation
      return callHttp(bounded, { binding, places, arguments: given, headers, signal })
    },
    close: async () => undefined,
  }
}

/** Where the operations are: an address that an operation's path is appended to. */
function baseOf(document: object, place: string, said: string | undefined): string {
  const base = said ?? firstServer(document)
  const from = /^https?:\/\//.test(place) ? place : undefined
  const url = base === undefined ? URL.parse('/', from) : URL.parse(base, from)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new Error(`${place} does not say where its operations are; set baseUrl of the source`)
  return url.href.replace(/\/$/, '')
}

function firstServer(document: object): string | undefined {
  const servers = isJsonObject(document) ? document['servers'] : undefined
  const first: unknown = Array.isArray(servers) ? servers[0] : undefined
  if (!isJsonObject(first) || typeof first['url'] !== 'string') return undefined
  const variables = isJsonObject(first['variables']) ? first['variables'] : {}
  return first['url'].replaceAll(/\{([^{}]+)\}/g, (whole, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined
    return isJsonObject(variable) && typeof variable['default'] === 'string' ? variable['default'] : whole
  })
}
