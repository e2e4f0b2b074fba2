import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { projectFolder } from '../../schema/core/project-folder.ts'
import type { Fault, Measurement } from '../support/faults/fault.ts'
import { isFull } from '../support/service/full.ts'
import { wrongClocks } from './clock.ts'
import { lostCommits, poolExhausted, slowCommits } from './database.ts'
import { diskFull } from './disk-full.ts'
import { failover } from './failover.ts'
import { mailServerDown } from './mail-server.ts'
import { processFaults } from './processes.ts'
import { startFaults } from './two-starts.ts'

// Each fault occurs while clients change data. Acknowledged changes must be stored exactly once. `npm test` runs the short tests only.

const faults: readonly Fault[] = [
  ...processFaults,
  failover,
  poolExhausted,
  slowCommits,
  lostCommits,
  diskFull,
  mailServerDown,
  wrongClocks,
  ...startFaults,
]

const summary = ({ acknowledged, lost, repeated, unanswered }: Measurement) =>
  `${acknowledged} acknowledged, ${lost} lost, ${repeated} repeated, ${unanswered} made without an answer`

describe.each(faults.map((fault) => [fault.name, fault] as const))(
  '%s:',
  (_, { name, control, answersAll, isShort, impossible, measure }) => {
    const isMeasured = impossible === undefined && (isShort === true || isFull)
    if (impossible !== undefined) console.warn(`Skipped: ${name}: ${impossible}`)

    test.runIf(isMeasured)('stores acknowledged changes exactly once', async ({ annotate }) => {
      const { acknowledged, unanswered, ...wrong } = await measure(false)
      await annotate(summary({ acknowledged, unanswered, ...wrong }))
      expect(wrong).toEqual({ lost: 0, repeated: 0 })
      expect(acknowledged).toBeGreaterThan(0)
      if (answersAll) expect(unanswered).toBe(0)
    })

    test.runIf(isMeasured)(`finds lost or repeated changes if ${control}`, async ({ annotate }) => {
      const measured = await measure(true)
      await annotate(summary(measured))
      expect(measured.lost + measured.repeated).toBeGreaterThan(0)
    })
  },
)

test('the documentation lists every fault with its control', () => {
  const page = readFileSync(path.join(projectFolder, 'docs', 'operations', 'faults.md'), 'utf8')
  const listed = Array.from(page.matchAll(/^\| ([^|]+?) \| [^|]+ \| ([^|]+?) \|$/gm), ([, name, control]) => ({ name, control }))
  expect(listed.slice(1).filter(({ name }) => !name?.startsWith('-'))).toEqual(faults.map(({ name, control }) => ({ name, control })))
})
