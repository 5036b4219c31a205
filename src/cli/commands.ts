import { helpCommand } from './help-command.ts'
import { replayCommand } from './replay.ts'
import { simulateCommand } from './simulate.ts'
import type { Command } from './command.ts'

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [replayCommand, simulateCommand, helpCommand(() => commands)]
