import { text as storableText } from '../../../schema/core/validation.ts'
import { Button } from '../../web/components/forms/button.tsx'
import { Field, Select } from '../../web/components/forms/field.tsx'
import { actionLabels } from './labels.ts'

/** The filter in the query of the page. An invalid value counts as absent, which is the empty text. */
export interface AuditFilterValues {
  action: string
  actor: string
  /** First and last day in UTC. */
  from: string
  to: string
}

const dayPattern = /^\d{4}-\d\d-\d\d$/

/** Reads the filter from the query of the page. */
export function parseAuditFilter(query: URLSearchParams): AuditFilterValues {
  const action = query.get('action') ?? ''
  const [from, to] = ['from', 'to'].map((name) => dayOf(query.get(name)))
  const days = { from: from ?? '', to: to ?? '' }
  // Accept the days in the wrong order.
  const ordered = days.from && days.to && days.from > days.to ? { from: days.to, to: days.from } : days
  return { action: Object.hasOwn(actionLabels, action) ? action : '', actor: actorOf(query.get('actor')), ...ordered }
}

/** Returns an existing day in the range of RFC 3339 timestamps, or the empty text. */
function dayOf(text: string | null): string {
  if (text === null || !dayPattern.test(text) || text < '0001-01-02' || text > '9999-12-30') return ''
  return new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) ? text : ''
}

const actorOf = (text: string | null): string => {
  const actor = (text ?? '').trim()
  return storableText.safeParse(actor).success ? Array.from(actor).slice(0, 100).join('') : ''
}

/** Returns the filter as variables of the query. */
export const filterVariablesOf = ({ action, actor, from, to }: AuditFilterValues) => ({
  action: action || null,
  actor: actor || null,
  since: from ? `${from}T00:00:00.000Z` : null,
  until: to ? dayAfter(to) : null,
})

const dayAfter = (day: string) => new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString()

export const AuditFilter = ({ path, filter }: { path: string; filter: AuditFilterValues }) => (
  <form method="get" action={path} class="filter">
    <div>
      <Select
        name="action"
        label="Action"
        options={[{ value: '', label: 'All actions' }, ...Object.entries(actionLabels).map(([value, label]) => ({ value, label }))]}
        selected={filter.action}
      />
    </div>
    <div>
      <Field name="actor" label="Person" required={false} maxLength={100} autocomplete="off" value={filter.actor} />
    </div>
    <div>
      <Field name="from" label="From" type="date" required={false} value={filter.from} />
    </div>
    <div>
      <Field name="to" label="To" type="date" required={false} value={filter.to} />
    </div>
    <Button kind="second">Filter</Button>
  </form>
)
