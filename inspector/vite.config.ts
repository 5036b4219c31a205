import { defineConfig } from 'vite'

/** Where the gateway serves the page; every address in it is relative to this. */
const base = '/inspector/'

export default defineConfig({
  base,
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The page's security policy allows no code or style that stands in the page itself.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
    reportCompressedSize: false,
    // The notices of what is bundled go with it.
    license: { fileName: 'licenses.md' },
  },
})
