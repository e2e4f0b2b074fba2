import { parseArgs } from 'node:util'
import { runFullForm } from './full.ts'
import { runQuickForm } from './quick.ts'
import { missedText, missesGoal } from './report/goals.ts'
import { writePage } from './report/page.ts'
import { recordResults } from './report/results.ts'
import { allRequests } from './requests/all.ts'

/**
 * `npm run bench` compares the service with the same requests written by hand (docs/performance/README.md), on an embedded
 * PostgreSQL or on the server of BENCH_DATABASE_URL. The full form writes the page and its chart, and exits with 1 if a start takes longer
 * than its goal; `--quick` compares ratios with the recorded ones and exits with 1 if one fell by more than a quarter.
 */
const { values: options } = parseArgs({
  options: {
    /** Names of requests and growth rows; nothing is written then. */
    only: { type: 'string', multiple: true, default: [] },
    rounds: { type: 'string', default: '11' },
    seconds: { type: 'string', default: '0.7' },
    json: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    /** With `--quick`: records the ratios. */
    record: { type: 'boolean', default: false },
  },
})
const isSelected = (name: string) => options.only.length === 0 || options.only.includes(name)
const print = (text: string) => void (options.json || process.stdout.write(text))

if (options.quick) {
  const requests = allRequests.filter(({ name }) => isSelected(name))
  const slower = await runQuickForm({ requests, measuresStart: isSelected('start'), isRecording: options.record, print })
  if (options.json) process.stdout.write(`${JSON.stringify({ slower })}\n`)
  if (slower.length > 0) {
    console.error(`slower than recorded by more than a quarter: ${slower.join(', ')}`)
    process.exitCode = 1
  }
} else {
  const full = await runFullForm({ rounds: Number(options.rounds), seconds: Number(options.seconds), isSelected, print })
  if (options.json) process.stdout.write(`${JSON.stringify(full)}\n`)
  print(`\n${missedText(full)}\n`)
  if (full.growth.some((result) => result.name.startsWith('start-') && missesGoal(result))) process.exitCode = 1
  if (options.only.length === 0) {
    recordResults({ full })
    writePage(full)
  }
}
