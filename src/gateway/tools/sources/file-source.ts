import { readToolList } from '../../../tools/index.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { callHttp } from './http-call.ts'
import { readDocument } from './read-document.ts'
import { notExecutable } from './not-executable.ts'
import type { ToolSource } from './tool-source.ts'

/** Tools that stand in a file. Those with an address are run by a request to it. */
export function fileSource(path: string, fetcher: typeof fetch): ToolSource {
  const bounded = boundedFetch(fetcher)
  return {
    protocol: 'native',
    list: async (signal) => readToolList(await readDocument(path, { fetcher: bounded, signal }), path),
    async call({ tool, arguments: given, signal }) {
      if (tool.http === undefined) throw notExecutable(tool)
      return callHttp(bounded, { binding: tool.http, arguments: given, signal })
    },
    close: async () => undefined,
  }
}
