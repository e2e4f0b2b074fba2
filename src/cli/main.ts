import './heap.ts'
import { commands } from './commands.ts'
import { commandHelp, overview } from './help.ts'
import { printAnswer, printFailure } from './output.ts'
import { parseCall } from './parse.ts'
import { UsageError } from './command.ts'
import type { Answer, Command, UntypedInput } from './command.ts'

// The status is set, not exited with: what was written to a pipe is still on its way.
process.exitCode = await main(process.argv.slice(2))

async function main(line: string[]): Promise<number> {
  const json = line.includes('--json')
  try {
    const call = parseCall(commands, line)
    if (call.kind === 'help') {
      await printAnswer({ value: null, text: call.command ? commandHelp(call.command) : overview(commands, call.group) }, false)
      return 0
    }
    const answer = await run(call.command, call.input)
    if (answer) await printAnswer(answer, json)
    return answer?.status ?? 0
  } catch (error) {
    return printFailure(error, json)
  }
}

/** Runs a command; what it finds wrong in its call is said with the way to its own help. */
async function run(command: Command, input: UntypedInput): Promise<Answer | undefined> {
  try {
    return await command.run(input)
  } catch (error) {
    if (error instanceof UsageError) error.command ??= command.name
    throw error
  }
}
