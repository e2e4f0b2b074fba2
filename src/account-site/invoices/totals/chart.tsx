import { formatMoney, formatRoundMoney } from '../../../web/money.ts'
import { sumMonths } from './yearly-totals.ts'
import type { Series, Year } from './yearly-totals.ts'
import { formatMonth } from '../invoice-labels.ts'

// Each month has one horizontal bar, so that the chart is readable on a phone and uses the width of a desktop. Lengths are percentages of
// the bar's image, and its label is text of the page. The Content-Security-Policy forbids inline styles, so bars use only
// attributes and classes. On paper and with more contrast, each series has a pattern besides its colour, so that colour is not needed.

const rowHeight = 24
const barHeight = 16

interface Part {
  series: Series
  from: number
  to: number
  amount: number
}

/** Returns the parts of a month's bar. Charges extend to the right of the axis, credits to the left. */
function listParts({ series }: Year, month: Year['months'][number]): Part[] {
  let [charged, credited] = [0, 0]
  return series.flatMap((one) => {
    const amount = one.amountIn(month)
    if (amount === 0) return []
    const from = amount > 0 ? charged : (credited += amount)
    if (amount > 0) charged += amount
    return [{ series: one, from, to: from + Math.abs(amount), amount }]
  })
}

/** A chart of amounts by month and application. The table below it has the same amounts. */
export function Chart({ year }: { year: Year }) {
  const { currency, months, series } = year
  const bars = months.map((month) => ({ month, parts: listParts(year, month) }))
  const ends = bars.flatMap(({ parts }) => parts.flatMap(({ from, to }) => [from, to]))
  const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)]
  const getShare = (amount: number) => round((amount / (high - low || 1)) * 100)
  const id = `chart-${currency}`
  return (
    <div class="chart" role="img" aria-label={`Invoiced by month and product in ${currency.toUpperCase()}. ${describe(year)}`}>
      <Patterns id={id} series={series} />
      {bars.map(({ month, parts }) => (
        <div class="bar">
          <span class="month">{formatMonth(month.month)}</span>
          <svg width="100%" height={rowHeight}>
            <line class="axis" x1={`${getShare(-low)}%`} x2={`${getShare(-low)}%`} y1={0} y2={rowHeight} />
            {parts.map(({ series: { key, name }, from, to, amount }) => (
              <rect
                class="part"
                x={`${getShare(from - low)}%`}
                y={(rowHeight - barHeight) / 2}
                width={`${getShare(to - from)}%`}
                height={barHeight}
                fill={`url(#${id}-${key})`}
              >
                <title>{`${formatMonth(month.month)}, ${name}: ${formatMoney(amount, currency)}`}</title>
              </rect>
            ))}
          </svg>
          <span class="sum">{parts.length > 0 ? formatRoundMoney(month.total, currency) : '–'}</span>
        </div>
      ))}
    </div>
  )
}

const round = (value: number) => Math.round(value * 100) / 100

function describe({ months, currency, series }: Year): string {
  const highest = months.reduce((most, month) => (month.total > most.total ? month : most))
  const names = series.map(({ name }) => name).join(', ')
  return `${formatMoney(sumMonths(months), currency)} in twelve months, most in ${formatMonth(highest.month)} with ${formatMoney(highest.total, currency)}. Shown: ${names}. The table that follows has every amount.`
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
  <svg class="visually-hidden">
    {series.map(({ key }) => (
      <pattern id={`${id}-${key}`} width={8} height={8} patternUnits="userSpaceOnUse">
        <rect class={`series-${key}`} width={8} height={8} />
        {strokes[key] !== '' && <path class="stroke" d={strokes[key]} />}
      </pattern>
    ))}
  </svg>
)

/** A legend with the colour and pattern of each series. */
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
