// Bundles a program that uses the library, and runs one in a context that has what a browser has and nothing else.
import { createContext, runInContext } from 'node:vm'
import { build } from 'esbuild'
import type { BuildOptions } from 'esbuild'

/** The text of a bundle whose imports are looked up from a folder; rejects where something cannot be resolved, or would only warn. */
export async function bundled(program: string, options: BuildOptions, folder = import.meta.dirname): Promise<string> {
  const { outputFiles, warnings } = await build({
    stdin: { contents: program, resolveDir: folder, loader: 'ts' },
    bundle: true,
    write: false,
    logLevel: 'silent',
    // Of a module in node_modules esbuild does not say that it has no address in such a bundle.
    logOverride: { 'empty-import-meta': 'silent' },
    ...options,
  })
  const [warning] = warnings
  if (warning !== undefined) throw new Error(warning.text)
  return outputFiles?.[0]?.text ?? ''
}

/** Runs a bundle of format `iife` named `app` among web globals: no `process`, no `require`, no `Buffer`. Gives what it exports. */
export function inBrowserLike(bundle: string): Readonly<Record<string, unknown>> {
  const { TextEncoder, TextDecoder, URL, URLSearchParams, AbortController, AbortSignal } = globalThis
  const { crypto, performance, atob, btoa, structuredClone, queueMicrotask, setTimeout, clearTimeout } = globalThis
  const web = { TextEncoder, TextDecoder, URL, URLSearchParams, AbortController, AbortSignal, crypto, performance }
  const context = createContext({ ...web, atob, btoa, structuredClone, queueMicrotask, setTimeout, clearTimeout })
  return runInContext(`${bundle}; app`, context) as Readonly<Record<string, unknown>>
}
