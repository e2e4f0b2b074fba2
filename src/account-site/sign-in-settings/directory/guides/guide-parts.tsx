import type { ComponentChildren } from 'preact'
import { Table } from '../../../../web/components/lists/table.tsx'

/** A value that the administrator enters or chooses, and the name of the field. */
export type GuideValue = readonly [field: string, value: ComponentChildren]

/** Values that the administrator enters. */
export const GuideValues = ({ values }: { values: readonly GuideValue[] }) => (
  <dl>
    {values.map(([field, value]) => (
      <>
        <dt>{field}</dt>
        <dd>{value}</dd>
      </>
    ))}
  </dl>
)

/** An attribute of SCIM, the source in the directory, and a note. */
export type Mapping = readonly [target: string, source: string, note?: ComponentChildren]

interface MappingsProps {
  label: string
  /** The directory's name for itself. */
  directory: string
  mappings: readonly Mapping[]
}

/** The attributes that the directory sends. */
export const Mappings = ({ label, directory, mappings }: MappingsProps) => (
  <Table label={label}>
    <thead>
      <tr>
        <th scope="col">Attribute of this service</th>
        <th scope="col">Attribute of {directory}</th>
        <th scope="col">Note</th>
      </tr>
    </thead>
    <tbody>
      {mappings.map(([target, source, note]) => (
        <tr>
          <th scope="row">
            <code>{target}</code>
          </th>
          <td>
            <code>{source}</code>
          </td>
          <td>{note}</td>
        </tr>
      ))}
    </tbody>
  </Table>
)
