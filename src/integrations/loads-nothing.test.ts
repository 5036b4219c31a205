import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'

/** Imports an entry and says which packages and modules of Node that loaded. */
const programFor = (entry: string): string => `
  import { registerHooks } from 'node:module'
  const packages = new Set()
  registerHooks({
    resolve(specifier, context, next) {
      if (!specifier.startsWith('.') && !specifier.startsWith('file:')) packages.add(specifier)
      return next(specifier, context)
    },
  })
  const room = await import(${JSON.stringify(entry)})
  console.log(JSON.stringify([Object.keys(room).length > 0, [...packages]]))
`

it.each(['adk', 'ai-sdk', 'langchain', 'mastra', 'mcp', 'openai-agents', 'pi'])(
  'A-059: the integration of %s loads no framework, and no other package, before it is used',
  (name) => {
    const entry = pathToFileURL(resolve(import.meta.dirname, name, 'index.ts')).href
    const argument = ['--input-type=module', '-e', programFor(entry)]
    const { stdout, stderr } = spawnSync(process.execPath, argument, { encoding: 'utf8' })
    expect([stderr, JSON.parse(stdout)]).toEqual(['', [true, []]])
  },
)
