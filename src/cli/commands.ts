import { helpCommand } from './help-command.ts'
import { replayCommand } from './replay.ts'
import type { Command } from './command.ts'

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [replayCommand, helpCommand(() => commands)]
