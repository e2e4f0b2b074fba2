import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { machineText } from '../../bench/report/machine.ts'
import { tableText } from '../../bench/report/markdown.ts'
import { resultsFolder } from '../../bench/report/results.ts'
import type { SoakResult } from '../soak.ts'
import { drawSoakChart } from './chart.ts'
import { valueText } from './value-text.ts'

/** Writes docs/performance/soak.md and its chart. */
export function writeSoakPage(result: SoakResult): void {
  writeFileSync(path.join(resultsFolder, 'soak.svg'), drawSoakChart(result.moments, result.verdicts))
  writeFileSync(path.join(resultsFolder, 'soak.md'), pageText(result))
}

const pageText = ({ machine, minutes, warmUpSeconds, counts, moments, verdicts }: SoakResult) => `# Soak test

\`npm run soak -- --record\` writes this page. Mixed traffic to all interfaces for ${minutes} min, after a warm-up of ${warmUpSeconds} s, on ${machineText(machine)}.

![Memory, descriptors, connections and waiting jobs over time](soak.svg)

${tableText(
  ['', 'first third', 'last third', 'allowed', 'maximum', ''],
  verdicts.map(({ series: { title, unit }, first, last, allowed, max, grows }) => [
    title,
    valueText(first, unit),
    valueText(last, unit),
    `≤ ${valueText(first + allowed, unit)}`,
    valueText(max, unit),
    grows ? '**grows**' : 'flat',
  ]),
)}

The first two columns are medians. In the chart, a dashed line marks the allowed value.

## Traffic

${sum(counts).toLocaleString('en-US')} requests and sequences of requests were completed. Clients pause between requests, so the number does not measure the speed. Requests are
those of the [benchmark](README.md), on one connection each, and batches of GraphQL. Sequences:

- *Authorization code* and *device flow*: sign in and consent in a new browser, exchange the code, refresh, introspect, read UserInfo, revoke.
- *GraphQL*: rename a team, invite a member (which sends an email), read, revoke the invitation; open an event stream, wait for a change.
- *Pages*: sign in, open eight pages, submit a form, sign out.
- *Command line*: create a token, use it, revoke it, use it again without success, list users. Each command is a separate process.

## Method

The service runs in one process, as in production, with \`METRICS_PORT\`. Its metrics are read ${moments.length} times, each time after a garbage collection.
The test fails if the median of the last third of the readings exceeds that of the first third by more than a tolerance; single peaks do not
count. Any unexpected response ends the test with an error.

\`\`\`bash
npm run soak                                  # 10 minutes; exit status 1 if a value grows
npm run soak -- --minutes 1                   # as in continuous integration
npm run soak -- --record                      # writes this page and its chart
npm run soak -- --minutes 0.5 --leak          # the control: fails, because the service leaks
\`\`\`
`

const sum = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((total, count) => total + count, 0)
