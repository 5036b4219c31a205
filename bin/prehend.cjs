#!/usr/bin/env node
// What `prehend` runs. A Node that is too old for the rest of the package cannot read it: here it says so itself.
'use strict'

const needed = /(\d+)\.(\d+)/.exec(require('../package.json').engines.node)
const own = process.versions.node.split('.')
const newer = own[0] - needed[1] || own[1] - needed[2]

if (newer < 0) {
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
