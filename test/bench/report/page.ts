import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { titles } from '../contestants/titles.ts'
import type { HandWritten } from '../contestants/titles.ts'
import type { RequestResult } from '../measure/requests.ts'
import { allRequests } from '../requests/all.ts'
import { referenceOf } from '../requests/request.ts'
import type { BenchRequest } from '../requests/request.ts'
import { drawChart } from './chart.ts'
import { missedText, p99Goal } from './goals.ts'
import { machineText } from './machine.ts'
import { tableText } from './markdown.ts'
import { methodText } from './method.ts'
import { resultsFolder } from './results.ts'
import type { FullResults } from './results.ts'
import { goalText, spreadText, valueText } from './table.ts'

/** Writes docs/performance/README.md and its chart. */
export function writePage(results: FullResults): void {
  mkdirSync(resultsFolder, { recursive: true })
  writeFileSync(path.join(resultsFolder, 'requests.svg'), drawChart(results.requests))
  writeFileSync(path.join(resultsFolder, 'README.md'), pageText(results))
}

const pageText = (results: FullResults) => `# Performance

\`npm run bench\` writes this page. Measured on ${machineText(results.machine)}; ${results.connections} connections,
${results.rounds} rounds of ${results.seconds} s for each program in turn.

![Requests per second of the service and of the programs it is compared with](requests.svg)

A request for a team or a page costs about what a handler written by hand for this one request costs:

- *limit-rows* is the fastest that can be written with Node: \`node:http\`, \`pg\`, one statement for credential and rows, no framework, and
  no other feature. The service adds validation, permissions, limits, logs and GraphQL.
- *Express by hand* is the usual way to write such a service: the same requests with Express, a statement for each question.
- The OAuth endpoints are compared with a *bare endpoint*, which does only what the request needs.

Against hand-tuned Go with pgx on the same data the service reaches 0.53 to 0.67 of the requests, and 40 to 50 % of what \`pgbench\` does with
the statements of the service alone: the rest is HTTP and JSON in JavaScript. Pages of teams of any size cost the same (Growth).
[Method](#method) describes how this is measured.

The [soak test](soak.md) shows that memory, descriptors, connections and the queue do not grow under steady traffic.

## Requests

Requests per second of the service divided by those of a hand-written program: the median of the ratios of each round, with
the smallest and the largest.

${tableText(['request', 'requests/s', '÷ limit-rows', 'goal', '÷ Express by hand', 'goal', '÷ bare endpoint', 'goal', 'p99 ÷ reference'], rowsOf(results, requestRow))}

The reference of the last column is *limit-rows* or the *bare endpoint*; for \`p99\` ÷ *limit-rows* the goal is at most ${p99Goal}.

## Growth, memory and start

${tableText(
  ['', 'measured', 'goal'],
  results.growth.map(({ title, unit, value, goal }) => {
    const { median, min, max } = value
    const spread = min === max ? '' : ` (${valueText(min, unit)}–${valueText(max, unit)})`
    return [title, valueText(median, unit) + spread, goal ? goalText(goal, unit) : '–']
  }),
)}

${missedText(results)}

## Each program

Medians over the rounds; p50 and p99 are those of all requests. CPU time is user and system time per request, of the program's process and of its PostgreSQL
backends.

${tableText(
  ['request', 'program', 'requests/s', 'p50 ms', 'p99 ms', 'CPU µs', 'CPU µs of PostgreSQL', 'service’s CPU'],
  rowsOf(results, programRows).flat(),
)}

${methodText}`

const rowsOf = <Row>({ requests }: FullResults, row: (request: BenchRequest, result: RequestResult) => Row): Row[] =>
  requests.flatMap((result) => allRequests.filter(({ name }) => name === result.name).map((request) => row(request, result)))

function requestRow(request: BenchRequest, { performance, ratios }: RequestResult): string[] {
  const ratio = (name: HandWritten) => (ratios[name] ? spreadText(ratios[name].requestsPerSecond) : '–')
  const goal = (name: HandWritten) => (request.goals[name] ? `≥ ${request.goals[name]}` : '–')
  const p99 = ratios[referenceOf(request)]?.p99
  return [
    request.title,
    performance['service']?.requestsPerSecond.toFixed(0) ?? '',
    ratio('limit-rows'),
    goal('limit-rows'),
    ratio('express'),
    goal('express'),
    ratio('bare-oauth'),
    goal('bare-oauth'),
    p99?.toFixed(2) ?? '–',
  ]
}

/** A row for each program. The last column is the CPU time of the service divided by that of the program, with PostgreSQL. */
function programRows(request: BenchRequest, { performance, ratios }: RequestResult): string[][] {
  const programTitles: Record<string, string> = titles
  return Object.entries(performance).map(
    ([name, { requestsPerSecond, p50Milliseconds, p99Milliseconds, serverCpu, databaseCpu }], index) => [
      index === 0 ? request.title : '',
      programTitles[name] ?? 'the service',
      requestsPerSecond.toFixed(0),
      p50Milliseconds.toFixed(2),
      p99Milliseconds.toFixed(2),
      serverCpu.toFixed(0),
      databaseCpu.toFixed(0),
      ratios[name] ? `${(1 / ratios[name].cpu.median).toFixed(2)} ×` : '',
    ],
  )
}
