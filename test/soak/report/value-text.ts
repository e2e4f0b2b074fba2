import type { Series, Verdict } from '../series.ts'

export const valueText = (value: number, unit: Series['unit']) => `${value.toFixed(unit === 'MB' ? 1 : 0)}${unit && ` ${unit}`}`

/** A line for the terminal. */
export const verdictText = ({ series: { title, unit }, first, last, allowed, grows }: Verdict) =>
  `${title}: ${valueText(first, unit)}, then ${valueText(last, unit)} (at most ${valueText(first + allowed, unit)})${grows ? ': GROWS' : ''}`
