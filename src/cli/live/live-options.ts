import { defaultPolicy } from '../../compiler/index.ts'
import { servingOptions } from '../serving-options.ts'
import type { OptionTable, OptionValues } from '../command.ts'

/** What `eval --live` takes beside what `eval` takes. */
export const liveOptions = {
  'live': {
    type: 'text',
    about: 'have a model do the tasks in this folder with and without policies; "example": the ten that come with it',
    placeholder: 'TASKS',
  },
  'policies': {
    type: 'list',
    about: 'with --live: policies by name or file, each compared with off, which sends requests as they are',
    placeholder: 'NAME',
    fallback: defaultPolicy.id,
  },
  'runs': {
    type: 'number',
    about: 'with --live: repeats of each task under each policy',
    placeholder: 'N',
    min: 1,
    max: 10_000,
    fallback: '3',
  },
  'max-usd': {
    type: 'number',
    about: 'with --live: spend no more than this, earlier runs of --resume included; needed unless simulated',
    placeholder: 'USD',
    min: 0,
  },
  'price': {
    type: 'list',
    about:
      'with --live: INPUT,OUTPUT[,CACHE_READ[,CACHE_WRITE]] in dollars per million tokens, for a model without a price',
    placeholder: 'USD',
  },
  'max-turns': {
    type: 'number',
    about: 'with --live: replies of the model in one run; a task may allow fewer',
    placeholder: 'N',
    min: 1,
    max: 1000,
    fallback: '40',
  },
  'max-output': {
    type: 'number',
    about: 'with --live: tokens of one reply',
    placeholder: 'TOKENS',
    min: 1,
    max: 1_000_000,
    fallback: '8192',
  },
  'concurrency': {
    type: 'number',
    about: 'with --live: runs at the same time',
    placeholder: 'N',
    min: 1,
    max: 64,
    fallback: '1',
  },
  'seed': {
    type: 'number',
    about: 'with --live: another order of the runs',
    placeholder: 'N',
    fallback: '1',
  },
  'out': {
    type: 'text',
    about: 'with --live: append each run to this file, as JSON lines',
    placeholder: 'FILE',
  },
  'resume': { type: 'flag', about: 'with --live: go on with the runs that --out lacks' },
  'upstream': { ...servingOptions.upstream, about: 'with --live: as for serve; its key is read from NAME_API_KEY' },
  'config': { ...servingOptions.config, about: 'with --live: settings of providers and models, as for serve' },
  'simulate': { type: 'flag', about: 'with --live: ask the simulated provider, which solves nothing' },
  'script': {
    type: 'text',
    about: 'with --live: a prehend.script/1 file that plays the model, for tests; implies --simulate',
    placeholder: 'FILE',
  },
} as const satisfies OptionTable

export type LiveOptions = OptionValues<typeof liveOptions>
