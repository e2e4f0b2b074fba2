import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { projectFolder } from '../../../schema/core/project-folder.ts'

/** The first global set-up of vitest: updates the generated code and `dist/`, which tests start in child processes. */
export default function build(): void {
  execFileSync(process.execPath, [path.join(projectFolder, 'build', 'main.ts')], { stdio: 'inherit' })
}
