import './heap.ts'
import { refuseOldNode } from '../processes/node-version.ts'
import { ignoreOutputErrors } from '../processes/process-output.ts'

refuseOldNode()
ignoreOutputErrors()
const { runLine } = await import('./run.ts')

// This sets the exit status instead of calling process.exit, which would discard output that is still buffered for a pipe.
process.exitCode = await runLine(process.argv.slice(2))
