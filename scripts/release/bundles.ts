import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { bundled, inBrowserLike } from '../bundle.ts'
import { freePort } from '../free-port.ts'
import { bundleSizes } from './bundle-sizes.ts'
import type { App } from './app.ts'
import { install, run } from './app.ts'

/** What is bundled: a compile and a session, counted exactly and estimated, and all that came of them. */
const program = `
  import { compile, evidence, modelCatalogue, openSession } from 'prehend'
  import { claude } from 'prehend/vocabularies/claude'
  import { o200kBase } from 'prehend/vocabularies/o200k-base'

  export async function counted() {
    const all = []
    for (const options of [{ vocabularies: [o200kBase, claude] }, { tokenizer: 'heuristic' }]) {
      const catalogue = modelCatalogue(options)
      const items = [evidence('Der Bau brach am Montag: 日本語 🦊.', 'wiki')]
      const input = { items, model: 'gpt-5', budget: { windowTokens: 8000 }, frame: { request: 'What changed?' } }
      const { manifest } = compile(input, { catalogue })
      const messages = [{ role: 'user', content: 'Was ist anders? 🦊' }]
      const { receipt } = await openSession({ catalogue }).pack({ model: 'claude-opus-5', max_tokens: 9, messages })
      all.push([manifest.tokenizerId, manifest.packHash, receipt.packId, receipt.manifest.packTokens])
    }
    return JSON.stringify(all)
  }
`
const printing = `${program}\nvoid counted().then((text) => console.log(text))`
const web = { platform: 'browser', format: 'iife', globalName: 'app' } as const

/** What the program gives unbundled, on the Node that runs this. */
function expected({ folder }: App): string {
  const file = join(folder, 'program.mjs')
  writeFileSync(file, printing)
  return run(process.execPath, [file], folder).trim()
}

/** A server in one file, where nothing is installed; and the same program among web globals only. */
export async function checkBundles(app: App, elsewhere: string): Promise<string> {
  mkdirSync(elsewhere, { recursive: true })
  for (const [format, name] of [
    ['esm', 'server.mjs'],
    ['cjs', 'server.cjs'],
  ] as const) {
    const file = join(elsewhere, name)
    writeFileSync(file, await bundled(printing, { platform: 'node', format }, app.folder))
    same(run(process.execPath, [file], elsewhere).trim(), expected(app))
  }
  const { counted } = inBrowserLike(await bundled(program, web, app.folder))
  same(await (counted as () => Promise<string>)(), expected(app))
  return 'bundled for a server and for web globals: the same bytes'
}

/** No bundle may outgrow its limit. */
export async function checkBundleSizes({ folder }: App): Promise<string> {
  const sizes = await Promise.all([
    bundleSizes({ folder, platform: 'node' }),
    bundleSizes({ folder, platform: 'browser' }),
  ])
  const over = sizes.flat().filter(({ bytes, maxBytes }) => bytes > maxBytes)
  const told = over.map(({ name, bytes, maxBytes }) => `${name} is ${bytes} bytes, and its limit is ${maxBytes}`)
  if (told.length > 0) throw new Error(`${told.join('\n')}\n\`npm run -s bench -- bundles --inputs\` lists the files`)
  return `${sizes[0].map(({ bytes }) => `${Math.round(bytes / 1000)} KB`).join(', ')}: each within its limit`
}

/** In headless Chromium, which is brought by a package. */
export async function checkBrowser(app: App, home: string): Promise<string> {
  install(home, ['--ignore-scripts', '@sparticuz/chromium', 'puppeteer-core'])
  writeFileSync(join(home, 'bundle.js'), await bundled(program, web, app.folder))
  writeFileSync(
    join(home, 'page.mjs'),
    `import chromium from '@sparticuz/chromium'
     import puppeteer from 'puppeteer-core'
     const executablePath = await chromium.executablePath()
     const browser = await puppeteer.launch({ args: chromium.args, executablePath, headless: 'shell' })
     const page = await browser.newPage()
     await page.addScriptTag({ path: 'bundle.js' })
     console.log(await page.evaluate('app.counted()'))
     console.log(await browser.version())
     await browser.close()`,
  )
  const [counted = '', version = ''] = run(process.execPath, ['page.mjs'], home).split('\n')
  same(counted, expected(app))
  return `the same bytes in ${version}`
}

/** In workerd, on which an edge runs its workers. */
export async function checkEdge(app: App, home: string): Promise<string> {
  install(home, ['workerd'])
  const worker = `${program}\nexport default { fetch: async () => new Response(await counted()) }`
  writeFileSync(join(home, 'worker.mjs'), await bundled(worker, { platform: 'neutral', format: 'esm' }, app.folder))
  const port = await freePort()
  writeFileSync(
    join(home, 'config.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
     const config :Workerd.Config = (
       services = [(name = "main", worker = .worker)],
       sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
     );
     const worker :Workerd.Worker = (
       modules = [(name = "worker.mjs", esModule = embed "worker.mjs")],
       compatibilityDate = "2025-06-01",
     );`,
  )
  const edge = spawn(join(home, 'node_modules/.bin/workerd'), ['serve', 'config.capnp'], {
    cwd: home,
    stdio: 'inherit',
  })
  try {
    same(await answer(`http://127.0.0.1:${port}/`), expected(app))
  } finally {
    edge.kill()
    await once(edge, 'exit')
  }
  return 'the same bytes in an edge worker (workerd)'
}

async function answer(url: string): Promise<string> {
  for (let tries = 0; tries < 100; tries += 1) {
    const reply = await fetch(url).catch(() => undefined)
    if (reply !== undefined) return reply.text()
    await pause(100)
  }
  throw new Error('the worker does not answer')
}

function same(actual: string, wanted: string): void {
  if (actual !== wanted) throw new Error(`came out otherwise:\n  ${actual}\n  ${wanted}`)
}
