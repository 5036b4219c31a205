interface Resolver {
  resolve(source: string, importer: string, options: { readonly skipSelf: boolean }): Promise<unknown>
}

/**
 * Pages lie outside this folder and are compiled to modules that import Vue. The browser's modules get it as if they lay beside `importer`;
 * what renders the pages imports it when it runs.
 */
export function resolveVueFrom(importer: string) {
  return {
    name: 'resolve-vue',
    enforce: 'pre',
    async resolveId(this: Resolver, source: string, from: string | undefined, { ssr }: { readonly ssr?: boolean }) {
      if (!/^vue(?:\/|$)/.test(source)) return undefined
      if (ssr === true) return { id: source, external: true }
      return from?.includes('/node_modules/') === true ? undefined : this.resolve(source, importer, { skipSelf: true })
    },
  }
}
