import './heap.ts'
import { ignoreOutputErrors } from '../config/output-errors.ts'
import { runLine } from './run.ts'

ignoreOutputErrors()

// Sets the exit status instead of calling process.exit, which would discard output that is still buffered for a pipe.
process.exitCode = await runLine(process.argv.slice(2))
