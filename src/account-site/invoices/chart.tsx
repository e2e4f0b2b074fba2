import { formatMoney, formatRoughMoney } from '../../web/money.ts'
import type { Series, Year } from './yearly-totals.ts'
import { formatMonth } from './labels.ts'

// One horizontal bar per month, so that the chart is readable on a phone. It uses attributes and classes only, because the
// Content-Security-Policy forbids inline styles. Each series has a pattern and a colour, so that colour is not needed.

const width = 320
const rowHeight = 24
const barHeight = 16
/** Range of the bars. The names of months are to the left of it, the totals to the right. */
const barsLeft = 76
const barsRight = 248

interface Part {
  series: Series
  from: number
  to: number
  amount: number
}

/** Returns the parts of a month's bar. Charges extend to the right of the axis, credits to the left. */
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

/** A chart of amounts by month and application. The table next to it has the same amounts. */
export function Chart({ year }: { year: Year }) {
  const { currency, months, series } = year
  const bars = months.map((month) => ({ month, parts: partsOf(year, month) }))
  const ends = bars.flatMap(({ parts }) => parts.flatMap(({ from, to }) => [from, to]))
  const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)]
  const xOf = (amount: number) => round(barsLeft + ((amount - low) / (high - low || 1)) * (barsRight - barsLeft))
  const height = months.length * rowHeight + 8
  const id = `chart-${currency}`
  return (
    <svg class="chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-labelledby={`${id}-title ${id}-desc`}>
      <title id={`${id}-title`}>{`Invoiced by month and product in ${currency.toUpperCase()}`}</title>
      <desc id={`${id}-desc`}>{describe(year)}</desc>
      <Patterns id={id} series={series} />
      <line class="axis" x1={xOf(0)} x2={xOf(0)} y1={0} y2={height - 4} />
      {bars.map(({ month, parts }, row) => (
        <g>
          <text class="month" x={0} y={row * rowHeight + 17}>
            {formatMonth(month.month)}
          </text>
          {parts.map(({ series: { key, name }, from, to, amount }) => (
            <rect
              class="part"
              x={xOf(from)}
              y={row * rowHeight + 5}
              width={round(xOf(to) - xOf(from))}
              height={barHeight}
              fill={`url(#${id}-${key})`}
            >
              <title>{`${formatMonth(month.month)}, ${name}: ${formatMoney(amount, currency)}`}</title>
            </rect>
          ))}
          <text class="sum" x={width} y={row * rowHeight + 17} text-anchor="end">
            {parts.length > 0 ? formatRoughMoney(month.total, currency) : '–'}
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
  return `${formatMoney(sum, currency)} in twelve months, most in ${formatMonth(highest.month)} with ${formatMoney(highest.total, currency)}. Shown: ${names}. The table that follows has every amount.`
}

/** SVG paths of the patterns, each in a square of 8 units that repeats. */
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

/** Names the series by colour and pattern. */
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
