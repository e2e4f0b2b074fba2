import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'
import { projectFolder } from '../../schema/core/project-folder.ts'
import { childEnvironment } from '../support/processes/child-environment.ts'

/** The first Node of this machine that is too old, if there is one. */
function oldNode(): string | undefined {
  const folders = (process.env.PATH ?? '').split(path.delimiter)
  return folders
    .map((folder) => path.join(folder, 'node'))
    .find((file) => {
      const { stdout } = spawnSync(file, ['--version'], { encoding: 'utf8' })
      return Number(/^v(\d+)/.exec(stdout ?? '')?.[1]) < 24
    })
}

const pretended = `data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '20.19.0' })`

test.each(['main.js', 'cli.js'])('dist/%s prints one line on an older Node than 24, and exits', (program) => {
  const old = oldNode()
  const commands = [[process.execPath, '--import', pretended], ...(old === undefined ? [] : [[old]])]
  for (const [node = '', ...options] of commands) {
    const args = [...options, path.join(projectFolder, 'dist', program), 'help']
    const { status, stdout, stderr } = spawnSync(node, args, { env: childEnvironment(), encoding: 'utf8' })
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^Node 24 or newer is required, and \S+ is Node \d+\.\d+\.\d+ \(docs\/operations\/install\.md#node\)\n$/)
  }
})
