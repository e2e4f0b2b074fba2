import { asDate, formatDate, formatDateTime } from '../time-format.ts'

interface TimeProps {
  /** RFC 3339 timestamp or date. An absent one is shown as `never`. */
  at: string | Date | null | undefined
}

/** A formatted date as a `<time>` element. */
export const Day = ({ at }: TimeProps) => (at ? <time dateTime={asDate(at).toISOString()}>{formatDate(at)}</time> : <>never</>)

/** A formatted timestamp as a `<time>` element. */
export const DateTime = ({ at }: TimeProps) => (at ? <time dateTime={asDate(at).toISOString()}>{formatDateTime(at)}</time> : <>never</>)
