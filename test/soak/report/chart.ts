import { chartStyle } from '../../bench/report/chart.ts'
import { series } from '../series.ts'
import type { Moment, Verdict } from '../series.ts'
import { valueText } from './value-text.ts'

const [width, left, plotWidth, plotHeight, rowHeight] = [860, 70, 760, 70, 116]

/** Draws each series over time, from 0, with a dashed line at the allowed value. */
export function drawSoakChart(moments: readonly Moment[], verdicts: readonly Verdict[]): string {
  const rows = verdicts.map((verdict, index) => drawSeries(verdict, moments, index * rowHeight))
  const y = series.length * rowHeight
  const end = moments.at(-1)?.seconds ?? 0
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y + 8}" role="img" aria-labelledby="title">
<title id="title">Memory, descriptors, connections and waiting jobs of the service during ${Math.round(end / 60)} min of mixed traffic</title>
<style>${chartStyle}
  .line { fill: none; stroke: #0969da; stroke-width: 1.5 }
  @media (prefers-color-scheme: dark) { .line { stroke: #58a6ff } }
</style>
${rows.join('\n')}
<text class="small" x="${left}" y="${y - 2}">0 s</text>
<text class="small" x="${left + plotWidth}" y="${y - 2}" text-anchor="end">${end.toFixed(0)} s</text>
</svg>
`
}

function drawSeries({ series: { name, title, unit }, first, allowed, max }: Verdict, moments: readonly Moment[], top: number): string {
  const highest = Math.max(max, first + allowed) * 1.1
  const end = moments.at(-1)?.seconds ?? 1
  const [bottom, xOf] = [top + 26 + plotHeight, (seconds: number) => left + (seconds / end) * plotWidth]
  const yOf = (value: number) => bottom - (value / highest) * plotHeight
  const points = moments.map((moment) => `${xOf(moment.seconds).toFixed(1)},${yOf(moment[name]).toFixed(1)}`)
  const axisLabel = (value: number, y: number) =>
    `<text class="small" x="${left - 6}" y="${y.toFixed(1)}" text-anchor="end">${valueText(value, unit)}</text>`
  return `<text x="${left}" y="${top + 16}">${title}</text>
<line class="reference" x1="${left}" x2="${left + plotWidth}" y1="${yOf(first + allowed).toFixed(1)}" y2="${yOf(first + allowed).toFixed(1)}"/>
${axisLabel(first + allowed, yOf(first + allowed) + 4)}
${axisLabel(0, bottom)}
<polyline class="line" points="${points.join(' ')}"/>`
}
