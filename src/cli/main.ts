import './heap.ts'
import { commands } from './commands.ts'
import { commandHelp, overview } from './help.ts'
import { printAnswer, printFailure } from './output.ts'
import { parseCall } from './parse.ts'

// The status is set, not exited with: what was written to a pipe is still on its way.
process.exitCode = await main(process.argv.slice(2))

async function main(line: string[]): Promise<number> {
  const json = line.includes('--json')
  try {
    const call = parseCall(commands, line)
    if (call.kind === 'help') {
      process.stdout.write(`${call.command ? commandHelp(call.command) : overview(commands, call.group)}\n`)
      return 0
    }
    const answer = await call.command.run(call.input)
    if (answer) printAnswer(answer, json)
    return answer?.status ?? 0
  } catch (error) {
    return printFailure(error, json)
  }
}
