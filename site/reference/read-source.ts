import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { kinds } from './model.ts'
import type { Project } from './model.ts'
import { internalModule, publicNames } from './public-names.ts'
import type { Entry, Named } from './public-names.ts'

interface Reflection {
  readonly id: number
  readonly name: string
  readonly kind: number
  readonly children?: readonly Reflection[]
  readonly comment?: { readonly modifierTags: Set<string> }
}

interface Declaration {
  readonly type?: { getText(): string }
}

interface Context {
  getSymbolFromReflection(reflection: Reflection): { getDeclarations(): readonly Declaration[] | undefined } | undefined
}

interface LiveProject extends Reflection {
  removeReflection(reflection: Reflection): void
}

interface Application {
  readonly converter: { on(event: string, listener: (context: Context, reflection: Reflection) => void): void }
  readonly serializer: { projectToObject(project: LiveProject, root: string): Project }
  readonly logger: { log(message: string, level: number): void }
  convert(): Promise<LiveProject | undefined>
  validate(project: LiveProject): void
}

/** The part of TypeDoc that is used here, so that the checkout compiles without it. */
interface TypeDoc {
  readonly Application: {
    bootstrapWithPlugins(options: object, readers: readonly object[]): Promise<Application>
  }
  readonly Comment: new () => { readonly modifierTags: Set<string> }
  readonly ReflectionKind: { readonly TypeAlias: number }
}

export interface PublicSource {
  readonly names: readonly Named[]
  /** Exports without a docstring, and links of docstrings that lead nowhere. */
  readonly faults: readonly string[]
}

/** The entries of package.json, with the names that `src/published-names.test.ts` keeps. */
export function entriesOf(root: string): readonly Entry[] {
  const { name, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly name: string
    readonly exports: Readonly<Record<string, { readonly types?: string }>>
  }
  return Object.entries(exports).flatMap(([path, { types }]) => {
    if (types === undefined) return []
    const list = join(root, 'src/fixtures/published-names', `${path.replace(/\W+/g, '') || 'index'}.txt`)
    if (!existsSync(list)) throw new Error(`${list} is missing. Run: npx vitest run src/published-names.test.ts -u`)
    const names = readFileSync(list, 'utf8')
      .split('\n')
      .map((line) => line.replace(/^type /, ''))
    const source = types.replace(/^\.\/dist/, 'src').replace(/\.d\.ts$/, '.ts')
    return [{ name: `${name}${path.slice(1)}`, source, names: new Set(names) }]
  })
}

/** Shows the members of a union that a type takes from a constant, in place of the constant. */
function resolveQueries({ Comment, ReflectionKind }: TypeDoc, app: Application): void {
  app.converter.on('createDeclaration', (context, reflection) => {
    if (reflection.kind !== ReflectionKind.TypeAlias) return
    const [declaration] = context.getSymbolFromReflection(reflection)?.getDeclarations() ?? []
    if (!/\btypeof\b/.test(declaration?.type?.getText() ?? '')) return
    const commented = reflection as { comment?: { readonly modifierTags: Set<string> } }
    commented.comment ??= new Comment()
    commented.comment.modifierTags.add('@useDeclaredType')
  })
}

/** As TypeDoc numbers the levels of its log. */
const warning = 2

/** Leaves the exported names that the reference shows, so that TypeDoc validates no others. */
function removeOthers(project: LiveProject, names: readonly Named[]): void {
  const kept = new Set(names.filter(({ exported }) => exported).map(({ node }) => node.id))
  const visit = (parent: Reflection): void => {
    for (const child of parent.children?.slice() ?? []) {
      if (child.kind === kinds.namespace || (child.kind === kinds.module && child.name !== internalModule)) visit(child)
      else if (!kept.has(child.id)) project.removeReflection(child)
    }
  }
  visit(project)
}

/** Reads the public names of the checkout `root` with the TypeDoc that is installed in `site`. */
export async function readSource(root: string, site: string, entries: readonly Entry[]): Promise<PublicSource> {
  const modules = join(site, 'node_modules')
  const typedoc = (await import(pathToFileURL(join(modules, 'typedoc/dist/index.js')).href)) as TypeDoc
  const app = await typedoc.Application.bootstrapWithPlugins(
    {
      entryPoints: entries.map(({ source }) => join(root, source)),
      tsconfig: join(site, 'reference/tsconfig.json'),
      plugin: [join(modules, 'typedoc-plugin-missing-exports/index.js')],
      basePath: root,
      readme: 'none',
      // The step `types` of `npm run check` finds errors.
      skipErrorChecking: true,
      excludeInternal: true,
      excludePrivate: true,
      excludeExternals: true,
      disableSources: true,
      gitRevision: 'HEAD',
      sort: ['source-order'],
      validation: {
        notDocumented: true,
        invalidLink: true,
        notExported: false,
        rewrittenLink: false,
        unusedMergeModuleWith: false,
      },
      requiredToBeDocumented: ['Class', 'Function', 'Interface', 'TypeAlias', 'Variable'],
    },
    [],
  )
  const faults: string[] = []
  app.logger.log = (message, level) => {
    if (level >= warning) faults.push(message.replaceAll(/\u001b\[\d+m/g, '').replace(/^\[\w+\] /, ''))
  }
  resolveQueries(typedoc, app)
  const project = await app.convert()
  if (!project) throw new Error(`TypeDoc could not read the entries:\n${faults.join('\n')}`)
  const names = publicNames(app.serializer.projectToObject(project, root), entries)
  removeOthers(project, names)
  app.validate(project)
  return { names, faults }
}
