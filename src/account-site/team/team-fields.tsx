import { Field } from '../../web/components/field.tsx'

export const TeamNameField = ({ value }: { value?: string }) => (
  <Field name="name" label="Name" autocomplete="off" {...(value !== undefined && { value })} />
)
