import { titles } from '../contestants/titles.ts'
import type { HandWritten } from '../contestants/titles.ts'
import type { RequestResult } from '../measure/requests.ts'
import { allRequests } from '../requests/all.ts'
import { contestantsOf, referenceOf } from '../requests/request.ts'
import type { BenchRequest } from '../requests/request.ts'

const [width, labelWidth, barHeight, groupGap, top] = [860, 250, 14, 14, 56]
const plotWidth = width - labelWidth - 60

/** Colours that can be told apart on a light and on a dark page, and in shades of grey. */
export const chartStyle = `
  text { font: 13px system-ui, sans-serif; fill: #24292f }
  .small { font-size: 11px; fill: #57606a }
  .service { fill: #0969da } .express { fill: #bf8700 }
  .reference { stroke: #57606a; stroke-dasharray: 4 3 } .goal { stroke: #cf222e; stroke-width: 2 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .small { fill: #9198a1 }
    .service { fill: #58a6ff } .express { fill: #e3b341 }
    .reference { stroke: #9198a1 } .goal { stroke: #ff7b72 }
  }`

interface Bar {
  kind: 'service' | HandWritten
  value: number
}

/** Draws the requests per second of each contestant, divided by those of the reference of the request, as bars. */
export function drawChart(results: readonly RequestResult[]): string {
  const groups = results.flatMap((result) => {
    const request = allRequests.find(({ name }) => name === result.name)
    return request ? [{ request, bars: barsOf(request, result) }] : []
  })
  const scale = plotWidth / Math.max(1.1, ...groups.flatMap(({ bars }) => bars.map(({ value }) => value)))
  let y = top
  const drawn = groups.map(({ request, bars }) => {
    const group = drawGroup(request, bars, y, scale)
    y += bars.length * barHeight + groupGap
    return group
  })
  const reference = labelWidth + scale
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" role="img" aria-labelledby="title">
<title id="title">Requests per second, divided by those of limit-rows or of the bare endpoint</title>
<style>${chartStyle}
</style>
${legend()}
${drawn.join('\n')}
<line class="reference" x1="${reference}" x2="${reference}" y1="${top - 6}" y2="${y - groupGap + 4}"/>
<text class="small" x="${reference}" y="${top - 12}" text-anchor="middle">limit-rows, bare endpoint = 1</text>
</svg>
`
}

/** The service first. The ratio of another contestant to the reference follows from the ratios of the service to both. */
function barsOf(request: BenchRequest, { ratios }: RequestResult): Bar[] {
  const reference = referenceOf(request)
  const ratioTo = (name: HandWritten) => ratios[name]?.requestsPerSecond.median ?? Number.NaN
  const others = contestantsOf(request).filter((name) => name !== reference)
  return [
    { kind: 'service', value: ratioTo(reference) },
    ...others.map((name) => ({ kind: name, value: ratioTo(reference) / ratioTo(name) })),
  ]
}

function drawGroup(request: BenchRequest, bars: readonly Bar[], y: number, scale: number): string {
  const goal = request.goals[referenceOf(request)]
  const drawn = bars.map(({ kind, value }, index) => {
    const barY = y + index * barHeight
    return `<rect class="${kind}" x="${labelWidth}" y="${barY}" width="${(value * scale).toFixed(1)}" height="${barHeight - 2}"/>
<text class="small" x="${(labelWidth + value * scale + 5).toFixed(1)}" y="${barY + 10}">${value.toFixed(2)}</text>`
  })
  const goalX = labelWidth + (goal ?? 0) * scale
  const mark = goal ? `\n<line class="goal" x1="${goalX.toFixed(1)}" x2="${goalX.toFixed(1)}" y1="${y - 2}" y2="${y + barHeight}"/>` : ''
  const title = request.title.replaceAll('`', '')
  return `<text x="${labelWidth - 8}" y="${y + 11}" text-anchor="end">${title}</text>\n${drawn.join('\n')}${mark}`
}

function legend(): string {
  const entries = [
    { kind: 'service', text: 'the service' },
    { kind: 'express', text: titles.express },
  ]
  const boxes = entries.map(({ kind, text }, index) => {
    const x = labelWidth + index * 150
    return `<rect class="${kind}" x="${x}" y="8" width="12" height="12"/><text x="${x + 17}" y="18">${text}</text>`
  })
  const goalX = labelWidth + entries.length * 150
  return `${boxes.join('\n')}\n<line class="goal" x1="${goalX}" x2="${goalX}" y1="7" y2="21"/><text x="${goalX + 8}" y="18">goal of the service</text>`
}
