import { spawnSync } from 'node:child_process'

const install = 'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends'

/** Installs packages of a Debian system, where that is allowed; whoever needs them looks afterwards whether they are there. */
export function installPackages(names: readonly string[]): void {
  console.log(`installing ${names.join(' ')} from the packages of this system …`)
  spawnSync('sh', ['-c', `${install} ${names.join(' ')}`], { stdio: ['ignore', 'ignore', 'inherit'] })
}
