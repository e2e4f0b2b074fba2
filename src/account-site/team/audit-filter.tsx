import { text as storable } from '../../../schema/validation.ts'
import { Button, Field, Select } from '../form.tsx'
import { actionWords } from './audit-words.ts'

/** What the address of the trail asks for; what it cannot mean counts as not asked. */
export interface Asked {
  action: string
  actor: string
  /** Days in UTC, both of them within. */
  from: string
  to: string
}

const dayPattern = /^\d{4}-\d\d-\d\d$/

export function askedOf(query: URLSearchParams): Asked {
  const action = query.get('action') ?? ''
  const [from, to] = ['from', 'to'].map((name) => dayOf(query.get(name)))
  const days = { from: from ?? '', to: to ?? '' }
  // The wrong way round, they still name the days between them.
  const ordered = days.from && days.to && days.from > days.to ? { from: days.to, to: days.from } : days
  return { action: Object.hasOwn(actionWords, action) ? action : '', actor: actorOf(query.get('actor')), ...ordered }
}

/** A day of the calendar, of years that instants are written with. */
function dayOf(text: string | null): string {
  if (text === null || !dayPattern.test(text) || text < '0001-01-02' || text > '9999-12-30') return ''
  return new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) ? text : ''
}

const actorOf = (text: string | null): string => {
  const actor = (text ?? '').trim()
  return storable.safeParse(actor).success ? Array.from(actor).slice(0, 100).join('') : ''
}

/** The same as variables of the query. */
export const filterOf = ({ action, actor, from, to }: Asked) => ({
  action: action || null,
  actor: actor || null,
  since: from ? `${from}T00:00:00.000Z` : null,
  until: to ? dayAfter(to) : null,
})

const dayAfter = (day: string) => new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString()

export const AuditFilter = ({ path, asked }: { path: string; asked: Asked }) => (
  <form method="get" action={path} class="filter">
    <div>
      <Select
        name="action"
        label="What"
        options={[{ value: '', label: 'Anything' }, ...Object.entries(actionWords).map(([value, label]) => ({ value, label }))]}
        selected={asked.action}
      />
    </div>
    <div>
      <Field name="actor" label="Who" required={false} maxLength={100} autocomplete="off" value={asked.actor} />
    </div>
    <div>
      <Field name="from" label="From" type="date" required={false} value={asked.from} />
    </div>
    <div>
      <Field name="to" label="To" type="date" required={false} value={asked.to} />
    </div>
    <Button kind="second">Show</Button>
  </form>
)
