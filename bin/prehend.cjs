#!/usr/bin/env node
// What `prehend` runs: in a checkout always the source, on the pinned Node; elsewhere the build. An old Node cannot read the build, so this file reports it.
'use strict'

const bootstrap = require('path').join(__dirname, '../scripts/bootstrap.mjs')
const needed = /(\d+)\.(\d+)/.exec(require('../package.json').engines.node)
const own = process.versions.node.split('.')
const newer = own[0] - needed[1] || own[1] - needed[2]

if (require('fs').existsSync(bootstrap)) {
  // A packed package has no scripts. A checkout may have a dist, which nothing keeps up to date.
  process.argv.splice(1, 1, bootstrap, require('path').join(__dirname, '../scripts/run.ts'))
  void import('../scripts/bootstrap.mjs')
} else if (newer < 0) {
  process.stderr.write(
    'prehend needs Node ' +
      needed[0] +
      ' or later, and this is Node ' +
      process.versions.node +
      ': install one from https://nodejs.org\n',
  )
  process.exitCode = 1
} else {
  void import('../dist/cli/main.js')
}
