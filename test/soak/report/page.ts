import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { machineText } from '../../bench/report/machine.ts'
import { tableText } from '../../bench/report/markdown.ts'
import { resultsFolder } from '../../bench/report/results.ts'
import type { SoakResult } from '../soak.ts'
import { drawSoakChart } from './chart.ts'
import { valueText } from './table.ts'

/** Writes docs/performance/soak.md and its chart. */
export function writeSoakPage(result: SoakResult): void {
  writeFileSync(path.join(resultsFolder, 'soak.svg'), drawSoakChart(result.moments, result.verdicts))
  writeFileSync(path.join(resultsFolder, 'soak.md'), pageText(result))
}

const pageText = ({ machine, minutes, warmUpSeconds, counts, moments, verdicts }: SoakResult) => `# Soak

\`npm run soak -- --record\` writes this page. Mixed traffic to all interfaces for ${minutes} min, after a warm-up of ${warmUpSeconds} s, on ${machineText(machine)}.

![Memory, descriptors, connections and waiting jobs over time](soak.svg)

${tableText(
  ['', 'first third', 'last third', 'allowed', 'most', ''],
  verdicts.map(({ series: { title, unit }, first, last, allowed, max, grows }) => [
    title,
    valueText(first, unit),
    valueText(last, unit),
    `≤ ${valueText(first + allowed, unit)}`,
    valueText(max, unit),
    grows ? '**grows**' : 'flat',
  ]),
)}

The first two columns are medians. The dashed lines of the chart are at the allowed values.

## Traffic

${tableText(
  ['', 'completed'],
  Array.from(counts, ([name, count]) => [name, count.toLocaleString('en-US')]),
)}

The first rows are sequences of several requests, the others the requests of the [benchmark](README.md), on one connection each. Clients pause
between requests, so that the service is never saturated. These counts do not measure its speed: other programs ran on the machine at the same time.

- *Authorization code*: sign-in and consent in a new browser, code with PKCE, refresh, introspection, UserInfo, revocation.
- *GraphQL queries and mutations*: rename a team, invite a member (which sends a mail), read, revoke the invitation.
- *Subscriptions*: open an event stream, wait for the event of a change, close it.
- *Pages*: sign in, eight pages, a form, sign out.
- *Command line*: create a token, use it, revoke it, be refused, list users; each command is a process of its own.

## Method

The service runs in one process as in production, with \`METRICS_PORT\`. Its metrics are read ${moments.length} times, and garbage is collected before each reading.
A value grows if the median of the last third exceeds that of the first third by more than its tolerance, so single peaks do not count.
Any unexpected response ends the soak with an error.

\`\`\`bash
npm run soak                                  # 10 minutes; exits with 1 if a value grows
npm run soak -- --minutes 1                   # the form of the continuous integration
npm run soak -- --record                      # writes this page and its chart
npm run soak -- --minutes 0.5 --leak          # the control: a service that leaks must fail
\`\`\`
`
