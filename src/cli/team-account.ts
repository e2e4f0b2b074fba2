import './heap.ts'
import { projectFolder } from '../../schema/core/project-folder.ts'
import { runLine } from './run.ts'
import { withTerminal } from './terminal/terminal.ts'

// `bin/team-account` starts this program. It works in the folder of the service, from which settings are read, as `npm run cli` does. Paths
// of the user's files are relative to the folder of the user.
const { stdin, stdout, stderr } = process
const callerFolder = process.cwd()
process.chdir(projectFolder)
process.exitCode = await withTerminal({ stdin, stdout, stderr, program: 'team-account', callerFolder }, () =>
  runLine(process.argv.slice(2)),
)
