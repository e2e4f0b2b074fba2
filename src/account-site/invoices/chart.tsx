import { formatMoney, roughMoney } from './money.ts'
import type { Series, Year } from './months.ts'
import { monthOf } from './words.ts'

// One bar a month, from left to right, so that it can be read on a phone. Everything is an attribute or a class: the
// Content-Security-Policy allows no style of its own. A series is told by its pattern as well as by its colour.

const width = 320
const rowHeight = 24
const barHeight = 16
/** Where bars may begin and end: months stand before, sums after. */
const left = 76
const right = 248

interface Part {
  series: Series
  from: number
  to: number
  amount: number
}

/** The parts of a month side by side: what was charged to the right of the line, what was credited to its left. */
function partsOf({ series }: Year, month: Year['months'][number]): Part[] {
  let [charged, credited] = [0, 0]
  return series.flatMap((one) => {
    const amount = one.amountIn(month)
    if (amount === 0) return []
    const from = amount > 0 ? charged : (credited += amount)
    if (amount > 0) charged += amount
    return [{ series: one, from, to: from + Math.abs(amount), amount }]
  })
}

/** Amounts by month and application, as a picture; the table beside it says the same. */
export function Chart({ year }: { year: Year }) {
  const { currency, months, series } = year
  const bars = months.map((month) => ({ month, parts: partsOf(year, month) }))
  const ends = bars.flatMap(({ parts }) => parts.flatMap(({ from, to }) => [from, to]))
  const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)]
  const place = (amount: number) => round(left + ((amount - low) / (high - low || 1)) * (right - left))
  const height = months.length * rowHeight + 8
  const id = `chart-${currency}`
  return (
    <svg class="chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-labelledby={`${id}-title ${id}-desc`}>
      <title id={`${id}-title`}>{`Invoiced by month and application in ${currency.toUpperCase()}`}</title>
      <desc id={`${id}-desc`}>{describe(year)}</desc>
      <Patterns id={id} series={series} />
      <line class="axis" x1={place(0)} x2={place(0)} y1={0} y2={height - 4} />
      {bars.map(({ month, parts }, row) => (
        <g>
          <text class="month" x={0} y={row * rowHeight + 17}>
            {monthOf(month.month)}
          </text>
          {parts.map(({ series: { key, name }, from, to, amount }) => (
            <rect
              class="part"
              x={place(from)}
              y={row * rowHeight + 5}
              width={round(place(to) - place(from))}
              height={barHeight}
              fill={`url(#${id}-${key})`}
            >
              <title>{`${monthOf(month.month)}, ${name}: ${formatMoney(amount, currency)}`}</title>
            </rect>
          ))}
          <text class="sum" x={width} y={row * rowHeight + 17} text-anchor="end">
            {parts.length > 0 ? roughMoney(month.total, currency) : '–'}
          </text>
        </g>
      ))}
    </svg>
  )
}

const round = (value: number) => Math.round(value * 100) / 100

function describe({ months, currency, series }: Year): string {
  const highest = months.reduce((most, month) => (month.total > most.total ? month : most))
  const sum = months.reduce((total, month) => total + month.total, 0)
  const names = series.map(({ name }) => name).join(', ')
  return `${formatMoney(sum, currency)} in twelve months, most in ${monthOf(highest.month)} with ${formatMoney(highest.total, currency)}. Told apart: ${names}. The table that follows has every amount.`
}

/** Lines in the square of 8 that a pattern repeats. */
const strokes: Record<Series['key'], string> = {
  domain: '',
  cert: 'M0 8L8 0M-2 2L2 -2M6 10L10 6',
  deploy: 'M0 4H8',
  shortener: 'M4 0V8',
  flow: 'M0 0L8 8M-2 6L2 10M6 -2L10 2',
  backup: 'M2 2h1M6 6h1',
  socket: 'M0 4H8M4 0V8',
  billing: 'M0 8L8 0M0 0L8 8',
  none: 'M0 2H8M0 6H8',
  tax: 'M2 0V8M6 0V8',
}

const Patterns = ({ id, series }: { id: string; series: readonly Series[] }) => (
  <defs>
    {series.map(({ key }) => (
      <pattern id={`${id}-${key}`} width={8} height={8} patternUnits="userSpaceOnUse">
        <rect class={`series-${key}`} width={8} height={8} />
        {strokes[key] !== '' && <path class="stroke" d={strokes[key]} />}
      </pattern>
    ))}
  </defs>
)

/** What colour and pattern stand for what, where the eye looks after the picture. */
export const Legend = ({ year: { series, currency } }: { year: Year }) => (
  <ul class="legend">
    {series.map(({ key, name }) => (
      <li>
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <rect class="part" width={16} height={16} fill={`url(#chart-${currency}-${key})`} />
        </svg>{' '}
        {name}
      </li>
    ))}
  </ul>
)
