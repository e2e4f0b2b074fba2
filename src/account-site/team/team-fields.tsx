import { Field } from '../../web/components/forms/field.tsx'

export const TeamNameField = ({ value }: { value?: string }) => (
  <Field name="name" label="Name" autocomplete="off" {...(value !== undefined && { value })} />
)
