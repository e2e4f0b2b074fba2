import { parseArgs } from 'node:util'
import { verdictText } from './report/value-text.ts'
import { writeSoakPage } from './report/page.ts'
import { soak } from './soak.ts'

/**
 * `npm run soak` sends mixed traffic of all interfaces to the service and fails if its memory, descriptors, connections or
 * waiting jobs grow (docs/performance/soak.md).
 */
const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    'warm-up': { type: 'string', default: '30' },
    /** The control: a service that leaks memory, descriptors and connections, and a mail server that accepts nothing. */
    leak: { type: 'boolean', default: false },
    /** Writes the page and its chart. */
    record: { type: 'boolean', default: false },
  },
})
const result = await soak({
  minutes: Number(options.minutes),
  warmUpSeconds: Number(options['warm-up']),
  leaks: options.leak,
  print: (text) => void process.stdout.write(text),
})
for (const verdict of result.verdicts) console.log(verdictText(verdict))
if (options.record) writeSoakPage(result)
const growing = result.verdicts.filter(({ grows }) => grows).map(({ series }) => series.name)
if (growing.length > 0) {
  console.error(`grows under steady traffic: ${growing.join(', ')}`)
  process.exitCode = 1
}
