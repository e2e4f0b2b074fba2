import { Table } from '../../../web/components/lists/table.tsx'
import { scopeLabel } from '../../../web/components/scope-list.tsx'
import { registrationLabels } from '../../developers/review.tsx'
import type { StaffClientQuery } from '../../generated/operations.ts'

type Client = StaffClientQuery['staff']['client']

/** The values of a registration that wait for a review, next to the current ones. */
export const Comparison = ({ changes }: { changes: Client['proposedChanges'] }) => (
  <section>
    <h2 id="changes">Changes that wait for a review</h2>
    <p>Until they are approved, the current values stay in effect.</p>
    <Table labelledBy="changes">
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Now</th>
          <th scope="col">Requested</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ member, live, proposed }) => (
          <tr>
            <th scope="row">{registrationLabels[member] ?? member}</th>
            <td data-label="Now">
              <Values member={member} values={live} others={proposed} mark="Removed" />
            </td>
            <td data-label="Requested">
              <Values member={member} values={proposed} others={live} mark="Added" />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  </section>
)

interface ValuesProps {
  member: string
  values: readonly string[]
  /** The values of the other side. */
  others: readonly string[]
  /** The word for a value that the other side does not have. */
  mark: 'Added' | 'Removed'
}

/** The values of one side, one on a line. In lists, those that differ are marked. */
const Values = ({ member, values, others, mark }: ValuesProps) => {
  if (values.length === 0) return <span class="default">None</span>
  const isList = values.length + others.length > 2
  return (
    <>
      {values.map((value) => (
        <div>
          <bdi>{member.endsWith('Scopes') ? scopeLabel(value) : value}</bdi>
          {isList && !others.includes(value) && (
            <>
              {' '}
              <span class={mark === 'Added' ? 'badge good' : 'badge alert'}>{mark}</span>
            </>
          )}
        </div>
      ))}
    </>
  )
}
